/* rectangle.h: rectangles of whole pixels, dragged by their sides and kept to a ratio. */
#ifndef GLINT_APP_VIEW_DATA_RECTANGLE_H
#define GLINT_APP_VIEW_DATA_RECTANGLE_H

#include <stdbool.h>

/* The part that a drag holds: sides of a rectangle, or one of a quadrilateral's corners. */
enum {
    GRIP_NONE,
    GRIP_LEFT = 1,
    GRIP_TOP = 2,
    GRIP_RIGHT = 4,
    GRIP_BOTTOM = 8,
    GRIP_ALL = 15,  /* moves it */
    GRIP_POINT = 16 /* and the corner's number */
};

/* Whole pixels. */
typedef struct Rectangle {
    double x, y, width, height;
} Rectangle;

/* A rectangle one or several sides of which were moved by so much. It is at least a pixel wide and high, and lies
 * within a picture of `width` x `height`. With a ratio, of width by height, the other sides follow. The opposite corner
 * stays, or the middle of the opposite side; a corner goes by the longer of its ways. 0: any ratio. The longer side is
 * the shorter one by the ratio, rounded to nearest even: the filter crop leaves it as it is. */
Rectangle rectangle_drag(Rectangle before, int grip, double dx, double dy, double ratio, double width, double height);
/* One of that ratio about the same middle, as far as the picture has room. It is as large as can be where the one
 * before reached across the picture, else it has that one's area. */
Rectangle rectangle_with_ratio(Rectangle before, double ratio, double width, double height);

#endif
