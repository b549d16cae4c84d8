/* latency.cpp: the delays that a person feels: from input to swap, and between frames. */
#include <math.h>
#include <stdio.h>

#include "app/view/ui/panels/panel.hpp"

namespace {

constexpr double tall = 1100; /* pixels at scale 1: lower windows begin with this folded */

bool visible(const Viewer *viewer) {
    return viewer->session->pipeline;
}

/* How often each time came, on a logarithmic axis; lines at the median and where one in a hundred is beyond. */
void draw_bins(const Overlay *overlay, const Spread &spread, const SpreadFigures &figures, ImVec2 at, ImVec2 size) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float line = fmaxf(1, roundf(overlay->scale)), pitch = size.x / SPREAD_BINS;
    unsigned counts[SPREAD_BINS], most = 1;
    spread_histogram(&spread, counts);
    for (const unsigned count : counts)
        most = count > most ? count : most;
    list->AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y), veil(10), em(overlay, 0.2f));
    for (int i = 0; i < SPREAD_BINS; i++) {
        const float high = counts[i] > 0 ? fmaxf(2 * line, size.y * 0.92f * (float)counts[i] / (float)most) : 0;
        list->AddRectFilled(ImVec2(roundf(at.x + pitch * (float)i), at.y + size.y - high),
                            ImVec2(roundf(at.x + pitch * (float)(i + 1)) - line, at.y + size.y), thin(accent, 170));
    }
    const double marks[] = {figures.median, figures.p99};
    for (const double ms : marks) {
        const float x = roundf(at.x + pitch * (float)spread_place(ms));
        list->AddRectFilled(ImVec2(x, at.y), ImVec2(x + line, at.y + size.y), ms > figures.median ? warm : ink);
    }
}

/* "1", "10", "100 ms" below the bins of both. */
void draw_axis(const Overlay *overlay, float left, float width) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float size = roundf(overlay->small->FontSize * 0.88f);
    for (double ms = 1; ms <= 100; ms *= 10) {
        char label[16];
        snprintf(label, sizeof label, ms < 100 ? "%g" : "%g ms", ms);
        const float wide = overlay->small->CalcTextSizeA(size, 1e6f, 0, label).x;
        const float x = left + width * (float)(spread_place(ms) / SPREAD_BINS);
        ImGui::GetWindowDrawList()->AddText(overlay->small, size, ImVec2(roundf(x - wide / 2), at.y), dim, label);
    }
    ImGui::Dummy(ImVec2(1, size + em(overlay, 0.2f)));
}

constexpr float ends[] = {0.57f, 0.71f, 0.85f, 1.0f}; /* of the columns of figures, by the width */

void put(ImFont *font, ImU32 tint, float right, float y, const char *words) {
    const float width = font->CalcTextSizeA(font->FontSize, 1e6f, 0, words).x;
    ImGui::GetWindowDrawList()->AddText(font, font->FontSize, ImVec2(roundf(right - width), roundf(y)), tint, words);
}

void draw_head(const Overlay *overlay) {
    static const char *const names[] = {"median", "95 %", "99 %", "worst"};
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    for (int i = 0; i < 4; i++)
        put(overlay->small, dim, at.x + ends[i] * width, at.y, names[i]);
    ImGui::Dummy(ImVec2(1, overlay->small->FontSize));
}

void draw_row(const Overlay *overlay, const char *name, const Spread &spread) {
    const SpreadFigures figures = spread_figures(&spread);
    const double values[] = {figures.median, figures.p95, figures.p99, figures.worst};
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    text(dim, "%s", name);
    for (int i = 0; i < 4; i++) {
        char words[24] = "–";
        if (spread.count > 0)
            snprintf(words, sizeof words, values[i] < 10 ? "%.2f" : values[i] < 100 ? "%.1f" : "%.0f", values[i]);
        put(i == 0 ? overlay->bold : overlay->regular, i == 0 ? ink : dim, at.x + ends[i] * width, at.y, words);
    }
    tip(name, at, ImVec2(at.x + width, at.y + ImGui::GetTextLineHeight()));
    const ImVec2 bins = ImGui::GetCursorScreenPos(), size(width, em(overlay, 1.5f));
    draw_bins(overlay, spread, figures, bins, size);
    ImGui::Dummy(size);
    gap(overlay, 0.25f);
}

/* The share of these panels in the time of a draw. */
void draw_cost(Overlay *overlay, const Viewer *viewer) {
    const SpanHistory *panels = viewer_span(viewer, "overlay"), *picture = viewer_span(viewer, "draw");
    if (!panels || !picture)
        return;
    char ms[32];
    const double cost = history_median(&panels->history), all = cost + history_median(&picture->history);
    format_ms(cost, ms, sizeof ms);
    fact(overlay, ink, "these panels", "%s, %.0f %% of a draw", ms, 100 * cost / fmax(all, 1e-6));
}

void draw(Overlay *overlay, Viewer *viewer) {
    const Pacing *pacing = viewer->pacing;
    char right[48];
    snprintf(right, sizeof right, "%zu input%s, ms", pacing->input.all, pacing->input.all == 1 ? "" : "s");
    if (!heading(overlay, "Latency", right, (double)viewer->height > tall * viewer->scale))
        return;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, em(overlay, 0.12f)));
    draw_head(overlay);
    draw_row(overlay, "input to swap", pacing->input);
    draw_row(overlay, "glint's part", pacing->own);
    draw_row(overlay, "swap to swap", pacing->between);
    draw_axis(overlay, at.x, width);
    draw_cost(overlay, viewer);
    ImGui::PopStyleVar();
}

} // namespace

const Panel panel_latency = {"latency", PLACE_LEFT, visible, draw, true};
