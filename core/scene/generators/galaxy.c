/* galaxy.c: one galaxy, seen from above its disc. */
#include "core/scene/generators/bodies.h"
#include "core/scene/generators/scenes.h"

enum { STREAM = 6 };

typedef struct Values {
    double count, seed;
} Values;

static const Param params[] = {
    {"count", "number of bodies", "", PARAM_WHOLE, offsetof(Values, count), 100, 20000, 1e7, 10000},
    {"seed", "seed of the random scenes", "", PARAM_WHOLE, offsetof(Values, seed), 0, 1, 4294967295, 1},
};

static Status count(const void *values, size_t *spheres) {
    *spheres = (size_t)((const Values *)values)->count;
    return STATUS_OK;
}

static Status generate(const void *values, Scene *scene) {
    const Gravity gravity = {.constant = 1, .softening = 0.06f, .theta = 0.7f, .step = 0.02f, .substeps = 1};
    Pcg pcg = pcg_seed((uint64_t)((const Values *)values)->seed, STREAM);
    const GalaxyPlan plan = {.count = scene->count,
                             .mass = 1,
                             .size = 1,
                             .arms = {0.55f, 0.75f, 1},
                             .disc = {1, 0.82f, 0.6f},
                             .bulge = {1, 0.78f, 0.5f},
                             .radius = galaxy_radius(scene->count, 9)};
    TRY(bodies_begin(scene, 100, gravity));
    galaxy_put(scene, &plan, &pcg);
    bodies_centre(scene);
    bodies_look_from(scene, (Point){0, 8, 9}, 40);
    return STATUS_OK;
}

const SceneGenerator scene_galaxy = {"galaxy",
                                     "A galaxy of bodies that attract each other: disc, bulge and a dark halo.",
                                     {params, sizeof params / sizeof params[0], sizeof(Values)},
                                     count,
                                     generate};
