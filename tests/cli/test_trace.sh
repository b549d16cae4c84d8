#!/usr/bin/env bash
# trace: scenes from generators and files, the same on every run and level; failures that say what is wrong.
. "$(dirname "$0")/lib.sh"

gives 0 trace spheres --size 64x48 -o a.ppm
check "the size asked for" grep -aqx '64 48' a.ppm
check "and no more" test "$(stat -c %s a.ppm)" -le $((64 * 48 * 3 + 20))
gives 0 trace spheres --size 64x48 -o b.ppm
check "the same seed, the same picture" cmp -s a.ppm b.ppm
gives 0 trace spheres=seed=99 --size 64x48 -o c.ppm
refute "another seed, another picture" cmp -s a.ppm c.ppm
gives 0 trace spheres=count=2000:seed=7 --size 64x48 -o many.png
check "a PNG" test "$(head -c 4 many.png | tail -c 3)" = PNG
gives 0 trace spheres --size 1x1 -o one.ppm

gives 0 trace spheres=count=300 --size 97x61 -o want.ppm --backend cpu --level reference
levels=$("$glint" list levels | awk '/^[a-z]/ { on = $0 == "cpu trace"; next } on && $1 ~ /^[0-9]+$/ { print $2 }')
check "there is a ladder" test "$(echo "$levels" | wc -w)" -ge 3
for level in $levels; do
    gives 0 trace spheres=count=300 --size 97x61 -o "level-$level.ppm" --backend cpu --level "$level"
    # 1 code value on at most 0.1 % of the values
    differing=$(cmp -l want.ppm "level-$level.ppm" | wc -l)
    check "level $level agrees with the reference ($differing differ)" test "$differing" -le $((97 * 61 * 3 / 1000))
done

for camera in orthographic=unit=20 perspective=z=900:angle=60 random; do
    for look in classic normals depth spheres; do
        gives 0 trace spheres --size 61x43 -o "$camera-$look.ppm" --backend cpu --camera "$camera" --look "$look"
    done
    check "$camera: looks differ" test "$(md5sum "$camera"-*.ppm | cut -d' ' -f1 | sort -u | wc -l)" -eq 4
done

# A scene by hand: one red ball in the middle, black around it.
printf 'glint-scene 1\n# one ball\nsphere 0 0 0 10 1 0 0\n' >ball.scene
gives 0 trace ball.scene --size 41x41 -o ball.ppm
middle=$(tail -c +$(($(stat -c %s ball.ppm) - 41 * 41 * 3 + (20 * 41 + 20) * 3 + 1)) ball.ppm | head -c 3 | od -An -tu1)
check "the ball's middle faces the eye: $middle" test "$(echo $middle)" = '255 0 0'
ends_with ball.ppm '0 0 0'

gives 0 trace spheres --size 32x32 -o json.png --json report.json --quiet
check "quiet is quiet" test ! -s .err
json 'has("ms") and .width == 32 and .height == 32' report.json

gives 2 trace spheres --size 64x48 -o a.ppm
says 'exists.*--overwrite|--overwrite'
gives 0 trace spheres --size 32x32 -o a.ppm --overwrite
for size in 0x5 5 5x 5x-1 x5 5x5x5 axb; do
    gives 2 trace spheres --size "$size" -o never.png
    says 'WIDTHxHEIGHT|WxH|[0-9]+x[0-9]+'
done
gives 3 trace sphere -o never.png # neither a generator nor a file
says 'sphere'
gives 2 trace spheres=count=0 -o never.png
gives 2 trace spheres=count=-1 -o never.png
says 'count'
gives 2 trace spheres=cuont=3 -o never.png
says 'cuont'
gives 2 trace spheres -o never.png --backend cpu --level no-such-level
gives 2 trace spheres -o never.png --camera nowhere
check "says which there are" grep -q 'orthographic, perspective' .err
gives 2 trace spheres -o never.png --camera perspective=angle=0
gives 2 trace spheres -o never.png --camera perspective=z=0
check "a camera must look somewhere" grep -q 'want another point' .err
gives 2 trace spheres -o never.png --look pretty
check "says which there are" grep -q 'classic, normals, depth, spheres' .err
gives 2 trace spheres
gives 2 trace
gives 2 trace spheres spheres -o never.png
gives 3 trace no-such.scene -o never.png
says 'no-such.scene'
printf 'glint-scene 1\nsphere 0 0 0 ten 1 0 0\n' >bad.scene
gives 3 trace bad.scene -o never.png
says 'bad.scene:2:14: "ten", want radius'
gives 3 trace spheres --size 2000000000x2000000000 -o never.png
gives 4 trace spheres --size 8x8 -o ball.scene/never.png
check "no failure leaves a file" test ! -e never.png
finish
