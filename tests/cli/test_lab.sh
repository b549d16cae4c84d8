#!/usr/bin/env bash
# glint lab: the right answer to each exercise passes all gates, and each wrong one fails first at the gate that its name
# tells.
. "$(dirname "$0")/lib.sh"
lab=$GLINT_SOURCE_DIR/assets/lab
run lab check "$lab/reduce-sequential/answers/right.cu" --kernel-time 30
[ $status -ne 4 ] || { cat .err; exit 77; } # no compiler, or no emulated GPU

# ---- the list, tasks and hints ----

gives 0 lab --json list.json
check "each folder is listed, and nothing else" \
    diff <(ls "$lab") <(jq -r '.exercises[].exercise' list.json | sort)
for exercise in $(ls "$lab"); do
    gives 0 lab task $exercise
    tells '^## Gates|^Operation: [a-z]+$'
    refute "$exercise: no hint in the task" grep -q Hints .out
    for number in 1 2 3; do
        gives 0 lab hint $exercise $number
    done
done
gives 0 lab hint reduce-sequential
tells '^Number the additions'
gives 2 lab hint reduce-sequential 9
says 'reduce-sequential has no hint 9; want 1 to 3'
gives 0 lab hint reduce-sequential 2
says '`glint lab hint reduce-sequential 3` tells more'
gives 0 lab hint reduce-sequential 3
refute 'a fourth hint' grep -q 'tells more' .err
gives 2 lab new reduce-sequentail
says 'did you mean "reduce-sequential"\?'
gives 2 lab mend
gives 2 lab check

# ---- answers ----

# first_failed FILE: the gate, if any.
first_failed() { jq -r '[.gates[] | select(.passed == false)][0].gate // "none"' "$1"; }

for folder in "$lab"/*; do
    exercise=${folder##*/}
    gives 0 lab check "$folder/answers/right.cu" --backend emulated --json right.json -f --kernel-time 30
    json ".passed and .exercise == \"$exercise\" and all(.gates[:-1][]; .passed)" right.json
    json '.gates[-1] | .gate == "speed" and .passed == null and (.text | startswith("not measured: "))' right.json
    wrong=0
    for answer in "$folder"/answers/wrong-*.cu; do
        gate=${answer##*/wrong-} gate=${gate%%-*}
        gives 1 lab check "$answer" --backend emulated --json wrong.json -f --kernel-time 30
        tells "FAILED gate $gate: "
        check "$exercise: ${answer##*/} fails by $(first_failed wrong.json)" test "$(first_failed wrong.json)" = $gate
        wrong=$((wrong + 1))
    done
    check "$exercise: three wrong answers or more" test $wrong -ge 3
    gives 0 lab new $exercise --quiet
    gives 1 lab check $exercise.cu --kernel-time 30
done

# ---- docs/lab.md: its exercises, and its points for each file ----

page=$GLINT_SOURCE_DIR/docs/lab.md
check "the page has all exercises, and no others" \
    diff <(ls "$lab") <(sed -n '/^## Exercises/,/^## Gates/p' "$page" | grep -o '`[a-z-]*`' | tr -d '`' | sort)
mkdir answers
cp "$lab/dot-tree/answers/right.cu" answers/anna.cu
cp "$lab"/dot-tree/answers/wrong-lanes-*.cu answers/bert.cu
glint() { "$glint" "$@"; }
eval "$(sed -n '/^```sh/,/^```/p' "$page" | grep -v '^```')" >points
check "a right answer has a gate more than a wrong one" \
    diff points <(printf '"answers/%s.cu","dot-tree",%s\n' anna true,9 bert false,8)

# ---- speed, where there is no GPU ----

right=$lab/convolve-halo/answers/right.cu
gives 2 lab check "$right" --backend cpu
says 'backend is "cpu", want auto, cuda or emulated'
if ! "$glint" list backends | awk '/^[a-z]/ { name = $1 } /^ +0:/ { print name }' | grep -qx cuda; then
    gives 0 lab check "$right" --kernel-time 30
    tells '^  open   gate speed: not measured: .*(cuda|CUDA)'
    gives 4 lab check "$right" --backend cuda --kernel-time 30
    says 'cuda|CUDA'
fi

# ---- files that are no answers ----

echo '/* no exercise */' >none.cu
gives 3 lab check none.cu
says 'none.cu: names no exercise; want a line like /\* glint lab: '
gives 3 lab check missing.cu
printf '/* glint lab: reduce-sequential */\n#include <glint/kernel.h>\nKERNEL(reduce, mine, 256, 1, 1, 1, 0) { x = 3; }\n' >bad.cu
gives 1 lab check bad.cu --json bad.json
tells 'FAILED gate compiles: bad.cu:3:'
json '.passed == false and .gates[0].gate == "compiles" and (.gates | length) == 1' bad.json
sed 's/: reduce-sequential/: transpose-padded/' "$lab/reduce-sequential/starter.cu" >other.cu
gives 1 lab check other.cu
tells 'FAILED gate compiles: no kernel of move is in the file'
printf '/* glint lab: reduce-sequential */\n#include <glint/kernel.h>\nKERNEL(reduce, mine, 256, 1, 1, 1, 0) { for (;;) out[0] += 1; }\n' >long.cu
gives 1 lab check long.cu --kernel-time 0.5
tells 'FAILED gate time: kernel mine has not ended after 0.5 s'
gives 2 lab new reduce-sequential
says '\-\-overwrite'
finish
