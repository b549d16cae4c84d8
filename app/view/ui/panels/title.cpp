/* title.cpp: the open picture or scene, its shape, its place in the list. */
#include <stdio.h>

#include "app/view/ui/panels/panel.hpp"

namespace {

void draw(Overlay *overlay, Viewer *viewer) {
    char shape[96], place[48] = "", file[SCENE_TEXT_MAX] = "";
    const Subject *subject = viewer->session->request.subject;
    viewer_kind(viewer)->format_shape(viewer, shape, sizeof shape);
    if (viewer_picture(viewer) && viewer->pictures.count > 1)
        snprintf(place, sizeof place, "%zu / %zu", viewer->pictures.current + 1, viewer->pictures.count);
    ImGui::PushFont(overlay->title);
    const float width = ImGui::GetContentRegionAvail().x;
    const size_t length = subject ? subject_file(subject, file, sizeof file) : 0;
    const bool changed = subject && subject->name[length];
    char name[SCENE_TEXT_MAX];
    snprintf(name, sizeof name, "%s", subject ? base_name(file) : "nothing is open");
    shorten(overlay->title, width, name, sizeof name);
    ImGui::TextUnformatted(name);
    ImGui::PopFont();
    if (subject && ImGui::IsItemHovered())
        ImGui::SetTooltip("%s", file);
    text(dim, "%s%s", shape, changed ? " · changed" : "");
    text_right(overlay, dim, place);
}

} // namespace

const Panel panel_title = {"title", PLACE_LEFT, nullptr, draw};
