/* tables.h: the weights of a resampling, kept by the device from run to run. */
#ifndef GLINT_CPU_RESAMPLE_TABLES_H
#define GLINT_CPU_RESAMPLE_TABLES_H

#include "core/device/backend.h"
#include "core/ops/resample.h"

typedef struct ResampleTables {
    const ResampleTable *x, *y;
} ResampleTables;

/* For this call of the queue. STATUS_DEVICE if memory is short. */
Status resample_tables(Queue *queue, const Stage *stage, ResampleTables *tables);

#endif
