# lib.sh: shared by the scripts in this folder: cli/lib.sh, a virtual display, scripts of the window, and checks of
# pictures.
source "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"
command -v Xvfb >/dev/null || { echo "Xvfb is not installed"; exit 77; }
unset DISPLAY WAYLAND_DISPLAY XAUTHORITY
export LIBGL_ALWAYS_SOFTWARE=1
export ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 # Mesa's drivers keep some memory; tests/unit/view/ looks for leaks of our own

# A window that stays would hold up all tests: every run ends after a while. Nothing is kept for the next window, unless
# $keeps is set.
cat >bounded <<END
#!/bin/sh
if [ "\$1" = view ] && [ -z "\$keeps" ]; then
    shift
    export XDG_STATE_HOME=\$(mktemp -d "$work/.state.XXXXXX")
    set -- view --no-sidecars "\$@"
fi
exec timeout 300 "$glint" "\$@"
END
chmod +x bounded
glint=$work/bounded

# display OPTIONS...: starts an X server on a free number; then $DISPLAY is it and $server its process.
display() {
    rm -f .display
    Xvfb -displayfd 3 -noreset -nolisten tcp "$@" 3>.display 2>/dev/null &
    server=$!
    patiently [ -s .display ]
    export DISPLAY=:$(cat .display)
}
trap 'kill ${server:-} ${viewer:-} 2>/dev/null; wait 2>/dev/null; rm -rf "$work"' EXIT

# script STATUS LINE...: runs a script of these lines and checks the exit status.
script() {
    local want=$1
    shift
    printf '%s\n' "$@" >script.txt
    gives "$want" view --quiet --overwrite --script script.txt
}

# ended: waits for the window that runs as $viewer, whose exit status must be 0.
ended() {
    wait "$viewer"
    status=$?
    viewer=
    checks=$((checks + 1))
    [ "$status" -eq 0 ] || complain "exit status $status after q, want 0"
}

# same FILE FILE: equal to the last byte.
same() {
    checks=$((checks + 1))
    cmp -s "$1" "$2" || complain "$1 differs from $2"
}

# shown FILE WIDTH HEIGHT: a picture of this size with more than a few different values in it.
shown() {
    local header values
    run batch --quiet --overwrite "" "$1" -o shown.ppm
    header=$(head -c 20 shown.ppm | head -n 2 | tr '\n' ' ')
    checks=$((checks + 1))
    [ "$header" = "P6 $2 $3 " ] || complain "$1 is $header, want P6 $2 $3"
    values=$(od -An -v -tu1 -w1 shown.ppm | awk '!seen[$1]++ && ++count > 40 { exit } END { print count + 0 }')
    checks=$((checks + 1))
    [ "$values" -gt 40 ] || complain "$1 has only $values different values"
}

# area X Y WIDTH HEIGHT FILE...: that part of each FILE.png as FILE.ppm.
area() {
    local part=crop=x=$1:y=$2:width=$3:height=$4 file
    shift 4
    for file; do
        run batch --quiet --overwrite "$part" "$file.png" -o "$file.ppm"
    done
}

# opened X Y: waits until the window has been drawn, with the mouse at this place of it: the thing there then takes
# clicks.
opened() {
    timeout 300 xdotool search --sync --onlyvisible --name ' - glint$' mousemove --window %1 "$1" "$2" >/dev/null
    rm -f glint-window-001.png
    xdotool key p
    await glint-window-001.png
    rm -f glint-window-001.png
}

# await FILE: waits until it is there and whole (files appear at once).
await() {
    patiently [ -e "$1" ] || complain "$1 did not appear"
}
