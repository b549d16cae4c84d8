# test_kernels_shown.sh: the commands of docs/kernels.md that open a window, with the last listing of the page: its kernel makes
# the picture.
source "$(dirname "$0")/lib.sh"
page=$GLINT_SOURCE_DIR/docs/kernels.md
gives 0 list compilers
grep -A1 -E '^(nvrtc|nvcc|clang) ' .out | grep '^ ' | grep -qv 'not here:' || { echo "no compiler of CUDA C"; exit 77; }
export XDG_CACHE_HOME=$work/cache
cp "$GLINT_SOURCE_DIR/assets/photo.jpg" .
awk '/^```/ { within = /cuda/; if (within) text = ""; next } within { text = text $0 "\n" } END { printf "%s", text }' "$page" >mine.cu
display -screen 0 1280x800x24
printf 'speed\nframes 2\nframe now.ppm\nquit\n' >script.txt
shown=0
while read -r words; do
    # shellcheck disable=SC2086
    case $words in
    batch*) gives 0 $words --quiet ;;
    view*)
        gives 0 $words --quiet --overwrite --script script.txt
        run batch --quiet --overwrite gaussian=1:radius=2 small.png -o wanted.ppm --backend cpu
        gives 0 compare wanted.ppm now.ppm --at-most max=1
        shown=$((shown + 1))
        ;;
    esac
done < <(sed -n 's/^glint \(batch\|view\) /\1 /p' "$page")
check "the page opens a window" test $shown -ge 1
finish
