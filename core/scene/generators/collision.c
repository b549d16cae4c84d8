/* collision.c: two galaxies that fall towards each other and pass, as in Toomre and Toomre, Galactic Bridges and Tails,
 * ApJ 178, 1972. */
#include "core/scene/generators/bodies.h"
#include "core/scene/generators/scenes.h"

enum { STREAM = 7 };

typedef struct Values {
    double count, seed;
} Values;

static const Param params[] = {
    {"count", "number of bodies, of both together", "", PARAM_WHOLE, offsetof(Values, count), 200, 20000, 1e7, 10000},
    {"seed", "seed of the random scenes", "", PARAM_WHOLE, offsetof(Values, seed), 0, 1, 4294967295, 1},
};

static Status count(const void *values, size_t *spheres) {
    *spheres = (size_t)((const Values *)values)->count;
    return STATUS_OK;
}

static Status generate(const void *values, Scene *scene) {
    const Gravity gravity = {.constant = 1, .softening = 0.06f, .theta = 0.7f, .step = 0.02f, .substeps = 2};
    const size_t first = scene->count * 3 / 5;
    const double radius = galaxy_radius(scene->count, 11);
    Pcg pcg = pcg_seed((uint64_t)((const Values *)values)->seed, STREAM);
    const GalaxyPlan large = {.count = first,
                              .at = {-4, 0, -1.2},
                              .velocity = {0.45, 0, 0.12},
                              .tilt = 0.35,
                              .node = 0.6,
                              .mass = 1,
                              .size = 1,
                              .arms = {0.5f, 0.72f, 1},
                              .disc = {0.8f, 0.85f, 1},
                              .bulge = {1, 0.9f, 0.75f},
                              .radius = radius};
    const GalaxyPlan small = {.first = first,
                              .count = scene->count - first,
                              .at = {6, 0.6, 1.8},
                              .velocity = {-0.68, 0, -0.18},
                              .tilt = -0.9,
                              .node = 2.1,
                              .mass = 0.65,
                              .size = 0.85,
                              .arms = {1, 0.62f, 0.35f},
                              .disc = {1, 0.75f, 0.5f},
                              .bulge = {1, 0.6f, 0.35f},
                              .radius = radius};
    TRY(bodies_begin(scene, 100, gravity));
    galaxy_put(scene, &large, &pcg);
    galaxy_put(scene, &small, &pcg);
    bodies_centre(scene);
    bodies_look_from(scene, (Point){0, 11, 13}, 45);
    return STATUS_OK;
}

const SceneGenerator scene_collision = {"collision",
                                        "Two galaxies that meet.",
                                        {params, sizeof params / sizeof params[0], sizeof(Values)},
                                        count,
                                        generate};
