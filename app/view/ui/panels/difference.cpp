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

/* Whether FLIP's errors are asked for, and on their way. */
bool awaits_flip(const Viewer *viewer) {
    return viewer_asks_difference(viewer) && viewer->difference_view == DIFFERENCE_FLIP && !viewer_shows_flip(viewer);
}

bool visible(const Viewer *viewer) {
    return (viewer_shows_difference(viewer) || awaits_flip(viewer)) && viewer->session->pipeline &&
           !viewer_has_page(viewer) && viewer->overlay != OVERLAY_OFF;
}

/* "64" of whole numbers, "0.25" of others. */
void format_value(double value, char *words, size_t size) {
    snprintf(words, size, value >= 1000 ? "%.0f" : "%.3g", value);
}

/* The value at the scale's end, and the largest on the picture, or 0. */
struct Scale {
    double full, most;
};

Scale scale_of(const Viewer *viewer) {
    const FlipErrors *errors = viewer_flip(viewer);
    const Difference *difference = viewer_difference(viewer);
    if (viewer->difference_view == DIFFERENCE_FLIP)
        return {1 / exp2(viewer->flip_gain), errors ? errors->figures.max : 0};
    return {pixel_type_white(viewer_shown_shape(viewer).type) / exp2(viewer->gain), difference ? difference->max : 0};
}

/* From no difference to as bright as can be, in stored values or errors. */
void draw_legend(const Overlay *overlay, const Viewer *viewer) {
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    ImFont *font = overlay->small;
    const Area area = viewer->area;
    const Scale scale = scale_of(viewer);
    const float width = fminf(em(overlay, 20.0f), 0.5f * (float)area.width), high = em(overlay, 0.55f);
    const float left = roundf((float)(area.x + area.width / 2) - width / 2), pad = em(overlay, 0.7f);
    const float top = roundf(words_top(overlay, viewer, left - pad) + em(overlay, 0.3f)), size = font->FontSize;
    list->AddRectFilled(ImVec2(left - pad, top - pad * 0.6f),
                        ImVec2(left + width + pad, top + high + size + pad * 0.8f), glass, em(overlay, 0.4f));
    for (int i = 0; i < STEPS; i++) {
        const double share = (i + 0.5) / STEPS;
        double rgb[3] = {share, share, share};
        if (viewer->difference_view != DIFFERENCE_COLOURS)
            heat_colour(share, rgb);
        list->AddRectFilled(
            ImVec2(roundf(left + width * (float)i / STEPS), top),
            ImVec2(roundf(left + width * (float)(i + 1) / STEPS), top + high),
            rgba((unsigned)lround(255 * rgb[0]), (unsigned)lround(255 * rgb[1]), (unsigned)lround(255 * rgb[2])));
    }
    const int ticks = width >= em(overlay, 4 * tick_ems) ? 4 : 2;
    for (int i = 0; i <= ticks; i++) {
        char words[24];
        format_value(scale.full * i / ticks, words, sizeof words);
        const float wide = font->CalcTextSizeA(size, 1e6f, 0, words).x, x = left + width * (float)i / (float)ticks;
        list->AddText(
            font, size,
            ImVec2(roundf(fminf(fmaxf(x - wide / 2, left), left + width - wide)), top + high + em(overlay, 0.15f)), ink,
            words);
    }
    if (scale.most > 0) { /* where the largest one lies on the scale */
        const float x = left + width * (float)fmin(scale.most / scale.full, 1), arrow = em(overlay, 0.32f);
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

/* In the legend's place, while the picture shows the result. */
void draw_awaited(const Overlay *overlay, const Viewer *viewer) {
    const double progress = viewer_flip_progress(viewer);
    ImFont *font = overlay->small;
    char words[160] = "", why[96];
    if (viewer_why_no_figures(viewer, why, sizeof why)[0])
        snprintf(words, sizeof words, "no FLIP: %s", why);
    else if (progress < 0)
        snprintf(words, sizeof words, "no FLIP: there is no memory for it");
    else
        snprintf(words, sizeof words, "FLIP: %.0f %%", 100 * progress);
    const float size = font->FontSize, wide = font->CalcTextSizeA(size, 1e6f, 0, words).x, pad = em(overlay, 0.5f);
    const float left = roundf((float)(viewer->area.x + viewer->area.width / 2) - wide / 2);
    const float top = roundf(words_top(overlay, viewer, left - pad) + em(overlay, 0.3f));
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    list->AddRectFilled(ImVec2(left - pad, top - pad), ImVec2(left + wide + pad, top + size + pad), glass,
                        em(overlay, 0.4f));
    list->AddText(font, size, ImVec2(left, top), ink, words);
}

void draw(Overlay *overlay, Viewer *viewer) {
    if (awaits_flip(viewer))
        return draw_awaited(overlay, viewer);
    draw_worst(overlay, viewer);
    draw_legend(overlay, viewer);
}

} // namespace

const Panel panel_difference = {"difference", PLACE_PICTURE, visible, draw};
