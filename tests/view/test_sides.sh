# test_sides.sh: before and after lie in their own places, whatever the chain does to the picture's size, and labels say so.
source "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }

# a.ppm and b.ppm differ in size. A pixel's colour tells its place.
python3 - <<'END'
def save(name, width, height, colour):
    with open(name, "wb") as file:
        file.write(b"P6\n%d %d\n255\n" % (width, height))
        file.write(bytes(c for y in range(height) for x in range(width) for c in colour(x, y)))
save("a.ppm", 90, 60, lambda x, y: (20 + 2 * x, 30 + 3 * y, (x * 7 + y * 13) % 200))
save("c.ppm", 90, 60, lambda x, y: (240 - 2 * x, 30 + 2 * y, (x * 3 + y * 11) % 210))
save("b.ppm", 70, 80, lambda x, y: (250 - 2 * x, 40 + 2 * y, (x * 5 + y * 3) % 180))
END
# sides.py SHOT X Y WHAT...: the result's corner lies at X Y of the window's picture. WHAT says which pixels are there.
# `source MAP W H`: the source's on the result's W x H pixels; `around MAP W H`: everywhere. `split RESULT MAP W H AT`: left
# of column AT the source's, right of it those of RESULT. `apart RESULT MAP W H`: how far both are apart, within one. MAP
# takes x, y of the result to the source, which is $SOURCE or a.ppm; beyond its ends is the ground. Pixels near a split's
# handle and where labels lie are passed over.
cat >sides.py <<'END'
import os, sys
def load(name):
    with open(name, "rb") as file:
        data = file.read()
    head = data.split(maxsplit=4)
    width, height = int(head[1]), int(head[2])
    pixels = data[-3 * width * height:]
    return width, height, lambda x, y: tuple(pixels[3 * (y * width + x):3 * (y * width + x) + 3])
shot_width, shot_height, shot = load(sys.argv[1])
left, top, what = int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
rest = sys.argv[5:]
result = load(rest.pop(0))[2] if what in ("split", "apart") else None
place = eval("lambda x, y: (" + rest[0] + ")")
width, height = int(rest[1]), int(rest[2])
at = int(rest[3]) if what == "split" else None
source_width, source_height, source = load(os.environ.get("SOURCE", "a.ppm"))
ground = shot(20, 60)
checked = wrong = 0
for wy in range(50, 210):
    for wx in range(0, shot_width):
        x, y = wx - left, wy - top
        inside = 0 <= x < width and 0 <= y < height
        if at is not None and abs(wx - at) < 20:
            continue
        if at is not None and wx > at:
            want = result(x, y) if inside else ground
        else:
            u, v = place(x, y)
            there = 0 <= u < source_width and 0 <= v < source_height and (inside or what == "around")
            want = source(u, v) if there else ground
            if there and what == "apart":
                want = tuple(abs(a - b) for a, b in zip(want, result(x, y)))
        checked += want != ground
        wrong += max(abs(a - b) for a, b in zip(shot(wx, wy), want)) > (what == "apart")
sys.exit(0 if wrong == 0 and checked > 200 else "%d of %d pixels are wrong" % (wrong, checked))
END
# lies SHOT ...: as sides.py has it.
lies() {
    run batch --quiet --overwrite "" "$1.png" -o "$1.ppm"
    checks=$((checks + 1))
    why=$(python3 sides.py "$1.ppm" "${@:2}" 2>&1) || complain "$1: $why"
}
display -screen 0 1280x800x24

