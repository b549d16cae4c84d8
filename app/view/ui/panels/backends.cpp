/* backends.cpp: the same job on each backend. */
#include <math.h>
#include <stdio.h>

#include "app/view/ui/panels/panel.hpp"

extern "C" {
#include "app/view/session/structure.h"
}

namespace {

/* The time of each backend for this job, the current one in colour, and the ratios of these times. */
void draw(Overlay *overlay, Viewer *viewer) {
    double slowest = 0;
    float names = 0;
    if (!heading(overlay, "Backends", backend_count() > 1 ? "g: the other" : nullptr))
        return;
    for (const BackendTime &side : viewer->session->measured.sides)
        slowest = side.level ? fmax(slowest, side.ms) : slowest;
    for (size_t i = 0; i < backend_count(); i++)
        names = fmaxf(names, ImGui::CalcTextSize(backend_at(i)->name).x);
    for (size_t i = 0; i < backend_count() && i < BACKENDS_MAX; i++) {
        const BackendTime &side = viewer->session->measured.sides[i];
        const bool current = backend_at(i) == viewer->session->device->backend;
        char ms[96] = "–", times[32] = "";
        if (current && !session_has_clock(viewer->session))
            structure_words(session_structure(viewer->session, viewer_level(viewer)), ms, sizeof ms);
        if (side.level) {
            format_ms(side.ms, ms, sizeof ms);
            if (slowest > 1.05 * side.ms)
                snprintf(times, sizeof times, slowest < 10 * side.ms ? "%.1f×  " : "%.0f×  ", slowest / side.ms);
        }
        text(current ? accent : dim, "%s", backend_at(i)->name);
        ImGui::SameLine(ImGui::GetStyle().WindowPadding.x + column(overlay, 3.4f, names));
        text(dim, "%s", side.level ? side.level->name : "");
        char right[144];
        snprintf(right, sizeof right, "%s%s", times, ms);
        text_right(overlay, current ? ink : dim, right);
    }
}

} // namespace

const Panel panel_backends = {"backends", PLACE_RIGHT, nullptr, draw, true};
