/* measured.c: up to how many spheres a level of the trace is the fastest.
 * `cloud`, 1024 x 1024 pixels. Where light's paths are followed, in ms by bvh and wide: packed=400, 4.7 and 7.0;
 * cloud=100000, 12.0 and 13.6; cloud=1000000, 15.0 and 16.6; but sphereflake=6, which has 597871 of many sizes, 25.1
 * and 22.7 (sphereflake=5, 66430: 17.1 and 17.5). Whitted's light takes wide: sphereflake, 1.8 and 1.5. */
#include "gpu/trace/measured.h"

#include "core/scene/scene.h"
#include "core/tracer/trace.h"

#include <math.h>
#include <string.h>

/* How alike the rays of a warp are: TOGETHER for cameras whose rays stay together, and so on. Paths among spheres of
 * many sizes enter more boxes, since these overlap, and a wide node dismisses eight at once. */
typedef enum Rays { TOGETHER, APART, WHITTED, PATHS, PATHS_MANY_SIZES } Rays;

/* The first row that holds the scene, among those about its kind of rays, is the fastest. Testing all spheres, or all
 * that a warp can see, beats the BVH where they are few. */
static const struct {
    const char *level;
    Rays rays;
    size_t max; /* spheres */
} measured[] = {
    {"cull", TOGETHER, 5500},          {"bvh", TOGETHER, SIZE_MAX},          {"soa", APART, 60},
    {"wide", APART, SIZE_MAX},         {"wide", WHITTED, SIZE_MAX},          {"bvh", PATHS, SIZE_MAX},
    {"bvh", PATHS_MANY_SIZES, 200000}, {"wide", PATHS_MANY_SIZES, SIZE_MAX},
};

/* Whether the largest of some thousand spheres is more than ten times the smallest. */
static bool has_many_sizes(const Scene *scene) {
    const size_t step = scene->count / 1000 + 1;
    float min = INFINITY, max = 0;
    for (size_t i = 0; i < scene->count; i += step) {
        min = fminf(min, scene->spheres[i].radius);
        max = fmaxf(max, scene->spheres[i].radius);
    }
    return max > 10 * min;
}

static Rays rays_of(const TraceJob *job) {
    if (job->look == LOOK_WHITTED)
        return WHITTED;
    if (look_is_light(job->look))
        return has_many_sizes(job->scene) ? PATHS_MANY_SIZES : PATHS;
    return job->camera.kind == CAMERA_RANDOM ? APART : TOGETHER;
}

/* No time: the place in the table. */
static double predict(const Level *level, const Stage *stage) {
    const TraceJob *job = trace_job(stage);
    const Rays rays = rays_of(job);
    if (job->scene->triangle_count > 0 || job->look == LOOK_NODES)
        return INFINITY;
    for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++)
        if (measured[i].rays == rays && job->scene->count <= measured[i].max &&
            strcmp(measured[i].level, level->name) == 0)
            return (double)i;
    return INFINITY;
}

const Predictor trace_measured = {"NVIDIA H200", predict};
