/* compare.cpp: how far the two sides are apart. */
#include <math.h>
#include <stdio.h>

#include "app/view/ui/panels/panel.hpp"

namespace {

constexpr float kept_ems = 17.0f;

bool visible(const Viewer *viewer) {
    return viewer->compare != COMPARE_NONE;
}

/* "within 1, 3 of 12288 values differ", and the judged stage. */
void draw_verdict(Overlay *overlay, const Viewer *viewer) {
    const Judgement &judgement = viewer->session->measured.judgement;
    const Verdict &verdict = judgement.verdict;
    if (judgement.level != viewer_level(viewer) || !judgement.level)
        return;
    if (!judgement.known) {
        fact(overlay, dim, "against the reference", "not judged");
        return;
    }
    ImGui::PushFont(overlay->bold);
    fact(overlay, verdict.agrees ? accent : bad, "against the reference", "%s", verdict.agrees ? "PASS" : "FAIL");
    ImGui::PopFont();
    char words[256];
    const double share = 100 * (double)verdict.differing / (double)verdict.values;
    snprintf(words, sizeof words,
             "%s off by %.3g where %.3g is allowed, on %.2g %% of the values, in %zu × %zu pixels%s", judgement.stage,
             verdict.worst, verdict.allowed, share, judgement.width, judgement.height,
             judgement.stages > 1 ? ", stage by stage" : "");
    if (!(verdict.worst > 0))
        snprintf(words, sizeof words, "the same to the last bit, in %zu × %zu pixels%s", judgement.width,
                 judgement.height, judgement.stages > 1 ? ", stage by stage" : "");
    ImGui::PushFont(overlay->small);
    wrapped(dim, words);
    ImGui::PopFont();
}

/* A picture is compared with itself. */
bool has_one_side(const Viewer *viewer) {
    return !viewer_has_pin(viewer) && viewer->request->chain->count == 0;
}

/* Why there are no figures yet, or at all. */
void draw_no_figures(const Viewer *viewer) {
    char why[160], words[200];
    if (viewer_why_no_figures(viewer, why, sizeof why)[0])
        snprintf(words, sizeof words, "Can't compare: %s", why);
    else if (has_one_side(viewer))
        snprintf(words, sizeof words, "Nothing differs: add a filter, or take a snapshot and change anything");
    else
        snprintf(words, sizeof words, "Comparing …");
    wrapped(dim, words);
}

/* The part of the result where the other side has pixels, if it is not all of it. */
void draw_part(Overlay *overlay, PlacedPart part, Shape shape) {
    if (part.width < shape.width || part.height < shape.height)
        fact(overlay, dim, "where both are", "%zu × %zu px", part.width, part.height);
}

/* Errors as an eye sees them; of floats by HDR-FLIP. */
void draw_flip(Overlay *overlay, const Viewer *viewer) {
    const bool light = viewer_shown_shape(viewer).type == PIXEL_F32;
    const FlipErrors *errors = viewer_flip(viewer);
    const double progress = viewer_flip_progress(viewer);
    const char *name = light ? "HDR-FLIP" : "FLIP";
    if (!errors && progress < 0)
        fact(overlay, dim, name, "no memory for it");
    else if (!errors)
        fact(overlay, dim, name, progress > 0 ? "%.0f %%" : "…", 100 * progress);
    if (!errors)
        return;
    fact(overlay, ink, name, "%.4f", errors->figures.mean);
    if (!(errors->figures.max > 0))
        return;
    fact(overlay, ink, "its median, 95 %", "%.4f, %.4f", errors->figures.median, errors->figures.p95);
    fact(overlay, ink, "its largest", "%.4f at %zu, %zu", errors->figures.max, errors->of.part.x + errors->figures.x,
         errors->of.part.y + errors->figures.y);
}

void draw_figures(Overlay *overlay, const Viewer *viewer, const Difference *difference) {
    const PlacedPart part = viewer->session->compared;
    const double pixels = (double)part.width * (double)difference->row;
    const bool all = difference->row == part.height;
    const Likeness *likeness = &viewer->session->likeness;
    char psnr[32] = "equal";
    if (likeness->psnr < INFINITY)
        snprintf(psnr, sizeof psnr, "%.2f dB", likeness->psnr);
    if (!isnan(likeness->psnr))
        fact(overlay, ink, "PSNR", "%s", psnr);
    const double ssim = difference_ssim(difference);
    if (!isnan(ssim))
        fact(overlay, all ? ink : dim, "SSIM", "%.5f", ssim);
    if (!isnan(likeness->ncc))
        fact(overlay, ink, "NCC", "%.5f", likeness->ncc);
    fact(overlay, all ? ink : dim, "pixels that differ", "%.4g %%", 100 * (double)difference->differing / pixels);
    if (difference->max > 0)
        fact(overlay, all ? ink : dim, "largest difference", "%.5g at %zu, %zu", difference->max,
             part.x + difference->x, part.y + difference->y);
    draw_flip(overlay, viewer);
    draw_part(overlay, part, viewer_shown_shape(viewer));
}

void draw(Overlay *overlay, Viewer *viewer) {
    const Difference *difference = viewer_difference(viewer);
    char words[SIDE_WORDS * 2];
    if (!heading(overlay, "Compare", viewer_has_pin(viewer) ? "vs. snapshot" : "vs. original"))
        return;
    if (viewer_has_pin(viewer)) {
        viewer_side_words(viewer, true, words, sizeof words);
        shorten(overlay->regular, em(overlay, kept_ems), words, sizeof words);
        fact(overlay, ink, "snapshot", "%s", words);
    }
    if (difference && difference->row > 0 && !has_one_side(viewer))
        draw_figures(overlay, viewer, difference);
    else
        draw_no_figures(viewer);
    draw_verdict(overlay, viewer);
}

} // namespace

const Panel panel_compare = {"compare", PLACE_LEFT, visible, draw};
