/* title.cpp: the open picture or scene, its shape, its place in the list. */
#include <stdio.h>

#include "app/view/ui/panels/panel.hpp"
#include "app/view/ui/stars.hpp"

extern "C" {
#include "app/view/session/strip.h"
}

namespace {

/* The shown picture's rating; where levels are the subject, only if it has one. */
bool has_stars(const Viewer *viewer, int *rating) {
    const FileList &list = viewer->pictures;
    const bool listed = viewer_picture(viewer) && list.current < list.count;
    *rating = listed ? strip_rating(viewer, list.current) : 0;
    return listed && (*rating != 0 || !viewer_shows_speed(viewer));
}

void draw(Overlay *overlay, Viewer *viewer) {
    char shape[96], place[96] = "", selected[48] = "", file[SCENE_TEXT_MAX] = "";
    const Subject *subject = viewer->session->subject;
    const size_t selection = strip_selection(viewer);
    viewer_kind(viewer)->format_shape(viewer, shape, sizeof shape);
    if (selection > 0)
        snprintf(selected, sizeof selected, ", %zu selected", selection);
    if (viewer_shows_listed(viewer) && viewer->pictures.count > 1)
        snprintf(place, sizeof place, "%zu / %zu%s", viewer->pictures.current + 1, viewer->pictures.count, selected);
    int rating;
    const bool rated = has_stars(viewer, &rating);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float whole = ImGui::GetContentRegionAvail().x;
    const float width = whole - (rated ? stars_width(overlay) : 0);
    ImGui::PushFont(overlay->title);
    const size_t length = subject ? subject_file(subject, file, sizeof file) : 0;
    const bool changed = subject && subject->name[length];
    char name[SCENE_TEXT_MAX];
    snprintf(name, sizeof name, "%s", subject ? base_name(file) : "nothing is open");
    shorten(overlay->title, width, name, sizeof name);
    ImGui::TextUnformatted(name);
    ImGui::PopFont();
    if (subject && ImGui::IsItemHovered())
        say_tip("%s", file);
    if (rated) {
        const ImVec2 below = ImGui::GetCursorScreenPos();
        const float lower = (overlay->title->FontSize - ImGui::GetTextLineHeight()) / 2;
        ImGui::SetCursorScreenPos(ImVec2(at.x + width, at.y + lower));
        stars(overlay, viewer, rating);
        ImGui::SetCursorScreenPos(below);
    }
    text(dim, "%s%s", shape, changed ? " · changed" : "");
    if (subject && subject->in_file > 1 && ImGui::IsItemHovered())
        say_tip("The window shows the first. `glint batch --page N` reads any other, counted from 0; without --page it "
                "filters all of them.");
    text_right(overlay, dim, place);
    if (subject && subject->ends_early[0])
        wrapped(bad, subject->ends_early);
}

} // namespace

const Panel panel_title = {"title", PLACE_LEFT, nullptr, draw};
