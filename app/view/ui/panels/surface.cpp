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
    const size_t count = table_rows(overlay, viewer, pick.part->table, values, pick.part->numbered, changes);
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
    if (!heading(overlay, "Surface", right))
        return;
    if (strcmp(pick.part->name, "triangle") == 0) {
        place(overlay, "corners", now.place[0]);
        place(overlay, "", now.place[1]);
        place(overlay, "", now.place[2]);
    } else if (strcmp(pick.part->name, "cylinder") == 0) {
        const Cylinder &cylinder = viewer_scene(viewer)->cylinders[pick.index];
        place(overlay, cylinder.flat ? "middle" : "ends", cylinder.ends[0]);
        place(overlay, cylinder.flat ? "normal" : "", cylinder.ends[1]);
    }
    place(overlay, "clicked at", pick.at);
    rows(overlay, viewer, pick);
    if (!look_is_light(viewer->request->look)) {
        wrapped(dim, "This look shows colours alone, without light.");
        light_chip(overlay, viewer);
    }
    if (chip(overlay, "Close", false))
        unpick(viewer);
    if (objects_can_remove(viewer)) {
        ImGui::SameLine();
        action_chip(overlay, viewer, "Delete", "remove-object", nullptr);
    }
    if (objects_is_new(viewer) || !scene_text_changes(viewer->request->scene, pick.part, pick.index))
        return;
    ImGui::SameLine();
    if (chip(overlay, "Revert", false))
        report(viewer, viewer_reset_scene(viewer, pick.part, pick.index));
    if (ImGui::IsItemHovered())
        say_tip("gives the surface back its values before all changes");
}

} // namespace

const Panel panel_surface = {"surface", PLACE_LEFT, visible, draw, false, false, true};
