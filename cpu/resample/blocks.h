/* blocks.h: means of blocks of whole pixels, a row of them, as blocks.isa.c makes it. */
#ifndef GLINT_CPU_RESAMPLE_BLOCKS_H
#define GLINT_CPU_RESAMPLE_BLOCKS_H

#include "core/stage/stage.h"

typedef struct BlocksJob {
    const Stage *stage;
    size_t across, down; /* pixels of a block */
    size_t left, top;    /* where the first one begins in the input */
    bool stream;         /* write past the caches: the output is larger than they are */
} BlocksJob;

enum {
    BLOCKS_MAX = 16,      /* pixels of a block's side */
    BLOCKS_COLUMNS = 256, /* result pixels that are made at once: their sums stay in the first-level cache */
    BLOCKS_STEP = 64      /* values: room behind the sums of a row */
};

/* Row y of the result; `sums` is 4 * (4 * BLOCKS_COLUMNS * (across + 1) + 2 * BLOCKS_STEP) bytes of scratch. */
typedef void BlocksRun(const BlocksJob *job, size_t y, void *sums);
extern BlocksRun *const blocks_run_portable[PIXEL_TYPES], *const blocks_run_avx2[PIXEL_TYPES],
                                                              *const blocks_run_avx512[PIXEL_TYPES];

#endif
