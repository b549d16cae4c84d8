/* job.cpp: the bytes and the arithmetic of the job, at any level. */
#include "app/view/ui/panels/panel.hpp"

namespace {

void draw(Overlay *overlay, Viewer *viewer) {
    const Figures figures = viewer_figures(viewer);
    char bytes[32], flops[32], ratio[32];
    format_count(figures.bytes, bytes, sizeof bytes);
    format_count(figures.flops, flops, sizeof flops);
    format_rate(figures.flops / figures.bytes, ratio, sizeof ratio);
    if (!heading(overlay, "Job", nullptr))
        return;
    if (!(figures.bytes > 0)) {
        fact(overlay, dim, "must move", "–");
        return;
    }
    fact(overlay, ink, "must move", "%sB", bytes);
    if (!(figures.flops > 0))
        return;
    fact(overlay, ink, "arithmetic", "%sFLOP", flops);
    fact(overlay, ink, "ratio", "%s FLOP/byte", ratio);
}

} // namespace

const Panel panel_job = {"job", PLACE_RIGHT, nullptr, draw, true, true};
