/* orbit_camera.c: fitting, moving and turning. */
#include "app/cameras/orbit_camera.h"

#include "core/base/text.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANGLE     45.0F /* degrees that the height takes */
#define UNIT_MIN  1e-4f /* orthographic: world units a pixel */
#define UNIT_MAX  1e6f
#define WAY_MIN   1e-2f /* perspective: world units to the target */
#define WAY_MAX   1e8f
#define PITCH_MAX 1.55f /* short of straight up */
#define LENS      0.02f /* its radius by the distance that it is focused on */

static float within(float value, float min, float max) {
    return fminf(fmaxf(value, min), max);
}

/* The shortest that reads back as this float: people write 0.3. */
static double decimal(float value) {
    char text[32];
    int digits = 1;
    do
        snprintf(text, sizeof text, "%.*g", digits, (double)value);
    while (((float)strtod(text, NULL) < value || (float)strtod(text, NULL) > value) && ++digits <= FLT_DECIMAL_DIG);
    return strtod(text, NULL);
}

OrbitCamera orbit_camera_default(void) {
    return (OrbitCamera){.camera = camera_default(), .up = {0, 1, 0}, .angle = ANGLE};
}

/* The axes about which yaw and pitch turn: for y upwards, x to the right and z towards the eye. */
static void axes(Vec up, Vec *right, Vec *back) {
    const Vec reference = fabsf(up.z) < 0.9F ? vec(0, 0, 1) : vec(0, -1, 0);
    *right = vec_unit(vec_cross(up, reference));
    *back = vec_cross(*right, up);
}

/* Where the eye of a perspective camera is follows from the rest. */
static void look(OrbitCamera *orbit) {
    Vec right, back;
    axes(orbit->up, &right, &back);
    const Vec level = vec_along(vec_times(right, sinf(orbit->yaw)), cosf(orbit->yaw), back);
    const Vec away = vec_along(vec_times(level, cosf(orbit->pitch)), sinf(orbit->pitch), orbit->up);
    const Viewpoint viewpoint = {vec_along(orbit->target, orbit->distance, away), orbit->target, orbit->up,
                                 orbit->angle};
    const Vec way = vec_minus(orbit->target, viewpoint.from);
    (void)camera_from(viewpoint, &orbit->camera);
    orbit->camera.tangent = (float)tan(decimal(orbit->angle) / 2 * 3.14159265358979323846 / 180); /* as of its text */
    orbit->camera.lens = orbit->lens;
    orbit->camera.focus = orbit->focus > 0 ? orbit->focus : sqrtf(vec_dot(way, way));
}

void orbit_camera_update(OrbitCamera *orbit) {
    orbit->distance = within(orbit->distance, WAY_MIN, WAY_MAX);
    orbit->pitch = within(orbit->pitch, -PITCH_MAX, PITCH_MAX);
    look(orbit);
}

/* The camera with the viewpoint's view. */
static void look_from(OrbitCamera *orbit, Viewpoint viewpoint) {
    Vec right, back;
    const Vec way = vec_minus(viewpoint.from, viewpoint.at);
    *orbit =
        (OrbitCamera){.orbits = true, .target = viewpoint.at, .up = vec_unit(viewpoint.up), .angle = viewpoint.angle};
    axes(orbit->up, &right, &back);
    orbit->distance = within(sqrtf(vec_dot(way, way)), WAY_MIN, WAY_MAX);
    orbit->yaw = atan2f(vec_dot(way, right), vec_dot(way, back));
    orbit->pitch = within(asinf(within(vec_dot(way, orbit->up) / orbit->distance, -1, 1)), -PITCH_MAX, PITCH_MAX);
    look(orbit);
}

static void widen(Vec *min, Vec *max, Vec at, float radius) {
    *min = vec(fminf(min->x, at.x - radius), fminf(min->y, at.y - radius), fminf(min->z, at.z - radius));
    *max = vec(fmaxf(max->x, at.x + radius), fmaxf(max->y, at.y + radius), fmaxf(max->z, at.z + radius));
}

/* The smallest box around all primitives; false if there is nothing. */
static bool bounds(const Scene *scene, Vec *min, Vec *max) {
    *min = vec(INFINITY, INFINITY, INFINITY);
    *max = vec(-INFINITY, -INFINITY, -INFINITY);
    for (size_t i = 0; i < scene->count; i++)
        widen(min, max, sphere_centre(&scene->spheres[i]), scene->spheres[i].radius);
    for (size_t i = 0; i < scene->triangle_count; i++)
        for (int corner = 0; corner < 3; corner++)
            widen(min, max, scene->triangles[i].points[corner], 0);
    for (size_t i = 0; i < scene->cylinder_count; i++) {
        Vec low, high;
        cylinder_bounds(&scene->cylinders[i], &low, &high);
        widen(min, max, low, 0);
        widen(min, max, high, 0);
    }
    return max->x > min->x && max->y > min->y;
}

