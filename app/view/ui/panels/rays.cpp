/* rays.cpp: the rays of a trace. */
#include <math.h>
#include <stdio.h>

#include "app/view/ui/panels/panel.hpp"

namespace {

bool visible(const Viewer *viewer) {
    return counters_rays(&viewer->session->measured.trace_stats.counters) > 0;
}

/* A trace's rays, by kind, and their costs. */
void draw(Overlay *overlay, Viewer *viewer) {
    const Figures figures = viewer_figures(viewer);
    static const char *const kinds[] = {"from the camera", "to lights", "mirrored, scattered"};
    const TraceStats &stats = viewer->session->measured.trace_stats;
    const double all = counters_rays(&stats.counters);
    char number[48], rate[32];
    format_count(all / fmax(figures.ms, 1e-6) * 1e3, rate, sizeof rate);
    snprintf(number, sizeof number, "%s%srays/s", viewer->session->measured.trace_stats_estimated ? "≈ " : "", rate);
    if (!heading(overlay, "Rays", number))
        return;
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
        const double count = (double)stats.counters.counts[kind];
        format_count(count, number, sizeof number);
        format_count(count / fmax(figures.ms, 1e-6) * 1e3, rate, sizeof rate);
        if (count > 0)
            fact(overlay, ink, kinds[kind], "%s · %s/s", number, rate);
    }
    fact(overlay, ink, "nodes visited per ray", "%.1f", counters_per_ray(&stats.counters, COUNTER_NODES));
    fact(overlay, ink, "sphere tests per ray", "%.1f", counters_per_ray(&stats.counters, COUNTER_TESTS));
    if (viewer_gathers(viewer))
        for (int samples = 16; samples <= 256; samples *= 16) {
            char name[32];
            snprintf(name, sizeof name, "%d samples take", samples);
            format_ms(samples * figures.ms, number, sizeof number);
            fact(overlay, ink, name, "%s", number);
        }
    if (!(stats.build_ms > 0))
        return;
    format_ms(stats.build_ms, number, sizeof number);
    format_count((double)viewer_scene(viewer)->count / stats.build_ms * 1e3, rate, sizeof rate);
    fact(overlay, ink, "BVH built in", "%s · %s/s", number, rate);
    format_ms(stats.refit_ms, number, sizeof number);
    fact(overlay, ink, "BVH refitted in", "%s", number);
    format_count((double)stats.build_bytes, number, sizeof number);
    fact(overlay, ink, "BVH size", "%sB", number);
}

} // namespace

const Panel panel_rays = {"rays", PLACE_RIGHT, visible, draw, true, true};
