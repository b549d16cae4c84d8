# test_monkey.sh: fifteen seconds of random things (of a change five), the same each time (tools/monkey). GLINT_MONKEY=600 has it take ten
# minutes, GLINT_MONKEY="600 SEED" do others.
program=$(realpath "$1") tool=$(realpath "$(dirname "$0")/../../tools/monkey")
source "$(dirname "$0")/lib.sh"
display -screen 0 1280x800x24
read -r seconds seed <<<"${GLINT_MONKEY:-$((15 / $(every 3))) 1}"
last="tools/monkey $seconds GLINT ${seed:=1}"
checks=$((checks + 1))
"$tool" "$seconds" "$program" "$seed" >.out 2>&1 || { cat .out; complain "it fails"; }
grep -E '^monkey: seed .*: exit' .out
finish
