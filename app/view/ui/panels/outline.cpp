/* outline.cpp: over a scene: the outline of the sphere or triangle that was clicked. */
#include <math.h>

#include "app/view/ui/panels/panel.hpp"

namespace {

constexpr int corners = 96;
constexpr float nearest = 1e-3f; /* points that are not ahead have no place in the picture */

bool visible(const Viewer *viewer) {
    const Picked *now = picked(viewer);
    return viewer->overlay != OVERLAY_OFF && !viewer_has_page(viewer) && now && now->pick.part->numbered &&
           !viewer_moves(viewer);
}

/* Where a point is seen, in pixels of the window; false if it is not ahead. */
bool project(const Viewer *viewer, Vec point, ImVec2 *to) {
    const Camera &camera = viewer->request->orbit_camera.camera;
    const float wide = (float)viewer->width, high = (float)viewer->height;
    if (camera.kind == CAMERA_ORTHOGRAPHIC) {
        *to = ImVec2(wide / 2 + (point.x - camera.centre_x) / camera.unit,
                     high / 2 - (point.y - camera.centre_y) / camera.unit);
        return true;
    }
    const Vec way = vec_minus(point, camera.from);
    const float ahead = vec_dot(way, camera.forward), pixels = high / 2 / camera.tangent;
    *to = ImVec2(wide / 2 + vec_dot(way, camera.right) / ahead * pixels,
                 high / 2 - vec_dot(way, camera.up) / ahead * pixels);
    return ahead > nearest;
}

/* The circle on a sphere beyond which the eye sees nothing of it: around the way there, as far before the centre as the
 * cone of lines that touch it says. */
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

void draw(Overlay *overlay, Viewer *viewer) {
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    ImVec2 points[corners];
    const Picked now = *picked(viewer);
    int count = 0;
    if (now.radius > 0)
        count = sphere_outline(viewer, now.place[0], now.radius, points);
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
