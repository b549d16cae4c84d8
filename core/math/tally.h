/* tally.h: what rays cost, counted where somebody wants to know.
 * A file that counts defines TALLY_COUNTS before it includes this; in all others counting is no instruction. */
#ifndef GLINT_CORE_MATH_TALLY_H
#define GLINT_CORE_MATH_TALLY_H

#include <stdint.h>

typedef enum TallyKind {
    TALLY_EYE,       /* rays from the camera */
    TALLY_SHADOW,    /* rays to light sources */
    TALLY_SECONDARY, /* rays that were reflected, refracted or scattered */
    TALLY_NODES,     /* nodes of the hierarchy that rays visited */
    TALLY_TESTS,     /* spheres that rays were tested against */
    TALLIES
} TallyKind;

typedef struct Tally {
    uint64_t counts[TALLIES];
} Tally;

static inline double tally_rays(const Tally *tally) {
    return (double)(tally->counts[TALLY_EYE] + tally->counts[TALLY_SHADOW] + tally->counts[TALLY_SECONDARY]);
}
static inline double tally_per_ray(const Tally *tally, TallyKind kind) {
    const double rays = tally_rays(tally);
    return rays > 0 ? (double)tally->counts[kind] / rays : 0;
}

/* Counts one of a kind. The owner is what holds a Tally *tally. */
#ifdef TALLY_COUNTS
#    define TALLY(owner, kind) ((void)(owner)->tally->counts[TALLY_##kind]++)
#else
#    define TALLY(owner, kind) ((void)0)
#endif

#endif
