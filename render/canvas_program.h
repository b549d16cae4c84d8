/* canvas_program.h: the programs that lay textures on the window: one for each mode. */
#ifndef GLINT_RENDER_CANVAS_PROGRAM_H
#define GLINT_RENDER_CANVAS_PROGRAM_H

#include "core/base/status.h"

#include <epoxy/gl.h>

/* The properties of a program; each set of them is a program of its own. */
enum { MAGNIFIED = 1, REDUCED = 2, DIFFERENCE = 4, LINEAR = 8, TRANSPARENT = 16, GRADED = 32, MODES = 64 };

/* The uniforms of canvas.frag, looked up once. */
typedef struct Program {
    GLuint name; /* 0: not made yet */
    GLint first, second, window, corner, scale, gain, board, checker, channel, false_colour, gamma, zebra;
} Program;

/* Makes the program of a mode unless it is there. STATUS_DEVICE with the driver's words. */
Status canvas_program_make(Program *program, int mode);

#endif
