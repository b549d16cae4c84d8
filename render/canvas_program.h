/* canvas_program.h: the programs that lay textures on the window: one for each mode. */
#ifndef GLINT_RENDER_CANVAS_PROGRAM_H
#define GLINT_RENDER_CANVAS_PROGRAM_H

#include "core/base/status.h"
#include "render/canvas_look.h"

#include <epoxy/gl.h>

/* The properties of a program; each set of them is a program of its own. */
enum {
    MAGNIFIED = 1,
    REDUCED = 2,
    DIFFERENCE = 4,
    LINEAR = 8,
    TRANSPARENT = 16,
    GRADED = 32,
    PLACED = 64,
    PROFILED = 128,
    EXPORTED = 256,
    SMOOTH = 512,
    ERRORS = 1024,
    MODES = 2048
};

/* The uniforms of canvas.frag, looked up once. */
typedef struct Program {
    GLuint name; /* 0: not made yet */
    GLint first, second, window, corner, scale, side, texel, gain, board, checker, channel, false_colour, gamma, zebra;
    GLint to_texels, begins, ends, size;
    GLint grid, curves, exported, exported_curves;
} Program;

/* Where a program finds a picture that has a place of its own. */
typedef struct Placed {
    Homography map;                  /* from the window */
    double begins[2], ends[2], size; /* as in canvas.frag */
} Placed;

/* Makes the program of a mode unless it is there. STATUS_DEVICE with the driver's words. */
Status canvas_program_make(Program *program, int mode);
/* For the program in use: the look's numbers; where a placed picture lies; the tables that its mode needs. */
void canvas_program_set_look(const Program *program, CanvasLook look);
void canvas_program_set_placed(const Program *program, const Placed *placed);
void canvas_program_set_colours(const Program *program, CanvasColours colours);

#endif
