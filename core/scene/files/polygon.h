/* polygon.h: polygons that are not convex as triangles. */
#ifndef GLINT_CORE_SCENE_FILES_POLYGON_H
#define GLINT_CORE_SCENE_FILES_POLYGON_H

#include "core/base/status.h"
#include "core/math/triangle.h"

enum { POLYGON_CUT_MAX = 4096 }; /* corners of a polygon that is not convex */

/* `fan`, `count` triangles around a polygon's first corner, cover a convex polygon and stay as they are. Triangles of
 * another polygon become its ears (Meisters 1975), in the plane in which its area is largest. STATUS_INPUT if it has no
 * ears since edges cross or touch, or more than POLYGON_CUT_MAX corners. The message is half a sentence, to stand
 * behind the place. STATUS_DEVICE without memory. */
Status polygon_cut(Triangle *fan, size_t count);

#endif
