/* recording.cpp: the sign that the window is being recorded, with the time so far; a click on it ends that. Films have
 * no sign: the overlay draws its list apart (overlay_draw_sign). */
#include <math.h>
#include <stdio.h>

#include "app/view/ui/dear_imgui.hpp"
#include "app/view/ui/panels/panel.hpp"

extern "C" {
#include "app/view/actions/dispatch.h"
}

namespace {

constexpr ImU32 dot = rgba(230, 40, 40), ground = rgba(20, 20, 24), words_tint = rgba(255, 255, 255);

bool visible(const Viewer *viewer) {
    return viewer->recording;
}

/* Along the picture's top, in its middle. */
void draw(Overlay *overlay, Viewer *viewer) {
    const ImFont *font = overlay->bold;
    const Area area = viewer->area;
    const float radius = em(overlay, 0.35f), pad = em(overlay, 0.6f), high = em(overlay, 1.5f);
    char words[32];
    snprintf(words, sizeof words, "REC %u:%02u", viewer->recorded / 60, viewer->recorded % 60);
    const ImVec2 size(roundf(3 * pad + 2 * radius + width_of(font, words)), roundf(high));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
    ImGui::SetNextWindowPos(
        ImVec2(roundf((float)(area.x + area.width / 2) - size.x / 2), roundf((float)area.y + em(overlay, 0.6f))));
    ImGui::SetNextWindowSize(size);
    ImGui::Begin("recording", nullptr,
                 box_flags | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar |
                     ImGuiWindowFlags_NoScrollWithMouse);
    const ImVec2 at = ImGui::GetWindowPos(), end(at.x + size.x, at.y + size.y);
    if (ImGui::InvisibleButton("stop", size))
        action_ask(viewer, action_by_name("stop-recording"), nullptr);
    ImDrawList *list = overlay->sign = ImGui::GetWindowDrawList();
    list->AddRectFilled(at, end, ground, high / 2);
    list->AddCircleFilled(ImVec2(at.x + pad + radius, at.y + high / 2), radius, dot);
    list->AddText(font, font->FontSize, ImVec2(at.x + 2 * pad + 2 * radius, roundf(at.y + (high - font->FontSize) / 2)),
                  words_tint, words);
    overlay->columns[COLUMN_SIGN] = {(double)at.x, (double)at.y, (double)size.x, (double)size.y};
    ImGui::End();
    ImGui::PopStyleVar(2);
}

} // namespace

const Panel panel_recording = {"recording", PLACE_TOP, visible, draw};
