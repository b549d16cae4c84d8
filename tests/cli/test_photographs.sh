#!/usr/bin/env bash
# Filters for photographs: names that another filter had before, parameters that are refused, pictures in strips.
. "$(dirname "$0")/lib.sh"
cpu=(--backend cpu)
picture in.ppm 60 40 1

# `denoise` was the filter for renderings, and is where normals are given.
picture normals.ppm 60 40 2
gives 0 batch denoise=4:normals=normals.ppm in.ppm -o before.ppm "${cpu[@]}"
gives 0 batch rendernoise=4:normals=normals.ppm in.ppm -o now.ppm "${cpu[@]}"
check "the name of before means the same" cmp before.ppm now.ppm
gives 2 batch denoise=4.5:albedo=normals.ppm in.ppm -o never.ppm "${cpu[@]}"
says 'denoise'
gives 0 batch denoise in.ppm -o photograph.ppm "${cpu[@]}"
refute "without them, it is that for photographs" cmp -s photograph.ppm in.ppm

# Blurs that are none.
gives 2 batch 'deconvolve=mask=0 0 0 0' in.ppm -o never.ppm "${cpu[@]}"
says "the mask's weights sum to 0"
gives 2 batch 'deconvolve=mask=1 -1 3 4' in.ppm -o never.ppm "${cpu[@]}"
says 'want none below 0'
printf '1 2 1\n' >row.txt
gives 2 batch 'deconvolve=mask=1:file=row.txt' in.ppm -o never.ppm "${cpu[@]}"
says 'not both'
gives 0 batch deconvolve=file=row.txt in.ppm -o by-row.ppm "${cpu[@]}"
gives 0 batch 'deconvolve=mask=1 2 1;' in.ppm -o by-mask.ppm "${cpu[@]}"
check "a file's weights are the mask's" cmp by-row.ppm by-mask.ppm
gives 2 batch straighten=46 in.ppm -o never.ppm "${cpu[@]}"
says '45'

# Lines that are none.
gives 2 batch "perspective=lines=20 90 30 10" in.ppm -o never.ppm "${cpu[@]}"
says 'want two upright or two level ones'
gives 2 batch "perspective=lines=20 90 30 10; 10 20 90 20" in.ppm -o never.ppm "${cpu[@]}"
says 'want two upright or two level ones'
gives 2 batch "perspective=lines=20 90 80 10; 80 90 20 5" in.ppm -o never.ppm "${cpu[@]}"
says 'cross within the picture'
gives 2 batch "perspective='0 0; 100 0; 100 100; 0 100':lines=20 90 30 10; 80 90 70 10" in.ppm -o never.ppm "${cpu[@]}"
says 'not both'

# Spots that are none.
gives 2 batch heal in.ppm -o never.ppm "${cpu[@]}"
says 'want 5 numbers each'
gives 2 batch 'heal=50 50 4 10' in.ppm -o never.ppm "${cpu[@]}"
says 'want 5 numbers each'
gives 2 batch 'heal=50 50 0 10 0' in.ppm -o never.ppm "${cpu[@]}"
says 'spot 1 has a radius of 0 pixels'
gives 2 batch 'heal=50 50 2 101 0' in.ppm -o never.ppm "${cpu[@]}"
says 'want them in the picture'

# A patch is found nearby: of a pattern that repeats every 12 pixels, the spot comes back as it was, whatever is left out.
gives 0 batch "resize=120:84,expr='mod(x, 12) / 12; mod(y, 6) / 6; mod(x + 2 * y, 12) / 12'" in.ppm -o pattern.ppm "${cpu[@]}"
gives 0 batch "expr='far = sqrt((x - 60) ^ 2 + (y - 42) ^ 2); far < 4.5 ? 1 : v'" pattern.ppm -o spoilt.ppm "${cpu[@]}"
spot='50.42 50.6 4.5 0 0'
gives 0 batch "heal='$spot':nearby=yes" spoilt.ppm -o healed.ppm "${cpu[@]}" --precision stored
refute "the spot was there" cmp -s pattern.ppm spoilt.ppm
check "it is gone" cmp pattern.ppm healed.ppm
gives 0 batch "heal='$spot'" spoilt.ppm -o smooth.ppm "${cpu[@]}"
refute "without a patch it is smooth" cmp -s healed.ppm smooth.ppm
gives 0 batch "flip=vertical,flip=vertical,heal='$spot':nearby=yes" spoilt.ppm -o again.ppm "${cpu[@]}"
check "behind filters that leave pixels where they are" cmp pattern.ppm again.ppm
gives 2 batch "flip=vertical,heal='$spot':nearby=yes" spoilt.ppm -o never.ppm "${cpu[@]}"
says 'heal: it looks at the picture itself, want it before filters that move pixels'
gives 0 batch "heal='$spot':nearby=yes" spoilt.ppm pattern.ppm -o each/ "${cpu[@]}"
for i in each/*; do check "each picture for itself: $i" cmp "$i" pattern.ppm; done

# Upright lines are found: a wall that leans becomes upright; without any, the picture is refused.
wall='d = y - h / 2; f = 1 + 0.0008 * d; i = (x - w / 2) / f / 50; j = d / f / 40; i - floor(i) < 0.5 && j - floor(j) < 0.6 ? 0.1 : 0.8'
gives 0 batch "resize=600:400,expr='$wall'" in.ppm -o wall.png "${cpu[@]}"
gives 0 batch perspective=auto wall.png -o upright.png "${cpu[@]}"
gives 0 batch "perspective=lines=14 0 20 100; 86 0 80 100" wall.png -o other.png "${cpu[@]}"
refute "other lines make another picture" cmp -s upright.png other.png
gives 0 batch perspective=auto upright.png -o twice.png "${cpu[@]}"
check "an upright wall stays" "$glint" compare upright.png twice.png --at-least psnr=22
gives 3 batch perspective=auto in.ppm -o never.ppm "${cpu[@]}"
says 'perspective: the picture shows no three upright lines that agree, want lines= or corners='

# Gray pictures, and pictures of a pixel.
picture one.ppm 1 1 3
for chain in straighten=9 clarity texture defringe dehaze deconvolve denoise; do
    gives 0 batch $chain one.ppm -o "one-$chain.ppm" "${cpu[@]}"
    gives 0 batch grayscale,$chain in.ppm -o "gray-$chain.pgm" "${cpu[@]}"
done
finish
