#!/usr/bin/env bash
# trace: scenes from generators and files, the same on every run and level; failures that name the fault.
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

# The same ball as a row of a table, whose changes and options stand behind its name.
printf 'x,y,z,size,red,green,blue\n9,9,9,1,0,1,0\n0,0,0,5,255,0,0\n' >ball.csv
gives 0 trace ball.csv:radius=size:clip=-1:-1:-1:1:1:1,sphere=1:radius=10 --camera orthographic --size 41x41 -o row.ppm
check "a row is a ball" cmp -s ball.ppm row.ppm
gives 2 trace ball.csv:radius=size --size 8x8 -o ball.csv --overwrite
check "no output is the table" grep -q 'x,y,z' ball.csv
gives 2 trace ball.csv:radius=mass --size 8x8 -o x.ppm
check "the columns that there are" grep -q 'want a column: x, y, z, size' .err

gives 0 trace spheres --size 32x32 -o json.png --json report.json --quiet
check "quiet is quiet" test ! -s .err
json 'has("ms") and .width == 32 and .height == 32' report.json
json '.level != "" and .look == "classic" and .samples == 1 and .complete' report.json
json '.options == {along: null, alpha: "premultiply", annotate: null, background: null, between: 0, border: "clamp", camera: null, cameras: null, crease: null, cue: null,
    denoise: false, depth: null, exposure: 1, filter: null, frames: null, layers: null, linear: false, look: "classic", "no-fuse": false, orbit: null, outline: null,
    precision: "auto", rate: null, samples: null, seed: 1, shadow: false, simulate: null, size: "32x32",
    time: null}' report.json
gives 0 trace spheres --size 64x48 -o -
check "a PNG on stdout" test "$(head -c 4 .out | tail -c 3)" = PNG

# A chain behind the trace is the chain that batch applies to the picture.
cpu=(--backend cpu)
light=(packed=30 --look paths --samples 2 --size 64x48 "${cpu[@]}")
chain=gaussian=2,sharpen
gives 0 trace "${light[@]}" -o light.ppm
gives 0 trace "${light[@]}" -o light.pfm
drawn=(spheres --camera perspective --size 64x48 "${cpu[@]}")
gives 0 trace "${drawn[@]}" -o drawn.ppm
filtered() { # filtered PICTURE WANT-OPTIONS... -- TRACE...: compares trace --filter with batch on the picture
    local picture=$1 options=()
    shift
    while [ "$1" != -- ]; do options+=("$1"); shift; done
    shift
    gives 0 trace "$@" "${options[@]}" --filter $chain -o "got.${picture#*.}" --overwrite
    gives 0 batch $chain "$picture" "${cpu[@]}" "${options[@]}" -o "want.${picture#*.}" --overwrite
    check "$picture ${options[*]}: trace --filter is batch" cmp -s "want.${picture#*.}" "got.${picture#*.}"
    refute "$picture ${options[*]}: something is filtered" cmp -s "$picture" "got.${picture#*.}"
}
filtered light.ppm -- "${light[@]}"
filtered light.ppm --linear --border wrap -- "${light[@]}"
filtered light.pfm --border mirror -- "${light[@]}"
filtered drawn.ppm --linear -- "${drawn[@]}"
mv got.pfm plain.pfm
gives 0 trace "${light[@]}" --border mirror --linear --filter $chain -o got.pfm
check "linear light is not made linear again" cmp -s plain.pfm got.pfm
chain=gaussian=2,difference # from the traced picture
filtered light.ppm -- "${light[@]}"
filtered drawn.ppm --linear -- "${drawn[@]}"
gives 2 trace spheres --size 8x8 --filter gausian -o never.png
says 'chain: column 1: no filter "gausian"; did you mean "gaussian"'

# Light: the samples are the same however they are gathered.
gives 0 trace "${light[@]}" --samples 8 --threads 1 -o thread.ppm
says ', 8 samples a pixel, '
gives 0 trace "${light[@]}" --samples 8 --threads 3 -o threads.ppm
check "the same on one thread and on three" cmp -s thread.ppm threads.ppm
gives 0 trace "${light[@]}" --samples 1000000 --time 0.3 -o time.ppm --json report.json --overwrite
says ', [0-9]+ of 1000000 samples a pixel'
json '.samples >= 1 and .samples < 1000000 and (.complete | not)' report.json
gives 0 trace "${light[@]:0:3}" "${light[@]:5}" --time 0.1 -o time.ppm --overwrite
says ', [0-9]+ samples? a pixel'
gives 0 trace "${light[@]}" --time 1000 -o time.ppm --overwrite
says ', 2 samples a pixel, '
check "whichever comes first" cmp -s light.ppm time.ppm
for seconds in 0 -1 1e7 nan ten; do gives 2 trace "${light[@]}" --time $seconds -o never.png; done
gives 2 trace spheres --time 1 -o never.png
says 'classic gathers no light.*want --look'

