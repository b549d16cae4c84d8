# test_hands.sh: keys, wheel and clicks of a person's hands, as real events of a keyboard and a mouse.
source "$(dirname "$0")/lib.sh"
command -v xdotool >/dev/null || { echo "xdotool is not installed"; exit 77; }

picture one.ppm 97 61 1
picture two.ppm 640 400 2
display -screen 0 1280x800x24

# begin ARGUMENT...: opens the window, whose lines go to out.txt, with the mouse on the picture.
begin() {
    last="glint view $*"
    "$glint" view "$@" >out.txt 2>.err </dev/null &
    viewer=$!
    opened 700 400
    id=$(xdotool search --onlyvisible --name ' - glint$')
}

# Signs with Ctrl: Xlib makes control characters of them, and the same of several. Each key is one step of sigma, 0.1.
begin --filter "convolve=1 2 1;2 4 2;1 2 1" two.ppm
xdotool key ctrl+bracketright key c sleep 0.3 key ctrl+bracketleft key c ctrl+q ctrl+q
ended
check "two cells more a side, and two less" [ "$(grep -o "'convolve=.*'" out.txt | tr -cd ";\n" | tr '\n' ' ')" = ';;;; ;; ' ]
printf '%s\n' 'more = Ctrl+2 Ctrl+\ Ctrl+3 Ctrl+4 Ctrl+]' 'less = Ctrl+Space Ctrl+5 Ctrl+6 Ctrl+7 Ctrl+8 Ctrl+/ Ctrl+[' >keys
begin --keys keys --filter gaussian=2 two.ppm
for key in 2 backslash 3 4 bracketright; do xdotool key ctrl+$key; done
xdotool key c sleep 0.3
for key in space 5 6 7 8 slash bracketleft; do xdotool key ctrl+$key; done
xdotool key c ctrl+q ctrl+q
ended
check "five steps more, seven less" [ "$(grep -o 'gaussian=[0-9.]*' out.txt | tr '\n' ' ')" = 'gaussian=2.5 gaussian=1.8 ' ]

# alive: the program goes on; said: its last message, as the log of messages has it.
alive() { check "$1: the program goes on" kill -0 "$viewer"; }

# Esc closes the comparison, the part that was marked, the full screen; q and Esc never end the program.
begin --filter invert two.ppm
xdotool key --delay 200 q s Escape Escape Escape q
xdotool keydown ctrl mousemove --window "$id" 600 300 mousedown 1 mousemove --window "$id" 650 330 sleep 0.3 \
    mousemove --window "$id" 800 450 sleep 0.3 mouseup 1 keyup ctrl sleep 0.3
xdotool key --delay 200 Escape Escape Escape F11 Escape Escape
alive "what lay on top is closed"
rm -f glint-*.png
xdotool key p
await glint-window-001.png
shown glint-window-001.png 1280 800

# The edits were not changed: nothing is asked.
xdotool key ctrl+q
ended

# Painting a mask: Esc ends it, and what was painted stays, and is kept in a file.
begin --filter invert two.ppm
xdotool key ctrl+j sleep 0.5 mousemove --window "$id" 600 300 mousedown 1 mousemove --window "$id" 650 330 sleep 0.3 \
    mousemove --window "$id" 800 400 sleep 0.3 mouseup 1 sleep 0.5 key Escape
await glint-mask-001.png
alive "painting has ended"
xdotool key c sleep 0.3

# Edits that are not saved: Ctrl+Q asks. Esc goes back; the second Ctrl+Q quits.
xdotool key ctrl+q sleep 0.5
alive "it asks"
xdotool key x Escape sleep 0.3 key Escape sleep 0.3
alive "it goes back"
"$GLINT_TEST_HELPERS/x_client" close "$id"
sleep 0.5
alive "the frame's button asks, too"
"$GLINT_TEST_HELPERS/x_client" close "$id"
ended
check "the mask is of the chain" grep -q "within='\?glint-mask-001.png" out.txt

# Saving answers the question; then nothing is to be asked.
rm -f glint-*.png
begin two.ppm
xdotool key --delay 50 Return i n v e r t Return sleep 0.5 key ctrl+q sleep 0.3 key Return sleep 0.3 key Return
ended
check "the result is saved" [ -s two-result.png ]
begin two.ppm
xdotool key --delay 50 Return i n v e r t Return sleep 0.5 key shift+p
await glint-result-001.png
xdotool key ctrl+q
ended
begin two.ppm
xdotool key --delay 50 Return i n v e r t Return sleep 0.5 key ctrl+z sleep 0.3 key ctrl+q
ended

# "convolve" and Return in the box of the chain: it begins with a mask, as by A.
begin two.ppm
xdotool key --delay 50 Return c o n v o l v e Return sleep 0.5 key c sleep 0.5 key ctrl+q ctrl+q
ended
check "convolve has a mask" grep -q "'convolve=[-0-9. ]*'" out.txt