/* An extent in units of `length`, with a margin of 6 %. */
static double span_over(double extent, double length) {
    return 1.06 * extent / length;
}

static void fit_orthographic(OrbitCamera *orbit, Vec min, Vec max, Area area, int width, int height) {
    const double wide = (double)max.x - (double)min.x, high = (double)max.y - (double)min.y;
    const double unit = fmax(span_over(wide, area.width), span_over(high, area.height));
    orbit->camera = camera_default();
    orbit->camera.unit = within((float)unit, UNIT_MIN, UNIT_MAX);
    orbit->camera.centre_x =
        (float)(((double)min.x + (double)max.x) / 2 - (area.x + area.width / 2 - width / 2.0) * unit);
    orbit->camera.centre_y =
        (float)(((double)min.y + (double)max.y) / 2 + (area.y + area.height / 2 - height / 2.0) * unit);
}

/* The ball around the box fills the smaller side of the area. */
static void fit_perspective(OrbitCamera *orbit, Vec min, Vec max, Area area, int height) {
    const Vec size = vec_minus(max, min);
    const double radius = (double)sqrtf(vec_dot(size, size)) / 2;
    const double tangent =
        tan((double)orbit->angle / 2 * 3.14159265358979323846 / 180) * fmin(area.width, area.height) / height;
    orbit->target = vec_along(min, 0.5f, size);
    orbit->distance = within((float)(radius * sqrt(1 + 1 / (tangent * tangent))), WAY_MIN, WAY_MAX);
    look(orbit);
}

void orbit_camera_fit(OrbitCamera *orbit, const Scene *scene, Area area, int width, int height) {
    Vec min, max;
    const bool there = bounds(scene, &min, &max);
    orbit->fitted = true;
    if (!there)
        min = vec(-500, -500, -500), max = vec(500, 500, 500);
    if (orbit->orbits)
        fit_perspective(orbit, min, max, area, height);
    else if (there)
        fit_orthographic(orbit, min, max, area, width, height);
    else
        orbit->camera = camera_default();
}

void orbit_camera_reset(OrbitCamera *orbit, const Scene *scene, Area area, int width, int height) {
    if (scene->has_viewpoint) {
        look_from(orbit, scene->viewpoint);
        return;
    }
    orbit->yaw = orbit->pitch = 0;
    if (orbit->orbits) {
        orbit_camera_fit(orbit, scene, area, width, height);
        return;
    }
    orbit->camera = camera_default();
    orbit->fitted = false;
}

void orbit_camera_switch(OrbitCamera *orbit, const Scene *scene, Area area, int width, int height) {
    orbit->orbits = !orbit->orbits;
    orbit_camera_fit(orbit, scene, area, width, height);
}

void orbit_camera_zoom(OrbitCamera *orbit, double factor, double x, double y) {
    orbit->fitted = false;
    if (orbit->orbits) {
        orbit->distance = within(orbit->distance / (float)factor, WAY_MIN, WAY_MAX);
        look(orbit);
        return;
    }
    Camera *camera = &orbit->camera;
    const float unit = within(camera->unit / (float)factor, UNIT_MIN, UNIT_MAX);
    camera->centre_x += (float)x * (camera->unit - unit);
    camera->centre_y -= (float)y * (camera->unit - unit);
    camera->unit = unit;
}

void orbit_camera_pan(OrbitCamera *orbit, double dx, double dy, int height) {
    Camera *camera = &orbit->camera;
    orbit->fitted = false;
    if (orbit->orbits) {
        const float unit = 2 * camera->tangent * orbit->distance / (float)height;
        orbit->target =
            vec_along(vec_along(orbit->target, -(float)dx * unit, camera->right), (float)dy * unit, camera->up);
        look(orbit);
        return;
    }
    camera->centre_x -= (float)dx * camera->unit;
    camera->centre_y += (float)dy * camera->unit;
}

void orbit_camera_orbit(OrbitCamera *orbit, double dx, double dy, int height) {
    if (!orbit->orbits) {
        orbit_camera_pan(orbit, dx, dy, height);
        return;
    }
    const float half_turn = 3.14159265f / (float)height; /* for the window's height */
    orbit->yaw -= (float)dx * half_turn;
    orbit->pitch = within(orbit->pitch + (float)dy * half_turn, -PITCH_MAX, PITCH_MAX);
    orbit->fitted = false;
    look(orbit);
}