# Each row: the chain (_ is a space), the width and height of its result, and the places of its pixels in the picture. They
# are worked out by hand.
while read -r name chain width height place; do
    chain=${chain//_/ }
    run batch --quiet --overwrite "$chain" a.ppm -o result.ppm
    script 0 'size 400x300' 'key Tab' 'open a.ppm' "filter $chain" 'view 160 110 1' 'key Space' 'frames 1' \
        "screenshot $name-held.png" 'release Space' 'split' 'split-at 0.5' 'frames 1' "screenshot $name-split.png" \
        'split' 'difference' 'frames 1' 'difference-view colours' 'frames 1' "screenshot $name-apart.png" quit
    lies "$name-held" 160 110 around "$place" "$width" "$height"
    lies "$name-split" 160 110 split result.ppm "$place" "$width" "$height" 200
    [ $name = resize ] || lies "$name-apart" 160 110 apart result.ppm "$place" "$width" "$height"
done <<'END'
crop crop=60:40:10:12,invert 60 40 x + 10, y + 12
flip flip,invert 90 60 89 - x, y
turn rotate=90,invert 60 90 y, 59 - x
pad pad=6,invert 102 72 x - 6, y - 6
resize resize=180:120:by=nearest,invert 180 120 x // 2, y // 2
warp warp='1_0_7_0_1_-5',invert 90 60 x - 7, y + 5
perspective perspective='20_20;80_20;80_80;20_80':size=part,invert 54 36 x + 18, y + 12
END

# A lens bends the picture: no map leads back, and the window shows the result alone, with every comparison.
run batch --quiet --overwrite distort=k1=0.4,invert a.ppm -o bent.ppm
script 0 'size 400x300' 'key Tab' 'open a.ppm' 'filter distort=k1=0.4,invert' 'view 160 110 1' 'split' 'frames 1' \
    'screenshot bent-split.png' 'key Space' 'frames 1' 'screenshot bent-held.png' 'release Space' 'flicker' 'frames 1' \
    'screenshot bent-turns.png' 'wait 0.5' 'screenshot bent-turns2.png' 'difference' 'frames 1' \
    'screenshot bent-apart.png' quit
for shot in split held turns turns2 apart; do
    SOURCE=bent.ppm lies bent-$shot 160 110 source 'x, y' 90 60
done

# In turns each side is seen, in its place: of six pictures in more than a second one shows the source, one the result.
script 0 'size 400x300' 'key Tab' 'open a.ppm' 'filter crop=60:40:10:12,invert' 'view 160 110 1' 'flicker' \
    'screenshot 1.png' 'wait 0.2' 'screenshot 2.png' 'wait 0.2' 'screenshot 3.png' 'wait 0.2' 'screenshot 4.png' \
    'wait 0.2' 'screenshot 5.png' 'wait 0.2' 'screenshot 6.png' quit
run batch --quiet --overwrite crop=60:40:10:12,invert a.ppm -o result.ppm
sources=0 results=0
for shot in 1 2 3 4 5 6; do
    run batch --quiet --overwrite "" $shot.png -o $shot.ppm
    python3 sides.py $shot.ppm 160 110 source 'x + 10, y + 12' 60 40 2>/dev/null && sources=$((sources + 1))
    python3 sides.py $shot.ppm 160 110 split result.ppm 'x, y' 60 40 -20 2>/dev/null && results=$((results + 1))
done
check "flickering shows both sides" [ $((sources * results)) -gt 0 -a $((sources + results)) -eq 6 ]

# A snapshot of one crop, and another crop of the same picture: both lie where the picture has them.
run batch --quiet --overwrite crop=60:40:10:12 a.ppm -o kept.ppm
run batch --quiet --overwrite crop=60:40:0:0,invert a.ppm -o result.ppm
script 0 'size 400x300' 'key Tab' 'open a.ppm' 'filter crop=60:40:10:12' 'keep' 'filter crop=60:40:0:0,invert' \
    'view 160 110 1' 'split-at 0.5' 'frames 1' 'screenshot kept-split.png' 'key Space' 'frames 1' 'screenshot kept-held.png' \
    'release Space' 'difference' 'frames 1' 'difference-view colours' 'frames 1' 'screenshot kept-apart.png' quit
SOURCE=kept.ppm lies kept-split 160 110 split result.ppm 'x - 10, y - 12' 60 40 200
SOURCE=kept.ppm lies kept-held 160 110 around 'x - 10, y - 12' 60 40
SOURCE=kept.ppm lies kept-apart 160 110 apart result.ppm 'x - 10, y - 12' 60 40

# Two files of one size are compared pixel by pixel. If they differ in size, the window shows the file that it names,
# whole, with every comparison. Side by side shows both.
script 0 'size 400x300' 'key Tab' 'open a.ppm' 'keep' 'open c.ppm' 'view 160 110 1' 'split-at 0.5' 'frames 1' \
    'screenshot files-split.png' 'difference' 'frames 1' 'difference-view colours' 'frames 1' 'screenshot files-apart.png' quit
lies files-split 160 110 split c.ppm 'x, y' 90 60 200
lies files-apart 160 110 apart c.ppm 'x, y' 90 60
script 0 'size 400x300' 'key Tab' 'open a.ppm' 'keep' 'open b.ppm' 'view 160 110 1' 'split-at 0.5' 'frames 1' \
    'screenshot sizes-split.png' 'key Space' 'frames 1' 'screenshot sizes-held.png' 'release Space' 'flicker' 'frames 1' \
    'screenshot sizes-turns.png' 'wait 0.5' 'screenshot sizes-turns2.png' 'difference' 'frames 1' \
    'screenshot sizes-apart.png' 'side-by-side' 'view 260 110 1' 'frames 1' 'screenshot sizes-sides.png' quit
for shot in split held turns turns2 apart; do
    SOURCE=b.ppm lies sizes-$shot 160 110 source 'x, y' 70 80
done
# b.ppm is 70 x 80, so that a.ppm has 70 x 47 pixels' room: its edges at 0, from 16 to 63 down. Its middle is the same.
run batch --quiet --overwrite "" sizes-sides.png -o sides.ppm
run batch --quiet --overwrite crop=1:1:294:149 sides.ppm -o right.ppm
run batch --quiet --overwrite crop=1:1:94:149 sides.ppm -o left.ppm
check "the right side is b.ppm" [ "$(tail -c 3 right.ppm | od -An -tu1 | tr -s ' ')" = " 182 118 107" ]
check "the left side is a.ppm" [ "$(tail -c 3 left.ppm | od -An -tu1 | awk '{ print ($1 - 108) ^ 2 + ($2 - 117) ^ 2 < 30 }')" = 1 ]

# A channel alone, false colours and floats have their own programs, here as elsewhere.
python3 -c 'import struct
open("a.pfm", "wb").write(b"PF\n90 60\n-1.0\n" + struct.pack("<16200f", *(i % 97 / 97 for i in range(16200))))'
for file in a.ppm a.pfm; do
    script 0 'size 400x300' "open $file" 'filter rotate=20,invert' 'split' 'key F' 'frames 1' 'key F' 'key C' 'frames 1' \
        'difference' 'frames 1' 'view 100 90 3' 'frames 1' 'screenshot graded.png' quit
    shown graded.png 400 300
done
finish
