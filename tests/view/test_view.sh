# test_view.sh: glint view on a virtual display: by script and by key events of a keyboard. It saves the files that
# batch and trace write, byte for byte.
source "$(dirname "$0")/lib.sh"

picture one.ppm 97 61 1
picture two.ppm 64 80 2
gives 0 batch --quiet grayscale two.ppm -o gray.pgm

# Without a display: one sentence, before freeglut has its say.
gives 4 view one.ppm
says '^glint: view: there is no display \(DISPLAY is not set\)'
DISPLAY=:987 gives 4 view one.ppm
says '^glint: view: the display :987 cannot be opened'
gives 3 view missing.png
says 'missing.png'
gives 2 view --filter gausian one.ppm
says 'did you mean "gaussian"'
gives 2 view --size 10 one.ppm
gives 2 view --level fastest one.ppm
gives 0 view --help
tells '^  screenshot +FILE '

display -screen 0 800x600x24 -extension GLX
gives 4 view one.ppm
says '^glint: view: the display :[0-9]+ has no OpenGL 3.3 core'
kill "$server"
wait "$server" 2>/dev/null

display -screen 0 1280x800x24

# By script: the frame is batch's picture, whatever the filter, level, border and type.
script 0 'open one.ppm' 'filter gaussian=2,sharpen' 'frame a.png' 'level naive' 'frame b.png' 'border wrap' \
    'filter laplacian' 'frame c.ppm' 'open gray.pgm' 'filter emboss' 'level best' 'frame d.pgm' 'filter' 'frame e.png' quit
gives 0 batch --quiet gaussian=2,sharpen one.ppm -o want-a.png
gives 0 batch --quiet --level naive gaussian=2,sharpen one.ppm -o want-b.png
gives 0 batch --quiet --level naive --border wrap laplacian one.ppm -o want-c.ppm
gives 0 batch --quiet --border wrap emboss gray.pgm -o want-d.pgm
gives 0 batch --quiet '' gray.pgm -o want-e.png
for name in a.png b.png c.ppm d.pgm e.png; do
    same "$name" "want-$name"
done

# A scene is trace's picture.
script 0 'size 300x200' 'scene spheres=count=9:seed=3' 'key r' 'frame s.png' quit
gives 0 trace --quiet spheres=count=9:seed=3 --size 300x200 -o want-s.png
same s.png want-s.png

# Light that was gathered in steps is as trace gathers it at once. It stays where the denoiser goes.
script 0 'size 160x120' 'scene spheres=count=9:seed=3' 'key r' 'key n' 'key n' 'key n' 'key n' 'key n' 'frame whitted.png' \
    'key n' 'change-light samples=16:denoise=1' 'frame denoised.png' denoise 'frame paths.png' 'key e' 'frame brighter.png' quit
gives 0 trace --quiet spheres=count=9:seed=3 --size 160x120 --look whitted -o want-whitted.png
gives 0 trace --quiet spheres=count=9:seed=3 --size 160x120 --look paths --samples 16 -o want-paths.png
gives 0 trace --quiet spheres=count=9:seed=3 --size 160x120 --look paths --samples 16 --exposure 1.4142135623730951 \
    -o want-brighter.png
gives 0 trace --quiet spheres=count=9:seed=3 --size 160x120 --look paths --samples 16 --denoise -o want-denoised.png
for name in whitted paths brighter denoised; do
    same $name.png want-$name.png
done
refute "denoising changes the picture" cmp -s paths.png denoised.png

# Space lets its spheres move, and stops them; loaded again, they are at rest.
script 0 'size 300x200' 'scene spheres=count=9:seed=3' 'key r' 'key Space' 'frames 30' 'frame moved.png' 'key Space' \
    'frames 3' 'frame stopped.png' 'screenshot still-window.png' 'frames 3' 'frame still.png' 'key F5' 'key r' \
    'frame rest.png' 'key Space' 'level bvh' 'frames 5' 'timings moving.json' quit
refute "spheres move" cmp -s moved.png s.png
same stopped.png still.png
same rest.png s.png
jq -c . moving.json >moving.line
json '[.spans[].name] == ["move", "trace", "download", "present", "draw", "overlay", "swap"] and .runs >= 5' moving.line

# An unsupported level falls back to best with a toast in the window, and is an error on the command line.
script 0 'size 800x600' 'open one.ppm' 'filter gaussian=2' 'level interior' filter 'key i' 'screenshot toast.png' \
    'timings scene.json' 'level tiles' 'filter gaussian=2' 'key i' 'frame g.png' filter 'level naive' 'scene spheres=count=9:seed=3' 'key r' \
    'timings kept.json' quit
gives 0 batch --quiet gaussian=2 one.ppm -o want-g.png
same g.png want-g.png
shown toast.png 800 600
for name in scene kept; do
    jq -c . $name.json >$name.line
