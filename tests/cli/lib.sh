# lib.sh: shared by the scripts in this folder: a folder to work in, a way to run glint, and checks that name their
# failures. A script is run as `bash test_NAME.sh PATH-OF-GLINT`, sources this file first and calls `finish` last.

set -u
glint=$(realpath "$1")
export LC_ALL=C.UTF-8
unset GLINT_MEMORY GLINT_ISA
export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99:print_stacktrace=1 # no exit status that a check may want
work=$(mktemp -d "$PWD/work.XXXXXX")
trap '[ $BASHPID -ne $$ ] || rm -rf "$work"' EXIT # not by a copy of this shell that a signal ends before its exec
cd "$work" || exit 1
export XDG_CACHE_HOME=$work/.cache # best goes by nothing that was measured before
export XDG_CONFIG_HOME=$work/.config # no presets but the shipped ones

checks=0 failures=0 last="(nothing was run)"

# patiently COMMAND...: waits until it succeeds; a machine that is busy has two minutes.
patiently() {
    local end=$((SECONDS + 120))
    until "$@"; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.02
    done
}

# every N: the step of a sweep over all points where something may fail: N for a change, 1 at night (GLINT_TEST_QUICK).
every() { [ -n "${GLINT_TEST_QUICK:-}" ] && echo "$1" || echo 1; }

# run ARGUMENTS...: runs glint; then $status is its exit status, and the files .out and .err hold its words.
run() {
    last="glint $*"
    "$glint" "$@" >.out 2>.err </dev/null
    status=$?
}

# piped FILE ARGUMENTS...: the same with FILE as standard input.
piped() {
    local from=$1
    shift
    last="glint $* <$from"
    "$glint" "$@" >.out 2>.err <"$from"
    status=$?
}

# on_terminal ARGUMENTS...: runs glint on a terminal; then $status is its exit status, and .tty and .err hold what it
# showed there. script(1) passes the line to $SHELL, and only bash reads what %q writes of control characters.
on_terminal() {
    last="glint $* on a terminal"
    SHELL=$BASH script -qec "$(printf '%q ' "$glint" "$@")" /dev/null >.tty </dev/null
    status=$?
    cp .tty .err
}

complain() {
    failures=$((failures + 1))
    printf 'FAILED line %s: %s\n  after: %s\n' "${BASH_LINENO[1]}" "$1" "$last"
    sed 's/^/  stderr: /' .err 2>/dev/null | head -n 12
}

# check WHAT COMMAND...: the command must succeed.
check() {
    local what=$1
    shift
    checks=$((checks + 1))
    "$@" || complain "$what"
}

# refute WHAT COMMAND...: the command must fail.
refute() {
    local what=$1
    shift
    checks=$((checks + 1))
    ! "$@" || complain "$what"
}

# gives STATUS ARGUMENTS...: runs glint and checks its exit status.
gives() {
    local want=$1
    shift
    run "$@"
    checks=$((checks + 1))
    [ "$status" -eq "$want" ] || complain "exit status $status, want $want"
}

# says PATTERN: the last run's stderr has a line that matches (extended regular expression); tells: stdout has.
says() {
    checks=$((checks + 1))
    grep -qE -e "$1" .err || complain "stderr has no line matching: $1"
}
tells() {
    checks=$((checks + 1))
    grep -qE -e "$1" .out || complain "stdout has no line matching: $1"
}

# lines N FILE: FILE has N lines.
lines() {
    local count
    count=$(wc -l <"$2")
    checks=$((checks + 1))
    [ "$count" -eq "$1" ] || complain "$2 has $count lines, want $1"
}

# holds FOLDER NAME...: FOLDER holds these entries and no others, hidden ones included.
holds() {
    local folder=$1 have want
    shift
    have=$(ls -A "$folder" 2>/dev/null | sort | tr '\n' ' ')
    want=$([ $# -eq 0 ] || printf '%s\n' "$@" | sort | tr '\n' ' ')
    checks=$((checks + 1))
    [ "$have" = "$want" ] || complain "$folder holds: $have; want: $want"
}

# ends_with FILE BYTES: the last bytes of FILE, as od -tu1 prints them.
ends_with() {
    local have want count
    want=$(echo $2)
    count=$(echo $2 | wc -w)
    have=$(echo $(tail -c "$count" "$1" | od -An -v -tu1))
    checks=$((checks + 1))
    [ "$have" = "$want" ] || complain "$1 ends with: $have; want: $want"
}

# json FILTER FILE: every line of FILE is JSON for which the jq filter holds, but for the summary of a batch.
json() {
    checks=$((checks + 1))
    [ -s "$2" ] && jq -es "map(select(.status? != \"summary\")) | length > 0 and all(.[]; $1)" <"$2" >.jq 2>&1 ||
        complain "$2: not so: $1 ($(head -c 300 .jq); $(head -c 300 "$2"))"
}

# picture FILE WIDTH HEIGHT [SEED]: a binary PPM with pixels that differ from seed to seed.
picture() {
    printf 'P6\n%d %d\n255\n' "$2" "$3" >"$1"
    awk -v n=$(($2 * $3 * 3)) -v s="${4:-1}" \
        'BEGIN { for (i = 0; i < n; i++) { s = (s * 1103 + 12345) % 65537; printf "%c", 33 + s % 90 } }' >>"$1"
}

# has_signal PID FIELD NUMBER: whether glint runs as this process by now, and FIELD of its status names the signal.
has_signal() {
    local mask
    [ "/proc/$1/exe" -ef "$glint" ] || return
    mask=$(awk -v field="$2:" '$1 == field { print $2 }' "/proc/$1/status" 2>/dev/null)
    [ $((0x${mask:-0} >> ($3 - 1) & 1)) -ne 0 ]
}

# at_work PID: whether a glint now catches signals to leave its work in order: then it ignores SIGPIPE, too.
at_work() { has_signal "$1" SigIgn 13; }

finish() {
    [ "$failures" -eq 0 ] || { echo "$failures of $checks checks failed"; exit 1; }
    echo "$checks checks passed"
    exit 0
}
