#!/usr/bin/env bash
# Archives as outputs of batch: tar and zip, against Python's readers; shards of webdataset; runs that end early.
tests=$(realpath "$(dirname "$0")")
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || { echo "SKIPPED: no python3"; exit 77; }
[ -e "$(dirname "$glint")/glint-archive.so" ] || { echo "SKIPPED: built without libarchive"; exit 77; }
cpu=(--backend cpu --threads 1)

# members ARCHIVE FOLDER: its members' names on one line; they lie in the new FOLDER then.
members() {
    rm -rf "$2"
    mkdir "$2"
    python3 "$tests/unpack.py" "$1" "$2" | tr '\n' ' '
}

# has ARCHIVE NAME...: these members in this order and no others; they lie in the folder `open` then.
has() {
    local archive=$1 have
    shift
    have=$(members "$archive" open)
    checks=$((checks + 1))
    [ "$have" = "$* " ] || complain "$archive has: $have; want: $*"
}

mkdir -p in/sub want
for number in 1 2 3 4 5 6 7 8; do picture in/$number.ppm $((90 - 9 * number)) 40 $number; done # the first takes longest
cp in/8.ppm in/sub/9.ppm
"$glint" batch gaussian=1 in -r -o want/ --quiet "${cpu[@]}" || exit 1
all=(1.ppm 2.ppm 3.ppm 4.ppm 5.ppm 6.ppm 7.ppm 8.ppm sub/9.ppm)

# Every kind, in the order of the inputs, whichever is ready first; the bytes are those of files.
for archive in out.tar out.tar.gz out.TGZ out.tar.zst out.tar.xz out.tbz2 out.zip; do
    for jobs in 1 4; do
        gives 0 batch gaussian=1 in -r -o $archive --overwrite --jobs $jobs "${cpu[@]}"
        says '9 of 9 done'
        if [[ $archive == *.zst ]]; then
            command -v zstd >/dev/null || continue
            zstd -qdf $archive -o plain-zst.tar
            has plain-zst.tar "${all[@]}"
        else
            has $archive "${all[@]}"
        fi
        check "$archive: the results of the files" diff -r want open
    done
done
cp out.TGZ first.tgz
sleep 1
gives 0 batch gaussian=1 in -r -o out.TGZ --overwrite "${cpu[@]}"
check "another run makes the same bytes" cmp out.TGZ first.tgz
check "no draft stays" test -z "$(find . -name '.glint-*')"

# Names within: templates, folders, letters beyond ASCII, long ones.
gives 0 batch gaussian=1 in/1.ppm in/2.ppm -o 'new/{chain}.tar/{dir}/{stem}-{index}.pgm' "${cpu[@]}"
has new/gaussian=1.tar 1-000001.pgm 2-000002.pgm
gives 0 batch grayscale in/1.ppm -o 'one.zip/deep/down/{stem}.png' "${cpu[@]}"
has one.zip deep/down/1.png
long=$(printf 'a%.0s' $(seq 120))
mkdir "$long"
cp in/1.ppm "$long/$long.ppm"
cp in/1.ppm "in/sub/Größe 日本.ppm"
for archive in names.tar names.zip; do
    gives 0 batch gaussian=1 in/sub "$long" -r -o "$archive/{stem}/{dir}x.ppm" "${cpu[@]}"
    has $archive 9/.x.ppm "Größe 日本/.x.ppm" "$long/.x.ppm"
done
rm "in/sub/Größe 日本.ppm"
gives 0 batch gaussian=1 in/1.ppm -o dry.tar --dry-run "${cpu[@]}"
tells '^in/1.ppm -> dry.tar/1.ppm$'
refute "nothing was written" test -e dry.tar
mkdir folder.tar
gives 0 batch gaussian=1 in/1.ppm -o folder.tar "${cpu[@]}"
check "a folder stays a folder" cmp folder.tar/1.ppm want/1.ppm

