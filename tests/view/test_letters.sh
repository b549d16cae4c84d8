#!/usr/bin/env bash
# Each sign beyond ASCII in the program's texts has its row in app/view/ui/fonts.cpp. It has the signs that stand for it
# where no font has it.
. "$(dirname "$0")/../cli/lib.sh"

source=$(realpath "$(dirname "$0")/../..") || exit 1
find "$source"/{app,core,cpu,gpu,render} -regex '.*\.\(c\|cpp\|h\|hpp\|cu\|cuh\|def\)' -print0 |
    xargs -0 sed -E 's#/\*.*\*/##; s#//.*##; /^ *\/?\*/d' | grep -oP '"[^"]*"' | grep -oP '[^\x00-\x7F]' | sort -u >used
check "there are some" test -s used
while read -r sign; do
    check "$sign has a row" grep -qF "{u'$sign', '" "$source/app/view/ui/fonts.cpp"
done <used

finish
