/* bank.c: the needs, costs and tolerances of a filter bank. */
#include "core/ops/bank.h"

#include "core/math/pcg.h"
#include "core/stage/op.h"

#include <math.h>
#include <stdio.h>

static void job_free(void *job) {
    bank_destroy(&((BankJob *)job)->bank);
}

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    const BankJob *bank = job;
    (void)type; /* whatever the chain stores: answers are f32 */
    const BankTiles tiles = bank_tiles(bank, in[0]);
    *out = (Shape){tiles.width * (size_t)bank->across, tiles.height * tiles.down, 1, PIXEL_F32};
    return STATUS_OK;
}

/* The sheet's tiles show the picture many times. */
static Origin origin(const void *job, const Shape in[STAGE_INPUTS], Homography *map) {
    (void)job, (void)in;
    *map = homography_identity();
    return ORIGIN_NONE;
}

/* A row of the sheet shows a row of the picture, but the tiles of a column all of them. */
static Cost cost(const Stage *stage) {
    const BankJob *job = bank_job(stage);
    const BankTiles tiles = bank_tiles(job, stage->in[0].shape);
    return (Cost){(double)shape_bytes(stage->in[0].shape) + (double)shape_bytes(stage->out.shape),
                  2.0 * job->bank->count * (double)bank_terms(job->bank) * (double)tiles.width * (double)tiles.height};
}

static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    const BankJob *job = bank_job(stage);
    const double max = fmax(max_in, fabs((double)job->border.value));
    return verdict_of_sums(want, got, 4e-6 * bank_absolute_sum(job->bank) * max);
}

static size_t describe(const void *job, char *buffer, size_t size) {
    const BankJob *bank = job;
    char border[32];
    return (size_t)snprintf(buffer, size, "%d masks of %dx%d, step %d, border %s", bank->bank->count, bank->bank->width,
                            bank->bank->height, bank->step, border_format(bank->border, border, sizeof border));
}

static const struct {
    int count, width, height, step, across;
    Border border;
} examples[] = {
    {16, 9, 9, 1, 4, {BORDER_CLAMP, 0}},       {5, 3, 4, 1, 2, {BORDER_MIRROR, 0}},
    {48, 7, 5, 3, 6, {BORDER_CONSTANT, 0.7F}}, {1, 1, 1, 2, 1, {BORDER_WRAP, 0}},
    {70, 2, 11, 5, 70, {BORDER_ZERO, 0}},
};

/* Random weights of both signs, sum of |weights| about 1. */
static Status example(size_t index, Shape in, void *job) {
    BankJob *bank = job;
    Pcg pcg = pcg_seed(23, index);
    (void)in;
    *bank = (BankJob){NULL, examples[index].border, examples[index].step, examples[index].across};
    TRY(bank_create(examples[index].count, examples[index].width, examples[index].height, &bank->bank));
    const size_t terms = bank_terms(bank->bank);
    for (size_t i = 0; i < (size_t)examples[index].count * terms; i++)
        bank->bank->weights[i] = (2 * pcg_float(&pcg) - 1) * 2 / (float)terms;
    return STATUS_OK;
}

static void features(const Stage *stage, Features *features) {
    const BankJob *job = bank_job(stage);
    features->axes[1] = log2((double)job->bank->count * (double)bank_terms(job->bank)) / 2;
    snprintf(features->kind, sizeof features->kind, "%s", pixel_type_name(stage->in[0].shape.type));
}

const Op op_bank = {
    .name = "bank",
    .help = "the answers of a filter bank's masks, side by side",
    .inputs = 1,
    .job_bytes = sizeof(BankJob),
    .job_free = job_free,
    .shape = shape,
    .needs = needs_whole,
    .origin = origin,
    .cost = cost,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = sizeof examples / sizeof examples[0],
    .features = features,
};
