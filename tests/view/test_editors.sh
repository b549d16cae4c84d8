# test_editors.sh: what is edited by hand besides sliders: masks, curves, second pictures.
source "$(dirname "$0")/lib.sh"
picture one.ppm 96 64 1
picture two.ppm 96 64 2
display -screen 0 1280x800x24

# chains CHAIN...: what the last script printed by copy-command, one after the other.
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

# Points of a curve: added by a click, dragged, taken away by the right button or by a drag out of the square; each drag is
# one edit. The square lies at 917 to 1246, 71 to 334.
script 0 'open one.ppm' 'filter curves=0 0; 100 100' editor 'frames 1' 'click 1000 137' copy-command \
    'stroke 1000 137 1083 203' copy-command undo copy-command redo 'click 1083 203 right' copy-command undo \
    'stroke 1083 203 1083 500' copy-command 'stroke 1246 71 1246 137' copy-command quit
chains 'curves=0 0; 25.2 74.9; 100 100' 'curves=0 0; 50.4 49.8; 100 100' 'curves=0 0; 25.2 74.9; 100 100' \
    'curves=0 0; 100 100' 'curves=0 0; 100 100' 'curves=0 0; 100 74.9'
script 2 'open one.ppm' 'filter invert' editor
says 'the selected filter has neither mask nor curve'

# The second picture: by a command, from the list of those that are open, and none again.
script 0 'open one.ppm' 'open two.ppm' 'filter difference' 'second-picture one.ppm' copy-command 'frames 1' 'click 240 154' \
    'frames 1' 'click 140 185' copy-command undo 'frames 1' 'click 240 154' 'frames 1' 'click 140 225' copy-command quit
chains 'difference=one.ppm' difference 'difference=two.ppm'
script 2 'open one.ppm' 'filter invert' 'second-picture one.ppm'
says 'the selected filter reads no second picture'
finish
