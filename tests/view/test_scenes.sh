# test_scenes.sh: a scene is changed in the window, by hand and by script. The window shows the picture that trace makes
# of the command line.
source "$(dirname "$0")/lib.sh"
display -screen 0 1280x800x24

# again FRAME: the last line printed, carried out, makes the same picture.
again() {
    local line
    line=$(grep '^glint trace' .out | tail -n 1)
    sh -c "${line/#glint/$glint} --quiet --overwrite" || complain "$line: fails"
    same out.png "$1"
}

# Surfaces, light, camera and gathering; undone, and done again.
script 0 'size 160x120' 'scene spheres=count=9:seed=3' 'camera' 'look paths' 'change-light samples=8:depth=3:seed=5' \
    'change sphere=5:red=1:material=metal:roughness=0.3,sun=azimuth=140:altitude=15:strength=6' \
    'change-camera angle=30:lens=20:focus=1200' 'change spheres=count=12' 'undo' 'frame a.png' 'copy-command' quit
again a.png
gives 0 trace --quiet spheres=count=9:seed=3 --size 160x120 --look paths --samples 8 -o plain.png
refute "changes are seen" cmp -s a.png plain.png
script 2 'scene spheres=count=9:seed=3' 'change sphere=10:red=1'
says 'script.txt:2: sphere 10: there are 9; one that has a radius is new$'
script 2 'scene spheres=count=9:seed=3' 'change cube=1:red=1'
says 'no "cube" in scenes to be changed'
script 2 'scene spheres=count=9:seed=3' 'change-camera wide=1'
says 'no parameter "wide"'

# A picture that waits for its samples has as many as a trace with that number, of a view that has fewer or more.
fixed=('size 160x120' 'scene spheres=count=9:seed=3' 'camera' 'change-camera angle=30' 'look paths') # it follows no panels
script 0 "${fixed[@]}" 'change-light samples=30' 'frame more.png' 'save-after 7 seven.png' 'copy-command' quit
again seven.png
script 0 "${fixed[@]}" 'save-after 40 forty.png' 'copy-command' quit
again forty.png
script 2 'scene spheres=count=9:seed=3' 'save-after 7 seven.png'
says 'the look classic has no samples to wait for'

# A folder of scenes is opened as one of pictures is; others of its files are left out.
mkdir folder
printf 'glint-scene 2\nsphere 500 0 0 300 1 0 0\n' >folder/one.scene
printf '2\nwater\nO 0 0 0\nH 0 0 1\n' >folder/two.xyz
echo text >folder/three.txt
printf '%s\n' 'size 160x120' 'next-picture' 'copy-command' 'next-picture' 'copy-command' quit >script.txt
gives 0 view --quiet --script script.txt folder
check "the next is the other one" [ "$(grep -o 'folder/[a-z.]*' .out | tr '\n' ' ')" = "folder/two.xyz folder/one.scene " ]
mkdir texts && mv folder/three.txt texts
gives 3 view --quiet --script script.txt texts
says 'texts: no pictures or scenes in this folder'

# By the mouse: a clicked object is told, its slider changes it, a drag is one edit, and the sun follows a drag.
script 0 'size 700x500' 'scene spheres=count=1:seed=3:minimum=300:maximum=300' 'camera' 'fit' 'frames 2' 'screenshot before.png' \
    'click 530 260' 'frames 3' 'screenshot picked.png' 'drag red 20 90 8' 'copy-command' 'undo' 'copy-command' quit
refute "what is picked is shown" cmp -s before.png picked.png
check "the slider changes the surface" grep -q 'sphere=1:' .out
check "one undo takes the drag back" [ "$(tail -n 1 .out | grep -c 'sphere=1:')" -eq 0 ]
script 0 'size 700x500' 'scene spheres=count=9:seed=3' 'look paths' 'frames 1' 'fold filter' 'frames 1' 'fold scene' 'frames 1' 'fold sun' 'frames 2' 'drag altitude 50 90 4' 'copy-command' quit
check "the sun is moved" grep -q 'spheres=count=9:seed=3,sun=altitude=' .out

# Spheres and lamps: a click and a drag move one, Delete removes it, and actions add some. Half of the picture's height,
# 250 pixels, is 10 where the sphere is: 50 pixels are 2.
printf 'glint-scene 2\ncamera 0 0 10 0 0 0 0 1 0 90\nlight sun 0 1 0 3 3 3\nsphere 0 0 0 5 1 1 1\n' >objects.scene
script 0 'size 700x500' 'scene objects.scene' 'change-light samples=1' 'frames 1' 'click 400 250' 'stroke 400 250 450 225' \
    'copy-command' 'key Delete' 'copy-command' 'undo' 'undo' 'copy-command' 'add-sphere' 'add-lamp' 'frame o.png' 'copy-command' quit