# Denoised: other pixels, the same by any number of threads; looks without noise are refused.
gives 0 trace "${light[@]}" --denoise -o denoised.ppm --json denoised.json
check "it is another picture" test "$(cmp -s light.ppm denoised.ppm; echo $?)" = 1
check "its stages are reported" jq -e '.ms | has("surfaces") and has("denoise")' denoised.json >/dev/null
gives 0 trace "${light[@]}" --denoise --threads 1 -o denoised.ppm --overwrite
cp denoised.ppm one.denoised
gives 0 trace "${light[@]}" --denoise --threads 3 -o denoised.ppm --overwrite
check "threads make no difference" cmp one.denoised denoised.ppm
gives 2 trace spheres --denoise -o never.png
says '--denoise: the look classic has no noise'
for exposure in 0 -1 x; do gives 2 trace "${light[@]}" --exposure $exposure -o never.png; done
says '--exposure is "x", want a number'

# Files of linear light hold twice as much for twice the exposure.
values() { tail -c $((64 * 48 * 12)) "$1" | od -An -v -tf4 -w4; }
doubled() { # doubled FILE TWICE: as far as od's digits go
    paste <(values "$1") <(values "$2") |
        awk '{ sum += $1; bad += ($2 - 2 * $1) ^ 2 > ($2 * 1e-6) ^ 2 } END { exit !(sum > 0 && bad == 0) }'
}
gives 0 trace "${light[@]}" --exposure 2 -o twice.pfm
check "linear light" doubled light.pfm twice.pfm
gives 0 trace "${light[@]}" -o light.hdr
gives 0 trace "${light[@]}" --exposure 2 -o twice.hdr
for name in light twice; do gives 0 batch '' $name.hdr -o $name-hdr.pfm; done
check "in .hdr, too" doubled light-hdr.pfm twice-hdr.pfm
gives 3 trace spheres --size 8x8 -o never.hdr # the classic look is nothing linear
says 'these can: .*png'
gives 3 trace spheres --size 8x8 -o never.xyz
says 'never.xyz: the extension names no format'

