# test_extremes.sh: windows and pictures of the smallest and the greatest sizes. From outside, a window is resized, hidden,
# covered and closed, and the file in it cut or taken away. GLINT_TEST_HUGE=1 has a picture of 24000 x 24000 as well: a
# file of 1.7 GB, 3.5 GB of memory, half a minute.
source "$(dirname "$0")/lib.sh"
other=$GLINT_TEST_HELPERS/x_client
largest=$((7680 / $(every 2)))x$((4320 / $(every 2)))
display -screen 0 ${largest}x24

picture one.ppm 97 61 1
{ printf 'P6\n1 1\n255\n' && printf 'abc'; } >dot.ppm
{ printf 'P6\n20000 50\n255\n' && yes 'far to the right there is something, too' | head -c 3000000; } >wide.ppm
{ printf 'P6\n50 20000\n255\n' && yes 'and far below' | head -c 3000000; } >high.ppm

# part NAME.png X Y WIDTH HEIGHT TO: of the shown picture.
part() { run batch --quiet --overwrite "crop=x=$2:y=$3:width=$4:height=$5" "$1" -o "$6"; }

# Each in a small window and in the largest: pixels are those that were read, wherever they lie; the panels fit.
for size in 200x150 $largest; do
    script 0 "size $size" 'open one.ppm' 'filter gaussian=2' 'frames 2' 'screenshot panels.png' 'key h' 'screenshot help.png' \
        'key h' 'key x' 'key H' 'key l' 'key s' 'frames 1' 'screenshot all.png' 'overlay' 'overlay' 'key Esc' 'filter' \
        'view 10 20 1' 'key Tab' 'overlay' 'frames 1' 'frame frame.ppm' quit
    for name in panels help all; do
        shown $name.png ${size%x*} ${size#*x}
    done
    same frame.ppm one.ppm
done

# The column would hide the picture: it comes when it is asked for.
script 0 'size 200x150' 'open one.ppm' 'view 3 27 1' 'screenshot picture.png' 'overlay' 'overlay' 'overlay' 'screenshot column.png' quit
part picture.png 3 27 97 61 seen.ppm
same seen.ppm one.ppm
part column.png 3 27 97 61 seen.ppm
refute "the column is shown" cmp -s seen.ppm one.ppm

for size in 200x150 $largest; do
    script 0 "size $size" 'overlay' 'open one.ppm' 'view 3 7 1' 'screenshot one.png' 'view 3 7 128' 'screenshot large.png' \
        'open dot.ppm' 'view 5 6 1' 'screenshot dot.png' 'fit' 'screenshot fitted.png' 'filter gaussian=2' 'frame dot-blurred.ppm' \
        'filter' 'open wide.ppm' 'view 0 0 1' 'screenshot wide.png' 'view -19900 10 1' 'screenshot right.png' \
        'open high.ppm' 'view 0 -19900 1' 'screenshot below.png' quit
    part one.png 3 7 97 61 seen.ppm
    same seen.ppm one.ppm
    part dot.png 5 6 1 1 seen.ppm
    same seen.ppm dot.ppm
    same dot-blurred.ppm dot.ppm
    part fitted.png $((${size%x*} / 2)) $((${size#*x} / 2)) 1 1 seen.ppm
    same seen.ppm dot.ppm
    part wide.png 0 0 150 50 seen.ppm
    gives 0 batch --quiet --overwrite crop=x=0:y=0:width=150:height=50 wide.ppm -o want.ppm
    same seen.ppm want.ppm
    part right.png 0 10 100 50 seen.ppm
    gives 0 batch --quiet --overwrite crop=x=19900:y=0:width=100:height=50 wide.ppm -o want.ppm
    same seen.ppm want.ppm
    part below.png 0 0 50 100 seen.ppm
    gives 0 batch --quiet --overwrite crop=x=0:y=19900:width=50:height=100 high.ppm -o want.ppm
    same seen.ppm want.ppm
done

if [ "${GLINT_TEST_HUGE:-0}" = 1 ]; then
    { printf 'P6\n24000 24000\n255\n' && yes 'so large that no texture holds it, and hardly any memory' | head -c 1728000000; } >huge.ppm
    script 0 'size 1280x800' 'overlay' 'open huge.ppm' 'frames 1' 'screenshot fitted.png' 'view -23900 -23950 1' 'screenshot corner.png' \
        draws quit
    cat .out
    refute "all of it is drawn" cmp -s fitted.png corner.png
    part corner.png 0 0 100 50 seen.ppm
    { printf 'P6\n100 50\n255\n' && for y in $(seq 23950 23999); do
        tail -c +$((20 + (y * 24000 + 23900) * 3)) huge.ppm | head -c 300; done; } >want.ppm
    same seen.ppm want.ppm
    rm huge.ppm
fi

# From outside. A window that is hidden goes on when it is back; one whose file is gone, or cut, shows its last picture.
command -v xdotool >/dev/null || { echo "xdotool is not installed"; finish; }
picture open.ppm 97 61 1
last="glint view open.ppm"
"$glint" view --overwrite --size 640x480 open.ppm >/dev/null 2>.err </dev/null &
viewer=$!
window=$(timeout 300 xdotool search --sync --onlyvisible --name ' - glint$')
# saved FILE: after all requests until now.
saved() {
    rm -f glint-result-001.png
    xdotool key shift+p
    await glint-result-001.png
    run batch --quiet --overwrite '' glint-result-001.png -o "$1"
}
taken() {
    rm -f glint-window-001.png
    xdotool key p
    await glint-window-001.png
}
xdotool mousemove --window "$window" 30 40 # keys go where the pointer is
for size in '1000 700' '64 64' '3000 2000' '300 900' '640 480'; do
    xdotool windowsize "$window" $size
    for _ in $(seq 10); do
        taken
        [ "$(run batch --quiet --overwrite '' glint-window-001.png -o shown.ppm; head -n 2 shown.ppm | tail -n 1)" = "$size" ] && break
    done
    shown glint-window-001.png $size
done
xdotool windowunmap --sync "$window"
sleep 0.3
xdotool windowmap --sync "$window" mousemove --window "$window" 30 40
saved back.ppm
same back.ppm one.ppm
head -c 9000 one.ppm >open.ppm
xdotool key F5 comma
saved cut.ppm # the filter before none is another one
xdotool key period
saved cut.ppm
same cut.ppm one.ppm
rm open.ppm
xdotool key F5
saved gone.ppm
same gone.ppm one.ppm
check "it is still there" kill -0 $viewer
"$other" close "$window"
ended

# Closed while it opens, and while it runs.
for job in reference gaussian=9; do
    "$glint" view --level "${job/gaussian=9/naive}" --filter gaussian=9 wide.ppm >/dev/null 2>.err </dev/null &
    viewer=$!
    window=$(timeout 300 xdotool search --sync --onlyvisible --name 'glint$')
    [ "$job" = reference ] || sleep 0.5
    "$other" close "$window"
    ended
done
finish
