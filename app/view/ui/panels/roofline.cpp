/* roofline.cpp: a plot of the ceilings of memory and arithmetic, and where the levels lie (S. Williams, A.
 * Waterman and D. Patterson, Roofline: An Insightful Visual Performance Model, Comm. ACM 52(4), 2009). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/view/ui/panels/panel.hpp"

extern "C" {
#include "core/base/timing.h"
#include "core/device/backend.h"
}

namespace {

constexpr double glide_ms = 350;

/* A range of whole decades on one axis of a plot with two logarithmic ones. */
struct Decades {
    double min, max; /* exponents of ten */
    float from, to;  /* pixels */
    float at(double value) const { return from + (to - from) * (float)((log10(value) - min) / (max - min)); }
};

Decades decades(double min, double max, float from, float to) {
    return {floor(log10(min) - 0.15), ceil(log10(max) + 0.15), from, to};
}

/* Lines at powers of ten: every one, or fewer where they would crowd; with labels at every other line or so. */
void grid(const Overlay *overlay, const Decades &x, const Decades &y) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float size = roundf(overlay->small->FontSize * 0.88f), line = fmaxf(1, roundf(overlay->scale));
    for (int vertical = 0; vertical < 2; vertical++) {
        const Decades &axis = vertical ? y : x;
        const int step = floor_int((float)ceil((axis.max - axis.min) / (vertical ? 4.0 : 5.0)));
        for (int e = floor_int((float)axis.min); e <= floor_int((float)axis.max); e += step) {
            const float place = roundf(axis.at(pow(10, e)));
            char label[16];
            const char *const units[] = {"", "k", "M", "G"};
            if (e < 0)
                snprintf(label, sizeof label, "%g", pow(10, e));
            else
                snprintf(label, sizeof label, "%.0f%s", pow(10, e % 3), units[e / 3 < 3 ? e / 3 : 3]);
            const ImVec2 wide = overlay->small->CalcTextSizeA(size, 1e6f, 0, label);
            if (vertical) {
                list->AddLine(ImVec2(x.from, place), ImVec2(x.to, place), edge, line);
                list->AddText(overlay->small, size, ImVec2(x.from - wide.x - em(overlay, 0.3f), place - wide.y / 2),
                              dim, label);
            } else {
                list->AddLine(ImVec2(place, y.from), ImVec2(place, y.to), edge, line);
                list->AddText(overlay->small, size,
                              ImVec2(fminf(place - wide.x / 2, x.to - wide.x), y.from + em(overlay, 0.15f)), dim,
                              label);
            }
        }
    }
}

/* The limits of memory and arithmetic at each ratio; both measured, each drawn as far as it is the lower one. */
void roof(const Overlay *overlay, const Decades &x, const Decades &y, double bandwidth, double peak) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float line = fmaxf(1.5f, 1.6f * overlay->scale);
    const double left = pow(10, x.min), right = pow(10, x.max);
    const double ridge = peak > 0 ? fmin(fmax(peak / bandwidth, left), right) : right;
    list->AddLine(ImVec2(x.at(left), y.at(left * bandwidth)), ImVec2(x.at(ridge), y.at(ridge * bandwidth)), warm, line);
    if (peak > 0)
        list->AddLine(ImVec2(x.at(ridge), y.at(peak)), ImVec2(x.to, y.at(peak)), warm, line);
}

/* One rung at its rate; the current one has its name next to it, the others when they are pointed at. */
void roofline_dot(const Overlay *overlay, ImVec2 at, float right_edge, const char *name, const char *told,
                  bool current) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const float radius = em(overlay, current ? 0.34f : 0.24f), size = overlay->small->FontSize;
    const float wide = overlay->small->CalcTextSizeA(size, 1e6f, 0, name).x, away = radius + em(overlay, 0.25f);
    list->AddCircleFilled(at, radius + fmaxf(1, overlay->scale), glass, 24);
    list->AddCircleFilled(at, radius, current ? accent : dim, 24);
    if (fabsf(mouse.x - at.x) < 2 * radius && fabsf(mouse.y - at.y) < 2 * radius)
        say_tip("%s", told);
    const float x = at.x + away + wide > right_edge ? at.x - away - wide : at.x + away;
    if (!current)
        return;
    const ImVec2 from(roundf(x), roundf(at.y - size / 2)); /* readable across the roof */
    list->AddRectFilled(from, ImVec2(from.x + wide, from.y + size), solid_glass, em(overlay, 0.15f));
    list->AddText(overlay->small, size, from, ink, name);
}

