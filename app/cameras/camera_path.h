/* camera_path.h: a smooth way from camera to camera. */
#ifndef GLINT_APP_CAMERAS_CAMERA_PATH_H
#define GLINT_APP_CAMERAS_CAMERA_PATH_H

#include "app/cameras/orbit_camera.h"

/* The camera at a share of the way, 0 to 1, through all that are given: two or more, of one kind. Each takes as long to
 * the next. Numbers follow the spline of Catmull and Rom ("A class of local interpolating splines", 1974), with the
 * first and the last camera twice. Yaw goes the shorter way round; distances and magnifications go by their logarithms.
 */
OrbitCamera camera_path_at(const OrbitCamera *stops, size_t count, double share);

#endif
