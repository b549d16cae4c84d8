# diary.sh: for diaries: what a person wants of the window, by real keys and clicks. It counts all of these and checks each goal
# by its outcome. Looks at the window by a test (shoot) are no part of the count.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
command -v xdotool >/dev/null || { echo "xdotool is not installed"; exit 77; }
export keeps=yes XDG_STATE_HOME=$work/state

hands=0 goals=0 # so many keys and clicks, and goals; $rest is where the mouse waits

# press KEY...: each key with its modifiers counts one. word LETTERS: each letter does.
press() {
    local key
    for key in "$@"; do
        hands=$((hands + 1))
        xdotool key "$key"
    done
}
word() {
    hands=$((hands + ${#1}))
    xdotool type --delay 40 "$1"
}

# click X Y, drag X Y TO_X TO_Y: at places of the window; one each.
click() {
    hands=$((hands + 1))
    xdotool mousemove --window "$id" "$1" "$2" click 1
}
drag() {
    hands=$((hands + 1))
    xdotool mousemove --window "$id" "$1" "$2" mousedown 1 mousemove --window "$id" $((($1 + $3) / 2)) $((($2 + $4) / 2)) sleep 0.1 \
        mousemove --window "$id" "$3" "$4" sleep 0.1 mouseup 1
}

# goal NAME COMMAND...: the command succeeds, by and by. The goals that follow build on it: without it the diary ends.
goal() {
    local name=$1
    shift
    goals=$((goals + 1)) checks=$((checks + 1))
    patiently "$@" || { complain "$name: not reached" && finish; }
    printf '%2d  %-50s %3d keys and clicks so far\n' $goals "$name" $hands
}

# at_most N: the bar for the keys and clicks of all goals.
at_most() {
    echo "$goals goals, $hands keys and clicks"
    check "at most $1 keys and clicks, not $hands" [ $hands -le "$1" ]
}

# A key for screenshots that works wherever the pointer is.
mkdir -p "$XDG_CONFIG_HOME/glint"
echo 'save-window = F12' >"$XDG_CONFIG_HOME/glint/keys"

# begin ARGUMENT...: opens the window, with the mouse on the picture.
begin() {
    last="glint view $*"
    "$glint" view "$@" >out.txt 2>.err </dev/null &
    viewer=$!
    id=$(timeout 300 xdotool search --sync --onlyvisible --name ' - glint$')
    xdotool mousemove --window "$id" ${rest:-820 640}
}

# shoot FILE: what the window shows now.
shoot() {
    rm -f glint-window-001.png
    xdotool key F12
    await glint-window-001.png
    mv glint-window-001.png "$1"
}
# drawn: waits until the window shows what all keys and clicks have done.
drawn() { shoot .drawn.png; }

# part FILE GEOMETRY OUTPUT: a part of a screenshot, as crop takes it. like A B LIMITS: two pictures are as near as that.
part() { run batch --quiet --overwrite "crop=$2" "$1" -o "$3"; }
like() {
    run compare --quiet --at-least "$3" "$1" "$2"
    [ "$status" -eq 0 ]
}

# chain_of FILE: the chain that the sidecar holds as the shown one; has PICTURE PATTERN: it matches.
chain_of() {
    awk '$1 == "shown" { shown = $3 } $1 == "filter" { sub(/^filter = /, ""); if (++count == shown) print }' "$1.glint" 2>/dev/null
}
has() { chain_of "$1" | grep -qE -e "$2"; }
