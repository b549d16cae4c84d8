# test_figure_look.sh: the look "figure" in the window: what it shows is what the copied command makes, to the last byte.
source "$(dirname "$0")/lib.sh"
display -screen 0 1280x800x24
cp "$GLINT_SOURCE_DIR"/tests/particles/run.dump .
printf 'glint-scene 2\ncamera 0 3 10  0 0.5 0  0 1 0  40\nsphere 0 1 0 1  0.9 0.4 0.1\ntriangle -2 0 -1  2 0 -1  0 2 -1  0.2 0.6 0.9\n' >one.scene

# again FRAME: the last line printed, carried out, makes the same picture.
again() {
    local line
    line=$(grep '^glint trace' .out | tail -n 1)
    sh -c "${line/#glint/$glint} --quiet --overwrite" || complain "$line: fails"
    same out.png "$1"
}
begin=('size 160x120' 'scene one.scene' 'look figure' 'change-light samples=8')
script 0 "${begin[@]}" 'frame white.png' 'copy-command' quit
again white.png
check "the look is in the command" grep -q -- '--look figure --samples' .out
script 0 "${begin[@]}" 'change-figure background=none:outline=2:cue=0.5:shadow=1' 'frame clear.png' 'copy-command' quit
again clear.png
check "and how it is drawn" grep -q -- '--background none --outline 2 --cue 0.5 --shadow' .out
script 0 "${begin[@]}" 'change-figure background=none' 'filter gaussian=2' 'frame soft.png' 'copy-command' quit
again soft.png
refute "the background is none" cmp -s white.png clear.png

# Another camera turns the key; lines alone take no new light.
script 0 "${begin[@]}" 'frame a.png' 'change-camera x=6:z=6' 'change-figure outline=1' 'frame b.png' 'copy-command' quit
again b.png
script 0 "${begin[@]}" 'change-figure outline=3' 'frame c.png' 'change-figure shadow=1' 'frame shadow.png' 'undo' 'frame e.png' \
    'change-figure outline=0' 'frame d.png' quit
same d.png white.png
same e.png c.png
refute "the shadow was seen" cmp -s shadow.png c.png
refute "lines are seen" cmp -s c.png d.png

# Particles have words; they go through frames, and back.
dump='run.dump:radius=mass:color=mass:range=1:3'
script 0 'size 160x120' "scene $dump" 'look figure' 'change-light samples=4' 'change-figure box=1:axes=1:bar=1' 'go-to-frame 2' \
    'frame two.png' 'copy-command' 'go-to-frame 2.5' 'frame half.png' 'copy-command' quit
again half.png
refute "the frame moves them" cmp -s two.png half.png
check "the place is in the command" grep -q 'frame=2.5' .out
sed -i '/frame=2.5/d' .out
again two.png
script 2 'scene one.scene' 'look figure' 'change-figure bar=1'
says 'color=COLUMN'
script 2 'scene one.scene' 'look figures'
says 'no look "figures"; there is .*paths, figure'

# The panel's rows do the same.
script 0 'size 700x640' 'scene one.scene' 'look figure' 'change-light samples=1' 'frames 1' 'fold filter' 'frames 1' 'fold scene' 'frames 1' 'fold light' 'frames 2' 'drag outline 20 60 2' 'copy-command' quit
check "a slider draws lines" grep -q -- '--outline' .out
finish
