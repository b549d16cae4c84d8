/* history.cpp: the last runs. */
#include <math.h>
#include <stdio.h>

#include "app/view/ui/panels/panel.hpp"

namespace {

bool visible(const Viewer *viewer) {
    return viewer_figures(viewer).ms > 0;
}

/* The last runs as bars, newest at the right: hollow those that warm up, a line before one with which the pace changed.
 */
void draw(Overlay *overlay, Viewer *viewer) {
    if (!section_open(overlay, "Spans"))
        return;
    const History *history = &viewer->session->measured.runs.ms;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size(ImGui::GetContentRegionAvail().x, em(overlay, 3.2f));
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y), veil(10), em(overlay, 0.3f));
    const float line = fmaxf(1, roundf(overlay->scale));
    double values[HISTORY_MAX];
    for (size_t age = 0; age < history->count; age++)
        values[age] = history_value(history, age);
    const double max =
        fmax(1.1 * quantile(values, history->count, 0.97), 1e-6); /* one hiccup does not flatten the rest */
    const float pitch = size.x / HISTORY_MAX, bar = fmaxf(1, pitch - fmaxf(1, roundf(pitch * 0.25f)));
    for (size_t age = 0; age < history->count; age++) {
        const float height = fmaxf(1, (float)fmin(history_value(history, age) / max, 1) * size.y);
        const float right = at.x + size.x - pitch * (float)age;
        const unsigned marks = runs_marks(&viewer->session->measured.runs, age);
        const ImU32 tint = age < viewer->session->totals.count ? accent : thin(accent, 90);
        const ImVec2 from(right - bar, at.y + size.y - height), to(right, at.y + size.y);
        if (marks & RUN_WARM_UP)
            list->AddRect(from, to, tint);
        else
            list->AddRectFilled(from, to, tint);
        if (marks & RUN_PACE)
            list->AddRectFilled(ImVec2(from.x - line, at.y), ImVec2(from.x, to.y), warm);
    }
    char label[48];
    format_ms(max, label, sizeof label);
    list->AddText(overlay->small, overlay->small->FontSize,
                  ImVec2(at.x + em(overlay, 0.35f), at.y + em(overlay, 0.15f)), dim, label);
    ImGui::Dummy(size);
    tip("runs", at, ImVec2(at.x + size.x, at.y + size.y));
}

} // namespace

const Panel panel_history = {"history", PLACE_LEFT, visible, draw, true, true};
