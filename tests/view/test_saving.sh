# test_saving.sh: results saved from the window: their data besides pixels, and names that are taken.
source "$(dirname "$0")/lib.sh"
samples=$GLINT_SOURCE_DIR/tests/formats
display -screen 0 1280x800x24

# The data of the picture's file besides pixels are in the result's, as batch keeps them. samples/metadata.py has them.
for format in png jpg tif webp ppm bmp; do
    script 0 "open $samples/metadata.jpg" 'filter rotate=90,sepia' "save-as saved.$format" quit
    gives 0 batch --quiet rotate=90,sepia "$samples/metadata.jpg" -o "want.$format"
    same "saved.$format" "want.$format"
done
for format in png jpg tif; do
    check "the artist is in the $format" grep -qa 'Somebody of that name' "saved.$format"
done
check "and the packet of XMP" grep -qa 'adobe:ns:meta/' saved.jpg
check "and the comment" grep -qa 'sixty pictures' saved.jpg

# Gain maps go along, and the HDR rendering is what batch makes of them.
gain=$samples/jpeg-gain-plain.jpg chain=rotate=90,gaussian=1
for format in jpg hdr; do
    script 0 "open $gain" "filter $chain" "save-as gain.$format" quit
    gives 0 batch --quiet $chain "$gain" -o "want-gain.$format"
    same "gain.$format" "want-gain.$format"
    script 0 "open $gain" hdr "filter $chain" "save-as light.$format" quit
    gives 0 batch --quiet --hdr $chain "$gain" -o "want-light.$format"
    same "light.$format" "want-light.$format"
done
script 0 "open $gain" hdr hdr "filter $chain" 'save-as again.jpg' quit
same again.jpg want-gain.jpg
script 2 "open $samples/metadata.jpg" hdr

# Exports: batch's files, of all that are open, each with its own name. A second time names get numbers.
picture one.ppm 97 61 1
picture two.ppm 60 90 2
script 0 'open one.ppm' 'open two.ppm' 'filter sepia' 'export-set format=jpg:quality=80:long=40:sharpen=0.5:pictures=unrejected' \
    'export-name out/{stem}-web' export export quit
for name in one two; do
    gives 0 batch --quiet sepia,resize=long=40,sharpen=0.5 $name.ppm --quality 80 -o want.jpg --overwrite
    same out/$name-web.jpg want.jpg
    same out/$name-web-1.jpg want.jpg
done
shown out/one-web.jpg 40 25
shown out/two-web.jpg 27 40
cp "$samples/metadata.jpg" .
script 0 'open metadata.jpg' 'export-set format=png:metadata=none:percent=50' 'export-name bare' 'export-name out/{stem}' export quit
gives 0 batch --quiet resize=scale=0.5 "$samples/metadata.jpg" --strip -o want.png --overwrite
same out/metadata.png want.png

# A figure of the panel is typed where it stands.
script 0 'open one.ppm' 'export-set format=jpg' 'export-name typed' 'export-panel' 'frames 1' 'click 1237 110' 'key 7' 'key 5' \
    'key Return' 'frames 2' export quit
gives 0 batch --quiet --quality 75 "" one.ppm -o typed-want.jpg
same typed.jpg typed-want.jpg

# A preset that the window has saved makes the same file on the command line.
export XDG_CONFIG_HOME=$PWD/own
script 0 'open one.ppm' 'filter sepia' 'export-set format=jpg:quality=70:long=50:folder=made:name={stem}-{{w}}' \
    'save-export-preset small' export quit
cp made/one-{w}.jpg window.jpg
gives 0 batch --quiet --export small sepia one.ppm --overwrite
same made/one-{w}.jpg window.jpg

# An export that replaces, one that skips, one over the file that was opened, a setting that is none, and two that fail.
script 0 'open one.ppm' 'export-set format=png:existing=replace' 'export-name out/metadata' export quit
gives 0 batch --quiet '' one.ppm -o want.png --overwrite
same out/metadata.png want.png
script 0 'open two.ppm' 'export-set format=png:existing=skip' 'export-name out/metadata' export quit
same out/metadata.png want.png
script 2 'open one.ppm' 'export-set format=png:half=1'
says 'export: "half" is no setting of PNG'
script 2 'open one.ppm' 'export-set quality=1000'
script 3 'open one.ppm' 'export-set format=ppm:existing=replace' 'export-name {stem}' export
says "0 of 1 pictures are exported: $PWD/one.ppm: that is a file you opened; choose another name"
script 2 'scene spheres=count=9:seed=3' export
says 'export is for pictures'

# By hand: the panel, and an export by a key.
command -v xdotool >/dev/null || { echo "xdotool is not installed"; finish; }
echo 'export = Ctrl+Shift+X' >keys.txt
"$glint" view --keys keys.txt one.ppm >out.txt 2>.err </dev/null &
viewer=$!
opened 700 400
gives 0 batch --quiet "" one.ppm -o one.png
xdotool key --delay 50 ctrl+shift+s ctrl+shift+x
await one-export.jpg
gives 0 batch --quiet '' one.ppm -o want.jpg --overwrite
same one-export.jpg want.jpg
# The button of the panel is the last thing as wide as that in blue. It asks, since the file is there. Return takes another
# name.
rm -f glint-window-*.png
xdotool key --delay 50 p
await glint-window-001.png
for x in 917 1247; do
    gives 0 batch --quiet --overwrite "crop=1:800:$x:0" glint-window-001.png -o column.ppm
    tail -c 2400 column.ppm | od -An -v -tu1 -w3 >$x.txt
done
y=$(paste 917.txt 1247.txt | awk '{ if ($0 == before) run++
    else { if (run >= 18 && run <= 40 && alike) at = NR - int(run / 2); run = 1 }
    alike = $1 == $4 && $2 == $5 && $3 == $6 && $3 > $1 + 80; before = $0 } END { print at }')
rm -f glint-window-*.png
xdotool mousemove_relative -- 380 $((y - 400)) sleep 0.3 click 1 sleep 0.5 key Return
await one-export-1.jpg
same one-export-1.jpg want.jpg
# A name that is taken: Return gives another one; an arrow and Return replace the file; Esc leaves all as it is.
printf 'no picture' >one-result.png
xdotool key --delay 50 ctrl+s Return sleep 0.5 key Return sleep 0.5 key Return
await one-result-1.png
check "the file stays" grep -q 'no picture' one-result.png
same one-result-1.png one.png
xdotool key --delay 50 ctrl+s Return sleep 0.5 key Escape sleep 0.5
check "the file stays" grep -q 'no picture' one-result.png
xdotool key --delay 50 ctrl+s Return sleep 0.5 key Right Return
replaced() { cmp -s one-result.png one.png; }
patiently replaced
same one-result.png one.png
printf 'no picture' >one-result.png
xdotool key --delay 50 ctrl+s Return sleep 0.5
xdotool key Escape ctrl+q
ended
check "leave is given once" grep -q 'no picture' one-result.png
script 2 'open one.ppm' 'save-as one.ppm'
says 'one.ppm: that is a file you opened; choose another name'
finish
