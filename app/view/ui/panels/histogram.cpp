/* histogram.cpp: how the values of the picture or the result are spread: by value, or by the picture's columns; and
 * their figures. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "app/view/ui/panels/panel.hpp"

extern "C" {
#include "app/view/actions/dispatch.h"
#include "core/image/colour_map.h"
#include "render/texture.h"
}

namespace {

constexpr float chart_ems = 6.4f;

bool visible(const Viewer *viewer) {
    return histogram_choices(viewer)->open && !viewer_has_page(viewer) && viewer->session->pipeline;
}

/* Mixtures of red, green and blue that lie one over the other: bit k for colour k. */
constexpr ImU32 mixtures[] = {0,
                              rgba(222, 82, 74),
                              rgba(76, 178, 82),
                              rgba(214, 188, 84),
                              rgba(72, 118, 226),
                              rgba(196, 96, 206),
                              rgba(84, 190, 206),
                              rgba(168, 174, 184)};

/* Heights of one column, of each row, 0 to 1. */
void heights_at(const Counted &counted, HistogramScale scale, const double *most, const double *sums, int column,
                double *heights) {
    for (int row = 0; row < counted.rows; row++)
        heights[row] = scale == SCALE_CUMULATIVE ? fmin(sums[row], 1)
                                                 : histogram_height(scale, counted.shares[row][column], most[0]);
}

/* Up to the lowest of the colours all of them, then the others. */
void draw_column(ImDrawList *list, const double *heights, float left, float right, float bottom, float size) {
    double from = 0;
    for (int level = 0; level < 3; level++) {
        double to = 2;
        unsigned there = 0;
        for (int row = 0; row < 3; row++)
            if (heights[row] > from) {
                there |= 1u << row;
                to = fmin(to, heights[row]);
            }
        if (!there)
            return;
        list->AddRectFilled(ImVec2(left, bottom - (float)to * size), ImVec2(right, bottom - (float)from * size),
                            mixtures[there]);
        from = to;
    }
}

/* The largest share of any row: where a single value towers above all, the next ones count, too. */
double highest(const Counted &counted, HistogramScale scale) {
    double most = 0, inner = 0;
    for (int row = 0; row < counted.rows; row++)
        for (int i = 0; i < COUNT_COLUMNS; i++) {
            most = fmax(most, counted.shares[row][i]);
            if (i > 0 && i + 1 < COUNT_COLUMNS)
                inner = fmax(inner, counted.shares[row][i]);
        }
    return scale == SCALE_LINEAR && inner > 0 ? fmin(most, 1.3 * inner) : most;
}

void draw_curves(const Overlay *overlay, const Counted &counted, HistogramScale scale, ImVec2 at, ImVec2 size) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const double most = highest(counted, scale);
    double sums[COUNT_ROWS] = {}, heights[COUNT_ROWS] = {};
    ImVec2 luma[COUNT_COLUMNS];
    for (int i = 0; i < COUNT_COLUMNS; i++) {
        for (int row = 0; row < counted.rows; row++)
            sums[row] += counted.shares[row][i];
        heights_at(counted, scale, &most, sums, i, heights);
        const float left = roundf(at.x + size.x * (float)i / COUNT_COLUMNS);
        const float right = roundf(at.x + size.x * (float)(i + 1) / COUNT_COLUMNS);
        if (counted.rows == 1)
            list->AddRectFilled(ImVec2(left, at.y + size.y * (1 - (float)heights[0])), ImVec2(right, at.y + size.y),
                                mixtures[7]);
        else
            draw_column(list, heights, left, right, at.y + size.y, size.y);
        luma[i] = ImVec2((left + right) / 2, at.y + size.y * (1 - (float)heights[counted.rows - 1]));
    }
    if (counted.rows > 1) {
        list->AddPolyline(luma, COUNT_COLUMNS, rgba(0, 0, 0, 130), 0, 3 * fmaxf(1, overlay->scale));
        list->AddPolyline(luma, COUNT_COLUMNS, rgba(255, 255, 255, 235), 0, 1.4f * fmaxf(1, overlay->scale));
    }
}