check "the drag moves it" grep -q 'objects.scene,sphere=1:x=2:1:0 ' .out
check "Delete removes it" grep -q 'objects.scene,sphere=1:x=2:1:0:0 ' .out
check "both are undone" grep -q 'objects.scene -o' .out
again o.png

# Cameras are kept under names. A film along them begins with the first and ends with the last, and the camera is then
# where it was.
script 0 'size 160x120' 'scene objects.scene' 'change-light samples=1' 'change-tone exposure=-1' 'frame k1.png' 'keep-camera' \
    'change-camera angle=60:x=9:y=2:z=4:to_x=0:to_y=0:to_z=0' 'frame k2.png' 'keep-camera right' \
    'change-camera angle=60:x=0:y=3:z=20:to_x=0:to_y=0:to_z=0' 'frame k3.png' 'film-cameras 0.2 kept/' 'frame k4.png' \
    'go-to-camera 1' 'frame k5.png' quit
check "five pictures, 25 a second" [ "$(ls kept | wc -l)" -eq 5 ]
for pair in 'kept/frame-000001 k1' 'kept/frame-000005 k2'; do
    gives 0 batch --quiet --overwrite '' "${pair% *}.png" -o film.ppm
    gives 0 batch --quiet --overwrite '' "${pair#* }.png" -o frame.ppm
    same film.ppm frame.ppm
done
same k3.png k4.png
same k1.png k5.png

# The exposure has a slider, in stops, whose middle is 0, and the command line has the factor.
script 0 'size 700x500' 'scene spheres=count=9:seed=3' 'look paths' 'frames 2' 'fold scene' 'frames 1' 'drag exposure 50 75 4' 'copy-command' \
    'change-tone exposure=-1' 'copy-command' quit
check "the slider exposes" [ "$(sed -n 's/.*--exposure \([0-9.]*\).*/\1/p' .out | awk '{ print ($1 > 3 && $1 < 6) }' | head -n 1)" = 1 ]
check "and the command" grep -q -e '--exposure 0.5$' .out
# Float pictures have one exposure and one gamma; others have them once they are not as they were.
printf 'PF\n4 4\n-1.0\n' >float.pfm
head -c 192 /dev/zero >>float.pfm
picture byte.ppm 40 40 1
script 0 'size 700x500' 'open float.pfm' 'frames 2' 'drag gamma 50 60 2' 'drag exposure 50 60 2' 'frames 1' quit
script 2 'size 700x500' 'open byte.ppm' 'frames 2' 'drag gamma 50 60 2'
script 2 'open byte.ppm' 'change-tone contrast=2'
says 'no parameter "contrast"'

# An image as sky is turned, also in the saved file.
picture sky.ppm 64 32 5
printf 'glint-scene 2\nsky image "sky.ppm"\nsphere 0 0 0 2 1 1 1\ncamera 0 1 9 0 0 0 0 1 0 40\n' >globe.scene
script 0 'size 160x120' 'scene globe.scene' 'change-light samples=4' 'frame s0.png' 'change environment=azimuth=75' 'frame s1.png' \
    'copy-command' 'save-scene turned.scene' 'scene turned.scene' 'change-light samples=4' 'frame s2.png' quit
refute "the sky is turned" cmp -s s0.png s1.png
same s1.png s2.png
again s1.png
check "the file has the turn" grep -q 'sky.ppm" 75$' turned.scene

# Bodies attract each other while motion is on. A slider of gravity lets them go on from where they are, and opening the
# scene again puts them back.
script 0 'size 160x120' 'scene plummer=200' 'frame p0.png' 'motion' 'frames 5' 'motion' 'frame p1.png' \
    'change gravity=theta=0.2' 'frame p2.png' 'copy-command' 'key F5' 'frames 2' 'frame p3.png' quit
refute "bodies move" cmp -s p0.png p1.png
same p1.png p2.png
refute "and are where they began again" cmp -s p3.png p1.png
check "gravity is in the command line" grep -q 'plummer=200,gravity=0.2 ' .out

# Filters act on the traced picture, as trace --filter has them: one by one, undone, behind light and behind the filter
# that denoises it.
script 0 'size 160x120' 'scene spheres=count=9:seed=3' 'add gaussian' 'set sigma=2.5' 'duplicate-filter' 'add sharpen' 'switch-filter' \
    'border mirror' 'remove-filter' 'undo' 'switch-filter' 'more' 'frame f0.png' 'copy-command' quit
again f0.png
check "the chain is in the command line" grep -q -e '--filter gaussian=2.5,gaussian=2.5,sharpen=[0-9.]* .*--border mirror' .out
script 0 'size 160x120' 'filter median=2,gaussian=1,difference' 'scene packed=30' 'change-light samples=8' 'frame f1.png' \
    'copy-command' 'denoise' 'frame f2.png' 'timings filtered.json' quit
