/* thumbnail_cell.cpp: the place, the picture in its middle, and the name. */
#include "app/view/ui/thumbnail_cell.hpp"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

extern "C" {
#include "app/view/session/paths.h"
}

namespace {

/* A name that is too long loses its middle, so that numbers at its end stay. */
void draw_name(const Overlay *overlay, ImVec2 at, float width, ImU32 tint, const char *name) {
    ImFont *font = overlay->small;
    char words[96];
    size_t keep = strlen(name);
    while (width_of(font, path_cut_middle(name, keep, words, sizeof words)) > width && keep > 4)
        keep--;
    const float wide = width_of(font, words);
    ImGui::GetWindowDrawList()->AddText(font, font->FontSize, ImVec2(roundf(at.x + (width - wide) / 2), at.y), tint,
                                        words);
}

/* In the middle of its place, as large as it goes; however narrow it is, there is a line of it. */
void draw_picture(Thumbnail *thumbnail, ImVec2 from, ImVec2 to) {
    const unsigned texture = gallery_texture(thumbnail);
    if (!texture)
        return;
    const float width = (float)thumbnail->image->view.shape.width, height = (float)thumbnail->image->view.shape.height;
    const float scale = fminf((to.x - from.x) / width, (to.y - from.y) / height);
    const ImVec2 size(fmaxf(roundf(width * scale), 1), fmaxf(roundf(height * scale), 1));
    const ImVec2 corner(roundf((from.x + to.x - size.x) / 2), roundf((from.y + to.y - size.y) / 2));
    ImGui::GetWindowDrawList()->AddImage((ImTextureID)(intptr_t)texture, corner,
                                         ImVec2(corner.x + size.x, corner.y + size.y));
}

} // namespace

bool thumbnail_cell(const Overlay *overlay, ImVec2 size, Thumbnail *thumbnail, const char *name, bool chosen) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos(), end(at.x + size.x, at.y + size.y);
    const bool clicked = ImGui::InvisibleButton("thumbnail", ImVec2(size.x, size.y + em(overlay, thumbnail_name_ems)));
    list->AddRectFilled(at, end, veil(ImGui::IsItemHovered() ? 44 : 20), em(overlay, 0.25f));
    if (thumbnail && thumbnail->image)
        draw_picture(thumbnail, at, end);
    else if (thumbnail && thumbnail->failed)
        draw_name(overlay, ImVec2(at.x, roundf((at.y + end.y) / 2 - em(overlay, 0.5f))), size.x, bad,
                  "cannot be shown");
    if (chosen)
        list->AddRect(ImVec2(at.x - 2, at.y - 2), ImVec2(end.x + 2, end.y + 2), accent, em(overlay, 0.25f), 0,
                      fmaxf(2, em(overlay, 0.14f)));
    draw_name(overlay, ImVec2(at.x, end.y + em(overlay, 0.2f)), size.x, chosen ? ink : dim, name);
    return clicked;
}
