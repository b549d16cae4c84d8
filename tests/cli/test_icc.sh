#!/usr/bin/env bash
# Colours by ICC profiles go along, are converted to sRGB, or tell how light is linear. tests/formats/icc.py made the
# pictures, and the expected results, from the definitions of their colour spaces.
. "$(dirname "$0")/lib.sh"
formats=$GLINT_SOURCE_DIR/tests/formats

gives 0 batch '' "$formats/icc-adobe.png" -o kept.png
for to in jpg png; do
    gives 0 batch --quiet '' "$formats/icc-adobe.png" -o kept.$to -f
    gives 0 batch --quiet '' kept.$to -o again.png -f
    gives 0 batch '' again.png -o none.ppm -f
    says 'not in all outputs, though in their inputs: ICC profiles'
done
run batch --icc srgb '' kept.png -o converted.png
if [ "$status" = 2 ]; then
    says 'needs Little CMS'
    finish
    exit
fi

near() { # near NAME WITHIN: got.png and the picture of that name
    gives 0 compare got.png "$formats/icc-$1.png" --at-most max="$2"
}
for row in adobe:1 eci:1 gray:12; do
    name=${row%:*} within=${row#*:}
    gives 0 batch --icc srgb '' "$formats/icc-$name.png" -o got.png -f
    near "$name-srgb" "$within"
    gives 0 batch '' got.png -o none.ppm -f
    check "$name: no profile is left" test "$(grep -c 'not in all' .err)" = 0
    gives 0 batch --linear resize=9:6:by=box "$formats/icc-$name.png" -o got.png -f
    near "$name-half" "$within"
done
gives 0 batch resize=9:6:by=box "$formats/icc-adobe.png" -o got.png -f
gives 1 compare got.png "$formats/icc-adobe-half.png" --at-most max=1

# CMYK with a profile becomes sRGB by it; without, or with one that is damaged, the light that inks let through.
if [ -z "$("$glint" list formats | grep -E '^jxl .*lacks')" ]; then # its black is a channel of its own
    gives 0 batch '' "$formats/icc-cmyk.jxl" -o got.png -f
    refute "neither its profile nor its black is lost" grep -q 'not in all' .err
    near cmyk-srgb 1
fi
if [ -z "$("$glint" list formats | grep -E '^tiff .*lacks')" ]; then
    gives 0 batch '' "$formats/icc-cmyk.tif" -o got.png -f
    refute "its profile is not lost" grep -q 'not in all' .err
    near cmyk-srgb 1
    gives 0 batch '' "$formats/icc-cmyk16.tif" -o got16.ppm -f
    refute "its profile is not lost" grep -q 'not in all' .err
    for i in 0 3 47; do # of 16 bits the upper halves are the 8 bits, but for rounding
        deep=$(tail -c 96 got16.ppm | od -An -v -tu1 -j $((2 * i)) -N 1)
        "$glint" batch '' "$formats/icc-cmyk-srgb.png" -o flat.ppm -f --quiet
        flat=$(tail -c 48 flat.ppm | od -An -v -tu1 -j $i -N 1)
        check "value $i: $deep, want $flat" test $((deep - flat)) -ge -1 -a $((deep - flat)) -le 1
    done
    tail -c 4108 "$formats/icc-cmyk.tif" >cmyk.icc
    { head -c 2 "$formats/jpeg-cmyk.jpg" && printf '\xff\xe2\x10\x1cICC_PROFILE\0\1\1' && cat cmyk.icc &&
        tail -c +3 "$formats/jpeg-cmyk.jpg"; } >profiled.jpg
    gives 0 batch '' "$formats/jpeg-cmyk.jpg" -o plain.png -f
    gives 0 batch '' profiled.jpg -o profiled.png -f
    refute "its profile is not lost" grep -q 'not in all' .err
    refute "other colours" cmp -s plain.png profiled.png
    sed 's/CMYKLab /CMYKLob /' profiled.jpg >damaged.jpg
    gives 0 batch '' damaged.jpg -o damaged.png -f
    says 'not in all outputs, though in their inputs: ICC profiles'
    gives 0 compare plain.png damaged.png --at-most max=0
fi

# Alternate curves in one run: a pipeline of one must not serve the other.
mkdir in
cp "$formats"/icc-adobe.png "$formats"/icc-eci.png in
for i in 1 2 3; do cp in/icc-adobe.png in/a$i.png; cp in/icc-eci.png in/b$i.png; done
gives 0 batch --quiet --jobs 2 --linear resize=9:6:by=box in -o out/
for i in 1 2 3; do
    cp out/a$i.png got.png; near adobe-half 1
    cp out/b$i.png got.png; near eci-half 1
done

# The images that filters read are converted, too.
gives 0 batch --icc srgb "blend=$formats/icc-eci.png" "$formats/icc-adobe.png" -o got.png -f
near eci-srgb 1

# In a sandbox the decoder converts; sanitizers' runtimes make calls that it refuses.
if [ -z "${GLINT_SANITIZED:-}" ]; then
    for name in adobe eci gray; do
        gives 0 batch --icc srgb '' "$formats/icc-$name.png" -o got.png -f
        gives 0 batch --icc srgb '' "$formats/icc-$name.png" -o boxed.png -f --sandbox=300
        check "$name: the same from the sandbox" cmp got.png boxed.png
    done
fi

# --resume tells converted pictures from others.
gives 0 batch '' "$formats/icc-adobe.png" -o r/ --resume
gives 0 batch '' "$formats/icc-adobe.png" -o r/ --resume --icc srgb
gives 0 batch '' r/icc-adobe.png -o none.ppm -f
check "it was converted" test "$(grep -c 'not in all' .err)" = 0
# A picture whose profile cannot be used is not said to be converted.
gives 0 batch '' "$formats/icc-eci.png" -o eci.jpg
LC_ALL=C sed 's/RGB XYZ /Lab XYZ /' eci.jpg >lab.jpg
refute "another colour space" cmp -s eci.jpg lab.jpg
gives 0 batch --icc srgb '' eci.jpg -o eci.png
gives 3 batch --icc srgb '' lab.jpg -o none.png
says 'lab.jpg: its ICC profile is damaged, or is for other colours than the picture'
refute "nothing is written" test -e none.png
gives 0 batch '' lab.jpg -o lab-kept.jpg
gives 2 batch --icc lab '' kept.png -o none.png
says 'icc is "lab", want keep or srgb'
finish