# A lone letter is a key. Letters that follow each other at once are a word to search for. None of them does anything: s
# would split, t flicker, r reset the view.
begin two.ppm
xdotool key c sleep 0.5 key --delay 40 s h a r p sleep 0.5 key Return sleep 0.5 key c sleep 0.5 key ctrl+q ctrl+q
ended
check "the word has found its filter" grep -q 'batch .*sharp' out.txt
check "the letter before was a key" [ "$(grep -c '^glint' out.txt)" = 2 ]
begin --record word.script two.ppm
xdotool key --delay 40 s t r a i sleep 0.5 key Escape sleep 0.3 key s sleep 0.5 key t sleep 0.5 key s d sleep 0.5 key ctrl+q
ended
check "no letter of the word, then each one alone" \
    [ "$(grep -E '^(split|flicker|difference|reset-view|camera|look)$' word.script | tr '\n' ' ')" = 'split flicker split difference ' ]

# After a click beside a box letters are no keys, however slowly they come; a click on the picture gives them back.
begin --record beside.script two.ppm
xdotool mousemove --window "$id" 300 700 mousemove --window "$id" 200 52 click 1 sleep 0.3 key --delay 400 s h Escape \
    mousemove --window "$id" 700 400 click 1 sleep 0.3 key s sleep 0.5 key ctrl+q
ended
check "one split, on the picture" [ "$(grep -cE '^(split|help)$' beside.script)" = 1 ]

# The wheel scrolls, and moves a slider with Ctrl alone. Arrow keys are levels until a click gives them to a slider. The
# first of two clicks on a slider changes nothing; one that stays alone does, and a drag does at once.
begin --record slider.script --filter gaussian=2 --level naive two.ppm
xdotool mousemove --window "$id" 140 166 click 4 click 4 sleep 0.3 key Up sleep 0.5 click --repeat 2 --delay 60 1 sleep 0.8 key Escape
xdotool mousemove --window "$id" 700 400 click 1 sleep 1 key c sleep 0.5
xdotool mousemove --window "$id" 140 166 click 1 sleep 1 key c sleep 0.5 mousemove --window "$id" 700 400 key Right sleep 0.5 key c \
    sleep 0.5 key Escape Up sleep 0.5 key ctrl+q ctrl+q
ended
mapfile -t sigmas < <(sed -n "s/^glint batch '*\(gaussian[=0-9.]*\).*/\1/p" out.txt)
check "two clicks change nothing" [ "${sigmas[0]}" = gaussian ]
refute "one click moves the slider" [ "${sigmas[1]}" = gaussian ]
refute "then an arrow key does" [ "${sigmas[1]}" = "${sigmas[2]}" ]
check "a change by the click and one by a key, and levels by the other keys" \
    [ "$(grep -c '^next-level' slider.script) $(grep -c '^filter' slider.script)" = '2 3' ]

# A window that was busy finds a click and a drag at once. The drag is for the tool that the click begins; the key is for the
# filter that the drag makes.
begin two.ppm
program=$(pgrep -P "$viewer")
kill -STOP "$program"
xdotool mousemove --window "$id" 105 135 click 1 mousemove --window "$id" 600 400 mousedown 1 mousemove --window "$id" 700 405 \
    sleep 0.1 mousemove --window "$id" 800 410 mouseup 1 key c
kill -CONT "$program"
sleep 0.5
xdotool key ctrl+q ctrl+q
ended
check "the line has turned the picture" grep -q 'batch rotate=-2\.86' out.txt

# A run under way is stopped, and does not begin again by itself; a change runs. Threads stop between rows: short ones, for
# a row of 3000 pixels takes a busy machine longer than the test waits.
"$glint" batch --quiet --overwrite resize=200:30000 two.ppm -o large.ppm
last="glint view --level reference --filter bilateral=90 large.ppm"
"$glint" view --level reference --filter bilateral=90 large.ppm >out.txt 2>.err </dev/null &
viewer=$!
id=$(timeout 300 xdotool search --sync --onlyvisible --name 'large.ppm')
xdotool mousemove --window "$id" 700 400
# threads: how many threads of the window's process compute.
threads() { cat /proc/"$(pgrep -P "$viewer")"/task/*/stat 2>/dev/null | sed 's/.*) //' | grep -c '^R'; }
works() { [ "$(threads)" -gt 0 ] && sleep 0.3 && [ "$(threads)" -gt 0 ]; }
rests() { for _ in 1 2 3 4 5; do [ "$(threads)" -eq 0 ] || return 1; sleep 0.1; done; }
check "the run goes on" patiently works
# A busy machine may hear the first one before the run begins. Answering a key is work, too: the next one gives it seconds.
stopped() {
    xdotool key Escape
    for _ in {1..20}; do
        rests && return
        sleep 0.2
    done
    return 1
}
check "the run of some hours is stopped" patiently stopped
alive "a run is stopped"
xdotool key 0 sleep 0.5 key ctrl+q
ended
script 0 'open two.ppm' 'filter invert' 'by-hand quit' 'screenshot asked.png' 'key Esc' 'screenshot plain.png' quit
refute "the question is seen" cmp -s asked.png plain.png
finish
