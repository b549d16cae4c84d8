/* naive.c: every pixel against every sphere, one thread. */
#include "cpu/levels.h"
#include "cpu/trace/flat.h"

Status cpu_trace_naive(Device *device, const Stage *stage) {
    (void)device;
    const World world = {trace_job(stage)->scene};
    const Part part = trace_part(stage);
    Setting setting;
    TRY(setting_create(trace_job(stage)->scene, &setting));
    for (size_t y = 0; y < part_rows(part); y++)
        trace_row(stage, &world, &setting, part, y);
    setting_free(&setting);
    return STATUS_OK;
}
