/* thumbnails.cpp: the opened files, as a strip below the picture. */
#include <math.h>
#include <stdio.h>

#include "app/view/ui/panels/panel.hpp"
#include "app/view/ui/thumbnail_cell.hpp"

extern "C" {
#include "app/view/actions/dispatch.h"
}

namespace {

constexpr float cell_width = 7.4f, cell_height = 4.6f, cell_gap = 0.5f; /* ems */

ImVec2 cell_size(const Overlay *overlay) {
    return ImVec2(em(overlay, cell_width), em(overlay, cell_height));
}

bool visible(const Viewer *viewer) {
    return viewer->thumbnails && !viewer_has_page(viewer) && viewer->pictures.count > 0;
}

void ask_for(Viewer *viewer, size_t index) {
    char number[24];
    snprintf(number, sizeof number, "%zu", index + 1);
    action_ask(viewer, action_by_name("picture"), number);
}

void draw_cell(Overlay *overlay, Viewer *viewer, size_t index) {
    const char *path = viewer->pictures.paths[index];
    const bool current = index == viewer->pictures.current && viewer_picture(viewer);
    Thumbnail *thumbnail = gallery_thumbnail(overlay->gallery, path);
    ImGui::PushID((int)index);
    if (thumbnail_cell(overlay, cell_size(overlay), thumbnail, base_name(path), current))
        ask_for(viewer, index);
    ImGui::PopID();
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip("%s", thumbnail && thumbnail->failed ? thumbnail->why : path);
}

/* The first file in sight: the current one is in the middle, until the wheel moves the strip. */
size_t first_shown(Overlay *overlay, const Viewer *viewer, size_t room) {
    const size_t count = viewer->pictures.count;
    const long last = count > room ? (long)(count - room) : 0;
    const Subject *subject = viewer->session->request.subject;
    if (subject && subject->serial != overlay->strip_serial) { /* the same file, read again, is another one */
        if (overlay->strip_of == viewer->pictures.current && overlay->strip_serial)
            gallery_forget(overlay->gallery, subject->name);
        overlay->strip_serial = subject->serial;
    }
    if (overlay->strip_of != viewer->pictures.current) {
        overlay->strip_of = viewer->pictures.current;
        overlay->strip_first = (long)viewer->pictures.current - (long)room / 2;
    }
    if (ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem))
        overlay->strip_first -= lroundf(ImGui::GetIO().MouseWheel);
    overlay->strip_first = overlay->strip_first < 0 ? 0 : overlay->strip_first > last ? last : overlay->strip_first;
    return (size_t)overlay->strip_first;
}

void draw(Overlay *overlay, Viewer *viewer) {
    const Area &area = overlay->columns[COLUMN_FILES];
    if (!overlay->gallery && gallery_create(thumbnail_of_file, nullptr, &overlay->gallery) != STATUS_OK)
        return report(viewer, STATUS_DEVICE);
    const float pitch = em(overlay, cell_width + cell_gap);
    ImGui::SetNextWindowPos(ImVec2((float)area.x, (float)area.y));
    ImGui::SetNextWindowSize(ImVec2((float)area.width, (float)area.height));
    ImGui::Begin("thumbnails", nullptr, box_flags | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x + em(overlay, cell_gap);
    const size_t room = width > pitch ? (size_t)(width / pitch) : 1, first = first_shown(overlay, viewer, room);
    const size_t count = viewer->pictures.count < room ? viewer->pictures.count : room;
    const float left = at.x + floorf((width - (float)count * pitch) / 2);
    gallery_begin_round(overlay->gallery);
    for (size_t i = count; i-- > 0;) { /* the gallery makes the last one first: from the left */
        ImGui::SetCursorScreenPos(ImVec2(left + (float)i * pitch, at.y));
        draw_cell(overlay, viewer, first + i);
    }
    ImGui::End();
}

} // namespace

const Panel panel_thumbnails = {"thumbnails", PLACE_FILES, visible, draw};
