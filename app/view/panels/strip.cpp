/* strip.cpp: the levels on one line, and the idea of the one that runs. */
#include <stdio.h>

#include "app/view/ladder.hpp"
#include "app/view/panels/panel.hpp"

namespace {

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
        if (i > 0)
            ImGui::SameLine(0, em(overlay, 0.2f));
        else
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
            ladder_tooltip(rungs[i]);
    }
    text(dim, "%s", level->idea);
}

} // namespace

const Panel panel_strip = {"strip", PLACE_STRIP, visible, draw};
