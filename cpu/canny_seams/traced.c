/* traced.c: peaks of seams, in the order of their numbers, followed to all that they are connected to. */
#include "cpu/canny_edges/follow.h"

#include <string.h>

/* Marks the pixels of seams that are connected to pixel number `number`, if that is a peak. None of them has a smaller
 * number. */
static void follow_seam(const Stage *stage, Peaks *peaks, size_t index, uint32_t number) {
    size_t first = peaks->count;
    peaks_start(peaks, index);
    const uint32_t value = 2 * (number + 1) + peaks_follow(peaks, first);
    for (; first < peaks->count; first++) {
        const size_t y = peaks->walked[first] / peaks->pitch - 1, x = peaks->walked[first] % peaks->pitch - 1;
        for (size_t r = 0; r < CANNY_SEAMS; r++)
            if (canny_job(stage)->seams[r] == (int)y)
                ((uint32_t *)view_row(stage->out, r))[x] = value;
    }
}

static Status run(Queue *queue, const Stage *stage) {
    const size_t width = stage->out.shape.width;
    Peaks peaks;
    TRY(peaks_begin(queue, stage, &peaks));
    for (size_t r = 0; r < CANNY_SEAMS; r++)
        memset(view_row(stage->out, r), 0, width * sizeof(uint32_t));
    for (size_t r = 0; r < CANNY_SEAMS; r++) {
        const int y = canny_job(stage)->seams[r];
        for (size_t x = 0; x < width && y >= 0; x++)
            follow_seam(stage, &peaks, peaks_index(&peaks, x, (size_t)y), (uint32_t)(r * width + x));
    }
    return STATUS_OK;
}

const Level cpu_canny_seams_traced = {
    .op = &op_canny_seams,
    .name = "traced",
    .idea = "from each peak of the seams to all that it is connected to, each pixel once",
    .workspace = peaks_workspace,
    .run = run,
};
