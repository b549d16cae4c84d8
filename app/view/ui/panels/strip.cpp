/* strip.cpp: the levels on one line, and the idea of the one that runs. */
#include <stdio.h>

#include "app/view/ui/ladder.hpp"
#include "app/view/ui/panels/panel.hpp"

namespace {

constexpr float most_of_window = 0.3f; /* of its height: a strip that is higher goes without the idea */

bool visible(const Viewer *viewer) {
    return viewer_level(viewer);
}

void draw(Overlay *overlay, Viewer *viewer) {
    const Level *level = viewer_level(viewer);
    LadderRow rungs[RUNGS_MAX];
    const size_t count = viewer_rungs(viewer, rungs);
    ImDrawList *list = ImGui::GetWindowDrawList();
    for (size_t i = 0; i < count; i++) {
        char label[64];
        snprintf(label, sizeof label, "%d %s", rungs[i].number, rungs[i].level->name);
        ImFont *font = rungs[i].current ? overlay->bold : overlay->regular;
        const ImVec2 size = font->CalcTextSizeA(font->FontSize, 1e6f, 0, label);
        const ImVec2 pad(em(overlay, 0.4f), em(overlay, 0.15f));
        if (i == 0 || !go_on(em(overlay, 0.2f), size.x + 2 * pad.x))
            ImGui::SetCursorPosX(ImGui::GetCursorPosX() - (rungs[i].current ? 0 : pad.x));
        const ImVec2 at = ImGui::GetCursorScreenPos(), end(at.x + size.x + 2 * pad.x, at.y + size.y + 2 * pad.y);
        ImGui::PushID((int)i);
        if (ImGui::InvisibleButton("level", ImVec2(end.x - at.x, end.y - at.y)))
            report(viewer, viewer_set_level(viewer, rungs[i].level->name));
        ImGui::PopID();
        if (rungs[i].current)
            list->AddRectFilled(at, end, accent, em(overlay, 0.25f));
        list->AddText(font, font->FontSize, ImVec2(at.x + pad.x, at.y + pad.y),
                      rungs[i].current   ? ImU32(on_accent)
                      : rungs[i].why_not ? faint
                                         : dim,
                      label);
        if (ImGui::IsItemHovered())
            ladder_tooltip(viewer, rungs[i]);
    }
    if (ImGui::GetCursorPosY() > most_of_window * ImGui::GetIO().DisplaySize.y)
        return;
    ImGui::PushTextWrapPos(go_on_until() - ImGui::GetWindowPos().x);
    text(dim, "%s", level->idea);
    ImGui::PopTextWrapPos();
}

} // namespace

const Panel panel_strip = {"strip", PLACE_STRIP, visible, draw};