/* Where the eye stays, the target follows from where it looks. */
static void look_about(OrbitCamera *orbit, Vec eye) {
    look(orbit);
    orbit->target = vec_along(orbit->target, 1, vec_minus(eye, orbit->camera.from));
    look(orbit);
}

void orbit_camera_aim(OrbitCamera *orbit, Vec at) {
    const float lens = orbit->lens, focus = orbit->focus;
    orbit->fitted = false;
    if (!orbit->orbits) {
        orbit->camera.centre_x = at.x;
        orbit->camera.centre_y = at.y;
        return;
    }
    look_from(orbit, (Viewpoint){orbit->camera.from, at, orbit->up, orbit->angle});
    orbit->lens = lens;
    orbit->focus = focus;
    look(orbit);
}

void orbit_camera_focus(OrbitCamera *orbit, Vec at) {
    const Vec way = vec_minus(at, orbit->camera.from);
    orbit->focus = within(vec_dot(way, orbit->camera.forward), WAY_MIN, WAY_MAX);
    orbit->lens = orbit->lens > 0 ? orbit->lens : LENS * orbit->focus;
    look(orbit);
}

void orbit_camera_walk(OrbitCamera *orbit, Vec by, int height) {
    Camera *camera = &orbit->camera;
    orbit->fitted = false;
    if (!orbit->orbits) {
        orbit_camera_zoom(orbit, exp2((double)by.z), 0, 0);
        camera->centre_x += by.x * camera->unit * (float)height;
        camera->centre_y += by.y * camera->unit * (float)height;
        return;
    }
    const Vec right = vec_times(camera->right, by.x), up = vec_times(camera->up, by.y);
    const Vec way = vec_along(vec_along(right, 1, up), by.z, camera->forward);
    orbit->target = vec_along(orbit->target, orbit->distance, way);
    look(orbit);
}

void orbit_camera_turn(OrbitCamera *orbit, double dx, double dy, int height) {
    const float pixel = 2 * orbit->camera.tangent / (float)height; /* the thing in the middle follows the hand */
    const Vec eye = orbit->camera.from;
    if (!orbit->orbits) {
        orbit_camera_pan(orbit, dx, dy, height);
        return;
    }
    orbit->fitted = false;
    orbit->yaw += (float)dx * pixel;
    orbit->pitch = within(orbit->pitch - (float)dy * pixel, -PITCH_MAX, PITCH_MAX);
    look_about(orbit, eye);
}

/* ---- as a table ---- */

static const Param *param_named(ParamTable table, const char *name) {
    for (size_t i = 0; i < table.count; i++)
        if (strcmp(table.params[i].name, name) == 0)
            return &table.params[i];
    return NULL;
}

static void put(ParamTable table, void *values, const char *name, float number) {
    const Param *param = param_named(table, name);
    if (param)
        param_set_number(param, values, decimal(number));
}

static float number_of(ParamTable table, const void *values, const char *name) {
    const Param *param = param_named(table, name);
    return param ? (float)param_number(param, values) : 0;
}

static Vec place_of(ParamTable table, const void *values, const char *x, const char *y, const char *z) {
    return vec(number_of(table, values, x), number_of(table, values, y), number_of(table, values, z));
}

Status orbit_camera_values(const OrbitCamera *orbit, void **values) {
    const CameraInfo *info = &cameras[orbit->camera.kind];
    const ParamTable table = info->table;
    TRY(params_create(table, values));
    info->describe(&orbit->camera, *values);
    if (!orbit->orbits)
        return STATUS_OK;
    const struct {
        const char *name;
        float number;
    } own[] = {/* of all points ahead, the target */
               {"to_x", orbit->target.x}, {"to_y", orbit->target.y}, {"to_z", orbit->target.z},
               {"up_x", orbit->up.x},     {"up_y", orbit->up.y},     {"up_z", orbit->up.z},
               {"angle", orbit->angle},   {"focus", orbit->focus}};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        put(table, *values, own[i].name, own[i].number);
    return STATUS_OK;
}

size_t orbit_camera_option(const OrbitCamera *orbit, char *buffer, size_t size) {
    const CameraInfo *info = &cameras[orbit->camera.kind];
    char text[512];
    void *values;
    if (orbit_camera_values(orbit, &values) != STATUS_OK)
        return camera_format(&orbit->camera, buffer, size);
    const size_t length = params_format(info->table, values, text, sizeof text);
    params_destroy(info->table, &values);
    return (size_t)snprintf(buffer, size, "%s%s%s", info->name, length > 0 ? "=" : "", text);
}

