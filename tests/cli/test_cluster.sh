#!/usr/bin/env bash
# Several processes: those of mpirun, and --shard auto by the variables of launchers.
. "$(dirname "$0")/lib.sh"
cpu=(--backend cpu)
mkdir in
for i in $(seq 10 39); do picture in/$i.ppm 60 40 "$i"; done

# ---- without MPI ----
last="glint batch --shard auto"
env SLURM_ARRAY_TASK_ID=4 SLURM_ARRAY_TASK_MIN=2 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_STEP=2 \
    "$glint" batch invert in -o array/ --shard auto "${cpu[@]}" 2>.err
check "the second of three" test $? -eq 0 -a "$(ls array | tr '\n' ' ')" = "$(seq -f %g.ppm 11 3 39 | tr '\n' ' ')"
env OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 "$glint" batch invert in -o ranks/ --shard auto "${cpu[@]}" 2>.err
check "the first of two" test "$(ls ranks | wc -l)" -eq 15 -a -e ranks/10.ppm
env SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=2 SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_COUNT=2 \
    "$glint" batch invert in -o both/ --shard auto "${cpu[@]}" 2>.err
check "the last of four" test "$(ls both | wc -l)" -eq 7 -a -e both/13.ppm
gives 2 batch invert in -o none/ --shard auto
says 'shard auto: there is neither'
env SLURM_ARRAY_TASK_ID=9 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_COUNT=2 "$glint" batch invert in -o none/ --shard auto 2>.err
check "an array with gaps" test $? -eq 2
says 'there is no such part'

# ---- mpirun ----
module=$(dirname "$glint")/glint-mpi.so
if ! command -v mpirun >/dev/null || [ ! -e "$module" ]; then
    echo "no mpirun, or built without MPI: the rest is left out"
    finish
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_btl=self,vader OMPI_MCA_pml=ob1 TMPDIR=/tmp
export ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 # of MPI
export HWLOC_COMPONENTS=-gl # MPI would look for GPUs on displays, which other tests close

# together STATUS ARGUMENTS...: runs three processes of glint.
together() {
    local want=$1
    shift
    last="mpirun -n 3 glint $*"
    mpirun -n 3 --oversubscribe "$glint" "$@" >.out 2>.err </dev/null
    status=$?
    checks=$((checks + 1))
    [ "$status" -eq "$want" ] || complain "exit status $status, want $want"
}

"$glint" batch gaussian=2 in -o want/ --quiet "${cpu[@]}" || exit 1
together 0 batch gaussian=2 in -o out/ --json report.jsonl --resume "${cpu[@]}"
says 'glint: 30 of 30 done, 0 skipped, 0 failed, 3 processes, .*busy: decode'
check "as one process does it" diff -r -x .glint-journal want out
lines 30 out/.glint-journal
lines 31 report.jsonl
json '.status == "done" and .width == 60 and .ms.decode >= 0' report.jsonl
check "each file once" test "$(jq -r '.input // empty' report.jsonl | sort | uniq | wc -l)" -eq 30
check "one summary" jq -es '.[-1] | .status == "summary" and .files == 30 and .done == 30 and .processes == 3
    and .busy.devices >= 0' report.jsonl >.jq
rm out/15.ppm out/25.ppm
together 0 batch gaussian=2 in -o out/ --resume "${cpu[@]}"
says '2 of 30 done, 28 skipped'
together 2 batch gaussian=2 in -o out/ "${cpu[@]}"
check "said once" test "$(grep -c 'out/.*exists' .err)" -eq 1
together 2 batch gaussian=2 in -o new/ --level nonsense "${cpu[@]}"
check "said once" test "$(grep -c 'nonsense' .err)" -eq 1
together 0 batch gaussian=2 in -o new/ --dry-run "${cpu[@]}"
lines 30 .out

