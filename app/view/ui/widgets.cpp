/* widgets.cpp: the pieces of panels. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/view/ui/widgets.hpp"

float em(const Overlay *overlay, float ems) {
    return roundf(ems * text_pixels * overlay->scale);
}

constexpr float tip_letters = 45;

constexpr float column_ems[COLUMNS] = {23.0f, 17.5f, 25.0f, 0, 0, 0}; /* if its rows do not need more */

float column_width(const Overlay *overlay, Column which) {
    return fmaxf(em(overlay, column_ems[which]), overlay->needs[which]);
}

void need_up_to(Overlay *overlay, float right) {
    float *need = &overlay->needs[overlay->building];
    const float behind = ImGui::GetWindowWidth() - ImGui::GetWindowContentRegionMax().x; /* with a scroll bar or not */
    const float wanted = ceilf(right + behind);
    overlay->settled &= wanted <= fmaxf(*need, em(overlay, column_ems[overlay->building]));
    *need = fmaxf(*need, wanted);
}

void text(ImU32 tint, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    ImGui::PushStyleColor(ImGuiCol_Text, tint);
    ImGui::TextV(format, arguments);
    ImGui::PopStyleColor();
    va_end(arguments);
}

void wrapped(ImU32 tint, const char *words) {
    ImGui::PushStyleColor(ImGuiCol_Text, tint);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(words);
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
}

void text_right(Overlay *overlay, ImU32 tint, const char *words) {
    const float width = ImGui::CalcTextSize(words).x;
    ImGui::SameLine(0, em(overlay, 0.8f));
    need_up_to(overlay, ImGui::GetCursorPosX() + width);
    ImGui::SetCursorPosX(ImGui::GetWindowContentRegionMax().x - width);
    text(tint, "%s", words);
}

float column(const Overlay *overlay, float min, float widest) {
    return fmaxf(em(overlay, min), widest + em(overlay, 0.8f));
}

void gap(const Overlay *overlay, float ems) {
    ImGui::Dummy(ImVec2(1, em(overlay, ems)));
}

static Fold *find_fold(const Overlay *overlay, const char *words) {
    for (size_t i = 0; i < overlay->fold_count; i++)
        if (strcmp(overlay->folds[i].words, words) == 0)
            return const_cast<Fold *>(&overlay->folds[i]);
    return nullptr;
}

bool section_open(const Overlay *overlay, const char *words) {
    const Fold *fold = find_fold(overlay, words);
    return !fold || fold->open;
}

/* The one of these words, made where it is missed; nullptr if there is no room for it. */
static Fold *fold_named(Overlay *overlay, const char *words, bool open_at_first) {
    Fold *fold = find_fold(overlay, words);
    if (!fold && overlay->fold_count < FOLDS_MAX) {
        fold = &overlay->folds[overlay->fold_count++];
        *fold = {words, open_at_first};
    }
    return fold;
}

bool fold_chip(Overlay *overlay, const char *words) {
    Fold *fold = fold_named(overlay, words, false);
    if (chip(overlay, words, fold && fold->open) && fold)
        fold->open = !fold->open;
    return fold && fold->open;
}

/* Small words at the right of a heading, on its base line. */
static void heading_note(Overlay *overlay, const char *words) {
    ImGui::PushFont(overlay->small);
    ImGui::SameLine(0, 0);
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + roundf(overlay->bold->Ascent - overlay->small->Ascent));
    text_right(overlay, dim, words);
    ImGui::PopFont();
}

void scroll_to(float top) {
    const float gap = ImGui::GetStyle().WindowPadding.y, height = ImGui::GetWindowHeight();
    const float bottom = ImGui::GetCursorPosY() + gap, at = ImGui::GetScrollY();
    const float lowest = fmaxf(top - gap, 0), least = bottom - height; /* positions that show its top, its bottom */
    if (lowest < at || least > at)
        ImGui::SetScrollY(fminf(lowest, fmaxf(least, 0)));
}

