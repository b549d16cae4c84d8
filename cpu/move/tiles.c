/* tiles.c: rows that become columns, in tiles: both the rows read and the rows written stay in the nearest cache. */
#include "core/device/backend.h"
#include "cpu/move/pixel.h"
#include "cpu/team.h"

#if defined(__SSE2__)
#    include <emmintrin.h>
#endif

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

#if defined(__SSE2__)
enum { BLOCK = 16 };

/* 16 columns of 16 bytes as rows: bytes of two rows take turns, four times. */
static void turn_block(const unsigned char *from, ptrdiff_t across, ptrdiff_t down, unsigned char *to, size_t stride) {
    __m128i rows[BLOCK], mixed[BLOCK];
    for (ptrdiff_t x = 0; x < BLOCK; x++)
        rows[x] = _mm_loadu_si128((const __m128i *)(const void *)(from + x * across + (down < 0 ? 1 - BLOCK : 0)));
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < BLOCK / 2; i++) {
            mixed[2 * i] = _mm_unpacklo_epi8(rows[i], rows[i + BLOCK / 2]);
            mixed[2 * i + 1] = _mm_unpackhi_epi8(rows[i], rows[i + BLOCK / 2]);
        }
        memcpy(rows, mixed, sizeof rows);
    }
    for (size_t y = 0; y < BLOCK; y++)
        _mm_storeu_si128((__m128i *)(void *)(to + y * stride), rows[down < 0 ? BLOCK - 1 - y : y]);
}

/* Single bytes in blocks; what is left over at the sides pixel by pixel. */
static void turn_bytes(const unsigned char *from, ptrdiff_t across, ptrdiff_t down, unsigned char *to, size_t stride,
                       size_t width, size_t height) {
    const size_t x_end = width / BLOCK * BLOCK, y_end = height / BLOCK * BLOCK;
    for (size_t y = 0; y < y_end; y += BLOCK)
        for (size_t x = 0; x < x_end; x += BLOCK)
            turn_block(from + (ptrdiff_t)x * across + (ptrdiff_t)y * down, across, down, to + y * stride + x, stride);
    turn_1(from + (ptrdiff_t)x_end * across, across, down, to + x_end, stride, width - x_end, y_end);
    turn_1(from + (ptrdiff_t)y_end * down, across, down, to + y_end * stride, stride, width, height - y_end);
}
#else
#    define turn_bytes turn_1
#endif

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

/* The job that all bands share. */
typedef struct Turning {
    const Stage *stage;
    Turn *turn;
    size_t bytes; /* of a pixel */
    unsigned char outside[MOVE_PIXEL_MAX];
    MoveInside columns, rows; /* of the turned picture, which has the input's rows for columns */
    ptrdiff_t across, down;
} Turning;

static void turn_band(const void *shared, size_t left, size_t top, void *scratch) {
    const Turning *job = shared;
    const ImageView in = job->stage->in[0], out = job->stage->out;
    const MoveInside columns = job->columns, rows = job->rows;
    const size_t end = top + TILE < out.shape.height ? top + TILE : out.shape.height;
    const size_t first = top > rows.first ? top : rows.first, last = end < rows.end ? end : rows.end;
    (void)left, (void)scratch;
    for (size_t y = top; y < end; y++)
        for (size_t x = 0; x < out.shape.width; x++)
            if (y >= first && y < last && x == columns.first && columns.end > columns.first)
                x = columns.end - 1;
            else
                copy_pixel(job->stage, job->bytes, job->outside, x, y);
    for (size_t x = columns.first; first < last && x < columns.end; x += TILE)
        job->turn((const unsigned char *)view_row(in, 0) +
                      (columns.at + (job->across < 0 ? -1 : 1) * (ptrdiff_t)(x - columns.first)) *
                          (ptrdiff_t)in.stride +
                      (rows.at + (job->down < 0 ? -1 : 1) * (ptrdiff_t)(first - rows.first)) * (ptrdiff_t)job->bytes,
                  job->across, job->down, (unsigned char *)view_row(out, first) + x * job->bytes, out.stride,
                  columns.end - x < TILE ? columns.end - x : TILE, last - first);
}

static Status run(Queue *queue, const Stage *stage) {
    static Turn *const turns[MOVE_PIXEL_MAX + 1] = {
#define ENTRY(bytes, Pixel) [bytes] = turn_##bytes,
        PIXELS(ENTRY)
#undef ENTRY
    };
    const MoveJob *job = move_job(stage);
    const Shape in = stage->in[0].shape, out = stage->out.shape;
    Turning turning = {.stage = stage,
                       .columns = move_inside(job->left, job->width, in.height, job->mirror_x),
                       .rows = move_inside(job->top, job->height, in.width, job->mirror_y)};
    turning.bytes = move_outside(job, out, turning.outside);
    turning.turn = turning.bytes == 1 ? turn_bytes : turns[turning.bytes];
    turning.across = job->mirror_x ? -(ptrdiff_t)stage->in[0].stride : (ptrdiff_t)stage->in[0].stride;
    turning.down = job->mirror_y ? -(ptrdiff_t)turning.bytes : (ptrdiff_t)turning.bytes;
    cpu_share_tiles(queue, &(TeamTiles){out.width, out.height, out.width, TILE, NULL, 0}, turn_band, &turning);
    return STATUS_OK;
}

const Level cpu_move_tiles = {
    .op = &op_move,
    .name = "tiles",
    .idea = "quarter turns in tiles, so that the columns read stay in the cache until their neighbours are read, too",
    .accepts = accepts,
    .run = run,
};
