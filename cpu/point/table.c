/* table.c: a program of functions of one 8- or 16-bit value is a table of all its results. Where other functions stand
 * between such, each run of them is a table. */
#include "core/device/backend.h"
#include "cpu/point/tables.h"
#include "cpu/team.h"

#include <stdint.h>

enum { SOME = 256 }; /* values of a table that a thread makes at a time */

/* A pixel for every value that is stored; as colours are, or as alpha is. */
typedef double Result(const PointJob *job, int first, int count, double v);
typedef struct Making {
    const PointJob *job;
    Result *result;
    ImageView table;
} Making;

static void make_some(const void *work, size_t piece, size_t thread) {
    const Making *making = work;
    (void)thread;
    for (size_t i = piece * SOME; i < (piece + 1) * SOME; i++)
        view_set_value(making->table, i, 0, 0, making->result(making->job, 0, making->job->count, (double)i));
}

static Status make_table(Queue *queue, const Stage *stage, Result *result, Image **table) {
    const size_t count = stage->in[0].shape.type == PIXEL_U8 ? 256 : 65536;
    TRY(image_create((Shape){count, 1, 1, stage->out.shape.type}, table));
    cpu_share(queue, count / SOME, make_some, &(Making){point_job(stage), result, (*table)->view});
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

typedef struct Shared {
    const Stage *stage;
    const Image *table, *alphas; /* alphas: of pixels that have one, or NULL */
} Shared;

static void share_row(const void *work, size_t y) {
    const Shared *shared = work;
    const size_t channels = (size_t)shared->stage->out.shape.channels;
    look_up(shared->stage, y, shared->table, 0, 1);
    if (shared->alphas)
        look_up(shared->stage, y, shared->alphas, channels - 1, channels);
}

static Status run_whole(Queue *queue, const Stage *stage) {
    Image *table = NULL, *alphas = NULL;
    const bool alpha = shape_has_alpha(stage->out.shape);
    Status status = make_table(queue, stage, point_value, &table);
    if (status == STATUS_OK && alpha)
        status = make_table(queue, stage, point_alpha, &alphas);
    if (status == STATUS_OK)
        cpu_share_rows(queue, stage->out.shape.height, share_row, &(Shared){stage, table, alphas});
    image_destroy(&table);
    image_destroy(&alphas);
    return status;
}

static Status run(Queue *queue, const Stage *stage) {
    const bool are_bytes = stage->in[0].shape.type == PIXEL_U8 && stage->out.shape.type == PIXEL_U8;
    if (point_table_steps(stage, 0) == point_job(stage)->count && !are_bytes) /* rows look up bytes as vectors */
        return run_whole(queue, stage);
    PointTables tables;
    TRY(point_tables_create(queue, stage, &tables));
    point_run_rows(queue, stage, tables.by_step);
    point_tables_free(&tables);
    return STATUS_OK;
}

const Level cpu_point_table = {
    .op = &op_point,
    .name = "table",
    .idea = "functions of one value become a table of all 256 or 65536 results",
    .accepts = accepts,
    .run = run,
};
