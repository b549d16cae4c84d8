/* reference.c: the definition of peaks, pixel by pixel. Never optimized. */
#include "core/device/backend.h"
#include "cpu/canny_peaks/slope.h"
#include "cpu/team.h"

static double magnitude_at(const Stage *stage, ptrdiff_t x, ptrdiff_t y) {
    const Shape shape = stage->in[0].shape;
    const bool inside = x >= 0 && y >= 0 && x < (ptrdiff_t)shape.width && y < (ptrdiff_t)shape.height;
    return inside ? canny_slope_at(stage, x, y).magnitude : 0;
}

static void classify_row(const Stage *stage, size_t row) {
    unsigned char *classes = view_row(stage->out, row);
    const ptrdiff_t y = (ptrdiff_t)row;
    for (ptrdiff_t x = 0; x < (ptrdiff_t)stage->out.shape.width; x++) {
        const CannySlope slope = canny_slope_at(stage, x, y);
        const CannyDirection direction = canny_direction(slope);
        const int i = canny_step_x(direction), j = canny_step_y(direction);
        const bool peak = canny_peak(direction, slope.magnitude, magnitude_at(stage, x + i, y + j),
                                     magnitude_at(stage, x - i, y - j));
        classes[x] = canny_class(canny_job(stage), peak, slope.magnitude);
    }
}

static Status run(Queue *queue, const Stage *stage) {
    cpu_share_stage(queue, stage, classify_row);
    return STATUS_OK;
}

const Level cpu_canny_peaks_reference = {
    .op = &op_canny_peaks,
    .name = "reference",
    .idea = "slopes of a pixel and of its two neighbours, pixel by pixel; every other level is checked against it",
    .run = run,
};
