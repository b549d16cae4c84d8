# test_export_presets.sh: presets of exports, which the window saves, on the command line.
source "$(dirname "$0")/lib.sh"
picture one.ppm 97 61 1
picture two.ppm 60 90 2
mkdir -p sub .config/glint
cp two.ppm sub/three.ppm
printf '%s\n' '# mine' 'web: format=jpg:quality=80:long=40:sharpen=0.5:metadata=none:folder=out:name={stem}-web' \
    'deep: format=tiff:bits=16' "home: format=png:folder=~/kept:name={{x}}{stem}" 'odd: long=many' 'choice: pictures=this' \
    >.config/glint/exports.txt

# Without -o, files lie where the preset says; a relative folder is in each picture's.
gives 0 batch --export web sepia one.ppm sub/three.ppm "$work/two.ppm"
for name in one two sub/three; do
    gives 0 batch --quiet sepia,resize=long=40,sharpen=0.5 $name.ppm --quality 80 --strip -o want.jpg --overwrite
    check "$name is as the preset has it" cmp -s "$(dirname $name)/out/$(basename $name)-web.jpg" want.jpg
done
gives 0 batch --export deep '' sub/../one.ppm
gives 0 batch --quiet '' one.ppm --bits 16 -o want.tiff
check "a path through another folder leads back" cmp -s one-export.tiff want.tiff
HOME=$work gives 0 batch --export home invert two.ppm
check "the folder of the user" test -s "kept/{x}two.png"

# A folder of -o takes the place of the preset's; a file or a template that of names, too. Options behind it count.
gives 0 batch --export web '' one.ppm -o other/
gives 0 batch --export web '' one.ppm -o sub
check "a folder" cmp -s other/one-web.jpg sub/one-web.jpg
gives 0 batch --export web '' one.ppm --quality 30 -o plain.jpg
gives 0 batch --quiet resize=long=40,sharpen=0.5 one.ppm --quality 30 --strip -o want.jpg --overwrite
check "quality and name" cmp -s plain.jpg want.jpg
gives 0 batch --quiet resize=long=40,sharpen=0.5 one.ppm --quality 80 --strip -o want.jpg --overwrite
run batch --export web '' one.ppm -o -
check "standard output has the preset's format" cmp -s .out want.jpg
gives 0 batch --export web '' sub -r -o tree/
check "folders below" test -s tree/three-web.jpg -o -s tree/./three-web.jpg

gives 2 batch --export nothing '' one.ppm
says 'no preset of exports is called "nothing"'
gives 2 batch --export odd '' one.ppm
says 'odd: '
gives 2 batch --export choice '' one.ppm
says 'choice: export: "pictures" is no setting of JPEG'
echo 'no colon' >.config/glint/exports.txt
gives 2 batch --export web '' one.ppm
says 'exports.txt:1: want NAME: SETTINGS'

# {folder} is the input's own, wherever the program was started.
gives 0 batch invert sub/three.ppm "$work/one.ppm" -o '{folder}/{stem}-i.{ext}'
check "next to the picture" test -s sub/three-i.ppm -a -s one-i.ppm
gives 2 batch invert one.ppm -o 'x/{folder}/{stem}.ppm'
says '{folder} at the begin'
finish
