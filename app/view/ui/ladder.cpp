/* ladder.cpp: the rungs of a ladder as rows. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/view/ui/ladder.hpp"

extern "C" {
#include "app/view/data/why.h"
}

namespace {

enum { WHY_WORDS = 512 };

const Why *why_of_level(const Viewer *viewer, const Level *level) {
    return why_of(viewer->session->device->backend->name, level->op->name, level->name);
}

constexpr float bar_top = 0.74f, bar_end = 0.94f; /* of a rung's height: the note stands above it */

/* The bar, its interval as a whisker, and where one copy would end, ten, a hundred. */
void ladder_bar(const Overlay *overlay, float left, float top, float room, float height, bool current,
                const LadderNote &note) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float line = fmaxf(1, roundf(overlay->scale)), middle = roundf(top + height * (bar_top + bar_end) / 2);
    list->AddRectFilled(ImVec2(left, roundf(top + height * bar_top)),
                        ImVec2(left + room * note.share, roundf(top + height * bar_end)), current ? accent : veil(90));
    if (note.most > 0) {
        const float from = left + room * note.least, to = left + room * note.most;
        list->AddRectFilled(ImVec2(from, middle - line), ImVec2(to, middle + line), warm);
        const float ends[] = {from, to};
        for (const float end : ends)
            list->AddRectFilled(ImVec2(end - line / 2, middle - height * 0.16f),
                                ImVec2(end + line / 2, middle + height * 0.16f), warm);
    }
    for (float at = note.copy; at > 0; at -= note.decade)
        list->AddRectFilled(ImVec2(roundf(left + room * at) - line, top),
                            ImVec2(roundf(left + room * at), top + height), veil(at < note.copy ? 30 : 90));
}

/* Times end at the right; reasons begin at one place, and the tip has all of those that are cut. */
void ladder_words(const Overlay *overlay, const LadderRow &rung, const LadderNote &note, ImVec2 from, ImVec2 end) {
    const float share = note.share > 0 ? bar_top : 1, size = overlay->small->FontSize;
    char words[sizeof note.text];
    snprintf(words, sizeof words, "%s", note.text);
    shorten(overlay->small, end.x - from.x, words, sizeof words);
    const float x = rung.why_not ? from.x : end.x - width_of(overlay->small, words);
    ImGui::GetWindowDrawList()->AddText(overlay->small, size,
                                        ImVec2(roundf(x), roundf(from.y + (share * (end.y - from.y) - size) / 2)),
                                        note.tint, words);
}

/* One rung: its digit, its name, its note with its bar. */
void ladder_row(Overlay *overlay, Viewer *viewer, const LadderRow &rung, const LadderNote &note) {
    const float width = ImGui::GetContentRegionAvail().x, room = width - em(overlay, 8.0f);
    const float height = em(overlay, 1.42f);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList *list = ImGui::GetWindowDrawList();
    const ImU32 tint = rung.why_not ? faint : rung.current ? ink : dim;
    char number[16];
    ImGui::PushID(rung.level);
    const bool clicked = ImGui::InvisibleButton("rung", ImVec2(width, height));
    const bool hovered = ImGui::IsItemHovered();
    ImGui::PopID();
    const ImVec2 end(at.x + width, at.y + height);
    const float rounding = em(overlay, 0.3f);
    if (rung.current)
        list->AddRectFilled(at, end, accent_veil, rounding);
    else if (hovered)
        list->AddRectFilled(at, end, veil(18), rounding);
    if (note.share > 0)
        ladder_bar(overlay, at.x + em(overlay, 8.0f), at.y, room, height, rung.current, note);
    if (rung.current)
        list->AddRectFilled(at, ImVec2(at.x + em(overlay, 0.18f), end.y), accent, rounding);
    const float line = at.y + (height - overlay->regular->FontSize) / 2;
    snprintf(number, sizeof number, "%d", rung.number);
    const float ones = at.x + em(overlay, 1.1f); /* where numbers end */
    list->AddText(overlay->regular, overlay->regular->FontSize,
                  ImVec2(ones - overlay->regular->CalcTextSizeA(overlay->regular->FontSize, 1e6f, 0, number).x, line),
                  rung.current ? accent : tint, number);
    ImFont *font = rung.current ? overlay->bold : overlay->regular;
    list->AddText(font, font->FontSize, ImVec2(at.x + em(overlay, 1.7f), line), tint, rung.level->name);
    ladder_words(overlay, rung, note, ImVec2(at.x + em(overlay, 8.0f), at.y), ImVec2(end.x - em(overlay, 0.5f), end.y));
    if (hovered)
        ladder_tooltip(viewer, rung);
    if (clicked)
        report(viewer, viewer_set_level(viewer, rung.level->name));
}

/* The idea of the level that runs, why it is faster than the one below it, and where the documents say more. */
void explain(Overlay *overlay, const Viewer *viewer, const Level *level) {
    char words[WHY_WORDS];
    const Why *why = why_of_level(viewer, level);
    gap(overlay, 0.1f);
    marked(overlay, dim, level->idea);
    if (!why)
        return;
    gap(overlay, 0.05f);
    marked(overlay, ink, why_format(why, words, sizeof words));
    ImGui::PushFont(overlay->small);
    wrapped(dim, why_format_page(why, words, sizeof words));
    ImGui::PopFont();
}

} // namespace

void ladder(Overlay *overlay, Viewer *viewer, const char *words,
            LadderNote (*note)(const Viewer *viewer, const LadderRow &rung)) {
    LadderRow rungs[RUNGS_MAX];
    const size_t count = viewer_rungs(viewer, rungs);
    char right[160];
    const Level *level = viewer_level(viewer);
    snprintf(right, sizeof right, "%s%s%s", level ? level->op->name : "", level ? " on " : "",
             viewer->session->device->backend->name);
    if (!heading(overlay, words, right))
        return;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, em(overlay, 0.06f)));
    for (size_t i = count; i-- > 0;)
        ladder_row(overlay, viewer, rungs[i], note(viewer, rungs[i]));
    ImGui::PopStyleVar();
    if (level) {
        explain(overlay, viewer, level);
    } else {
        wrapped(dim, "Nothing to compute: pick a filter.");
    }
}

LadderNote ladder_note(const Viewer *viewer, const LadderRow &rung) {
    LadderNote note = {"", faint, 0, 0, 0, 0, 0};
    if (rung.why_not)
        snprintf(note.text, sizeof note.text, "%s", rung.why_not);
    else if (rung.current && strcmp(viewer->request->level, "best") == 0)
        snprintf(note.text, sizeof note.text, "best");
    return note;
}

void ladder_tooltip(const Viewer *viewer, const LadderRow &rung) {
    char words[WHY_WORDS], page[WHY_WORDS];
    const Why *why = why_of_level(viewer, rung.level);
    why_format(why, words, sizeof words);
    why_format_page(why, page, sizeof page);
    say_tip("%s%s%s\n\n%s\n\n%s", rung.level->idea, rung.why_not ? "\nnot here: " : "",
            rung.why_not ? rung.why_not : "", words, page);
}
