/* tour.cpp: the step of the tour, over the picture's lower edge. */
#include <math.h>
#include <stdio.h>

#include "app/view/ui/controls.hpp"
#include "app/view/ui/panels/panel.hpp"

extern "C" {
#include "app/view/actions/dispatch.h"
#include "app/view/actions/tour.h"
#include "app/view/data/recorded.h"
#include "app/view/data/why.h"
}

namespace {

constexpr float width_ems = 32.0f, bottom_ems = 5.4f; /* above the split's words */

bool visible(const Viewer *viewer) {
    return viewer->ui->tour.on && !viewer_has_page(viewer);
}

void step_button(const Overlay *overlay, Viewer *viewer, const char *words, const char *name, ButtonKind kind) {
    char label[64], keys[ACTION_KEYS];
    snprintf(label, sizeof label, "%s  %s", words, action_keys_here(viewer, action_by_name(name), keys));
    if (button(overlay, kind, name, nullptr, label))
        action_ask(viewer, action_by_name(name), nullptr);
    ImGui::SameLine();
}

/* Where one is, and the other chapters, which a click begins. */
void chapters(const Overlay *overlay, Viewer *viewer, TourChapter now) {
    ImGui::PushFont(overlay->small);
    const float end = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x, apart = em(overlay, 1.0f);
    for (size_t i = 0; i < TOUR_CHAPTERS; i++) {
        if (i > 0 && ImGui::GetItemRectMax().x + apart + width_of(overlay->small, tour_chapters[i]) <= end)
            ImGui::SameLine(0, apart);
        text(i == (size_t)now ? accent : dim, "%s", tour_chapters[i]);
        if (i != (size_t)now && ImGui::IsItemClicked())
            action_ask(viewer, action_by_name("tour-chapter"), tour_chapters[i]);
    }
    ImGui::PopFont();
}

/* The ladder of a GPU, measured elsewhere: a bar a level, the longer the faster. */
void recorded(const Overlay *overlay) {
    RecordedLevel levels[16];
    char job[192], words[320];
    const size_t count = recorded_levels(levels, 16);
    double least = INFINITY;
    for (size_t i = 0; i < count; i++)
        least = fmin(least, levels[i].ms);
    wrapped(warm, "Recorded, not measured here. Point at a level to read why it is faster:");
    wrapped(dim, recorded_job(job, sizeof job));
    const float width = ImGui::GetContentRegionAvail().x, line = ImGui::GetTextLineHeight();
    for (size_t i = 0; i < count; i++) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float from = at.x + em(overlay, 6.0f), room = width - em(overlay, 13.0f);
        ImGui::GetWindowDrawList()->AddRectFilled(
            ImVec2(from, at.y + 0.2f * line), ImVec2(from + room * (float)(least / levels[i].ms), at.y + 0.8f * line),
            accent_deep, 0.15f * line);
        text(ink, "%s", levels[i].name);
        ImGui::SameLine(width - em(overlay, 5.0f));
        text(dim, "%.3f ms", levels[i].ms);
        if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, ImVec2(at.x + width, at.y + line)))
            say_tip("%s", why_format(why_of("cuda", "convolve", levels[i].name), words, sizeof words));
    }
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
    const float strip = (float)(area.y + area.height) - em(overlay, 0.5f); /* of thumbnails, or the window's end */
    ImGui::SetNextWindowPos(
        ImVec2((float)(area.x + area.width / 2), fminf((float)viewer->height - em(overlay, bottom_ems), strip)), 0,
        ImVec2(0.5f, 1));
    ImGui::SetNextWindowSize(ImVec2(width, 0));
    ImGui::PushStyleColor(ImGuiCol_WindowBg, solid_glass);
    ImGui::PushStyleColor(ImGuiCol_Border, accent_deep);
    ImGui::Begin("tour", nullptr, box_flags | ImGuiWindowFlags_AlwaysAutoResize);
    chapters(overlay, viewer, step->chapter);
    dots(overlay, viewer, step->title);
    ImGui::PushFont(overlay->title);
    text(ink, "%s", step->title);
    ImGui::PopFont();
    wrapped(ink, step->words);
    if (tour_shows_record(viewer))
        recorded(overlay);
    else if (viewer->ui->tour.was_done)
        wrapped(dim, "This is so already: go on when you have seen it.");
    else if (viewer->ui->tour.done)
        text(accent, "Done. Look around, and go on when you have seen it.");
    else
        text(accent, "press %s", keys);
    gap(overlay, 0.1f);
    const bool last = viewer->ui->tour.step + 1 == tour_step_count;
    const bool done = viewer->ui->tour.done;
    step_button(overlay, viewer,
                !done  ? "Skip"
                : last ? "Finish"
                       : "Next",
                "tour", done ? BUTTON_PRIMARY : BUTTON_PLAIN);
    if (viewer->ui->tour.step > 0)
        step_button(overlay, viewer, "Back", "tour-back", BUTTON_PLAIN);
    step_button(overlay, viewer, "End tour", "tour-leave", BUTTON_PLAIN);
    note_box(overlay, COLUMN_TOUR);
    ImGui::End();
    ImGui::PopStyleColor(2);
}

} // namespace

const Panel panel_tour = {"tour", PLACE_PICTURE, visible, draw};
