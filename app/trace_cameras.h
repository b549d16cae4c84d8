/* trace_cameras.h: the way along cameras that the window keeps, for films of glint trace. */
#ifndef GLINT_APP_TRACE_CAMERAS_H
#define GLINT_APP_TRACE_CAMERAS_H

#include "app/cameras/camera_list.h"

#include <stdint.h>

typedef struct TraceCameras {
    OrbitCamera way[CAMERAS_MAX];
    size_t count;
} TraceCameras;

/* STATUS_USAGE if a film along cameras (`along` frames) is asked for together with an orbit or a camera. The same for a
 * file of cameras without a film. */
Status trace_cameras_check(long along, long orbit, const char *camera, const char *path);
/* Reads the scene's cameras from a file; NULL: that of the window. STATUS_INPUT if there is none that can be used,
 * STATUS_USAGE if there are fewer than two, or two kinds. */
Status trace_cameras_read(const char *scene, const char *path, TraceCameras *to);
/* Differs where two ways do, but for one case in 2^64. */
uint64_t trace_cameras_hash(const TraceCameras *along);
/* The camera of a frame, counted from 0, of so many. The first frame has the first camera, the last one the last. */
Camera trace_cameras_at(const TraceCameras *along, long frame, long frames);

#endif
