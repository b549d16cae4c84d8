/* reference.c: a point function, one pixel after the other. Never optimized. */
#include "cpu/levels.h"
#include "cpu/point/row.h"

Status cpu_point_reference(Device *device, const Stage *stage) {
    (void)device;
    for (size_t y = 0; y < stage->out.shape.height; y++)
        point_row(stage, y);
    return STATUS_OK;
}
