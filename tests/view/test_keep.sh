# test_keep.sh: edits and the window's state outlast the window: sidecars, the state file, recent files.
source "$(dirname "$0")/lib.sh"
command -v xdotool >/dev/null || { echo "xdotool is not installed"; exit 77; }
picture one.ppm 97 61 1
picture two.ppm 64 40 2
display -screen 0 1280x800x24
export keeps=yes XDG_STATE_HOME=$PWD/state

# kept STATUS LINE...: a script that keeps what a window without a script keeps.
kept() {
    local want=$1
    shift
    printf '%s\n' "$@" quit >script.txt
    gives "$want" view --quiet --overwrite --keep --script script.txt
}

# chains CHAIN...: the chains of the command lines that copy-command has printed.
chains() {
    check "the chains are $*" [ "$(sed -n 's/^glint batch \([^ ]*\) .*/\1/p' .out | tr '\n' ' ')" = "$* " ]
}

# A script keeps nothing by itself, nor does a picture that is only looked at.
script 0 'open one.ppm' 'filter gaussian=3' quit
kept 0 'open one.ppm' 'frames 1'
refute "no sidecar without edits" [ -e one.ppm.glint ]

# Edits come back with their list of changes, for each picture its own. The next one begins without.
kept 0 'open one.ppm' 'filter gaussian=3' 'filter gaussian=3,invert' 'border mirror' 'level naive' 'frame window.ppm' 'rate 4' \
    'open two.ppm' copy-command
chains "''"
check "a sidecar is there" [ -s one.ppm.glint ]
check "it has the rating, which batch passes over" grep -qx 'rating = 4' one.ppm.glint
refute "the other picture has none" [ -e two.ppm.glint ]
kept 0 'open one.ppm' copy-command 'frame again.ppm' undo undo undo copy-command redo copy-command
same again.ppm window.ppm
chains gaussian=3,invert "''" gaussian=3
kept 0 'open one.ppm' copy-command redo redo copy-command 'open two.ppm' 'filter box' 'open one.ppm' copy-command
chains gaussian=3 gaussian=3,invert gaussian=3,invert

# batch applies a sidecar, and a window's --filter takes it, with its border.
mkdir folder
cp one.ppm folder/a.ppm
gives 0 batch @one.ppm.glint folder -o out/ --level naive
same out/a.ppm window.ppm
gives 0 batch gaussian=3,invert one.ppm --border mirror --level naive -o plain.ppm
same plain.ppm window.ppm
gives 0 batch @one.ppm.glint one.ppm -o 'out/{stem}-{chain}.ppm'
printf '%s\n' 'frame filtered.ppm' quit >script.txt
gives 0 view --quiet --overwrite --level naive --filter @one.ppm.glint --script script.txt folder/a.ppm
same filtered.ppm window.ppm
gives 3 batch @none.ppm.glint one.ppm -o never.ppm
says 'none.ppm.glint: '
printf 'glint edits 1\nedit = a\nfilter = gausian\n' >wrong.glint
gives 2 batch @wrong.glint one.ppm -o never.ppm
says 'wrong.glint: chain: column 1: no filter "gausian"; did you mean "gaussian"?'

# Files that are not glint's, are of a newer glint, or cannot be used, stay; so do those that were changed meanwhile.
for text in 'no edits' 'glint edits 9' $'glint edits 1\nedit = a\nfilter = blend=none.png' $'glint edits 1\nedit = a\nfilter = gausian'; do
    printf '%s\n' "$text" >two.ppm.glint
    cp two.ppm.glint before
    kept 0 'open two.ppm' 'filter invert' 'frame other.ppm'
    same two.ppm.glint before
done
rm two.ppm.glint
mkfifo two.ppm.glint
kept 0 'open two.ppm' 'filter invert'
check "a pipe stays" [ -p two.ppm.glint ]
rm two.ppm.glint