# One file, and one that is bad.
together 0 batch gaussian=2 in/10.ppm -o single.ppm "${cpu[@]}"
check "one file" cmp -s single.ppm want/10.ppm
head -c 500 in/11.ppm >in/11x.ppm
together 1 batch gaussian=2 in -o bad/ --json bad.jsonl "${cpu[@]}"
says '30 of 31 done, 0 skipped, 1 failed'
check "the failure is told by the first" jq -es '.[-1] | .failed == 1 and .failures[0].input == "in/11x.ppm"' bad.jsonl >.jq
check "said once" test "$(grep -c 'in/11x.ppm' .err)" -eq 1
together 1 batch gaussian=2 in -o stopped/ --on-error stop "${cpu[@]}"
rm in/11x.ppm

# The processes of one launch have one task.
mkdir alone && cp "$glint" alone/glint
last="a glint that finds no module"
OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 alone/glint batch invert in -o a/ >.out 2>.err </dev/null
check "status 4" test $? -eq 4
says 'MPI is not to be had'
last="mpirun with different arguments"
mpirun -n 1 --oversubscribe "$glint" batch invert in -o a/ : -n 1 "$glint" batch invert in -o b/ >.out 2>.err </dev/null
check "refused" test $? -eq 2
says 'different arguments'
check "and nothing done" test ! -e a -a ! -e b

# A worker and its supervisor, which speaks MPI for it, are two processes.
# Outputs lie in memory, where there is such a folder: on a busy disk, all files would be in flight for a while.
slow=nlmeans # milliseconds a file
[ -n "${GLINT_SANITIZED:-}" ] || slow=nlmeans,nlmeans,nlmeans
mkdir many
memory=$(mktemp -d -p /dev/shm 2>/dev/null) && ln -s "$memory" fast || mkdir fast
trap '[ $BASHPID -ne $$ ] || rm -rf "$work" "$memory"' EXIT
for i in $(seq 100 399); do cp in/$((10 + i % 30)).ppm many/$i.ppm; done
"$glint" batch $slow many -o many-want/ --quiet "${cpu[@]}" || exit 1
supervisor() { # RANK: the process of that number
    local process
    for process in $(pgrep -P "$launcher"); do
        tr '\0' '\n' <"/proc/$process/environ" 2>/dev/null | grep -qx "OMPI_COMM_WORLD_RANK=$1" && echo "$process"
    done
}
worker() { # RANK
    local process
    process=$(supervisor "$1")
    [ -n "$process" ] && pgrep -P "$process"
}
has_made_some() { [ "$(ls fast/killed 2>/dev/null | wc -l)" -gt 20 ]; }
# kill_one worker|supervisor RANK: of three processes at work; $status is how they end.
kill_one() {
    local victim
    rm -rf fast/killed
    last="mpirun -n 3 glint batch, the $1 of process $2 killed"
    mpirun -n 3 --oversubscribe "$glint" batch $slow many -o fast/killed/ --resume --jobs 1 --json killed.jsonl -f \
        "${cpu[@]}" >.out 2>.err </dev/null &
    launcher=$!
    patiently has_made_some && victim=$("$@") && kill -KILL "$victim"
    wait $launcher
    status=$?
    for file in fast/killed/*.ppm; do cmp -s "$file" "many-want/${file##*/}" || complain "$file is torn"; done
}
resumes() {
    together 0 batch $slow many -o fast/killed/ --resume "${cpu[@]}"
    check "the rest is done" diff -r -x .glint-journal many-want fast/killed
}

