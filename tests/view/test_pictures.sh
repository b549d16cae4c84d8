# test_pictures.sh: the script that makes the pictures of README.md and docs/ makes every one of them.
source "$(dirname "$0")/lib.sh"
source=$GLINT_SOURCE_DIR

display -screen 0 1280x800x24
last="tools/pictures"
"$source/tools/pictures" "$glint" . small >.out 2>.err
check "tools/pictures succeeds" [ $? -eq 0 ]
wanted=$(cd "$source" && grep -ohE 'screenshots/[a-z]+\.(png|jpg)' README.md docs/*.md | sort -u)
check "there are pictures" [ -n "$wanted" ]
for picture in $wanted; do
    check "$picture is made" [ -s "${picture#screenshots/}" ]
done
for picture in "$source"/screenshots/*; do
    check "$picture is shown somewhere" grep -q "screenshots/${picture##*/}" "$source/README.md" "$source"/docs/*.md
    check "$picture is made" [ -s "${picture##*/}" ]
done
shown view.jpg 320 200
shown scene.jpg 320 200
finish
