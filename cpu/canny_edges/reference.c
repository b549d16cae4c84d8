/* reference.c: the definition of edges: going over the picture until no edge grows. Never optimized. */
#include "core/device/backend.h"
#include "cpu/scratch.h"

#include "core/ops/canny.h"

enum { NOTHING, PEAK, EDGE };

static size_t workspace(const Device *device, const Stage *stage) {
    (void)device;
    return stage->out.shape.width * stage->out.shape.height;
}

/* A strong peak is an edge, and so is a peak of which the seams say so. */
static unsigned char begin(const Stage *stage, size_t x, size_t y) {
    const CannyJob *job = canny_job(stage);
    const size_t height = stage->out.shape.height;
    const double class = view_value(stage->in[0], x, y, 0);
    bool edge = class >= CANNY_STRONG;
    if (class < CANNY_WEAK || y < (size_t)job->above || y >= height - (size_t)job->below)
        return NOTHING;
    for (int r = 0; r < CANNY_SEAMS && job->cut; r++)
        edge |= (ptrdiff_t)y == job->seams[r] && ((const uint32_t *)view_row(stage->in[2], (size_t)r))[x] > 0;
    return edge ? EDGE : PEAK;
}

static bool touches_edge(const unsigned char *pixels, Shape shape, ptrdiff_t x, ptrdiff_t y) {
    for (ptrdiff_t ty = y - 1; ty <= y + 1; ty++)
        for (ptrdiff_t tx = x - 1; tx <= x + 1; tx++)
            if (tx >= 0 && ty >= 0 && tx < (ptrdiff_t)shape.width && ty < (ptrdiff_t)shape.height &&
                pixels[(size_t)ty * shape.width + (size_t)tx] == EDGE)
                return true;
    return false;
}

static void store(const Stage *stage, size_t x, size_t y, bool edge) {
    const CannyJob *job = canny_job(stage);
    const int channels = stage->out.shape.channels, colours = channels - job->alpha;
    for (int c = 0; c < colours; c++)
        view_set_value(stage->out, x, y, c, edge ? job->white : 0);
    if (job->alpha)
        view_set_value(stage->out, x, y, colours, view_value(stage->in[1], x, y, colours));
}

static Status run(Queue *queue, const Stage *stage) {
    const Shape shape = stage->out.shape;
    unsigned char *pixels;
    TRY(cpu_scratch(queue, workspace(queue->device, stage), (void **)&pixels));
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++)
            pixels[y * shape.width + x] = begin(stage, x, y);
    for (bool changed = true; changed && !queue_stops(queue);) {
        changed = false;
        for (size_t y = 0; y < shape.height; y++)
            for (size_t x = 0; x < shape.width; x++)
                if (pixels[y * shape.width + x] == PEAK && touches_edge(pixels, shape, (ptrdiff_t)x, (ptrdiff_t)y)) {
                    pixels[y * shape.width + x] = EDGE;
                    changed = true;
                }
    }
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++)
            store(stage, x, y, pixels[y * shape.width + x] == EDGE);
    return STATUS_OK;
}

const Level cpu_canny_edges_reference = {
    .op = &op_canny_edges,
    .name = "reference",
    .idea = "over the picture until no edge grows; every other level is checked against it",
    .workspace = workspace,
    .run = run,
};