# Refused before work starts.
gives 2 batch gaussian=1 in/8.ppm in/sub/9.ppm -o 'never.tar/x.ppm' "${cpu[@]}"
says 'in/8.ppm and in/sub/9.ppm would both write never.tar/x.ppm'
gives 2 batch gaussian=1 in/1.ppm -o never.tar/../x.ppm "${cpu[@]}"
says 'the name of a member has \.\. in its name'
gives 2 batch gaussian=1 in/1.ppm -o 'never.tar/{stem}.doc' "${cpu[@]}"
says 'the extension names no format'
gives 2 batch gaussian=1 in/1.ppm -o 'never.tar/x.y4m' "${cpu[@]}"
says 'a film is no member'
gives 2 batch gaussian=1 in -o never.tar --watch "${cpu[@]}"
says 'an archive is whole once its last member is in it'
gives 2 batch gaussian=1 out.tar -o out.tar --overwrite "${cpu[@]}"
says 'out.tar is an input'
gives 2 batch gaussian=1 in/1.ppm -o out.tar "${cpu[@]}"
says 'out.tar exists; say --overwrite to replace it or --skip-existing'
gives 0 batch gaussian=1 in/1.ppm -o out.tar --skip-existing "${cpu[@]}" --json -
json 'select(.input) | .status == "skipped" and .reason == "exists"' .out
json 'select(.archive) | .status == "skipped"' .out
has out.tar "${all[@]}"
refute "nothing was written" test -e never.tar

# Members that fail are not in it. Without any there is no archive.
head -c 100 in/2.ppm >broken.ppm
gives 1 batch gaussian=1 in/1.ppm broken.ppm in/3.ppm -o some.tar --json rows "${cpu[@]}"
has some.tar 1.ppm 3.ppm
json 'select(.archive) | .archive == "some.tar" and .status == "done" and .members == 2' rows
json 'select(.input) | .status == (if .input == "broken.ppm" then "failed" else "done" end)' rows
gives 3 batch gaussian=1 broken.ppm -o none.tar --json rows "${cpu[@]}"
refute "no archive" test -e none.tar
json 'select(.archive) | .status == "failed" and .members == 0' rows
gives 1 batch gaussian=1 in/1.ppm broken.ppm in/3.ppm -o stopped.tar --on-error stop --jobs 1 "${cpu[@]}"
says 'stopped.tar: is not written'
refute "no half archive" test -e stopped.tar

# Members that nobody should trust do not go along.
for letter in a b c; do cp in/1.ppm $letter.ppm; done
python3 "$tests/pack.py" . || exit 1
gives 1 batch gaussian=1 evil.tar -o trusted.tar "${cpu[@]}"
says '2 of 11 done, 0 skipped, 9 failed'
has trusted.tar good.ppm last.ppm
gives 0 batch gaussian=1 words.tar -o said.zip "${cpu[@]}"
has said.zip words.txt

# Shards: pictures with the members next to them, which go along as they are.
python3 - <<'EOF'
import io, json, tarfile
for shard in range(4):
    with tarfile.open("train-%06d.tar" % shard, "w") as tar:
        for sample in range(3):
            key = "%d%03d" % (shard, sample)
            parts = {".cls": b"%d" % sample, ".ppm": open("in/%d.ppm" % (shard + sample + 1), "rb").read(),
                     ".seg.json": json.dumps({"key": key}).encode(), "": b"no extension"}
            for ending, data in parts.items():
                info = tarfile.TarInfo("data/" + key + ending)
                info.size, info.mtime = len(data), 1000000 + sample
                tar.addfile(info, io.BytesIO(data))
EOF
gives 0 batch gaussian=1 train-*.tar -o 'shards/{shard}.tar' --json rows --jobs 4 "${cpu[@]}"
says '12 of 48 done, 36 passed on, 0 skipped'
json 'select(.input) | .status == (if .input | endswith(".ppm") then "done" else "passed" end)' rows
check "a row for each shard" test "$(jq -s 'map(select(.archive and .members == 12)) | length' rows)" -eq 4
cat >verify.py <<'EOF'
"""verify.py FROM TO EXTENSION: members that are no pictures are the same bytes at the same time in the same place."""
import sys, tarfile
source, made, extension = sys.argv[1:]
with tarfile.open(source) as a, tarfile.open(made) as b:
    names = [(m.name[:-4] + extension if m.name.endswith(".ppm") else m.name) for m in a]
    assert names == b.getnames(), b.getnames()
    for m, n in zip(a.getmembers(), b.getmembers()):
        assert m.mtime == n.mtime
        same = a.extractfile(m).read() == b.extractfile(n).read()
        assert same != m.name.endswith(".ppm"), m.name
