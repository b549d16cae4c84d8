/* reference.c: the definition of minimum and maximum under a structuring element. Never optimized. */
#include "core/device/backend.h"
#include "core/ops/morphology.h"
#include "core/stage/window.h"
#include "cpu/team.h"

#include <math.h>

/* NaN is above all numbers. */
static bool is_below(double a, double b) {
    return a < b || (!isnan(a) && isnan(b));
}

static double extremum(const MorphologyJob *job, ImageView in, ptrdiff_t x, ptrdiff_t y, int c) {
    const Mask *element = job->element;
    double found = 0;
    bool any = false;
    for (int j = 0; j < element->height; j++)
        for (int i = 0; i < element->width; i++)
            if (element_has(element, i, j)) {
                const double value =
                    window_value(in, job->border, x + i - element->width / 2, y + j - element->height / 2, c);
                if (!any || (job->maximum ? is_below(found, value) : is_below(value, found)))
                    found = value;
                any = true;
            }
    return found;
}

static void filter_row(const Stage *stage, size_t y) {
    for (size_t x = 0; x < stage->out.shape.width; x++)
        for (int c = 0; c < stage->out.shape.channels; c++)
            view_set_value(stage->out, x, y, c,
                           extremum(morphology_job(stage), stage->in[0], (ptrdiff_t)x, (ptrdiff_t)y, c));
}

static Status run(Queue *queue, const Stage *stage) {
    cpu_share_stage(queue, stage, filter_row);
    return STATUS_OK;
}

const Level cpu_morphology_reference = {
    .op = &op_morphology,
    .name = "reference",
    .idea =
        "every cell of the element looked at for every pixel: slow, readable; every other level is checked against it",
    .run = run,
};
