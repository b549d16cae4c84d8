/* tone.cpp: the exposure and the gamma by which a picture is shown, if its values need not fit the screen or the grade
 * changes them. */
#include <math.h>

#include "app/view/ui/panels/panel.hpp"
#include "app/view/ui/table_rows.hpp"

extern "C" {
#include "app/view/actions/dispatch.h"
}

namespace {

bool is_default(const Viewer *viewer) {
    const Tone tone = viewer_tone(viewer);
    return fabs(tone.exposure) < 1e-9 && fabs(tone.gamma - 1) < 1e-9;
}

bool visible(const Viewer *viewer) {
    const Image *picture = viewer_picture(viewer);
    return picture && (picture->view.shape.type == PIXEL_F32 || !is_default(viewer));
}

void draw(Overlay *overlay, Viewer *viewer) {
    if (!heading(overlay, "Tone", "on the screen"))
        return;
    tone_rows(overlay, viewer, tone_table.count);
    if (!is_default(viewer) && chip(overlay, "as it is", false))
        action_ask(viewer, action_by_name("change-tone"), "exposure=0:gamma=1");
}

} // namespace

const Panel panel_tone = {"tone", PLACE_LEFT, visible, draw};
