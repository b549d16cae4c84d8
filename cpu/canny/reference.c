/* reference.c: the definition of thin edges: slopes, peaks, and what is connected to strong ones, by going over the
 * picture until nothing changes. Never optimized. */
#include "core/backend.h"
#include "core/stop.h"
#include "cpu/canny/slopes.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

enum { NOTHING, WEAK, EDGE };

static double magnitude_at(const Stage *stage, ptrdiff_t x, ptrdiff_t y) {
    const Shape shape = stage->in[0].shape;
    const bool inside = x >= 0 && y >= 0 && x < (ptrdiff_t)shape.width && y < (ptrdiff_t)shape.height;
    return inside ? canny_slope_at(stage, x, y).magnitude : 0;
}

static unsigned char classify(const Stage *stage, ptrdiff_t x, ptrdiff_t y) {
    const CannyJob *job = canny_job(stage);
    const CannySlope slope = canny_slope_at(stage, x, y);
    const CannyDirection direction = canny_direction(slope);
    const int i = canny_step_x(direction), j = canny_step_y(direction);
    const bool peak =
        slope.magnitude > job->low &&
        canny_peak(direction, slope.magnitude, magnitude_at(stage, x + i, y + j), magnitude_at(stage, x - i, y - j));
    return !peak ? NOTHING : slope.magnitude > job->high ? EDGE : WEAK;
}

static bool touches_edge(const unsigned char *classes, Shape shape, ptrdiff_t x, ptrdiff_t y) {
    for (ptrdiff_t ty = y - 1; ty <= y + 1; ty++)
        for (ptrdiff_t tx = x - 1; tx <= x + 1; tx++)
            if (tx >= 0 && ty >= 0 && tx < (ptrdiff_t)shape.width && ty < (ptrdiff_t)shape.height &&
                classes[(size_t)ty * shape.width + (size_t)tx] == EDGE)
                return true;
    return false;
}

static size_t workspace(const Device *device, const Stage *stage) {
    (void)device;
    return stage->in[0].shape.width * stage->in[0].shape.height;
}

typedef struct Classifying {
    const Stage *stage;
    unsigned char *classes;
} Classifying;

static void classify_row(const void *job, size_t y) {
    const Classifying *all = job;
    const size_t width = all->stage->in[0].shape.width;
    for (size_t x = 0; x < width; x++)
        all->classes[y * width + x] = classify(all->stage, (ptrdiff_t)x, (ptrdiff_t)y);
}

static Status run(Queue *queue, const Stage *stage) {
    const Shape shape = stage->in[0].shape;
    unsigned char *classes;
    TRY(cpu_scratch(queue, workspace(queue->device, stage), (void **)&classes));
    cpu_share_rows(queue, shape.height, classify_row, &(Classifying){stage, classes});
    for (bool changed = true; changed && !queue_stops(queue);) {
        changed = false;
        for (size_t y = 0; y < shape.height; y++)
            for (size_t x = 0; x < shape.width; x++)
                if (classes[y * shape.width + x] == WEAK && touches_edge(classes, shape, (ptrdiff_t)x, (ptrdiff_t)y)) {
                    classes[y * shape.width + x] = EDGE;
                    changed = true;
                }
    }
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++)
            canny_store(stage, x, y, classes[y * shape.width + x] == EDGE);
    return STATUS_OK;
}

const Level cpu_canny_reference = {
    .op = &op_canny,
    .name = "reference",
    .idea = "slopes and peaks pixel by pixel, then over the picture until no edge grows: what every other level is "
            "checked against",
    .workspace = workspace,
    .run = run,
};
