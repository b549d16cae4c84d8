# test_live.sh: glint view --listen: pictures that other programs send are shown, filtered and compared while they change.
source "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
tests=$(dirname "$(realpath "${BASH_SOURCE[0]}")")/..
send() { timeout 120 python3 "$tests/cli/tev.py" "$@" || complain "tev.py $*"; }
seeds=$tests/fuzz/seeds/tev

# A light of 0.5 fills a picture of this size; and what a chain makes of it.
flat() { # FILE WIDTH HEIGHT VALUE
    python3 -c 'import struct, sys
file, w, h, v = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
open(file, "wb").write(b"PF\n%d %d\n-1.0\n" % (w, h) + struct.pack("<f", v) * (3 * w * h))' "$@"
}

# listening COMMAND... -- ARGUMENTS...: a window that runs these commands; $port is its port.
listening() {
    : >commands
    while [ "$1" != -- ]; do
        echo "$1" >>commands
        shift
    done
    shift
    : >.err
    "$glint" view --listen=127.0.0.1:0 --overwrite --script commands "$@" </dev/null >.out 2>.err &
    viewer=$!
    patiently grep -q listening .err
    port=$(sed -n 's/.*listening on 127.0.0.1:\([0-9]*\) .*/\1/p' .err)
}

# becomes FILE: the window's result, which it writes again and again, is this picture sooner or later.
becomes() {
    checks=$((checks + 1))
    patiently cmp -s now.pfm "$1" || complain "the window does not show $1"
}

display -screen 0 1280x800x24
picture one.ppm 97 61 1
flat one.pfm 97 61 0.75
for file in 'half 0.5' 'quarter 0.25'; do
    flat "${file% *}.pfm" 64 48 "${file#* }"
done
flat other.pfm 32 24 0.5
for file in one half quarter other; do
    run batch --quiet brightness=0.25 $file.pfm -o $file-bright.pfm
done
mapfile -t often < <(for i in $(seq 3000); do printf '%s\n' 'wait 0.05' 'frame now.pfm'; done)
listening "${often[@]}" -- --filter brightness=0.25 one.pfm

# A picture comes, and is shown behind the chain; its last update is what the window has. So is another one's, of another
# size, and again the first's.
becomes one-bright.pfm
send update "$port" render 64 48 0.125 0.75 0.5
becomes half-bright.pfm
send update "$port" other 32 24 0.5
becomes other-bright.pfm
send update "$port" render 64 48 0.5 0.25
becomes quarter-bright.pfm

# pbrt sends a packet for each channel of a tile.
send pbrt "$port" scene.pbrt 300 150 3 pbrt.pfm
run batch --quiet brightness=0.25 pbrt.pfm -o pbrt-bright.pfm
becomes pbrt-bright.pfm

# tevclient (pip), where there is one: a picture in tiles, a drawing over it, and its end.
if python3 -c 'import tevclient, numpy' 2>/dev/null; then
    python3 - "$port" <<'END' || complain "tevclient"
import sys, numpy, tevclient
with tevclient.Ipc("127.0.0.1", int(sys.argv[1])) as ipc:
    ipc.create_image("tevclient", 300, 150, ["R", "G", "B"])
    for value in 0.125, 0.5:
        ipc.update_image("tevclient", numpy.full((150, 300, 3), value, numpy.float32), ["R", "G", "B"])
    ipc.update_vector_graphics("tevclient", [tevclient.vg_begin_path(), tevclient.vg_rect(1, 2, 3, 4), tevclient.vg_fill()])
END
    flat tevclient.pfm 300 150 0.5
    run batch --quiet brightness=0.25 tevclient.pfm -o tevclient-bright.pfm
    becomes tevclient-bright.pfm
    python3 -c 'import sys, tevclient
with tevclient.Ipc("127.0.0.1", int(sys.argv[1])) as ipc:
    ipc.close_image("tevclient")' "$port" || complain "tevclient closes"
    becomes pbrt-bright.pfm
fi

# Bytes that are no packets close their connection, and nothing else.
printf '\6\0\0\0\143\1' >bad
send send "$port" bad
send send "$port" "$seeds/update" "$seeds/create-layers" "$seeds/draw"
send update "$port" render 64 48 0.5
becomes half-bright.pfm

# A picture that is closed leaves the list, and the window shows the one next to it: they are one, render, other, layers.
send send "$port" "$seeds/close"
becomes other-bright.pfm

