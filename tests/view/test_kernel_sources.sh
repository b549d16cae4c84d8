# test_kernel_sources.sh: kernels are taken from the command line alone. Nothing that may come with a picture brings one:
# no sidecar, state file, script, preset, scene, or text within the picture.
source "$(dirname "$0")/lib.sh"
command -v cc >/dev/null || { echo "no C compiler"; exit 77; }
picture one.ppm 97 61 1
display -screen 0 1280x800x24
export keeps=yes XDG_STATE_HOME=$work/state XDG_CACHE_HOME=$work/cache
printf '#!/bin/sh\ntouch %s/compiled\nexec cc "$@"\n' "$work" >own-cc
chmod +x own-cc
export CC=$work/own-cc
cat >mine.c <<END
#include <glint/kernel.h>
#include <stdio.h>
static void begin(void) __attribute__((constructor));
static void begin(void) {
    FILE *file = fopen("$work/ran", "w");
    if (file)
        fclose(file);
}
KERNEL(convolve, mine) {
    for (int y = part.first; y < part.last; y++)
        for (int i = 0; i < out.width * CHANNELS; i++)
            out.values[y * out.stride + i] = 9;
}
END

# no_kernel HOW: nothing was compiled, and nothing ran.
no_kernel() { refute "a kernel is taken from $1" [ -e compiled -o -e ran ]; }

# The command line brings it: the traces are there.
gives 0 batch box=3 one.ppm --kernel mine.c --level mine --backend cpu -o out.ppm
check "the kernel was compiled" [ -e compiled ]
check "the kernel ran" [ -e ran ]
rm -r compiled ran cache

words=('kernel mine.c' 'kernel = mine.c' 'kernels = mine.c' '--kernel mine.c' 'kernel=mine.c')

# A sidecar and the state file, as the window writes them and then with a line more, or one replaced.
printf '%s\n' 'open one.ppm' 'filter box=3' 'level naive' 'frames 1' quit >script.txt
gives 0 view --quiet --overwrite --keep --backend cpu --script script.txt
check "a sidecar is there" [ -s one.ppm.glint ]
check "a state file is there" [ -n "$(find state -type f)" ]
cp one.ppm.glint sidecar
cp -r state before
for word in "${words[@]}" 'level = mine' 'level mine'; do
    for place in '$a' '1a' 's/box=3/&,'; do
        [ "$place" = 's/box=3/&,' ] && edit="${place}${word//\//}/" || edit="$place $word"
        sed "$edit" sidecar >one.ppm.glint
        rm -rf state && cp -r before state
        find state -type f -exec sed -i "$edit" {} +
        run view --quiet --overwrite --keep --backend cpu --script script.txt
        check "the status after \"$word\" is not a crash's" [ $status -lt 90 ]
        run batch @one.ppm.glint one.ppm -o out.ppm --overwrite --backend cpu
        no_kernel "a sidecar or the state file that says \"$word\""
    done
done
rm -rf one.ppm.glint state
unset keeps

# A script, also by hand, by dropping it, and as the list of pictures.
for word in "${words[@]}" 'open mine.c' "drop file://$work/mine.c" 'level mine' 'by-hand kernel mine.c' 'by-hand filter kernel=mine.c' \
    'filter box=3:kernel=mine.c' 'scene spheres=kernel=mine.c' 'scene mine.c'; do
    printf '%s\n' 'open one.ppm' 'filter box=3' "$word" 'frames 1' quit >script.txt
    run view --quiet --overwrite --backend cpu --script script.txt
    check "the status after \"$word\" is not a crash's" [ $status -lt 90 ]
    no_kernel "a script that says \"$word\""
done

# A preset, of chains and of exports.
mkdir -p .config/glint
for word in "${words[@]}" 'box=3:level=mine' 'box=3 --kernel mine.c' '@mine.c'; do
    echo "own: $word" | tee .config/glint/chains.txt >.config/glint/exports.txt
    run batch @own one.ppm -o out.ppm --overwrite --backend cpu
    check "the preset \"$word\" is refused" [ $status -ne 0 ]
    no_kernel "a preset that says \"$word\""
done
rm -r .config

# A scene, and a picture whose comment has the words.
printf '%s\n' 2 'kernel mine.c --kernel mine.c' 'C 0 0 0' 'C 1 0 0' >scene.xyz
gives 0 trace scene.xyz --size 32x24 --backend cpu -o out.ppm --overwrite
no_kernel "a scene's comment"
run trace spheres=kernel=mine.c --size 32x24 --backend cpu -o out.ppm --overwrite
no_kernel "a scene's options"
printf 'P6\n# --kernel mine.c\n# kernel = mine.c\n2 1\n255\nabcdef' >words.ppm
gives 0 batch box=3 words.ppm -o out.ppm --overwrite --backend cpu
no_kernel "a picture's comment"
run batch box=3 mine.c one.ppm -o out/ --backend cpu
no_kernel "a list of pictures"
finish
