# test_bar.sh: the tools of the bar: the switch of modes, the segments for comparing, the ground; and where there is
# little room.
source "$(dirname "$0")/lib.sh"
picture one.ppm 97 61 1
display -screen 0 1280x800x24

# pixels FILE.ppm COUNT: its last pixels, a line each.
pixels() { tail -c $(($2 * 3)) "$1" | od -An -v -tu1 -w3; }
# chosen FILE Y WIDTH: where the chosen segments of the dark theme lie on that row of FILE.png: "FROM TO FROM TO ".
chosen() {
    area 0 "$2" "$3" 1 "$1"
    pixels "$1.ppm" "$3" | awk '{ on = $1 == 38 && $2 == 112 && $3 == 158 } on != was { printf "%d ", NR - 1 } { was = on }'
}

# A click on the other mode is the action `speed`; one on a segment compares by it, and on the first ends that.
script 0 'open one.ppm' speed 'frames 1' 'screenshot picture.png' speed 'frames 1' 'screenshot speed.png' \
    speed split 'frames 1' 'screenshot split.png' quit
set -- $(chosen picture 5 1280)
check "a mode and a way of comparing are chosen" [ $# -eq 4 ]
script 0 'open one.ppm' speed 'frames 1' "click $(($2 + 12)) 12" 'pointer 700 500' 'frames 1' 'screenshot clicked.png' \
    "click $(($1 + 12)) 12" 'frames 1' "click $(($4 + 12)) 12" 'pointer 700 500' 'frames 1' 'screenshot compared.png' \
    "click $(($3 + 12)) 12" 'pointer 700 500' 'frames 1' 'screenshot ended.png' quit
area 500 0 780 24 picture speed split clicked compared ended
same clicked.ppm speed.ppm
same compared.ppm split.ppm
same ended.ppm picture.ppm
refute "the modes look different" cmp -s picture.ppm speed.ppm
refute "comparing looks different" cmp -s picture.ppm split.ppm
area 20 130 300 400 picture speed
refute "the column shows levels in the other mode" cmp -s picture.ppm speed.ppm

# The ground follows the theme, or is a grey by its light, as sRGB encodes it: 0.04 as 56, 0.18 as 118, half as 188.
printf '%s\n' 'open one.ppm' speed 'frames 1' 'screenshot dark.png' 'theme light' 'screenshot light.png' 'ground black' \
    'screenshot black.png' 'ground 4%' 'screenshot 4.png' 'ground 50%' 'screenshot 50.png' 'ground white' \
    'screenshot white.png' 'ground 18%' 'screenshot 18.png' quit >script.txt
export keeps=yes XDG_STATE_HOME=$PWD/state
gives 0 view --quiet --overwrite --keep --script script.txt
check "the mode is kept" grep -qx 'mode = picture' state/glint/state
check "the ground is kept" grep -qx 'ground = 18%' state/glint/state
printf '%s\n' 'open one.ppm' 'frames 1' 'screenshot again.png' 'theme dark' 'frames 1' 'screenshot mode.png' quit >script.txt
gives 0 view --quiet --overwrite --keep --script script.txt
check "the mode is as it was" [ "$(chosen mode 5 1280)" = "$1 $2 $3 $4 " ]
unset keeps
while read -r name grey; do
    area 8 780 1 1 "$name"
    check "the ground of $name is $grey" [ "$(pixels "$name.ppm" 1 | tr -s ' ')" = " $grey $grey $grey" ]
done <<END
dark 23
light 208
black 0
4 56
18 118
50 188
white 255
again 118
END
script 2 'ground pink'
says 'ground "pink", want theme, black, 4%, 18%, 50% or white'

# With less room words go, then the menus fold into one; no tool goes. A script tries what a window of large texts has.
script 0 'open one.ppm' speed 'size 800x600' 'frames 1' 'screenshot narrow.png' 'size 640x480' 'frames 1' \
    'screenshot folded.png' 'click 30 12' 'frames 1' 'screenshot menu.png' quit
check "both are in a window of 800 pixels" [ "$(chosen narrow 5 800 | wc -w)" -eq 4 ]
check "both are in a window of 640 pixels" [ "$(chosen folded 5 640 | wc -w)" -eq 4 ]
area 20 30 100 100 folded menu
refute "the menus are there" cmp -s folded.ppm menu.ppm
printf '%s\n' 'welcome' 'frames 1' 'screenshot welcome.png' 'welcome' 'open one.ppm' speed 'frames 1' \
    'screenshot large.png' 'filter gaussian=4,rotate=-4:keep,crop=50:40:10:10' 'frames 1' handles 'screenshot crop.png' \
    'frames 1' 'screenshot later.png' handles machine 'screenshot machine.png' \
    quit >script.txt
gives 0 view --quiet --overwrite --ui-scale 2 --script script.txt
check "both are there at twice the size" [ "$(chosen large 10 1280 | wc -w)" -eq 4 ]

# At that size the first steps have the window. The ratios of a part are all there at once. The words that head the page
# of costs stand apart: title, device and state.
area 30 100 90 600 welcome
check "nothing is left of the first steps" [ "$(pixels welcome.ppm 54000 | sort -u | wc -l)" -eq 1 ]
area 700 60 580 250 crop later
same crop.ppm later.ppm
area 40 90 1180 40 machine
checks=$((checks + 1))
pixels machine.ppm 47200 | awk '{ x = (NR - 1) % 1180 } $1 > 80 { ink[x] = 1 }
    END { for (x = 0; x < 1180; x++) { if (ink[x]) { gaps += blank >= 24 && any; blank = 0; any = 1 } else blank++ }
          exit gaps != 2 }' || complain "words of the heading lie on each other"
finish
