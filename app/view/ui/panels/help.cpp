/* help.cpp: the page of keys, from the table of actions. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/view/ui/panels/panel.hpp"

extern "C" {
#include "app/view/actions/dispatch.h"
}

namespace {

bool visible(const Viewer *viewer) {
    return viewer->help;
}

/* How the table of actions is laid out: as many columns as the window is wide enough for, texts smaller where that lets
 * all of it be seen. */
struct HelpLayout {
    float unit;   /* pixels an em */
    float column; /* ems: the width of a column, its gap included */
    int columns;
    float height; /* ems: of the highest column */
};

constexpr float help_keys = 7.2f, help_gap = 1.4f, help_heading = 1.9f;             /* ems */
constexpr float help_min = 17.0f, help_max = 30.0f;                                 /* ems: of a column */
constexpr float help_name = 1.08f, help_between = 0.2f, help_small = 13.5f / 16.0f; /* ems: lines, and a small text */
constexpr float help_scales[] = {1.0f, 0.92f, 0.84f, 0.76f};
enum { HELP_COLUMNS = 4 };

/* Ems from a row of the table to the next. */
float help_row_height(const Overlay *overlay, const HelpLayout &layout, const Action &action) {
    const float wrap = (layout.column - help_keys - help_gap) * layout.unit;
    const ImVec2 size = overlay->small->CalcTextSizeA(help_small * layout.unit, 1e6f, wrap, action.help);
    return help_name + size.y / layout.unit + help_between;
}

bool help_begins_group(size_t i) {
    return i == 0 || actions[i].group != actions[i - 1].group;
}

/* The columns' number that rows take where none is higher than `height`, in ems. */
int help_columns(const Overlay *overlay, const HelpLayout &layout, float height) {
    int columns = 1;
    float at = 0;
    for (size_t i = 0; i < action_count; i++) {
        const float row = help_row_height(overlay, layout, actions[i]) + (help_begins_group(i) ? help_heading : 0);
        if (at > 0 && at + row > height) {
            columns++;
            at = 0;
        }
        at += row;
    }
    return columns;
}

/* The lowest height that the columns can have. */
float help_height(const Overlay *overlay, const HelpLayout &layout) {
    float height = 4;
    while (help_columns(overlay, layout, height) > layout.columns)
        height += 0.5f;
    return height;
}

/* For a room of this many pixels. */
HelpLayout help_layout(const Overlay *overlay, float width, float height) {
    HelpLayout best = {};
    for (float scale : help_scales)
        for (int columns = 1; columns <= HELP_COLUMNS; columns++) {
            HelpLayout layout = {em(overlay, 1) * scale, 0, columns, 0};
            layout.column = fminf(width / (float)columns / layout.unit, help_max);
            if (columns > 1 && layout.column < help_min)
                break;
            layout.height = help_height(overlay, layout);
            if (layout.height * layout.unit <= height)
                return layout;
            if (best.columns == 0 || layout.height * layout.unit < best.height * best.unit)
                best = layout;
        }
    return best;
}

/* One key as a cap, if that ends before `right`; returns where the next one starts. */
float key_cap(const Overlay *overlay, float unit, ImVec2 at, float right, const char *key, size_t length) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    char label[32];
    snprintf(label, sizeof label, "%.*s", (int)length, key);
    const struct { const char *key, *shown; } arrows[] = {{"Up", "↑"}, {"Down", "↓"}, {"Left", "←"}, {"Right", "→"}};
    for (const auto &arrow : arrows)
        if (strcmp(label, arrow.key) == 0)
            snprintf(label, sizeof label, "%s", arrow.shown);
    const ImFont *font = overlay->small;
    const float size = help_small * unit, wide = font->CalcTextSizeA(size, 1e6f, 0, label).x;
    const float width = fmaxf(wide + 0.6f * unit, 1.35f * unit), height = 1.25f * unit;
    const ImVec2 end(at.x + width, at.y + height);
    if (end.x > right)
        return right;
    list->AddRectFilled(at, ImVec2(end.x, end.y + 0.1f * unit), veil(22), 0.25f * unit);
    list->AddRectFilled(at, end, veil(40), 0.25f * unit);
    list->AddText(font, size, ImVec2(roundf(at.x + (width - wide) / 2), roundf(at.y + (height - size) / 2)), ink,
                  label);
    return end.x + 0.25f * unit;
}