EOF
for shard in 0 1 2 3; do
    check "shard $shard" python3 verify.py train-00000$shard.tar shards/train-00000$shard.tar .ppm
done
members shards/train-000002.tar open >/dev/null
check "a picture of a shard" cmp open/data/2001.ppm want/4.ppm
gives 0 batch gaussian=1 train-000001.tar -o 'shards/{shard}-png.tar/{dir}/{stem}.png' "${cpu[@]}"
check "another extension" python3 verify.py train-000001.tar shards/train-000001-png.tar .png
gives 2 batch gaussian=1 train-000001.tar -o 'never.tar/{index}.png' "${cpu[@]}"
says 'want \{stem\}'
gives 0 batch gaussian=1 train-*.tar -o 'merged.tar' "${cpu[@]}"
check "48 members" test "$(members merged.tar open | wc -w)" -eq 48
for shard in 1 2; do gives 0 batch gaussian=1 train-*.tar -o 'parts/{shard}.tar' --shard $shard/2 "${cpu[@]}"; done
for shard in 0 1 2 3; do
    check "a process has whole archives" cmp parts/train-00000$shard.tar shards/train-00000$shard.tar
done

# --resume goes by member: what is unchanged is taken from the archive of before.
sleep 3 # a file that has just changed might change again unseen
gives 0 batch gaussian=1 train-*.tar -o 'again/{shard}.tar' --resume "${cpu[@]}"
gives 0 batch gaussian=1 train-*.tar -o 'again/{shard}.tar' --resume --json rows "${cpu[@]}"
says '0 of 48 done, 48 skipped'
json 'select(.archive) | .status == "skipped"' rows
rm again/train-000002.tar
gives 0 batch gaussian=1 train-*.tar -o 'again/{shard}.tar' --resume "${cpu[@]}"
says '3 of 48 done, 9 passed on, 36 skipped'
for shard in 0 1 2 3; do
    check "shard $shard is whole" cmp again/train-00000$shard.tar shards/train-00000$shard.tar
done
gives 1 batch gaussian=1 in/1.ppm broken.ppm in/3.ppm -o later.tar --resume "${cpu[@]}"
has later.tar 1.ppm 3.ppm
cp in/2.ppm broken.ppm
gives 0 batch gaussian=1 in/1.ppm broken.ppm in/3.ppm -o later.tar --resume "${cpu[@]}"
says '1 of 3 done, 2 skipped'
has later.tar 1.ppm broken.ppm 3.ppm
check "the member that was missing" cmp open/broken.ppm want/2.ppm
check "a member of before" cmp open/3.ppm want/3.ppm
gives 0 batch gaussian=1 in/1.ppm broken.ppm -o later.tar --resume "${cpu[@]}"
says '0 of 2 done, 2 skipped'
has later.tar 1.ppm broken.ppm
gives 0 batch gaussian=2 in/1.ppm broken.ppm -o later.tar --resume "${cpu[@]}"
says '2 of 2 done, 0 skipped'
refute "by another chain" cmp -s <(members later.tar open >/dev/null; cat open/1.ppm) want/1.ppm
gives 0 batch gaussian=1 in/1.ppm -o foreign.tar "${cpu[@]}"
gives 2 batch gaussian=1 in/1.ppm -o foreign.tar --resume "${cpu[@]}"
says 'foreign.tar exists'

# A run that a signal ends leaves whole archives, and none that is not.
for number in $(seq 20); do cp in/1.ppm "in/sub/many-$number.ppm"; done
slow=(batch resize=1000 in/sub -o 'ended/{stem}.tar/x.jpg' --resume --jobs 1 "${cpu[@]}")
"$glint" "${slow[@]}" --json live >.out 2>.err &
pid=$!
patiently grep -qs '"archive"' live
kill -INT $pid 2>/dev/null
wait $pid
sound() { python3 "$tests/unpack.py" "$1" open >/dev/null; }
for archive in ended/*.tar; do check "$archive is whole" sound "$archive"; done
check "no draft stays" test -z "$(find ended -name '.glint-*.tmp')"
gives 0 "${slow[@]}"
check "the others come later" test "$(ls ended | wc -l)" -eq 21
finish
