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

# A slider is filled from 0 to its knob, and nowhere else: 50 % lie at 3/4 of the track, which is at 101 to 265.
pixel() { # pixel FILE X Y: its three values
    run batch --quiet --overwrite "crop=1:1:$2:$3" "$1" -o pixel.ppm
    tail -c 3 pixel.ppm | od -An -tu1
}
script 0 'open one.ppm' 'filter brightness=50' 'screenshot slider.png' quit
check "the half behind 0 is filled" [ "$(pixel slider.png 200 166)" = "$(pixel slider.png 190 166)" ]
refute "the half before 0 is not" [ "$(pixel slider.png 200 166)" = "$(pixel slider.png 140 166)" ]
refute "nor what is behind the knob" [ "$(pixel slider.png 200 166)" = "$(pixel slider.png 250 166)" ]
check "these are one track" [ "$(pixel slider.png 140 166)" = "$(pixel slider.png 250 166)" ]

# A mask is painted cell by cell and by strokes, alike on both sides; each stroke is one edit.
script 0 'open one.ppm' 'filter convolve=0 0 0 0 1 0 0 0 0' editor 'frames 1' 'click 1033 119' copy-command \
    'stroke 1033 215 1128 215' copy-command undo 'click 988 287' 'stroke 1080 119 1080 215' copy-command \
    'stroke 1080 166 1080 168 right' copy-command undo undo copy-command undo copy-command quit
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
# Each drag is one edit. The square lies at 917 to 1246, 100 to 363.
script 0 'open one.ppm' 'filter curves=0 0; 100 100' editor 'frames 1' 'click 1000 166' copy-command \
    'stroke 1000 166 1083 232' copy-command undo copy-command redo 'click 1083 232 right' copy-command undo \
    'stroke 1083 232 1083 529' copy-command 'stroke 1246 100 1246 166' copy-command quit
chains 'curves=0 0; 25.2 74.9; 100 100' 'curves=0 0; 50.4 49.8; 100 100' 'curves=0 0; 25.2 74.9; 100 100' \
    'curves=0 0; 100 100' 'curves=0 0; 100 100' 'curves=0 0; 100 74.9'
script 2 'open one.ppm' 'filter invert' editor
says 'the selected filter has neither mask nor curve'

# A curve of its own for each colour and for luma: chosen by a chip, or by name. A straight one leaves the chain again.
script 0 'open one.ppm' 'filter curves=0 0; 100 100' editor 'frames 1' 'screenshot all.png' 'click 964 78' 'frames 1' \
    'screenshot red.png' 'stroke 1000 166 1083 232' copy-command 'curve luma' 'frames 1' 'click 1000 232' copy-command undo undo \
    copy-command redo 'curve red' 'frames 1' 'stroke 1083 232 1083 529' copy-command quit
chains 'curves=0 0; 100 100:0 0; 50.5 49.8; 100 100' \
    'curves=0 0; 100 100:0 0; 50.5 49.8; 100 100:luma=0 0; 25.2 49.8; 100 100' 'curves=0 0; 100 100' 'curves=0 0; 100 100'
refute "the red curve is seen" cmp -s all.png red.png
script 2 'open one.ppm' 'filter curves=0 0; 100 100' 'curve violet'
says 'curve "violet", want points, red, green, blue or luma'

# A formula is typed in a line of its own, without a chain's quotes. A faulty one is named with its column, and the last
# good one stays. Sliders that it does not name are not there.
script 0 'open one.ppm' "filter expr='v + p1'" 'key Ctrl+4' 'key Backspace' 'frames 1' 'screenshot faulty.png' 'key Esc' \
    copy-command 'key Ctrl+4' 'key Backspace' 'key 2' 'key Return' copy-command undo copy-command 'screenshot one.png' 'formula v + p1 + p2' \
    'frames 1' 'screenshot two.png' quit
chains 'expr=v + p1' 'expr=v + p2' 'expr=v + p1'
refute "a fault is seen" cmp -s faulty.png one.png
refute "a second slider" cmp -s one.png two.png
script 2 'open one.ppm' 'filter expr=v' 'formula max(r'
says 'formula "max[(]r": column 6: want'
script 2 'open one.ppm' 'filter invert' 'formula v'
says 'the selected filter has no formula: add expr'

