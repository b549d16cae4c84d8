# test_playing.sh: frames of particles in the window: steps, places between, playing, and the slider. Each is what trace
# makes of the command line.
source "$(dirname "$0")/lib.sh"
display -screen 0 1280x800x24
cp "$GLINT_SOURCE_DIR"/tests/particles/{run.dump,slab.xyz} .

# again FRAME: the last line printed, carried out, makes the same picture.
again() {
    local line
    line=$(grep '^glint trace' .out | tail -n 1)
    sh -c "${line/#glint/$glint} --quiet --overwrite" || complain "$line: fails"
    same out.png "$1"
}

view=('size 200x160' 'scene run.dump:radius=mass')
script 0 "${view[@]}" 'next-frame' 'frame two.png' 'copy-command' quit
check "it is frame 2" grep -q 'run.dump:frame=2:radius=mass' .out
again two.png
script 0 "${view[@]}" 'frame one.png' 'go-to-frame 2.5' 'frame half.png' 'copy-command' quit
again half.png
refute "it moves" cmp -s one.png half.png
script 0 "${view[@]}" 'previous-frame' 'frame last.png' 'copy-command' 'next-frame' 'frame first.png' 'undo' 'frame back.png' quit
check "before the first comes the last" grep -q 'frame=4' .out
same first.png one.png
same back.png last.png
script 0 "${view[@]}" 'change sphere=4:red=1:green=0:blue=0' 'next-frame' 'copy-command' 'frame changed.png' quit
check "changes stay" grep -q 'run.dump:frame=2:radius=mass,sphere=4' .out
again changed.png

# Played, it goes on and comes round; between frames, too.
# places: how many different frames the printed lines have.
places() { grep -oE "$1(:frame=[0-9.]+)?" .out | sort -u | wc -l; }
steps=('wait 0.25' 'copy-command' 'wait 0.25' 'copy-command' 'wait 0.35' 'copy-command' 'wait 0.15' 'copy-command')
script 0 "${view[@]}" 'motion' "${steps[@]}" 'motion' 'frame stops.png' 'copy-command' quit
check "it plays" [ "$(places run.dump)" -ge 2 ]
again stops.png

# All that was played is one step back, to the edit before.
script 0 "${view[@]}" 'filter invert' 'motion' 'wait 1' 'motion' 'undo' 'copy-command' 'undo' 'copy-command' quit
check "frames that were played are one edit" [ "$(grep -oE 'run.dump[^ ]*|invert' .out | tr '\n' ' ')" = \
    'run.dump:radius=mass invert run.dump:radius=mass ' ]
script 0 'size 200x160' 'scene slab.xyz' 'between-frames' 'motion' "${steps[@]}" 'motion' quit
check "between frames" grep -qE 'slab.xyz:frame=[12][.][0-9]' .out

# The slider; and a scene without frames has none.
script 0 'size 900x700' 'scene run.dump:radius=mass' 'frames 2' 'drag frame 5 95 8' 'copy-command' 'screenshot shown.png' quit
check "the slider goes to a frame" grep -q 'run.dump:frame=4' .out
script 2 'scene spheres' 'go-to-frame 2'
says 'the shown scene has no frames'
script 2 "${view[@]}" 'go-to-frame two'
says 'want a number from 1 to 4'

# A damaged frame is said, and the one before stays.
sed 's/^20 2 [^ ]*/20 2 oops/' run.dump >bad.dump
{ sed '/^ITEM: TIMESTEP/,$!d' run.dump | sed -n '1,18p'; sed -n '19,$p' bad.dump; } >half.dump
script 3 'size 200x160' 'scene half.dump:radius=mass' 'next-frame'
says 'frame 2: half.dump:[0-9]+:6: "oops", want x, a number'
finish
