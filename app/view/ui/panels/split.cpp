/* split.cpp: the names and the times of the two sides; between them the handle. Or why there are none. */
#include <math.h>
#include <stdio.h>

#include "app/view/ui/panels/panel.hpp"

extern "C" {
#include "app/view/actions/dispatch.h"
}

namespace {

enum { APART_WORDS = 160 };
constexpr float least_ems = 2.0f; /* of words on a side: with less room it has none */

/* Both phases of flickering have a label. */
bool shows_flicker(const Viewer *viewer) {
    Homography map;
    return viewer->compare == COMPARE_FLICKER && !viewer->unfiltered &&
           viewer_fit_of_sides(viewer, &map) != SIDES_APART;
}

bool visible(const Viewer *viewer) {
    char why[APART_WORDS];
    return viewer_shows_split(viewer) || viewer_shows_sides(viewer) || shows_flicker(viewer) ||
           viewer_why_apart(viewer, why, sizeof why)[0];
}

void draw_handle(const Overlay *overlay, float x, float y) {
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    const float radius = em(overlay, 0.9f), arrow = em(overlay, 0.32f), line = fmaxf(1, roundf(overlay->scale));
    list->AddCircleFilled(ImVec2(x, y), radius + line, rgba(0, 0, 0, 110), 48);
    list->AddCircleFilled(ImVec2(x, y), radius, rgba(255, 255, 255, 245), 48);
    for (float side = -1; side <= 1; side += 2)
        list->AddTriangleFilled(ImVec2(x + side * arrow * 0.6f, y - arrow), ImVec2(x + side * arrow * 1.9f, y),
                                ImVec2(x + side * arrow * 0.6f, y + arrow), rgba(30, 34, 42));
}

void draw_line(const Overlay *overlay, float x, float from, float to) {
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    const float line = fmaxf(1, roundf(overlay->scale));
    list->AddRectFilled(ImVec2(x - 2 * line, from), ImVec2(x + 2 * line, to), rgba(0, 0, 0, 90));
    list->AddRectFilled(ImVec2(x - line, from), ImVec2(x + line, to), rgba(255, 255, 255, 235));
}

/* "separable   0.81 ms", its near end `away` from x: to the left of it below 0. The words are cut where `room` pixels
 * are too few. */
void draw_words(const Overlay *overlay, const Viewer *viewer, bool source, float x, float away, float room) {
    char words[4 * SIDE_WORDS], label[5 * SIDE_WORDS], ms[40] = "";
    const double took = viewer_side_ms(viewer, source);
    if (took > 0)
        format_ms(took, ms + snprintf(ms, sizeof ms, "   "), sizeof ms - 3);
    viewer_side_words(viewer, source, words, sizeof words);
    const float left = room - 2 * em(overlay, 0.6f) - 2 * fabsf(away) - width_of(overlay->regular, ms);
    if (left < em(overlay, least_ems))
        return;
    shorten(overlay->regular, left, words, sizeof words);
    snprintf(label, sizeof label, "%s%s", words, ms);
    const float half = width_of(overlay->regular, label) / 2 + em(overlay, 0.6f);
    const float middle = x + (away < 0 ? away - half : away > 0 ? away + half : 0);
    pill(overlay, middle, words_top(overlay, viewer, middle - half), source ? ink : accent, label);
}

/* Why one side alone is drawn, and the comparison that can show both. */
bool draw_why_apart(const Overlay *overlay, const Viewer *viewer) {
    const Action *sides = action_by_name("side-by-side");
    char why[APART_WORDS], keys[ACTION_KEYS], words[2 * APART_WORDS];
    if (!viewer_why_apart(viewer, why, sizeof why)[0])
        return false;
    const Area area = viewer->area;
    const float middle = (float)(area.x + area.width / 2);
    action_keys_here(viewer, sides, keys);
    snprintf(words, sizeof words, "Can't compare: %s · %s: side by side", why, keys);
    shorten(overlay->regular, (float)area.width - 2 * em(overlay, 0.6f), words, sizeof words);
    const float half = width_of(overlay->regular, words) / 2 + em(overlay, 0.6f);
    pill(overlay, middle, words_top(overlay, viewer, middle - half), warm, words);
    return true;
}

/* Only as far as the picture reaches; next to each other, the sides part the window. */
void draw_border(const Overlay *overlay, const Viewer *viewer, float x) {
    const Area area = viewer->area, seen = viewer_seen_area(viewer);
    if (!viewer_shows_split(viewer)) {
        draw_line(overlay, x, (float)area.y, (float)(area.y + area.height));
        return;
    }
    if (seen.width <= 0 || seen.height <= 0)
        return;
    draw_line(overlay, x, (float)seen.y, (float)(seen.y + seen.height));
    draw_handle(overlay, x, (float)(seen.y + seen.height / 2));
}

void draw(Overlay *overlay, Viewer *viewer) {
    const Area area = viewer->area, right = viewer_result_area(viewer);
    const bool split = viewer_shows_split(viewer), sides = viewer_shows_sides(viewer);
    const float middle = (float)(area.x + area.width / 2);
    const float x = split ? roundf((float)viewer_split_x(viewer)) : sides ? (float)right.x : middle;
    if (draw_why_apart(overlay, viewer))
        return;
    if (!split && !sides) {
        draw_words(overlay, viewer, viewer_shows_source(viewer), x, 0, (float)area.width);
        return;
    }
    draw_border(overlay, viewer, x);
    draw_words(overlay, viewer, true, x, -em(overlay, 0.6f), x - (float)area.x);
    draw_words(overlay, viewer, false, x, em(overlay, 0.6f), (float)(area.x + area.width) - x);
}

} // namespace

const Panel panel_split = {"split", PLACE_PICTURE, visible, draw};
