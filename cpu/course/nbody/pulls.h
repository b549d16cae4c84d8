/* pulls.h: the pulls of sources at targets, in vectors.
 * Owns the interface of pulls.isa.c. */
#ifndef GLINT_CPU_COURSE_NBODY_PULLS_H
#define GLINT_CPU_COURSE_NBODY_PULLS_H

#include "core/math/gravity.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sources that pull at targets which may be among them: target i is source `self` + i, whose own depth does not count.
 * `self` is PULLS_NOT_AMONG where none is. */
#define PULLS_NOT_AMONG ((ptrdiff_t)-0x40000000)

typedef struct PullsJob {
    const Body *targets, *sources;
    size_t target_count, source_count;
    ptrdiff_t self; /* may be negative, or beyond the sources, where only some targets are among them */
    float softening2;
    bool depth; /* is asked for; else the sums' is 0 */
} PullsJob;

/* Adds to `sums`, one a target. The vectors' inverse roots are estimates, which are made better; each source's pull is
 * off by 3e-7 of it at most. */
typedef void PullsRun(const PullsJob *job, Pull *sums);
extern PullsRun *const pulls_portable, *const pulls_avx2, *const pulls_avx512;
PullsRun *pulls_here(void); /* this processor's */

#endif
