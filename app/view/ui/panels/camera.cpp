/* camera.cpp: from where the scene is looked at, as numbers, and the cameras that were kept. */
#include "app/view/ui/panels/panel.hpp"
#include "app/view/ui/table_rows.hpp"

extern "C" {
#include "app/view/actions/dispatch.h"
}

namespace {

bool visible(const Viewer *viewer) {
    return viewer_scene(viewer) != nullptr;
}

/* The cameras that were kept: a click on a name goes there. */
void kept_rows(Overlay *overlay, Viewer *viewer) {
    const size_t count = cameras_count(viewer);
    for (size_t i = 0; i < count; i++) {
        ImGui::PushID((int)i);
        action_chip(overlay, viewer, "Remove", "remove-camera", cameras_name(viewer, i));
        ImGui::SameLine();
        if (ImGui::Selectable(cameras_name(viewer, i), false))
            action_ask(viewer, action_by_name("go-to-camera"), cameras_name(viewer, i));
        ImGui::PopID();
    }
    action_chip(overlay, viewer, "Keep this camera", "keep-camera", "");
    if (count < 2)
        return;
    ImGui::SameLine();
    action_chip(overlay, viewer, "Film along these …", "film-cameras", nullptr);
}

void draw(Overlay *overlay, Viewer *viewer) {
    const CameraInfo *info = &cameras[viewer->request->orbit_camera.camera.kind];
    RowChange changes[ROW_CHANGES];
    void *values;
    if (!heading(overlay, "Camera", info->name, false) ||
        orbit_camera_values(&viewer->request->orbit_camera, &values) != STATUS_OK)
        return;
    const size_t count = table_rows(overlay, viewer, info->table, values, 0, changes);
    for (size_t i = 0; i < count; i++)
        report(viewer, viewer_set_camera_param(viewer, changes[i].param, changes[i].number));
    params_destroy(info->table, &values);
    kept_rows(overlay, viewer);
}

} // namespace

const Panel panel_camera = {"camera", PLACE_LEFT, visible, draw};
