/* windows.c: any rank in boxes of u8 by a histogram of every window of a row.
 * The counts of one value lie side by side. One vector adds a pixel that enters to all windows around it, and results
 * are found many at once. A result is near the one above (T. Huang et al. 1979). Rows enter and leave (S. Perreault and
 * P. Hebert 2007). */
#include "cpu/rank/windows.h"

#include "cpu/isa.h"
#include "cpu/rank/measured.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

enum {
    STRIP_NARROW = 192, /* results: all counts stay in the first-level cache, or nearly */
    STRIP_WIDE = 256,   /* so that few pixels next to a strip enter it */
    ROWS_MIN = 4,       /* of windows, that a strip is high at least: its first results cost one */
    STRIPS_EACH = 3     /* strips of a thread, so that none waits for long */
};

/* How a picture is cut into strips, and a strip's memory. */
typedef struct Cut {
    size_t width, rows, across, down;
    size_t columns, row_bytes, stride, before, bytes;
} Cut;

static size_t whole(size_t bytes) {
    return (bytes + 63) / 64 * 64;
}

static Cut cut(const Stage *stage, int threads) {
    const Shape shape = stage->out.shape;
    const Mask *window = rank_job(stage)->window;
    const size_t width = (size_t)window->width, height = (size_t)window->height, channels = (size_t)shape.channels;
    const bool is_narrow = windows_are_narrow(window);
    const size_t count = is_narrow ? 1 : 2; /* bytes */
    Cut cut = {.width = is_narrow ? STRIP_NARROW : STRIP_WIDE};
    cut.across = (shape.width + cut.width - 1) / cut.width;
    const size_t wanted = (size_t)threads * STRIPS_EACH, lines = cut.across * channels;
    cut.rows = shape.height / ((wanted + lines - 1) / lines) + 1;
    cut.rows = cut.rows > ROWS_MIN * height ? cut.rows : ROWS_MIN * height;
    cut.down = (shape.height + cut.rows - 1) / cut.rows;
    cut.columns = cut.width + width - 1;
    cut.row_bytes = whole(cut.columns * channels) + 64;
    cut.before = whole((width - 1) * count) / count;
    /* The windows' counts, and behind them what whole vectors touch. */
    cut.stride = whole((cut.before + cut.width) * count + width * count + 64);
    cut.bytes = cut.row_bytes + 4 * whole(cut.columns + 64) + WINDOWS_VALUES * cut.stride + 64;
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
    WindowsRun *run;
    Cut strips;
    uint8_t *scratch;
} Shared;

static void share_strip(const void *work, size_t i, size_t thread) {
    const Shared *shared = work;
    const Cut strips = shared->strips;
    const Shape shape = shared->stage->out.shape;
    const size_t channels = (size_t)shape.channels, strip = i / channels, x = strip % strips.across * strips.width;
    const size_t y = strip / strips.across * strips.rows, width = shape.width - x, keys = whole(strips.columns + 64);
    const size_t window = (size_t)rank_job(shared->stage)->window->width;
    uint8_t *own = shared->scratch + thread * strips.bytes, *rows = own + strips.row_bytes;
    shared->run(&(WindowsStrip){
        .stage = shared->stage,
        .channel = (int)(i % channels),
        .x = x,
        .y = y,
        .width = strips.width < width ? strips.width : width,
        .rows = strips.rows < shape.height - y ? strips.rows : shape.height - y,
        .columns = strips.width < width ? strips.columns
                                        : (width + WINDOWS_GROUP - 1) / WINDOWS_GROUP * WINDOWS_GROUP + window - 1,
        .row = own,
        .entering = rows,
        .leaving = rows + keys,
        .results = rows + 2 * keys,
        .changes = (int8_t *)(rows + 3 * keys),
        .counts = (char *)(rows + 4 * keys),
        .stride = strips.stride,
        .before = strips.before,
    });
}

static Status run(Queue *queue, const Stage *stage) {
    static WindowsRun *const *const runs[ISA_LEVELS] = {&windows_run_portable, &windows_run_avx2, &windows_run_avx512};
    const Cut strips = cut(stage, queue->device->threads);
    void *scratch;
    TRY(cpu_scratch(queue, strips.bytes * (size_t)queue->device->threads, &scratch));
    cpu_share(queue, strips.across * strips.down * (size_t)stage->out.shape.channels, share_strip,
              &(Shared){stage, *runs[isa_detect()], strips, scratch});
    return STATUS_OK;
}

const Level cpu_rank_windows = {
    .op = &op_rank,
    .name = "windows",
    .idea = "u8: a histogram of every window, one value's counts side by side: a pixel enters all windows around it by "
            "one vector",
    .accepts = accepts,
    .workspace = workspace,
    .predictor = &cpu_rank_measured,
    .run = run,
};
