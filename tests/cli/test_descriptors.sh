#!/usr/bin/env bash
# Standard input, output or error closed: printed lines get into no file that took their number.
. "$(dirname "$0")/lib.sh"
mkdir in
for i in $(seq 10 39); do picture in/$i.ppm 40 30 "$i"; done
gives 0 batch gaussian=2 in -o want/ --quiet

closed() { # closed WANT NUMBERS ARGUMENTS...: runs glint with these descriptors closed and checks its exit status
    local want=$1 numbers=$2
    shift 2
    last="glint $* with $numbers closed"
    : >.out
    : >.err
    case $numbers in
    0) "$glint" "$@" <&- >.out 2>.err ;;
    1) "$glint" "$@" <in/10.ppm >&- 2>.err ;;
    2) "$glint" "$@" <in/10.ppm >.out 2>&- ;;
    012) "$glint" "$@" <&- >&- 2>&- ;;
    esac
    status=$?
    checks=$((checks + 1))
    [ "$status" -eq "$want" ] || complain "exit status $status, want $want"
}

for numbers in 0 1 2 012; do
    rm -rf out
    closed 0 $numbers batch gaussian=2 in -o out/ -v --jobs 6
    check "$numbers closed: every picture is what it would be" diff -rq want out
    rm -f x.ppm r.json
    closed 0 $numbers trace spheres=count=5 --size 16x16 -v -o x.ppm --json r.json
    json '.complete' r.json
    gives 0 batch '' x.ppm -o readable.ppm
    rm readable.ppm
done
closed 4 1 batch invert in/10.ppm -o - # what is asked for on a closed stdout is not there
closed 4 1 list filters
closed 3 0 batch invert - -o y.ppm
check "what cannot be read makes no file" test ! -e y.ppm

# However few descriptors there are: no file fails for want of them.
mkdir many
for i in $(seq 100 999); do ln in/$((10 + i % 30)).ppm many/$i.ppm; done
for limit in 64 128 512; do
    rm -rf out
    last="glint batch with $limit descriptors"
    (ulimit -n $limit && "$glint" batch gaussian=2 many -o out/ --jobs 4 --backend cpu >.out 2>.err </dev/null)
    check "status $?" test $? -eq 0
    check "all files" test "$(ls out | wc -l)" -eq 900
done
for i in 100 555 999; do check "$i" cmp -s out/$i.ppm want/$((10 + i % 30)).ppm; done
finish
