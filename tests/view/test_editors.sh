# test_editors.sh: what is edited by hand besides sliders: second pictures.
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

# The second picture: by a command, from the list of those that are open, and none again.
script 0 'open one.ppm' 'open two.ppm' 'filter difference' 'second-picture one.ppm' copy-command 'frames 1' 'click 240 154' \
    'frames 1' 'click 140 185' copy-command undo 'frames 1' 'click 240 154' 'frames 1' 'click 140 225' copy-command quit
chains 'difference=one.ppm' difference 'difference=two.ppm'
script 2 'open one.ppm' 'filter invert' 'second-picture one.ppm'
says 'the selected filter reads no second picture'
finish