# Where nothing can be written next to the picture (its name has no room for an ending), the state's folder has it.
long=$(printf 'a%.0s' $(seq 248)).ppm
cp one.ppm "$long"
kept 0 "open $long" 'filter sharpen'
check "the sidecar is in the state's folder" [ "$(find state/glint/edits -name '*.glint' | wc -l)" = 1 ]
kept 0 "open $long" copy-command
chains sharpen

# Scenes have theirs, too: objects, lamps, the camera, the light and filters come back with the list of changes.
printf 'glint-scene 2\nsphere 0 0 0 9 1 1 1\nsphere 20 0 0 9 1 0 0\n' >a.scene
# scenes TEXT...: the texts of the scenes on the command lines that copy-command has printed.
scenes() {
    check "the scenes are $*" [ "$(sed -n "s/^glint trace \([^ ]*\) .*/\1/p" .out | tr -d "'" | tr '\n' ' ')" = "$* " ]
}
changed='sphere=1:x=7,sphere=2:radius=0,sphere=3:x=4:radius=5,lamp=1:30:strength=3'
kept 0 'open a.scene' 'frames 1'
refute "no sidecar without changes" [ -e a.scene.glint ]
kept 0 'open a.scene' 'change sphere=1:x=7' 'change sphere=2:radius=0' 'change sphere=3:x=4:radius=5' \
    'change lamp=1:x=30:strength=3' 'look normals' 'filter invert' 'look-from orthographic 3 4 0.5' copy-command \
    'frame window.ppm' 'open one.ppm' copy-command 'scene spheres' copy-command
chains gaussian=3,invert
scenes "a.scene,$changed" spheres
check "a sidecar is there" grep -qx 'scene = a.scene' a.scene.glint
kept 0 'open a.scene' copy-command 'frame again.ppm' undo undo undo undo copy-command redo copy-command 'open one.ppm' 'open a.scene' \
    picture-or-scene picture-or-scene copy-command 'open two.ppm' copy-command picture-or-scene redo redo redo copy-command
same again.ppm window.ppm
scenes "a.scene,$changed" a.scene,sphere=1:x=7,sphere=2:radius=0,sphere=3:x=4:radius=5 "a.scene,$changed" "a.scene,$changed" \
    "a.scene,$changed"
chains "''"

# A generated one has no folder: its state is in that of glint, and it is among the recent files once it was changed.
kept 0 'scene spheres=count=5' 'change spheres=count=6' 'change-light seed=9' 'scene packed' copy-command
scenes packed
refute "another scene has its own light" grep -q -- '--seed' .out
check "it is recent" grep -qx 'recent = spheres=count=5' state/glint/state
refute "one that was looked at is not" grep -qx 'recent = packed' state/glint/state
kept 0 'open-recent spheres=count=5' copy-command undo undo copy-command 'scene spheres=count=6' copy-command
scenes spheres=6 spheres=count=5 spheres=count=6
check "its light is kept" grep -q 'light = seed=9' state/glint/edits/*spheres=count=5.glint

# A sidecar that does not fit the scene any more stays, and so does one of another kind; the scene opens without.
printf 'glint edits 1\nscene = a.scene\nedit = a\nfilter = \nchanges = sphere=9:red=1\n' >a.scene.glint
cp a.scene.glint before
kept 0 'open a.scene' copy-command 'change sphere=1:x=2'
scenes a.scene
same a.scene.glint before
rm a.scene.glint

# --no-sidecars neither reads nor writes any.
printf '%s\n' 'open one.ppm' copy-command 'filter median' quit >script.txt
cp one.ppm.glint before
gives 0 view --quiet --keep --no-sidecars --script script.txt
chains "''"
same one.ppm.glint before

# Painted masks are still there.
kept 0 'open one.ppm' 'filter gaussian=9' 'paint-mask' 'stroke 700 300 760 320' 'frames 1' 'frame strokes.ppm'
kept 0 'open one.ppm' 'frame again.ppm'
same again.ppm strokes.ppm

# They stay as long as the sidecar names them; old ones of no sidecar go when a window ends.
painted=$(ls -d state/glint/masks/*)
mkdir state/glint/masks/Unused
cp "$painted"/1.png state/glint/masks/Unused/
find state/glint/masks -exec touch -d '40 days ago' {} +
kept 0 'open one.ppm' 'frame again.ppm'
same again.ppm strokes.ppm
refute "the unused mask is gone" [ -e state/glint/masks/Unused ]

# An export of all gives each picture its own edits, whether it was shown or not, as batch gives it those of its sidecar. A
# picture whose sidecar is damaged fails by itself.
mkdir all
cp one.ppm two.ppm all
cp two.ppm all/three.ppm
kept 0 'open all/one.ppm' 'filter gaussian=3' 'border mirror' 'open all/two.ppm' 'filter sepia' 'paint-mask' 'stroke 700 300 760 320' \
    'frames 1'
kept 0 'open all' 'export-set format=png:pictures=unrejected' 'export-name out/{stem}' export 'open all/two.ppm' 'export-name out/{stem}-again' export
for name in one two; do
    gives 0 batch --quiet --overwrite "@all/$name.ppm.glint" all/$name.ppm -o want.png
    same all/out/$name.png want.png
    same all/out/$name-again.png want.png
done
gives 0 batch --quiet --overwrite '' all/three.ppm -o want.png
same all/out/three.png want.png
refute "the edits differ" cmp -s all/out/two.png all/out/three.png
# A recent file brings along its folder, if that was opened as a whole: three files, and not one.
kept 0 'open all' 'open all/two.ppm' 'frames 1'
kept 0 "open-recent $PWD/all/two.ppm" 'picture 3' 'frames 1'
rm state/glint/state
kept 0 'open all/two.ppm' 'frames 1'
kept 2 "open-recent $PWD/all/two.ppm" 'picture 3'
echo 'no edits' >all/three.ppm.glint
kept 3 'open all/one.ppm' 'open all' 'export-set format=png:pictures=unrejected:existing=replace' 'export-name out/{stem}' export
says '2 of 3 pictures are exported: all/three.ppm.glint: '

# By hand: what was changed a second ago survives a kill; the window comes back as it was, with its files.
begin() {
    rm -f script.txt
    last="glint view $*"
    "$glint" view "$@" >.out 2>.err </dev/null &
    viewer=$!
    opened 700 400
}
rm -rf state *.glint
begin --size 1000x700 --filter gaussian=5 two.ppm
xdotool key bracketright key bracketright key F8 sleep 0.3 type light
xdotool key Return
patiently [ -s two.ppm.glint ] || complain "no sidecar is written"
patiently grep -qsx "recent = $PWD/two.ppm" state/glint/state || complain "no state is written"
patiently grep -qsx 'theme = light' state/glint/state || complain "no theme is written"
kill -9 "$(pgrep -P $viewer)"
wait $viewer 2>/dev/null
begin
xdotool key ctrl+shift+o sleep 1 key Return sleep 1 key c sleep 0.3 key p
await glint-window-001.png
xdotool key ctrl+q
ended
chains gaussian=5.2
shown glint-window-001.png 1000 700
check "the theme is kept" grep -qx 'theme = light' state/glint/state
check "the file is kept" grep -qx "recent = $PWD/two.ppm" state/glint/state

# A scene's changes survive a kill, too, and quitting asks about none of them.
begin --size 1000x700 a.scene
xdotool key ctrl+shift+c sleep 0.3 type sphere=1:red=0.5
xdotool key Return
patiently [ -s a.scene.glint ] || complain "no sidecar of the scene is written"
kill -9 "$(pgrep -P $viewer)"
wait $viewer 2>/dev/null
begin a.scene
xdotool key c sleep 0.3 key ctrl+q
ended
scenes a.scene,sphere=1:0.5

# A state that is of a newer glint is left alone.
echo 'glint state 7' >state/glint/state
kept 0 'open one.ppm' 'theme light'
check "it stays" [ "$(cat state/glint/state)" = 'glint state 7' ]
finish
