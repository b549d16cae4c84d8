/* camera.c: the table of cameras. */
#include "core/scene/camera.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FARTHEST ((double)SPHERE_FARTHEST)

/* The shortest decimal that reads back as this float: 0.3, not 0.30000001192092896. */
static double as_written(float value) {
    double number = (double)value;
    for (int digits = 1; digits <= FLT_DECIMAL_DIG; digits++) {
        char text[32];
        snprintf(text, sizeof text, "%.*g", digits, (double)value);
        number = strtod(text, NULL);
        if (!((float)number < value) && !((float)number > value))
            break;
    }
    return number;
}

/* ---- orthographic ---- */

typedef struct Orthographic {
    double unit, x, y;
} Orthographic;

static const Param orthographic_params[] = {
    {"unit", "how large a pixel is", "world units", PARAM_NUMBER, offsetof(Orthographic, unit), 1e-6, 1, 1e6, 0.1},
    {"x", "the point in the middle of the picture", "world units", PARAM_NUMBER, offsetof(Orthographic, x), -FARTHEST,
     0, FARTHEST, 10},
    {"y", "the point in the middle of the picture", "world units", PARAM_NUMBER, offsetof(Orthographic, y), -FARTHEST,
     0, FARTHEST, 10},
};

static Status make_orthographic(const void *values, Camera *camera) {
    const Orthographic *v = values;
    *camera =
        (Camera){.kind = CAMERA_ORTHOGRAPHIC, .unit = (float)v->unit, .centre_x = (float)v->x, .centre_y = (float)v->y};
    return STATUS_OK;
}

static void describe_orthographic(const Camera *camera, void *values) {
    *(Orthographic *)values =
        (Orthographic){as_written(camera->unit), as_written(camera->centre_x), as_written(camera->centre_y)};
}

Camera camera_default(void) {
    return (Camera){.kind = CAMERA_ORTHOGRAPHIC, .unit = 1};
}

/* ---- perspective ---- */

typedef struct Perspective {
    double x, y, z, to_x, to_y, to_z, angle, lens, focus, up_x, up_y, up_z;
} Perspective;

