#!/usr/bin/env bash
# docs/particles.md is true: its commands make pictures of a run, a protein and a point cloud that tools/particles makes.
. "$(dirname "$0")/lib.sh"
tree=$GLINT_SOURCE_DIR
command -v python3 >/dev/null || { echo "SKIPPED: no python3"; exit 77; }
"$glint" list formats | grep -q '^exr.*saves' || { echo "SKIPPED: built without OpenEXR"; exit 77; }
[ -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf ] || { echo "SKIPPED: no DejaVu Sans"; exit 77; }
mkdir run
last="tools/particles"
check "the page's commands run" "$tree/tools/particles" "$glint" run >.out 2>.err
check "512 atoms" grep -qx 512 run/melt.dump
for picture in melt helix hills cut-out; do
    check "$picture.png" test "$(head -c 4 run/$picture.png | tail -c 3)" = PNG
done
check "the one for slides has alpha" test "$(od -An -tu1 -j25 -N1 run/cut-out.png)" -eq 6
check "the others have none" test "$(od -An -tu1 -j25 -N1 run/helix.png)" -eq 2
PYTHONPATH=$tree/tests/cli check "atoms have masks" python3 -B -c '
import exr_planes
_, _, texts, planes = exr_planes.read("run/helix.exr")
assert b"sphere=90" in texts["cryptomatte/3ae39a5/manifest"] and max(planes["id"]) <= 90'

# Neighbours in the helix are 1.5 Angstrom apart along its axis, with 100 degrees between them (Pauling, Corey and Branson 1951).
check "it is an alpha helix" python3 - <<'EOF'
import math
atoms = [(float(l[30:38]), float(l[38:46]), float(l[46:54])) for l in open("run/helix.pdb") if l[12:16].strip() == "CA"]
assert abs((atoms[-1][0] - atoms[0][0]) / 17 - 1.5) < 0.1
turns = [math.atan2(z, y) for _, y, z in atoms]
steps = [math.degrees((b - a) % (2 * math.pi)) for a, b in zip(turns, turns[1:])]
mean = sum(steps) / len(steps)
assert min(abs(mean - 100), abs(mean - 260)) < 6, mean
EOF

# The page has its pictures, and they are small.
for picture in $(grep -o 'particles/[a-z-]*\.jpg' "$tree/docs/particles.md"); do
    check "$picture" test "$(head -c 2 "$tree/docs/$picture" | od -An -tx1)" = " ff d8"
done
check "they are small" test "$(cat "$tree"/docs/particles/*.jpg | wc -c)" -lt 120000
finish
