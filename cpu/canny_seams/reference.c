/* reference.c: the definition of the seams' message: least numbers pass from peak to peak until none changes. Never
 * optimized. */
#include "core/device/backend.h"
#include "cpu/scratch.h"

#include "core/ops/canny.h"

/* The first value of a pixel: 0 for no peak, else twice a number and whether it is a strong peak. Numbers count from 1;
 * pixels in no seam have one that is larger than all others. */
static uint32_t begin(const Stage *stage, size_t x, size_t y) {
    const CannyJob *job = canny_job(stage);
    const Shape shape = stage->in[0].shape;
    const double class = view_value(stage->in[0], x, y, 0);
    size_t number = CANNY_SEAMS * shape.width;
    if (class < CANNY_WEAK || y < (size_t)job->above || y >= shape.height - (size_t)job->below)
        return 0;
    for (size_t r = CANNY_SEAMS; r-- > 0;)
        number = job->seams[r] == (int)y ? r * shape.width + x : number;
    return (uint32_t)(2 * (number + 1) + (class >= CANNY_STRONG));
}

/* The lesser number, and strong if either is. */
static uint32_t join(uint32_t a, uint32_t b) {
    return (a / 2 < b / 2 ? a : b) | (a | b) % 2;
}

static uint32_t joined(const uint32_t *pixels, Shape shape, size_t x, size_t y) {
    uint32_t value = pixels[y * shape.width + x];
    for (size_t ty = y > 0 ? y - 1 : 0; ty <= y + 1 && ty < shape.height && value > 0; ty++)
        for (size_t tx = x > 0 ? x - 1 : 0; tx <= x + 1 && tx < shape.width; tx++)
            if (pixels[ty * shape.width + tx] > 0)
                value = join(value, pixels[ty * shape.width + tx]);
    return value;
}

static size_t workspace(const Device *device, const Stage *stage) {
    (void)device;
    return stage->in[0].shape.width * stage->in[0].shape.height * sizeof(uint32_t);
}

static Status run(Queue *queue, const Stage *stage) {
    const Shape shape = stage->in[0].shape;
    uint32_t *pixels;
    TRY(cpu_scratch(queue, workspace(queue->device, stage), (void **)&pixels));
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++)
            pixels[y * shape.width + x] = begin(stage, x, y);
    for (bool changed = true; changed && !queue_stops(queue);) {
        changed = false;
        for (size_t y = 0; y < shape.height; y++)
            for (size_t x = 0; x < shape.width; x++) {
                const uint32_t value = joined(pixels, shape, x, y);
                changed |= value != pixels[y * shape.width + x];
                pixels[y * shape.width + x] = value;
            }
    }
    for (size_t r = 0; r < CANNY_SEAMS; r++) {
        const int y = canny_job(stage)->seams[r];
        uint32_t *row = view_row(stage->out, r);
        for (size_t x = 0; x < shape.width; x++)
            row[x] = y < 0 ? 0 : pixels[(size_t)y * shape.width + x];
    }
    return STATUS_OK;
}

const Level cpu_canny_seams_reference = {
    .op = &op_canny_seams,
    .name = "reference",
    .idea = "least numbers pass from peak to peak until none changes; every other level is checked against it",
    .workspace = workspace,
    .run = run,
};
