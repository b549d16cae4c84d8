# test_diary_scenes.sh: goals of a person who looks at scenes: open, turn, light, filter, undo, film, save, and the next day.
source "$(dirname "$0")/diary.sh"
display -screen 0 700x500x24
rest="500 250"

title() { xdotool getwindowname "$id" | grep -q -e "$1"; }
# copied PATTERN: the command line that c copies matches; plain: it has neither filter nor change.
copied() {
    xdotool key c
    sleep 0.3
    line=$(tail -n 1 out.txt)
    grep -qE -e "$1" <<<"$line"
}
moved() { copied 'camera ' && [ "$line" != "$before" ]; }
plain() { copied 'trace spheres=9,' && ! grep -q filter <<<"$line"; }

begin --size 700x500
press ctrl+e ctrl+a
word spheres=9
press Return
goal "open a scene" copied 'trace spheres=9 '
before=$line
drag 450 260 520 240
goal "seen from elsewhere" moved
press ctrl+k
word 'add lamp'
press Return
goal "one more lamp" copied 'sphere=10:.*light'
press A
word gauss
press Return
goal "softer" copied 'filter gaussian'
press ctrl+z
goal "as sharp as before" plain

# The picture is the one that the copied line makes. Films and scenes have names proposed.
press shift+p
await glint-result-001.png
read -ra words <<<"${line/out.png/want.png}"
gives 0 "${words[@]:1}" --quiet
gives 0 batch --quiet "" glint-result-001.png -o result.ppm
gives 0 batch --quiet "" want.png -o want.ppm
goal "the picture, as trace makes it" cmp -s result.ppm want.ppm
press ctrl+F9 Return space
shoot filmed.png
press space ctrl+F10
goal "the film" test -s spheres-recording.apng
press ctrl+shift+s Return
goal "the scene as a file" test -s spheres-changed.scene
gives 0 trace --quiet spheres-changed.scene -o again.png --size 70x50
press ctrl+q
ended

# The next day: the file opens by its first letters, with the lamp.
begin --size 700x500
press ctrl+o s p Tab Return
goal "tomorrow" copied 'trace spheres-changed.scene'
press ctrl+q
ended
at_most 50
finish
