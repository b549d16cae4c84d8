/* rows.c: scaling by rows, shared out among the cores. */
#include "core/device/backend.h"
#include "core/ops/expose.h"
#include "core/ops/reduce.h"
#include "cpu/team.h"

/* By channel: alpha stays. */
typedef struct Factors {
    double of[REDUCE_CHANNELS];
} Factors;

static Factors factors_of(const Stage *stage) {
    const Shape shape = stage->out.shape;
    const Reduction light = reduction_of(stage->in[0], 0);
    const double factor = expose_factor(expose_job(stage)->key, light.count, light.sum);
    Factors factors = {{factor, factor, factor, factor}};
    if (shape_has_alpha(shape))
        factors.of[shape.channels - 1] = 1;
    return factors;
}

#define ROW(name, type)                                                                                                \
    static void name(const Stage *stage, size_t y) {                                                                   \
        const Factors factors = factors_of(stage);                                                                     \
        const int channels = stage->out.shape.channels;                                                                \
        const type *from = view_row(stage->in[1], y);                                                                  \
        float *to = view_row(stage->out, y);                                                                           \
        for (size_t x = 0; x < stage->out.shape.width; x++, from += channels, to += channels)                          \
            for (int c = 0; c < channels; c++)                                                                         \
                to[c] = (float)((double)from[c] * factors.of[c]);                                                      \
    }
ROW(row_u8, uint8_t)
ROW(row_u16, uint16_t)
ROW(row_f32, float)

static Status run(Queue *queue, const Stage *stage) {
    static TeamStageRow *const rows[PIXEL_TYPES] = {row_u8, row_u16, row_f32};
    cpu_share_stage(queue, stage, rows[stage->in[1].shape.type]);
    return STATUS_OK;
}

const Level cpu_expose_rows = {
    .op = &op_expose,
    .name = "rows",
    .idea = "rows on all cores, by a loop for each type",
    .run = run,
};
