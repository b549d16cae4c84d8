/* summary.cpp: title, chain and time, on two lines. */
#include <math.h>
#include <stdio.h>

#include "app/view/ui/panels/panel.hpp"

extern "C" {
#include "app/view/session/strip.h"
#include "app/view/session/structure.h"
}

namespace {

constexpr float chain_ems = 40.0f; /* of longer ones, as with masks, the beginning is shown */

/* Puts the words behind the others on the line, or on the next one. */
void put(const Overlay *overlay, ImFont *font, ImU32 tint, const char *words) {
    (void)go_on(em(overlay, 0.8f), width_of(font, words));
    ImGui::PushFont(font);
    text(tint, "%s", words);
    ImGui::PopFont();
}

/* "3 stars", "rejected"; nothing where the picture is not rated. */
void put_rating(const Overlay *overlay, const Viewer *viewer) {
    char words[RATING_WORDS];
    const FileList &list = viewer->pictures;
    const int rating = viewer_picture(viewer) && list.current < list.count ? strip_rating(viewer, list.current) : 0;
    if (rating != 0)
        put(overlay, overlay->regular, rating > 0 ? ImU32(warm) : ImU32(bad), strip_name_rating(rating, words));
}

void draw(Overlay *overlay, Viewer *viewer) {
    char title[256], chain[ENTRY_MAX], shape[96], ms[32], speedup[64], copies[32], rate[32], words[96];
    const Figures figures = viewer_figures(viewer);
    snprintf(title, sizeof title, "%s", base_name(viewer_title(viewer)));
    shorten(overlay->bold, go_on_until() - ImGui::GetCursorScreenPos().x, title, sizeof title);
    ImGui::PushFont(overlay->bold);
    text(ink, "%s", title);
    ImGui::PopFont();
    viewer_kind(viewer)->format_shape(viewer, shape, sizeof shape);
    put(overlay, overlay->regular, dim, shape);
    put_rating(overlay, viewer);
    chain_format(viewer->request->chain, chain, sizeof chain);
    shorten(overlay->mono, fminf(em(overlay, chain_ems), go_on_until() - ImGui::GetCursorScreenPos().x), chain,
            sizeof chain);
    put(overlay, overlay->mono, accent, chain[0] ? chain : "no filter");
    if (viewer_level(viewer) && !session_has_clock(viewer->session)) {
        structure_words(session_structure(viewer->session, viewer_level(viewer)), words, sizeof words);
        put(overlay, overlay->bold, ink, words[0] ? words : "emulated: no times");
    } else if (viewer_level(viewer)) {
        ImGui::PushFont(overlay->bold);
        format_ms(figures.ms, ms, sizeof ms);
        text(ink, "%s", ms);
        ImGui::PopFont();
        format_speedup(viewer, figures, speedup, sizeof speedup);
        format_copies(figures, copies, sizeof copies);
        format_rate(figures.mpixels, rate, sizeof rate);
        snprintf(words, sizeof words, "%s   %s Mpixel/s", copies, rate);
        put(overlay, overlay->regular, accent, speedup);
        put(overlay, overlay->regular, dim, words);
    }
}

} // namespace

const Panel panel_summary = {"summary", PLACE_STRIP, nullptr, draw};
