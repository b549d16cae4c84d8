/* lattice.c: equal spheres at equal distances in a cube of side 1000 around the origin, coloured by where they are. */
#include "core/scene/generators/scenes.h"

typedef struct Values {
    double n, radius;
} Values;

static const Param params[] = {
    {"n", "number of spheres along an edge", "", PARAM_WHOLE, offsetof(Values, n), 1, 12, 1000, 1},
    {"radius", "of a sphere; at 0.5 neighbours touch", "spacings", PARAM_NUMBER, offsetof(Values, radius), 0.01, 0.3, 1,
     0.05},
};

static Status count(const void *values, size_t *spheres) {
    const size_t n = (size_t)((const Values *)values)->n;
    *spheres = n * n * n;
    return STATUS_OK;
}

/* The middle of cell i of n, 0 to 1. */
static float middle(size_t i, size_t n) {
    return ((float)i + 0.5f) / (float)n;
}

static Status generate(const void *values, Scene *scene) {
    const Values *v = values;
    const size_t n = (size_t)v->n;
    const float side = 1000, radius = (float)(v->radius * (double)side / (double)n);
    for (size_t i = 0; i < scene->count; i++) {
        const float x = middle(i % n, n), y = middle(i / n % n, n), z = middle(i / n / n, n);
        scene->spheres[i] = (Sphere){.x = side * (x - 0.5f),
                                     .y = side * (y - 0.5f),
                                     .z = side * (z - 0.5f),
                                     .radius = radius,
                                     .red = 0.1f + 0.9f * x,
                                     .green = 0.1f + 0.9f * y,
                                     .blue = 0.1f + 0.9f * z};
    }
    return STATUS_OK;
}

const SceneGenerator scene_lattice = {"lattice",
                                      "n x n x n equal spheres in a cube of side 1000 around the origin.",
                                      {params, sizeof params / sizeof params[0], sizeof(Values)},
                                      count,
                                      generate};
