#!/usr/bin/env bash
# figures: layers of EXRs, backgrounds, lines and words of glint trace, against rays and sums made elsewhere.
. "$(dirname "$0")/lib.sh"
tests=$GLINT_SOURCE_DIR/tests/cli
command -v python3 >/dev/null || { echo "SKIPPED: no python3"; exit 77; }
"$glint" list formats | grep -q '^exr.*saves' || { echo "SKIPPED: built without OpenEXR"; exit 77; }
export PYTHONPATH=$tests PYTHONDONTWRITEBYTECODE=1
cpu=(--backend cpu --quiet)

# ---- layers ----

cat >three.scene <<'EOF'
glint-scene 2
camera 0 1 8  0 1 0  0 1 0  35
sky gradient 0.7 0.7 0.7  0.7 0.7 0.7
light sun -1 2 1  1.6 1.5 1.4
material glass 0 1 400 0 1.5 0.95 0
material metal 0.1 0.8 0 0.1 1 0 0
ground 0 2  0.8 0.8 0.8  0.3 0.3 0.3
sphere -1.5 1 0 1  0.9 0.4 0.1
sphere 1.5 1 0 1  0.6 0.8 1  2
sphere 0 0.6 1.5 0.6  1 1 1  1
triangle -3 0 -2  3 0 -2  0 3 -2  0.2 0.8 0.3
EOF
gives 0 trace three.scene --look paths --samples 1 --size 61x40 --layers all -o layers.exr "${cpu[@]}"
check "layers are what rays see: $(python3 "$tests/layers.py" layers.exr)" python3 "$tests/layers.py" layers.exr
gives 0 trace three.scene --look paths --samples 1 --size 61x41 --camera orthographic=unit=0.07:y=1 --layers all -o flat.exr "${cpu[@]}"
check "so from infinity: $(python3 "$tests/layers.py" flat.exr orthographic)" python3 "$tests/layers.py" flat.exr orthographic
gives 0 trace three.scene --look paths --samples 1 --size 61x40 -o plain.exr "${cpu[@]}"
gives 0 batch '' layers.exr -o back.pfm "${cpu[@]}"
gives 0 batch '' plain.exr -o plain.pfm "${cpu[@]}"
check "the picture is what it is without them" cmp -s back.pfm plain.pfm
gives 0 trace three.scene --look whitted --size 16x16 --layers depth,id -o two.exr "${cpu[@]}"
check "the layers asked for" python3 -c 'import exr_planes as e; assert sorted(e.read("two.exr")[3]) == ["B", "G", "R", "Z", "id"]'
gives 0 trace three.scene --look paths --samples 1 --size 16x16 --layers id --orbit 2 -o turn.exr "${cpu[@]}"
check "of each frame" python3 -c 'import exr_planes as e; assert e.read("turn-0001.exr")[3]["id"] != e.read("turn-0002.exr")[3]["id"]'

gives 2 trace three.scene --look paths --layers all -o x.png
check "the format is named" grep -q 'want -o NAME.exr' .err
gives 2 trace three.scene --layers depth -o x.exr
gives 2 trace three.scene --look paths --layers depths -o x.exr
check "the layers are named" grep -q 'depth, normal, albedo, id, objects, materials, all' .err
gives 2 trace three.scene --look paths --layers id --filter resize=8x8 --size 16x16 -o x.exr
GLINT_MEMORY=8M gives 3 trace three.scene --look paths --size 512x512 --layers all -o x.exr "${cpu[@]}"
check "nothing is half written" test ! -e x.exr -a ! -e x.png

# ---- backgrounds ----

# A background in the colour of an even sky, 0.7 of light, is that sky: to the last sample.
light=(--look paths --samples 8 --size 61x40)
gives 0 trace three.scene "${light[@]}" -o sky.exr "${cpu[@]}"
gives 0 trace three.scene "${light[@]}" --background d9d9d9 -o same.exr "${cpu[@]}"
gives 0 trace three.scene "${light[@]}" --background none -o clear.exr "${cpu[@]}"
cat >backgrounds.py <<'EOF'
import exr_planes
sky, same, clear = (exr_planes.read(name + ".exr")[3] for name in ("sky", "same", "clear"))
gray = ((0xD9 / 255 + 0.055) / 1.055) ** 2.4  # IEC 61966-2-1
assert {0.0, 1.0} < set(clear["A"]) and len(set(clear["A"])) > 4
for c in "RGB":
    for a, b, share, alpha in zip(sky[c], same[c], clear[c], clear["A"]):
        assert abs(a - (b + (0.7 - gray) * (1 - alpha))) < 1e-5
        assert abs(share + gray * (1 - alpha) - b) < 1e-5
