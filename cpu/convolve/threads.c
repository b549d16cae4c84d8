/* threads.c: interior, with the rows shared out among the cores. */
#include "cpu/convolve/interior.h"
#include "cpu/levels.h"

Status cpu_convolve_threads(Device *device, const Stage *stage) {
    const long height = (long)stage->out.shape.height;
#pragma omp parallel for num_threads(device->threads) schedule(dynamic, 8)
    for (long y = 0; y < height; y++)
        interior_row(stage, (size_t)y);
    return STATUS_OK;
}
