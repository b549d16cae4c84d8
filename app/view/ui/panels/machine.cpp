/* machine.cpp: the page of this device's costs: a small plot for each experiment, with a finding and an advice. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/view/ui/panels/panel.hpp"

extern "C" {
#include "app/view/actions/dispatch.h"
}

namespace {

constexpr float cell_min = 17.0f, cell_max = 42.0f, cell_gap = 1.5f; /* ems: of a cell's width, and between two */
constexpr float plot_min = 5.2f, plot_max = 18.0f;                   /* ems: of a plot's height */
constexpr float head_ems = 1.5f, legend_ems = 1.15f, ticks_ems = 1.1f, below_ems = 1.2f, between_ems = 0.25f;
constexpr float title_ems = 2.6f;
enum { CELLS_ACROSS = 5, TEXT_MAX = 512, DEVICE_WORDS = 256 };

bool visible(const Viewer *viewer) {
    return machine_page_open(viewer);
}

constexpr Tint tints[EXPERIMENT_SERIES] = {accent, warm, {SHADE_GREEN}, {SHADE_RED}};

/* ---- an axis on the window ---- */

struct Scale {
    double min, max;
    bool linear;
    float from, to; /* pixels */
    float at(double value) const {
        const double share = linear ? (value - min) / (max - min) : log(fmax(value, 1e-12) / min) / log(max / min);
        return from + (to - from) * (float)share;
    }
};

/* A scale with room for the figures so far; figures that hardly change stay flat. */
Scale scale_of_figures(const Curve &curve, float from, float to) {
    double min = INFINITY, max = 0;
    const bool linear = curve.experiment->y.linear;
    for (size_t s = 0; s < experiment_series(curve.experiment); s++)
        for (size_t i = 0; i < experiment_points(curve.experiment); i++)
            if (curve_has(&curve, s, i)) {
                min = fmin(min, curve.y[s][i]);
                max = fmax(max, curve.y[s][i]);
            }
    if (!(max > 0))
        min = max = 1;
    const double widen = linear ? 1 : sqrt(fmax(1, 4 * min / max));
    return {linear ? 0 : min / widen / 1.2, max * (linear ? 1.12 : widen * 1.25), linear, from, to};
}

/* ---- drawing ---- */

/* Series are told apart by shape as well as by colour. */
void marker(ImVec2 at, float radius, size_t series) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float r = radius;
    const ImU32 tint = tints[series];
    if (series == 0)
        list->AddCircleFilled(at, r, tint, 12);
    else if (series == 1)
        list->AddRectFilled(ImVec2(at.x - 0.85f * r, at.y - 0.85f * r), ImVec2(at.x + 0.85f * r, at.y + 0.85f * r),
                            tint);
    else if (series == 2)
        list->AddTriangleFilled(ImVec2(at.x, at.y - 1.2f * r), ImVec2(at.x - 1.1f * r, at.y + 0.8f * r),
                                ImVec2(at.x + 1.1f * r, at.y + 0.8f * r), tint);
    else
        list->AddQuadFilled(ImVec2(at.x, at.y - 1.3f * r), ImVec2(at.x + 1.3f * r, at.y), ImVec2(at.x, at.y + 1.3f * r),
                            ImVec2(at.x - 1.3f * r, at.y), tint);
}

void small_text(const Overlay *overlay, ImVec2 at, ImU32 tint, const char *words) {
    ImGui::GetWindowDrawList()->AddText(overlay->small, overlay->small->FontSize, ImVec2(roundf(at.x), roundf(at.y)),
                                        tint, words);
}

float small_width(const Overlay *overlay, const char *words) {
    return overlay->small->CalcTextSizeA(overlay->small->FontSize, 1e6f, 0, words).x;
}

/* Figures of x below the plot: both ends and the middle. */
void draw_ticks(const Overlay *overlay, const Experiment &experiment, const Scale &x, float top) {
    const size_t last = experiment_points(&experiment) - 1, ticks[] = {0, last / 2, last};
    char label[48];
    for (size_t i = 0; i < 3; i++) {
        axis_format(experiment.x, experiment.points[ticks[i]], label, sizeof label);
        const float wide = small_width(overlay, label), place = x.at(experiment.points[ticks[i]]);
        small_text(overlay, ImVec2(i == 0 ? x.from : i == 1 ? place - wide / 2 : x.to - wide, top), dim, label);
    }
}

