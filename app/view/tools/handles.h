/* handles.h: parameters that are places, angles or rectangles of the picture, to be dragged there.
 * Owns where the selected filter's input lies in the window, and the drag that is going on. A rectangle is drawn on all
 * that it is cut from: meanwhile the filter is set aside (Request.set_aside), and saving ends that. */
#ifndef GLINT_APP_VIEW_TOOLS_HANDLES_H
#define GLINT_APP_VIEW_TOOLS_HANDLES_H

#include "app/view/tools/tools.h"
#include "core/image/image.h"
#include "core/param/homography.h"

typedef enum HandlesKind { HANDLES_NONE, HANDLES_RECTANGLE, HANDLES_PLACE, HANDLES_ANGLE, HANDLES_CORNERS } HandlesKind;

/* The part that a drag holds: sides of a rectangle, or one of a quadrilateral's corners. */
enum {
    GRIP_NONE,
    GRIP_LEFT = 1,
    GRIP_TOP = 2,
    GRIP_RIGHT = 4,
    GRIP_BOTTOM = 8,
    GRIP_ALL = 15,   /* moves it */
    GRIP_POINT = 16, /* and the corner's number */
    HANDLES_MAX = 8
};

/* Whole pixels. */
typedef struct Rectangle {
    double x, y, width, height;
} Rectangle;

/* The values before a drag, and after; the kind of handles tells the one that counts. Points are coordinates of pixels
 * in the filter's input; corners are in its result. */
typedef struct HandleValues {
    Rectangle rectangle;
    double x, y;
    double angle, length; /* degrees as the parameter counts them; pixels */
    double corners[4][2];
} HandleValues;

typedef struct Handle {
    double x, y; /* in the window */
    int grip;
} Handle;

typedef struct Handles {
    bool on;
    /* of the job that is shown */
    bool known;
    unsigned of_job;
    size_t of_link;
    Shape in, out;                     /* of the filter */
    Homography to_result, from_result; /* from the filter's result to the chain's, and back */
    /* the drag */
    int grip;
    double from_x, from_y; /* the pointer then */
    double turn, away;     /* of the pointer about a dial's middle */
    HandleValues before;
    /* the last request: one that was refused is not made again */
    const struct Chain *asked_of;
    size_t asked;
} Handles;

/* A rectangle one or several sides of which were moved by so much, at least a pixel wide and high, within the picture.
 */
Rectangle rectangle_drag(Rectangle before, int grip, double dx, double dy, double width, double height);
/* Whether four corners in sequence make a convex quadrilateral that is not turned over. */
bool corners_convex(double corners[4][2]);

/* The kind of the selected filter's handles, whether or not they are drawn. */
HandlesKind handles_kind(const Viewer *viewer);
Status handles_toggle(Viewer *viewer);
/* Follows the selected filter: asks to set it aside if its handles need that, and finds where its pixels are in the
 * window. False if nothing is to be drawn. */
bool handles_follow(Viewer *viewer);
/* Finds where the filter's pixels are as soon as a request is carried out, so that no draw waits for plans; shows the
 * result as it will be saved. */
extern const ToolKind handles_tool;

/* The selected filter's values, as the chain has them. */
HandleValues handles_values(const Viewer *viewer);
/* Where to take hold of them; returns how many. */
int handles_list(const Viewer *viewer, Handle handles[HANDLES_MAX]);
/* From the pixels that the filter makes, or is given while it is set aside, to the window. */
void handles_place(const Viewer *viewer, double x, double y, double *window_x, double *window_y);
/* The grip of the handle that the pointer is on. */
int handles_at(const Viewer *viewer, double x, double y);

/* The mouse, in pixels of the window; false if there is nothing to take hold of. */
bool handles_press(Viewer *viewer, double x, double y);
Status handles_drag(Viewer *viewer, double x, double y);

#endif
