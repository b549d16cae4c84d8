/* reference.c: the definition of a filter bank's answers, in double precision. */
#include "core/device/backend.h"
#include "core/ops/bank.h"
#include "core/stage/window.h"
#include "cpu/team.h"

static double answer(const BankJob *job, ImageView in, size_t mask, ptrdiff_t x, ptrdiff_t y) {
    const Bank *bank = job->bank;
    const float *weights = bank->weights + mask * bank_terms(bank);
    double sum = 0;
    for (int j = 0; j < bank->height; j++)
        for (int i = 0; i < bank->width; i++)
            sum += (double)weights[j * bank->width + i] *
                   window_value(in, job->border, x + i - bank->width / 2, y + j - bank->height / 2, 0);
    return sum;
}

static void bank_row(const Stage *stage, size_t y) {
    const BankJob *job = bank_job(stage);
    const BankTiles tiles = bank_tiles(job, stage->in[0].shape);
    float *to = view_row(stage->out, y);
    for (size_t x = 0; x < stage->out.shape.width; x++) {
        const size_t mask = y / tiles.height * (size_t)job->across + x / tiles.width;
        to[x] = mask < (size_t)job->bank->count
                    ? (float)answer(job, stage->in[0], mask, (ptrdiff_t)(x % tiles.width * (size_t)job->step),
                                    (ptrdiff_t)(y % tiles.height * (size_t)job->step))
                    : 0;
    }
}

static Status run(Queue *queue, const Stage *stage) {
    cpu_share_stage(queue, stage, bank_row);
    return STATUS_OK;
}

const Level cpu_bank_reference = {
    .op = &op_bank,
    .name = "reference",
    .idea = "every mask at every place by itself, in double precision; every other level is checked against it",
    .run = run,
};