#define PLACE(name, help, default_value)                                                                               \
    { #name, help, "world units", PARAM_NUMBER, offsetof(Perspective, name), -FARTHEST, default_value, FARTHEST, 10 }
static const Param perspective_params[] = {
    {"angle", "the angle that the picture's height takes", "degrees", PARAM_NUMBER, offsetof(Perspective, angle),
     VIEWPOINT_ANGLE_MIN, 45, VIEWPOINT_ANGLE_MAX, 1},
    PLACE(x, "the position of the camera", 0),
    PLACE(y, "the position of the camera", 0),
    PLACE(z, "the position of the camera", 1500),
    PLACE(to_x, "the point in the middle of the picture", 0),
    PLACE(to_y, "the point in the middle of the picture", 0),
    PLACE(to_z, "the point in the middle of the picture", 0),
    {"lens", "the radius of a thin lens, for paths; 0 is a pinhole", "world units", PARAM_NUMBER,
     offsetof(Perspective, lens), 0, 0, FARTHEST, 1},
    {"focus", "the focus distance; 0 takes that of the point in the middle", "world units", PARAM_NUMBER,
     offsetof(Perspective, focus), 0, 0, FARTHEST, 10},
    PLACE(up_x, "the up vector, of any length", 0),
    PLACE(up_y, "the up vector", 1),
    PLACE(up_z, "the up vector", 0),
};

static Status look_along(Vec from, Vec to, Vec up, double angle, Camera *camera) {
    const Vec way = vec_minus(to, from), forward = vec_unit(way), across = vec_cross(forward, vec_unit(up));
    if (!(vec_dot(way, way) > 0) || !(vec_dot(across, across) > 1e-12f))
        return fail(STATUS_USAGE,
                    "the camera at %g, %g, %g looks at %g, %g, %g: want another point, not straight above or below",
                    (double)from.x, (double)from.y, (double)from.z, (double)to.x, (double)to.y, (double)to.z);
    const Vec right = vec_unit(across);
    const double half = angle / 2 * 3.14159265358979323846 / 180;
    *camera = (Camera){.kind = CAMERA_PERSPECTIVE,
                       .from = from,
                       .right = right,
                       .up = vec_unit(vec_cross(right, forward)),
                       .forward = forward,
                       .tangent = (float)tan(half)};
    return STATUS_OK;
}

Status camera_look_at(Vec from, Vec to, double angle, Camera *camera) {
    return look_along(from, to, vec(0, 1, 0), angle, camera);
}

Status camera_from(Viewpoint viewpoint, Camera *camera) {
    return look_along(viewpoint.from, viewpoint.at, viewpoint.up, (double)viewpoint.angle, camera);
}

/* In double precision, so that what is not turned stays as it is. */
static Vec turned_by(Vec v, double sine, double cosine) {
    return vec((float)(cosine * (double)v.x + sine * (double)v.z), v.y,
               (float)(cosine * (double)v.z - sine * (double)v.x));
}

Status camera_orbit(const Camera *camera, Vec target, double turn, Camera *turned) {
    if (camera->kind != CAMERA_PERSPECTIVE)
        return fail(STATUS_USAGE, "the camera %s cannot turn around a point; want a perspective one, as in %s",
                    cameras[camera->kind].name, "perspective=z=1500");
    const double angle = 2 * 3.14159265358979323846 * turn, sine = sin(angle), cosine = cos(angle);
    const double x = (double)camera->from.x - (double)target.x, z = (double)camera->from.z - (double)target.z;
    *turned = *camera;
    turned->from.x = (float)((double)target.x + cosine * x + sine * z);
    turned->from.z = (float)((double)target.z + cosine * z - sine * x);
    turned->right = turned_by(camera->right, sine, cosine);
    turned->up = turned_by(camera->up, sine, cosine);
    turned->forward = turned_by(camera->forward, sine, cosine);
    return STATUS_OK;
}

static Status make_perspective(const void *values, Camera *camera) {
    const Perspective *v = values;
    const Vec from = {(float)v->x, (float)v->y, (float)v->z}, to = {(float)v->to_x, (float)v->to_y, (float)v->to_z};
    const Vec way = vec_minus(to, from);
    const Vec up = {(float)v->up_x, (float)v->up_y, (float)v->up_z};
    TRY(look_along(from, to, up, v->angle, camera));
    camera->lens = (float)v->lens;
    camera->focus = v->focus > 0 ? (float)v->focus : sqrtf(vec_dot(way, way));
    return STATUS_OK;
}

static void describe_perspective(const Camera *camera, void *values) {
    const Vec from = camera->from, to = vec_along(from, 1000, camera->forward); /* any point ahead will do */
    const bool level = fabsf(camera->right.y) < 1e-6F && camera->up.y > 0;
    const Vec up = level ? vec(0, 1, 0) : camera->up;
    *(Perspective *)values =
        (Perspective){.x = as_written(from.x),
                      .y = as_written(from.y),
                      .z = as_written(from.z),
                      .to_x = as_written(to.x),
                      .to_y = as_written(to.y),
                      .to_z = as_written(to.z),
                      .angle = as_written((float)(2 * atan((double)camera->tangent) * 180 / 3.14159265358979323846)),
                      .lens = as_written(camera->lens),
                      .focus = camera->lens > 0 ? as_written(camera->focus) : 0,
                      .up_x = as_written(up.x),
                      .up_y = as_written(up.y),
                      .up_z = as_written(up.z)};
}

/* ---- random ---- */

typedef struct Random {
    double side, seed;
} Random;

static const Param random_params[] = {
    {"side", "of the cube around the origin in which rays begin", "world units", PARAM_NUMBER, offsetof(Random, side),
     1e-6, 1000, 1e6, 10},
    {"seed", "seed of the random cameras", "", PARAM_WHOLE, offsetof(Random, seed), 0, 1, 4294967295, 1},
};

static Status make_random(const void *values, Camera *camera) {
    const Random *v = values;
    *camera = (Camera){.kind = CAMERA_RANDOM, .side = (float)v->side, .seed = (uint32_t)v->seed};
    return STATUS_OK;
}

static void describe_random(const Camera *camera, void *values) {
    *(Random *)values = (Random){as_written(camera->side), (double)camera->seed};
}

/* ---- by name ---- */

#define TABLE(kind, Values)                                                                                            \
    { kind##_params, sizeof kind##_params / sizeof kind##_params[0], sizeof(Values) }
const CameraInfo cameras[] = {
    [CAMERA_ORTHOGRAPHIC] = {"orthographic", "Looks down the z axis from infinity, as the course does.",
                             TABLE(orthographic, Orthographic), make_orthographic, describe_orthographic},
    [CAMERA_PERSPECTIVE] = {"perspective", "Looks from a point at another.", TABLE(perspective, Perspective),
                            make_perspective, describe_perspective},
    [CAMERA_RANDOM] = {"random",
                       "Each pixel looks from anywhere to anywhere: for measuring rays that have nothing in "
                       "common.",
                       TABLE(random, Random), make_random, describe_random},
};
const size_t camera_count = sizeof cameras / sizeof cameras[0];

/* The camera that the text names, and its values; free them with params_destroy. */
static Status parse_values(const char *text, const CameraInfo **info, void **values) {
    const size_t length = strcspn(text, "=");
    char known[256] = "";
    for (size_t i = 0; i < camera_count; i++) {
        *info = &cameras[i];
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "", cameras[i].name);
        if (strlen(cameras[i].name) != length || strncmp(cameras[i].name, text, length) != 0)
            continue;
        const char *at;
        TRY(params_create((*info)->table, values));
        Status status = STATUS_OK;
        if (text[length] == '=')
            status = params_parse((*info)->table, (*info)->name, text + length + 1, text + strlen(text), *values, &at);
        if (status != STATUS_OK)
            params_destroy((*info)->table, values);
        return status;
    }
    return fail(STATUS_USAGE, "no camera \"%.*s\"; there is %s", (int)length, text, known);
}

Status camera_parse(const char *text, Camera *camera) {
    const CameraInfo *info;
    void *values;
    TRY(parse_values(text, &info, &values));
    const Status status = info->make(values, camera);
    params_destroy(info->table, &values);
    return status;
}

Status camera_parse_target(const char *text, Vec *target) {
    const CameraInfo *info;
    void *values;
    TRY(parse_values(text, &info, &values));
    Status status = STATUS_OK;
    if (info == &cameras[CAMERA_PERSPECTIVE]) {
        const Perspective *v = values;
        *target = vec((float)v->to_x, (float)v->to_y, (float)v->to_z);
    } else {
        status = fail(STATUS_USAGE, "the camera %s looks at no point; want perspective", info->name);
    }
    params_destroy(info->table, &values);
    return status;
}

size_t camera_format(const Camera *camera, char *buffer, size_t size) {
    const CameraInfo *info = &cameras[camera->kind];
    union {
        Orthographic orthographic;
        Perspective perspective;
        Random random;
    } values;
    char text[512];
    info->describe(camera, &values);
    const size_t length = params_format(info->table, &values, text, sizeof text);
    return (size_t)snprintf(buffer, size, "%s%s%s", info->name, length > 0 ? "=" : "", text);
}
