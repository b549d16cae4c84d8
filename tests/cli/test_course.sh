#!/usr/bin/env bash
# docs/course.md: no cell of its tables is empty, and the operations, levels and subcommands that it names are there.
. "$(dirname "$0")/lib.sh"
tree=$(cd "$OLDPWD" && realpath "$(dirname "$0")/../..")
page=$tree/docs/course.md

check "four cells in each row" awk -F ' *[|] *' '/^[|]/ && NF != 6 { print; bad = 1 } END { exit bad }' "$page"
check "none is empty" awk -F ' *[|] *' '/^[|]/ { for (i = 2; i <= 5; i++) if ($i == "") { print; bad = 1 } } END { exit bad }' "$page"
while read -r operation; do
    check "operation $operation" grep -qx "OP($operation)" "$tree/core/ops/ops.def"
done < <(grep -oE 'glint bench [a-z]+' "$page" | awk '{ print $3 }' | sort -u | grep -vx -e chain -e machine)
while read -r operation level; do
    check "level $level of $operation" grep -qhx "LEVEL($operation, ${level//-/_})" "$tree/gpu/levels.def" "$tree/cpu/levels.def"
done < <(grep -oE 'glint bench [^`]*--level [a-z0-9-]+' "$page" | sed -E 's/glint bench ([a-z]+).*--level ([a-z0-9-]+)/\1 \2/' | sort -u)
check "some were found" test "$checks" -gt 25
finish
