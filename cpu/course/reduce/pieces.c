/* pieces.c: totals of pieces, each in a place of its own, added up in their order. */
#include "cpu/course/reduce/pieces.h"

#include "cpu/scratch.h"
#include "cpu/team.h"

#include <stdatomic.h>

static size_t rows_each(Shape shape) {
    const size_t rows = PIECE_BYTES / shape_row_bytes(shape);
    return rows > 0 ? rows : 1;
}

static size_t piece_count(Shape shape) {
    return (shape.height + rows_each(shape) - 1) / rows_each(shape);
}

size_t pieces_workspace(const Device *device, const Stage *stage) {
    (void)device;
    return piece_count(stage->in[0].shape) * sizeof(Totals);
}

typedef struct Pieces {
    const Stage *stage;
    const TotalsTable *table;
    PieceRun *run;
    size_t run_bytes;
    Totals *totals;    /* one a piece */
    atomic_bool *full; /* NULL, or: no value can change the extrema any more, which are all that is asked for */
} Pieces;

/* Whether all channels of whole numbers have their type's least and largest value. */
static bool is_full(Shape shape, const Totals *totals) {
    const double white = pixel_type_white(shape.type);
    bool full = shape.type < PIXEL_F32;
    for (int c = 0; c < shape.channels && full; c++)
        full = totals->minimum[c] <= 0 && totals->maximum[c] >= white;
    return full;
}

/* `bytes` of values from byte `x` of row `y` on. */
static void add_runs(const Pieces *pieces, size_t y, size_t bytes, Totals *to) {
    const Stage *stage = pieces->stage;
    const char *a = view_row(stage->in[0], y), *b = stage->in[1].pixels ? view_row(stage->in[1], y) : NULL;
    const size_t size = pixel_type_size(stage->in[0].shape.type);
    for (size_t at = 0; at < bytes && !(pieces->full && atomic_load(pieces->full)); at += pieces->run_bytes) {
        const size_t some = bytes - at < pieces->run_bytes ? bytes - at : pieces->run_bytes;
        pieces->run(stage, pieces->table, a + at, b ? b + at : NULL, some / size, to);
        if (pieces->full && is_full(stage->in[0].shape, to))
            atomic_store(pieces->full, true);
    }
}

/* Rows without gaps between them are one. */
static bool is_packed(Frame frame) {
    return !frame.pixels || frame.stride == shape_row_bytes(frame.shape);
}

static void add_piece(const void *work, size_t piece, size_t thread) {
    const Pieces *pieces = work;
    const Stage *stage = pieces->stage;
    const Shape shape = stage->in[0].shape;
    const size_t begin = piece * rows_each(shape), rest = shape.height - begin;
    const size_t rows = rest < rows_each(shape) ? rest : rows_each(shape), bytes = shape_row_bytes(shape);
    Totals totals = totals_none;
    (void)thread;
    if (is_packed(stage->in[0]) && is_packed(stage->in[1]))
        add_runs(pieces, begin, rows * bytes, &totals);
    else
        for (size_t y = begin; y < begin + rows; y++)
            add_runs(pieces, y, bytes, &totals);
    pieces->totals[piece] = totals;
}

Status pieces_total(Queue *queue, const Stage *stage, PieceRun *run, size_t run_bytes, bool shared, Totals *totals) {
    const size_t count = piece_count(stage->in[0].shape);
    atomic_bool full = false;
    Pieces pieces = {stage, totals_table(), run, run_bytes, NULL, run_bytes == LONG_RUN_BYTES ? &full : NULL};
    void *room;
    TRY(cpu_scratch(queue, pieces_workspace(queue->device, stage), &room));
    pieces.totals = room;
    for (size_t i = 0; i < count; i++) /* pieces that a stopped queue leaves out count, too */
        pieces.totals[i] = totals_none;
    if (shared)
        cpu_share(queue, count, add_piece, &pieces);
    for (size_t i = 0; i < count && !shared; i++)
        add_piece(&pieces, i, 0);
    *totals = totals_none;
    for (size_t i = 0; i < count; i++)
        totals_add(totals, &pieces.totals[i]);
    return STATUS_OK;
}

/* Makes the figures that the job asks for, one after the other: the values are in the nearest cache after the first. */
static void reduce_run(const Stage *stage, const TotalsTable *table, const void *a, const void *b, size_t count,
                       Totals *to) {
    const Shape shape = stage->in[0].shape;
    _Alignas(64) char differences[RUN_BYTES];
    if (b) {
        table->differences[shape.type](a, b, count, differences);
        a = differences;
    }
    for (int pass = 0; pass < TOTALS_PASSES; pass++)
        if (reduce_job(stage)->what & 1U << pass)
            table->passes[pass][shape.type][shape.channels - 1](a, count, to);
}

Status pieces_reduce(Queue *queue, const Stage *stage, bool shared) {
    const bool reads_once = reduce_job(stage)->what == REDUCE_EXTREMA && !stage->in[1].pixels;
    Totals totals;
    TRY(pieces_total(queue, stage, reduce_run, reads_once ? LONG_RUN_BYTES : RUN_BYTES, shared, &totals));
    totals_store(stage, &totals);
    return STATUS_OK;
}
