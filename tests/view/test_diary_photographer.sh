# test_diary_photographer.sh: twelve goals of a person with three photographs, and the next day, by at most 30 keys and clicks.
source "$(dirname "$0")/diary.sh"
display -screen 0 1280x800x24
rest="820 560" # above the strip
photo=$GLINT_SOURCE_DIR/assets/photo.jpg
mkdir camera
gives 0 batch --quiet rotate=1.5:inside,resize=240:180 "$photo" -o camera/DSC_1.jpg
gives 0 batch --quiet resize=200:150 "$photo" -o camera/DSC_2.jpg
gives 0 batch --quiet rotate=90,resize=180:240 "$photo" -o camera/DSC_3.jpg
first=camera/DSC_1.jpg

# The first steps name the key; then the folder, by its first letter.
begin
press ctrl+o c Tab Return
title() { xdotool getwindowname "$id" | grep -q "$1"; }
goal "open a folder" title DSC_1.jpg

# Pixels of the window are those of the picture, which stands in the middle of its area.
zoomed() {
    shoot shown.png
    part shown.png 200:150:723:253 shown.ppm
    part $first 200:150:20:15 want.ppm
    cmp -s shown.ppm want.ppm
}
press r
goal "look at 100 %" zoomed

click 168 135
goal "less noise" has $first '^nlmeans'
click 226 135
goal "sharper" has $first ',unsharp'

# The line lies as the picture does: 6 pixels down on 220 are 1.56 degrees.
click 105 135
drag 712 320 932 326
goal "straight" has $first ',rotate=-1\.5[0-9]*:inside'

click 45 135
patiently has $first ',crop='
click 714 80
goal "3:2" has $first ',crop=.*:1\.5$'

click 292 135
goal "lighter shadows" has $first ',shadows[^,]*$'

click 178 157
click 52 157
goal "a vignette, and warm" has $first ',vignette,temperature=7600$'

# Space shows the original where the result stands, turned as that, and the original alone: no filter of colours.
edits() { run batch --quiet --overwrite "$1" $first -o "${@:2}"; }
seen() {
    shoot shown.png
    part shown.png 231:154:707:251 "$1"
}
is_result() {
    seen after.ppm
    cmp -s after.ppm want.ppm
}
edits "$(chain_of $first)" want.ppm
goal "the window shows what batch makes" is_result
edits "$(chain_of $first | sed 's/nlmeans[^,]*,unsharp,\(.*\),shadows.*/\1/')" original.ppm
hands=$((hands + 1))
xdotool keydown space
seen before.ppm
xdotool keyup space
before_and_after() { like before.ppm original.ppm psnr=30 && ! like after.ppm original.ppm psnr=25; }
goal "before and after" before_and_after

# The last change is undone.
press ctrl+z
goal "without the warmth" has $first ',vignette$'
edits "$(chain_of $first)" want.ppm

# The other two get the same.
press ctrl+a ctrl+shift+c ctrl+shift+v
others() { has camera/DSC_2.jpg ',vignette$' && has camera/DSC_3.jpg ',vignette$'; }
goal "the same on the other two" others

# listed: waits for an open list, which takes all keys meanwhile.
listed() { xdotool sleep 1; }

# All three as JPEGs of quality 90, by the slider; then as TIFFs of 16 bits.
press ctrl+shift+s
drawn
click 1240 429
listed
click 1000 483
drawn
click 1163 110
drawn
click 1080 551
# exported EXTENSION OPTION...: the three files are those that batch makes of the sidecars.
exported() {
    local number extension=$1
    shift
    for number in 1 2 3; do
        run batch --quiet --overwrite "$(chain_of camera/DSC_$number.jpg)" camera/DSC_$number.jpg -o "want.$extension" "$@"
        cmp -s "want.$extension" "camera/DSC_$number-export.$extension" || return 1
    done
}
goal "all as JPEG of quality 90" exported jpg --quality 90
click 1240 80
listed
click 1000 156
drawn
click 1240 139
listed
click 1000 214
drawn
click 1080 435
goal "and as TIFF of 16 bits" exported tiff --bits 16
at_most 30

# The next day: the first steps name the picture, which has its edits.
press ctrl+q
ended
begin
drawn
click 820 264
edited() {
    xdotool key c
    sleep 0.3
    grep -q 'batch .*,vignette.* .*DSC_1.jpg' out.txt
}
goal "tomorrow" edited
drawn
press ctrl+q
ended
finish
