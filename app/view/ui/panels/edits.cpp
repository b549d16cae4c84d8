/* edits.cpp: the list of edits, to go back to any of their states. */
#include <stdio.h>

#include "app/view/ui/panels/panel.hpp"

extern "C" {
#include "app/view/actions/dispatch.h"
}

namespace {

constexpr size_t rows_maximum = 12;

bool visible(const Viewer *viewer) {
    return viewer->edits_listed;
}

void go_to(Viewer *viewer, size_t index) {
    char number[24];
    snprintf(number, sizeof number, "%zu", index + 1);
    action_ask(viewer, action_by_name("go-to-change"), number);
}

/* The latest at the bottom; those that were undone are faint, and come back with a click. */
void draw(Overlay *overlay, Viewer *viewer) {
    const Edits *edits = &viewer->edits;
    const size_t first = edits_first_listed(edits, rows_maximum);
    size_t picked = edits->at;
    char place[64] = "Ctrl+Z: undo";
    if (edits->count > rows_maximum)
        snprintf(place, sizeof place, "%zu of %zu · Ctrl+Z: undo", edits->at + 1, edits->count);
    if (!heading(overlay, "Edits", place))
        return;
    for (size_t i = first; i < edits->count && i < first + rows_maximum; i++) {
        ImGui::PushID((int)i);
        ImGui::PushStyleColor(ImGuiCol_Text, i > edits->at ? faint : i == edits->at ? accent : ink);
        if (ImGui::Selectable(edits->list[i].words, i == edits->at))
            picked = i;
        ImGui::PopStyleColor();
        ImGui::PopID();
    }
    if (picked != edits->at)
        go_to(viewer, picked);
}

} // namespace

const Panel panel_edits = {"edits", PLACE_LEFT, visible, draw, false, false, true};
