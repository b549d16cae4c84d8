/* ray_counters.h: the costs of rays, counted where a file asks for it.
 * A file that counts defines RAY_COUNTERS before it includes this; in all others counting is no instruction. */
#ifndef GLINT_CORE_MATH_RAY_COUNTERS_H
#define GLINT_CORE_MATH_RAY_COUNTERS_H

#include <stdint.h>

typedef enum Counter {
    COUNTER_CAMERA_RAYS,    /* rays from the camera */
    COUNTER_SHADOW_RAYS,    /* rays to light sources */
    COUNTER_SECONDARY_RAYS, /* rays that were reflected, refracted or scattered */
    COUNTER_NODES,          /* nodes of the BVH that rays visited */
    COUNTER_TESTS,          /* spheres that rays were tested against */
    COUNTERS
} Counter;

typedef struct RayCounters {
    uint64_t counts[COUNTERS];
} RayCounters;

static inline double counters_rays(const RayCounters *counters) {
    return (double)(counters->counts[COUNTER_CAMERA_RAYS] + counters->counts[COUNTER_SHADOW_RAYS] +
                    counters->counts[COUNTER_SECONDARY_RAYS]);
}
static inline double counters_per_ray(const RayCounters *counters, Counter kind) {
    const double rays = counters_rays(counters);
    return rays > 0 ? (double)counters->counts[kind] / rays : 0;
}

/* Counts one of a kind. The owner is the struct with a member RayCounters *counters. */
#ifdef RAY_COUNTERS
#    define RAY_COUNT(owner, kind) ((void)(owner)->counters->counts[COUNTER_##kind]++)
#else
#    define RAY_COUNT(owner, kind) ((void)0)
#endif

#endif
