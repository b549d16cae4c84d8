# test_menus.sh: every action of the table by a script, by the list of all actions, and by menus; keys from a file.
source "$(dirname "$0")/lib.sh"
picture one.ppm 97 61 1
picture two.ppm 64 40 2
display -screen 0 1280x800x24

# Every action (of a change every 9th), from the table itself, on a picture and in a scene. An action that has nothing
# to do there says why.
gives 0 view --list-actions
cp .out actions.txt
declare -A argument=(
    [add]=invert
    [backend]=cpu
    [before-and-after]=wipe.apng
    [border]=mirror
    [confine]=10x9+3+2
    [filter]=gaussian=2
    [fold]=time
    [go-to-change]=1
    [level]=naive
    [look]=normals
    [mask-preset]=disk
    [open]=two.ppm
    [open-recent]=two.ppm
    [preset]=noir
    [record]=film/
    [route]=copy
    [save-as]=saved.png
    [save-preset]=mine
    [scene]=spheres=count=9:seed=3
    [second-picture]=two.ppm
    [set]=sigma=2
    [theme]=light
    [tour-chapter]='The ladder'
)
export XDG_CONFIG_HOME=$PWD/own # where the preset goes
step=$(every 9) row=0
while read -r name rest; do
    [ "$name" != quit ] && [ "$name" != close ] || continue
    [ $((++row % step)) -eq 0 ] || [ "$name" = save-as ] || continue
    for first in 'scene spheres=count=9:seed=3' 'open one.ppm'; do
        printf '%s\n' "$first" "$name ${argument[$name]:-}" 'frames 1' quit >script.txt
        run view --quiet --overwrite --size 700x500 --script script.txt
        checks=$((checks + 1))
        case $status in
        0) ;;
        2 | 4) grep -q '^glint: script.txt:2: ' .err || complain "$first, $name: $(cat .err)" ;;
        *) complain "$first, $name: exit status $status: $(cat .err)" ;;
        esac
    done
done <actions.txt
check "more than fifty actions" [ "$(wc -l <actions.txt)" -gt 50 ]
shown saved.png 97 61

# The list that is printed is a file of keys; --help and the page of keys have the same names.
gives 0 view --keys actions.txt --list-actions
cp .out again.txt
same again.txt actions.txt
gives 0 view --help
cp .out help.txt
while read -r name rest; do
    check "$name is in --help" grep -q "^  $name " help.txt
done <actions.txt

# A file of keys, and the faults that one may have.
printf 'split = F2\nnext-level = g\n' >keys
script_keys() { printf '%s\n' "$@" >script.txt; gives "$want" view --quiet --overwrite --keys keys --script script.txt; }
want=0 script_keys 'open one.ppm' 'filter gaussian=2' 'key F2' 'key h' 'screenshot help.png' quit
want=2 script_keys 'open one.ppm' 'key s'
says 'key s does nothing here'
mkdir -p config/glint
printf 'race = PgeUp\n' >config/glint/keys
XDG_CONFIG_HOME=$PWD/config gives 2 view --list-actions
says 'config/glint/keys:1: no key "PgeUp"; did you mean "PageUp"?'
gives 3 view --keys missing one.ppm
says '^glint: missing: cannot be read'

# The mouse alone: a menu of the bar, the menu of the picture, a tool, the list of all actions.
script 0 'open one.ppm' 'click 30 10' 'screenshot menu.png' 'key Esc' 'click 700 400 right' 'screenshot context.png' \
    'key Esc' 'key Ctrl+K' 'screenshot palette.png' 'key Esc' 'key F10' 'screenshot bare.png' 'key F10' 'screenshot plain.png' \
    quit
rm -f glint-window-*.png
script 0 'open one.ppm' 'key Ctrl+K' 'frames 1' 'click 700 700' 'key p' quit # a click elsewhere closes the list
check "the key is not typed" [ -e glint-window-001.png ]
for name in menu context palette bare; do
    shown $name.png 1280 800
    refute "$name is seen" cmp -s $name.png plain.png
done

rm -f glint-*.png
# Themes and the size of texts.
gives 2 view --theme pink one.ppm
says '--theme is "pink", want dark, light or contrast'
gives 2 view --ui-scale 9 one.ppm
says '--ui-scale is "9", want a number from 0.5 to 4'
script 0 'open one.ppm' 'filter gaussian=2' 'screenshot dark.png' 'theme light' 'screenshot light.png' 'theme contrast' \
    'screenshot contrast.png' 'theme dark' 'screenshot again.png' 'key Ctrl+=' 'key Ctrl+=' 'screenshot large.png' 'key Ctrl+0' quit
for name in light contrast large; do
    shown $name.png 1280 800
    refute "$name is seen" cmp -s dark.png $name.png
done

# A section is folded away by a click on its heading, and comes back.
script 2 'open one.ppm' 'filter gaussian=2' 'frames 1' 'click 60 106' 'drag sigma 0 50 3'
says 'drag sigma: no slider of this name is shown'
script 0 'open one.ppm' 'filter gaussian=2' 'frames 1' 'click 60 106' 'click 60 106' 'drag sigma 0 50 3' quit
script 2 'open one.ppm' 'filter gaussian=2' 'frames 1' 'fold filter' 'frames 1' 'drag sigma 0 50 3'
says 'drag sigma: no slider of this name is shown'

# The tour, step by step, in the window: the last step leads to the scene, and behind it the tour is over.
printf '%s\n' 'tour' 'photograph' 'frames 1' 'tour' 'frames 1' 'add gaussian' 'frames 2' 'tour' 'more' 'frames 2' \
    'screenshot tour.png' 'tour' 'split' 'frames 1' 'tour' 'level 1' 'frames 2' 'tour' 'level separable' 'frames 1' 'tour' \
    'race' 'frames 1' 'tour' 'facts' 'frames 1' 'tour' 'difference' 'frames 3' 'screenshot difference.png' 'tour' 'frames 1' \
    'screenshot gpu.png' 'tour' 'picture-or-scene' 'frames 1' 'tour' 'frames 1' 'tour-back' quit >script.txt
gives 2 view --quiet --overwrite --script script.txt
says 'script.txt:39: there is no tour under way'
for name in tour difference gpu; do shown $name.png 1280 800; done
script 0 'scene spheres=count=9:seed=3' 'frames 1' 'screenshot plain.png' 'welcome' 'screenshot welcome.png' 'click 700 330' \
    'screenshot photo.png' quit
refute "the welcome is seen" cmp -s plain.png welcome.png

command -v xdotool >/dev/null || { echo "xdotool is not installed"; finish; exit; }
"$glint" view --filter gaussian=3 one.ppm two.ppm >keys.out 2>.err </dev/null &
viewer=$!
timeout 300 xdotool search --sync --onlyvisible --name ' - glint$' mousemove --window %1 700 500 >/dev/null
xdotool key ctrl+k type 'add inv'
xdotool key Return shift+p
await glint-result-001.png
gives 0 batch --quiet gaussian=3,invert one.ppm -o want.png
same glint-result-001.png want.png
xdotool key ctrl+o type 'two'
xdotool key Tab Return shift+p
await glint-result-002.png
gives 0 batch --quiet gaussian=3,invert two.ppm -o want2.png
same glint-result-002.png want2.png
xdotool key ctrl+q ctrl+q
ended
finish