bool heading(Overlay *overlay, const char *words, const char *right, bool open_at_first) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, line = at.y + em(overlay, 0.3f);
    Fold *fold = fold_named(overlay, words, open_at_first);
    if (fold && overlay->unfolds)
        fold->open = true;
    if (ImGui::GetCursorPosY() > ImGui::GetCursorStartPos().y) {
        ImGui::GetWindowDrawList()->AddLine(ImVec2(at.x, line), ImVec2(at.x + width, line), edge,
                                            fmaxf(1, overlay->scale));
        gap(overlay, 0.45f);
    }
    ImGui::PushFont(overlay->bold);
    const ImVec2 from = ImGui::GetCursorScreenPos(), size = ImGui::CalcTextSize(words);
    const float side = em(overlay, 0.95f), pad = em(overlay, 0.2f);
    const bool hovered = ImGui::IsWindowHovered() &&
                         ImGui::IsMouseHoveringRect(ImVec2(from.x, from.y - pad),
                                                    ImVec2(from.x + side + size.x + pad, from.y + size.y + pad));
    overlay->hit |= hovered;
    if (fold && hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left))
        fold->open = !fold->open;
    const bool open = !fold || fold->open;
    text(hovered ? accent : dim, "%s", open ? "▾" : "▸");
    ImGui::SameLine(0, 0);
    ImGui::SetCursorScreenPos(ImVec2(from.x + side, from.y));
    uint64_t seen = 0;
    text(hovered ? accent : ink, "%s", words);
    mark_terms(overlay, ImVec2(from.x + side, from.y), words, words + strlen(words), TERM_TIP, &seen);
    ImGui::PopFont();
    if (right)
        heading_note(overlay, right);
    return open;
}

