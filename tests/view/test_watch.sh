# test_watch.sh: a file that changes is read again, once it is whole; thumbnails come by themselves and open files.
source "$(dirname "$0")/lib.sh"

picture one.ppm 97 61 1
picture two.ppm 97 61 2
picture three.ppm 640 400 3
display -screen 0 1280x800x24

# A half of a file, at its place for longer than two looks, does not replace the shown picture; the whole of it does.
cp one.ppm seen.ppm
printf '%s\n' 'frame a.ppm' 'wait 2.5' 'frame b.ppm' 'wait 2.5' 'frame c.ppm' quit >watch.txt
"$glint" view --quiet --watch --script watch.txt seen.ppm 2>.err </dev/null &
viewer=$!
await a.ppm
head -c 9000 two.ppm >seen.ppm
await b.ppm
cp two.ppm new.ppm
mv new.ppm seen.ppm
await c.ppm
ended
same a.ppm one.ppm
same b.ppm one.ppm
same c.ppm two.ppm

# Without --watch the picture that was read stays.
printf '%s\n' 'frame d.ppm' 'wait 1.5' 'frame e.ppm' quit >watch.txt
"$glint" view --quiet --script watch.txt seen.ppm 2>.err </dev/null &
viewer=$!
await d.ppm
cp one.ppm seen.ppm
await e.ppm
ended
same e.ppm two.ppm

# The strip: the second of three files is clicked, and shown; Esc closes the strip and not the program.
mkdir folder
cp one.ppm folder/1.ppm
cp two.ppm folder/2.ppm
cp three.ppm folder/3.ppm
script 0 'open folder' 'key Tab' 'key Tab' 'frames 1' 'screenshot none.png' 'key I' 'wait 1' 'screenshot strip.png' \
    'click 700 690' 'wait 0.5' 'frame clicked.ppm' 'picture 3' 'frame third.ppm' 'key Esc' 'screenshot closed.png' quit
same clicked.ppm two.ppm
same third.ppm three.ppm
refute "the strip is seen" cmp -s none.png strip.png
script 2 'open folder' 'picture 4'
says 'picture "4", want a number from 1 to 3'
finish