void draw_wave(Overlay *overlay, const Viewer *viewer, ImVec2 at, ImVec2 size) {
    const Counted &counted = viewer->session->counted;
    ImDrawList *list = ImGui::GetWindowDrawList();
    if (overlay->wave_serial != counted.wave_serial && counted.waveform &&
        texture_fill(&overlay->wave_texture, counted.waveform->view) == STATUS_OK)
        overlay->wave_serial = counted.wave_serial;
    if (!overlay->wave_texture)
        return;
    list->AddImage((ImTextureID)(intptr_t)overlay->wave_texture, at, ImVec2(at.x + size.x, at.y + size.y));
    for (int i = 1; i < 4; i++) {
        const float y = roundf(at.y + size.y * (float)i / 4);
        list->AddLine(ImVec2(at.x, y), ImVec2(at.x + size.x, y), rgba(255, 255, 255, 40));
    }
}

/* Lines at quarters of the range, and how far it goes. */
void draw_chart(Overlay *overlay, const Viewer *viewer) {
    const HistogramChoices *histogram = histogram_choices(viewer);
    const Counted &counted = viewer->session->counted;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size(ImGui::GetContentRegionAvail().x, em(overlay, chart_ems));
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y), rgba(10, 11, 14), em(overlay, 0.2f));
    for (int i = 1; i < 4 && histogram->form == FORM_HISTOGRAM; i++) {
        const float x = roundf(at.x + size.x * (float)i / 4);
        list->AddLine(ImVec2(x, at.y), ImVec2(x, at.y + size.y), rgba(255, 255, 255, 34));
    }
    if (counted.known && histogram->form == counted.of.form) {
        if (histogram->form == FORM_WAVEFORM)
            draw_wave(overlay, viewer, at, size);
        else
            draw_curves(overlay, counted, histogram->scale, at, size);
    }
    for (int end = 0; end < 2 && counted.known && counted.shape.type == PIXEL_F32; end++) {
        char words[24];
        snprintf(words, sizeof words, "%.3g", end ? counted.high : counted.low);
        const bool wave = histogram->form == FORM_WAVEFORM;
        const ImVec2 extent = overlay->small->CalcTextSizeA(overlay->small->FontSize, 1e6f, 0, words);
        const float pad = em(overlay, 0.25f);
        list->AddText(overlay->small, overlay->small->FontSize,
                      ImVec2(!wave && end ? at.x + size.x - extent.x - pad : at.x + pad,
                             wave && !end ? at.y + size.y - extent.y - pad : at.y + pad),
                      dim, words);
    }
    ImGui::Dummy(size);
}

/* ---- figures ---- */

constexpr const char *column_names[] = {"min", "max", "mean", "dev.", "median", "black", "white"};
constexpr float column_ends[] = {0.17f, 0.29f, 0.43f, 0.56f, 0.71f, 0.855f, 1.0f};
enum { FIGURES = 7, FIGURE_LENGTH = 16 };

/* In the room of a column; `whole`: of whole numbers that are not averaged. */
void format_figure(double value, PixelType type, bool whole, char *figure) {
    const double large = fabs(value);
    const bool real = type == PIXEL_F32;
    snprintf(figure, FIGURE_LENGTH,
             !real && (whole || type == PIXEL_U16) ? "%.0f"
             : !real                               ? "%.1f"
             : large < 10                          ? "%.3f"
             : large < 100                         ? "%.2f"
             : large < 1000                        ? "%.1f"
                                                   : "%.0f",
             value);
}

void figures_of(const ValueStats &stats, PixelType type, char (*figures)[FIGURE_LENGTH]) {
    format_figure(stats.minimum, type, true, figures[0]);
    format_figure(stats.maximum, type, true, figures[1]);
    format_figure(stats.mean, type, false, figures[2]);
    format_figure(stats.deviation, type, false, figures[3]);
    format_figure(stats.median, type, true, figures[4]);
    for (int i = 0; i < 2; i++) {
        const double percent = 100 * (i ? stats.lights : stats.shadows);
        snprintf(figures[5 + i], FIGURE_LENGTH,
                 percent > 0 && percent < 0.01 ? "<0.01%%"
                 : percent < 10                ? "%.2f%%"
                                               : "%.1f%%",
                 percent);
    }
}

void put(ImFont *font, ImU32 tint, float right, float y, const char *words) {
    const float width = font->CalcTextSizeA(font->FontSize, 1e6f, 0, words).x;
    ImGui::GetWindowDrawList()->AddText(font, font->FontSize, ImVec2(roundf(right - width), roundf(y)), tint, words);
}

