/* polyphase.h: a tile of the result, as polyphase.isa.c makes it. */
#ifndef GLINT_CPU_RESAMPLE_POLYPHASE_H
#define GLINT_CPU_RESAMPLE_POLYPHASE_H

#include "cpu/resample/tables.h"

typedef struct PolyphaseJob {
    const Stage *stage;
    ResampleTables tables;
    bool wide;      /* sums are double */
    size_t columns; /* of a tile, in result pixels */
    size_t rows;    /* of a tile, in result pixels */
    size_t band;    /* of them, that are made at once: at most a vector's lanes */
    size_t values;  /* of the longest piece of an input row that a tile reads, rounded up to whole steps */
    size_t ring;    /* input rows that a band reads, at most */
    size_t lanes;   /* of a vector */
    size_t bytes;   /* of scratch that a thread needs */
} PolyphaseJob;

/* The tile whose first result pixel is (x, y). */
typedef void PolyphaseRun(const PolyphaseJob *job, size_t x, size_t y, void *scratch);
extern PolyphaseRun *const polyphase_run_portable, *const polyphase_run_avx2, *const polyphase_run_avx512;

enum { POLYPHASE_STEP = 64 }; /* values: rows in scratch are multiples, so that loops need no ends */

#endif
