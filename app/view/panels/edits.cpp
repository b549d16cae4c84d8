/* edits.cpp: what was done, each state to be gone back to. */
#include <stdio.h>

#include "app/view/panels/panel.hpp"

extern "C" {
#include "app/view/actions.h"
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
    const size_t last = edits->count - edits->at > rows_maximum / 2 ? edits->at + rows_maximum / 2 : edits->count;
    const size_t end = last < rows_maximum && edits->count > last ? edits->count : last;
    size_t picked = edits->at;
    if (!heading(overlay, "EDITS", "Ctrl+Z: undo"))
        return;
    for (size_t i = end > rows_maximum ? end - rows_maximum : 0; i < end; i++) {
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

const Panel panel_edits = {"edits", PLACE_LEFT, visible, draw};
