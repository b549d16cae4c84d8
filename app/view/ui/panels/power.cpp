/* power.cpp: the watts of the device. */
#include "app/view/ui/panels/panel.hpp"

namespace {

/* The device's power now, and the energy of a frame and a pixel at that power. */
void draw(Overlay *overlay, Viewer *viewer) {
    const Figures figures = viewer_figures(viewer);
    viewer_ask_power(viewer);
    const double watts = viewer->power.watts, joules = watts * figures.ms / 1e3;
    if (watts <= 0 || figures.ms <= 0 || !heading(overlay, "Power", nullptr))
        return;
    char pixels[32];
    format_count(figures.mpixels * 1e6 / watts, pixels, sizeof pixels);
    fact(overlay, ink, "now", "%.0f W", watts);
    fact(overlay, ink, "a frame", joules < 0.1 ? "%.2f mJ" : "%.2f J", joules < 0.1 ? joules * 1e3 : joules);
    fact(overlay, ink, "pixels a joule", "%s", pixels);
}

} // namespace

const Panel panel_power = {"power", PLACE_RIGHT, nullptr, draw, true, true};
