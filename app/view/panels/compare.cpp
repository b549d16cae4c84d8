/* compare.cpp: how far the two sides are apart. */
#include <math.h>
#include <stdio.h>

#include "app/view/panels/panel.hpp"

namespace {

bool visible(const Viewer *viewer) {
    return viewer->compare != COMPARE_NONE;
}

void draw(Overlay *overlay, Viewer *viewer) {
    const Difference *difference = viewer_difference(viewer);
    const Shape shape = viewer_shown_shape(viewer);
    char words[SIDE_WORDS * 2], psnr[32] = "equal";
    heading(overlay, "COMPARE", viewer->pin.image ? "with what is kept" : "with the picture");
    if (viewer->pin.image)
        fact(overlay, ink, "kept", "%.40s", viewer_side_words(viewer, true, words, sizeof words));
    if (!difference || difference->row == 0) {
        text(dim, "counted after the next run, of sides of one size");
        return;
    }
    const double pixels = (double)shape.width * (double)difference->row;
    const bool all = difference->row == shape.height;
    if (difference->squares > 0)
        snprintf(psnr, sizeof psnr, "%.2f dB", difference_psnr(difference, shape));
    fact(overlay, all ? ink : dim, "PSNR", "%s", psnr);
    fact(overlay, all ? ink : dim, "SSIM", "%.5f", difference_ssim(difference));
    fact(overlay, all ? ink : dim, "pixels that differ", "%.4g %%", 100 * (double)difference->differing / pixels);
    if (difference->max > 0)
        fact(overlay, all ? ink : dim, "largest difference", "%.5g at %zu, %zu", difference->max, difference->x,
             difference->y);
}

} // namespace

const Panel panel_compare = {"compare", PLACE_LEFT, visible, draw};