void say_tip(const char *format, ...) {
    char words[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(ImGui::CalcTextSize("x").x * tip_letters);
    ImGui::TextUnformatted(words);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

void say_keys(const Overlay *overlay, const char *words, const char *keys) {
    say_tip("%s", words);
    ImGui::BeginTooltip();
    ImGui::PushFont(overlay->mono);
    text(accent, "%s", keys);
    ImGui::PopFont();
    ImGui::EndTooltip();
}

void tip(const char *name, ImVec2 from, ImVec2 to) {
    const char *words = tip_of(name), *at = name;
    const Term *term = nullptr;
    char told[1024];
    size_t length = 0;
    if (!ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(from, to))
        return;
    int end = snprintf(told, sizeof told, "%s", words ? words : "");
    for (; (at = term_find(at, &length, &term)); at += length)
        if (!words || length < strlen(name))
            end += snprintf(told + end, sizeof told - (size_t)end, "%s%s: %s", end > 0 ? "\n\n" : "", term->name,
                            term->words);
    if (end > 0)
        say_tip("%s", told);
}

const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

void format_ms(double ms, char *buffer, size_t size) {
    if (ms >= 1e6)
        snprintf(buffer, size, ms < 6e6 ? "%.1f min" : "%.0f min", ms / 60e3);
    else if (ms >= 1e3)
        snprintf(buffer, size, ms < 1e5 ? "%.1f s" : "%.0f s", ms / 1e3);
    else
        snprintf(buffer, size, ms < 1 ? "%.3f ms" : ms < 10 ? "%.2f ms" : ms < 100 ? "%.1f ms" : "%.0f ms", ms);
}

void format_rate(double rate, char *buffer, size_t size) {
    snprintf(buffer, size, rate < 0.095 ? "%.2g" : rate < 10 ? "%.2f" : rate < 100 ? "%.1f" : "%.0f", rate);
}

/* "14.2× naive", "≈ 14.2× naive", "machine busy" where runs disagree, "…" while it is not known. */
void format_speedup(const Viewer *viewer, const Figures &figures, char *buffer, size_t size) {
    const Level *lowest = viewer->session->measured.yardsticks.lowest_level;
    if (figures.speedup > 0 && viewer_level(viewer) == lowest)
        snprintf(buffer, size, "lowest rung");
    else if (figures.speedup > 0 && figures.unsteady)
        snprintf(buffer, size, "machine busy");
    else if (figures.speedup > 0)
        snprintf(buffer, size, figures.speedup < 10 ? "%s%.1f× %s" : "%s%.0f× %s",
                 figures.speedup_estimated ? "≈ " : "", figures.speedup, lowest->name);
    else
        snprintf(buffer, size, "%s", viewer->session->measured.yardsticks.unmeasurable ? "–" : "…");
}

void format_copies(const Figures &figures, char *buffer, size_t size) {
    if (figures.copies > 0)
        snprintf(buffer, size, figures.copies < 10 ? "%.1f× a memory copy" : "%.0f× a memory copy", figures.copies);
    else
        snprintf(buffer, size, "…");
}

void fact(Overlay *overlay, ImU32 tint, const char *name, const char *format, ...) {
    char value[96];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    uint64_t seen = 0;
    text(dim, "%s", name);
    mark_terms(overlay, at, name, name + strlen(name), TERM_CLICK, &seen);
    text_right(overlay, tint, value);
    tip(name, at, ImVec2(ImGui::GetWindowPos().x + ImGui::GetWindowWidth(), ImGui::GetCursorScreenPos().y));
}

void format_count(double value, char *buffer, size_t size) {
    const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
    size_t prefix = 0;
    for (; value >= 999.5 && prefix + 1 < sizeof prefixes / sizeof prefixes[0]; prefix++)
        value /= 1000;
    snprintf(buffer, size, value < 9.995 ? "%.2f %s" : value < 99.95 ? "%.1f %s" : "%.0f %s", value, prefixes[prefix]);
}

bool chip(const Overlay *overlay, const char *words, bool on) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    ImFont *font = overlay->small;
    const ImVec2 size = font->CalcTextSizeA(font->FontSize, 1e6f, 0, words), at = ImGui::GetCursorScreenPos();
    const ImVec2 pad(em(overlay, 0.45f), em(overlay, 0.15f)), end(at.x + size.x + 2 * pad.x, at.y + size.y + 2 * pad.y);
    const bool clicked = ImGui::InvisibleButton(words, ImVec2(end.x - at.x, end.y - at.y));
    list->AddRectFilled(at, end, on ? accent_deep : ImGui::IsItemHovered() ? veil(40) : veil(20), em(overlay, 0.25f));
    list->AddText(font, font->FontSize, ImVec2(at.x + pad.x, at.y + pad.y), on ? ink : dim, words);
    return clicked;
}

float width_of(const ImFont *font, const char *words) {
    return font->CalcTextSizeA(font->FontSize, 1e6f, 0, words).x;
}

float go_on_until() {
    return ImGui::GetIO().DisplaySize.x - ImGui::GetWindowPos().x - ImGui::GetStyle().WindowPadding.x;
}

bool go_on(float gap, float width) {
    const bool fits = ImGui::GetItemRectMax().x + gap + width <= go_on_until();
    if (fits)
        ImGui::SameLine(0, gap);
    return fits;
}

void shorten(const ImFont *font, float room, char *words, size_t size) {
    const char *end = nullptr;
    if (width_of(font, words) <= room)
        return;
    (void)font->CalcTextSizeA(font->FontSize, fmaxf(room - width_of(font, "…"), 1), 0, words, nullptr, &end);
    const size_t kept = end ? (size_t)(end - words) : 0;
    snprintf(words + kept, size - kept, "…");
}

float words_top(const Overlay *overlay, const Viewer *viewer, float left) {
    const Area strip = overlay->columns[COLUMN_LEFT], area = viewer->area;
    const double end = strip.y + strip.height;
    const bool below = strip.x + strip.width > fmax((double)left, area.x) && end < area.y + area.height / 2;
    return (float)(below ? end : area.y) + em(overlay, 0.6f);
}

void pill(const Overlay *overlay, float x, float y, ImU32 tint, const char *words) {
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    const ImVec2 size = overlay->regular->CalcTextSizeA(overlay->regular->FontSize, 1e6f, 0, words);
    const float pad = em(overlay, 0.6f), high = em(overlay, 0.25f);
    const ImVec2 from(roundf(x - size.x / 2 - pad), roundf(y)),
        to(roundf(x + size.x / 2 + pad), roundf(y + size.y + 2 * high));
    list->AddRectFilled(from, to, glass, (to.y - from.y) / 2);
    list->AddRect(from, to, edge, (to.y - from.y) / 2);
    list->AddText(overlay->regular, overlay->regular->FontSize, ImVec2(from.x + pad, from.y + high), tint, words);
}

bool on_column(const Overlay *overlay, double x, double y) {
    bool on = false;
    for (const Area &column : overlay->columns)
        on |= x >= column.x && y >= column.y && x < column.x + column.width && y < column.y + column.height;
    return on;
}

void note_box(Overlay *overlay, Column column) {
    float *height = &overlay->heights[column];
    overlay->settled &= fabsf(ImGui::GetCursorPosY() - *height) < 0.5f;
    *height = ImGui::GetCursorPosY();
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    overlay->columns[column] = {(double)at.x, (double)at.y, (double)size.x, (double)size.y};
}

void close_menu(const Overlay *overlay) {
    if (overlay->close)
        ImGui::CloseCurrentPopup();
}

void report(Viewer *viewer, Status status) {
    viewer_answer(viewer, TOAST_REQUEST, status);
}
