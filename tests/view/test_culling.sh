# test_culling.sh: the strip of thumbnails by real events: clicks with Ctrl and Shift, digits that rate, edits that go from
# one picture to others.
source "$(dirname "$0")/lib.sh"
command -v xdotool >/dev/null || { echo "xdotool is not installed"; exit 77; }
for number in 1 2 3 4; do
    picture p$number.ppm 40 30 $number
done
display -screen 0 1280x800x24
export keeps=yes XDG_STATE_HOME=$PWD/state
printf 'glint state 1\nstrip = open\n' >state.text
mkdir -p state/glint && mv state.text state/glint/state

# has NUMBER LINE: waits until the picture's sidecar has such a line.
has() {
    patiently grep -qs "^$2" "p$1.ppm.glint" || complain "p$1.ppm.glint has no line $2"
}

last="glint view p1.ppm p2.ppm p3.ppm p4.ppm"
"$glint" view --size 1280x800 p1.ppm p2.ppm p3.ppm p4.ppm >.out 2>.err </dev/null &
viewer=$!
opened 640 300
id=$(xdotool search --onlyvisible --name ' - glint$' | head -n 1)

# A digit rates the shown picture, Ctrl+X rejects all that clicks have selected. The thumbnails' middles are 119 pixels apart.
xdotool key 4
has 1 'rating = 4'
xdotool mousemove --window "$id" 943 690 sleep 0.3 keydown ctrl click 1 keyup ctrl sleep 0.3 \
    mousemove --window "$id" 1062 690 sleep 0.3 keydown shift click 1 keyup shift sleep 0.3
xdotool key ctrl+x
for number in 1 3 4; do
    has $number 'rating = rejected'
done

# The edits of the shown picture go to the others that are selected, and to no other.
xdotool mousemove --window "$id" 640 300 key period
has 1 'edit = Add '
xdotool key ctrl+shift+c ctrl+shift+v
has 3 'edit = Paste edits of p1.ppm'
has 4 'edit = Paste edits of p1.ppm'

# The stars next to the name rate, too: the third one; again takes it back.
xdotool mousemove --window "$id" 640 300 key Escape sleep 0.2 mousemove --window "$id" 278 57 sleep 0.3 click 1
has 1 'rating = 3'
xdotool sleep 0.3 click 1
patiently eval '! grep -qs "^rating" p1.ppm.glint' || complain "p1.ppm.glint keeps a rating"
xdotool mousemove --window "$id" 336 57 sleep 0.3 click 1
has 1 'rating = rejected'

# The right button on a thumbnail shows it, and opens a menu: the second row copies its path, the last one takes it off.
menu() {
    xdotool mousemove --window "$id" 824 690 sleep 0.5 click 3 sleep 1.5 mousemove --window "$id" 890 "$1" sleep 0.5 click 1 sleep 0.5
}
menu 666
patiently grep -qx "$PWD/p2.ppm" .out || complain "the path of the second picture is not printed"
menu 776
xdotool key ctrl+shift+F3
patiently grep -qx "$PWD/p3.ppm" .out || complain "the second picture is still in the strip"
xdotool key ctrl+q ctrl+q
ended
refute "the second picture has no edits" [ -e p2.ppm.glint ]
check "the filters are those of the first" cmp -s <(grep '^filter = .' p1.ppm.glint) <(grep '^filter = .' p3.ppm.glint)
gives 0 batch @p3.ppm.glint p2.ppm -o copied.ppm
gives 0 batch @p1.ppm.glint p2.ppm -o first.ppm
same copied.ppm first.ppm
finish