# Another program opens a file.
python3 - "$work/one.pfm" <<'END'
import struct, sys
body = b"\7\1" + sys.argv[1].encode() + b"\0\0"
open("open", "wb").write(struct.pack("<I", len(body) + 4) + body)
END
send send "$port" open
becomes one-bright.pfm
kill "$viewer"
wait "$viewer" 2>/dev/null
viewer=

# A kept picture is compared with what comes later: 0.5 on the left is code 188 of sRGB, 0.25 on the right 137.
listening 'frame begin.ppm' 'wait 5' 'frame first.pfm' 'key K' 'frame kept.pfm' 'wait 5' 'frame second.pfm' \
    'frames 2' 'screenshot split.png' quit -- one.ppm
await begin.ppm
send update "$port" render 64 48 0.5
await kept.pfm
send update "$port" other 64 48 0.25
ended
same first.pfm half.pfm
same second.pfm quarter.pfm
run batch --quiet --overwrite '' split.png -o split.ppm
check "both sides are seen" python3 - <<'END'
data = open("split.ppm", "rb").read()[-1280 * 800 * 3:]
pixels = [data[i:i + 3] for i in range(0, len(data), 3)]
near = lambda code: sum(all(abs(c - code) <= 1 for c in pixel) for pixel in pixels)
assert near(188) > 10000 and near(137) > 10000, (near(188), near(137))
END

# Drawings lie over the picture, with their hole, and grow with it. A square of 40 around one of 20 is red. Blue covers a bow
# tie of 100 pixels by half. A white line is 12 x 2. At 125 % all are 1.5625 times as large.
listening 'wait 4' overlay overlay reset-view 'frames 2' 'screenshot drawn.png' zoom-in 'frames 2' 'screenshot large.png' \
    reset-view hide-drawings 'frames 2' 'screenshot hidden.png' hide-drawings 'filter rotate=90' 'frames 2' \
    'screenshot turned.png' quit -- one.ppm
send update "$port" render 64 48 0.25
send send "$port" "$seeds/draw-shapes"
ended
for file in drawn large hidden turned; do
    run batch --quiet --overwrite '' $file.png -o $file.ppm
done
cat >counts.py <<'END'
import sys
red, blue, white = (int(text) for text in sys.argv[2:5])
data = open(sys.argv[1], "rb").read()[-1280 * 800 * 3:]
pixels = [data[i:i + 3] for i in range(0, len(data), 3)]
near = lambda *want: sum(all(abs(c - d) <= 1 for c, d in zip(pixel, want)) for pixel in pixels)
got = near(255, 0, 0), near(68, 68, 196), near(255, 255, 255)
# Pixels on the edges of the bow tie, and of all at 125 %, are mixtures.
slack = int(sys.argv[5])
assert red - 5 * slack <= got[0] <= red and blue - 40 - slack <= got[1] <= blue and white - slack <= got[2] <= white, got
END
check "a drawing is over the picture" python3 counts.py drawn.ppm 1200 100 24 0
check "it grows with the picture" python3 counts.py large.ppm 1875 157 38 40
check "it is hidden" python3 counts.py hidden.ppm 0 0 0 0
check "it turns with the picture" python3 counts.py turned.ppm 1200 100 24 0

# Ratings and exports are of files: those of a selection have them, and other programs' pictures are left out.
for what in 'export-panel|export|tev:render is in no file, and exports read files' \
    'rate 3|rate 3|the rating is not kept: edits and ratings are kept next to files' \
    'select-all|rate 3|' 'export-set pictures=unrejected|export|'; do
    IFS='|' read -r before action words <<<"$what"
    rm -f ./*-export.* ./*.glint
    keeps=yes listening 'wait 4' "$before" "$action" quit -- --keep one.ppm
    send update "$port" render 64 48 0.5
    wait "$viewer"
    status=$? viewer=
    [ -z "$words" ] || { says "$words"; continue; }
    check "$action of the file alone" [ "$status" = 0 ]
done

# Other machines need a token, and it needs somebody who listens.
gives 2 view --listen=0.0.0.0:0
says 'want a token'
gives 2 view --listen-token 'a secret word'
says '--listen'
gives 2 view --listen 127.0.0.1:7
says '--listen=127.0.0.1:7'
gives 2 view --listen=nonsense:port
says 'want HOST:PORT'
finish