Status orbit_camera_take(OrbitCamera *orbit, const void *values) {
    const CameraInfo *info = &cameras[orbit->camera.kind];
    const ParamTable table = info->table;
    Camera camera;
    TRY(info->make(values, &camera));
    orbit->fitted = false;
    orbit->camera = camera;
    if (!orbit->orbits)
        return STATUS_OK;
    look_from(orbit, (Viewpoint){camera.from, place_of(table, values, "to_x", "to_y", "to_z"),
                                 place_of(table, values, "up_x", "up_y", "up_z"), number_of(table, values, "angle")});
    orbit->lens = camera.lens;
    orbit->focus = number_of(table, values, "focus");
    look(orbit);
    return STATUS_OK;
}

/* ---- as text ---- */

size_t orbit_camera_format(const OrbitCamera *orbit, char *buffer, size_t size) {
    const Camera *camera = &orbit->camera;
    const Vec at = orbit->target, up = orbit->up;
    const double numbers[] = {(double)at.x,       (double)at.y,         (double)at.z,         (double)up.x,
                              (double)up.y,       (double)up.z,         (double)orbit->angle, (double)orbit->distance,
                              (double)orbit->yaw, (double)orbit->pitch, (double)orbit->lens,  (double)orbit->focus};
    if (orbit->fitted)
        return (size_t)snprintf(buffer, size, "fit");
    if (!orbit->orbits)
        return (size_t)snprintf(buffer, size, "orthographic %.9g %.9g %.9g", (double)camera->centre_x,
                                (double)camera->centre_y, (double)camera->unit);
    size_t length = (size_t)snprintf(buffer, size, "perspective");
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        length += (size_t)snprintf(length < size ? buffer + length : NULL, length < size ? size - length : 0, " %.9g",
                                   numbers[i]);
    return length;
}

static bool read_numbers(const char *text, float *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        double number;
        text += strspn(text, " \t");
        if (!text_number(text, &text, &number))
            return false;
        list[i] = (float)number;
    }
    return *text == '\0';
}

Status orbit_camera_parse(const char *text, OrbitCamera *orbit) {
    static const char flat[] = "orthographic ", round[] = "perspective ";
    OrbitCamera made = orbit_camera_default();
    float n[12];
    Camera *camera = &made.camera;
    if (strncmp(text, flat, sizeof flat - 1) == 0 && read_numbers(text + sizeof flat - 1, n, 3)) {
        camera->centre_x = n[0];
        camera->centre_y = n[1];
        camera->unit = within(n[2], UNIT_MIN, UNIT_MAX);
    } else if (strncmp(text, round, sizeof round - 1) == 0 && read_numbers(text + sizeof round - 1, n, 12) &&
               n[6] >= (float)VIEWPOINT_ANGLE_MIN && n[6] <= (float)VIEWPOINT_ANGLE_MAX) {
        made = (OrbitCamera){.orbits = true,
                             .target = vec(n[0], n[1], n[2]),
                             .up = vec(n[3], n[4], n[5]),
                             .angle = n[6],
                             .distance = within(n[7], WAY_MIN, WAY_MAX),
                             .yaw = n[8],
                             .pitch = within(n[9], -PITCH_MAX, PITCH_MAX),
                             .lens = n[10],
                             .focus = n[11]};
        look(&made);
    } else {
        return fail(STATUS_USAGE,
                    "look-from \"%s\", want fit, orthographic X Y UNIT, or perspective and 12 numbers: target, up, "
                    "angle, distance, yaw, pitch, lens, focus",
                    text);
    }
    *orbit = made;
    return STATUS_OK;
}

static float distance(Vec a, Vec b) {
    const Vec way = vec_minus(a, b);
    return vec_dot(way, way);
}

bool orbit_camera_moved(const OrbitCamera *from, const OrbitCamera *to) {
    const Camera *a = &from->camera, *b = &to->camera;
    const float away = fabsf(a->centre_x - b->centre_x) + fabsf(a->centre_y - b->centre_y) + fabsf(a->unit - b->unit) +
                       fabsf(a->tangent - b->tangent) + fabsf(a->lens - b->lens) + fabsf(a->focus - b->focus) +
                       distance(a->from, b->from) + distance(a->forward, b->forward) + distance(a->up, b->up);
    return a->kind != b->kind || away > 0;
}
