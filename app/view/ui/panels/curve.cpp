/* curve.cpp: the selected filter's curve over the picture's histogram, with points to be dragged. */
#include <math.h>
#include <stdio.h>

#include "app/view/ui/panels/panel.hpp"

extern "C" {
#include "app/view/actions/dispatch.h"
}

namespace {

constexpr float height_share = 0.8f, reach_ems = 0.75f, point_ems = 0.34f,
                around_ems = 0.5f; /* of the width; around a point; its radius */
enum { SAMPLES = 192 };

bool visible(const Viewer *viewer) {
    size_t link;
    return viewer->editing && !viewer_has_page(viewer) && viewer_selected_param(viewer, PARAM_CURVE, &link);
}

/* The square in the window: black at the bottom left; and the room around it, where points are taken hold of, too. */
struct Plot {
    ImVec2 at, size;
    float around;
};

ImVec2 place(const Plot &plot, double x, double y) {
    return ImVec2(plot.at.x + (float)x * plot.size.x, plot.at.y + (float)(1 - y) * plot.size.y);
}

void draw_ground(const Overlay *overlay, const double *shares, const Plot &plot) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float line = fmaxf(1, roundf(overlay->scale));
    double most = 0;
    list->AddRectFilled(plot.at, place(plot, 1, 0), rgba(10, 11, 14), em(overlay, 0.2f));
    for (int i = 1; i + 1 < CURVE_BINS; i++) /* clipped values may tower above all */
        most = fmax(most, shares[i]);
    for (int i = 0; i < CURVE_BINS && most > 0; i++) {
        const double high = sqrt(fmin(shares[i] / most, 1));
        list->AddRectFilled(place(plot, (double)i / CURVE_BINS, high), place(plot, (i + 1.0) / CURVE_BINS, 0),
                            rgba(255, 255, 255, 38));
    }
    for (int i = 1; i < 4; i++) {
        list->AddLine(place(plot, i / 4.0, 0), place(plot, i / 4.0, 1), rgba(255, 255, 255, 26), line);
        list->AddLine(place(plot, 0, i / 4.0), place(plot, 1, i / 4.0), rgba(255, 255, 255, 26), line);
    }
    list->AddLine(place(plot, 0, 0), place(plot, 1, 1), rgba(255, 255, 255, 60), line);
}

/* The curve's own colour: a bright one on the dark ground. */
ImU32 tint_of(const Param *param) {
    static const ImU32 tints[] = {rgba(255, 105, 97), rgba(104, 214, 112), rgba(110, 155, 255), rgba(235, 235, 235),
                                  rgba(86, 196, 255)};
    return tints[curve_colour(param)];
}

void draw_line(const Overlay *overlay, const Plot &plot, const Knots &knots, ImU32 tint, bool front) {
    double values[SAMPLES];
    ImVec2 line[SAMPLES];
    curve_values(&knots, values, SAMPLES);
    for (int i = 0; i < SAMPLES; i++)
        line[i] = place(plot, (double)i / (SAMPLES - 1), values[i]);
    if (front)
        ImGui::GetWindowDrawList()->AddPolyline(line, SAMPLES, rgba(0, 0, 0, 160), 0, 4.0f * fmaxf(1, overlay->scale));
    ImGui::GetWindowDrawList()->AddPolyline(line, SAMPLES, front ? tint : thin(tint, 130), 0,
                                            (front ? 2.0f : 1.2f) * fmaxf(1, overlay->scale));
}

/* Thin lines: the filter's other curves, as far as they bend anything. */
void draw_others(const Overlay *overlay, const Viewer *viewer, const Plot &plot, const Param *drawn) {
    size_t link;
    (void)curve_editor_param(viewer, &link);
    const Param *param = nullptr;
    Knots knots;
    for (size_t i = 0; (param = curve_editor_curve(viewer, i)); i++)
        if (param != drawn && param_text(param, viewer->request->chain->links[link].values) &&
            curve_editor_knots_of(viewer, param, &knots))
            draw_line(overlay, plot, knots, tint_of(param), false);
}

/* A chip for each curve of the filter; those that are given have a dot. */
void draw_curves(const Overlay *overlay, Viewer *viewer, const Param *drawn, size_t link) {
    const Param *param = nullptr;
    for (size_t i = 0; (param = curve_editor_curve(viewer, i)); i++) {
        const bool given = i > 0 && param_text(param, viewer->request->chain->links[link].values);
        char words[48];
        snprintf(words, sizeof words, "%s%s", i == 0 ? "all" : param->name, given ? " ·" : "");
        if (i > 0)
            ImGui::SameLine(0, em(overlay, 0.25f));
        ImGui::PushStyleColor(ImGuiCol_Text, param == drawn ? ink : tint_of(param));
        if (chip(overlay, words, param == drawn))
            action_ask(viewer, action_by_name("curve"), param->name);
        ImGui::PopStyleColor();
        if (ImGui::IsItemHovered())
            say_tip("%s", param->help);
    }
}

