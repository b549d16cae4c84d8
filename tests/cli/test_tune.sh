#!/usr/bin/env bash
# Tuning: measurements are kept for this device, found again, and replaced; a damaged or stale file is passed over.
. "$(dirname "$0")/lib.sh"
export XDG_CACHE_HOME=$PWD/cache
source_of_best() { "$glint" list backends | sed -n '/^cpu /{n;n;s/^ *best goes by: //p}'; }
kept() { local files=(cache/glint/cpu-*.json) && echo "${files[0]}"; }

check "untuned, best goes by what is built in" test "$(source_of_best)" != "" -a ! -e cache
gives 0 tune --backend cpu --budget 1
check "a file for the device" test -s "$(kept)"
check "its kind" grep -q '^{"glint":"tune",' "$(kept)"
check "one file, and nothing unfinished" test "$(ls -A cache/glint | wc -l)" -eq 1
tuned="tuned on $(date -u +%Y-%m-%d)"
check "best goes by it" test "$(source_of_best)" = "$tuned"
picture in.ppm 33 17
gives 0 batch gaussian=2 in.ppm -o tuned.ppm --backend cpu
cp "$(kept)" good

# An older one of another version, a part of one, nothing, a folder, a FIFO: commands go on without, and say nothing.
stale() {
    check "$1: not believed" test "$(source_of_best)" != "$tuned"
    gives 0 batch gaussian=2 in.ppm -o out.ppm --overwrite --backend cpu --quiet
    check "$1: not a word" test ! -s .err
}
sed 's/"version":"[^"]*"/"version":"0.0.1"/' good >"$(kept)"
stale "another version"
head -c 200 good >"$(kept)"
stale "cut off"
file=$(kept)
: >"$file"
stale "empty"
rm "$file" && mkfifo "$file"
stale "a FIFO"
rm "$file" && mkdir "$file"
stale "a folder"
rmdir "$file"
head -c 5000000 /dev/zero >"$file"
stale "zeros"
gives 0 tune --backend cpu --budget 1
check "the next tune replaces it" test "$(source_of_best)" = "$tuned"

# A link in the cache leads it nowhere.
echo precious >elsewhere
ln -sf "$PWD/elsewhere" "$file"
gives 0 tune --backend cpu --budget 0.1
check "nothing is written elsewhere" test "$(<elsewhere)" = precious
check "the file replaced the link" test ! -L "$file"

# Another number of threads is another device.
gives 0 tune --backend cpu --threads 1 --budget 0.1
check "a file of its own" test "$(ls cache/glint | wc -l)" -ge "$(($(nproc) > 1 ? 2 : 1))"

gives 0 bench point --backend cpu --size 64x64 --runs 2
gives 2 tune --budget 0
gives 2 tune --json x.json
gives 2 tune something
gives 2 tune --backend nothing --budget 1
XDG_CACHE_HOME=/proc/nowhere gives 4 tune --backend cpu --budget 0.1

# Interrupted, it leaves the earlier file.
before=$(sha256sum <"$file")
timeout -s INT 1 "$glint" tune --backend cpu --budget 60 >.out 2>.err
check "interrupted" test $? -ne 0
check "as it was" test "$before" = "$(sha256sum <"$file")"
check "nothing unfinished" test -z "$(find cache -name '.glint-*')"
finish
