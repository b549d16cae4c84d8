/* area.h: a part of a window. */
#ifndef GLINT_APP_CAMERAS_AREA_H
#define GLINT_APP_CAMERAS_AREA_H

/* In pixels, from the window's top left. */
typedef struct Area {
    double x, y, width, height;
} Area;

#endif
