/* rows.c: rows that stay rows: copied in one piece, or backwards; only pixels beyond the edges ask where they lie. */
#include "core/device/backend.h"
#include "cpu/move/pixel.h"
#include "cpu/team.h"

#define REVERSE(bytes, Pixel)                                                                                          \
    static void reverse_##bytes(const void *last, void *to, size_t count) {                                            \
        const Pixel *from = last;                                                                                      \
        Pixel *at = to; /* NOLINT(bugprone-macro-parentheses): a type */                                               \
        for (size_t i = 0; i < count; i++)                                                                             \
            at[i] = from[-(ptrdiff_t)i];                                                                               \
    }
PIXELS(REVERSE)

typedef void Reverse(const void *last, void *to, size_t count);

/* The job that all rows share. */
typedef struct Row {
    const Stage *stage;
    size_t bytes; /* of a pixel */
    unsigned char outside[MOVE_PIXEL_MAX];
    MoveInside inside;
    Reverse *reverse;
} Row;

static void copy_edge(const Row *row, size_t x, size_t end, const unsigned char *from, unsigned char *to) {
    const Stage *stage = row->stage;
    for (; x < end; x++) {
        const ptrdiff_t column = move_column(move_job(stage), stage->in[0].shape, x);
        memcpy(to + x * row->bytes, column < 0 ? row->outside : from + (size_t)column * row->bytes, row->bytes);
    }
}

static void copy_row(const Row *row, size_t y) {
    const Stage *stage = row->stage;
    const MoveJob *job = move_job(stage);
    const ptrdiff_t source = move_row(job, stage->in[0].shape, y);
    const size_t count = row->inside.end - row->inside.first;
    unsigned char *to = view_row(stage->out, y);
    if (source < 0) {
        for (size_t x = 0; x < stage->out.shape.width; x++)
            memcpy(to + x * row->bytes, row->outside, row->bytes);
        return;
    }
    const unsigned char *from = view_row(stage->in[0], (size_t)source);
    copy_edge(row, 0, row->inside.first, from, to);
    if (job->mirror_x)
        row->reverse(from + (size_t)row->inside.at * row->bytes, to + row->inside.first * row->bytes, count);
    else
        memcpy(to + row->inside.first * row->bytes, from + (size_t)row->inside.at * row->bytes, count * row->bytes);
    copy_edge(row, row->inside.end, stage->out.shape.width, from, to);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "its rows become columns";
    return !move_job(stage)->transpose;
}

static void share_row(const void *row, size_t y) {
    copy_row(row, y);
}

static Status run(Queue *queue, const Stage *stage) {
    static Reverse *const reverses[MOVE_PIXEL_MAX + 1] = {
#define ENTRY(bytes, Pixel) [bytes] = reverse_##bytes,
        PIXELS(ENTRY)
#undef ENTRY
    };
    const MoveJob *job = move_job(stage);
    Row row = {.stage = stage, .inside = move_inside(job->left, job->width, stage->in[0].shape.width, job->mirror_x)};
    row.bytes = move_outside(job, stage->out.shape, row.outside);
    row.reverse = reverses[row.bytes];
    cpu_share_rows(queue, stage->out.shape.height, share_row, &row);
    return STATUS_OK;
}

const Level cpu_move_rows = {
    .op = &op_move,
    .name = "rows",
    .idea = "rows copied in one piece, or backwards, and shared out among the cores; only pixels beyond the edges are "
            "looked up one by one",
    .accepts = accepts,
    .run = run,
};
