/* legend.h: how a scene of particles was made: what a figure says about it. */
#ifndef GLINT_CORE_SCENE_PARTICLES_LEGEND_H
#define GLINT_CORE_SCENE_PARTICLES_LEGEND_H

#include "core/scene/particles/roles.h"
#include "core/scene/scene.h"

typedef struct ParticleLegend {
    uint64_t scene;           /* its serial */
    char column[COLUMN_NAME]; /* whose values are colours of a map from `low` to `high`; "": there is no map */
    ParticleMap map;
    double low, high;
    double scale, origin[3]; /* a place of the scene is (the file's - origin) * scale */
    bool has_box;
    Box box; /* around all images, in the scene's places */
} ParticleLegend;

/* The colour, 0 to 1, of a share of the range from `low` to `high`, of a map for numbers. */
void particles_map_colour(ParticleMap map, double low, double high, double share, double rgb[3]);
/* Keeps a legend for this thread, in the place of the last one. */
void particles_legend_keep(const ParticleLegend *legend);
/* The last legend is now that of the scene, which has got the spheres of another one. */
void particles_legend_pass(const Scene *scene);
/* The legend of the particles that this thread has read last; NULL if they are not this scene. */
const ParticleLegend *particles_legend(const Scene *scene);

#endif
