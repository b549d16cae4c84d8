/* rows.c: rows that stay rows: copied in one piece, or backwards; only pixels beyond the edges ask where they lie. */
#include "core/device/backend.h"
#include "cpu/isa.h"
#include "cpu/move/pixel.h"
#include "cpu/move/reverse.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

/* Pixels of a row at the given columns; beyond the edges, `outside`. */
#define PICK(bytes, Pixel)                                                                                             \
    static void pick_##bytes(const void *row, const ptrdiff_t *columns, const void *outside, void *to, size_t count) { \
        Pixel *at = to; /* NOLINT(bugprone-macro-parentheses): a type */                                               \
        for (size_t i = 0; i < count; i++)                                                                             \
            at[i] = columns[i] < 0 ? *(const Pixel *)outside : ((const Pixel *)row)[columns[i]];                       \
    }
PIXELS(PICK)

typedef void Pick(const void *row, const ptrdiff_t *columns, const void *outside, void *to, size_t count);

/* The job that all rows share. */
typedef struct Row {
    const Stage *stage;
    size_t bytes; /* of a pixel */
    unsigned char outside[MOVE_PIXEL_MAX];
    MoveInside inside;
    const ptrdiff_t *columns; /* of all pixels beyond the edges: where they lie */
    Pick *pick;
    MoveReverse *reverse;
} Row;

static void copy_row(const Row *row, size_t y) {
    const Stage *stage = row->stage;
    const MoveJob *job = move_job(stage);
    const ptrdiff_t source = move_row(job, stage->in[0].shape, y);
    const size_t first = row->inside.first, end = row->inside.end, width = stage->out.shape.width;
    unsigned char *to = view_row(stage->out, y);
    if (source < 0) {
        for (size_t x = 0; x < width; x++)
            memcpy(to + x * row->bytes, row->outside, row->bytes);
        return;
    }
    const unsigned char *from = view_row(stage->in[0], (size_t)source);
    row->pick(from, row->columns, row->outside, to, first);
    if (job->mirror_x)
        row->reverse(from + row->inside.at * (ptrdiff_t)row->bytes, to + first * row->bytes, end - first);
    else
        memcpy(to + first * row->bytes, from + row->inside.at * (ptrdiff_t)row->bytes, (end - first) * row->bytes);
    row->pick(from, row->columns + end, row->outside, to + end * row->bytes, width - end);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "its rows become columns";
    return !move_job(stage)->transpose;
}

static void share_row(const void *row, size_t y) {
    copy_row(row, y);
}

static size_t workspace(const Device *device, const Stage *stage) {
    (void)device;
    return stage->out.shape.width * sizeof(ptrdiff_t);
}

static Status run(Queue *queue, const Stage *stage) {
    static Pick *const picks[MOVE_PIXEL_MAX + 1] = {
#define ENTRY(bytes, Pixel) [bytes] = pick_##bytes,
        PIXELS(ENTRY)
#undef ENTRY
    };
    MoveReverse *const *const reverses[ISA_LEVELS] = {reverse_portable, reverse_avx2, reverse_avx512};
    const MoveJob *job = move_job(stage);
    const Shape in = stage->in[0].shape, out = stage->out.shape;
    Row row = {.stage = stage, .inside = move_inside(job->left, job->width, in.width, job->mirror_x)};
    void *scratch;
    TRY(cpu_scratch(queue, workspace(queue->device, stage), &scratch));
    ptrdiff_t *columns = scratch;
    for (size_t x = 0; x < out.width; x++)
        if (x < row.inside.first || x >= row.inside.end)
            columns[x] = move_column(job, in, x);
    row.columns = columns;
    row.bytes = move_outside(job, out, row.outside);
    row.pick = picks[row.bytes];
    row.reverse = reverses[isa_detect()][row.bytes];
    cpu_share_rows(queue, out.height, share_row, &row);
    return STATUS_OK;
}

const Level cpu_move_rows = {
    .op = &op_move,
    .name = "rows",
    .idea = "rows copied in one piece, or backwards, and shared out among the cores; only pixels beyond the edges are "
            "looked up one by one",
    .accepts = accepts,
    .workspace = workspace,
    .run = run,
};
