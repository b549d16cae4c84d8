# test_flip.sh: FLIP in the window. Figures are those of NVIDIA's flip-evaluator (cli/compare/make.py), also of light. The
# map is the one of `glint compare`.
source "$(dirname "$0")/lib.sh"
command -v jq >/dev/null || { echo "skipped: jq is not installed"; exit 77; }
cases=$(cd "$OLDPWD" && realpath "$(dirname "$0")/../cli")/compare
display -screen 0 1280x800x24

while read -r case; do
    name=$(jq -r .name <<<"$case") a=$cases/$(jq -r .a <<<"$case") b=$cases/$(jq -r .b <<<"$case")
    script 0 'size 400x300' 'key Tab' "open $a" 'keep' "open $b" 'difference' 'difference-view flip' 'frames 1' \
        'timings timings.json' quit
    check "figures of $name" jq -e --argjson want "$case" '.comparison as $got
        | all("flip", "flip_median", "flip_p95", "flip_max"; . as $name | $got[$name] - $want[$name] | fabs < 1e-4)
        and all("psnr", "ssim", "max"; . as $name | $got[$name] - $want[$name] | fabs < 1e-5)' timings.json >/dev/null
done < <(jq -c 'select(.name != "mixed")' "$cases/figures.json")
script 0 "open $cases/colours-a.ppm" 'timings none.json' quit
json '.comparison == null' none.json

# At 1:1 the picture of 24 x 16 pixels lies where the view says, in the colours of the heat map.
for which in colours light; do
    file=$cases/$which-a; [ -e "$file.ppm" ] && ext=ppm || ext=pfm
    run compare "$file.$ext" "$cases/$which-b.$ext" -o map.ppm --map flip --overwrite
    read -r width height < <(sed -n 2p map.ppm)
    script 0 'size 400x300' 'key Tab' "open $file.$ext" 'keep' "open $cases/$which-b.$ext" 'view 160 110 1' 'difference' \
        'difference-view flip' 'frames 1' 'screenshot flip.png' quit
    run batch --quiet --overwrite "crop=$width:$height:160:110" flip.png -o got.ppm
    gives 0 compare map.ppm got.ppm --at-most max=2
done

# The views come in turns, and have their names.
script 0 'size 400x300' 'key Tab' "open $cases/colours-a.ppm" 'filter invert' 'difference' 'screenshot values.png' 'key D' \
    'frames 1' 'screenshot flip.png' 'key D' 'frames 1' 'screenshot colours.png' 'key D' 'wait 3' 'screenshot again.png' \
    'difference-view flip' 'frames 1' 'screenshot named.png' quit
refute "errors are no values" cmp -s values.png flip.png
refute "nor colours" cmp -s colours.png flip.png
script 2 "open $cases/colours-a.ppm" 'difference-view heat'
says 'view "heat", want values, flip or colours'
finish
