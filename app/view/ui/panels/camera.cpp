/* camera.cpp: from where the scene is looked at, as numbers. */
#include "app/view/ui/panels/panel.hpp"
#include "app/view/ui/table_rows.hpp"

namespace {

bool visible(const Viewer *viewer) {
    return viewer_scene(viewer) != nullptr;
}

void draw(Overlay *overlay, Viewer *viewer) {
    const CameraInfo *info = &cameras[viewer->request->orbit_camera.camera.kind];
    RowChange changes[ROW_CHANGES];
    void *values;
    if (!heading(overlay, "CAMERA", info->name, false) ||
        orbit_camera_values(&viewer->request->orbit_camera, &values) != STATUS_OK)
        return;
    const size_t count = table_rows(overlay, info->table, values, 0, changes);
    for (size_t i = 0; i < count; i++)
        report(viewer, viewer_set_camera_param(viewer, changes[i].param, changes[i].number));
    params_destroy(info->table, &values);
}

} // namespace

const Panel panel_camera = {"camera", PLACE_LEFT, visible, draw};
