#!/usr/bin/env bash
# glint explain: counts that hands work out, for a kernel file and for levels; its page, its report, and its errors.
. "$(dirname "$0")/lib.sh"
export XDG_CACHE_HOME=$work/cache
cat >mine.cu <<'END'
#include <glint/kernel.h>

KERNEL(point, apart, 32, 2, 1, 1, 0) {
    __shared__ float tile[32][32];
    const int x = column(), y = row();
    if (x >= out.width || y >= out.height)
        return;
    const float v = at(in, x, y, 0);
    tile[threadIdx.x][threadIdx.y] = v;
    __syncthreads();
    store(out, x, y, 0, point.scale * tile[threadIdx.x][threadIdx.y] + point.offset);
}

KERNEL(point, other, 32, 1, 1, 1, 0) {
    store(out, column(), row(), 0, point.scale * at(in, column(), row(), 0) + point.offset);
}
END

# Errors need no compiler.
gives 2 explain
says 'want a level or a kernel file, as in glint explain convolve/shared'
gives 2 explain a b
says 'one level or kernel file at a time, not a and b'
gives 2 explain mine.c
says 'mine.c: want CUDA C, in a file that ends in .cu'
gives 3 explain missing.cu
says 'missing.cu'
gives 2 explain convolve/shared --backend cpu
says -- '--backend cpu has no counters: glint explain runs on the emulated GPU'
gives 2 explain mine.cu --block 1x2
says -- '--block is "1x2", want X, X,Y or X,Y,Z'
gives 2 explain mine.cu --code c
says -- '--code is "c", want ptx, sass, all or none'

# A picture of 32 x 4: two blocks of two warps. Each loads 32 floats, which are 4 sectors, and stores them into a column.
run explain mine.cu --type f32x1 --size 32x4 --json - --quiet
grep -q 'no compiler works' .err && { echo "skipped: no compiler of CUDA C"; exit 77; }
cp .out report.json
check "it is explained" test "$status" -eq 0
json '.glint == "explain" and .level == "apart" and .kernels[0].grid == [1, 2, 1] and .kernels[0].shared_bytes == 4096' report.json
json '.files | length == 1 and .[0].name == "mine.cu"' report.json
json '.files[0] | .lines[8 - .from] | .text == "    const float v = at(in, x, y, 0);"' report.json
json '.files[0] | .lines[8 - .from].counts | .global_requests == 4 and .global_sectors == 16 and .used == 1 and .lanes == 1' report.json
json '.files[0] | .lines[9 - .from].counts | .shared_requests == 4 and .conflicts == 4 * 31' report.json
json '.files[0] | .lines[10 - .from].counts.barriers == 4' report.json
json '.offence | .reason == "bank conflicts" and (.line == 9 or .line == 11) and (.text | test("31.0 passes too many"))' report.json
json '[.instructions[] | select(.text | test("st.shared")).accesses[0]] | length == 1 and .[0].passes == 32 and .[0].ideal == 1' report.json
json '[.instructions[] | select(.text | test("ld.global")).accesses[0].address[31]] == [124]' report.json
refute "times are in the report" grep -qE '"[a-z_]*(ms|seconds|time)"' report.json

gives 0 explain mine.cu --type f32x1 --size 32x4
tells '^point apart, contrast=1.25 .*, f32x1, 32x4$'
tells '^kernel apart: 1 x 2 x 1 blocks of 32 x 2 x 1 threads, 4096 bytes of shared memory each$'
tells '^>  +(9|11) .*tile\[threadIdx.x\]\[threadIdx.y\]'
tells 'Lanes meet in banks, for 31.0 passes too many a request'
tells '^   all +[0-9]+ +100 % +32 +4.00 +100 % +248 +4$'
tells '^    pass +1    0\.{31}$'
refute "colours are in a file" grep -q $'\033' .out
gives 0 explain mine.cu --type f32x1 --size 32x4 --line 8 --code ptx
tells '^line 8: .*ld.global.f32'
tells '^    sector +\+3  ooooppppqqqqrrrrssssttttuuuuvvvv$'
tells '^ +bar.sync'
gives 2 explain mine.cu --line 7
says -- '--line 7: no load or store of that line was seen in the watched warps'
# Four stores of one column, unrolled: their lanes lie alike, and are shown once.
cat >unrolled.cu <<'END'
#include <glint/kernel.h>

