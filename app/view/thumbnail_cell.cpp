/* thumbnail_cell.cpp: the place, the picture in its middle, and the name. */
#include "app/view/thumbnail_cell.hpp"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

namespace {

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

/* In the middle of its place, as large as it goes. */
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
