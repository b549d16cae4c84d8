# test_commands.sh: the command line that `c` prints makes the picture that the window shows, of floats and of light,
# too.
source "$(dirname "$0")/lib.sh"
display -screen 0 640x480x24
gives 0 trace --quiet spheres=count=9:seed=3 --look paths --samples 1 --size 16x12 -o '-linear light.pfm'
printf 'glint-scene 2\ncamera .1 -4 .3 .1 .2 .3 0 0 1 40\nlight point 3 -4 5 30 30 30\nsphere 0 0 0 1 .8 .5 .2\n' >lit.scene

# made FILE LINE...: a script of these lines saves FILE and prints a command, which is run; it writes out.*.
made() {
    local file=$1 command
    shift
    script 0 'size 64x48' "$@" "frame $file" 'key c' quit
    command=$(grep '^glint ' .out)
    check "c prints a command" [ -n "$command" ]
    eval "gives 0 ${command#glint}"
}

made shown.pfm 'open ./-linear light.pfm' 'filter gaussian=2,sharpen' 'border constant=0.25' 'key e'
same out.pfm shown.pfm # exposure is the screen's alone
made shown.png 'open lit.scene'
shown out.png 64 48 # z is up here; an orthographic camera below is the same to the last bit
rm out.png
made shown.png 'scene spheres=count=9:seed=3' 'key -' 'key -'
same out.png shown.png

# A mask that the line has no room for is not cut: a part of it is another mask.
script 2 'open ./-linear light.pfm' "filter convolve=$(yes 0.00125 | head -n 1681 | paste -sd' ')" 'key c' quit
says 'the chain is too long for a command line'
# A filter is confined, and again not.
picture one.ppm 64 40 2
script 0 'open one.ppm' 'filter gaussian=2,invert' 'select-filter' 'confine 30x20+10+5' 'frame in.ppm' 'confine' \
    'frame all.ppm' quit
gives 0 batch --quiet 'gaussian=2:within=30x20+10+5,invert' one.ppm -o want.ppm
same in.ppm want.ppm
gives 0 batch --quiet --overwrite 'gaussian=2,invert' one.ppm -o want.ppm
same all.ppm want.ppm
finish