# A lost worker takes along its files in flight, no more.
kill_one worker 1
check "status 4" test $status -eq 4
says 'process 1 was killed by signal 9'
says '1 of 3 processes lost: the outcome of 2[5-9][0-9] of 300 files is known'
check "the others go on" test "$(ls fast/killed | wc -l)" -ge 250
check "one report, whole" jq -es '.[-1] | .status == "summary" and .lost == 1 and .done >= 250 and .failed == 0' killed.jsonl >.jq
resumes
kill_one worker 0
check "status 4" test $status -eq 4
says 'process 0 was killed by signal 9 .*; the others go on'
check "the others go on" test "$(ls fast/killed | wc -l)" -ge 250
resumes
# Processes that a worker has started, such as a sandbox's, do not hide its end.
# Not under sanitizers, whose runtimes make calls that it refuses.
if [ -z "${GLINT_SANITIZED:-}" ]; then
    last="a worker of a sandbox is killed"
    rm -rf fast/killed
    mpirun -n 3 --oversubscribe "$glint" batch $slow many -o fast/killed/ --jobs 1 --sandbox "${cpu[@]}" >.out 2>.err </dev/null &
    launcher=$!
    patiently has_made_some && victim=$(worker 1) && kill -KILL "$victim"
    wait $launcher
    check "status 4" test $? -eq 4
    says '1 of 3 processes lost'
fi
# If a supervisor is lost, the launcher ends all.
kill_one supervisor 2
check "a failure" test $status -ne 0
resumes
# A stopped worker is waited for, and named.
last="mpirun -n 3 glint batch, the worker of process 2 stopped"
rm -rf fast/killed
mpirun -n 3 --oversubscribe "$glint" batch $slow many -o fast/killed/ --jobs 1 -f "${cpu[@]}" >.out 2>.err </dev/null &
launcher=$!
patiently has_made_some
stopped=$(worker 2)
kill -STOP $stopped
is_named() { grep -q 'process 2 is waited for; is it stopped' .err; }
check "it is named" patiently is_named
kill -CONT $stopped
wait $launcher
check "it goes on" test $? -eq 0
says 'glint: 300 of 300 done'
# A signal reaches the workers: files in flight end.
last="mpirun -n 3 glint batch, SIGTERM"
rm -rf fast/killed
mpirun -n 3 --oversubscribe "$glint" batch $slow many -o fast/killed/ --resume --jobs 1 "${cpu[@]}" >.out 2>.err </dev/null &
launcher=$!
patiently has_made_some
workers=$(for rank in 0 1 2; do worker $rank; done)
check "three work" test "$(wc -w <<<"$workers")" -eq 3
kill -TERM $launcher
wait $launcher
check "a failure" test $? -ne 0
alive() { for process in $workers; do [ -e "/proc/$process" ] && echo "$process"; done; }
nobody_is_alive() { [ -z "$(alive)" ]; }
check "nobody is left" patiently nobody_is_alive
check "nothing is left" test -z "$(find fast/killed -name '.glint-*' ! -name .glint-journal)"
for file in fast/killed/*.ppm; do cmp -s "$file" "many-want/${file##*/}" || complain "$file is torn"; done
resumes

# ---- one picture by three ----
same_picture() { # ARGUMENTS...: traces alone and together
    "$glint" trace "$@" -o one.pfm -f -q "${cpu[@]}" || complain "trace $*"
    together 0 trace "$@" -o three.pfm -f "${cpu[@]}"
    check "bit by bit the same" cmp one.pfm three.pfm
}
same_picture packed --look paths --samples 5 --size 120x83
same_picture packed --look paths --samples 5 --size 120x83 --denoise
same_picture packed --look paths --samples 2 --size 90x60 --filter gaussian=2
same_picture spheres --look whitted --size 50x2
last="an orbit by three"
"$glint" trace packed --look paths --samples 2 --size 60x40 --orbit 2 -o 'one-{frame}.png' -q "${cpu[@]}"
together 0 trace packed --look paths --samples 2 --size 60x40 --orbit 2 -o 'three-{frame}.png' "${cpu[@]}"
for i in 0001 0002; do check "frame $i" cmp one-$i.png three-$i.png; done
together 0 trace packed --look paths --time 0.2 --size 60x40 -o time.png --json time.json "${cpu[@]}"
check "every pixel has a sample" jq -e '.samples >= 1' time.json >.jq
together 2 trace galaxy --simulate 1 -o never.png "${cpu[@]}"
says 'simulate: bodies are moved by one process'
finish
