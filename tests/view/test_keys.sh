# test_keys.sh: keys and the mouse of a virtual keyboard, where something is open or held.
source "$(dirname "$0")/lib.sh"
command -v xdotool >/dev/null || { echo "xdotool is not installed"; exit 77; }

picture one.ppm 97 61 1
picture two.ppm 640 400 2
display -screen 0 1280x800x24

# top FILE: the first rows of a picture, where no message is.
top() {
    run batch --quiet --overwrite "" "$1" -o top.ppm
    head -c 100000 top.ppm
}

last="glint view --size 640x480 --filter invert two.ppm one.ppm"
"$glint" view --size 640x480 --filter invert two.ppm one.ppm >keys.out 2>.err </dev/null &
viewer=$!
opened 500 300

# Esc closes an open menu, and not the program: the one of filters, with one filter above it.
xdotool mousemove 100 154 click 1 key Escape key Tab key p
await glint-window-001.png

# Space is let go over another window: the result is back.
xdotool keydown space key p
await glint-window-002.png
xdotool mousemove 1200 700 keyup space mousemove 500 300
top glint-window-001.png >top1
top glint-window-002.png >top2
for number in $(seq -f %03g 3 42); do # keys that are held are looked at from time to time
    xdotool key p
    await glint-window-$number.png
    top glint-window-$number.png >top3
    ! cmp -s top1 top3 || break
done
refute "the held key shows the source" cmp -s top1 top2
check "the key that was let go elsewhere shows the result" cmp -s top1 top3

# Left, PageUp and q belong to the box while a chain is typed there.
xdotool key Return Left Page_Up q Escape shift+p
await glint-result-001.png
gives 0 batch --quiet invert two.ppm -o want.png
same glint-result-001.png want.png
check "the program goes on" kill -0 "$viewer"
xdotool key q
ended

# The wheel moves a slider by steps, which are one change; undone and done again.
last="glint view --filter gaussian=2 two.ppm"
"$glint" view --filter gaussian=2 two.ppm >wheel.out 2>.err </dev/null &
viewer=$!
opened 240 154
xdotool click 4 click 4 click 4 key c u c ctrl+y c
id=$(xdotool search --onlyvisible --name ' - glint$')
xdotool keydown ctrl click 5 keyup ctrl key c
xdotool mousemove --window "$id" 120 154 click --repeat 2 --delay 40 1
xdotool key 7 Return # in the place of what was there
xdotool mousemove --window "$id" 240 154 key Right ctrl+Up c ctrl+q
ended
check "three steps, none, three; ten back, typed, and moved by keys" [ "$(awk '{ print $3 }' wheel.out | tr '\n' ' ')" = \
    'gaussian=2.3 gaussian gaussian=2.3 gaussian=1.3 gaussian=8.1 ' ]

# A hand that presses and moves on at once drags the thing it pressed: a filter by its name, above the other. A part
# marked by a drag with Ctrl lies where the hand began, though the histogram then takes a part of the window.
last="glint view --filter gaussian=2,box=3 two.ppm"
"$glint" view --record hand.script --filter gaussian=2,box=3 two.ppm >hand.out 2>.err </dev/null &
viewer=$!
opened 75 231
xdotool mousemove --window "$(xdotool search --onlyvisible --name ' - glint$')" 75 231 mousedown 1 mousemove_relative 0 -20 \
    sleep 0.3 mousemove_relative -- 0 -83 sleep 0.3 mouseup 1 sleep 0.3 key c
xdotool keydown ctrl mousemove 600 300 mousedown 1 mousemove 650 330 sleep 0.5 mousemove 800 450 sleep 0.5 mouseup 1 keyup ctrl
xdotool sleep 0.5 key ctrl+q
ended
check "the filters changed places" [ "$(awk '{ print $3 }' hand.out)" = 'box,gaussian' ]
check "the part is 200 by 150 pixels of the window, at its scale" [ "$(awk '$1 == "part" { print int($4 / $5 * 100) }' hand.script | tail -n 1)" = 133 ]

# The help page fits, or scrolls by keys, which do nothing else then.
script 0 'open one.ppm' 'filter invert' 'key h' 'screenshot help.png' 'size 400x300' 'screenshot small.png' \
    'key PageDown' 'screenshot scrolled.png' 'key Home' 'screenshot again.png' 'frame f.ppm' quit
gives 0 batch --quiet invert one.ppm -o want.ppm
same f.ppm want.ppm
shown help.png 1280 800
refute "it scrolls" cmp -s small.png scrolled.png
# Letters beyond ASCII are typed, and named, as any others: here a path. They get keys before there is a window, which
# would have to learn of one while it is pressed.
cp one.ppm 'éЖ日.ppm'
letters=(U00E9 U0416 U65E5)
check "keys for letters" "$GLINT_TEST_HELPERS/x_client" keys "${letters[@]}"
last="glint view --filter invert two.ppm, a path typed"
"$glint" view --filter invert two.ppm >letters.out 2>.err </dev/null &
viewer=$!
opened 500 300
xdotool key ctrl+o "${letters[@]}" Left x BackSpace Right # a character is one step, however many bytes it has
xdotool type '.ppm'
xdotool key Return c Escape ctrl+q
ended
check "the file is open" grep -q 'éЖ日.ppm' letters.out
finish
