/* terms.cpp: the glossary's words in the texts of panels: a line below each; its meaning under the pointer. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "app/view/ui/widgets.hpp"

void mark_terms(Overlay *overlay, ImVec2 at, const char *line, const char *end, unsigned ways, uint64_t *seen) {
    const ImFont *font = ImGui::GetFont();
    const float size = ImGui::GetFontSize(), thick = fmaxf(1, roundf(overlay->scale));
    size_t length = 0;
    const Term *term = nullptr;
    for (const char *word = line; (word = term_find(word, &length, &term)) && word + length <= end; word += length) {
        const uint64_t bit = (uint64_t)1 << (term - terms);
        if (*seen & bit)
            continue;
        *seen |= bit;
        const ImVec2 from(at.x + font->CalcTextSizeA(size, 1e6f, 0, line, word).x, at.y);
        const ImVec2 to(from.x + font->CalcTextSizeA(size, 1e6f, 0, word, word + length).x, at.y + size);
        const bool hovered = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(from, to);
        ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(from.x, to.y), ImVec2(to.x, to.y + thick),
                                                  hovered ? ImU32(accent) : veil(90));
        if (hovered && (ways & TERM_TIP))
            say_tip("%s: %s", term->name, term->words);
        if (hovered && (ways & TERM_CLICK)) {
            overlay->hit = true;
            if (ImGui::IsMouseClicked(ImGuiMouseButton_Left))
                overlay->asked = term;
        }
    }
}

void term(Overlay *overlay, ImU32 tint, const char *name) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    uint64_t seen = 0;
    text(tint, "%s", name);
    mark_terms(overlay, at, name, name + strlen(name), TERM_TIP | TERM_CLICK, &seen);
}

void marked(Overlay *overlay, ImU32 tint, const char *words) {
    const ImFont *font = ImGui::GetFont();
    const char *end = words + strlen(words);
    const float size = ImGui::GetFontSize(), room = ImGui::GetContentRegionAvail().x;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    ImVec2 at = corner;
    uint64_t seen = 0;
    for (const char *line = words; line < end;) {
        const char *stop = font->CalcWordWrapPositionA(size / font->FontSize, line, end, room);
        stop = stop > line ? stop : line + 1;
        ImGui::GetWindowDrawList()->AddText(font, size, at, tint, line, stop);
        mark_terms(overlay, at, line, stop, TERM_TIP | TERM_CLICK, &seen);
        at.y += size;
        line = stop + strspn(stop, " \n");
    }
    ImGui::Dummy(ImVec2(room, at.y - corner.y));
}

void open_term(Overlay *overlay, Viewer *viewer) {
    if (!overlay->asked)
        return;
    viewer->help = true;
    snprintf(viewer->ui->help_wanted, sizeof viewer->ui->help_wanted, "%s", overlay->asked->name);
    overlay->asked = nullptr;
}
