/* scene.cpp: the parameters of the scene's generator, and the ground. */
#include "app/view/ui/panels/panel.hpp"
#include "app/view/ui/table_rows.hpp"

namespace {

bool visible(const Viewer *viewer) {
    return viewer_scene(viewer) != nullptr;
}

void generator_rows(Overlay *overlay, Viewer *viewer) {
    const SceneGenerator *generator = scene_text_generator(viewer->request->scene);
    RowChange changes[ROW_CHANGES];
    void *values;
    if (!generator || scene_text_values(viewer->request->scene, &values) != STATUS_OK)
        return;
    const size_t count = table_rows(overlay, viewer, generator->table, values, 0, changes);
    for (size_t i = 0; i < count; i++)
        report(viewer, viewer_set_scene_param(viewer, nullptr, 0, changes[i].param, changes[i].number));
    params_destroy(generator->table, &values);
}

void draw(Overlay *overlay, Viewer *viewer) {
    const SceneGenerator *generator = scene_text_generator(viewer->request->scene);
    const bool changed = viewer->request->scene[scene_text_base(viewer->request->scene)] != '\0';
    if (!heading(overlay, "Scene", generator ? generator->name : nullptr))
        return;
    generator_rows(overlay, viewer);
    action_chip(overlay, viewer, "Save scene …", "save-scene", nullptr);
    if (changed) {
        ImGui::SameLine();
        action_chip(overlay, viewer, "Discard changes", "reset-scene", nullptr);
    }
    if (viewer_gathers(viewer))
        action_chip(overlay, viewer, "Save picture after samples …", "save-after", nullptr);
}

} // namespace

const Panel panel_scene = {"scene", PLACE_LEFT, visible, draw};
