/* bar.cpp: the menus, and the words of a few actions, along the top. */
#include <math.h>

#include "app/view/ui/menus.hpp"
#include "app/view/ui/panels/panel.hpp"

namespace {

/* The first tools that people look for, at the right. */
constexpr struct {
    const char *word, *action;
} tools[] = {{"Open", "open"}, {"Split", "split"},  {"Difference", "difference"},
             {"Race", "race"}, {"Save", "save-as"}, {"?", "help"}};
constexpr float pad_ems = 0.55f;

bool visible(const Viewer *viewer) {
    return !viewer->ui->no_bar && viewer->overlay != OVERLAY_OFF;
}

void tool(const Overlay *overlay, Viewer *viewer, const char *word, const Action &action, float x) {
    const bool on = action.on && action.on(viewer);
    const ImVec2 size(ImGui::CalcTextSize(word).x + 2 * em(overlay, pad_ems), ImGui::GetFrameHeight());
    ImGui::SetCursorPosX(x);
    const ImVec2 at = ImGui::GetCursorScreenPos(), end(at.x + size.x, at.y + size.y);
    ImDrawList *list = ImGui::GetWindowDrawList();
    if (ImGui::InvisibleButton(word, size))
        action_ask(viewer, &action, nullptr);
    const bool hovered = ImGui::IsItemHovered();
    if (on || hovered)
        list->AddRectFilled(ImVec2(at.x, at.y + 2), ImVec2(end.x, end.y - 2), on ? accent_veil : veil(24),
                            em(overlay, 0.3f));
    list->AddText(ImVec2(at.x + em(overlay, pad_ems), roundf(at.y + (size.y - ImGui::GetFontSize()) / 2)),
                  on ? accent : ink, word);
    char keys[ACTION_KEYS];
    if (hovered)
        ImGui::SetTooltip("%s (%s)", action.help, action_keys_here(viewer, &action, keys));
}

/* As many words, from the right, as there is room for behind the menus. */
void tool_row(const Overlay *overlay, Viewer *viewer, float left) {
    float x = (float)viewer->width - em(overlay, 0.5f);
    for (size_t i = sizeof tools / sizeof tools[0]; i-- > 0;) {
        const Action *action = action_by_name(tools[i].action);
        if (!action_is_here(viewer, action))
            continue;
        x -= ImGui::CalcTextSize(tools[i].word).x + 2 * em(overlay, pad_ems);
        if (x < left)
            return;
        tool(overlay, viewer, tools[i].word, *action, x);
    }
}

void draw(Overlay *overlay, Viewer *viewer) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    if (ImGui::BeginMainMenuBar()) {
        menus_of_all(overlay, viewer);
        tool_row(overlay, viewer, ImGui::GetCursorPosX() + em(overlay, 1.0f));
        const ImVec2 size = ImGui::GetWindowSize();
        overlay->columns[COLUMN_BAR] = {0, 0, (double)size.x, (double)size.y};
        ImGui::EndMainMenuBar();
    }
    ImGui::PopStyleVar();
}

} // namespace

const Panel panel_bar = {"bar", PLACE_BAR, visible, draw};
