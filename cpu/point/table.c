/* table.c: a function of one 8- or 16-bit value is a table of all its results. */
#include "core/backend.h"
#include "cpu/point/row.h"

#include <stdint.h>

/* Both images have a pixel for every value: the table is the function applied to the ramp of all values. */
static Status make_table(const Stage *stage, PointFunction function, Image **table) {
    const PixelType in = stage->in[0].shape.type, out = stage->out.shape.type;
    const size_t count = in == PIXEL_U8 ? 256 : 65536;
    Image *ramp = NULL;
    TRY(image_create((Shape){count, 1, 1, in}, &ramp));
    for (size_t i = 0; i < count; i++)
        view_set_value(ramp->view, i, 0, 0, (double)i);
    const Status status = image_create((Shape){count, 1, 1, out}, table);
    if (status == STATUS_OK) {
        PointJob job = *point_job(stage);
        Stage map = *stage;
        job.function = function;
        map.job = &job;
        map.in[0] = ramp->view;
        map.out = (*table)->view;
        point_row(&map, 0);
    }
    image_destroy(&ramp);
    return status;
}

#define LOOK_UP(In, Out)                                                                                               \
    for (size_t i = first; i < count; i += step)                                                                       \
    ((Out *)to)[i] = ((const Out *)table->view.pixels)[((const In *)from)[i]]

/* Every `step`th of `count` values, from `first` on. Bits are bits: floats are copied as integers. */
static void look_up(const Stage *stage, size_t y, const Image *table, size_t first, size_t step) {
    const PixelType in = stage->in[0].shape.type, out = stage->out.shape.type;
    const void *from = view_row(stage->in[0], y);
    void *to = view_row(stage->out, y);
    const size_t count = stage->out.shape.width * (size_t)stage->out.shape.channels;
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

/* A table of results is possible. */
static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "its result depends on more than one 8- or 16-bit value";
    return stage->in[0].shape.type != PIXEL_F32 && points[point_job(stage)->function].of_value;
}

/* Alpha passes through every one of these functions, unchanged but for its type. */
static Status run(Queue *queue, const Stage *stage) {
    Image *table = NULL, *alphas = NULL;
    const size_t channels = (size_t)stage->out.shape.channels;
    const long height = (long)stage->out.shape.height;
    const bool alpha = shape_has_alpha(stage->out.shape);
    Status status = make_table(stage, point_job(stage)->function, &table);
    if (status == STATUS_OK && alpha)
        status = make_table(stage, POINT_convert, &alphas);
    if (status == STATUS_OK) {
#pragma omp parallel for num_threads(queue->device->threads) schedule(static)
        for (long y = 0; y < height; y++) {
            look_up(stage, (size_t)y, table, 0, 1);
            if (alpha)
                look_up(stage, (size_t)y, alphas, channels - 1, channels);
        }
    }
    image_destroy(&table);
    image_destroy(&alphas);
    return status;
}

const Level cpu_point_table = {
    .op = &op_point,
    .name = "table",
    .idea = "a pixel's value is looked up in a table of all 256 or 65536 results",
    .accepts = accepts,
    .run = run,
};
