/* cloud.c: as many spheres as wished, uniform in a cube of side 1000 around the origin. Many spheres are small, so that
 * about the same part of the cube is filled. */
#include "core/math/pcg.h"
#include "core/scene/generators/scenes.h"

#include <math.h>

enum { STREAM = 3, FEW = 20 };

typedef struct Values {
    double count, seed;
} Values;

static const Param params[] = {
    {"count", "number of spheres", "", PARAM_WHOLE, offsetof(Values, count), 1, 2000, 1e8, 1000},
    {"seed", "seed of the random scenes", "", PARAM_WHOLE, offsetof(Values, seed), 0, 1, 4294967295, 1},
};

static Status count(const void *values, size_t *spheres) {
    const Values *v = values;
    *spheres = (size_t)v->count;
    return STATUS_OK;
}

static Status generate(const void *values, Scene *scene) {
    const Values *v = values;
    const float side = 1000, base = scene->count == FEW ? 70 : (float)(350 / cbrt((double)scene->count));
    Pcg pcg = pcg_seed((uint64_t)v->seed, STREAM);
    for (size_t i = 0; i < scene->count; i++) {
        Sphere *sphere = &scene->spheres[i];
        sphere->x = side * (pcg_float(&pcg) - 0.5f);
        sphere->y = side * (pcg_float(&pcg) - 0.5f);
        sphere->z = side * (pcg_float(&pcg) - 0.5f);
        sphere->radius = base * (0.5f + pcg_float(&pcg));
        sphere->red = pcg_float(&pcg);
        sphere->green = pcg_float(&pcg);
        sphere->blue = pcg_float(&pcg);
    }
    return STATUS_OK;
}

const SceneGenerator scene_cloud = {"cloud",
                                    "Spheres by the million in a cube of side 1000; the more, the smaller.",
                                    {params, sizeof params / sizeof params[0], sizeof(Values)},
                                    count,
                                    generate};
