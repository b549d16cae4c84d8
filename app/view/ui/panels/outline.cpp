/* outline.cpp: over a scene: the outline of the part that was clicked, and where other lamps are. */
#include <algorithm>
#include <math.h>
#include <string.h>

#include "app/view/ui/panels/panel.hpp"

extern "C" {
#include "app/view/data/projection.h"
}

namespace {

constexpr int corners = 96;

bool visible(const Viewer *viewer) {
    const Picked *now = picked(viewer);
    return viewer->overlay != OVERLAY_OFF && !viewer_has_page(viewer) && now && !viewer_moves(viewer);
}

/* Where a point is seen, in pixels of the window; false if it is not ahead. */
bool project(const Viewer *viewer, Vec point, ImVec2 *to) {
    const Viewport at = viewer_viewport(viewer);
    double x, y;
    if (!projection_of(&viewer->request->orbit_camera.camera, point, {viewer->width, viewer->height}, &x, &y))
        return false;
    *to = ImVec2((float)(at.x + x), (float)(at.y + y));
    return true;
}

/* The circle on a sphere beyond which the eye sees nothing of it. Its axis is the line from the eye to the centre;
 * lines that touch the sphere give its distance from the centre. */
int sphere_outline(const Viewer *viewer, Vec centre, float radius, ImVec2 *points) {
    const Camera &camera = viewer->request->orbit_camera.camera;
    const bool parallel = camera.kind == CAMERA_ORTHOGRAPHIC;
    const Vec way = parallel ? vec(0, 0, -1) : vec_minus(centre, camera.from);
    const float far = sqrtf(vec_dot(way, way)), sine = parallel ? 0 : radius / far;
    if (sine >= 1) /* from within */
        return 0;
    const Vec axis = vec_unit(way),
              side = vec_unit(vec_cross(axis, fabsf(axis.y) < 0.9f ? vec(0, 1, 0) : vec(1, 0, 0)));
    const Vec up = vec_cross(side, axis), middle = vec_along(centre, -radius * sine, axis);
    const float wide = radius * sqrtf(1 - sine * sine);
    for (int i = 0; i < corners; i++) {
        const float turn = 6.2831853f * (float)i / corners;
        const Vec at = vec_along(vec_along(middle, wide * cosf(turn), side), wide * sinf(turn), up);
        if (!project(viewer, at, &points[i]))
            return 0;
    }
    return corners;
}

/* On which side of the line from a to b the point is: above 0 for one. */
float side_of(ImVec2 a, ImVec2 b, ImVec2 point) {
    return (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x);
}

/* The smallest polygon around all points, which it takes the place of (Andrew, Another Efficient Algorithm for Convex
 * Hulls in Two Dimensions, Information Processing Letters 9, 1979). Returns how many corners it has. */
int hull_of(ImVec2 *points, int count) {
    ImVec2 hull[2 * corners];
    int size = 0;
    std::sort(points, points + count, [](ImVec2 a, ImVec2 b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
    for (int way = 0; way < 2; way++)
        for (int i = 0, first = size; i < count; i++) {
            const ImVec2 point = points[way ? count - 1 - i : i];
            while (size >= first + 2 && side_of(hull[size - 2], hull[size - 1], point) <= 0)
                size--;
            hull[size++] = point;
        }
    size = size < corners ? size : corners;
    std::copy(hull, hull + size, points);
    return size;
}

/* Around the edges of both ends. */
int cylinder_outline(const Viewer *viewer, const Cylinder &cylinder, ImVec2 *points) {
    CylinderAxis axis;
    if (!cylinder_axis(&cylinder, &axis))
        return 0;
    const Vec way = wide_vec(axis.way),
              side = vec_unit(vec_cross(way, fabsf(way.y) < 0.9f ? vec(0, 1, 0) : vec(1, 0, 0)));
    const Vec up = vec_cross(side, way), middle = wide_vec(axis.middle);
    for (int i = 0; i < corners; i++) {
        const float turn = 12.5663706f * (float)i / corners; /* each edge by half of the corners */
        const Vec end = vec_along(middle, (i < corners / 2 ? -1.0f : 1.0f) * (float)axis.half, way);
        const Vec at = vec_along(vec_along(end, cylinder.radius * cosf(turn), side), cylinder.radius * sinf(turn), up);
        if (!project(viewer, at, &points[i]))
            return 0;
    }
    return hull_of(points, corners);
}

/* Point lamps have no surface: each has a mark while a part of the scene is picked. */
void draw_lamps(Overlay *overlay, const Viewer *viewer, const Picked &now) {
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    LampMark lamps[LAMP_MARKS];
    const size_t count = pick_lamps(viewer, lamps, LAMP_MARKS);
    for (size_t i = 0; i < count; i++) {
        const bool chosen = strcmp(now.pick.part->name, "lamp") == 0 && now.pick.index == lamps[i].index;
        const ImVec2 at((float)lamps[i].x, (float)lamps[i].y);
        list->AddCircleFilled(at, em(overlay, 0.45f), rgba(0, 0, 0, 150), 24);
        list->AddCircleFilled(at, em(overlay, 0.3f), chosen ? accent : warm, 24);
    }
}

void draw(Overlay *overlay, Viewer *viewer) {
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    ImVec2 points[corners];
    const Picked now = *picked(viewer);
    int count = 0;
    draw_lamps(overlay, viewer, now);
    if (strcmp(now.pick.part->name, "lamp") == 0 || !now.pick.part->numbered)
        return;
    if (now.radius > 0)
        count = sphere_outline(viewer, now.place[0], now.radius, points);
    else if (strcmp(now.pick.part->name, "cylinder") == 0)
        count = cylinder_outline(viewer, viewer_scene(viewer)->cylinders[now.pick.index], points);
    else
        while (count < 3 && project(viewer, now.place[count], &points[count]))
            count++;
    if (count < 3)
        return;
    list->AddPolyline(points, count, rgba(0, 0, 0, 150), ImDrawFlags_Closed, em(overlay, 0.22f));
    list->AddPolyline(points, count, accent, ImDrawFlags_Closed, em(overlay, 0.1f));
}

} // namespace

const Panel panel_outline = {"outline", PLACE_PICTURE, visible, draw};
