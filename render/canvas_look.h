/* canvas_look.h: the way in which pictures are laid on a framebuffer, as values. */
#ifndef GLINT_RENDER_CANVAS_LOOK_H
#define GLINT_RENDER_CANVAS_LOOK_H

#include "core/param/homography.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum CanvasSlot { CANVAS_RESULT, CANVAS_SOURCE, CANVAS_SLOTS } CanvasSlot;

/* A table of colours on the GPU, by OpenGL's names (canvas_table.h). */
typedef struct CanvasTable {
    unsigned grid, curves, serial; /* serial: no other table has it; 0: there is none */
} CanvasTable;

/* How a slot's colours are shown. */
typedef struct CanvasColours {
    CanvasTable display;  /* to the monitor's colours; none: as they are */
    CanvasTable exported; /* stripes are over what this clips; none: over black and white */
    bool coded;           /* floats are values as others are, not linear light */
} CanvasColours;

/* Errors are the source's values, 0 to 1, which no colours are. */
typedef enum CanvasShow {
    CANVAS_SHOW_RESULT,
    CANVAS_SHOW_SOURCE,
    CANVAS_SHOW_DIFFERENCE,
    CANVAS_SHOW_ERRORS
} CanvasShow;

/* How to lay the pictures on a framebuffer of width x height pixels; the origin is at its top left. */
typedef struct CanvasLook {
    int width, height;
    double x, y, scale; /* the picture's top left corner, framebuffer pixels; framebuffer pixels a picture pixel */
    double from_x, from_y, to_x, to_y;  /* the part of the framebuffer that has pictures; to_x 0: all of it */
    double split;                       /* left of this x the source is shown; negative: nowhere */
    double shift;                       /* the source lies so far left of the result, framebuffer pixels */
    bool placed;                        /* the source has another place than the result: */
    Homography map;                     /* from the result's pixels to the source's; centres have whole coordinates */
    size_t source_width, source_height; /* of the whole source, pixels */
    size_t cut_width, cut_height;       /* the source is seen on a result of this size alone; 0: all of it is */
    CanvasShow show;
    double exposure; /* stops */
    double ground;   /* the grey around the pictures, 0 black to 1 white, as the screen encodes it */
    double checker;  /* framebuffer pixels a square of the board behind transparent pixels */
    bool graded;     /* these count: */
    int channel; /* shown as gray: 0 all of them, as they are; 1 to 3 red, green, blue; 4 alpha; 5 luma (Rec. 709) */
    bool false_colour; /* by brightness, dark violet to yellow; differences and errors by the largest of the channels,
                          from black */
    double gamma;      /* shown values are raised to its reciprocal */
    double zebra;      /* framebuffer pixels a stripe over black and white; 0: none */
    CanvasColours colours[CANVAS_SLOTS];
} CanvasLook;

#endif