EOF
check "backgrounds take the place of the sky" python3 backgrounds.py
gives 0 trace three.scene "${light[@]}" --background none -o clear.png "${cpu[@]}"
check "a PNG has alpha" test "$(od -An -tu1 -j25 -N1 clear.png)" -eq 6
gives 3 trace three.scene "${light[@]}" --background none -o clear.jpg "${cpu[@]}"
gives 2 trace three.scene --background none -o x.png
gives 2 trace three.scene --look paths --background pink -o x.png
check "colours are explained" grep -q 'want none, white, black, or a colour as in ff8800' .err

# Filters act on the figure, alpha and all, as glint batch has them. Words come behind them.
gives 0 trace three.scene "${light[@]}" --background none --filter gaussian=2 -o soft.png "${cpu[@]}"
gives 0 batch gaussian=2 clear.png -o blurred.png "${cpu[@]}"
gives 0 batch '' soft.png -o soft.pam "${cpu[@]}"
gives 0 batch '' blurred.png -o blurred.pam "${cpu[@]}"
check "filters act on the figure" cmp -s soft.pam blurred.pam
gives 0 trace three.scene "${light[@]}" --background none --filter gaussian=2 -o soft.exr "${cpu[@]}"
gives 0 batch gaussian=2 clear.exr -o blurred.exr "${cpu[@]}"
cat >filtered.py <<'EOF'
import exr_planes
soft, blurred, clear = (exr_planes.read(name + ".exr")[3] for name in ("soft", "blurred", "clear"))
assert soft["A"] != clear["A"] and 0 < max(soft["A"]) <= 1.00001
for c in "RGBA":
    assert all(abs(a - b) < 1e-5 for a, b in zip(soft[c], blurred[c])), c
EOF
check "in light, too" python3 filtered.py
gives 0 trace three.scene "${light[@]}" --background white --filter resize=30:20 -o small.ppm "${cpu[@]}"
check "filters change the size" test "$(head -c 5 <(tail -n +2 small.ppm))" = '30 20'
gives 2 trace three.scene "${light[@]}" --background white --filter resize=30:20 --annotate box -o x.png
check "words do not follow them there" grep -q 'want ones that leave the size' .err
gives 2 trace three.scene --look figures -o x.png
says 'no look "figures"; there is .*paths, figure'
gives 2 trace three.scene --look paths --shadow -o x.png

# ---- lines ----

# The ball has a radius of 60 pixels. A line of 2 pixels around it covers 2 pi 60 2 of them, half of these outside.
printf 'glint-scene 1\nsphere 0 0 0 60 1 1 1\n' >ball.scene
gives 0 trace ball.scene --look figure --samples 4 --size 160x160 --outline 2 --background none -o line.exr "${cpu[@]}"
gives 0 trace ball.scene --look figure --samples 4 --size 160x160 --background none -o bare.exr "${cpu[@]}"
cat >lines.py <<'EOF'
import math
import exr_planes
_, _, _, line = exr_planes.read("line.exr")
_, _, _, bare = exr_planes.read("bare.exr")
outside = sum(line["A"]) - sum(bare["A"])
assert abs(outside / (2 * math.pi * 60.5) - 1) < 0.05, outside
dark = sum(b > 0.1 and l < 0.01 for l, b in zip(line["G"], bare["G"]))
assert abs(dark / (2 * math.pi * 59.5) - 1) < 0.3, dark
assert line["G"][80 * 160 + 80] == bare["G"][80 * 160 + 80]
EOF
check "a line is as wide as it was asked for" python3 lines.py