/* Lines at round figures of y, and the figures; how wide the widest of them is. */
float draw_grid(const Overlay *overlay, const Axis &axis, const Scale &y, float left, float right) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float line = fmaxf(1, roundf(overlay->scale)), high = overlay->small->FontSize;
    char label[48];
    const double steps[] = {1, 2, 5};
    float before = y.from + high, widest = 0;
    for (double decade = pow(10, floor(log10(y.linear ? y.max / 20 : y.min))); decade <= y.max; decade *= 10)
        for (const double step : steps) {
            const double value = decade * step;
            const float place = roundf(y.at(value));
            if (value < y.min || value > y.max || before - place < 1.35f * high || place - high < y.to)
                continue;
            before = place;
            list->AddLine(ImVec2(left, place), ImVec2(right, place), edge, line);
            axis_format(axis, value, label, sizeof label);
            small_text(overlay, ImVec2(left + em(overlay, 0.3f), place - high), dim, label);
            widest = fmaxf(widest, small_width(overlay, label));
        }
    return widest;
}

void draw_lines(const Overlay *overlay, const Curve &curve, const Scale &x, const Scale &y) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float thick = fmaxf(1.5f, 1.5f * overlay->scale), radius = em(overlay, 0.2f);
    const double *points = curve.experiment->points;
    for (size_t s = 0; s < experiment_series(curve.experiment); s++) {
        ImVec2 before;
        bool has_before = false;
        for (size_t i = 0; i < experiment_points(curve.experiment); i++) {
            if (!curve_has(&curve, s, i))
                continue;
            const ImVec2 at(x.at(points[i]), y.at(curve.y[s][i]));
            if (has_before)
                list->AddLine(before, at, tints[s], thick);
            marker(at, radius, s);
            before = at;
            has_before = true;
        }
    }
}

/* Tells the figures of the point next to the pointer. */
void tell_nearest(const Overlay *overlay, const Curve &curve, const Scale &x, const Scale &y) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const Experiment *experiment = curve.experiment;
    if (mouse.x < x.from || mouse.x > x.to || mouse.y < y.to || mouse.y > y.from)
        return;
    size_t nearest = 0;
    char text[48];
    for (size_t i = 1; i < experiment_points(experiment); i++)
        if (fabsf(x.at(experiment->points[i]) - mouse.x) < fabsf(x.at(experiment->points[nearest]) - mouse.x))
            nearest = i;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(em(overlay, 24));
    ImGui::TextUnformatted(experiment->idea);
    ImGui::Text("%s: %s", experiment->x.what,
                axis_format(experiment->x, experiment->points[nearest], text, sizeof text));
    for (size_t s = 0; s < experiment_series(experiment); s++)
        ImGui::Text(
            "%s: %s", experiment->series[s],
            axis_format(experiment->y, curve_has(&curve, s, nearest) ? curve.y[s][nearest] : NAN, text, sizeof text));
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

void draw_plot(const Overlay *overlay, const Curve &curve, ImVec2 at, ImVec2 size) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const Experiment &experiment = *curve.experiment;
    const float pad = em(overlay, 0.35f);
    const double *points = experiment.points;
    const Scale y = scale_of_figures(curve, at.y + size.y, at.y);
    list->AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y), veil(8), em(overlay, 0.2f));
    float figures = 0;
    if (curve.measured > 0)
        figures = draw_grid(overlay, experiment.y, y, at.x, at.x + size.x);
    else
        small_text(overlay, ImVec2(at.x + pad, at.y + pad), dim, "…");
    const float indent = fmaxf(em(overlay, 3.6f), figures + em(overlay, 0.8f)); /* they stand left of the curves */
    const Scale x = {points[0], points[experiment_points(&experiment) - 1], experiment.x.linear, at.x + indent,
                     at.x + size.x - pad};
    list->PushClipRect(at, ImVec2(at.x + size.x, at.y + size.y), true);
    draw_lines(overlay, curve, x, y);
    list->PopClipRect();
    draw_ticks(overlay, experiment, x, at.y + size.y + em(overlay, 0.1f));
    tell_nearest(overlay, curve, x, y);
}