# Films along kept cameras, of a file or the window's: from the first to the last, half of the way in the middle.
printf 'glint cameras 1\ncloud\ta\torthographic 0 0 1\ncloud\tb\torthographic 100 40 1\npacked\tc\torthographic 0 0 2\n' >cameras
printf 'packed\td\tperspective 0 0 0 0 1 0 40 500 0 0 0 0\n' >>cameras
mkdir -p along kept/glint
gives 0 trace cloud=50 --size 40x30 "${cpu[@]}" --along 3 --cameras cameras -o along/out.ppm
holds along out-0001.ppm out-0002.ppm out-0003.ppm
for frame in 1:0:0 2:50:20 3:100:40; do
    gives 0 trace cloud=50 --size 40x30 "${cpu[@]}" --camera orthographic=1:${frame#*:} -o camera.ppm --overwrite
    check "frame $frame is its camera's" cmp -s camera.ppm along/out-000${frame%%:*}.ppm
done
cp cameras kept/glint
XDG_STATE_HOME=$PWD/kept gives 0 trace cloud=50 --size 40x30 "${cpu[@]}" --along 3 -o kept.ppm
check "the window's file is the default" cmp -s kept-0002.ppm along/out-0002.ppm
gives 2 trace spheres "${cpu[@]}" --along 3 --cameras cameras -o never.ppm
says 'cameras: a film needs two kept cameras or more, and there are none: keep-camera keeps one'
gives 2 trace packed "${cpu[@]}" --along 3 --cameras cameras -o never.ppm
says 'camera c is orthographic and camera d is not'
gives 2 trace packed "${cpu[@]}" --along 3 --orbit 3 -o never.ppm
says '--along: the kept cameras leave no choice to --orbit'
gives 2 trace packed "${cpu[@]}" --cameras cameras -o never.ppm
says '--cameras: want --along N'
gives 3 trace packed "${cpu[@]}" --along 3 --cameras missing -o never.ppm
says '^glint: missing: cannot be read'
gives 3 trace packed "${cpu[@]}" --along 3 --cameras ball.scene -o never.ppm
says 'ball.scene: these are no cameras that glint keeps'
XDG_STATE_HOME=$PWD/none gives 3 trace packed "${cpu[@]}" --along 3 -o never.ppm
says 'none/glint/cameras: '

# Orbits.
near=(cloud=50 --camera perspective=z=900:to_x=100:y=200 --size 40x30 "${cpu[@]}")
mkdir orbit fields
gives 0 trace "${near[@]}" -o still.ppm
gives 0 trace "${near[@]}" --orbit 4 -o orbit/out.ppm --json frames.json
holds orbit out-0001.ppm out-0002.ppm out-0003.ppm out-0004.ppm
check "the first is the picture without an orbit" cmp -s still.ppm orbit/out-0001.ppm
check "the others differ" test "$(md5sum orbit/*.ppm | cut -d' ' -f1 | sort -u | wc -l)" -eq 4
lines 4 frames.json
json '.complete and (.output | test("^orbit/out-000[1-4].ppm$"))' frames.json
gives 0 trace "${near[@]}" --orbit 2 -o 'fields/{frame}-of.ppm' --filter $chain
holds fields 0001-of.ppm 0002-of.ppm
gives 0 batch $chain orbit/out-0003.ppm -o half.ppm "${cpu[@]}"
check "half of the way is half of the way" cmp -s half.ppm fields/0002-of.ppm
printf 'glint-scene 2\ncamera 50 10 70  5 0 0  0 1 0  40\nsphere 5 0 0 10 1 0 0\nsphere 15 0 0 5 0 1 0\n' >own.scene
gives 0 trace own.scene --size 41x41 --orbit 3 -o own.ppm
for frame in 1 2 3; do
    middle=$(tail -c +$(($(stat -c %s own-000$frame.ppm) - 41 * 41 * 3 + (20 * 41 + 20) * 3 + 1)) own-000$frame.ppm | head -c 3 | od -An -tu1)
    check "the scene's own camera turns around what it looks at: $middle" test $(echo "$middle" | awk '{ print ($1 > 200 && $2 == 0) || ($2 > 0 && $1 == 0) }') -eq 1
done
rm orbit/out-000[124].ppm
gives 2 trace "${near[@]}" --orbit 4 -o orbit/out.ppm
says 'orbit/out-0003.ppm exists.*--overwrite'
holds orbit out-0003.ppm
gives 0 trace "${near[@]}" --orbit 4 -o orbit/out.ppm --overwrite --quiet
check "quiet is quiet" test ! -s .err
for camera in orthographic random; do
    gives 2 trace cloud=50 --size 8x8 --camera $camera --orbit 4 -o never.png
    says "--orbit: the camera $camera cannot turn.*want a perspective one"
done
gives 2 trace cloud=50 --size 8x8 --orbit 4 -o never.png
says 'orthographic'
for frames in 0 -3 100001 1.5 many; do gives 2 trace "${near[@]}" --orbit $frames -o never.png; done
gives 2 trace "${near[@]}" --orbit 4 -o -
says 'stdout takes one picture'
gives 2 trace "${near[@]}" --json - -o -
says 'both write standard output'

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
gives 2 trace spheres -o never.png --look whitted --depth 17 # paths may be of any length, but not these
says 'depth of 1 to 16, not 17'
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
gives 2 trace spheres --simulate 1 -o never.png
says 'spheres has no bodies that attract each other; want galaxy'
gives 2 trace galaxy=300 --simulate soon -o never.png

# Bodies move on: before a picture, and from frame to frame, to the same places.
mkdir film
gives 0 trace galaxy=300 --size 40x30 -o begun.ppm
gives 0 trace galaxy=300 --size 40x30 --simulate 0.5s -o later.ppm
says ' 30 steps, 0.6 of the scene'
refute "they have moved" cmp -s begun.ppm later.ppm
gives 0 trace galaxy=300 --size 40x30 --simulate 1 --orbit 2 -o film/out.ppm
holds film out-0001.ppm out-0002.ppm
check "a film begins with the beginning" cmp -s begun.ppm film/out-0001.ppm
gives 0 trace galaxy=300,gravity=substeps=2:step=0.01 --size 40x30 --simulate 0.5 -o finer.ppm
says ' 60 steps, 0.6 of the scene'

check "no failure leaves a file" test -z "$(ls -A | grep never)"
finish
