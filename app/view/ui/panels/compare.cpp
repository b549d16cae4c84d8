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

void draw(Overlay *overlay, Viewer *viewer) {
    const Difference *difference = viewer_difference(viewer);
    const Shape shape = viewer_shown_shape(viewer);
    char words[SIDE_WORDS * 2], psnr[32] = "equal";
    if (!heading(overlay, "COMPARE",
                 viewer->tools->pin->image ? "with the kept result" : "with the unfiltered picture"))
        return;
    if (viewer->tools->pin->image) {
        viewer_side_words(viewer, true, words, sizeof words);
        shorten(overlay->regular, em(overlay, kept_ems), words, sizeof words);
        fact(overlay, ink, "kept", "%s", words);
    }
    if (!difference || difference->row == 0) {
        const bool same = !viewer->tools->pin->image && viewer->request->chain->count == 0;
        wrapped(dim, same ? "nothing differs: pick a filter, or keep this and change anything"
                          : "counted after the next run, of sides of one size");
        draw_verdict(overlay, viewer);
        return;
    }
    const double pixels = (double)shape.width * (double)difference->row;
    const bool all = difference->row == shape.height;
    const Likeness *likeness = &viewer->session->likeness;
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
        fact(overlay, all ? ink : dim, "largest difference", "%.5g at %zu, %zu", difference->max, difference->x,
             difference->y);
    draw_verdict(overlay, viewer);
}

} // namespace

const Panel panel_compare = {"compare", PLACE_LEFT, visible, draw};
