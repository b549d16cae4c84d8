#!/usr/bin/env bash
# Frames of particles as films: each picture is the one that its frame gives alone, and the page's commands are true.
. "$(dirname "$0")/lib.sh"
tree=$GLINT_SOURCE_DIR
cp "$tree"/tests/particles/{run.dump,slab.xyz,run.gro,models.pdb,c.npy} .
look=(--camera orthographic=unit=0.2 --size 61x47 --backend cpu)

# run.dump has nine particles in three frames, in any order, and seven in the last.
gives 0 trace run.dump:radius=mass:range=1:3 --frames 1:4 "${look[@]}" -o 'dump-{frame}.ppm'
says '4 frames, level'
gives 0 trace slab.xyz --frames 0: "${look[@]}" -o slab.ppm # 0 is the first, too
mv slab-0003.ppm slab-3.ppm
gives 0 trace run.gro --frames ::2 "${look[@]}" -o gro.ppm
gives 0 trace models.pdb --frames 2 "${look[@]}" -o pdb.ppm
gives 0 trace run.dump:radius=mass:range=1:3 --frames 0 "${look[@]}" -o zero.ppm
check "frame 0 is the first" cmp -s zero-0001.ppm dump-0001.ppm
refute "and it alone" test -e zero-0002.ppm
for frame in 1 2 3 4; do
    gives 0 trace run.dump:radius=mass:range=1:3:frame=$frame "${look[@]}" -o alone.ppm --overwrite
    check "frame $frame is what it is alone" cmp -s alone.ppm dump-000$frame.ppm
    gives 0 trace run.dump:radius=mass:range=1:3:frame=$frame --level reference "${look[@]}" -o alone.ppm --overwrite
    check "frame $frame is right" test "$(cmp -l alone.ppm dump-000$frame.ppm | wc -l)" -le 9 # 0.1 % of the values
done
refute "frames differ" cmp -s dump-0001.ppm dump-0002.ppm
gives 0 trace slab.xyz:frame=3 "${look[@]}" -o alone.ppm --overwrite
check "the last frame of an XYZ" cmp -s alone.ppm slab-3.ppm
gives 0 trace run.gro:frame=3 "${look[@]}" -o alone.ppm --overwrite
check "every second frame" cmp -s alone.ppm gro-0002.ppm
refute "there are two of them" test -e gro-0003.ppm
gives 0 trace models.pdb:frame=2 "${look[@]}" -o alone.ppm --overwrite
check "one frame is a film" cmp -s alone.ppm pdb-0001.ppm

# A hundred boxes that are refitted, and built again now and then, are where the spheres are.
awk 'BEGIN { for (f = 0; f < 30; f++) {
    print "300\n"; for (i = 0; i < 300; i++) print "O", i % 10 * 4 + f * ((i % 7) - 3) / 2, int(i / 10) % 6 * 4 + f * ((i % 5) - 2) / 2, int(i / 60) * 4 }
}' >swarm.xyz
gives 0 trace swarm.xyz --frames 1: "${look[@]}" --level wide -o swarm.ppm
for frame in 8 9 30; do
    gives 0 trace swarm.xyz:frame=$frame "${look[@]}" --level wide -o alone.ppm --overwrite
    check "refitted, frame $frame is what it is alone" cmp -s alone.ppm "$(printf 'swarm-%04d.ppm' $frame)"
done

# Between frames.
gives 0 trace run.dump:radius=mass:range=1:3 --frames 1:3 --between 1 "${look[@]}" -o 'way-{frame}.ppm'
refute "there are five" test -e way-0006.ppm
check "the frames are among them" cmp -s dump-0002.ppm way-0003.ppm
check "the last one, too" cmp -s dump-0003.ppm way-0005.ppm
refute "there is something between" cmp -s way-0002.ppm way-0003.ppm
gives 0 trace run.dump:radius=mass:range=1:3 --frames 1:3:2 --between 1 "${look[@]}" -o 'step-{frame}.ppm'
gives 0 trace run.dump:frame=1.5:radius=mass:range=1:3 "${look[@]}" -o alone.ppm --overwrite
check "a place alone is the one in the film" cmp -s alone.ppm way-0002.ppm
check "half the way of two frames is the one between" cmp -s dump-0002.ppm step-0002.ppm

