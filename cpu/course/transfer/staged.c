/* staged.c: the way that a device with memory of its own asks for, on the host. It shows the price of copies that need
 * not be. */
#include "core/base/timing.h"
#include "core/device/backend.h"
#include "cpu/course/transfer/invert.h"
#include "cpu/scratch.h"

#include <string.h>

static size_t workspace(const Device *device, const Stage *stage) {
    (void)device;
    return shape_bytes(stage->out.shape);
}

static Status run(Queue *queue, const Stage *stage) {
    const size_t row = shape_row_bytes(stage->out.shape), height = stage->out.shape.height;
    Timeline *timeline = transfer_job(stage)->timeline;
    void *room;
    TRY(cpu_scratch(queue, row * height, &room));
    const double begin = clock_ms();
    for (size_t y = 0; y < height; y++)
        memcpy((char *)room + y * row, view_row(stage->in[0], y), row);
    const double there = clock_ms();
    invert_values(room, room, row * height, stage->out.shape.type);
    const double done = clock_ms();
    for (size_t y = 0; y < height; y++)
        memcpy(view_row(stage->out, y), (const char *)room + y * row, row);
    timeline_add(timeline, 'H', 0, 0, there - begin);
    timeline_add(timeline, 'K', 0, there - begin, done - there);
    timeline_add(timeline, 'D', 0, done - begin, clock_ms() - done);
    return STATUS_OK;
}

const Level cpu_transfer_staged = {
    .op = &op_transfer,
    .name = "staged",
    .idea = "copies the picture to a buffer, works there, and copies it back, as for a device with memory of its own",
    .workspace = workspace,
    .run = run,
};
