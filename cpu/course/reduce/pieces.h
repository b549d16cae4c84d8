/* pieces.h: pictures in pieces of some rows, and those in runs of values that fit the nearest cache.
 * The values of a piece and a run depend on the shape alone, not on the thread that carries it out. */
#ifndef GLINT_CPU_COURSE_REDUCE_PIECES_H
#define GLINT_CPU_COURSE_REDUCE_PIECES_H

#include "cpu/course/reduce/totals.h"

enum {
    RUN_BYTES = 64 * 252 /* whole pixels of every type; lanes of 32 bits hold its sums of squares */,
    LONG_RUN_BYTES = 16 * RUN_BYTES, /* for extrema alone: lanes become channels at the end of a run */
    PIECE_BYTES = 256 << 10
};

/* Adds a run of `count` values of the stage's inputs; `b` is NULL if it has one. */
typedef void PieceRun(const Stage *stage, const TotalsTable *table, const void *a, const void *b, size_t count,
                      Totals *to);

/* All runs of the stage's inputs, of so many bytes, on one thread or shared out among all. */
Status pieces_total(Queue *queue, const Stage *stage, PieceRun *run, size_t run_bytes, bool shared, Totals *totals);
size_t pieces_workspace(const Device *device, const Stage *stage);

/* The operation reduce, stored. */
Status pieces_reduce(Queue *queue, const Stage *stage, bool shared);

#endif
