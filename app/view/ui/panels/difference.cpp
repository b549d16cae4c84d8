/* difference.cpp: the scale of a difference's brightness, and the place of the largest one. */
#include <math.h>
#include <stdio.h>

#include "app/view/ui/panels/panel.hpp"

extern "C" {
#include "core/image/colour_map.h"
}

namespace {

enum { STEPS = 128 };
constexpr float tick_ems = 3.5f; /* of the legend for each, if that makes four of them; else two */

bool visible(const Viewer *viewer) {
    return viewer_shows_difference(viewer) && viewer->session->pipeline && !viewer_has_page(viewer) &&
           viewer->overlay != OVERLAY_OFF;
}

/* "64" of whole numbers, "0.25" of others. */
void format_value(double value, char *words, size_t size) {
    snprintf(words, size, value >= 1000 ? "%.0f" : "%.3g", value);
}

/* From no difference to as bright as can be, in stored values. */
void draw_legend(const Overlay *overlay, const Viewer *viewer) {
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    ImFont *font = overlay->small;
    const Area area = viewer->area;
    const double full = pixel_type_white(viewer_shown_shape(viewer).type) / exp2(viewer->gain);
    const float width = fminf(em(overlay, 20.0f), 0.5f * (float)area.width), high = em(overlay, 0.55f);
    const float left = roundf((float)(area.x + area.width / 2) - width / 2), pad = em(overlay, 0.7f);
    const float top = roundf(words_top(overlay, viewer, left - pad) + em(overlay, 0.3f)), size = font->FontSize;
    list->AddRectFilled(ImVec2(left - pad, top - pad * 0.6f),
                        ImVec2(left + width + pad, top + high + size + pad * 0.8f), glass, em(overlay, 0.4f));
    for (int i = 0; i < STEPS; i++) {
        const double share = (i + 0.5) / STEPS;
        double rgb[3] = {share, share, share};
        if (!viewer->plain_difference)
            heat_colour(share, rgb);
        list->AddRectFilled(
            ImVec2(roundf(left + width * (float)i / STEPS), top),
            ImVec2(roundf(left + width * (float)(i + 1) / STEPS), top + high),
            rgba((unsigned)lround(255 * rgb[0]), (unsigned)lround(255 * rgb[1]), (unsigned)lround(255 * rgb[2])));
    }
    const int ticks = width >= em(overlay, 4 * tick_ems) ? 4 : 2;
    for (int i = 0; i <= ticks; i++) {
        char words[24];
        format_value(full * i / ticks, words, sizeof words);
        const float wide = font->CalcTextSizeA(size, 1e6f, 0, words).x, x = left + width * (float)i / (float)ticks;
        list->AddText(
            font, size,
            ImVec2(roundf(fminf(fmaxf(x - wide / 2, left), left + width - wide)), top + high + em(overlay, 0.15f)), ink,
            words);
    }
    const Difference *difference = viewer_difference(viewer);
    if (difference && difference->max > 0) { /* where the largest one lies on the scale */
        const float x = left + width * (float)fmin(difference->max / full, 1), arrow = em(overlay, 0.32f);
        list->AddTriangleFilled(ImVec2(x - arrow, top - arrow), ImVec2(x + arrow, top - arrow), ImVec2(x, top + arrow),
                                ink);
    }
}

/* A ring around the pixel that differs most, to be seen on dark and on bright ground. */
void draw_worst(const Overlay *overlay, const Viewer *viewer) {
    size_t x, y;
    if (!viewer_worst(viewer, &x, &y))
        return;
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    const Viewport at = viewer_viewport(viewer);
    const ImVec2 middle((float)(at.x + ((double)x + 0.5) * at.scale), (float)(at.y + ((double)y + 0.5) * at.scale));
    const float radius = fmaxf(em(overlay, 0.6f), 0.8f * (float)at.scale), line = fmaxf(1, roundf(overlay->scale));
    list->AddCircle(middle, radius + line, rgba(0, 0, 0, 160), 48, 3 * line);
    list->AddCircle(middle, radius + line, rgba(255, 255, 255, 230), 48, line);
}

void draw(Overlay *overlay, Viewer *viewer) {
    draw_worst(overlay, viewer);
    draw_legend(overlay, viewer);
}

} // namespace

const Panel panel_difference = {"difference", PLACE_PICTURE, visible, draw};
