# test_parts.sh: a result that takes long is seen tile by tile, from the middle of its visible part, while it is made.
source "$(dirname "$0")/lib.sh"
command -v xdotool >/dev/null || { echo "xdotool is not installed"; exit 77; }

mkdir screen
display -screen 0 1280x800x24 -fbdir "$work/screen"

# 14641 products for each value, in double precision: minutes. At 1:1 the middle of the picture is that of the window.
picture small.ppm 96 54 1
gives 0 batch --quiet resize=width=1280:height=800 small.ppm -o large.ppm

# part X Y: the screen's 48 x 8 pixels from there on.
part() {
    local file=screen/Xvfb_screen0 header colours start
    header=$(od -An -tu4 --endian=big -j 0 -N 4 "$file")
    colours=$(od -An -tu4 --endian=big -j 76 -N 4 "$file")
    start=$((header + 12 * colours))
    for row in $(seq "$2" $(($2 + 7))); do
        tail -c +$((start + 4 * (1280 * row + $1) + 1)) "$file" | head -c 192
    done
}

last="glint view --level reference --filter box=121 large.ppm"
"$glint" view --size 1280x800 --level reference --filter box=121 large.ppm >/dev/null 2>.err </dev/null &
viewer=$!
timeout 300 xdotool search --sync --onlyvisible --name ' - glint$' mousemove --window %1 640 400 >/dev/null
xdotool key Tab key Tab key r

# alone: whether the middle has changed since it was asked before, and the corner has not. A preview changes both.
alone() {
    part 1200 700 >corner.now
    part 616 388 >middle.now
    part 1200 700 >corner.then
    cmp -s corner.now corner && cmp -s corner.then corner && ! cmp -s middle.now middle
    local changed=$?
    mv middle.now middle
    mv corner.then corner
    return $changed
}
: >middle >corner
check "the middle is there before the rest, which waits" patiently alone

# The worker and the threads that help it give way to draws; the window's own thread does not.
of_window=$(pgrep -P "$viewer" || echo "$viewer")
ours=$(nice)
check "the window's thread is an ordinary one" [ "$(awk '{ print $19 }' "/proc/$of_window/task/$of_window/stat")" -eq "$ours" ]
check "work has a lower priority" [ "$(cat /proc/"$of_window"/task/*/stat | awk -v ours="$ours" '$19 > ours' | wc -l)" -gt 0 ]

# The next wish stops it: nothing of it stays.
xdotool key End shift+p
await glint-result-001.png
gives 0 batch --quiet box=121 large.ppm -o want.png
same glint-result-001.png want.png
xdotool key ctrl+q
ended
finish