# Handles on the picture, of which a pixel is 9.5 of the window, and 9.2 where it leaves a margin for them. A drag is one
# edit. The saved picture is as the chain
# says, though all of the picture is seen while a rectangle is drawn.
drags() { # drags CHAIN X Y X Y: what a drag of the mouse makes of the chain, and a step back
    script 0 'open one.ppm' "filter $1" handles 'screenshot handles.png' "stroke $2 $3 $4 $5" copy-command \
        'frame part.ppm' undo copy-command quit
}
drags 'crop=40:40:20:10' 934 577 1026 486
chains 'crop=50:30:20:10' 'crop=40:40:20:10'
check "the part is saved" grep -qaxF '50 30' part.ppm
drags 'crop=40:40:20:10' 704 305 613 305 # all of it
chains 'crop=40:40:10:10' 'crop=40:40:20:10'
shown handles.png 1280 800
drags 'rotate=0:keep' 823 242 993 412
chains 'rotate=90.4:keep' 'rotate=0:keep'
drags 'motion=20:90' 823 147 558 412
chains 'motion=20:-180' 'motion=20:90'
drags 'distort=-0.2' 823 412 918 412
chains 'distort=-0.2:x=57:32' 'distort=-0.2'
drags "warp='1 0 0 0 1 0'" 704 305 796 305
chains 'warp=1 0 10.002265  0 1 0' 'warp=1 0 0 0 1 0'
script 0 'open one.ppm' 'filter rotate=10' handles 'screenshot handles.png' 'key Esc' 'screenshot plain.png' quit
refute "the dial is seen" cmp -s handles.png plain.png
script 2 'open one.ppm' 'filter invert' handles
says 'the selected filter has nothing on the picture to drag'

# A crop begins as all of the picture, with its handles; its ratio stays while it is dragged. By hand: 96 x 64 is 3:2.
# 1:1 of it is 64 x 64 from (16, 0). Its corner at the bottom right is (80, 64); four pixels higher it is 60 x 60.
script 0 'open one.ppm' 'add crop' 'frames 1' 'screenshot handles.png' copy-command 'crop-ratio 3:2' copy-command \
    'crop-ratio 1:1' copy-command 'stroke 1117 705 1117 668' copy-command 'key Return' 'frame part.ppm' copy-command quit
chains 'crop=100:100:0:0:percent' 'crop=100:100:0:0:percent:1.5' 'crop=66.6666:100:16.6667:0:percent:1' \
    'crop=62.5:93.75:16.6667:0:percent:1' 'crop=62.5:93.75:16.6667:0:percent:1'
check "the part is saved" grep -qaxF '60 60' part.ppm
shown handles.png 1280 800
# The horizon: a line of 10 pixels down on 200 turns by -atan(10 / 200) = -2.86 degrees, and once more.
script 0 'open one.ppm' 'filter crop=50:50:25:25:percent' straighten 'stroke 600 400 800 410' copy-command straighten \
    'stroke 600 400 800 410' copy-command straighten 'screenshot line.png' 'key Esc' 'screenshot plain.png' quit
chains 'rotate=-2.86:inside,crop=50:50:25:25:percent' 'rotate=-5.72:inside,crop=50:50:25:25:percent'
refute "the tool is seen" cmp -s line.png plain.png

# The second picture: by a command, from the list of those that are open, and none again.
script 0 'open one.ppm' 'open two.ppm' 'filter difference' 'second-picture one.ppm' copy-command 'frames 1' 'click 240 166' \
    'frames 1' 'click 140 197' copy-command undo 'frames 1' 'click 240 166' 'frames 1' 'click 140 237' copy-command quit
chains 'difference=one.ppm' difference 'difference=two.ppm'
script 2 'open one.ppm' 'filter invert' 'second-picture one.ppm'
says 'the selected filter reads no second picture'

# A hand drags the crop: from X's events to the chain.
command -v xdotool >/dev/null || { echo "xdotool is not installed"; finish; exit; }
"$glint" view --filter crop=40:40:20:10 one.ppm >hand.out 2>.err </dev/null &
viewer=$!
opened 934 576
xdotool key ctrl+t sleep 0.3 mousedown 1 mousemove_relative 40 -40 sleep 0.1 mousemove_relative 52 -52 sleep 0.1 mouseup 1 \
    sleep 0.1 key c sleep 0.3 key u sleep 0.3 key c sleep 0.3 key ctrl+q ctrl+q
ended
check "a drag, and a step back" [ "$(awk '{ print $3 }' hand.out | tr '\n' ' ')" = \
    'crop=50:30:20:10 crop=40:40:20:10 ' ]

# A hand crops: the list of filters, a corner, X for upright, Return. By hand: 86 x 54 from (10, 10) lies; 40 x 64 about
# its middle is the largest upright one of that ratio.
"$glint" view one.ppm >hand.out 2>.err </dev/null &
viewer=$!
opened 368 107
xdotool type A
xdotool sleep 0.3 type crop
xdotool sleep 0.3 key Return sleep 0.5 mousemove_relative 15 11 mousedown 1 mousemove_relative 40 40 sleep 0.1 mousemove_relative 52 52 sleep 0.1 mouseup 1 \
    sleep 0.2 key c sleep 0.2 key x sleep 0.2 key Return sleep 0.3 key c sleep 0.2 key ctrl+q ctrl+q
ended
check "a drag, and upright" [ "$(awk '{ print $3 }' hand.out | tr '\n' ' ')" = \
    'crop=89.5833:84.375:10.4167:15.625:percent crop=41.6667:100:34.375:0:percent ' ]
finish
