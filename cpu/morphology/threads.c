/* threads.c: every cell looked at for every pixel, as whole numbers, rows shared among threads. */
#include "core/device/backend.h"
#include "core/ops/morphology.h"
#include "cpu/keys.h"
#include "cpu/team.h"

#include <limits.h>

static int32_t extremum(const MorphologyJob *job, ImageView in, ptrdiff_t x, ptrdiff_t y, int c) {
    const Mask *element = job->element;
    int32_t found = job->maximum ? INT_MIN : INT_MAX;
    for (int j = 0; j < element->height; j++)
        for (int i = 0; i < element->width; i++)
            if (element_has(element, i, j)) {
                const int32_t key =
                    keys_value(in, job->border, x + i - element->width / 2, y + j - element->height / 2, c);
                found = (key < found) == job->maximum ? found : key;
            }
    return found;
}

static void filter_row(const Stage *stage, size_t y) {
    for (size_t x = 0; x < stage->out.shape.width; x++)
        for (int c = 0; c < stage->out.shape.channels; c++)
            keys_set(stage->out, x, y, c, extremum(morphology_job(stage), stage->in[0], (ptrdiff_t)x, (ptrdiff_t)y, c));
}

static Status run(Queue *queue, const Stage *stage) {
    cpu_share_stage(queue, stage, filter_row);
    return STATUS_OK;
}

const Level cpu_morphology_threads = {
    .op = &op_morphology,
    .name = "threads",
    .idea = "whole numbers in the place of double, rows shared among threads: still every cell for every pixel",
    .run = run,
};