KERNEL(point, unrolled, 32, 1, 1, 1, 0) {
    __shared__ float tile[4][32];
    const int x = column(), y = row();
#pragma unroll
    for (int i = 0; i < 4; i++)
        tile[i][threadIdx.x] = (float)(i + x);
    __syncthreads();
    store(out, x, y, 0, point.scale * at(in, x, y, 0) + point.offset + 0 * tile[y % 4][threadIdx.x ^ 1]);
}
END
gives 0 explain unrolled.cu --type f32x1 --size 32x4 --line 8
tells '^line 8: .*st.shared.f32.* \(4 instructions alike\)$'
check "once" [ "$(grep -c '^line 8:' .out)" = 1 ]

gives 0 explain mine.cu --level other
tells 'kernel other: '
gives 2 explain mine.cu --level third
says 'mine.cu: no kernel "third" is in the file'
on_terminal explain mine.cu --type f32x1 --size 32x4
check "a terminal has colours" grep -q $'\033\\[1;31m>' .tty

gives 0 explain mine.cu --size 32x4 --type f32x1 -o page.html
check "the page has the source" grep -q 'const float v = at(in, x, y, 0);' page.html
check "the page has both themes" grep -q 'prefers-color-scheme: dark' page.html
refute "the page needs others" grep -qE '(src|href)=|@import|https?://[^w]' page.html
refute "a mark is left" grep -qE '@(TITLE|REPORT)@' page.html
gives 2 explain mine.cu -o page.html
says 'page.html'
gives 0 explain mine.cu -o page.html --overwrite

# Faults of a kernel are told as ever.
sed 's/tile\[32\]\[32\]/tile[8][32]/' mine.cu >wrong.cu
gives 3 explain wrong.cu
says 'kernel apart fails: shared memory .* line (9|11)'
echo 'KERNEL(point' >broken.cu
gives 3 explain broken.cu

# Levels of glint's own, where they are: a transposition that stores or loads by columns takes 32 sectors a request.
run explain move/naive --json - --quiet
if grep -q 'built without nvcc' .err; then
    check "it says so" test "$status" -eq 4
    finish
fi
cp .out move.json
json '.files[0].name == "gpu/move/naive.cu" and .kernels[0].name == "move_naive" and .offence.reason == "bytes not used"' move.json
json '[.instructions[].accesses // [] | .[].parts] | max == 32' move.json
gives 2 explain naive
says 'several operations have a level "naive": want .*convolve/naive'
gives 2 explain convolve
says '"convolve" is an operation: want one of its levels, as convolve/naive'
gives 2 explain convolve/none
says 'convolve has no level "none" on CUDA'
gives 2 explain none/naive
says 'no operation "none"'
gives 2 explain nowhere
says 'no level "nowhere"; want OPERATION/LEVEL'
gives 2 explain move/tile --mask 3
says -- '--mask is of convolve, not of move'
gives 2 explain convolve/march --type f32x1
says 'level march cannot do this job of convolve: '
for level in convolve/halo reduce/shuffle swizzled multiply/tiled trace/constant dot/shared histogram/global blend/wide point/vectors; do
    gives 0 explain "$level" --json - --quiet
    cp .out level.json
    json '.sum.instructions > 0 and (.files | length) > 0 and .offence.line > 0 and (.elsewhere.instructions // 0) < 0.02 * .sum.instructions' level.json
done
gives 0 explain convolve/halo --block 3,1 --warps 1 --json - --quiet
json '.kernels[0].watched == [3, 1, 0] and all(.instructions[].accesses // [] | .[]; .warp == 0)' .out
finish
