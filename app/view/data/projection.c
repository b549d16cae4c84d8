/* projection.c: the pinhole's formula, and that of parallel rays. */
#include "app/view/data/projection.h"

#define NEAREST 1e-3f /* points that are not ahead have no place in the picture */

static float ahead_of(const Camera *camera, Vec point) {
    return vec_dot(vec_minus(point, camera->from), camera->forward);
}

bool projection_of(const Camera *camera, Vec point, PictureSize size, double *x, double *y) {
    const double wide = size.width, high = size.height;
    if (camera->kind == CAMERA_ORTHOGRAPHIC) {
        *x = wide / 2 + (double)((point.x - camera->centre_x) / camera->unit);
        *y = high / 2 - (double)((point.y - camera->centre_y) / camera->unit);
        return true;
    }
    const Vec way = vec_minus(point, camera->from);
    const float ahead = ahead_of(camera, point);
    if (!(ahead > NEAREST))
        return false;
    const double pixels = high / 2 / (double)(camera->tangent * ahead);
    *x = wide / 2 + (double)vec_dot(way, camera->right) * pixels;
    *y = high / 2 - (double)vec_dot(way, camera->up) * pixels;
    return true;
}

float projection_unit(const Camera *camera, Vec point, int height) {
    return camera->kind == CAMERA_ORTHOGRAPHIC ? camera->unit
                                               : 2 * camera->tangent * ahead_of(camera, point) / (float)height;
}

Vec projection_shift(const Camera *camera, Vec point, double dx, double dy, int height) {
    const bool flat = camera->kind == CAMERA_ORTHOGRAPHIC;
    const float unit = projection_unit(camera, point, height);
    const Vec right = flat ? vec(1, 0, 0) : camera->right, up = flat ? vec(0, 1, 0) : camera->up;
    return vec_along(vec_along(point, (float)dx * unit, right), (float)-dy * unit, up);
}
