/* spheres.c: random spheres in a cube of side 1000 around the origin; 20 of them are the course's scene. */
#include "core/math/pcg.h"
#include "core/scene/generators/scenes.h"

enum { STREAM = 2 }; /* of PCG32; pictures of noise take stream 1 */

typedef struct Values {
    double count, seed, min, max;
} Values;

static const Param params[] = {
    {"count", "number of spheres", "", PARAM_WHOLE, offsetof(Values, count), 1, 20, 1e7, 10},
    {"seed", "seed of the random scenes", "", PARAM_WHOLE, offsetof(Values, seed), 0, 1, 4294967295, 1},
    {"minimum", "the smallest radius", "world units", PARAM_NUMBER, offsetof(Values, min), 0.01, 20, 1000, 5},
    {"maximum", "the largest radius", "world units", PARAM_NUMBER, offsetof(Values, max), 0.01, 120, 1000, 5},
};

static Status count(const void *values, size_t *spheres) {
    const Values *v = values;
    if (v->min > v->max)
        return fail(STATUS_USAGE, "spheres: minimum is %g and maximum %g, want minimum <= maximum", v->min, v->max);
    *spheres = (size_t)v->count;
    return STATUS_OK;
}

static float between(float min, float max, Pcg *pcg) {
    return min + (max - min) * pcg_float(pcg);
}

static Status generate(const void *values, Scene *scene) {
    const Values *v = values;
    const float min = (float)v->min, max = (float)v->max, half = 500;
    Pcg pcg = pcg_seed((uint64_t)v->seed, STREAM);
    for (size_t i = 0; i < scene->count; i++) {
        Sphere *sphere = &scene->spheres[i];
        sphere->red = pcg_float(&pcg);
        sphere->green = pcg_float(&pcg);
        sphere->blue = pcg_float(&pcg);
        sphere->x = between(-half, half, &pcg);
        sphere->y = between(-half, half, &pcg);
        sphere->z = between(-half, half, &pcg);
        sphere->radius = between(min, max, &pcg);
    }
    return STATUS_OK;
}

const SceneGenerator scene_spheres = {"spheres",
                                      "Random spheres in a cube of side 1000 around the origin.",
                                      {params, sizeof params / sizeof params[0], sizeof(Values)},
                                      count,
                                      generate};
