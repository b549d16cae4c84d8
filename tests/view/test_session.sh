# test_session.sh: a session that is written as a script, replayed: the same script again, the same pixels. By a script
# of everything that has an effect, and by hand.
source "$(dirname "$0")/lib.sh"
picture one.ppm 97 61 1
picture 'two b.ppm' 64 40 2
picture three.ppm 50 30 3
display -screen 0 1280x800x24

# replays NAME: NAME.script leads to itself, and to NAME.png and NAME.pgm, which are there.
replays() {
    sed 's/^quit$/screenshot again.png/' "$1.script" >again.script
    printf '%s\n' 'frame again.ppm' quit >>again.script
    gives 0 view --quiet --overwrite --script again.script --record written.script
    sed '/^frames/!b;$!N;s/^frames [0-9]*\nquit$/quit/' written.script >again.script # those of the last two lines
    sed '/^frames/!b;$!N;s/^frames [0-9]*\nquit$/quit/' "$1.script" >once.script
    same again.script once.script
    same again.png "$1.png"
    same again.ppm "$1.ppm"
}

# Sliders, comparisons, marks and clicks become lines, and the lines' undo takes back the edits that the keys' undo did.
# A job that the level cannot do falls back as it did. The panels are off in the end, for they have figures.
script=('size 1000x700' 'open one.ppm' 'filter gaussian=2,sharpen' 'frames 2' 'drag sigma 20 50 6' 'key s' 'frames 1'
    'key +' 'frames 1' 'key Ctrl+Z' 'mark 550 300 650 400' 'frames 1' 'key x' 'pointer 520 350' 'frames 2' 'click 520 350'
    'key X' 'key Return' 'key Esc' 'filter gaussian=2' 'level separable' 'frames 2' 'by-hand filter median=1' 'key Space' 'frames 1'
    'release Space' 'key e' 'filter gaussian=3,invert' 'key ;' 'key [' 'frames 1'
    'key x' 'scene spheres=count=9:seed=3' 'frames 2' 'key v' 'frames 1'
    'mark 600 300 660 320' 'frames 1' 'key n' 'key i' 'frames 1' "drop file://$PWD/one.ppm file://$PWD/three.ppm" 'key Right'
    'frames 1' 'key Ctrl+U' 'go-to-change 2' 'frames 1' 'key H' 'key k' 'key s' 'overlay')
printf '%s\n' "${script[@]}" 'screenshot script.png' 'frame script.ppm' quit >script.txt
gives 0 view --quiet --overwrite --script script.txt --record script.script
for line in 'press-button' 'release-button' 'split' 'undo' 'part [0-9 ]*' 'pixel .* frozen' 'by-hand filter median=1' 'unfiltered' \
    'release Space' 'less' 'look-from perspective .*' 'next-picture' 'open .*three.ppm' 'filter gaussian=[0-9.]*,sharpen'; do
    check "the session has $line" grep -qx "$line" script.script
done
replays script

# Strokes of a brush are found when it is replayed, though the session is over.
script 0 'open one.ppm' 'filter gaussian=9' 'paint-mask' 'record-session' 'stroke 700 300 760 320' 'frames 1' 'frame strokes.ppm' quit
mask=$(sed -n 's/^filter gaussian=9:within=//p' glint-session-001.script)
check "the stroke is there" [ -s "$mask" ]
printf '%s\n' "frame again.ppm" quit | cat <(grep -v -e '^quit' -e '^frame ' glint-session-001.script) - >again.script
gives 0 view --quiet --overwrite --script again.script
same again.ppm strokes.ppm
rm -r "$(dirname "$mask")"

# A part marked on the left one of two sides is the same as on the right one.
for x in 20 220; do
    gives 0 view --quiet --overwrite --record "mark$x.script" --script <(printf '%s\n' 'size 400x300' 'open one.ppm' 'filter invert' overlay \
        overlay side-by-side 'frames 1' "mark $x 180 $((x + 40)) 200" 'frames 1' quit)
    sed -n 's/^part //p' "mark$x.script" | tail -n 1 >"mark$x.txt"
done
check "a part is marked" grep -q '[1-9]' mark20.txt
same mark20.txt mark220.txt

# A folder that is not there shows before the session, not behind it.
gives 4 view --quiet --record nosuch/a.script --script <(echo 'print it goes on') one.ppm
says 'nosuch/a.script: cannot be written'
refute "it ends there" grep -q 'it goes on' .out

# A file that is no session is not replaced; a session is.
echo precious >kept.script
gives 2 view --quiet --record kept.script --script script.txt one.ppm
says 'kept.script'
check "it is as it was" [ "$(cat kept.script)" = precious ]
echo quit >script.txt
gives 0 view --quiet --record script.script --script script.txt --filter gaussian --level naive --size 300x200 one.ppm 'two b.ppm'
check "where it began from" [ "$(tail -n +2 script.script | sed 's/ .*//' | tr '\n' ' ')" = "size level filter drop quit " ]
gives 0 view --quiet --record again.script --script script.script
same again.script script.script

# States that make no sense here are not set.
for line in 'view 1 2' 'view 0 0 1e9' 'split-at 2' 'select 3' 'part 1 2 3' 'pixel 97 0' 'pixel x' 'look-from fit' 'go-to-change 0'; do
    script 2 'open one.ppm' 'frames 1' "$line"
    says "^glint: script.txt:3: .*(want|is for scenes|there is no filter)"
done
for line in 'look-from orthographic 1 2' 'look-from perspective 0 0 0 0 1 0 200 1 0 0 0 0' 'view 1 2 3'; do
    script 2 'scene spheres' "$line"
    says "^glint: script.txt:2: .*(want|is for pictures)"
done

# By hand: keys, the wheel, a drag, the list of all actions. The time on each side does not repeat, so there is no
# split.
command -v xdotool >/dev/null || { echo "xdotool is not installed"; finish; }
last="glint view --record hand.script"
"$glint" view --quiet --record hand.script --filter gaussian=2 one.ppm 'two b.ppm' >/dev/null 2>.err </dev/null &
viewer=$!
timeout 300 xdotool search --sync --onlyvisible --name ' - glint$' mousemove --window %1 700 500 >/dev/null
xdotool key bracketright bracketright s mousemove_relative 10 10 click 4 click 4 mousedown 1 mousemove_relative -- -60 -30 \
    mouseup 1 key Right ctrl+k type 'add inv'
xdotool key Return
xdotool key ctrl+z 1 s Tab p
await glint-window-001.png
xdotool key shift+p
await glint-result-001.png
xdotool key ctrl+q ctrl+q
ended
mv glint-window-001.png hand.png
gives 0 batch --quiet --overwrite '' glint-result-001.png -o hand.ppm
rm glint-result-001.png
check "the wheel and the drag are written" grep -qE '^view [0-9.-]+ [0-9.-]+ [0-9.]+$' hand.script
sed -i '/^save-/d' hand.script
replays hand
finish
