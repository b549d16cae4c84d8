/* table.c: a function of one 8- or 16-bit value is a table of all its results. */
#include "core/backend.h"
#include "cpu/point/row.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Both images have a pixel for every value: the table is the function applied to the ramp of all values. */
static Status make_table(const Stage *stage, Image **table) {
    const PixelType in = stage->in[0].shape.type, out = stage->out.shape.type;
    const size_t count = in == PIXEL_U8 ? 256 : 65536;
    Image *ramp = NULL;
    TRY(image_create((Shape){count, 1, 1, in}, &ramp));
    for (size_t i = 0; i < count; i++)
        view_set_value(ramp->view, i, 0, 0, (double)i);
    const Status status = image_create((Shape){count, 1, 1, out}, table);
    if (status == STATUS_OK) {
        Stage map = *stage;
        map.in[0] = ramp->view;
        map.out = (*table)->view;
        point_row(&map, 0);
    }
    image_destroy(&ramp);
    return status;
}

#define LOOK_UP(In, Out)                                                                                               \
    for (size_t i = 0; i < count; i++)                                                                                 \
    ((Out *)to)[i] = ((const Out *)table)[((const In *)from)[i]]

static void look_up(PixelType in, PixelType out, const void *from, const void *table, void *to, size_t count) {
    if (in == PIXEL_U8 && out == PIXEL_U8)
        LOOK_UP(uint8_t, uint8_t);
    else if (in == PIXEL_U8 && out == PIXEL_U16)
        LOOK_UP(uint8_t, uint16_t);
    else if (in == PIXEL_U8)
        LOOK_UP(uint8_t, uint32_t);
    else if (out == PIXEL_U8)
        LOOK_UP(uint16_t, uint8_t);
    else if (out == PIXEL_U16)
        LOOK_UP(uint16_t, uint16_t);
    else
        LOOK_UP(uint16_t, uint32_t);
}

/* Alpha passes through every one of these functions unchanged but for its type. */
static void keep_alpha(const Stage *stage, size_t y) {
    const int alpha = stage->out.shape.channels - 1;
    for (size_t x = 0; x < stage->out.shape.width; x++)
        view_set_value(stage->out, x, y, alpha, view_value(stage->in[0], x, y, alpha));
}

/* A table of results is possible. */
static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "its result depends on more than one 8- or 16-bit value";
    return stage->in[0].shape.type != PIXEL_F32 && points[point_job(stage)->function].of_value;
}

static Status run(Device *device, const Stage *stage) {
    Image *table = NULL;
    TRY(make_table(stage, &table));
    const Shape shape = stage->out.shape;
    const long height = (long)shape.height;
#pragma omp parallel for num_threads(device->threads) schedule(static)
    for (long y = 0; y < height; y++) {
        look_up(stage->in[0].shape.type, shape.type, view_row(stage->in[0], (size_t)y), table->view.pixels,
                view_row(stage->out, (size_t)y), shape.width * (size_t)shape.channels);
        if (shape_has_alpha(shape))
            keep_alpha(stage, (size_t)y);
    }
    image_destroy(&table);
    return STATUS_OK;
}

const Level cpu_point_table = {
    .op = &op_point,
    .name = "table",
    .idea = "a pixel's value is looked up in a table of all 256 or 65536 results",
    .accepts = accepts,
    .run = run,
};