/* The meaning of the marks: "time of a load by working set". */
void draw_legend(const Overlay *overlay, const Curve &curve, ImVec2 at) {
    const Experiment &experiment = *curve.experiment;
    float x = at.x;
    for (size_t s = 0; s < experiment_series(&experiment) && experiment_series(&experiment) > 1; s++) {
        const float side = em(overlay, 0.5f);
        marker(ImVec2(x + side / 2, at.y + overlay->small->FontSize / 2), em(overlay, 0.2f), s);
        small_text(overlay, ImVec2(x + side + em(overlay, 0.2f), at.y), dim, experiment.series[s]);
        x += side + em(overlay, 0.9f) + small_width(overlay, experiment.series[s]);
    }
    if (experiment_series(&experiment) == 1)
        small_text(overlay, at, dim, experiment.series[0]);
}

/* ---- cells ---- */

struct Layout {
    int across;
    float width, plot;            /* pixels */
    float height;                 /* of all rows, with the lowest plots */
    float texts[EXPERIMENTS_MAX]; /* of each row, below its plots */
};

float text_height(const Overlay *overlay, const char *words, float width) {
    return overlay->small->CalcTextSizeA(overlay->small->FontSize, 1e6f, width, words).y;
}

/* The height of a cell's sentences; a finding that is still to be measured keeps its place. */
float sentences_height(const Overlay *overlay, const Curve &curve, float width) {
    char found[TEXT_MAX];
    curve_tell(&curve, found, sizeof found);
    return fmaxf(text_height(overlay, found, width), 2 * overlay->small->FontSize) + em(overlay, between_ems) +
           text_height(overlay, curve.experiment->advice, width);
}

float fixed_height(const Overlay *overlay) {
    return em(overlay, head_ems + legend_ems + ticks_ems + between_ems + below_ems);
}

Layout layout_for(const Overlay *overlay, const Curves &curves, int across, ImVec2 room) {
    Layout layout = {across, 0, em(overlay, plot_min), 0, {}};
    const float gaps = em(overlay, cell_gap) * (float)(across - 1);
    layout.width = fminf((room.x - gaps) / (float)across, em(overlay, cell_max));
    const size_t rows = (curves.count + (size_t)across - 1) / (size_t)across;
    for (size_t i = 0; i < curves.count; i++) {
        float *texts = &layout.texts[i / (size_t)across];
        *texts = fmaxf(*texts, sentences_height(overlay, curves.curves[i], layout.width));
    }
    for (size_t i = 0; i < rows; i++)
        layout.height += fixed_height(overlay) + layout.texts[i] + layout.plot;
    const float spare = (room.y - layout.height) / (float)(rows > 0 ? rows : 1);
    if (spare > 0)
        layout.plot = fminf(layout.plot + spare, em(overlay, plot_max));
    return layout;
}

/* As few columns as let all of it be seen; where none do, as many as are readable. */
Layout choose_layout(const Overlay *overlay, const Curves &curves, ImVec2 room) {
    Layout layout = layout_for(overlay, curves, 1, room);
    for (int across = 2; across <= CELLS_ACROSS && layout.height > room.y; across++) {
        const Layout next = layout_for(overlay, curves, across, room);
        if (next.width < em(overlay, cell_min))
            break;
        layout = next;
    }
    return layout;
}

void draw_cell(const Overlay *overlay, const Curve &curve, const Layout &layout, ImVec2 at) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const ImFont *font = overlay->small;
    const Experiment &experiment = *curve.experiment;
    char axes[128], found[TEXT_MAX];
    list->AddText(overlay->bold, overlay->bold->FontSize, at, ink, experiment.title);
    snprintf(axes, sizeof axes, "%s", experiment.y.what);
    const float title = overlay->bold->CalcTextSizeA(overlay->bold->FontSize, 1e6f, 0, experiment.title).x;
    if (title + small_width(overlay, axes) + em(overlay, 1) < layout.width)
        small_text(overlay, ImVec2(at.x + layout.width - small_width(overlay, axes), at.y + em(overlay, 0.12f)), dim,
                   axes);
    at.y += em(overlay, head_ems);
    draw_legend(overlay, curve, at);
    at.y += em(overlay, legend_ems);
    draw_plot(overlay, curve, at, ImVec2(layout.width, layout.plot));
    at.y += layout.plot + em(overlay, ticks_ems + between_ems);
    curve_tell(&curve, found, sizeof found);
    list->AddText(font, font->FontSize, ImVec2(roundf(at.x), roundf(at.y)), ink, found, nullptr, layout.width);
    at.y += fmaxf(text_height(overlay, found, layout.width), 2 * font->FontSize) + em(overlay, between_ems);
    list->AddText(font, font->FontSize, ImVec2(roundf(at.x), roundf(at.y)), dim, experiment.advice, nullptr,
                  layout.width);
}

