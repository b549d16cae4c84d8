/* welcome.cpp: the first steps, where nothing was opened. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/view/ui/panels/panel.hpp"

extern "C" {
#include "app/view/actions/dispatch.h"
}

namespace {

constexpr struct {
    const char *words, *help, *action;
} rows[] = {
    {"Open a picture", "or a folder, or a scene: by its path, with the folder's list", "open"},
    {"Try the photograph", "fruit on a table, which comes with glint", "photograph"},
    {"Trace a scene", "a generator, as the one behind this page, or a file", "scene"},
    {"Take the tour", "ten steps: filters, the ladder of levels, the roofline, rays", "tour"},
    {"Find anything", "every action, filter and level, by words", "palette"},
    {"All keys", "on one page", "help"},
};
constexpr float width_ems = 30.0f, least_ems = 24.0f; /* with less next to the column, it lies over that */
constexpr float row_ems = 2.9f, pad_ems = 0.7f;

bool visible(const Viewer *viewer) {
    return viewer->ui->welcome && !viewer_picture(viewer) && !viewer->typing && !viewer_has_page(viewer);
}

void row(const Overlay *overlay, Viewer *viewer, const char *words, const char *help, const Action &action) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = em(overlay, row_ems), pad = em(overlay, pad_ems);
    ImDrawList *list = ImGui::GetWindowDrawList();
    if (ImGui::InvisibleButton(words, ImVec2(width, height)))
        action_ask(viewer, &action, nullptr);
    const bool hovered = ImGui::IsItemHovered();
    list->AddRectFilled(at, ImVec2(at.x + width, at.y + height), hovered ? accent_deep : veil(20), em(overlay, 0.4f));
    list->AddText(overlay->bold, overlay->bold->FontSize, ImVec2(at.x + pad, at.y + em(overlay, 0.4f)), ink, words);
    list->AddText(overlay->small, overlay->small->FontSize, ImVec2(at.x + pad, at.y + em(overlay, 1.55f)),
                  hovered ? ink : dim, help);
    char key[ACTION_KEYS];
    action_keys_here(viewer, &action, key);
    key[strcspn(key, " ")] = '\0';
    const float wide = overlay->regular->CalcTextSizeA(overlay->regular->FontSize, 1e6f, 0, key).x;
    list->AddText(overlay->regular, overlay->regular->FontSize,
                  ImVec2(at.x + width - pad - wide, roundf(at.y + (height - overlay->regular->FontSize) / 2)),
                  hovered ? ink : accent, key);
}

void draw(Overlay *overlay, Viewer *viewer) {
    const double edge = (double)em(overlay, 1.0f);
    const bool fits = viewer->area.width - 2 * edge >= (double)em(overlay, least_ems);
    const double top = viewer->area.y;
    const Area window = {0, top, (double)viewer->width, (double)viewer->height - top},
               area = fits ? viewer->area : window;
    const float width = fminf(em(overlay, width_ems), (float)(area.width - 2 * edge));
    ImGui::SetNextWindowPos(ImVec2((float)(area.x + area.width / 2), (float)(area.y + area.height / 2)), 0,
                            ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0), ImVec2(width, (float)area.height - em(overlay, 1.0f)));
    ImGui::PushStyleColor(ImGuiCol_WindowBg, solid_glass);
    ImGui::Begin("welcome", nullptr, box_flags | ImGuiWindowFlags_AlwaysAutoResize);
    ImGui::PushFont(overlay->figure);
    text(ink, "glint");
    ImGui::PopFont();
    wrapped(dim, "Filters and ray tracing, live, on every level of optimization: see the gain of each one.");
    gap(overlay, 0.2f);
    for (const auto &one : rows)
        row(overlay, viewer, one.words, one.help, *action_by_name(one.action));
    gap(overlay, 0.1f);
    text(dim, "Esc leaves this page; Help, Welcome brings it back");
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    overlay->columns[COLUMN_TOUR] = {(double)at.x, (double)at.y, (double)size.x, (double)size.y};
    ImGui::End();
    ImGui::PopStyleColor();
}

} // namespace

const Panel panel_welcome = {"welcome", PLACE_PICTURE, visible, draw};
