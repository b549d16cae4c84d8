/* objects.c: new spheres and lamps, drags, and removing. */
#include "app/view/tools/objects.h"

#include "app/view/data/projection.h"
#include "app/view/session/viewer.h"
#include "app/view/tools/pick.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define SPHERE_SHARE 0.2f /* its radius by half of the picture's height there */
#define LAMP_SHARE   0.1f /* it lights a white wall as far away as half of that height by pi 20 0.1^2: 0.6 */
#define LAMP_HEIGHT  0.5f /* above the middle, in the same measure */
#define LAMP_COLOUR  "red=1:green=0.9:blue=0.75"
#define LAMP_SURFACE "material=light:diffuse=0:specular=0:transmittance=0:emission=20"

typedef struct Objects {
    bool drags;
    Vec start;             /* of the object, where the drag began */
    double from_x, from_y; /* of the pointer then */
    const ScenePart *made; /* to be picked once it is there; NULL: nothing */
    size_t made_index;
} Objects;

static Objects *objects_of(const Viewer *viewer) {
    return tool_of(viewer, &objects_tool);
}

static const ScenePart *part_named(const char *name) {
    return scene_part_by_name(name, strlen(name));
}

static const Camera *camera_of(const Viewer *viewer) {
    return &viewer->request->orbit_camera.camera;
}

/* ---- adding ---- */

/* The place of a new object: in the middle of the free area, at the target, or before the first surface there.
 * *half: half of the picture's height there. */
static Vec find_place(const Viewer *viewer, float share, float *half) {
    const OrbitCamera *orbit = &viewer->request->orbit_camera;
    const Camera *camera = &orbit->camera;
    const Area area = viewer->area;
    const Viewport at = viewer_viewport(viewer);
    const double x = floor(area.x + area.width / 2), y = floor(area.y + area.height / 2);
    const size_t wide = (size_t)viewer->width, high = (size_t)viewer->height;
    const Ray ray = camera_ray(*camera, (size_t)fmax(x - at.x, 0), (size_t)fmax(y - at.y, 0), wide, high);
    ScenePick found = {.part = NULL};
    const bool hits = pick_find(viewer, x, y, &found) == STATUS_OK && found.part;
    if (!orbit->orbits) {
        *half = camera->unit * (float)high / 2;
        return vec(ray.origin.x, ray.origin.y, hits ? found.at.z + share * *half : 0);
    }
    const float slant = vec_dot(ray.direction, camera->forward);
    const float reach = hits ? fminf(found.distance, orbit->distance / slant) : orbit->distance / slant;
    *half = camera->tangent * reach * slant;
    return vec_along(ray.origin, fmaxf(reach - share * *half, reach / 2), ray.direction);
}

/* A number that no part has, nor a change that is not carried out yet. */
static size_t next_index(const Viewer *viewer, const ScenePart *part) {
    return scene_text_next(viewer->request->scene, part, part->count(viewer_scene(viewer)));
}

/* A sphere of this surface. Ahead of it, `changes` may have others. */
static Status add_sphere(Viewer *viewer, const char *changes, const char *surface, Vec at, float radius) {
    const ScenePart *sphere = part_named("sphere");
    const size_t index = next_index(viewer, sphere);
    Objects *objects = objects_of(viewer);
    char text[512];
    snprintf(text, sizeof text, "%ssphere=%zu:%s:x=%.5g:y=%.5g:z=%.5g:radius=%.4g", changes, index + 1, surface,
             (double)at.x, (double)at.y, (double)at.z, (double)radius);
    objects->made = sphere;
    objects->made_index = index;
    const Status status = viewer_change_scene(viewer, text);
    if (status != STATUS_OK)
        objects->made = NULL;
    return status;
}

static Status check_scene(const Viewer *viewer) {
    return viewer_scene(viewer) ? STATUS_OK : fail(STATUS_USAGE, "no scene is shown");
}

Status objects_add_sphere(Viewer *viewer) {
    float half;
    TRY(check_scene(viewer));
    const Vec at = find_place(viewer, SPHERE_SHARE, &half);
    return add_sphere(viewer, "", "red=0.85:green=0.35:blue=0.2", at, SPHERE_SHARE * half);
}

/* The sun by which a scene is shown that has no light becomes its own, before a lamp is its only light. */
static Status keep_sun(const Viewer *viewer, char *changes, size_t size) {
    const Scene *scene = viewer_scene(viewer);
    const ScenePart *sun = part_named("sun");
    void *values;
    changes[0] = '\0';
    if (scene->light_count > 0 || scene->sky.kind != SKY_NONE || scene_text_changes(viewer->request->scene, sun, 0))
        return STATUS_OK;
    TRY(scene_text_read(viewer->request->scene, scene, sun, 0, &values));
    for (size_t i = 0; i < sun->table.count; i++) {
        const Param *param = &sun->table.params[i];
        const double number = param_number(param, values);
        if (strcmp(param->name, "strength") == 0 && number > 0)
            snprintf(changes, size, "sun=strength=%.7g,", number);
    }
    params_destroy(sun->table, &values);
    return STATUS_OK;
}

