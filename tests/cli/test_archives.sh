#!/usr/bin/env bash
# Archives as inputs of batch: tar and zip, their members in order, and members that nobody should trust.
tests=$(realpath "$(dirname "$0")")
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || { echo "SKIPPED: no python3"; exit 77; }
[ -e "$(dirname "$glint")/glint-archive.so" ] || { echo "SKIPPED: built without libarchive"; exit 77; }
cpu=(--backend cpu --threads 1)

picture a.ppm 40 30 1
picture b.ppm 50 20 2
picture c.ppm 30 60 3
python3 "$tests/pack.py" . || exit 1
mkdir -p want/cats
for pair in 0:a 1:b 2:c; do
    "$glint" batch gaussian=1 ${pair#*:}.ppm -o want/cats/00000${pair%:*}.ppm --quiet "${cpu[@]}" || exit 1
done

# Each kind of archive has the results of its pictures as files.
for archive in plain.tar zipped.tar.gz zipped.TGZ zipped.tar.xz zipped.tar.bz2 stored.zip deflated.zip; do
    for jobs in 1 3; do
        rm -rf out
        gives 0 batch gaussian=1 $archive -o out/ --jobs $jobs "${cpu[@]}"
        says '3 of 3 done'
        check "$archive: the results of the files" diff -r want out
    done
done
if command -v zstd >/dev/null; then
    zstd -q plain.tar -o packed.tar.zst
    rm -rf out
    gives 0 batch gaussian=1 packed.tar.zst -o out/ "${cpu[@]}"
    check "zstd" diff -r want out
fi
gives 0 batch gaussian=1 gnu.tar -o long/ "${cpu[@]}"
check "a long name" cmp "long/$(printf 'deep/%.0s' $(seq 40))a.ppm" want/cats/000000.ppm

# Names, reports, templates; the sandbox; files among archives.
gives 0 batch gaussian=1 plain.tar -o 'named/{shard}-{dir}-{stem}.ppm' --json - "${cpu[@]}"
holds named plain-cats-000000.ppm plain-cats-000001.ppm plain-cats-000002.ppm
json '.status == "done" and (.input | test("^plain.tar/cats/00000[012].ppm$"))' .out
gives 0 batch gaussian=1 plain.tar -o dry/ --dry-run "${cpu[@]}"
tells '^plain.tar/cats/000002.ppm -> dry/cats/000002.ppm$'
gives 0 batch gaussian=1 deflated.zip -o boxed/ --sandbox "${cpu[@]}"
check "in the sandbox" diff -r want boxed
gives 0 batch gaussian=1 a.ppm plain.tar b.ppm -o mixed/ "${cpu[@]}"
holds mixed a.ppm b.ppm cats
gives 0 batch gaussian=1 plain.tar -o '{folder}/next-{stem}.ppm' "${cpu[@]}"
check "{folder} is the archive's" cmp next-000001.ppm want/cats/000001.ppm
echo plain.tar >list.txt
gives 0 batch gaussian=1 --files-from list.txt -o listed/ "${cpu[@]}"
check "from a list" diff -r want listed
for shard in 1 2; do gives 0 batch gaussian=1 zipped.tar.gz -o shards/ --shard $shard/2 "${cpu[@]}"; done
check "by parts" diff -r want shards
gives 2 batch gaussian=1 plain.tar other.tar -o both/ "${cpu[@]}"
says 'plain.tar/cats/000000.ppm and other.tar/cats/000000.ppm would both write both/cats/000000.ppm'
gives 0 batch gaussian=1 plain.tar other.tar -o 'both/{shard}/{stem}.ppm' "${cpu[@]}"
check "by shard" cmp both/plain/000002.ppm both/other/000000.ppm
gives 2 batch gaussian=1 other.tar -o other.tar --overwrite "${cpu[@]}"

# Members that nobody should trust: each is one failure, and the others are done.
mkdir -p deep/out
gives 1 batch gaussian=1 evil.tar -o deep/out/ "${cpu[@]}"
says 'evil.tar/../outside.ppm: has .. in its name'
says 'evil.tar/cats/../../further.ppm: has .. in its name'
says 'evil.tar/tmp/glint-absolute.ppm: has an absolute name'
says 'evil.tar/symbolic.ppm: is a link'
says 'evil.tar/hard.ppm: is a link'
says 'evil.tar/fifo.ppm: is no regular file'
says 'evil.tar/good.ppm: is in the archive twice; the first one counts'
says 'evil.tar/broken.ppm: '
says 'evil.tar/empty.ppm: the file is empty'
says '2 of 11 done, 0 skipped, 9 failed'
holds deep/out good.ppm last.ppm
check "the first one counts" cmp deep/out/good.ppm want/cats/000000.ppm
check "nothing elsewhere" test "$(find . -name 'outside.ppm' -o -name 'further.ppm' | wc -l)" -eq 0
refute "nothing at an absolute place" test -e /tmp/glint-absolute.ppm
gives 1 batch gaussian=1 evil.zip -o zip-out/ "${cpu[@]}"
holds zip-out good.ppm

# Damage: what is before it is done.
gives 1 batch gaussian=1 cut.tar -o cut/ "${cpu[@]}"
says '^glint: cut.tar: .*'
check "the first member" cmp cut/cats/000000.ppm want/cats/000000.ppm
run batch gaussian=1 cut.tar.gz -o cut-gz/ "${cpu[@]}"
check "a failure" test $status -ne 0
says '^glint: cut.tar.gz.*: (is damaged|cannot be read as an archive)'
gives 1 batch gaussian=1 wrong.zip -o wrong/ "${cpu[@]}"
says 'wrong.zip/cats/000001.ppm: is damaged'
holds wrong/cats 000000.ppm 000002.ppm
last="GLINT_MEMORY=64M glint batch bomb.zip"
GLINT_MEMORY=64M "$glint" batch gaussian=1 bomb.zip -o bomb/ "${cpu[@]}" >.out 2>.err
check "its status" test $? -eq 1
says 'bomb.zip/bomb.ppm: is larger than the 32 MiB that a member may take'
holds bomb small.ppm
gives 3 batch gaussian=1 huge.tar -o huge/ "${cpu[@]}"
gives 3 batch gaussian=1 words.tar -o words/ "${cpu[@]}"
says 'words.tar: has no member whose name is that of a picture'
gives 3 batch gaussian=1 no.zip -o no/ "${cpu[@]}"
says 'no.zip: cannot be read as an archive'
gives 3 batch gaussian=1 absent.tar -o no/ "${cpu[@]}"
says 'absent.tar: cannot be read: No such file'

# --resume goes by member; an archive that has changed is done again.
sleep 3 # a file that has just changed might change again unseen
gives 0 batch gaussian=1 plain.tar -o again/ --resume "${cpu[@]}"
says '3 of 3 done'
rm again/cats/000001.ppm
gives 0 batch gaussian=1 plain.tar -o again/ --resume "${cpu[@]}"
says '1 of 3 done, 2 skipped'
cp zipped.tar.gz copy.gz && gunzip -c copy.gz >plain.tar
gives 0 batch gaussian=1 plain.tar -o again/ --resume "${cpu[@]}"
says '3 of 3 done'
check "the results of the files" diff -r --exclude=.glint-journal want again

finish