/* Where the dot is now on its way to the current level's place: there within a third of a second. */
ImVec2 glide(Overlay *overlay, const Level *level, double ratio, double rate, const Decades &x, const Decades &y) {
    Glide *dot = &overlay->dot;
    const double to[] = {log10(ratio), log10(rate)};
    if (dot->level && dot->level != level && !overlay->still) {
        dot->began = clock_ms();
        memcpy(dot->from, dot->now, sizeof dot->from);
    }
    dot->level = level;
    const double done = overlay->still ? 1 : fmin((clock_ms() - dot->began) / glide_ms, 1), left = pow(1 - done, 3);
    for (int i = 0; i < 2; i++)
        dot->now[i] = to[i] + (left > 0 ? left * (dot->from[i] - to[i]) : 0);
    overlay->moves |= done < 1;
    return ImVec2(x.at(pow(10, dot->now[0])), y.at(pow(10, dot->now[1])));
}

/* A dot for each rung that was timed; they have the job's ratio in common. The current one lies on top. */
void roofline_dots(Overlay *overlay, const Viewer *viewer, const Figures &figures, const Decades &x, const Decades &y) {
    const Level *current = viewer_level(viewer), *level;
    for (int turn = 0; turn < 2; turn++)
        for (size_t i = 0; (level = ladder_level(viewer->session->device->backend, current->op, i)); i++) {
            const Timing timing = viewer_level_time(viewer, level);
            if (!timing.known || (level == current) != (turn == 1))
                continue;
            const double ms = level == current ? figures.ms : timing.ms, gigaflops = figures.flops / ms / 1e6;
            char took[32], rate[32], told[160];
            format_ms(ms, took, sizeof took);
            format_rate(gigaflops, rate, sizeof rate);
            snprintf(told, sizeof told, "%s: %s%s, %s GFLOP/s", level->name, timing.estimated ? "≈ " : "", took, rate);
            const double ratio = figures.flops / figures.bytes;
            const ImVec2 at =
                level == current ? glide(overlay, level, ratio, gigaflops, x, y) : ImVec2(x.at(ratio), y.at(gigaflops));
            roofline_dot(overlay, at, x.to, level->name, told, level == current);
        }
}

bool visible(const Viewer *viewer) {
    const Figures figures = viewer_figures(viewer);
    return figures.bandwidth > 0 && figures.flops > 0;
}

void draw(Overlay *overlay, Viewer *viewer) {
    const Figures figures = viewer_figures(viewer);
    char rate[32];
    format_rate(figures.bandwidth, rate, sizeof rate);
    if (!heading(overlay, "Roofline", "GFLOP/s over FLOP/byte"))
        return;
    const double peak = viewer->session->peak.rate / 1e9, ratio = figures.flops / figures.bytes;
    const double ridge = peak > 0 ? peak / figures.bandwidth : ratio;
    double lowest = figures.gigaflops, highest = fmax(figures.gigaflops, fmax(peak, ratio * figures.bandwidth));
    const Level *level;
    for (size_t i = 0; (level = ladder_level(viewer->session->device->backend, viewer_level(viewer)->op, i)); i++) {
        const Timing timing = viewer_level_time(viewer, level);
        if (timing.known && timing.ms > 0) {
            lowest = fmin(lowest, figures.flops / timing.ms / 1e6);
            highest = fmax(highest, figures.flops / timing.ms / 1e6);
        }
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size(ImGui::GetContentRegionAvail().x, em(overlay, 10.0f));
    const float left = at.x + em(overlay, 2.2f), bottom = at.y + size.y - em(overlay, 1.1f);
    const Decades x = decades(fmin(ratio, ridge) / 2, fmax(ratio, ridge) * 2, left, at.x + size.x);
    const Decades y = decades(lowest, highest, bottom, at.y + em(overlay, 0.3f));
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddRectFilled(ImVec2(x.from, y.to), ImVec2(x.to, y.from), veil(8), em(overlay, 0.2f));
    grid(overlay, x, y);
    list->PushClipRect(ImVec2(x.from, y.to), ImVec2(x.to, y.from), true);
    roof(overlay, x, y, figures.bandwidth, peak);
    roofline_dots(overlay, viewer, figures, x, y);
    list->PopClipRect();
    ImGui::Dummy(size);
    fact(overlay, warm, "copies reach", "%s GB/s", rate);
    if (peak > 0) {
        format_count(viewer->session->peak.rate, rate, sizeof rate);
        fact(overlay, warm, "multiply-adds reach", "%sFLOP/s", rate);
    }
    const bool cached = figures.gigaflops > ratio * figures.bandwidth, clever = peak > 0 && figures.gigaflops > peak;
    if (cached || clever) {
        ImGui::PushFont(overlay->small);
        marked(overlay, dim,
               clever ? "above the roof: it needs less arithmetic" : "above the roof: its bytes stay in caches");
        ImGui::PopFont();
    }
}

} // namespace

const Panel panel_roofline = {"roofline", PLACE_RIGHT, visible, draw, true, true};
