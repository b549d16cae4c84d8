# test_colour.sh: colours of pictures on monitors, whose profile is an option or the desktop's property; what exports clip.
# tests/formats/icc.py made the pictures, and what is to be seen, from the definitions of their colour spaces.
# Values of 8 bits are numbers of a table's first curve, and the grid is exact in light (core/image/display.h). The second
# curve's bend and floats leave less than half a step of 8 bits. The screen rounds, so that a value differs by one at most
# from the rounded one.
source "$(dirname "$0")/lib.sh"
formats=$GLINT_SOURCE_DIR/tests/formats
other=$GLINT_TEST_HELPERS/x_client
display -screen 0 640x480x24
[ "$("$glint" view --quiet --display-profile "$formats/icc-monitor.icc" --list-actions 2>&1 >.out)" = "" ] || {
    run view --quiet --display-profile "$formats/icc-monitor.icc" one.png
    check "no Little CMS: exit status 2" test "$status" = 2
    says '^glint view: --display-profile needs Little CMS'
    finish
    exit
}

# takes NAME PICTURE...: lines that save a draw of each picture, one to one, as NAME-1.png and so on.
takes() {
    local name=$1 i=0
    shift
    echo 'size 400x300'
    echo 'key Tab'
    for picture in "$@"; do
        i=$((i + 1))
        printf '%s\n' "open $picture" 'view 150 100 1' 'frames 2' "screenshot $name-$i.png"
    done
}
# look OPTIONS...: a window that carries out lines of standard input.
look() {
    cat >script.txt
    gives 0 view --quiet --overwrite --script script.txt "$@"
}
# part FILE WIDTH HEIGHT: where the picture lies, as part.png.
part() { run batch --quiet --overwrite "crop=x=150:y=100:width=$2:height=$3" "$1" -o part.png; }
# near FILE EXPECTED WITHIN
near() {
    run batch --quiet --overwrite '' "$2" -o want.png --icc keep --strip
    part "$1" $(head -c 24 "$2" | tail -c 8 | od -An -tu1 | awk '{ print $4, $8 }')
    gives 0 compare part.png want.png --at-most max="$3"
}

# On a monitor that nobody knows, as on one of sRGB: without a profile, values are as they are.
run batch --quiet --strip '' "$formats/icc-plain-monitor.png" -o plain.png
gives 0 batch --quiet '' "$formats/icc-p3.png" -o p3.jpg
LC_ALL=C sed 's/RGB XYZ /Lab XYZ /' p3.jpg >broken.jpg
gives 0 batch --quiet --strip --icc keep '' broken.jpg -o values.png
{
    takes srgb plain.png "$formats/icc-p3.png" "$formats/icc-cicp.png" "$formats/icc-adobe.png" "$formats/icc-eci.png" broken.jpg
    printf '%s\n' "open $formats/icc-p3.png" 'filter flip' 'view 150 100 1' 'frames 2' 'screenshot mirrored.png' \
        'filter' 'view 150 100 3' 'frames 2' 'screenshot thrice.png' \
        'view 150 100 1' 'filter invert' 'key Space' 'frames 2' 'screenshot before.png' 'release Space' quit
} | look
near srgb-1.png plain.png 0
near srgb-2.png "$formats/icc-p3-srgb.png" 1
near srgb-3.png "$formats/icc-p3-srgb.png" 1
near srgb-4.png "$formats/icc-adobe-srgb.png" 1
near srgb-5.png "$formats/icc-eci-srgb.png" 1
near srgb-6.png values.png 0
near before.png "$formats/icc-p3-srgb.png" 1
gives 0 batch --quiet flip "$formats/icc-p3-srgb.png" -o mirror.png
near mirrored.png mirror.png 1
# Magnified, every pixel is a square of the colour that it has at one to one.
run batch --quiet --overwrite crop=x=150:y=100:width=72:height=48 thrice.png -o thrice.ppm
part srgb-2.png 24 16
gives 0 batch --quiet resize=scale=3:by=nearest part.png -o squares.ppm
same thrice.ppm squares.ppm

