#!/usr/bin/env bash
# The progress bar is drawn on a terminal and nowhere else.
. "$(dirname "$0")/lib.sh"
command -v script >/dev/null || { echo "script(1) is not here"; exit 77; }
for i in 1 2 3; do picture $i.ppm 8 8 $i; done

on_terminal() { # on_terminal ARGUMENTS...: what glint shows on a terminal, in .tty
    last="glint $* (on a terminal)"
    script -qec "$(printf '%q ' "$glint" "$@")" /dev/null >.tty </dev/null
    status=$?
    cp .tty .err
}
on_terminal batch gaussian 1.ppm 2.ppm 3.ppm -o terminal/
check "status $status" test $status -eq 0
holds terminal 1.ppm 2.ppm 3.ppm
check "a bar with a count" grep -qE '\[#+\.*\] *3/3' .tty
check "drawn over itself" grep -q $'\r' .tty
on_terminal batch gaussian 1.ppm 2.ppm 3.ppm -o terminal-quiet/ --quiet
check "none with --quiet" test ! -s .tty
gives 0 batch gaussian 1.ppm 2.ppm 3.ppm -o piped/
refute "none into a pipe" grep -q '#' .err
refute "no control characters into a pipe" grep -q $'[\r\033]' .err
finish
