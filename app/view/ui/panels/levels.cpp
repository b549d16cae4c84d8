/* levels.cpp: the ladder of the job, and why a rung cannot do it. */
#include "app/view/ui/ladder.hpp"
#include "app/view/ui/panels/panel.hpp"

namespace {

bool visible(const Viewer *viewer) {
    return !viewer->racing;
}

void draw(Overlay *overlay, Viewer *viewer) {
    ladder(overlay, viewer, "Levels", ladder_note);
}

} // namespace

const Panel panel_levels = {"levels", PLACE_LEFT, visible, draw, true};