# A roof of two triangles, a square of two, and two parallel squares: one mesh each. Lines are at the ridge, which turns by
# 90 degrees, and before the farther square; none is across a plane.
triangles() { printf 'glint-scene 2\n'; while read -r points; do printf 'triangle %s  1 1 1\n' "$points"; done; }
triangles >roof.scene <<<$'-40 -40 -40  0 -40 0  0 40 0\n-40 -40 -40  0 40 0  -40 40 -40\n40 -40 -40  0 40 0  0 -40 0\n40 -40 -40  40 40 -40  0 40 0'
triangles >steps.scene <<<$'-40 -40 0  0 -40 0  0 40 0\n-40 -40 0  0 40 0  -40 40 0\n-10 -40 -50  40 -40 -50  40 40 -50\n-10 -40 -50  40 40 -50  -10 40 -50'
for name in roof steps; do
    for crease in 60 120; do
        gives 0 trace $name.scene --look figure --samples 1 --size 100x100 --outline 2 --crease $crease --background none -o $name-$crease.exr "${cpu[@]}"
    done
    gives 0 trace $name.scene --look figure --samples 1 --size 100x100 --outline 2 --background none -o $name-bare.exr "${cpu[@]}"
done
cat >creases.py <<'EOF'
import exr_planes
def ink(name):  # how much of the row through the middle is black, in pixels
    line, bare = (exr_planes.read(n + ".exr")[3]["G"][50 * 100 : 51 * 100] for n in (name, name.split("-")[0] + "-bare"))
    return sum(1 - l / b for l, b in zip(line[15:85], bare[15:85])), line[50] / bare[50]
for name, wide in (("roof-60", 2), ("roof-120", 0), ("steps-60", 2), ("steps-120", 2)):
    pixels, middle = ink(name)
    assert abs(pixels - wide) < 0.3 and middle == (wide == 0), (name, pixels, middle)
EOF
check "creases are where meshes turn, and stand before themselves" python3 creases.py
gives 2 trace roof.scene --look figure --crease 30 -o x.png
check "creases want a width" grep -q 'want --outline W, too' .err

# Two balls have one colour. The far one fades into the background.
printf 'glint-scene 1\nsphere -40 0 0 30 1 0 0\nsphere 40 0 -500 30 1 0 0\n' >two.scene
gives 0 trace two.scene --look figure --samples 4 --size 160x80 --cue 1 -o cue.ppm "${cpu[@]}"
# at FILE X Y WIDTH HEIGHT: a pixel of a binary PPM.
at() { tail -c +$(($(stat -c %s "$1") - $4 * $5 * 3 + ($3 * $4 + $2) * 3 + 1)) "$1" | head -c 3 | od -An -tu1 | xargs; }
read -r red green _ <<<"$(at cue.ppm 40 40 160 80)"
check "the near one is red: $red $green" test "$red" -gt 200 -a "$green" -lt 20
read -r red green _ <<<"$(at cue.ppm 120 40 160 80)"
check "the far one is nearly white: $red $green" test "$green" -gt 230

# ---- shadows ----

printf 'glint-scene 2\ncamera 0 3 10  0 0.5 0  0 1 0  40\nsphere 0 1 0 1  0.9 0.4 0.1\n' >one.scene
gives 0 trace one.scene --look figure --samples 64 --size 80x60 --shadow --background none -o shadow.exr "${cpu[@]}"
cat >shadows.py <<'EOF'
import exr_planes
width, height, _, planes = exr_planes.read("shadow.exr")
alpha = lambda x, y: planes["A"][y * width + x]
assert alpha(2, 2) == 0 and alpha(40, 2) == 0, "sky"
assert alpha(40, 26) > 0.999, "the ball"
left = sum(alpha(x, 57) for x in range(5)) / 5
assert left < 0.1, f"open ground: {left}"
right, left = (sum(alpha(x, y) for x in columns for y in (32, 33)) for columns in (range(46, 52), range(28, 34)))
assert right > 2 * left, f"a shadow to the right: {right}, {left}"
assert all(planes[c][33 * width + 49] == 0 for c in "RGB"), "it is black"
EOF
check "the ground is its shadow" python3 shadows.py

# ---- words ----