Status objects_add_lamp(Viewer *viewer) {
    char sun[64];
    float half;
    TRY(check_scene(viewer));
    TRY(keep_sun(viewer, sun, sizeof sun));
    const bool flat = !viewer->request->orbit_camera.orbits;
    const Vec middle = find_place(viewer, LAMP_SHARE, &half), up = flat ? vec(0, 1, 0) : camera_of(viewer)->up;
    return add_sphere(viewer, sun, LAMP_COLOUR ":" LAMP_SURFACE, vec_along(middle, LAMP_HEIGHT * half, up),
                      LAMP_SHARE * half);
}

/* ---- removing ---- */

static bool is_object(const Picked *now) {
    return now && now->pick.part->made_by;
}

bool objects_can_remove(const Viewer *viewer) {
    return is_object(picked(viewer));
}

bool objects_is_new(const Viewer *viewer) {
    const Picked *now = picked(viewer);
    return is_object(now) && now->pick.index >= now->pick.part->count(subject_base(viewer->subject)->scene);
}

Status objects_remove(Viewer *viewer) {
    const Picked *now = picked(viewer);
    char text[64];
    TRY(check_scene(viewer));
    if (!is_object(now))
        return fail(STATUS_USAGE,
                    now ? "a %s cannot be removed: click a sphere or a lamp"
                        : "nothing is picked: click a sphere or a lamp first",
                    now ? now->pick.part->name : "");
    const ScenePart *part = now->pick.part;
    if (objects_is_new(viewer))
        return viewer_reset_scene(viewer, part, now->pick.index);
    snprintf(text, sizeof text, "%s=%zu:%s=0", part->name, now->pick.index + 1, part->made_by);
    return viewer_change_scene(viewer, text);
}

/* ---- moving ---- */

/* Whether the object that is picked is under the pointer. */
static bool is_on(const Viewer *viewer, const Picked *now, double x, double y) {
    const Viewport at = viewer_viewport(viewer);
    if (now->radius > 0) {
        const Sphere sphere = {now->place[0].x, now->place[0].y, now->place[0].z, now->radius, 1, 1, 1, 0};
        double root;
        return x >= at.x && y >= at.y && x < at.x + viewer->width && y < at.y + viewer->height &&
               isfinite(sphere_distance(&sphere,
                                        camera_ray(*camera_of(viewer), (size_t)(x - at.x), (size_t)(y - at.y),
                                                   (size_t)viewer->width, (size_t)viewer->height),
                                        &root));
    }
    size_t lamp;
    return pick_lamp(viewer, x, y, &lamp) && lamp == now->pick.index;
}

/* Whether a sphere or a lamp is under the pointer; it is picked, then. The one that was picked before comes first. */
static bool take_hold(Viewer *viewer, double x, double y) {
    ScenePick found = {.part = NULL};
    size_t lamp;
    if (is_on(viewer, picked(viewer), x, y))
        return true;
    const bool there = pick_lamp(viewer, x, y, &lamp) ||
                       (pick_find(viewer, x, y, &found) == STATUS_OK && found.part && found.part->made_by);
    return there && pick_at(viewer, x, y) == STATUS_OK;
}

/* While an object is picked, hands edit objects: a drag that begins on another one picks and moves that. Else drags
 * turn the camera. */
static bool begin_drag(Viewer *viewer, const ToolEvent *event) {
    if (event->button != MOUSE_LEFT || event->shift || event->ctrl || !is_object(picked(viewer)) ||
        viewer_moves(viewer) || !viewer_keeps_size(viewer) || !take_hold(viewer, event->result_x, event->y))
        return false;
    const Picked *now = picked(viewer);
    Objects *objects = objects_of(viewer);
    objects->drags = true;
    objects->start = now->place[0];
    objects->from_x = event->result_x;
    objects->from_y = event->y;
    return true;
}

static void drag(Viewer *viewer, const ToolEvent *event) {
    const Objects *objects = objects_of(viewer);
    const Picked *now = picked(viewer);
    char text[160];
    if (!now)
        return;
    const Vec at = projection_shift(camera_of(viewer), objects->start, event->result_x - objects->from_x,
                                    event->y - objects->from_y, viewer->height);
    snprintf(text, sizeof text, "%s=%zu:x=%.7g:y=%.7g:z=%.7g", now->pick.part->name, now->pick.index + 1, (double)at.x,
             (double)at.y, (double)at.z);
    const Status status = viewer_change_scene(viewer, text);
    if (status == STATUS_OK)
        pick_move(viewer, at);
    viewer_answer(viewer, TOAST_REQUEST, status);
}

static bool take_event(Viewer *viewer, const ToolEvent *event) {
    Objects *objects = objects_of(viewer);
    if (event->kind == TOOL_PRESS)
        return begin_drag(viewer, event);
    if (event->kind == TOOL_MOVE && objects->drags) {
        drag(viewer, event);
        return true;
    }
    objects->drags &= event->kind != TOOL_RELEASE;
    return false;
}

/* A new object is picked as soon as it is there. */
static void follow(Viewer *viewer) {
    Objects *objects = objects_of(viewer);
    const Scene *scene = viewer_scene(viewer);
    if (!objects->made || !scene || objects->made_index >= objects->made->count(scene))
        return;
    pick_part(viewer, objects->made, objects->made_index);
    objects->made = NULL;
}

static const char *action_of_key(const Viewer *viewer, const char *key) {
    return objects_can_remove(viewer) && strcasecmp(key, "Delete") == 0 ? "remove-object" : NULL;
}

const ToolKind objects_tool = {
    .name = "objects", .size = sizeof(Objects), .follow = follow, .event = take_event, .action = action_of_key};
