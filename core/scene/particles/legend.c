/* legend.c: the last legend of a thread. */
#include "core/scene/particles/legend.h"

#include "core/image/colour_map.h"
#include "core/scene/spectrum.h"

#include <math.h>

static _Thread_local ParticleLegend last;

static void gray_colour(double value, double rgb[3]) {
    rgb[0] = rgb[1] = rgb[2] = value;
}

void particles_map_colour(ParticleMap map, double low, double high, double share, double rgb[3]) {
    void (*const of)(double, double *) = map == MAP_INFERNO ? heat_colour
                                         : map == MAP_GRAY  ? gray_colour
                                                            : false_colour;
    if (map != MAP_KELVIN) {
        of(share, rgb);
        return;
    }
    const Colour colour = black_body(fmin(fmax(low + (high - low) * share, KELVIN_MIN), KELVIN_MAX));
    rgb[0] = (double)colour.red;
    rgb[1] = (double)colour.green;
    rgb[2] = (double)colour.blue;
}

void particles_legend_keep(const ParticleLegend *legend) {
    last = *legend;
}

void particles_legend_pass(const Scene *scene) {
    last.scene = scene->serial;
}

const ParticleLegend *particles_legend(const Scene *scene) {
    return last.scene == scene->serial && scene->serial != 0 ? &last : NULL;
}
