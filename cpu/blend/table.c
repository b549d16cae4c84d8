/* table.c: the blend of two bytes is looked up. The table has a row for each value of the source and a column for each
 * of the backdrop. It is the blend of two gradients. */
#include "core/device/backend.h"
#include "core/ops/histogram.h"
#include "cpu/blend/measured.h"
#include "cpu/blend/rows.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

enum { SIDE = BLEND_TABLE_SIDE, ENTRIES = BLEND_TABLE_ENTRIES };

/* All modes alike cost two loads a value. Channels beyond the colours are those of the picture. */
static inline __attribute__((always_inline)) void look_up(const uint8_t *table, const uint8_t *in, const uint8_t *other,
                                                          uint8_t *out, size_t width, int channels, int others) {
    const int colours = channels % 2 ? channels : channels - 1;
    for (size_t x = 0; x < width; x++, in += channels, other += others, out += channels) {
        for (int c = 0; c < colours; c++)
            out[c] = table[SIDE * other[others < 3 ? 0 : c] + in[c]];
        if (colours < channels)
            out[colours] = in[colours];
    }
}

typedef struct Shared {
    const Stage *stage;
    const uint8_t *table;
} Shared;

static void share_row(const void *work, size_t y) {
    const Shared *shared = work;
    const Stage *stage = shared->stage;
    const uint8_t *table = shared->table;
    const uint8_t *in = view_row(stage->in[0], y), *other = view_row(stage->in[1], y);
    uint8_t *out = view_row(stage->out, y);
    const size_t width = stage->out.shape.width;
    const int channels = stage->in[0].shape.channels, others = stage->in[1].shape.channels;
    if (channels == others && channels % 2) /* a value like any other */
        look_up(table, in, other, out, width * (size_t)channels, 1, 1);
    else if (channels == 4)
        look_up(table, in, other, out, width, 4, others);
    else if (channels == 3)
        look_up(table, in, other, out, width, 3, others);
    else
        look_up(table, in, other, out, width, channels, others);
}

static size_t workspace(const Device *device, const Stage *stage) {
    (void)device, (void)stage;
    return 3 * (size_t)ENTRIES; /* the table and the gradients */
}

static Status run(Queue *queue, const Stage *stage) {
    const Shape square = {SIDE, SIDE, 1, PIXEL_U8};
    uint8_t *planes;
    TRY(cpu_scratch(queue, workspace(queue->device, stage), (void **)&planes));
    uint8_t *const table = planes, *const across = planes + ENTRIES, *const down = planes + 2 * (size_t)ENTRIES;
    for (int i = 0; i < ENTRIES; i++)
        across[i] = (uint8_t)(i % SIDE), down[i] = (uint8_t)(i / SIDE);
    Stage gradients = *stage;
    gradients.in[0] = (Frame){.shape = square, .stride = SIDE, .pixels = across};
    gradients.in[1] = (Frame){.shape = square, .stride = SIDE, .pixels = down};
    gradients.out = (Frame){.shape = square, .stride = SIDE, .pixels = table};
    blend_rows(queue, &gradients);
    cpu_share_rows(queue, stage->out.shape.height, share_row, &(Shared){stage, table});
    return STATUS_OK;
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const BlendJob *job = blend_job(stage);
    const Shape in = stage->in[0].shape, other = stage->in[1].shape;
    (void)device;
    *why_not = "only two bytes have few enough pairs for a table";
    if (in.type != PIXEL_U8 || other.type != PIXEL_U8)
        return false;
    *why_not = "the result of a pixel depends on alpha or on a mask, too";
    return !job->masked && (job->ignore_alpha || (!shape_has_alpha(in) && !shape_has_alpha(other)));
}

const Level cpu_blend_table = {
    .op = &op_blend,
    .name = "table",
    .idea = "the result of every pair of two bytes is computed once, and looked up",
    .accepts = accepts,
    .workspace = workspace,
    .predictor = &cpu_blend_measured,
    .run = run,
};
