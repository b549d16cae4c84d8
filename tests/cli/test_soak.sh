#!/usr/bin/env bash
# Many small files: memory stays as it is (tools/soak; with 20 000 files by hand).
. "$(dirname "$0")/lib.sh"
[ -z "${GLINT_SANITIZED:-}" ] || exit 77 # their allocators keep what was freed
last="tools/soak"
"$GLINT_SOURCE_DIR/tools/soak" "$glint" "${GLINT_SOAK:-2000}" >.out 2>.err || complain "memory grows, or a run failed: $(tail -n 1 .out)"
cat .out
finish
