/* rows.c: slopes once for each pixel, kept for the three rows that a row of peaks asks for. Cores share bands of
 * rows. */
#include "core/device/backend.h"
#include "cpu/canny_peaks/slope.h"
#include "cpu/canny_peaks/slopes.h"
#include "cpu/isa.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

#include <string.h>

enum { BAND = 64 }; /* rows; the slopes of two more are found */

/* A thread's memory. The slopes of row y lie at y % 3, with a rim of one pixel without any; sums are on their way. */
typedef struct Ring {
    SlopeRow rows[3];
    double *sums;
} Ring;

static size_t ring_values(Shape in) {
    return 9 * (in.width + 2) + 2 * in.width * (size_t)in.channels + SLOPES_BEHIND / sizeof(double);
}

static size_t ring_bytes(const Stage *stage) {
    return (ring_values(stage->in[0].shape) * sizeof(double) + 63) / 64 * 64;
}

static size_t workspace(const Device *device, const Stage *stage) {
    return (size_t)device->threads * ring_bytes(stage);
}

static Ring ring_begin(double *memory, size_t width, PixelType type) {
    const size_t pitch = width + 2;
    Ring ring = {.sums = memory + 9 * pitch};
    for (size_t i = 0; i < 3; i++) {
        double *at = memory + 3 * i * pitch + 1;
        ring.rows[i] = (SlopeRow){at, at + pitch, at + 2 * pitch};
        slope_put(type, at + 2 * pitch, -1, 0);
        slope_put(type, at + 2 * pitch, (ptrdiff_t)width, 0);
    }
    return ring;
}

/* Row `y`, which may lie just beyond the picture: then there are none. */
static void find_slopes(const Stage *stage, ptrdiff_t y, const Ring *ring) {
    SlopesOfRow *const *const sets[ISA_LEVELS] = {slopes_portable, slopes_avx2, slopes_avx512};
    const ImageView in = stage->in[0];
    const ptrdiff_t width = (ptrdiff_t)in.shape.width, height = (ptrdiff_t)in.shape.height;
    const int channels = in.shape.channels, colours = channels - canny_job(stage)->alpha;
    const SlopeRow to = ring->rows[(y + 3) % 3];
    if (y < 0 || y >= height) {
        memset(to.magnitudes, 0, (size_t)width * slope_bytes(in.shape.type));
        return;
    }
    const bool inside = y > 0 && y + 1 < height && width > 2;
    if (inside) {
        const void *const rows[] = {view_row(in, (size_t)y - 1), view_row(in, (size_t)y), view_row(in, (size_t)y + 1)};
        sets[isa_detect()][in.shape.type](rows, in.shape.width, colours, channels, ring->sums, to);
    }
    for (ptrdiff_t x = 0; x < width; x += inside && x == 0 ? width - 1 : 1) {
        const CannySlope slope = canny_slope_at(stage, x, y);
        slope_put(in.shape.type, to.right, x, slope.x);
        slope_put(in.shape.type, to.down, x, slope.y);
        slope_put(in.shape.type, to.magnitudes, x, slope.magnitude);
    }
}

static void find_peaks(const Stage *stage, size_t y, const Ring *ring) {
    PeaksOfRow *const *const sets[ISA_LEVELS] = {peaks_portable, peaks_avx2, peaks_avx512};
    sets[isa_detect()][stage->in[0].shape.type](canny_job(stage), ring->rows[y % 3], ring->rows[(y + 2) % 3].magnitudes,
                                                ring->rows[(y + 1) % 3].magnitudes, stage->out.shape.width,
                                                view_row(stage->out, y));
}

static void share_band(const void *work, size_t x, size_t y, void *scratch) {
    const Stage *stage = work;
    const Ring ring = ring_begin(scratch, stage->in[0].shape.width, stage->in[0].shape.type);
    (void)x;
    find_slopes(stage, (ptrdiff_t)y - 1, &ring);
    find_slopes(stage, (ptrdiff_t)y, &ring);
    for (size_t row = y; row < y + BAND && row < stage->out.shape.height; row++) {
        find_slopes(stage, (ptrdiff_t)row + 1, &ring);
        find_peaks(stage, row, &ring);
    }
}

static Status run(Queue *queue, const Stage *stage) {
    const Shape shape = stage->out.shape;
    void *scratch;
    TRY(cpu_scratch(queue, workspace(queue->device, stage), &scratch));
    cpu_share_tiles(queue, &(TeamTiles){shape.width, shape.height, shape.width, BAND, scratch, ring_bytes(stage)},
                    share_band, stage);
    return STATUS_OK;
}

const Level cpu_canny_peaks_rows = {
    .op = &op_canny_peaks,
    .name = "rows",
    .idea = "slopes once a pixel, by vectors of all channels, kept for the three rows that a row of peaks asks for",
    .workspace = workspace,
    .run = run,
};
