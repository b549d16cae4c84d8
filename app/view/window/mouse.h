/* mouse.h: the mouse: it drags the picture, the camera and the split's handle, and feeds the panels.
 * Owns the drag that is going on. Knows no windowing library, so that scripts can drag, too. */
#ifndef GLINT_APP_VIEW_WINDOW_MOUSE_H
#define GLINT_APP_VIEW_WINDOW_MOUSE_H

#include "app/view/window/screen.h"

typedef enum Drag {
    DRAG_NONE,
    DRAG_PAN,
    DRAG_SPLIT,
    DRAG_ORBIT,
    DRAG_DOLLY,
    DRAG_SUN,
    DRAG_SKY,
    DRAG_TOOL,
    DRAGS
} Drag;

typedef struct Mouse {
    Screen *screen; /* borrowed */
    Drag drag;
    const ToolKind *tool; /* of DRAG_TOOL */
    double x, y;
    double from_x, from_y; /* where the drag began */
    bool at_left;          /* that was on the left one of two sides */
    bool held;             /* a button is down */
    bool still;            /* since it went down, the pointer has stayed where it was */
    double moved;          /* pixels, since then */
    double sun[2];         /* its azimuth and altitude when the drag began, degrees */
    double sky;            /* the azimuth of its image then */
    double moved_at;       /* clock_ms of the last move, and how fast it was: pixels a second */
    double speed_x, speed_y;
    double clicked_at; /* clock_ms of the last click on the picture */
} Mouse;

/* Window pixels, from the top left. */
void mouse_move(Mouse *mouse, double x, double y);
void mouse_leave(Mouse *mouse);
/* Pictures are panned. Scenes: left orbits, middle or shift pans, right or ctrl goes nearer and farther, shift and ctrl
 * moves the sun, or turns the sky's image. A click picks the thing at the pointer, a double one turns towards it. The
 * right button opens a menu where it is let go without a drag. */
void mouse_button(Mouse *mouse, MouseButton button, bool pressed, bool shift, bool ctrl);
/* Up (1) or down (-1): scrolls a panel, moves a slider with `ctrl`, or zooms about the pointer. */
void mouse_wheel(Mouse *mouse, int direction, bool ctrl);

#endif
