#!/usr/bin/env bash
# The filter lens: its places and gains beside Lensfun's own, the camera and the lens by Exif, and what it says.
tests=$(realpath "$(dirname "$0")")
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || { echo "SKIPPED: no python3"; exit 77; }
[ -e "$(dirname "$glint")/glint-lens.so" ] || { echo "SKIPPED: built without Lensfun"; exit 77; }
cpu=(--backend cpu --threads 1)

# agrees WIDTH HEIGHT CAMERA LENS FOCAL APERTURE SCALE: each colour of a pixel is read where Lensfun reads it. A flat
# picture becomes as bright.
agrees() {
    local which="camera='$3':name='$4':focal=$5:aperture=$6:scale=$7"
    python3 "$tests/lens.py" draw "$1" "$2"
    gives 0 batch "lens=$which:vignetting=no" x.pfm -o u.pfm -f "${cpu[@]}"
    gives 0 batch "lens=$which:vignetting=no" y.pfm -o v.pfm -f "${cpu[@]}"
    gives 0 batch "lens=$which:distortion=no:fringes=no:scale=1" flat.pfm -o light.pfm -f "${cpu[@]}"
    check "as Lensfun has it" python3 "$tests/lens.py" check "${@:3}"
}
zoom='Canon EF 24-70mm f/2.8L II USM'
agrees 150 100 'Canon EOS 5D Mark III' "$zoom" 24 2.8 1                 # ptlens; the sensor it was measured on
agrees 90 120 'Canon EOS 7D' "$zoom" 31 3.3 1.07                        # a smaller sensor, upright, between two settings
agrees 120 90 'Canon PowerShot G12' 'Canon PowerShot G12 & compatibles (Standard)' 7 3.2 1 # poly5, of no dark corners
agrees 150 100 'Nikon D90' 'Nikon AF-S DX Nikkor 35mm f/1.8G' 35 2 1.05 # fringes of a factor alone

# Exif names camera and lens as well as parameters do, and --explain tells which profile was taken.
picture a.ppm 96 64
gives 0 batch "" a.ppm -o plain.png "${cpu[@]}"
gives 0 batch "lens=camera='Canon EOS 5D Mark III':name='$zoom':focal=24:aperture=2.8" a.ppm -o forced.ppm "${cpu[@]}"
if command -v exiftool >/dev/null; then
    exiftool -q -o told.png -Make=Canon -Model='Canon EOS 5D Mark III' -LensModel="$zoom" -FocalLength=24 -FNumber=2.8 \
        plain.png || exit 1
    gives 0 batch lens told.png -o found.ppm --explain "${cpu[@]}"
    tells 'lens: Canon EOS 5D Mark III with Canon EF 24-70mm f/2.8L II USM at 24 mm: distortion, fringes, vignetting$'
    check "by Exif as by parameters" cmp found.ppm forced.ppm
    # One batch, three shots of one size: each has its own profile.
    exiftool -q -o far.png -FocalLength=70 told.png || exit 1
    gives 0 batch lens far.png -o far.ppm "${cpu[@]}"
    gives 0 batch lens told.png far.png -o 'out/{stem}.ppm' --jobs 1 --explain "${cpu[@]}"
    tells 'at 24 mm'
    tells 'at 70 mm'
    check "the first has its own" cmp out/told.ppm found.ppm
    check "so has the second" cmp out/far.ppm far.ppm
    refute "and these differ" cmp -s far.ppm found.ppm
    exiftool -q -o other.png -Model='No Such Camera 9' told.png || exit 1
    gives 3 batch lens other.png -o never.ppm "${cpu[@]}"
    says 'Lensfun knows no camera "Canon No Such Camera 9", want another by camera='
    exiftool -q -o strange.png -LensModel='Strange 12-34mm' told.png || exit 1
    gives 3 batch lens strange.png -o never.ppm "${cpu[@]}"
    says 'Lensfun knows no lens "Strange 12-34mm" that fits a Canon EOS 5D Mark III, want another by name='
fi

# A message names each thing that is missing, and nothing is written.
gives 3 batch lens plain.png -o never.ppm "${cpu[@]}"
says "lens: the picture does not tell its camera, want one as in lens=camera='Canon EOS 5D'"
gives 3 batch "lens='Canon EOS 5D Mark III'" plain.png -o never.ppm "${cpu[@]}"
says 'the picture does not tell its lens, want one by name= that fits a Canon EOS 5D Mark III'
gives 3 batch "lens='Canon EOS 5D Mark III':'$zoom'" plain.png -o never.ppm "${cpu[@]}"
says 'the picture does not tell its focal length, want it by focal='
check "nothing was written" test ! -e never.ppm

# With all parts off the picture stays; the scale alone makes it larger.
gives 0 batch "lens='Canon EOS 5D Mark III':'$zoom':24:2.8:distortion=no:fringes=no:vignetting=no" a.ppm -o same.ppm "${cpu[@]}"
check "it stays" cmp same.ppm a.ppm
# By itself the scale leaves no place without a picture: beyond it is black, next to gray.
gives 0 batch "expr='0.5'" a.ppm -o gray.png "${cpu[@]}"
gives 0 batch "lens='Canon EOS 5D Mark III':'$zoom':70:8:vignetting=no:fringes=no" gray.png -o inside.ppm --border constant=0 "${cpu[@]}"
gives 0 batch "expr='0.5'" gray.png -o want.ppm "${cpu[@]}"
check "nothing beyond shows" cmp inside.ppm want.ppm
gives 0 batch "lens='Canon EOS 5D Mark III':'$zoom':70:8:scale=1:vignetting=no:fringes=no" gray.png -o beyond.ppm --border constant=0 "${cpu[@]}"
refute "but it would" cmp -s beyond.ppm want.ppm
finish
