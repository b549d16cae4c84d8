/* table.c: a program of functions of one 8- or 16-bit value is a table of all its results; where other functions stand
 * between such, the runs of them are tables. */
#include "core/backend.h"
#include "cpu/point/tables.h"

#include <stdint.h>

/* A pixel for every value that is stored; as colours are, or as alpha is. */
static Status make_table(const Stage *stage, double (*result)(const PointJob *job, int first, int count, double v),
                         int threads, Image **table) {
    const long count = stage->in[0].shape.type == PIXEL_U8 ? 256 : 65536;
    const PointJob *job = point_job(stage);
    TRY(image_create((Shape){(size_t)count, 1, 1, stage->out.shape.type}, table));
    const ImageView view = (*table)->view;
#pragma omp parallel for num_threads(threads) schedule(static) if (count > 256)
    for (long i = 0; i < count; i++)
        view_set_value(view, (size_t)i, 0, 0, result(job, 0, job->count, (double)i));
    return STATUS_OK;
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
    const PointJob *job = point_job(stage);
    *why_not = "none of its steps depends on one 8- or 16-bit value alone, or encodes light as u8, in a large picture";
    for (int i = 0; i < job->count; i++)
        if (point_table_steps(stage, i) > 0 || point_has_stairs(stage, i))
            return true;
    return false;
}

static Status run_whole(Queue *queue, const Stage *stage) {
    Image *table = NULL, *alphas = NULL;
    const size_t channels = (size_t)stage->out.shape.channels;
    const long height = (long)stage->out.shape.height;
    const int threads = queue->device->threads;
    const bool alpha = shape_has_alpha(stage->out.shape);
    Status status = make_table(stage, point_value, threads, &table);
    if (status == STATUS_OK && alpha)
        status = make_table(stage, point_alpha, threads, &alphas);
    if (status == STATUS_OK) {
#pragma omp parallel for num_threads(threads) schedule(static)
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

static Status run(Queue *queue, const Stage *stage) {
    if (point_table_steps(stage, 0) == point_job(stage)->count)
        return run_whole(queue, stage);
    PointRow *const row = point_row_vectors();
    PointTables tables;
    const int threads = queue->device->threads;
    const long height = (long)stage->out.shape.height;
    TRY(point_tables_create(stage, threads, &tables));
#pragma omp parallel for num_threads(threads) schedule(static)
    for (long y = 0; y < height; y++) {
        PointScratch scratch;
        row(stage, tables.by_step, (size_t)y, &scratch);
    }
    point_tables_free(&tables);
    return STATUS_OK;
}

const Level cpu_point_table = {
    .op = &op_point,
    .name = "table",
    .idea = "what functions make of one value is looked up in a table of all 256 or 65536 results",
    .accepts = accepts,
    .run = run,
};
