# test_window_threads.sh: a script of the window through its features: filters, drags, comparisons, a race, scenes,
# light, motion, the inspector, thumbnails, recordings. ThreadSanitizer watches this script (`ctest --preset tsan`).
# It is told to leave the OpenGL driver's threads alone.
source "$(dirname "$0")/lib.sh"
export TSAN_OPTIONS=exitcode=99:halt_on_error=0:ignore_noninstrumented_modules=1

picture one.ppm 160 120 1
display -screen 0 1280x800x24
script 0 'size 900x600' 'open one.ppm' 'filter gaussian=2,sharpen' 'frames 2' 'drag sigma 20 50 8' 'key s' 'frames 1' \
    'key d' 'frames 1' 'key d' 'key x' 'key H' 'pointer 500 300' 'frames 2' 'key W' 'inspector' 'thumbnails' \
    'filter median=2,gaussian=1' 'inspector' 'wait 0.5' 'key Esc' 'key Esc' 'key Esc' 'filter gaussian=2,sharpen' \
    'level simd' 'frames 1' 'level best' 'key h' 'screenshot help.png' 'key h' 'key l' \
    'timings race.json' 'key l' 'filter convolve=0 0 0 0 1 0 0 0 0' 'editor' 'stroke 620 120 740 210' 'filter curves=0 0; 100 100' \
    'stroke 620 200 700 120' 'editor' 'filter gaussian=2,crop=80:60:20:20' 'handles' 'stroke 500 300 530 320' 'frame part.ppm' \
    'filter gaussian=2,sharpen' 'scene spheres=count=20:seed=3' 'frames 2' 'key |' 'key v' 'key n' 'frames 1' 'drag sigma 20 50 4' 'key n' 'key n' \
    'key n' 'key n' 'key n' 'frames 2' 'drag sigma 50 20 4' 'key A' 'frames 2' 'wait 0.2' 'key Esc' 'key /' 'frames 2' 'key /' 'key Space' 'frames 3' 'key Space' 'size 640x200' 'frames 1' 'frame light.png' 'key i' 'record film/' \
    'frames 9' 'stop-recording' 'before-and-after wipe.apng' 'copy-image' 'wait 0.2' quit
refute "no data race" grep -q ThreadSanitizer .err
shown help.png 900 600
shown light.png 640 200
finish
