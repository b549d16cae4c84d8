/* surface.cpp: the part of the scene that was clicked: its place and its material. */
#include <stdio.h>
#include <string.h>

#include "app/view/ui/panels/panel.hpp"
#include "app/view/ui/table_rows.hpp"

namespace {

bool visible(const Viewer *viewer) {
    return picked(viewer) != nullptr;
}

void place(Overlay *overlay, const char *name, Vec at) {
    fact(overlay, ink, name, "%.4g, %.4g, %.4g", (double)at.x, (double)at.y, (double)at.z);
}

/* Another kind of material begins with parameters that suit it. */
void set(Viewer *viewer, const ScenePick &pick, RowChange change) {
    char changes[256], number[32] = "";
    if (strcmp(change.param->name, "material") != 0) {
        report(viewer, viewer_set_scene_param(viewer, pick.part, pick.index, change.param, change.number));
        return;
    }
    if (pick.part->numbered)
        snprintf(number, sizeof number, "%zu:", pick.index + 1);
    snprintf(changes, sizeof changes, "%s=%s%s", pick.part->name, number, material_examples[(size_t)change.number]);
    report(viewer, viewer_change_scene(viewer, changes));
}

void rows(Overlay *overlay, Viewer *viewer, const ScenePick &pick) {
    RowChange changes[ROW_CHANGES];
    void *values;
    if (scene_text_read(viewer->request->scene, viewer_scene(viewer), pick.part, pick.index, &values) != STATUS_OK)
        return;
    const size_t count = table_rows(overlay, pick.part->table, values, pick.part->numbered, changes);
    for (size_t i = 0; i < count; i++)
        set(viewer, pick, changes[i]);
    params_destroy(pick.part->table, &values);
}

void draw(Overlay *overlay, Viewer *viewer) {
    const Picked now = *picked(viewer);
    const ScenePick &pick = now.pick;
    char right[64] = "";
    if (pick.part->numbered)
        snprintf(right, sizeof right, "%s %zu of %zu", pick.part->name, pick.index + 1,
                 pick.part->count(viewer_scene(viewer)));
    else
        snprintf(right, sizeof right, "%s", pick.part->name);
    if (!heading(overlay, "SURFACE", right))
        return;
    if (now.radius > 0) {
        place(overlay, "centre", now.place[0]);
        fact(overlay, ink, "radius", "%.4g", (double)now.radius);
    } else if (pick.part->numbered) {
        place(overlay, "corners", now.place[0]);
        place(overlay, "", now.place[1]);
        place(overlay, "", now.place[2]);
    }
    place(overlay, "clicked at", pick.at);
    rows(overlay, viewer, pick);
    if (!look_is_light(viewer->request->look)) {
        wrapped(dim, "this look shows colours alone;");
        ImGui::SameLine();
        if (chip(overlay, "show light", false))
            report(viewer, viewer_set_look(viewer, LOOK_PATHS));
    }
    if (chip(overlay, "close", false))
        unpick(viewer);
    if (!scene_text_changes(viewer->request->scene, pick.part, pick.index))
        return;
    ImGui::SameLine();
    if (chip(overlay, "as it was", false))
        report(viewer, viewer_reset_scene(viewer, pick.part, pick.index));
}

} // namespace

const Panel panel_surface = {"surface", PLACE_LEFT, visible, draw};