# One file: an animated PNG, or Y4M for other programs. Its pictures are those that numbered files have.
gives 0 trace run.dump:radius=mass:range=1:3 --frames 1:3 --between 1 "${look[@]}" -o film.png --rate 12
says '5 frames, level .* -> film.png$'
check "one file is all" test "$(echo film*)" = film.png
check "another reader takes it" python3 "$tree/tests/helpers/apng.py" film.png frame 1 2 3 4 5
for frame in 1 2 3 4 5; do
    check "picture $frame of the film" cmp -s "frame-$frame.ppm" "way-000$frame.ppm"
done
check "each stands for a twelfth of a second" python3 -c '
import re, struct
times = [struct.unpack(">HH", f[20:24]) for f in re.findall(b"fcTL(.{26})", open("film.png", "rb").read(), re.S)]
assert times == 5 * [(1, 12)], times'
gives 0 trace run.dump:radius=mass:range=1:3 --frames 1:3 --between 1 "${look[@]}" -o film.y4m
check "a Y4M has a line for all" grep -aq '^YUV4MPEG2 W61 H47 F25:1 Ip A1:1 C444' film.y4m
check "and five frames" test "$(stat -c %s film.y4m)" -eq "$(($(head -n 1 film.y4m | wc -c) + 5 * (6 + 3 * 61 * 47)))"
gives 0 trace cloud=20 --orbit 3 "${look[@]}" --camera perspective -o round.png --rate 3
check "a film around a scene, too" test "$(echo round*)" = round.png
gives 0 trace cloud=20 --orbit 2 "${look[@]}" --camera perspective -o apart.png
check "which else is numbered" test "$(echo apart*)" = 'apart-0001.png apart-0002.png'
gives 2 trace run.dump --frames 1:3 --rate 10 -o 'x-{frame}.png'
says '--rate: want a film in one file'
gives 2 trace run.dump --rate 10 -o x.png
says '--rate: one picture has none'
gives 2 trace run.dump --frames 1:3 --look figure --background none --size 8x8 --backend cpu -o x.y4m
says 'Y4M has neither alpha'

# A film that broke off goes on. A picture that is there stays, one of other options is made again.
parts=(run.dump:radius=mass:range=1:3 --frames 1:3 --between 1 "${look[@]}")
mkdir on
gives 0 trace "${parts[@]}" --resume -o 'on/{frame}.png'
rm on/0002.png on/0004.png
before=$(stat -c '%i %Z' on/0001.png on/0003.png on/0005.png)
gives 0 trace "${parts[@]}" --resume -o 'on/{frame}.png' --json on.json
check "two pictures are made" test "$(wc -l <on.json)" -eq 2
check "the others stay" test "$(stat -c '%i %Z' on/0001.png on/0003.png on/0005.png)" = "$before"
gives 0 trace "${parts[@]}" --resume -o 'on/{frame}.png' --json on.json --look paths --samples 1
check "other options make all again" test "$(wc -l <on.json)" -eq 5
made() { # CORNER: how many pictures are made by a table that has this colour for black
    printf 'LUT_3D_SIZE 2\n%s 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n' "$1" >colours.cube
    gives 0 trace "${parts[@]}" --resume -o 'on/{frame}.png' --filter lut=colours.cube --json -
    wc -l <.out
}
check "a filter makes all again, and its table" test "$(made 0) $(made 0) $(made 0.5)" = "5 0 5"
along() { # X: how many pictures are made along two cameras, one of them there
    printf 'glint cameras 1\n%s\ta\torthographic 0 0 1\n%s\tb\torthographic %s 0 1\n' "$PWD/run.dump" "$PWD/run.dump" "$1" >ways
    gives 0 trace run.dump --frames 1:3 --along 3 --cameras ways --size 41x31 --backend cpu --resume -o 'on/way-{frame}.png' --json -
    wc -l <.out
}
check "other cameras make all again" test "$(along 1) $(along 1) $(along 2)" = "3 0 3"
gives 2 trace "${parts[@]}" -o 'on/{frame}.png'
says '--overwrite'
gives 2 trace run.dump --resume -o x.png
says '--resume: want --frames'