void help_row(const Overlay *overlay, const Viewer *viewer, const HelpLayout &layout, ImVec2 at, const Action &action) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float unit = layout.unit, left = at.x + help_keys * unit;
    float x = at.x;
    char name[64];
    const char *keys = action_keys(viewer, &action);
    if (action.texts && strcmp(keys, action.keys) == 0) { /* ten caps would not fit */
        x = key_cap(overlay, unit, ImVec2(x, at.y), left, "0", 1);
        list->AddText(ImVec2(x + 0.1f * unit, at.y), dim, "…");
        key_cap(overlay, unit, ImVec2(x + 1.2f * unit, at.y), left, "9", 1);
    } else {
        for (const char *key = keys; *key; key += strspn(key, " ")) {
            const size_t length = strcspn(key, " ");
            x = key_cap(overlay, unit, ImVec2(x, at.y), left, key, length);
            key += length;
        }
    }
    const float wrap = (layout.column - help_keys - help_gap) * unit;
    list->AddText(overlay->regular, unit, ImVec2(roundf(left), roundf(at.y - 0.06f * unit)), ink,
                  action_label(&action, name, sizeof name));
    list->AddText(overlay->small, help_small * unit, ImVec2(roundf(left), roundf(at.y + (help_name - 0.06f) * unit)),
                  dim, action.help, nullptr, wrap);
}

void help_rows(const Overlay *overlay, const Viewer *viewer, const HelpLayout &layout, ImVec2 corner) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    ImVec2 at = corner;
    for (size_t i = 0; i < action_count; i++) {
        const float row = help_row_height(overlay, layout, actions[i]) * layout.unit;
        const float head = help_begins_group(i) ? help_heading * layout.unit : 0;
        if (at.y > corner.y && at.y + row + head > corner.y + layout.height * layout.unit + 0.5f)
            at = ImVec2(at.x + layout.column * layout.unit, corner.y);
        if (head > 0)
            list->AddText(overlay->bold, layout.unit, ImVec2(at.x, roundf(at.y + 0.35f * layout.unit)), accent,
                          actions[i].group);
        at.y += head;
        help_row(overlay, viewer, layout, at, actions[i]);
        at.y += row;
    }
}

/* From the table of actions; the wheel and keys scroll it where the window is too small for it. */
void draw(Overlay *overlay, Viewer *viewer) {
    const ImVec2 pad = ImGui::GetStyle().WindowPadding;
    const float edges = em(overlay, 1.0f), bar = ImGui::GetStyle().ScrollbarSize;
    const ImVec2 room((float)viewer->width - edges - 2 * pad.x - bar, (float)viewer->height - edges - 2 * pad.y);
    const HelpLayout layout = help_layout(overlay, room.x, room.y);
    const ImVec2 size((float)layout.columns * layout.column * layout.unit, layout.height * layout.unit);
    const ImVec2 wanted(fminf(size.x, room.x) + 2 * pad.x + bar, fminf(size.y, room.y) + 2 * pad.y);
    ImGui::GetBackgroundDrawList()->AddRectFilled(ImVec2(0, 0), ImGui::GetIO().DisplaySize, rgba(0, 0, 0, 130));
    ImGui::SetNextWindowPos(
        ImVec2(roundf(((float)viewer->width - wanted.x) / 2), roundf(((float)viewer->height - wanted.y) / 2)));
    ImGui::SetNextWindowSize(wanted);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, solid_glass);
    ImGui::Begin("help", nullptr, box_flags);
    ImGui::SetWindowFocus();
    if (viewer->scroll < 0 || viewer->scroll > 0)
        ImGui::SetScrollY(
            fminf(fmaxf(ImGui::GetScrollY() + (float)viewer->scroll * room.y, 0), ImGui::GetScrollMaxY()));
    viewer->scroll = 0;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    help_rows(overlay, viewer, layout, at);
    ImGui::Dummy(ImVec2(size.x - help_gap * layout.unit, size.y - 1));
    ImGui::End();
    ImGui::PopStyleColor();
}

} // namespace

const Panel panel_help = {"help", PLACE_TOP, visible, draw};
