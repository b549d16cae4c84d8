/* spans.cpp: the times of stages and other work. */
#include <math.h>
#include <string.h>

#include "app/view/ui/panels/panel.hpp"

namespace {

constexpr double tall = 900; /* pixels at scale 1: lower windows begin with this folded */

/* The level of the costliest stage of this label, or "". */
const char *level_of_span(const Viewer *viewer, const char *name) {
    const char *level = "";
    double max = -1;
    for (size_t i = 0; viewer->session->pipeline && i < pipeline_stage_count(viewer->session->pipeline); i++) {
        const Stage *stage = pipeline_stage(viewer->session->pipeline, i);
        if (strcmp(stage->label, name) == 0 && stage_cost(stage).flops > max) {
            max = stage_cost(stage).flops;
            level = pipeline_level(viewer->session->pipeline, i)->name;
        }
    }
    return level;
}

void draw(Overlay *overlay, Viewer *viewer) {
    const bool high = (double)viewer->height > tall * viewer->scale;
    if (!heading(overlay, "Spans", nullptr, high))
        return;
    double longest = 1e-6;
    float names = 0, levels = 0, times = 0;
    char ms[32];
    for (size_t i = 0; i < viewer->session->span_count; i++) {
        const SpanHistory *span = &viewer->session->spans[i];
        const double median = history_median(&span->history);
        format_ms(median, ms, sizeof ms);
        longest = fmax(longest, median);
        names = fmaxf(names, ImGui::CalcTextSize(span->name).x);
        levels = fmaxf(levels, ImGui::CalcTextSize(span->stage ? level_of_span(viewer, span->name) : "").x);
        times = fmaxf(times, ImGui::CalcTextSize(ms).x);
    }
    names = column(overlay, 6.0f, names);
    levels = column(overlay, 5.2f, levels);
    times = column(overlay, 5.0f, times);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, em(overlay, 0.12f)));
    for (size_t i = 0; i < viewer->session->span_count; i++) {
        const SpanHistory *span = &viewer->session->spans[i];
        const double median = history_median(&span->history);
        format_ms(median, ms, sizeof ms);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float line = ImGui::GetTextLineHeight(), left = at.x + names + levels;
        const float room = ImGui::GetContentRegionAvail().x - names - levels - times;
        const float length = fmaxf(1, room * (float)(median / longest));
        ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(left, at.y + line * 0.3f),
                                                  ImVec2(left + length, at.y + line * 0.75f),
                                                  span->stage ? accent : veil(70), em(overlay, 0.15f));
        text(span->stage ? ink : dim, "%s", span->name);
        ImGui::SameLine(ImGui::GetStyle().WindowPadding.x + names);
        text(dim, "%s", span->stage ? level_of_span(viewer, span->name) : "");
        text_right(overlay, span->stage ? ink : dim, ms);
        tip(span->stage ? "time" : span->name, at, ImVec2(left + room + times, at.y + line));
    }
    ImGui::PopStyleVar();
    gap(overlay, 0.15f);
}

} // namespace

const Panel panel_spans = {"spans", PLACE_LEFT, nullptr, draw, true, true};