# A film in one file that broke off has its pictures beside it, whole ones. It ends as one that never did.
light=(swarm.xyz --frames 1: --look paths --samples 64 --size 64x64 --backend cpu)
"$glint" trace "${light[@]}" --quiet --resume -o broken.png &
broken=$!
for _ in $(seq 300); do [ -e broken.png.frames/0003.png ] && break; sleep 0.1; done
kill -KILL "$broken"
wait "$broken" 2>/dev/null
refute "no film is torn" test -e broken.png
made=$(find broken.png.frames -name '0*.png' | wc -l)
check "pictures are there: $made" test "$made" -ge 3 -a "$made" -lt 30
mkdir kept
ln broken.png.frames/0*.png kept/
gives 0 trace "${light[@]}" --resume -o broken.png --json rest.json
says '30 frames, level .* -> broken.png$'
check "the rest was made" test "$(grep -c '"output":"broken.png"' rest.json)" -eq "$((30 - made))"
gives 0 trace "${light[@]}" -o whole.png
check "the film is one that never broke off" cmp -s broken.png whole.png
refute "the folder is gone" test -e broken.png.frames
before=$(stat -c '%i %Z' broken.png)
gives 0 trace "${light[@]}" --resume -o broken.png
check "a film that is there stays" test "$(stat -c '%i %Z' broken.png)" = "$before"
mv kept broken.png.frames
gives 0 trace "${light[@]}" --resume -o broken.png
refute "nor is a folder that a killed run left" test -e broken.png.frames

# The camera goes so many degrees around, as --orbit has it.
gives 0 trace run.gro --frames 1:3 --orbit 90 --camera perspective --size 41x31 --backend cpu -o turn.ppm
gives 0 trace run.gro:frame=2 --orbit 12 --camera perspective --size 41x31 --backend cpu -o whole.ppm
check "a third of 90 degrees is a twelfth of a turn" cmp -s turn-0002.ppm whole-0002.ppm

# A damaged frame is left out, and said so; a missing one is refused before anything is written.
sed '/^ITEM: TIMESTEP/{n;s/^50$/50/};0,/^20 [0-9]/b;s/^20 2 \([^ ]*\)/20 2 oops/' run.dump >bad.dump
gives 1 trace bad.dump:radius=mass --frames 1:4 "${look[@]}" -o 'bad-{frame}.ppm' --json bad.json
says 'frame 2: bad.dump:[0-9]+:6: "oops", want x, a number: left out'
says '1 frame, level'
check "what is whole is there" test -e bad-0001.ppm
refute "what is not is not" test -e bad-0002.ppm
gives 3 trace run.dump --frames 2:5 "${look[@]}" -o never.ppm
says 'run.dump: has 4 frames, and --frames asks for frame 5'
gives 3 trace run.dump --frames 9: "${look[@]}" -o never.ppm
gives 2 trace c.npy --frames 1: "${look[@]}" -o never.ppm
says 'c.npy: has no frames; want .dump'
for range in 1:2:3:4 2:1 1:2:0 1:0 0:0 3:0 x '' 1-2; do
    gives 2 trace run.dump --frames "$range" -o never.ppm
    says 'want FROM:TO:STEP'
done
gives 2 trace run.dump --between 3 -o never.ppm
says '--between: want --frames'
gives 2 trace run.dump:frame=2 --frames 1: -o never.ppm
says 'frame= chooses one frame'
gives 2 trace run.dump --frames 1: -o -
says '--frames: stdout takes one picture'
check "nothing is written" test "$(echo never*)" = 'never*'

# docs/particles.md: the commands of its chapter on films, on these files.
mkdir film
commands=$(sed -n '/^## Films/,/^## [^F]/s/^    glint //p' "$tree/docs/particles.md")
check "the page has commands" test "$(echo "$commands" | wc -l)" -ge 3
while read -r command; do
    eval "gives 0 $command --overwrite --backend cpu"
done <<<"$commands"
check "they make pictures" test "$(ls film | wc -l)" -ge 4
finish
