/* colours.h: the tables by which the window shows colours (core/image/display.h).
 * Owns the monitor's space, the spaces of the pictures in the canvas's slots, and tables between them on the GPU. */
#ifndef GLINT_APP_VIEW_WINDOW_COLOURS_H
#define GLINT_APP_VIEW_WINDOW_COLOURS_H

#include "app/view/session/viewer.h"
#include "render/canvas_table.h"

enum {
    COLOUR_TABLES = 6,
    COLOUR_PAIRS = 2 * CANVAS_SLOTS /* that a draw needs: of each slot for monitor and export */
};

/* From a space to another one. */
typedef struct ColourPair {
    ColourSpace *from, *to;
} ColourPair;

typedef struct ColourTable {
    ColourPair pair;
    CanvasTable table; /* without a serial: there is none for this pair, since OpenGL or memory failed */
    unsigned used;     /* the last time; 0: this place is free */
} ColourTable;

typedef struct ColourWish {
    ColourPair pair;
    DisplayTable *values; /* NULL: not made yet */
} ColourWish;

typedef struct WindowColours {
    ColourSpace *monitor; /* NULL: sRGB, or nobody knows */
    PictureColours of[CANVAS_SLOTS];
    ColourTable tables[COLOUR_TABLES];
    ColourWish wishes[COLOUR_PAIRS]; /* tables that the next draw needs */
    size_t wish_count;
    unsigned uses;
} WindowColours;

/* Takes the space over, or NULL. */
void colours_set_monitor(WindowColours *colours, ColourSpace *space);
/* Notes the spaces of the pictures that the next draw shows, `fresh`: also of the result, which was taken or which
 * another picture stands for. Then it finds the tables that are missing. */
void colours_follow(WindowColours *colours, const Viewer *viewer, bool fresh);
bool colours_due(const WindowColours *colours);
/* Makes missing tables, without OpenGL: by any thread, while no other one follows or finishes. Fails for memory. */
Status colours_make(WindowColours *colours);
/* Makes what colours_make has not made, and copies it to the GPU. A failure leaves colours as they are. */
Status colours_finish(WindowColours *colours);
/* Puts the tables that there are into the look. */
void colours_apply(const WindowColours *colours, const Viewer *viewer, CanvasLook *look);
void colours_free(WindowColours *colours); /* accepts a zeroed one */

#endif
