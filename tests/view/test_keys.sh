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

# A window that was busy finds all that hands did meanwhile at once. Esc still closes the menu that the click opens, and
# letters with pauses between them are keys, not a word.
program=$(pgrep -P "$viewer")
kill -STOP "$program"
xdotool mousemove 100 245 click 1 key Escape key p sleep 0.3 key c sleep 0.3 key p mousemove 500 300
kill -CONT "$program"
await glint-window-002.png
check "the chain was copied" grep -q invert keys.out
rm glint-window-00[12].png

# Esc closes an open menu, and not the program: the one of filters, with one filter above it.
xdotool mousemove 100 245 click 1 key Escape key Tab key p
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
xdotool key ctrl+q
ended

# A picture's column has no ladder until the mode is asked for; keys of levels are none of a picture's.
last="glint view --filter gaussian=2 one.ppm"
"$glint" view --filter gaussian=2 one.ppm >mode.out 2>.err </dev/null &
viewer=$!
opened 700 500
below() { # below FILE: the column under its filter
    run batch --quiet --overwrite crop=300:100:30:379 "$1" -o below.ppm
    tail -c 90000 below.ppm | od -An -v -tu1 -w3 | sort -u | wc -l
}
for keys in none ctrl+Tab ctrl+Tab End; do
    [ $keys = none ] || xdotool key $keys sleep 0.5
    rm -f glint-window-001.png
    xdotool key p
    await glint-window-001.png
    [ "$(below glint-window-001.png)" -gt 9 ] && echo $keys >>mode.txt
done
xdotool key ctrl+q
ended
check "the ladder comes by its key, and goes" [ "$(tr '\n' ' ' <mode.txt)" = 'ctrl+Tab ' ]

# The wheel moves a slider by steps, which are one change; undone and done again.
last="glint view --filter gaussian=2 two.ppm"
"$glint" view --filter gaussian=2 two.ppm >wheel.out 2>.err </dev/null &
viewer=$!
opened 240 245
xdotool click 4 keydown ctrl click 4 click 4 click 4 keyup ctrl key c sleep 0.3 key u sleep 0.3 key c sleep 0.3 key ctrl+y c sleep 0.3
id=$(xdotool search --onlyvisible --name ' - glint$')
xdotool keydown ctrl click 5 keyup ctrl key c
xdotool mousemove --window "$id" 120 245 click --repeat 2 --delay 40 1
xdotool key 7 Return # in the place of what was there
xdotool mousemove --window "$id" 240 245 key Right ctrl+Up c
xdotool mousemove --window "$id" 310 245 click 1 key BackSpace BackSpace BackSpace 4 Return c sleep 0.3 # at the figure; the name stays
xdotool mousemove --window "$id" 200 245 keydown ctrl click 1 keyup ctrl key 5 Escape c sleep 0.3 key ctrl+q ctrl+q
ended
check "three steps, none, three; one back, typed, moved by keys, typed in place, left" [ "$(awk '{ print $3 }' wheel.out | tr '\n' ' ')" = \
    'gaussian=2.3 gaussian gaussian=2.3 gaussian=2.2 gaussian=8.1 gaussian=4 gaussian=4 ' ]

# A hand that presses and moves on at once drags the thing it pressed: a filter by its name, above the other. A part
# marked by a drag with Ctrl lies where the hand began, though the histogram then takes a part of the window.
last="glint view --filter gaussian=2,box=3 two.ppm"
"$glint" view --record hand.script --filter gaussian=2,box=3 two.ppm >hand.out 2>.err </dev/null &
viewer=$!
opened 75 332
xdotool mousemove --window "$(xdotool search --onlyvisible --name ' - glint$')" 75 332 mousedown 1 mousemove_relative 0 -20 \
    sleep 0.3 mousemove_relative -- 0 -96 sleep 0.3 mouseup 1 sleep 0.3 key c
xdotool keydown ctrl mousemove 600 300 mousedown 1 mousemove 650 330 sleep 0.5 mousemove 800 450 sleep 0.5 mouseup 1 keyup ctrl
xdotool sleep 0.5 key ctrl+q ctrl+q
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
script 0 'open one.ppm' 'key h' 'screenshot help.png' 'key z' 'key e' 'key b' 'screenshot found.png' 'key Esc' \
    'screenshot all.png' 'key Esc' 'screenshot bare.png' quit
refute "letters search it" cmp -s help.png found.png
check "Esc ends the search first" cmp -s help.png all.png
refute "then it closes the page" cmp -s help.png bare.png
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
