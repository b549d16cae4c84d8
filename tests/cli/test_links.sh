#!/usr/bin/env bash
# The program starts on a machine without a display: the libraries of the window are needed by its module alone.
. "$(dirname "$0")/lib.sh"
command -v ldd >/dev/null || { echo "no ldd"; exit 77; }
window='lib(GL|GLX|EGL|OpenGL|X[a-z0-9]*|xcb|glut|epoxy|imgui|websockets|fontconfig|freetype|wayland)[-.]'
ldd "$glint" >needed
refute "the program needs nothing of a window" grep -E "$window" needed
refute "every library is there" grep 'not found' needed

# Elsewhere, without its modules, the program filters and says what the window lacks.
cp "$glint" alone
printf 'P2 2 1 255 10 20\n' >in.pgm
glint=$PWD/alone
gives 0 batch invert in.pgm -o out.pgm --backend cpu --quiet
gives 4 view in.pgm
says '^glint: view: .*package glint-view .*glint-view\.so'
lines 1 .err
finish