again f1.png
refute "noise is taken away before" cmp -s f1.png f2.png
jq -c . filtered.json >filtered.line
# Whether the level of gaussian takes in the points behind it goes by predictions.
json '[.spans[].name] - ["difference", "download", "present", "draw", "overlay", "swap"] == ["trace", "surfaces", "denoise", "tone", "median", "gaussian"]' filtered.line
json '.chain == "median=2,gaussian=1,difference"' filtered.line

# The unfiltered picture fills the window while its key is held. The split and the difference compare with it.
script 0 'size 300x200' 'scene spheres=count=9:seed=3' 'key r' 'overlay' 'frames 1' 'screenshot bare.png' 'filter gaussian=4' \
    'frames 1' 'screenshot soft.png' 'key \' 'frames 1' 'screenshot held.png' 'release \' 'frames 1' 'screenshot let-go.png' \
    'key |' 'split-at 1' 'frames 1' 'screenshot left.png' 'key /' 'worst-pixel' 'frames 1' 'screenshot heat.png' 'flicker' 'side-by-side' \
    'frames 1' 'screenshot sides.png' 'key K' 'filter sobel' 'frames 1' 'screenshot kept.png' quit
gives 0 batch --quiet crop=300:120:0:0 bare.png held.png -o top/ # what stands there says that it is unfiltered
same top/held.png top/bare.png
same let-go.png soft.png
refute "the filter is seen" cmp -s soft.png bare.png
refute "the split shows what is unfiltered" cmp -s left.png soft.png
for name in heat sides kept; do
    shown $name.png 300 200
done

# A session with filters on a scene, and sliders on them, replays to the same pixels.
script 0 'size 700x500' 'scene spheres=count=9:seed=3' 'record-session' 'filter gaussian=2,sharpen' 'frames 1' 'drag sigma 20 50 4' 'key ;' \
    'key Delete' 'frames 1' 'key |' 'frames 1' 'frame once.ppm' quit
grep -v -e '^quit' -e '^frame ' glint-session-001.script >replay.script
printf '%s\n' 'frame replayed.ppm' copy-command quit >>replay.script
gives 0 batch --quiet '' once.ppm -o once.png
gives 0 view --quiet --overwrite --script replay.script
same replayed.ppm once.ppm
check "the slider has moved it" grep -q '^filter gaussian=[0-9.]*,sharpen$' replay.script
again once.png

# A scene that is saved is the same without its changes behind its name.
script 0 'size 160x120' 'scene packed=30,sphere=3:red=0,sun=altitude=10' 'save-scene saved.scene' 'change-light samples=4' \
    'frame b.png' 'scene saved.scene' 'change-light samples=4' 'frame c.png' 'copy-command' quit
same b.png c.png
again c.png
check "the file has no changes" grep -q 'glint trace saved.scene' .out

command -v xdotool >/dev/null || { echo "xdotool is not installed"; finish; exit; }
# Keys that are held walk on; let go, they stop. A drag with Shift and Ctrl moves the sun.
"$glint" view spheres=count=9:seed=3 >walk.out 2>.err </dev/null &
viewer=$!
opened 700 500
id=$(xdotool search --onlyvisible --name ' - glint$') # Esc ends a menu whose submenu the pointer has opened, with it
xdotool mousemove --window "$id" 382 12 sleep 0.3 click 1 sleep 0.5 mousemove --window "$id" 400 100 sleep 0.2 \
    mousemove --window "$id" 430 138 sleep 0.5 key Escape sleep 0.5 key Escape mousemove --window "$id" 700 500 sleep 0.3
xdotool key v c
sleep 1
xdotool keydown w sleep 0.6 keyup w sleep 0.5 key c sleep 0.7 key c
sleep 0.5
xdotool keydown shift keydown ctrl mousedown 1 mousemove_relative -- 60 -40 sleep 0.2 mouseup 1 keyup ctrl keyup shift sleep 0.5 key c
sleep 1
xdotool key ctrl+q ctrl+q
ended
camera() { sed -n "$1s/.*--camera \([^ ]*\).*/\1/p" walk.out; }
check "w walks" [ "$(camera 1)" != "$(camera 2)" ]
check "and stops" [ "$(camera 2)" = "$(camera 3)" ]
check "the sun follows the hand" grep -q ',sun=' walk.out

# Over an image it turns that.
"$glint" view globe.scene >sky.out 2>.err </dev/null &
viewer=$!
opened 700 500
xdotool keydown shift keydown ctrl mousedown 1 mousemove_relative -- 80 0 sleep 0.2 mouseup 1 keyup ctrl keyup shift sleep 0.5 key c
sleep 1
xdotool key ctrl+z sleep 0.5 key c sleep 0.5
xdotool key ctrl+q ctrl+q
ended
check "the sky follows the hand" grep -q 'globe.scene,environment=18 ' sky.out
check "one undo takes it back" grep -q 'globe.scene -o' sky.out
finish
