/* welcome.cpp: the first steps, where nothing was opened. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/view/ui/panels/panel.hpp"

extern "C" {
#include "app/view/actions/dispatch.h"
#include "app/view/session/keep.h"
}

namespace {

constexpr struct {
    const char *words, *help, *action;
} rows[] = {
    {"Open a picture", "or a folder, or a scene: by its path, with the folder's list", "open"},
    {"Try the photograph", "fruit on a table, which comes with glint", "photograph"},
    {"Trace a scene", "a generator, as the one behind this page, or a file", "scene"},
    {"Take the tour", "filters, the ladder of levels, the GPU, a scene", "tour"},
    {"Find anything", "every action, filter and level, by words", "palette"},
    {"All keys", "on one page", "help"},
};
constexpr float width_ems = 30.0f, row_ems = 2.9f, low_row_ems = 1.8f, pad_ems = 0.7f;
constexpr float least_ems = 24.0f; /* with less next to the column, they have the window, and that waits (layout.cpp) */
constexpr float around_ems = 9.0f; /* heights of what stands above and below the rows */

bool visible(const Viewer *viewer) {
    return viewer->ui->welcome && !viewer->typing && !viewer_has_page(viewer);
}

/* A button for an action; `text` is its argument, or nullptr. Low ones have no help. */
void row(const Overlay *overlay, Viewer *viewer, bool low, const char *words, const char *help, const Action &action,
         const char *text) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = em(overlay, low ? low_row_ems : row_ems),
                pad = em(overlay, pad_ems);
    ImDrawList *list = ImGui::GetWindowDrawList();
    if (ImGui::InvisibleButton(text ? text : words, ImVec2(width, height)))
        action_ask(viewer, &action, text);
    const bool hovered = ImGui::IsItemHovered();
    list->AddRectFilled(at, ImVec2(at.x + width, at.y + height), hovered ? accent_deep : veil(20), em(overlay, 0.4f));
    list->AddText(overlay->bold, overlay->bold->FontSize, ImVec2(at.x + pad, at.y + em(overlay, 0.4f)), ink, words);
    if (!low)
        list->AddText(overlay->small, overlay->small->FontSize, ImVec2(at.x + pad, at.y + em(overlay, 1.55f)),
                      hovered ? ink : dim, help);
    char key[ACTION_KEYS];
    action_keys_here(viewer, &action, key);
    key[text ? 0 : strcspn(key, " ")] = '\0'; /* which asks for the argument */
    const float wide = overlay->regular->CalcTextSizeA(overlay->regular->FontSize, 1e6f, 0, key).x;
    list->AddText(overlay->regular, overlay->regular->FontSize,
                  ImVec2(at.x + width - pad - wide, roundf(at.y + (height - overlay->regular->FontSize) / 2)),
                  hovered ? ink : accent, key);
}

/* The file that was open last, and the others before it. */
void recent_rows(const Overlay *overlay, Viewer *viewer, bool low) {
    const char *last = keep_recent(viewer, 0);
    char words[120];
    if (!last)
        return;
    const char *slash = strrchr(last, '/');
    snprintf(words, sizeof words, "Go on with %.100s", slash ? slash + 1 : last);
    row(overlay, viewer, low, words, "the file that was open last, with its edits and its folder",
        *action_by_name("open-recent"), last);
    if (keep_recent(viewer, 1))
        row(overlay, viewer, low, "Open a recent file", "one of those that were open before it",
            *action_by_name("open-recent"), nullptr);
}

/* Whether rows with their help would be higher than this. */
bool wants_low(const Overlay *overlay, const Viewer *viewer, float height) {
    const size_t recent = keep_recent(viewer, 1) ? 2 : keep_recent(viewer, 0) ? 1 : 0;
    const float row_height = em(overlay, row_ems) + ImGui::GetStyle().ItemSpacing.y;
    return (float)(sizeof rows / sizeof rows[0] + recent) * row_height + em(overlay, around_ems) > height;
}

void draw(Overlay *overlay, Viewer *viewer) {
    const double edge = (double)em(overlay, 1.0f);
    const double top = viewer->area.y;
    const Area window = {0, top, (double)viewer->width, (double)viewer->height - top};
    const bool fits = viewer->area.width - 2 * edge >= (double)em(overlay, least_ems);
    const Area area = fits ? viewer->area : window;
    const float width = fminf(em(overlay, width_ems), (float)(area.width - 2 * edge));
    const bool low = wants_low(overlay, viewer, (float)area.height - em(overlay, 1.0f));
    ImGui::SetNextWindowPos(ImVec2((float)(area.x + area.width / 2), (float)(area.y + area.height / 2)), 0,
                            ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0), ImVec2(width, (float)area.height - em(overlay, 1.0f)));
    ImGui::PushStyleColor(ImGuiCol_WindowBg, solid_glass);
    ImGui::Begin("welcome", nullptr, box_flags | ImGuiWindowFlags_AlwaysAutoResize);
    ImGui::PushFont(overlay->figure);
    text(ink, "glint");
    ImGui::PopFont();
    wrapped(dim, "Filters and ray tracing, live, at every level of optimization: see what each step buys.");
    gap(overlay, 0.2f);
    recent_rows(overlay, viewer, low);
    for (const auto &one : rows)
        row(overlay, viewer, low, one.words, one.help, *action_by_name(one.action), nullptr);
    gap(overlay, 0.1f);
    text(dim, "Esc leaves this page; Help, Welcome brings it back");
    note_box(overlay, COLUMN_TOUR);
    ImGui::End();
    ImGui::PopStyleColor();
}

} // namespace

const Panel panel_welcome = {"welcome", PLACE_PICTURE, visible, draw};
