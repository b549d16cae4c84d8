/* measured.c: up to how many spheres a level of the trace is the fastest.
 * `cloud`, 1024 x 1024 pixels. Spheres of many sizes are best with wide, where light's paths are followed, and so is
 * Whitted's light. In ms:
 *                                                  bvh    wide
 *     paths, packed=400                            4.7    7.0
 *     paths, cloud=100000                          12.0   13.6
 *     paths, cloud=1000000                         15.0   16.6
 *     paths, sphereflake=5 (66430 spheres)         17.1   17.5
 *     paths, sphereflake=6 (597871 spheres)        25.1   22.7
 *     Whitted's light, sphereflake                 1.8    1.5 */
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
    if (!scene_is_of_spheres(job->scene) || job->look == LOOK_NODES)
        return INFINITY;
    for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++)
        if (measured[i].rays == rays && job->scene->count <= measured[i].max &&
            strcmp(measured[i].level, level->name) == 0)
            return (double)i;
    return INFINITY;
}

const Predictor trace_measured = {"NVIDIA H200", predict};
