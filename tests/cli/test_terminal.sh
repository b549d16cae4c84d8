#!/usr/bin/env bash
# Progress is drawn on a terminal and nowhere else.
. "$(dirname "$0")/lib.sh"
command -v script >/dev/null || { echo "script(1) is not here"; exit 77; }
for i in 1 2 3; do picture $i.ppm 8 8 $i; done

on_terminal batch gaussian 1.ppm 2.ppm 3.ppm -o terminal/
check "status $status" test $status -eq 0
holds terminal 1.ppm 2.ppm 3.ppm
check "a bar with a count" grep -qE '\[#+\.*\] *3/3' .tty
check "drawn over itself" grep -q $'\r' .tty
on_terminal batch gaussian 1.ppm 2.ppm 3.ppm -o terminal-quiet/ --quiet
check "none with --quiet" test ! -s .tty

on_terminal trace packed=30 --look paths --samples 100000 --time 0.5 --size 64x48 -o light.ppm --backend cpu
check "status $status" test $status -eq 0
check "share, samples and times" grep -qE '\[#*\.*\] +[0-9]+ %  [0-9]+ of 100000 samples  0:0[0-9], [0-9:]+ left' .tty
check "which are wiped in the end" grep -qE $'\r\033\\[Kglint: packed' .tty
on_terminal trace packed=30 --camera perspective --orbit 3 --size 64x48 -o frames.ppm --backend cpu
check "frames" grep -qE '33 %  frame 1 of 3' .tty
on_terminal trace packed=30 --look paths --time 0.3 --size 64x48 -o quiet.ppm --backend cpu --quiet
check "none with --quiet" test ! -s .tty
gives 0 trace packed=30 --look paths --time 0.3 --size 64x48 -o piped.ppm --backend cpu
refute "no control characters into a pipe" grep -q $'[\r\033]' .err

gives 0 batch gaussian 1.ppm 2.ppm 3.ppm -o piped/
refute "none into a pipe" grep -q '#' .err
refute "no control characters into a pipe" grep -q $'[\r\033]' .err
finish