# Stripes are on values that an export clips: beyond sRGB where it converts to that, else black and white alone.
{
    takes clip "$formats/icc-gamut.png"
    printf '%s\n' zebra 'frames 1' 'screenshot keep.png' 'export-set colours=srgb' 'frames 1' 'screenshot convert.png' quit
} | look
part keep.png 48 16 && cp part.png keep.png
part clip-1.png 48 16 && gives 0 compare part.png keep.png --at-most max=0
for block in 0:0 16:128 32:0; do
    run batch --quiet --overwrite "crop=x=$((150 + ${block%:*})):y=100:width=16:height=16" convert.png -o block.ppm
    striped=$(tail -c 768 block.ppm | od -An -v -tu1 -w3 | grep -c '^ *51 *115 *255$')
    check "of the block at ${block%:*}, $striped pixels are striped, want ${block#*:}" test "$striped" = "${block#*:}"
done

gives 0 batch --quiet --strip '' "$formats/icc-p3.png" -o values.ppm
# On another monitor, by the option: a picture's own colours and sRGB's are converted to it, its own stay.
{
    takes on "$formats/icc-p3.png" "$formats/icc-cicp.png" values.ppm
    printf '%s\n' 'frame saved.png' quit
} | look --display-profile "$formats/icc-monitor.icc"
near on-1.png "$formats/icc-p3-monitor.png" 1
near on-2.png "$formats/icc-p3-monitor.png" 1
near on-3.png "$formats/icc-plain-monitor.png" 1
gives 0 batch --quiet '' saved.png -o saved.ppm
same saved.ppm values.ppm
gives 3 view --quiet --display-profile plain.png
says '^glint: plain.png: this is no ICC profile of a monitor, or it is damaged'

# The desktop's property does the same, also when it changes; a damaged one changes nothing.
"$other" property _ICC_PROFILE "$formats/icc-monitor.icc"
{ takes desktop "$formats/icc-p3.png" && echo quit; } | look
near desktop-1.png "$formats/icc-p3-monitor.png" 1
head -c 200 "$formats/icc-monitor.icc" >damaged.icc
"$other" property _ICC_PROFILE damaged.icc
{ takes damaged "$formats/icc-p3.png" && echo quit; } | look
near damaged-1.png "$formats/icc-p3-srgb.png" 1
command -v xdotool >/dev/null || { echo "xdotool is not installed"; finish; exit; }
{ takes first "$formats/icc-p3.png" && echo 'print shown'; } >script.txt
"$glint" view --quiet --overwrite --script script.txt >live.out 2>.err </dev/null &
viewer=$!
patiently grep -q shown live.out
for profile in "$formats/icc-monitor.icc:monitor" /dev/null:srgb; do
    "$other" property _ICC_PROFILE "${profile%:*}"
    opened 390 290
    xdotool key p
    await glint-window-001.png
    near glint-window-001.png "$formats/icc-p3-${profile##*:}.png" 1
    rm -f glint-window-001.png
done
xdotool key ctrl+q ctrl+q
ended

# Each monitor has a property of its own; that of the one on which most of the window lies counts, wherever it is moved.
kill "$server"
display -screen 0 1280x480x24
"$other" monitors 0 640
"$other" property _ICC_PROFILE_1 "$formats/icc-monitor.icc"
"$glint" view --quiet --overwrite --script script.txt >live.out 2>.err </dev/null &
viewer=$!
patiently grep -q shown live.out
for place in 400:srgb 500:monitor 0:srgb 700:monitor; do
    xdotool search --onlyvisible --name ' - glint$' windowmove --sync %1 "${place%:*}" 0
    opened 390 290
    xdotool key p
    await glint-window-001.png
    near glint-window-001.png "$formats/icc-p3-${place##*:}.png" 1
    rm -f glint-window-001.png
done
xdotool key ctrl+q ctrl+q
ended
finish
