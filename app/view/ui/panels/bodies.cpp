/* bodies.cpp: bodies that attract each other: the gravity that moves them, and the drift of their energy and
 * momentum. */
#include <string.h>

#include "app/view/ui/panels/panel.hpp"
#include "app/view/ui/table_rows.hpp"

namespace {

bool visible(const Viewer *viewer) {
    return viewer_scene(viewer) && viewer_scene(viewer)->bodies;
}

/* A warning where a drift is more than rounding and the tree cause. */
ImU32 tint_of(double drift, double much) {
    return drift < much && drift > -much ? ink : warm;
}

void facts(Overlay *overlay, const Viewer *viewer) {
    const Simulated &now = viewer->session->simulated;
    const Scene *scene = viewer_scene(viewer);
    fact(overlay, ink, "bodies", "%zu", scene->count);
    if (!now.known)
        return;
    fact(overlay, ink, "time", "%.4g, %lu steps", now.time, now.steps);
    fact(overlay, ink, "energy", "%.5g = %.4g - %.4g", now.energy, now.kinetic, 0 - now.potential);
    fact(overlay, tint_of(now.energy_drift, 0.01), "energy drift", "%+.3g %%", 100 * now.energy_drift);
    fact(overlay, ink, "momentum", "%.3g", now.momentum);
    fact(overlay, tint_of(now.momentum_drift, 0.01), "its drift", "%.2g %% of all motion", 100 * now.momentum_drift);
}

void draw(Overlay *overlay, Viewer *viewer) {
    const ScenePart *part = scene_part_by_name("gravity", strlen("gravity"));
    if (!heading(overlay, "Gravity", viewer_moves(viewer) ? "moves" : "stopped"))
        return;
    part_rows(overlay, viewer, part, 0);
    facts(overlay, viewer);
    action_chip(overlay, viewer, viewer_moves(viewer) ? "Stop the bodies" : "Let the bodies move", "motion", nullptr);
}

} // namespace

const Panel panel_bodies = {"bodies", PLACE_LEFT, visible, draw};
