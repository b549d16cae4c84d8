/* naive.c: every pixel against every sphere, one thread. */
#include "cpu/levels.h"
#include "cpu/trace/row.h"

Status cpu_trace_naive(Device *device, const Stage *stage) {
    (void)device;
    Setting setting;
    TRY(setting_create(stage->trace.scene, &setting));
    for (size_t y = 0; y < stage->out.shape.height; y++)
        trace_row(stage, &setting, y);
    setting_free(&setting);
    return STATUS_OK;
}