void draw_points(const Overlay *overlay, const Plot &plot, const Knots &knots, int near, ImU32 tint) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    for (int i = 0; i < knots.count; i++) {
        const ImVec2 at = place(plot, knots.list[i].x, knots.list[i].y);
        const float radius = em(overlay, point_ems) * (i == near ? 1.3f : 1.0f);
        list->AddCircleFilled(at, radius + 1.5f * fmaxf(1, overlay->scale), rgba(0, 0, 0, 190), 24);
        list->AddCircleFilled(at, radius, i == near ? rgba(255, 255, 255) : tint, 24);
    }
}

/* Carries out the mouse's edits of the curve. Returns the point under it, or -1. */
int follow_mouse(const Overlay *overlay, Viewer *viewer, const Plot &plot, const Knots &knots) {
    const ImGuiIO &io = ImGui::GetIO();
    const double x = (double)((io.MousePos.x - plot.at.x) / plot.size.x);
    const double y = (double)(1 - (io.MousePos.y - plot.at.y) / plot.size.y);
    const double across = (double)(em(overlay, reach_ems) / plot.size.x),
                 down = (double)(em(overlay, reach_ems) / plot.size.y);
    ImGui::SetCursorScreenPos(ImVec2(plot.at.x - plot.around, plot.at.y - plot.around));
    ImGui::InvisibleButton("points", ImVec2(plot.size.x + 2 * plot.around, plot.size.y + 2 * plot.around),
                           ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
    const bool right = ImGui::IsMouseDown(ImGuiMouseButton_Right);
    if (ImGui::IsItemActivated())
        report(viewer, right ? curve_editor_remove(viewer, x, y, across, down)
                             : curve_editor_press(viewer, x, y, across, down));
    else if (ImGui::IsItemActive() && !right && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0))
        report(viewer, curve_editor_drag(viewer, x, y));
    return ImGui::IsItemHovered() || ImGui::IsItemActive() ? curve_near(&knots, x, y, across, down) : -1;
}

const struct {
    const char *words, *points, *help;
} presets[] = {
    {"straight", "0 0; 100 100", "brightness as it is"},
    {"contrast", "0 0; 25 15; 75 85; 100 100", "shadows darker, lights brighter"},
    {"soft", "0 0; 25 33; 75 67; 100 100", "shadows brighter, lights darker"},
    {"lift", "0 0; 30 45; 100 100", "all brighter, black and white stay"},
    {"fade", "0 10; 50 50; 100 90", "neither black nor white"},
    {"negative", "0 100; 100 0", "dark for bright"},
};

void draw_presets(const Overlay *overlay, Viewer *viewer) {
    for (const auto &preset : presets) {
        if (&preset != presets)
            ImGui::SameLine(0, em(overlay, 0.25f));
        if (chip(overlay, preset.words, false))
            report(viewer, curve_editor_put(viewer, preset.points));
        if (ImGui::IsItemHovered())
            say_tip("%s", preset.help);
    }
}

void draw(Overlay *overlay, Viewer *viewer) {
    Knots knots;
    char words[48];
    const bool readable = curve_editor_knots(viewer, &knots);
    snprintf(words, sizeof words, "%d of %d points", readable ? knots.count : 0, KNOTS_MAX);
    if (!heading(overlay, "Curve", words))
        return;
    if (!readable) {
        wrapped(dim, status_message());
        return;
    }
    size_t link;
    const Param *param = curve_editor_param(viewer, &link);
    draw_curves(overlay, viewer, param, link);
    const float around = em(overlay, around_ems), room = ImGui::GetContentRegionAvail().x - 2 * around;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Plot plot = {ImVec2(at.x + around, at.y + around), ImVec2(room, roundf(height_share * room)), around};
    const int near = follow_mouse(overlay, viewer, plot, knots);
    (void)curve_editor_knots(viewer, &knots); /* as the mouse left them */
    draw_ground(overlay, curve_editor_shares(viewer), plot);
    draw_others(overlay, viewer, plot, param);
    draw_line(overlay, plot, knots, tint_of(param), true);
    draw_points(overlay, plot, knots, near < knots.count ? near : -1, tint_of(param));
    if (near >= 0 && near < knots.count)
        text(dim, "%.1f %% becomes %.1f %%", 100 * knots.list[near].x, 100 * knots.list[near].y);
    else
        text(dim, "%s", "a click adds a point, the right button takes it away");
    draw_presets(overlay, viewer);
}

} // namespace

const Panel panel_curve = {"curve", PLACE_LOOK, visible, draw, false, false, true};
