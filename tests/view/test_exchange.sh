# test_exchange.sh: the window and other programs exchange files that are dragged onto it, and text and pictures that
# are copied. The other program is helpers/x_client.c.
source "$(dirname "$0")/lib.sh"
other=$GLINT_TEST_HELPERS/x_client
picture one.ppm 97 61 1
picture 'two %41 ä.ppm' 64 40 2
picture three.ppm 50 30 3
mkdir folder
picture folder/four.ppm 20 30 4
display -screen 0 1280x800x24

# By a script, as other programs spell them: the first that can be shown is shown, the others are in the list.
here=file://$PWD
script 0 "drop $here/two%20%2541%20%C3%a4.ppm $here/one.ppm" 'frame a.ppm' 'next-picture' 'frame b.ppm' \
    'drop file:///missing.png file://localhost'"$PWD"'/three.ppm' 'frame c.ppm' "drop $here/folder" 'frame d.ppm' quit
gives 0 batch --quiet '' 'two %41 ä.ppm' -o want-a.ppm
for pair in a:want-a b:one c:three d:folder/four; do
    same "${pair%:*}.ppm" "${pair#*:}.ppm"
done
script 3 'drop file:///missing.png'
says 'missing.png'
script 2 'drop https://example.org/a.png'
says 'https://example.org/a.png: an address; want a file or a folder'
script 2 'drop #nothing'
says 'there is nothing to open'

# Saved in each format that can be written: the file that batch writes.
{ printf 'PF\n8 4\n-1.0\n' && for i in $(seq 96); do printf '\0\0\200\77'; done; } >float.pfm
gives 0 list formats
formats=$(sed -n 's/^\([a-z]*\) .* saves .*/\1/p' .out)
check "there are seven: $formats" [ "$(wc -w <<<"$formats")" -ge 7 ]
for format in $formats; do
    from=one.ppm
    case $format in hdr | pfm | exr) from=float.pfm ;; esac
    script 0 "open $from" 'filter gaussian=1' "save-as saved.$format" quit
    gives 0 batch --quiet gaussian=1 "$from" -o "want.$format"
    same "saved.$format" "want.$format"
done
rm want.*

command -v xdotool >/dev/null || { echo "xdotool is not installed"; finish; }
"$glint" view --overwrite one.ppm three.ppm >/dev/null 2>.err </dev/null &
viewer=$!
window=$(timeout 300 xdotool search --sync --onlyvisible --name ' - glint$')
xdotool mousemove --window "$window" 700 500

# Several files, percent signs in their names, and remarks; a text that is no list of files is refused.
saved() {
    rm -f glint-result-001.png
    xdotool key shift+p
    await glint-result-001.png
    run batch --quiet --overwrite '' glint-result-001.png -o saved.ppm
}
printf '# from a test\r\n%s\r\n%s\r\n' "$here/two%20%2541%20%C3%A4.ppm" "$here/one.ppm" >list
last="x_client drop"
check "files are dropped" "$other" drop "$window" text/uri-list list
saved
same saved.ppm want-a.ppm
xdotool key Right
saved
same saved.ppm one.ppm
refute "a text is refused" "$other" drop "$window" text/plain list
printf '%s\r\n' "$here/missing.png" >list
check "the file is not there" "$other" drop "$window" text/uri-list list
saved
same saved.ppm one.ppm
seq -f "$here/three.ppm#%g" 20000 | sed 's/#.*/\r/' >list # a megabyte
check "many files are dropped" "$other" drop "$window" text/uri-list list
saved
same saved.ppm three.ppm

# The picture as PNG, in parts if it is large, and the command line as text.
pasted() { "$other" paste TARGETS >targets && "$other" paste "$1" >"$2" && [ -s "$2" ]; }
copied() {
    patiently pasted "$@" || complain "nothing is copied as $1"
}
xdotool key ctrl+c
copied image/png copied.png
gives 0 batch --quiet --overwrite '' three.ppm -o want.png
same copied.png want.png
check "no text is offered" [ "$(od -An -v -tu4 -w4 targets | wc -l)" -eq 4 ] # two atoms, as longs
refute "nor given" "$other" paste UTF8_STRING
rm -f three.ppm
picture three.ppm 800 500 5
xdotool key F5 ctrl+c
gives 0 batch --quiet --overwrite '' three.ppm -o want.png
check "it goes in parts" [ "$(wc -c <want.png)" -gt 400000 ]
copied_whole() { copied image/png copied.png && cmp -s copied.png want.png; }
patiently copied_whole
same copied.png want.png
xdotool key c
copied UTF8_STRING copied.txt
check "the command line is copied" grep -q '^glint batch .*three.ppm' copied.txt
xdotool key ctrl+q
ended
finish