done
json '.chain == "" and .level != null and .level != "interior"' scene.line
json '.chain == "" and .level == "naive"' kept.line
gives 2 view --quiet --level interior --backend cpu spheres
says '^glint: .*level "interior": trace on cpu has no such level, only .*naive.*wide$'

# The whole window, of the smallest and the greatest size; every panel is drawn somewhere here.
script 0 'open one.ppm' 'filter gaussian' 'frames 3' 'screenshot full.png' 'key Tab' 'screenshot off.png' 'key Tab' \
    'key h' 'screenshot help.png' 'key Esc' 'key s' 'screenshot split.png' 'key Esc' 'key l' 'timings race.json' \
    'size 3840x2160' 'key Tab' 'screenshot large.png' quit
shown full.png 1280 800
shown off.png 1280 800
shown help.png 1280 800
shown split.png 1280 800
shown large.png 3840 2160
refute "panels change the window" cmp -s full.png off.png
refute "help changes the window" cmp -s help.png off.png
jq -c . race.json >race.line
json '.width == 97 and .chain == "gaussian" and .level != null and .ms > 0 and .copies > 0 and .speedup > 0' race.line
json '[.spans[].name] == ["decode", "upload", "gaussian", "download", "present", "draw", "overlay", "swap"]' race.line
json '.lowest.level == "naive" and (.run_ms | length) == .runs and .runs >= 3' race.line

# A script's failure ends the program and names the line.
script 2 'filter box' 'open one.ppm' '# fine' 'level separble'
says '^glint: script.txt:4: level "separble".*did you mean "separable"'
script 2 'open one.ppm' 'filter sharpen' 'level separable'
says '^glint: script.txt:3: level separable cannot do sharpen: '
script 3 'open missing.png'
says '^glint: script.txt:1: missing.png: '
script 2 'dance'
says '^glint: script.txt:1: no command "dance"'

# By hand: keys and the wheel of a virtual keyboard and mouse.
if ! command -v xdotool >/dev/null; then
    echo "xdotool is not installed: key events are not tested"
    finish
fi
last="glint view --size 640x480 --filter gaussian=2 one.ppm two.ppm"
"$glint" view --size 640x480 --filter gaussian=2 one.ppm two.ppm >keys.out 2>.err </dev/null &
viewer=$!
timeout 300 xdotool search --sync --onlyvisible --name ' - glint$' mousemove --window %1 400 300 >/dev/null
xdotool key bracketright bracketright ctrl+Tab 1 Right b sleep 0.3 key p sleep 0.3 key shift+p
await glint-result-001.png
cp glint-result-001.png first.png
xdotool click 4 click 4 key p
await glint-window-002.png
xdotool key c sleep 0.3 key i sleep 0.3 key r sleep 0.3 key shift+p
await glint-result-002.png
rm glint-result-001.png
xdotool key i Return comma i n v e r t Return shift+p
await glint-result-001.png
xdotool key ctrl+q ctrl+q
ended
gives 0 batch --quiet --level naive --border mirror gaussian=2.2 two.ppm -o want-keys.png
gives 0 batch --quiet --level naive --border mirror gaussian=2.2,invert two.ppm -o want-typed.png
same glint-result-001.png want-typed.png
same first.png want-keys.png
gives 0 trace --quiet --level naive --border mirror spheres --filter gaussian=2.2 --size 640x480 -o want-scene.png
same glint-result-002.png want-scene.png
shown glint-window-001.png 640 480
refute "the wheel zooms" cmp -s glint-window-001.png glint-window-002.png
command=$(cat keys.out)
last="$command"
check "c prints a command" [ "${command%% *}" = glint ]
gives 0 ${command#glint}
same out.png want-keys.png

# Among moving spheres the keyboard is heard as before. They set off once the overlay's baseline is measured.
rm -f glint-result-*.png
last="glint view --size 400x300 cloud=20000"
"$glint" view --size 400x300 cloud=20000 >/dev/null 2>.err </dev/null &
viewer=$!
timeout 300 xdotool search --sync --onlyvisible --name ' - glint$' mousemove --window %1 200 150 >/dev/null
save() {
    rm -f glint-result-001.png
    xdotool key shift+p
    await glint-result-001.png
    mv glint-result-001.png "$1"
}
save start.png
xdotool key space
for _ in $(seq 100); do
    save moving.png
    cmp -s start.png moving.png || break
done
for _ in $(seq 100); do
    save later.png
    cmp -s moving.png later.png || break
done
xdotool key space
save stopped.png
save still.png
xdotool key space v ctrl+q ctrl+q
ended
refute "spheres move" cmp -s start.png moving.png
refute "they go on" cmp -s moving.png later.png
same stopped.png still.png
finish
