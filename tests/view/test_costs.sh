# test_costs.sh: the page of this device's costs: it fills as it is measured, at every size and theme, and closes.
source "$(dirname "$0")/lib.sh"
picture one.ppm 97 61 1
display -screen 0 1280x800x24

script 0 'size 1280x800' 'open one.ppm' 'filter gaussian=2' 'screenshot before.png' machine 'screenshot page.png' \
    'theme light' 'screenshot light.png' 'theme dark' 'size 400x300' 'key pagedown' 'screenshot small.png' \
    'size 1280x800' close 'screenshot after.png' quit
for name in before page light after; do
    shown $name.png 1280 800
done
shown small.png 400 300
refute "the page is there" cmp -s before.png page.png
refute "the page closes" cmp -s page.png after.png

# The page goes on with whatever is shown: a scene, no picture, another backend's device.
script 0 'scene spheres=count=9:seed=3' machine 'screenshot scene.png' machine quit
shown scene.png 1280 800
script 0 machine 'frames 5' 'open one.ppm' 'filter median' 'frames 2' quit
finish
