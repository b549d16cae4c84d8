# test_record.sh: recordings: a folder, an animated PNG, and the pictures that ffmpeg gets. There are as many pictures
# as were drawn, each as the window was. The split shows before and after. ffmpeg is a script here.
source "$(dirname "$0")/lib.sh"
picture one.ppm 97 61 1
mkdir screen
display -screen 0 1280x800x24 -fbdir "$work/screen"

# same_pixels FILE FILE: whatever the formats.
same_pixels() {
    run batch --quiet --overwrite '' "$1" -o first.ppm
    run batch --quiet --overwrite '' "$2" -o second.ppm
    same first.ppm second.ppm
}

# By a script each draw is a picture.
script 0 'size 400x300' 'overlay' 'open one.ppm' 'filter gaussian=2' 'wait 0.1' 'screenshot first.png' 'record film/' 'frames 3' \
    'filter invert' 'frames 2' 'stop-recording' quit
script 0 'size 400x300' 'overlay' 'open one.ppm' 'filter invert' 'screenshot last.png' quit
holds film frame-00000{1,2,3,4,5}.png
for pair in 1:first 3:first 4:last 5:last; do
    same_pixels film/frame-00000${pair%:*}.png ${pair#*:}.png
done
script 2 'open one.ppm' 'record film' # no folder, and no extension
says 'want a FOLDER/'
printf '%s\n' 'open one.ppm' 'record film/' 'frames 1' quit >script.txt
gives 2 view --quiet --script script.txt
says 'film/frame-000001.png'
script 2 'open one.ppm' 'record other/' 'record another/'
says 'a recording goes on already'
for path in nosuch/film.apng nosuch/film.mp4; do # before anything is drawn, not when it ends
    script 4 'open one.ppm' "record $path" 'frames 1' 'print it goes on'
    says "$path: cannot be written"
    refute "it ends there" grep -q 'it goes on' .out
done
script 2 'open one.ppm' 'stop-recording'
says 'no recording is under way'
holds other # and no picture, for none was drawn

# A folder that goes is an error at once, not when the recording ends; of a hand, the window says so and goes on.
mkdir gone
(until grep -qs now .out; do sleep 0.05; done; rm -r gone) &
script 4 'size 200x150' 'open one.ppm' 'filter gaussian=2' 'record gone/film.apng' 'frames 2' 'print now' 'frames 2000' 'print it goes on'
says 'script.txt:7: gone/: '
refute "it ends there" grep -q 'it goes on' .out
wait $! # the folder's

# An animated PNG, whose frames others read as well. Parts replace the earlier pixels.
script 0 'size 400x300' 'overlay' 'open one.ppm' 'filter gaussian=2' 'wait 0.1' 'record film.apng' 'frames 3' 'filter invert' \
    'frames 2' 'stop-recording' 'split-at 0.5' 'before-and-after wipe.apng' quit
check "five pictures" [ "$(grep -ao fcTL film.apng | wc -l)" -eq 5 ]
check "three seconds" [ "$(grep -ao fcTL wipe.apng | wc -l)" -eq 75 ]
if command -v python3 >/dev/null; then
    last="python3"
    check "film.apng is an animation" python3 "$(dirname "$0")/../helpers/apng.py" film.apng film 1 3 4 5 2>.err
    same_pixels film-1.ppm first.png
    same_pixels film-3.ppm first.png
    same_pixels film-5.ppm last.png
    check "wipe.apng is an animation" python3 "$(dirname "$0")/../helpers/apng.py" wipe.apng wipe 1 38 2>.err
    refute "before is not after" cmp -s wipe-1.ppm wipe-38.ppm
fi

# ffmpeg gets the pictures as they are, at this rate and of this size; its file gets its name at the end.
mkdir bin
cat >bin/ffmpeg <<'END'
#!/bin/bash
echo "$*" >arguments.txt
for last; do :; done
[ ! -e kills ] || { head -c 1000 >/dev/null; kill -KILL $PPID; }
cat >"$last"
[ ! -e fails ]
END
chmod +x bin/ffmpeg
usual=$PATH
export PATH=$PWD/bin:$PATH
printf '%s\n' 'size 400x300' 'overlay' 'open one.ppm' 'filter gaussian=2' 'wait 0.1' 'record film.mp4' 'frames 3' 'size 200x100' 'frames 1' \
    'wait 0.1' quit >script.txt
gives 0 view --quiet --rate 30 --script script.txt
check "the size and rate" grep -q -- '-s 400x300 -framerate 30 ' arguments.txt
{ printf 'P6\n400 300\n255\n' && head -c 360000 film.mp4; } >frame.ppm
check "three pictures" [ "$(wc -c <film.mp4)" -eq $((3 * 360000)) ]
same_pixels frame.ppm first.png
gives 2 view --quiet --script script.txt
says 'film.mp4'
touch fails
printf '%s\n' 'open one.ppm' 'frames 2' quit >script.txt
gives 4 view --quiet --overwrite --record other.mp4 --script script.txt
says 'other.mp4: ffmpeg failed \(status 1\)'
check "nothing is left of it" [ -z "$(ls -A | grep other.mp4)" ]
rm fails
mkdir fresh # names are glint's affair: ffmpeg would take some for protocols, and others may have been planted
script 0 'open one.ppm' 'record fresh/concat:x.MKV' 'frames 1' 'stop-recording' quit
holds fresh concat:x.MKV
check "ffmpeg gets no name" grep -q -- ' -f matroska /proc/self/fd/3$' arguments.txt
ln -s ../precious.mp4 fresh/link.mp4
echo precious >precious.mp4
printf '%s\n' 'open one.ppm' 'record fresh/link.mp4' 'frames 1' quit >script.txt
gives 2 view --quiet --script script.txt
says 'fresh/link.mp4 exists'
check "it is as it was" grep -q precious precious.mp4
touch kills
printf '%s\n' 'open one.ppm' 'frames 1000' quit >script.txt
gives 137 view --quiet --record fresh/killed.mp4 --script script.txt
while pgrep -f 'ffmpeg .*-f mp4 /proc/self/fd/3' >/dev/null; do sleep 0.05; done
holds fresh concat:x.MKV link.mp4
rm kills
export PATH=$usual
if ! command -v ffmpeg >/dev/null; then
    gives 4 view --quiet --record third.mp4 --script script.txt
    says 'third.mp4: no ffmpeg'
fi

# By hand it goes by the clock: a still window is many pictures.
command -v xdotool >/dev/null || { echo "xdotool is not installed"; finish; }
last="glint view --record hand/"
"$glint" view --quiet --rate 10 --record hand/ one.ppm >/dev/null 2>.err </dev/null &
viewer=$!
window=$(timeout 300 xdotool search --sync --onlyvisible --name ' - glint$')
xdotool mousemove --window "$window" 700 500 key a

# red FILE PIXEL: how many pixels have the colour of the sign's dot.
red() {
    LC_ALL=C grep -ao "$2" "$1" | wc -l
}
# The window says that it is recorded, and for how long, on a screen where nothing else happens. The film does not.
recorded() {
    xdotool getwindowname "$window" | grep -Eq "^REC 0:($1) - one.ppm - glint\$" &&
        [ "$(red screen/Xvfb_screen0 $'\x28\x28\xe6')" -ge 20 ]
}
check "the sign goes on" patiently recorded '0[2-9]|[1-5].'
xdotool key s ctrl+q
ended
run batch --quiet --overwrite '' "hand/$(ls hand | tail -n 1)" -o last.ppm
check "the film has no sign" [ "$(red last.ppm $'\xe6\x28\x28')" -eq 0 ]
count=$(ls hand | wc -l)
check "two seconds and a little: $count" [ "$count" -ge 20 -a "$count" -lt 100 ]
shown hand/frame-000010.png 1280 800
gives 2 view --rate 0 one.ppm
says '--rate is "0", want a whole number from 1 to 240'
finish
