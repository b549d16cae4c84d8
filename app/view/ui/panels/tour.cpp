/* tour.cpp: the step of the tour, over the picture's lower edge. */
#include <math.h>
#include <stdio.h>

#include "app/view/ui/panels/panel.hpp"

extern "C" {
#include "app/view/actions/dispatch.h"
#include "app/view/actions/tour.h"
}

namespace {

constexpr float width_ems = 32.0f, bottom_ems = 5.4f; /* above the split's words */

bool visible(const Viewer *viewer) {
    return viewer->ui->tour.on && !viewer_has_page(viewer);
}

void button(Viewer *viewer, const char *words, const char *name) {
    char label[64];
    const char *keys = action_keys(viewer, action_by_name(name));
    snprintf(label, sizeof label, "%s  %s", words, keys);
    if (ImGui::Button(label))
        action_ask(viewer, action_by_name(name), nullptr);
    ImGui::SameLine();
}

/* How far one is: a dot a step, full for those behind; above the title where there is no room behind it. */
void dots(const Overlay *overlay, const Viewer *viewer, const char *title) {
    const float radius = em(overlay, 0.22f), pitch = em(overlay, 0.8f);
    const ImVec2 window = ImGui::GetWindowPos();
    const float right = window.x + ImGui::GetWindowContentRegionMax().x;
    const float y = ImGui::GetCursorScreenPos().y + ImGui::GetTextLineHeight() / 2;
    for (size_t i = 0; i < tour_step_count; i++) {
        const ImVec2 at(right - pitch * ((float)(tour_step_count - i) - 0.5f), y);
        ImDrawList *list = ImGui::GetWindowDrawList();
        if (i <= viewer->ui->tour.step)
            list->AddCircleFilled(at, radius, i == viewer->ui->tour.step ? accent : dim, 16);
        else
            list->AddCircle(at, radius, dim, 16, fmaxf(1, overlay->scale));
    }
    if (ImGui::GetCursorScreenPos().x + width_of(overlay->title, title) > right - pitch * (float)tour_step_count)
        ImGui::Dummy(ImVec2(1, ImGui::GetTextLineHeight()));
}

void draw(Overlay *overlay, Viewer *viewer) {
    tour_follow(viewer);
    const TourStep *step = tour_step(viewer);
    if (!step)
        return;
    char keys[96];
    const Area area = viewer->area;
    const float width = fminf(em(overlay, width_ems), (float)area.width - em(overlay, 2.0f));
    tour_keys(viewer, keys, sizeof keys);
    ImGui::SetNextWindowPos(ImVec2((float)(area.x + area.width / 2), (float)viewer->height - em(overlay, bottom_ems)),
                            0, ImVec2(0.5f, 1));
    ImGui::SetNextWindowSize(ImVec2(width, 0));
    ImGui::PushStyleColor(ImGuiCol_WindowBg, solid_glass);
    ImGui::PushStyleColor(ImGuiCol_Border, accent_deep);
    ImGui::Begin("tour", nullptr, box_flags | ImGuiWindowFlags_AlwaysAutoResize);
    dots(overlay, viewer, step->title);
    ImGui::PushFont(overlay->title);
    text(ink, "%s", step->title);
    ImGui::PopFont();
    wrapped(ink, step->words);
    if (viewer->ui->tour.was_done)
        wrapped(dim, "This step is done already: go on when you have seen it.");
    else
        text(accent, "press %s", keys);
    gap(overlay, 0.1f);
    button(viewer, viewer->ui->tour.was_done ? "Next" : "Skip", "tour");
    if (viewer->ui->tour.step > 0)
        button(viewer, "Back", "tour-back");
    button(viewer, "Leave", "tour-leave");
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    overlay->columns[COLUMN_TOUR] = {(double)at.x, (double)at.y, (double)size.x, (double)size.y};
    ImGui::End();
    ImGui::PopStyleColor(2);
}

} // namespace

const Panel panel_tour = {"tour", PLACE_PICTURE, visible, draw};