printf 'x,y,z,speed\n0,0,0,0\n4,0,0,1\n0,3,0,2\n4,3,2,4\n' >gas.csv
view=(--camera perspective=x=12:y=8:z=14:to_x=2:to_y=1.5:to_z=1:angle=40 --size 320x240)
gives 0 trace gas.csv:radius=0.5:color=speed:range=0:4 "${view[@]}" -o bare.ppm "${cpu[@]}"
gives 0 trace gas.csv:radius=0.5:color=speed:range=0:4 "${view[@]}" --annotate 'bar=speed (m/s)' -o bar.ppm "${cpu[@]}"
cat >bars.py <<'EOF'
def rows(name):
    data = open(name, "rb").read()[-320 * 240 * 3 :]
    return [[tuple(data[3 * (y * 320 + x) :][:3]) for x in range(320)] for y in range(240)]
# viridis of matplotlib 3.11 at 0.02, 0.25, 0.5, 0.75, 0.98: two rows of either end are the frame's
viridis = [(70, 8, 92), (59, 82, 139), (33, 145, 140), (94, 201, 98), (241, 229, 29)]
bar, bare = rows("bar.ppm"), rows("bare.ppm")
changed = [(x, y) for y in range(240) for x in range(320) if bar[y][x] != bare[y][x]]
near = lambda a, b: max(abs(p - q) for p, q in zip(a, b)) <= 8
column = [x for x in range(160, 320) if sum(any(near(bar[y][x], c) for c in viridis) for y in range(240)) > 8][0] + 3
colours = [y for y in range(240) if bar[y][column] != bare[y][column] and max(bar[y][column]) - min(bar[y][column]) > 40]
top, bottom = colours[0], colours[-1]
assert 100 < bottom - top < 116, (top, bottom)
for i, colour in enumerate(viridis):
    y = min(max(round(bottom - (bottom - top) * i / 4), top + 2), bottom - 2)
    assert near(bar[y][column], colour), (i, bar[y][column])
assert any(y < top for _, y in changed) and any(x > column + 20 for x, _ in changed), "title and numbers"
assert min(x for x, _ in changed) > 160, "the rest is as it was"
EOF
if [ "$status" -eq 0 ]; then check "a bar has the map's colours" python3 bars.py; fi
gives 0 trace gas.csv:radius=0.5:color=speed "${view[@]}" --annotate box -o box.ppm "${cpu[@]}"
gives 0 trace gas.csv:radius=0.5:color=speed "${view[@]}" -o bare.ppm --overwrite "${cpu[@]}"
lines=$(cmp -l bare.ppm box.ppm | wc -l)
check "a box is drawn: $lines" test "$lines" -gt 1000 -a "$lines" -lt 20000
gives 0 trace gas.csv:radius=0.5:color=speed "${view[@]}" --look figure --samples 1 --annotate box --filter invert -o words.ppm "${cpu[@]}"
gives 0 trace gas.csv:radius=0.5:color=speed "${view[@]}" --look figure --samples 1 --filter invert -o inverse.ppm "${cpu[@]}"
cat >words.py <<'EOF'
words, inverse = (open(name, "rb").read()[-320 * 240 * 3 :] for name in ("words.ppm", "inverse.ppm"))
changed = [i for i in range(0, len(words), 3) if words[i : i + 3] != inverse[i : i + 3]]
assert 1000 < len(changed) < 20000, len(changed)
assert max(words[i] for i in changed) > 240, "lines on black are white: no filter has changed them"
EOF
check "words stand behind the filters" python3 words.py
gives 2 trace three.scene --annotate bar -o x.png
check "a bar wants a map" grep -q 'color=COLUMN' .err
gives 2 trace gas.csv --annotate bars -o x.png
check "annotations are named" grep -q 'bar=TITLE, axes, axes=UNIT, box' .err

# A film of frames is the pictures of the frames.
frame() { printf '2\nProperties=species:S:1:pos:R:3:speed:R:1\nC 0 0 0 %s\nO 3 0 0 %s\n' "$1" "$2"; }
{ frame 0 4; frame 4 1; } >run.xyz
figure=(--look figure --samples 4 --size 120x80 --camera perspective=z=12:to_x=1.5:angle=40 --annotate box,bar --outline 1 "${cpu[@]}")
gives 0 trace run.xyz:color=speed:range=0:4 "${figure[@]}" --frames 1:2 -o film.ppm
gives 0 trace run.xyz:color=speed:range=0:4:frame=2 "${figure[@]}" -o second.ppm
check "the second frame of a film is the second frame" cmp -s film-0002.ppm second.ppm
refute "and not the first" cmp -s film-0001.ppm second.ppm
finish
