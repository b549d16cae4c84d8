/* threads.c: every pixel against every sphere, the rows shared out among the cores. */
#include "cpu/levels.h"
#include "cpu/trace/row.h"

Status cpu_trace_threads(Device *device, const Stage *stage) {
    const long height = (long)stage->out.shape.height;
#pragma omp parallel for num_threads(device->threads) schedule(dynamic, 8)
    for (long y = 0; y < height; y++)
        trace_row(stage, (size_t)y);
    return STATUS_OK;
}
