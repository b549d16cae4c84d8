#!/usr/bin/env bash
# Programs that look for faults in files find none in glint's files: every format, with all that goes with pictures.
. "$(dirname "$0")/lib.sh"
samples=$GLINT_SOURCE_DIR/tests/formats

for tool in exiftool pngcheck tiffdump exrheader; do
    command -v "$tool" >/dev/null || { echo "without $tool"; exit 77; }
done

# Exif, XMP and an orientation; text; colours by a profile; pages and frames; 16 bits, floats, alpha and gray. Then a gain
# map, and the Exif of a RAW file.
sources='metadata.jpg metadata.png metadata.tif jpeg-gray.jpg icc-adobe.png icc-gray.png tiff-pages.tif gif-frames.gif
    webp-frames.webp apng-over.png jxl-frames.jxl png-gray-alpha-16-passes.png png-map-4-passes.png tiff-float32-2.tif
    exr-four-zip.exr exr-gray.exr exr-rgb-float32.exr jpeg-gain-plain.jpg raw-below.dng'
mkdir written
count=0
for source in $sources; do
    for format in png jpg tiff webp exr jxl avif heic gif bmp hdr pfm ppm; do
        for options in '' '--lossless --half --quality 100' '--strip --bits 8 --quality 5' \
            '--progressive --sampling 422 --effort 2 --depth 12'; do
            count=$((count + 1))
            # shellcheck disable=SC2086
            run batch invert "$samples/$source" -o "written/${source%.*}-$count.$format" --overwrite --quiet $options
            check "$source as $format is written, or refused with a sentence" test "$status" -eq 0 -o "$status" -eq 3
        done
    done
done
# Pictures of scenes, strips of a larger picture, and members of an archive come by ways of their own.
for format in png jpg tiff webp jxl exr hdr pfm; do
    gives 0 trace packed --look paths --samples 1 --size 64x48 -o "written/traced.$format" --quiet --backend cpu
done
picture vast.ppm 3000 2000
for format in png tiff; do
    GLINT_MEMORY=16M gives 0 batch gaussian=1 vast.ppm -o "written/vast.$format" --quiet --backend cpu
done
if [ -e "$(dirname "$glint")/glint-archive.so" ]; then
    gives 0 batch invert "$samples/metadata.jpg" "$samples/metadata.png" "$samples/metadata.tif" -o members.tar --quiet
    check "members" tar -xf members.tar -C written
fi
written=$(find written -type f | wc -l)
check "most are written: $written" test "$written" -gt 150

# Blocks that pictures came with may say too little: Exif without its required tags, XMP without its wrapper. TIFF 6.0
# does not list deflate, which Adobe added. ISO 21496-1 has a segment of its own.
allowed='^(======== .*|.*Missing required .* (ExifIFD|GPS|InteropIFD|JPEG IFD0) tag .*|.*Missing required JPEG IFD0 .*'
allowed+='|.*\[minor\] XMP is missing xpacket wrapper|.*IFD[01] tag 0x0103 Compression|.*Unknown APP2 segment|[0-9]+ Warnings?.*|OK'
allowed+='| +[0-9]+ (directories scanned|image files read))$'
for file in written/*.ppm; do
    [ "$(head -c 2 "$file")" != P7 ] || rm "$file" # PAM, which exiftool does not know
done
exiftool -validate -warning -error -a -s3 written >.out 2>.err
last="exiftool"
grep -vE "$allowed" .out | head -n 20 >.faults
check "exiftool finds no fault: $(cat .faults)" test ! -s .faults
for file in written/*.png; do
    last="pngcheck $file"
    check "no fault: $(pngcheck -q "$file" 2>&1)" pngcheck -q "$file" >.out 2>.err
done
for file in written/*.tif*; do
    last="tiffdump $file"
    tiffdump "$file" >.out 2>.err
    check "no fault" test $? -eq 0 -a ! -s .err
done
for file in written/*.exr; do
    last="exrheader $file"
    exrheader "$file" >.out 2>.err
    check "no fault" test $? -eq 0 -a ! -s .err
done
finish
