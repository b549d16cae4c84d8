/* blocked.c: blocks of B that stay in the cache, and rows along which the innermost loop runs. */
#include "core/device/backend.h"
#include "core/ops/multiply.h"
#include "cpu/scratch.h"

#include <string.h>

enum { TERMS = 64, COLUMNS = 512 }; /* of a block of B: 128 KiB */

typedef struct Block {
    size_t k, x, terms, columns;
    const float *values; /* of B, rounded, COLUMNS in a row */
} Block;

static void take_block(const Stage *stage, Block *block, float *to) {
    const int dropped = precision_dropped(multiply_job(stage)->precision);
    for (size_t k = 0; k < block->terms; k++) {
        const float *b = (const float *)view_row(stage->in[1], block->k + k) + block->x;
        for (size_t x = 0; x < block->columns; x++)
            to[k * COLUMNS + x] = precision_round(b[x], dropped);
    }
    block->values = to;
}

/* Adds the block's part to a row of the product. */
static void add_row(const Stage *stage, const Block *block, size_t y) {
    const int dropped = precision_dropped(multiply_job(stage)->precision);
    const float *a = (const float *)view_row(stage->in[0], y) + block->k;
    float *restrict c = (float *)view_row(stage->out, y) + block->x;
    for (size_t k = 0; k < block->terms; k++) {
        const float factor = precision_round(a[k], dropped), *b = block->values + k * COLUMNS;
        for (size_t x = 0; x < block->columns; x++)
            c[x] += factor * b[x];
    }
}

static size_t workspace(const Device *device, const Stage *stage) {
    (void)device, (void)stage;
    return sizeof(float) * TERMS * COLUMNS;
}

static Status run(Queue *queue, const Stage *stage) {
    const MultiplySize size = multiply_size(stage);
    void *scratch;
    TRY(cpu_scratch(queue, workspace(queue->device, stage), &scratch));
    for (size_t y = 0; y < size.rows; y++)
        memset(view_row(stage->out, y), 0, size.columns * sizeof(float));
    for (size_t x = 0; x < size.columns; x += COLUMNS)
        for (size_t k = 0; k < size.terms; k += TERMS) {
            Block block = {.k = k,
                           .x = x,
                           .terms = size.terms - k < TERMS ? size.terms - k : TERMS,
                           .columns = size.columns - x < COLUMNS ? size.columns - x : COLUMNS};
            take_block(stage, &block, scratch);
            for (size_t y = 0; y < size.rows; y++)
                add_row(stage, &block, y);
        }
    return STATUS_OK;
}

const Level cpu_multiply_blocked = {
    .op = &op_multiply,
    .name = "blocked",
    .idea = "blocks of B that stay in the cache for all rows of A; the innermost loop runs along rows, so that the "
            "compiler makes vectors",
    .workspace = workspace,
    .run = run,
};
