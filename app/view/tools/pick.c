/* pick.c: from a pixel of the window to a part of the scene. */
#include "app/view/tools/pick.h"

#include "app/view/session/viewer.h"

#include "core/run/simulation.h"

#include <string.h>

static uint64_t serial_of(const Viewer *viewer) {
    const Subject *subject = viewer->session->request.subject;
    return subject && subject->base ? subject->base->scene->serial : 0;
}

static Status pick(const Viewer *viewer, double x, double y, ScenePick *found) {
    const Scene *scene = viewer_scene(viewer);
    if (!scene)
        return fail(STATUS_USAGE, "no scene is shown");
    if (simulation_is_ahead(viewer->session->simulation))
        TRY(simulation_settle(viewer->session->simulation, viewer->session->request.subject->scene));
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
    TRY(pick(viewer, x, y, found));
    return found->part ? STATUS_OK : fail(STATUS_USAGE, "nothing of the scene is there");
}

Status pick_at(Viewer *viewer, double x, double y) {
    const Scene *scene = viewer_scene(viewer);
    Picked now = {.of = serial_of(viewer)};
    TRY(pick(viewer, x, y, &now.pick));
    if (now.pick.part && strcmp(now.pick.part->name, "sphere") == 0) {
        now.place[0] = sphere_centre(&scene->spheres[now.pick.index]);
        now.radius = scene->spheres[now.pick.index].radius;
    } else if (now.pick.part && strcmp(now.pick.part->name, "triangle") == 0) {
        memcpy(now.place, scene->triangles[now.pick.index].points, sizeof now.place);
    }
    *viewer->tools->picked = now;
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
    const Picked *now = viewer->tools->picked;
    return viewer_scene(viewer) && now->pick.part && now->of == serial_of(viewer) ? now : NULL;
}

void unpick(Viewer *viewer) {
    *viewer->tools->picked = (Picked){.of = 0};
}

const ToolKind pick_tool = {.name = "pick", .place = offsetof(Tools, picked), .size = sizeof(Picked)};
