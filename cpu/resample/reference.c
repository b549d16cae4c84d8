/* reference.c: the definition of resampling in double precision: all weights of both axes for each value. Never
 * optimized. */
#include "cpu/resample/tables.h"
#include "cpu/team.h"

static double weighted_sum(const ResampleTables *tables, ImageView in, size_t x, size_t y, int c) {
    const ResampleTable *across = tables->x, *down = tables->y;
    double sum = 0;
    for (int j = 0; j < down->taps; j++)
        for (int i = 0; i < across->taps; i++)
            sum += down->weights[y * (size_t)down->taps + (size_t)j] *
                   across->weights[x * (size_t)across->taps + (size_t)i] *
                   view_value(in, (size_t)across->first[x] + (size_t)i, (size_t)down->first[y] + (size_t)j, c);
    return sum;
}

typedef struct Rows {
    const Stage *stage;
    ResampleTables tables;
} Rows;

static void resample_row(const void *job, size_t y) {
    const Rows *rows = job;
    const Stage *stage = rows->stage;
    const double bias = stage->out.shape.type == PIXEL_F32 ? 0 : TIE_BIAS;
    for (size_t x = 0; x < stage->out.shape.width; x++)
        for (int c = 0; c < stage->out.shape.channels; c++)
            view_set_value(stage->out, x, y, c, weighted_sum(&rows->tables, stage->in[0], x, y, c) + bias);
}

static Status run(Queue *queue, const Stage *stage) {
    Rows rows = {.stage = stage};
    TRY(resample_tables(queue, stage, &rows.tables));
    cpu_share_rows(queue, stage->out.shape.height, resample_row, &rows);
    return STATUS_OK;
}

const Level cpu_resample_reference = {
    .op = &op_resample,
    .name = "reference",
    .idea = "double precision, the weights of both axes multiplied for every neighbour: slow, readable; every other "
            "level is checked against it",
    .run = run,
};