void draw_figures(const Overlay *overlay, const Counted &counted) {
    static const char *const names[] = {"R", "G", "B", "Y"};
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, line = em(overlay, 1.2f);
    for (int i = 0; i < FIGURES; i++)
        put(overlay->small, dim, at.x + column_ends[i] * width, at.y, column_names[i]);
    for (int row = 0; row < counted.rows; row++) {
        char figures[FIGURES][FIGURE_LENGTH];
        const float y = at.y + line * (float)(row + 1);
        const int name = counted.rows == 1 ? 3 : row;
        figures_of(counted.stats[row], counted.shape.type, figures);
        ImGui::GetWindowDrawList()->AddText(overlay->small, overlay->small->FontSize, ImVec2(at.x, roundf(y)),
                                            channel_inks[name], names[name]);
        for (int i = 0; i < FIGURES; i++) {
            const double share = i == 5 ? counted.stats[row].shadows : i == 6 ? counted.stats[row].lights : 0;
            put(overlay->small, share > 0.001 ? warm : i < 5 ? ink : dim, at.x + column_ends[i] * width, y, figures[i]);
        }
    }
    ImGui::Dummy(ImVec2(width, line * (float)(counted.rows + 1)));
}

/* ---- the panel ---- */

void draw_chips(const Overlay *overlay, Viewer *viewer) {
    static const char *const scales[SCALES] = {"lin", "log", "Σ"};
    HistogramChoices choices = *histogram_choices(viewer);
    const float space = em(overlay, 0.25f), apart = em(overlay, 0.7f);
    for (int before = 1; before >= 0; before--) {
        if (chip(overlay, before ? viewer_scene(viewer) ? "original" : "picture" : "result",
                 choices.before == (before == 1)))
            choices.before = before == 1;
        ImGui::SameLine(0, before ? space : apart);
    }
    if (chip(overlay, "values", choices.form == FORM_HISTOGRAM))
        choices.form = FORM_HISTOGRAM;
    ImGui::SameLine(0, space);
    if (chip(overlay, "columns", choices.form == FORM_WAVEFORM))
        choices.form = FORM_WAVEFORM;
    for (int i = 0; i < SCALES && choices.form == FORM_HISTOGRAM; i++) {
        ImGui::SameLine(0, i ? space : apart);
        if (chip(overlay, scales[i], (int)choices.scale == i))
            choices.scale = (HistogramScale)i;
    }
    histogram_choose(viewer, choices);
}

/* The scale of false colours, from black to white. */
void draw_legend(const Overlay *overlay) {
    enum { STEPS = 64 };
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, high = em(overlay, 0.4f);
    for (int i = 0; i < STEPS; i++) {
        double rgb[3];
        false_colour((i + 0.5) / STEPS, rgb);
        ImGui::GetWindowDrawList()->AddRectFilled(
            ImVec2(roundf(at.x + width * (float)i / STEPS), at.y),
            ImVec2(roundf(at.x + width * (float)(i + 1) / STEPS), at.y + high),
            rgba((unsigned)lround(255 * rgb[0]), (unsigned)lround(255 * rgb[1]), (unsigned)lround(255 * rgb[2])));
    }
    ImGui::Dummy(ImVec2(width, high));
}

void draw(Overlay *overlay, Viewer *viewer) {
    const HistogramChoices *histogram = histogram_choices(viewer);
    const Counted &counted = viewer->session->counted;
    char what[80] = "";
    if (viewer_picture(viewer))
        snprintf(what, sizeof what, "drag with Ctrl for a part");
    if (histogram_marked(viewer))
        snprintf(what, sizeof what, "%zu × %zu from %zu, %zu", histogram->part.width, histogram->part.height,
                 histogram->part.x, histogram->part.y);
    if (!heading(overlay, histogram->form == FORM_WAVEFORM ? "Waveform" : "Histogram", what))
        return;
    draw_chips(overlay, viewer);
    draw_chart(overlay, viewer);
    if (viewer->grade.false_colour && histogram->form == FORM_HISTOGRAM)
        draw_legend(overlay);
    if (counted.known && counted.trouble[0])
        wrapped(warm, counted.trouble);
    else if (counted.known)
        draw_figures(overlay, counted);
    if (chip(overlay, "stripes where black or white", viewer->grade.zebra))
        action_ask(viewer, action_by_name("zebra"), nullptr);
}

} // namespace

const Panel panel_histogram = {"histogram", PLACE_LOOK, visible, draw, false, false, true};
