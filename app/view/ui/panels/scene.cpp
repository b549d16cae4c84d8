/* scene.cpp: the parameters of the scene's generator, and the ground. */
#include "app/view/ui/panels/panel.hpp"
#include "app/view/ui/table_rows.hpp"

extern "C" {
#include "app/view/actions/dispatch.h"
}

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
    const size_t count = table_rows(overlay, generator->table, values, 0, changes);
    for (size_t i = 0; i < count; i++)
        report(viewer, viewer_set_scene_param(viewer, nullptr, 0, changes[i].param, changes[i].number));
    params_destroy(generator->table, &values);
}

void draw(Overlay *overlay, Viewer *viewer) {
    const SceneGenerator *generator = scene_text_generator(viewer->request->scene);
    const bool changed = viewer->request->scene[scene_text_base(viewer->request->scene)] != '\0';
    if (!heading(overlay, "SCENE", generator ? generator->name : nullptr))
        return;
    generator_rows(overlay, viewer);
    if (chip(overlay, "save …", false))
        action_ask(viewer, action_by_name("save-scene"), nullptr);
    if (!changed)
        return;
    ImGui::SameLine();
    if (chip(overlay, "without changes", false))
        action_ask(viewer, action_by_name("reset-scene"), nullptr);
}

} // namespace

const Panel panel_scene = {"scene", PLACE_LEFT, visible, draw};
