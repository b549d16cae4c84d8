/* pick.c: from a pixel of the window to a part of the scene. */
#include "app/view/tools/pick.h"

#include "app/view/data/projection.h"
#include "app/view/session/viewer.h"

#include "core/run/simulation.h"

#include <math.h>
#include <string.h>

#define LAMP_PIXELS 10.0 /* around a lamp's mark, at scale 1 */

static uint64_t serial_of(const Viewer *viewer) {
    const Subject *subject = viewer->session->subject;
    return subject && subject->base ? subject_base(subject)->scene->serial : 0;
}

Status pick_find(const Viewer *viewer, double x, double y, ScenePick *found) {
    const Scene *scene = viewer_scene(viewer);
    if (!scene)
        return fail(STATUS_USAGE, "no scene is shown");
    if (simulation_is_ahead(viewer->session->simulation))
        TRY(simulation_settle(viewer->session->simulation, viewer->session->subject->scene));
    const Viewport at = viewer_viewport(viewer);
    if (!viewer_keeps_size(viewer))
        return fail(STATUS_USAGE, "the filters make the scene's frame another size: surfaces cannot be found in it");
    x -= at.x;
    y -= at.y;
    if (x < 0 || y < 0 || x >= viewer->width || y >= viewer->height)
        return fail(STATUS_USAGE, "the pointer is not on the scene");
    const Ray ray = camera_ray(viewer->request->orbit_camera.camera, (size_t)x, (size_t)y, (size_t)viewer->width,
                               (size_t)viewer->height);
    *found = scene_pick(scene, ray, look_is_light(viewer->request->look));
    return STATUS_OK;
}

static Status pick_something(const Viewer *viewer, double x, double y, ScenePick *found) {
    TRY(pick_find(viewer, x, y, found));
    return found->part ? STATUS_OK : fail(STATUS_USAGE, "nothing of the scene is there");
}

static Picked *picked_of(const Viewer *viewer) {
    return tool_of(viewer, &pick_tool);
}

static const Light *lamp_of(const Scene *scene, size_t index) {
    size_t at = 0;
    while (scene->lights[at].kind == LIGHT_SUN || index-- > 0)
        at++;
    return &scene->lights[at];
}

static bool shines(const Light *light) {
    return light->colour.red + light->colour.green + light->colour.blue > 0;
}

/* The place of a part that is picked, as the scene has it; false if that is to be seen no more. */
static bool place(const Scene *scene, Picked *now) {
    const ScenePick *pick = &now->pick;
    if (strcmp(pick->part->name, "sphere") == 0) {
        now->place[0] = sphere_centre(&scene->spheres[pick->index]);
        now->radius = scene->spheres[pick->index].radius;
        return now->radius > 0;
    } else if (strcmp(pick->part->name, "triangle") == 0) {
        memcpy(now->place, scene->triangles[pick->index].points, sizeof now->place);
    } else if (strcmp(pick->part->name, "cylinder") == 0) {
        memcpy(now->place, scene->cylinders[pick->index].ends, sizeof scene->cylinders->ends);
        return scene->cylinders[pick->index].radius > 0;
    } else if (strcmp(pick->part->name, "lamp") == 0) {
        now->place[0] = lamp_of(scene, pick->index)->at;
        return shines(lamp_of(scene, pick->index));
    }
    return true;
}

size_t pick_lamps(const Viewer *viewer, LampMark *marks, size_t max) {
    const Scene *scene = viewer_scene(viewer);
    const Viewport at = viewer_viewport(viewer);
    const PictureSize size = {viewer->width, viewer->height};
    size_t count = 0, index = 0;
    if (!scene || !look_is_light(viewer->request->look) || !viewer_keeps_size(viewer))
        return 0;
    for (size_t i = 0; i < scene->light_count && count < max; i++) {
        const Light *light = &scene->lights[i];
        double x, y;
        if (light->kind == LIGHT_SUN)
            continue;
        if (shines(light) && projection_of(&viewer->request->orbit_camera.camera, light->at, size, &x, &y))
            marks[count++] = (LampMark){index, at.x + x, at.y + y};
        index++;
    }
    return count;
}

bool pick_lamp(const Viewer *viewer, double x, double y, size_t *index) {
    LampMark marks[LAMP_MARKS];
    const size_t count = pick_lamps(viewer, marks, LAMP_MARKS);
    double nearest = LAMP_PIXELS * viewer->scale;
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        const double away = hypot(marks[i].x - x, marks[i].y - y);
        if (away > nearest)
            continue;
        nearest = away;
        *index = marks[i].index;
        found = true;
    }
    return found;
}

void pick_part(Viewer *viewer, const ScenePart *part, size_t index) {
    Picked now = {.pick = {.part = part, .index = index}, .of = serial_of(viewer)};
    (void)place(viewer_scene(viewer), &now);
    now.pick.at = now.place[0];
    *picked_of(viewer) = now;
}

void pick_move(Viewer *viewer, Vec at) {
    Picked *now = picked_of(viewer);
    now->place[0] = now->pick.at = at;
}

Status pick_at(Viewer *viewer, double x, double y) {
    Picked now = {.of = serial_of(viewer)};
    size_t lamp;
    TRY(pick_find(viewer, x, y, &now.pick));
    if (pick_lamp(viewer, x, y, &lamp)) {
        pick_part(viewer, scene_part_by_name("lamp", strlen("lamp")), lamp);
        return STATUS_OK;
    }
    if (now.pick.part)
        (void)place(viewer_scene(viewer), &now);
    *picked_of(viewer) = now;
    return STATUS_OK;
}

Status pick_aim(Viewer *viewer, double x, double y) {
    ScenePick found;
    Request next = viewer_request(viewer);
    TRY(pick_something(viewer, x, y, &found));
    orbit_camera_aim(&next.orbit_camera, found.at);
    return viewer_ask(viewer, next, FALLBACK_NONE);
}

Status pick_focus(Viewer *viewer, double x, double y) {
    ScenePick found;
    Request next = viewer_request(viewer);
    OrbitCamera *orbit = &next.orbit_camera;
    if (!orbit->orbits)
        return fail(STATUS_USAGE, "the camera is orthographic: there is no lens to focus; v changes that");
    TRY(pick_something(viewer, x, y, &found));
    orbit_camera_focus(orbit, found.at);
    return viewer_ask(viewer, next, FALLBACK_NONE);
}

const Picked *picked(const Viewer *viewer) {
    const Picked *now = picked_of(viewer);
    const Scene *scene = viewer_scene(viewer);
    return scene && now->pick.part && now->of == serial_of(viewer) && now->pick.index < now->pick.part->count(scene)
               ? now
               : NULL;
}

void unpick(Viewer *viewer) {
    *picked_of(viewer) = (Picked){.of = 0};
}

static bool close_pick(Viewer *viewer) {
    const bool had = picked(viewer) != NULL;
    unpick(viewer);
    return had;
}

/* Changes may have moved it, or have removed it. */
static void follow(Viewer *viewer) {
    const Picked *there = picked(viewer);
    if (!there)
        return;
    Picked now = *there;
    *picked_of(viewer) = place(viewer_scene(viewer), &now) ? now : (Picked){.of = 0};
}

const ToolKind pick_tool = {.name = "pick", .size = sizeof(Picked), .close = close_pick, .follow = follow};
