# test_editors.sh: parameters edited by hand besides sliders: masks, curves, second pictures.
source "$(dirname "$0")/lib.sh"
picture one.ppm 96 64 1
picture two.ppm 96 64 2
display -screen 0 1280x800x24

# chains CHAIN...: the chains that the last script printed by copy-command, one after the other.
chains() {
    local want
    printf '%s\n' "$@" >want.txt
    sed -n "s/^glint batch \('[^']*'\|[^ ]*\) .*/\1/p" .out | tr -d "'" >chains.txt
    checks=$((checks + 1))
    cmp -s want.txt chains.txt || complain "chains are $(tr '\n' '|' <chains.txt), want $(tr '\n' '|' <want.txt)"
}

# A mask is painted cell by cell and by strokes, alike on both sides; each stroke is one edit.
script 0 'open one.ppm' 'filter convolve=0 0 0 0 1 0 0 0 0' editor 'frames 1' 'click 1033 113' copy-command \
    'stroke 1033 209 1128 209' copy-command undo 'click 988 281' 'stroke 1080 113 1080 209' copy-command \
    'stroke 1080 160 1080 162 right' copy-command undo undo copy-command undo copy-command quit
chains 'convolve=1 0 0; 0 1 0; 0 0 0' 'convolve=1 0 0; 0 1 0; 1 1 1' 'convolve=1 1 0; 0 1 0; 0 1 0' \
    'convolve=1 1 0; 0 0 0; 0 1 0' 'convolve=1 0 0; 0 1 0; 0 0 0' 'convolve=0 0 0 0 1 0 0 0 0'
script 0 'open one.ppm' 'filter convolve=1 2 1 2 4 2 1 2 1' normalize-mask copy-command larger-mask copy-command \
    'mask-preset right' smaller-mask copy-command editor 'screenshot mask.png' 'key Esc' 'screenshot plain.png' quit
chains 'convolve=1 2 1; 2 4 2; 1 2 1:0.0625' \
    'convolve=0 0 0 0 0; 0 1 2 1 0; 0 2 4 2 0; 0 1 2 1 0; 0 0 0 0 0:0.0625' \
    'convolve=-8 0 8; -12 0 12; -8 0 8:0.0208333333333'
refute "the editor is seen" cmp -s mask.png plain.png
script 2 'open one.ppm' 'filter invert' 'mask-preset box'
says 'the selected filter has no mask'

# Points of a curve are added by a click, dragged, and taken away by the right button or by a drag out of the square.
# Each drag is one edit. The square lies at 917 to 1246, 71 to 334.
script 0 'open one.ppm' 'filter curves=0 0; 100 100' editor 'frames 1' 'click 1000 137' copy-command \
    'stroke 1000 137 1083 203' copy-command undo copy-command redo 'click 1083 203 right' copy-command undo \
    'stroke 1083 203 1083 500' copy-command 'stroke 1246 71 1246 137' copy-command quit
chains 'curves=0 0; 25.2 74.9; 100 100' 'curves=0 0; 50.4 49.8; 100 100' 'curves=0 0; 25.2 74.9; 100 100' \
    'curves=0 0; 100 100' 'curves=0 0; 100 100' 'curves=0 0; 100 74.9'
script 2 'open one.ppm' 'filter invert' editor
says 'the selected filter has neither mask nor curve'

# Handles on the picture, of which a pixel is 9.5 of the window. A drag is one edit, and the saved picture is as the
# chain says, though all of the picture is seen while a rectangle is drawn.
drags() { # drags CHAIN X Y X Y: what a drag of the mouse makes of the chain, and a step back
    script 0 'open one.ppm' "filter $1" handles 'screenshot handles.png' "stroke $2 $3 $4 $5" copy-command \
        'frame part.ppm' undo copy-command quit
}
drags 'crop=40:40:20:10' 938 582 1033 487
chains 'crop=50:30:20:10' 'crop=40:40:20:10'
check "the part is saved" grep -qaxF '50 30' part.ppm
drags 'crop=40:40:20:10' 700 300 605 300 # all of it
chains 'crop=40:40:10:10' 'crop=40:40:20:10'
shown handles.png 1280 800
drags 'rotate=0:keep' 823 241 993 411
chains 'rotate=90.4:keep' 'rotate=0:keep'
drags 'motion=20:90' 823 146 558 411
chains 'motion=20:-180' 'motion=20:90'
drags 'distort=-0.2' 823 411 918 411
chains 'distort=-0.2:x=57:32' 'distort=-0.2'
drags "warp='1 0 0 0 1 0'" 700 300 795 300
chains 'warp=1 0 9.9890471  0 1 0' 'warp=1 0 0 0 1 0'
script 0 'open one.ppm' 'filter rotate=10' handles 'screenshot handles.png' 'key Esc' 'screenshot plain.png' quit
refute "the dial is seen" cmp -s handles.png plain.png
script 2 'open one.ppm' 'filter invert' handles
says 'the selected filter has nothing on the picture to drag'

# The second picture: by a command, from the list of those that are open, and none again.
script 0 'open one.ppm' 'open two.ppm' 'filter difference' 'second-picture one.ppm' copy-command 'frames 1' 'click 240 154' \
    'frames 1' 'click 140 185' copy-command undo 'frames 1' 'click 240 154' 'frames 1' 'click 140 225' copy-command quit
chains 'difference=one.ppm' difference 'difference=two.ppm'
script 2 'open one.ppm' 'filter invert' 'second-picture one.ppm'
says 'the selected filter reads no second picture'

# A hand drags the crop: from X's events to the chain.
command -v xdotool >/dev/null || { echo "xdotool is not installed"; finish; exit; }
"$glint" view --filter crop=40:40:20:10 one.ppm >hand.out 2>.err </dev/null &
viewer=$!
opened 938 582
xdotool key ctrl+t sleep 0.3 mousedown 1 mousemove_relative 40 -40 sleep 0.1 mousemove_relative 55 -55 sleep 0.1 mouseup 1 \
    sleep 0.1 key c u c ctrl+q
ended
check "a drag, and a step back" [ "$(awk '{ print $3 }' hand.out | tr '\n' ' ')" = \
    'crop=50:30:20:10 crop=40:40:20:10 ' ]
finish
