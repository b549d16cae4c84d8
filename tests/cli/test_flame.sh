#!/usr/bin/env bash
# A flame shines where it covers nothing: TIFF and EXR with colours times alpha keep light where alpha is 0.
flame=$(realpath "$(dirname "$0")/flame.py")
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || { echo "SKIPPED: no python3"; exit 77; }
cpu=(--backend cpu --threads 1 --border zero)
python3 "$flame" write flame.tif

# near FILE WANTED...: sums of red, green, blue, alpha within a 10000th, and some light where alpha is 0.
near() {
    local file=$1
    shift
    python3 "$flame" sums "$file" >.sums 2>.err
    check "$file: $(cat .sums), want $*" awk -v want="$*" '{
        split(want, w, " ")
        for (i = 1; i <= 4; i++) if (($i - w[i]) ^ 2 > (1e-4 * w[i]) ^ 2) exit 1
        exit !($5 > 1)
    }' .sums
}
# The sums of the flame itself; its Gaussian in closed form: 2 pi sqrt(16 * 36) for a light of 1, but for its cut edges.
read -r red green blue alpha glow < <(python3 "$flame" sums flame.tif)
check "the flame is a Gaussian: $red" awk -v have="$red" 'BEGIN { d = have / (4 * 2 * 3.14159265 * 24) - 1; exit !(d * d < 1e-5) }'
check "half of it has no alpha: $glow" awk -v glow="$glow" -v all="$red" 'BEGIN { exit !(glow > 0.49 * all) }'

for name in tif exr; do
    gives 0 batch brightness=0 flame.tif -o same.$name "${cpu[@]}"
    near same.$name $red $green $blue $alpha
    for chain in gaussian=2 box=5 motion=7:angle=30 disk=3 flip rotate=90 rotate=7:by=cubic pad=8 \
        gaussian=1,box=3,flip; do
        gives 0 batch $chain same.$name -o "$chain.$name" "${cpu[@]}"
        near "$chain.$name" $red $green $blue $alpha
    done
    gives 0 batch resize=192:128 same.$name -o larger.$name "${cpu[@]}"
    near larger.$name $(awk -v a="$red $green $blue $alpha" 'BEGIN { split(a, v, " "); for (i = 1; i <= 4; i++) print 4 * v[i] }')
done

# Without any alpha at all: light alone.
gives 0 batch crop=48:64:x=0:y=0 flame.tif -o light.tif "${cpu[@]}"
read -r red green blue alpha glow < <(python3 "$flame" sums light.tif)
check "there is none" test "$alpha" = 0.0000
gives 0 batch pad=16,gaussian=3 light.tif -o spread.exr "${cpu[@]}"
near spread.exr $red $green $blue 0
check "and none comes" test "$(python3 "$flame" sums spread.exr | cut -d' ' -f4)" = 0.0000
finish
