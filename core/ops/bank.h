/* bank.h: the operation bank: the answers of a filter bank's masks to a picture, as a contact sheet.
 * The first channel of in[0] counts, whatever its type; out is f32x1. The answers of mask k, at every `step`th pixel of
 * every `step`th row, are tile k, row by row. A row has `across` tiles; tiles that are left over are 0.
 * The answers are a product of matrices: masks x weights by weights x pixels. The second is never stored (implicit
 * im2col): each of its values is one of the picture's. */
#ifndef GLINT_CORE_OPS_BANK_H
#define GLINT_CORE_OPS_BANK_H

#include "core/image/border.h"
#include "core/param/bank.h"
#include "core/stage/stage.h"

typedef struct BankJob {
    Bank *bank; /* the job's owner owns it */
    Border border;
    int step, across;
} BankJob;

extern const Op op_bank;

static inline const BankJob *bank_job(const Stage *stage) {
    return (const BankJob *)stage->job;
}

/* A tile's size, and how many rows of them there are. */
typedef struct BankTiles {
    size_t width, height, down;
} BankTiles;

static inline BankTiles bank_tiles(const BankJob *job, Shape in) {
    const size_t step = (size_t)job->step;
    const BankTiles tiles = {(in.width + step - 1) / step, (in.height + step - 1) / step,
                             (size_t)((job->bank->count + job->across - 1) / job->across)};
    return tiles;
}

#endif
