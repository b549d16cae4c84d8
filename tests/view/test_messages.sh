# test_messages.sh: messages and tips do not lie over the things that they are about; a file that cannot be shown is told
# where somebody looks.
source "$(dirname "$0")/lib.sh"
picture one.ppm 97 61 1
picture two.ppm 64 40 2
display -screen 0 1280x800x24

# A message ends above the thumbnails.
script 0 'open one.ppm' 'open two.ppm' 'thumbnails' 'frames 1' 'wait 1' 'screenshot plain.png' 'difference-view colours' 'screenshot said.png' quit
refute "the message is there" cmp -s plain.png said.png
area 368 660 900 100 plain said
same plain.ppm said.ppm

# The page of keys has no message over it, nor has an open menu.
script 0 'open one.ppm' 'key h' 'frames 1' 'screenshot plain.png' 'difference-view colours' 'screenshot said.png' quit
same plain.png said.png

# The tip of a tool lies below the bar and the words of a split, and makes way for a box. The words' times change.
script 0 'open one.ppm' 'filter invert' 'split' 'frames 1' 'screenshot plain.png' 'pointer 1235 10' 'frames 2' \
    'screenshot tip.png' 'key Ctrl+S' 'frames 2' 'screenshot box.png' 'pointer 700 700' 'frames 2' 'screenshot alone.png' quit
area 800 0 370 60 plain tip
same plain.ppm tip.ppm
area 368 60 830 660 plain tip box alone
refute "the tip is there" cmp -s plain.ppm tip.ppm
same box.ppm alone.ppm

# The first steps can be opened over a picture, and close as another one is opened.
script 0 'open one.ppm' 'frames 1' 'screenshot plain.png' 'welcome' 'frames 1' 'screenshot page.png' 'open one.ppm' 'frames 1' \
    'screenshot gone.png' quit
refute "the page is there" cmp -s plain.png page.png
area 368 24 900 600 plain gone
same plain.ppm gone.ppm

# Where stderr is read by nobody, the window says why a file cannot be shown, also one that is damaged behind its header.
gives 3 view missing.png
says '^glint: missing.png: cannot be read'
printf 'P2\n2 2\n255\n1 2 300 4\n' >bad.pgm
gives 3 view bad.pgm
says '^glint: bad.pgm: damaged PNM'
command -v xdotool >/dev/null || { echo "xdotool is not installed"; finish; exit; }
for file in missing.png bad.pgm; do
    "$glint" view "$file" >/dev/null 2>/dev/null </dev/null &
    viewer=$!
    timeout 300 xdotool search --sync --onlyvisible --name ' - glint$' mousemove --window %1 700 500 >/dev/null
    xdotool key ctrl+q ctrl+q
    ended
done
finish
