/* handles.h: parameters that are places, angles or rectangles of the picture, to be dragged there.
 * Owns where the selected filter's input lies in the window, and the drag that goes on. A rectangle, or a thing's
 * corners, is drawn on all that it is cut from. Meanwhile the filter is set aside (Request.set_aside); saving ends
 * that. */
#ifndef GLINT_APP_VIEW_TOOLS_HANDLES_H
#define GLINT_APP_VIEW_TOOLS_HANDLES_H

#include "app/view/data/rectangle.h"
#include "app/view/session/tool.h"
#include "core/image/image.h"
#include "core/param/homography.h"

typedef enum HandlesKind {
    HANDLES_NONE,
    HANDLES_RECTANGLE,
    HANDLES_PLACE,
    HANDLES_ANGLE,
    HANDLES_CORNERS, /* where the picture's corners go to */
    HANDLES_THING    /* corners of a thing in the picture, which become upright */
} HandlesKind;

enum { HANDLES_MAX = 8 };

/* The values before a drag, and after; the kind of handles tells the one that counts. Points are coordinates of pixels
 * in the filter's input, also a thing's corners; the picture's corners are in its result. */
typedef struct HandleValues {
    Rectangle rectangle;
    double ratio; /* that the rectangle is kept to; 0: any */
    double x, y;
    double angle, length; /* degrees as the parameter counts them; pixels */
    double corners[4][2];
} HandleValues;

typedef struct Handle {
    double x, y; /* in the window */
    int grip;
} Handle;

/* As of the job that is shown. */
typedef struct HandlesView {
    Shape in, out;   /* of the filter */
    unsigned of_job; /* the session's job_serial */
    int grip;        /* of the drag that goes on, or of the last one */
} HandlesView;

/* Whether four corners in sequence make a convex quadrilateral that is not turned over. */
bool corners_convex(double corners[4][2]);

/* The kind of the selected filter's handles, whether or not they are drawn. */
HandlesKind handles_kind(const Viewer *viewer);
Status handles_toggle(Viewer *viewer);
/* Adds a filter, as chains spell it, behind the chain. One whose handles are the way to set it, a rectangle or corners,
 * has them at once; then nothing runs for it. */
Status handles_add(Viewer *viewer, const char *filter);
/* Opens the handles of the selected crop, or of the last one, or of a new one; closes them where they are open. */
Status handles_crop(Viewer *viewer);
bool handles_cropping(const Viewer *viewer); /* a rectangle is drawn on the picture */
/* The ratios that people ask for, as the action crop-ratio takes them. */
typedef struct CropRatio {
    const char *name, *help;
    double ratio; /* 0: none, or the picture's */
} CropRatio;

extern const CropRatio crop_ratios[];
extern const size_t crop_ratio_count;

/* Keeps the rectangle to a ratio of width by height, 0: to none; it becomes one of that ratio at once. Opens its
 * handles. STATUS_USAGE if the selected filter takes no part of the picture. */
Status handles_set_ratio(Viewer *viewer, double ratio);
Status handles_flip(Viewer *viewer); /* upright for lying, and back: the ratio, or without one the rectangle itself */
HandlesView handles_view(const Viewer *viewer);
bool handles_on(const Viewer *viewer); /* wanted, wherever the selected filter has some */
/* Follows the selected filter: asks to set it aside if its handles need that, and finds where its pixels are in the
 * window. False if nothing is to be drawn. */
bool handles_follow(Viewer *viewer);
/* Finds where the filter's pixels are as soon as a request is carried out, so that no draw waits for plans. Shows the
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

/* The mouse, in pixels of the window; false if there is nothing to take hold of. `locks`: the drag keeps the ratio that
 * the rectangle has now. */
bool handles_press(Viewer *viewer, double x, double y, bool locks);
Status handles_drag(Viewer *viewer, double x, double y);

#endif