void draw_cells(const Overlay *overlay, const Curves &curves, const Layout &layout) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    ImVec2 at = corner;
    for (size_t i = 0; i < curves.count; i++) {
        const size_t row = i / (size_t)layout.across, column = i % (size_t)layout.across;
        at.x = corner.x + (float)column * (layout.width + em(overlay, cell_gap));
        draw_cell(overlay, curves.curves[i], layout, at);
        if (column + 1 == (size_t)layout.across || i + 1 == curves.count)
            at.y += fixed_height(overlay) + layout.texts[row] + layout.plot;
    }
    ImGui::Dummy(ImVec2(1, at.y - corner.y));
}

/* The curves so far; points that are still to be measured have no figures. */
Curves curves_of(const Viewer *viewer) {
    const Curves *known = machine_page_curves(viewer);
    Curves curves;
    if (known)
        return *known;
    curves_begin(&curves, viewer->session->device, nullptr);
    return curves;
}

void draw_title(Overlay *overlay, const Viewer *viewer, const Curves &curves) {
    size_t done = 0;
    char words[64], device[DEVICE_WORDS];
    for (size_t i = 0; i < curves.count; i++)
        done += curve_complete(&curves.curves[i]);
    ImGui::PushFont(overlay->title);
    text(ink, "The costs of this device");
    ImGui::PopFont();
    if (curves.count == 0)
        snprintf(words, sizeof words, "%s has no experiments", viewer->session->device->backend->name);
    else if (done < curves.count)
        snprintf(words, sizeof words, "measuring, %zu of %zu", done, curves.count);
    else
        snprintf(words, sizeof words, "measured now · Esc closes");
    const float from = ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(words).x, apart = em(overlay, 1);
    ImGui::SameLine(0, apart);
    if (ImGui::GetCursorPosX() > from) { /* the title takes the line */
        ImGui::NewLine();
        text(done < curves.count ? accent : dim, "%s", words);
        return;
    }
    snprintf(device, sizeof device, "%s", viewer->session->device->name);
    const float room = from - apart - ImGui::GetCursorPosX();
    shorten(overlay->regular, room, device, sizeof device);
    text(dim, "%s", room > apart ? device : "");
    ImGui::SameLine(from);
    text(done < curves.count ? accent : dim, "%s", words);
}

void draw(Overlay *overlay, Viewer *viewer) {
    const Curves curves = curves_of(viewer);
    const ImVec2 pad = ImGui::GetStyle().WindowPadding;
    const float margin = em(overlay, 0.5f), bar = ImGui::GetStyle().ScrollbarSize;
    const ImVec2 size((float)viewer->width - 2 * margin, (float)viewer->height - overlay->top - 2 * margin);
    const ImVec2 room(size.x - 2 * pad.x - bar, size.y - 2 * pad.y - em(overlay, title_ems));
    const Layout layout = choose_layout(overlay, curves, room);
    ImGui::SetNextWindowPos(ImVec2(margin, overlay->top + margin));
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, solid_glass);
    ImGui::Begin("machine", nullptr, box_flags);
    ImGui::SetWindowFocus();
    draw_title(overlay, viewer, curves);
    ImGui::SetCursorPosY(em(overlay, title_ems) + pad.y);
    if (viewer->scroll < 0 || viewer->scroll > 0)
        ImGui::SetScrollY(
            fminf(fmaxf(ImGui::GetScrollY() + (float)viewer->scroll * room.y, 0), ImGui::GetScrollMaxY()));
    viewer->scroll = viewer->help ? viewer->scroll : 0;
    draw_cells(overlay, curves, layout);
    ImGui::End();
    ImGui::PopStyleColor();
}

} // namespace

const Panel panel_machine = {"machine", PLACE_TOP, visible, draw};
