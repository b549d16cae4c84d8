/* choose.c: where the last level of a ladder is not the fastest.
 * Measured with 1024 x 1024 pixels on two cores with AVX-512 (Xeon, Sapphire Rapids), in ms a frame of `cloud`:
 * The last three ran beside other work.
 *
 *   spheres   20     2000   20000   50000   100000
 *   sorted    0.31   2.13   20.1    31.7    40.0
 *   wide      0.74   2.94   15.8    15.8    23.6
 */
#include "core/ops/trace.h"
#include "core/scene.h"
#include "cpu/backend.h"

enum { SORTED_MOST = 2000 }; /* spheres that `sorted` shows faster than `wide` */

const Level *cpu_choose(const Device *device, const Stage *stage) {
    const char *why_not;
    if (stage->op != &op_trace || trace_job(stage)->scene->count > SORTED_MOST)
        return NULL;
    const Level *sorted = level_by_name(device->backend, &op_trace, "sorted");
    return level_accepts(sorted, device, stage, &why_not) ? sorted : NULL;
}
