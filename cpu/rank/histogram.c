/* histogram.c: any rank in boxes of u8 by histograms of columns: the cost does not grow with the window.
 * S. Perreault and P. Hebert, Median filtering in constant time, IEEE Trans. Image Processing 16(9), 2007. The counts
 * here are cumulative, so that one comparison of sixteen counts finds a range, and another the value in it. */
#include "cpu/rank/histogram.h"

#include "cpu/isa.h"
#include "cpu/rank/measured.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

enum {
    STRIP_BYTES = 144 << 10, /* of histograms that should stay in the second-level cache */
    ROWS_MIN = 2,            /* of windows, that a strip is high at least: its first results cost one */
    STRIPS_EACH = 3          /* strips of a thread, so that none waits for long */
};

/* How a picture is cut into strips, and a strip's memory. */
typedef struct Cut {
    size_t width, rows, across, down;
    size_t columns, row_bytes, bytes;
} Cut;

static Cut cut(const Stage *stage, int threads) {
    const Shape shape = stage->out.shape;
    const size_t width = (size_t)rank_job(stage)->window->width, height = (size_t)rank_job(stage)->window->height;
    const size_t held = STRIP_BYTES / HISTOGRAM_BYTES;
    size_t results = held > 2 * width ? held - width : 2 * width;
    Cut cut = {.across = (shape.width + results - 1) / results};
    cut.width = (shape.width + cut.across - 1) / cut.across;
    cut.across = (shape.width + cut.width - 1) / cut.width;
    const size_t wanted = (size_t)threads * STRIPS_EACH, lines = cut.across * (size_t)shape.channels;
    cut.rows = shape.height / ((wanted + lines - 1) / lines) + 1;
    cut.rows = cut.rows > ROWS_MIN * height ? cut.rows : ROWS_MIN * height;
    cut.down = (shape.height + cut.rows - 1) / cut.rows;
    cut.columns = cut.width + width - 1;
    cut.row_bytes = (cut.columns * (size_t)shape.channels + 63) / 64 * 64;
    cut.bytes = 3 * cut.row_bytes + (cut.columns + 3) / 4 * 4 * HISTOGRAM_BYTES + 64;
    cut.bytes = (cut.bytes + 63) / 64 * 64;
    return cut;
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = stage->out.shape.type == PIXEL_U8 ? "the window is not a box" : "its counts are of u8";
    return stage->out.shape.type == PIXEL_U8 && element_is_box(rank_job(stage)->window);
}

static size_t workspace(const Device *device, const Stage *stage) {
    return cut(stage, device->threads).bytes * (size_t)device->threads;
}

typedef struct Shared {
    const Stage *stage;
    HistogramRun *run;
    Cut strips;
    uint8_t *scratch;
} Shared;

static void share_strip(const void *work, size_t i, size_t thread) {
    const Shared *shared = work;
    const Cut strips = shared->strips;
    const Shape shape = shared->stage->out.shape;
    const size_t channels = (size_t)shape.channels, strip = i / channels, x = strip % strips.across * strips.width;
    const size_t y = strip / strips.across * strips.rows;
    uint8_t *own = shared->scratch + thread * strips.bytes;
    shared->run(&(HistogramStrip){
        .stage = shared->stage,
        .channel = (int)(i % channels),
        .x = x,
        .y = y,
        .width = strips.width < shape.width - x ? strips.width : shape.width - x,
        .rows = strips.rows < shape.height - y ? strips.rows : shape.height - y,
        .entering = own,
        .leaving = own + strips.row_bytes,
        .results = own + 2 * strips.row_bytes,
        .ranges = own + 3 * strips.row_bytes,
        .columns = own + 3 * strips.row_bytes + (strips.columns + 3) / 4 * 4 * RANGES,
    });
}

static Status run(Queue *queue, const Stage *stage) {
    static HistogramRun *const *const runs[ISA_LEVELS] = {&histogram_run_portable, &histogram_run_avx2,
                                                          &histogram_run_avx512};
    const Cut strips = cut(stage, queue->device->threads);
    void *scratch;
    TRY(cpu_scratch(queue, strips.bytes * (size_t)queue->device->threads, &scratch));
    cpu_share(queue, strips.across * strips.down * (size_t)stage->out.shape.channels, share_strip,
              &(Shared){stage, *runs[isa_detect()], strips, scratch});
    return STATUS_OK;
}

const Level cpu_rank_histogram = {
    .op = &op_rank,
    .name = "histogram",
    .idea =
        "u8: histograms of columns, which a row enters and a row leaves; windows add and take away columns, whatever "
        "their size",
    .accepts = accepts,
    .workspace = workspace,
    .predictor = &cpu_rank_measured,
    .run = run,
};
