/* thumbnails.cpp: the opened files, as a strip below the picture. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "app/view/panels/panel.hpp"

extern "C" {
#include "app/view/actions.h"
#include "app/view/gallery.h"
}

namespace {

constexpr float cell_width = 7.4f, cell_height = 4.6f, name_height = 1.35f, cell_gap = 0.5f; /* ems */

bool visible(const Viewer *viewer) {
    return viewer->thumbnails && !viewer->help && viewer->pictures.count > 0;
}

/* A name that is too long loses its middle, so that numbers at its end stay. */
void draw_name(const Overlay *overlay, ImVec2 at, float width, ImU32 tint, const char *name) {
    ImFont *font = overlay->small;
    char words[96];
    snprintf(words, sizeof words, "%s", name);
    const size_t length = strlen(name);
    for (size_t keep = length; keep > 4 && font->CalcTextSizeA(font->FontSize, 1e6f, 0, words).x > width; keep--)
        snprintf(words, sizeof words, "%.*s…%s", (int)(keep / 2), name, name + length - keep / 2);
    const float wide = font->CalcTextSizeA(font->FontSize, 1e6f, 0, words).x;
    ImGui::GetWindowDrawList()->AddText(font, font->FontSize, ImVec2(roundf(at.x + (width - wide) / 2), at.y), tint,
                                        words);
}

/* In the middle of its cell, as large as it goes. */
void draw_picture(Thumbnail *thumbnail, ImVec2 from, ImVec2 to) {
    const unsigned texture = gallery_texture(thumbnail);
    if (!texture)
        return;
    const float width = (float)thumbnail->image->view.shape.width, height = (float)thumbnail->image->view.shape.height;
    const float scale = fminf((to.x - from.x) / width, (to.y - from.y) / height);
    const ImVec2 corner(roundf((from.x + to.x - width * scale) / 2), roundf((from.y + to.y - height * scale) / 2));
    ImGui::GetWindowDrawList()->AddImage((ImTextureID)(intptr_t)texture, corner,
                                         ImVec2(corner.x + roundf(width * scale), corner.y + roundf(height * scale)));
}

void ask_for(Viewer *viewer, size_t index) {
    char number[24];
    snprintf(number, sizeof number, "%zu", index + 1);
    action_ask(viewer, action_by_name("picture"), number);
}

void draw_cell(Overlay *overlay, Viewer *viewer, size_t index) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const char *path = viewer->pictures.paths[index];
    const bool current = index == viewer->pictures.current && viewer_picture(viewer);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 end(at.x + em(overlay, cell_width), at.y + em(overlay, cell_height));
    Thumbnail *thumbnail = gallery_thumbnail(overlay->gallery, path);
    ImGui::PushID((int)index);
    if (ImGui::InvisibleButton("thumbnail", ImVec2(end.x - at.x, end.y - at.y + em(overlay, name_height))))
        ask_for(viewer, index);
    const bool hovered = ImGui::IsItemHovered();
    ImGui::PopID();
    list->AddRectFilled(at, end, veil(hovered ? 44 : 20), em(overlay, 0.25f));
    if (thumbnail && thumbnail->image)
        draw_picture(thumbnail, at, end);
    else if (thumbnail && thumbnail->failed)
        draw_name(overlay, ImVec2(at.x, roundf((at.y + end.y) / 2 - em(overlay, 0.5f))), end.x - at.x, bad,
                  "cannot be read");
    if (current)
        list->AddRect(ImVec2(at.x - 2, at.y - 2), ImVec2(end.x + 2, end.y + 2), accent, em(overlay, 0.25f), 0,
                      fmaxf(2, em(overlay, 0.14f)));
    draw_name(overlay, ImVec2(at.x, end.y + em(overlay, 0.2f)), end.x - at.x, current ? ink : dim, base_name(path));
    if (hovered)
        ImGui::SetTooltip("%s", thumbnail && thumbnail->failed ? thumbnail->why : path);
}

/* The first file in sight: the current one is in the middle, until the wheel moves the strip. */
size_t first_shown(Overlay *overlay, const Viewer *viewer, size_t room) {
    const size_t count = viewer->pictures.count;
    const long last = count > room ? (long)(count - room) : 0;
    const Subject *subject = viewer->session.request.subject;
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
    if (!overlay->gallery && gallery_create(&overlay->gallery) != STATUS_OK)
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
    for (size_t i = count; i-- > 0;) { /* what is asked for last is made first: from the left */
        ImGui::SetCursorScreenPos(ImVec2(left + (float)i * pitch, at.y));
        draw_cell(overlay, viewer, first + i);
    }
    ImGui::End();
}

} // namespace

const Panel panel_thumbnails = {"thumbnails", PLACE_FILES, visible, draw};
