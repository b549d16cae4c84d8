/* measured.c: up to how many spheres a level of the trace is the fastest.
 * `cloud`, 1024 x 1024 pixels. Where light's paths are followed, in ms by bvh and wide: packed=400, 5.5 and 7.5;
 * cloud=100000, 14.6 and 15.3; sphereflake=6, which has 597871, 31.2 and 25.9. Whitted's light takes wide: sphereflake,
 * 1.8 and 1.5. */
#include "gpu/trace/measured.h"

#include "core/ops/trace.h"
#include "core/scene.h"

#include <math.h>
#include <string.h>

/* How alike the rays of a warp are: TOGETHER for cameras whose rays stay together, and so on. */
typedef enum Rays { TOGETHER, APART, WHITTED, PATHS } Rays;

/* Of the rows about the same rays that hold the scene, the first is the fastest. Testing all spheres, or all that a
 * warp can see, beats the hierarchy where they are few. */
static const struct {
    const char *level;
    Rays rays;
    size_t most; /* spheres */
} measured[] = {
    {"cull", TOGETHER, 5500}, {"bvh", TOGETHER, SIZE_MAX}, {"soa", APART, 60},          {"wide", APART, SIZE_MAX},
    {"bvh", PATHS, 200000},   {"wide", PATHS, SIZE_MAX},   {"wide", WHITTED, SIZE_MAX},
};

static Rays rays_of(const TraceJob *job) {
    if (look_is_light(job->look))
        return job->look == LOOK_WHITTED ? WHITTED : PATHS;
    return job->camera.kind == CAMERA_RANDOM ? APART : TOGETHER;
}

/* No time: the place in the table. */
static double predict(const Level *level, const Stage *stage) {
    const TraceJob *job = trace_job(stage);
    const Rays rays = rays_of(job);
    if (job->scene->triangle_count > 0 || job->look == LOOK_NODES)
        return INFINITY;
    for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++)
        if (measured[i].rays == rays && job->scene->count <= measured[i].most &&
            strcmp(measured[i].level, level->name) == 0)
            return (double)i;
    return INFINITY;
}

const Predictor trace_measured = {"NVIDIA H200", predict};
