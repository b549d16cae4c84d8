/* tables.h: the weights of a resampling on the device, for one result at a time or for groups of neighbours. */
#ifndef GLINT_GPU_RESAMPLE_TABLES_H
#define GLINT_GPU_RESAMPLE_TABLES_H

#include "core/ops/resample.h"
#include "gpu/gpu.h"

enum { RESAMPLE_TAPS_FLOAT = 32 }; /* more products than these would be off by too much in f32 */

/* An axis in groups of results. Group g's window begins at base[g] and has `span` pixels, the same for all groups.
 * There are `span` weights for each result, 0 where its own window is smaller. Pointers with _on are the device's. */
typedef struct GpuAxis {
    size_t groups;
    int group, span; /* results in a group; pixels of its window */
    int32_t *base;
    const int32_t *base_on;
    const void *weights_on; /* double if `wide`, else float */
} GpuAxis;

typedef struct GpuResampleTables {
    const GpuAxis *x, *y;
} GpuResampleTables;

/* Whether sums are double. */
bool gpu_resample_wide(const Stage *stage);
/* For this call of the queue. */
Status gpu_resample_tables(Queue *queue, const Stage *stage, int group, GpuResampleTables *tables);

/* The whole number by which a picture becomes smaller both ways, as a whole; 0 where there is none. */
int gpu_resample_whole(const Stage *stage);

#endif
