/* tiles.c: rows that become columns, in tiles: both the rows read and the rows written stay in the nearest cache. */
#include "core/backend.h"
#include "cpu/move/pixel.h"

enum { TILE = 32 }; /* pixels a side: of 16 bytes, 32 KiB are read and written */

/* Rows of the result from `from` on, whose next pixel is `across` bytes on and whose next row is `down` bytes on. */
#define TURN(bytes, Pixel)                                                                                             \
    static void turn_##bytes(const unsigned char *from, ptrdiff_t across, ptrdiff_t down, unsigned char *to,           \
                             size_t stride, size_t width, size_t height) {                                             \
        for (size_t y = 0; y < height; y++, from += down, to += stride) {                                              \
            const unsigned char *at = from;                                                                            \
            Pixel *row = (Pixel *)(void *)to; /* NOLINT(bugprone-macro-parentheses): a type */                         \
            for (size_t x = 0; x < width; x++, at += across)                                                           \
                row[x] = *(const Pixel *)(const void *)at;                                                             \
        }                                                                                                              \
    }
PIXELS(TURN)

typedef void Turn(const unsigned char *from, ptrdiff_t across, ptrdiff_t down, unsigned char *to, size_t stride,
                  size_t width, size_t height);

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "its rows stay rows";
    return move_job(stage)->transpose;
}

/* A pixel that may lie beyond an edge. */
static void copy_pixel(const Stage *stage, size_t bytes, const unsigned char *outside, size_t x, size_t y) {
    const MoveJob *job = move_job(stage);
    const ImageView in = stage->in[0];
    const ptrdiff_t column = move_column(job, in.shape, x), row = move_row(job, in.shape, y);
    memcpy((unsigned char *)view_row(stage->out, y) + x * bytes,
           column < 0 || row < 0 ? outside : (const unsigned char *)view_row(in, (size_t)column) + (size_t)row * bytes,
           bytes);
}

static Status run(Queue *queue, const Stage *stage) {
    static Turn *const turns[MOVE_PIXEL_MAX + 1] = {
#define ENTRY(bytes, Pixel) [bytes] = turn_##bytes,
        PIXELS(ENTRY)
#undef ENTRY
    };
    const MoveJob *job = move_job(stage);
    const ImageView in = stage->in[0], out = stage->out;
    unsigned char outside[MOVE_PIXEL_MAX];
    const size_t bytes = move_outside(job, out.shape, outside);
    Turn *const turn = turns[bytes];
    /* the turned picture has the input's rows for columns */
    const MoveInside columns = move_inside(job->left, job->width, in.shape.height, job->mirror_x);
    const MoveInside rows = move_inside(job->top, job->height, in.shape.width, job->mirror_y);
    const ptrdiff_t across = job->mirror_x ? -(ptrdiff_t)in.stride : (ptrdiff_t)in.stride;
    const ptrdiff_t down = job->mirror_y ? -(ptrdiff_t)bytes : (ptrdiff_t)bytes;
    const long bands = (long)((out.shape.height + TILE - 1) / TILE);
#pragma omp parallel for num_threads(queue->device->threads) schedule(static)
    for (long band = 0; band < bands; band++) {
        const size_t top = (size_t)band * TILE, end = top + TILE < out.shape.height ? top + TILE : out.shape.height;
        const size_t first = top > rows.first ? top : rows.first, last = end < rows.end ? end : rows.end;
        for (size_t y = top; y < end; y++)
            for (size_t x = 0; x < out.shape.width; x++)
                if (y >= first && y < last && x == columns.first && columns.end > columns.first)
                    x = columns.end - 1;
                else
                    copy_pixel(stage, bytes, outside, x, y);
        for (size_t x = columns.first; first < last && x < columns.end; x += TILE)
            turn((const unsigned char *)view_row(in, 0) +
                     (columns.at + (job->mirror_x ? -1 : 1) * (ptrdiff_t)(x - columns.first)) * (ptrdiff_t)in.stride +
                     (rows.at + (job->mirror_y ? -1 : 1) * (ptrdiff_t)(first - rows.first)) * (ptrdiff_t)bytes,
                 across, down, (unsigned char *)view_row(out, first) + x * bytes, out.stride,
                 columns.end - x < TILE ? columns.end - x : TILE, last - first);
    }
    return STATUS_OK;
}

const Level cpu_move_tiles = {
    .op = &op_move,
    .name = "tiles",
    .idea = "quarter turns in tiles, so that the columns read stay in the cache until their neighbours are read, too",
    .accepts = accepts,
    .run = run,
};
