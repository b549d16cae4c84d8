/* description.cpp: settings of the display, at the bottom left. */
#include "app/view/ui/panels/panel.hpp"

namespace {

bool visible(const Viewer *viewer) {
    return !viewer_has_page(viewer) && !viewer->bare;
}

/* Settings of the display, at the bottom left, that the pixels alone do not tell. Without panels, only settings that
 * change the shown values. */
void draw(Overlay *overlay, Viewer *viewer) {
    char words[160];
    if (viewer_describe(viewer, viewer->overlay != OVERLAY_OFF, words, sizeof words) == 0)
        return;
    shorten(overlay->regular, (float)viewer->area.width - em(overlay, 2.7f), words, sizeof words);
    const float width = overlay->regular->CalcTextSizeA(overlay->regular->FontSize, 1e6f, 0, words).x;
    const bool narrow = width + em(overlay, 16.0f) > (float)viewer->area.width; /* next to the pixel's value */
    pill(overlay, (float)viewer->area.x + em(overlay, 1.35f) + width / 2,
         (float)viewer->height - em(overlay, narrow ? 4.3f : 2.3f), ink, words);
}

} // namespace

const Panel panel_description = {"description", PLACE_PICTURE, visible, draw};
