/* measured.c: from which mask on transforms are faster than sums.
 * Measured with 1920 x 1080 pixels, in ns of one thread. Masks that are outer products say nothing: their last level is
 * the fastest. */
#include "cpu/convolve/measured.h"

#include "core/ops/convolve.h"
#include "cpu/convolve/fft_tiles.h"

#include <math.h>
#include <string.h>

/* A value of the picture costs `value` and a tap of it `tap`; a transform's unit of work (fft_work) `work`. */
static const struct {
    double value, tap, work;
} measured[PIXEL_TYPES] = {
    [PIXEL_U8] = {0.4, 0.031, 0.36},
    [PIXEL_U16] = {1.8, 0.044, 0.65},
    [PIXEL_F32] = {0.6, 0.027, 0.40},
};

double convolve_taps_ns(const Stage *stage, double taps) {
    const Shape shape = stage->out.shape;
    const PixelType type = stage_shape_read(stage).type;
    return (double)(shape.width * shape.height) * shape.channels * (measured[type].value + measured[type].tap * taps);
}

static double predict(const Level *level, const Stage *stage) {
    const ConvolveJob *job = convolve_job(stage);
    if (convolve_rows_together(job) == 1)
        return INFINITY;
    if (strcmp(level->name, "fft") == 0)
        return fft_work(stage) * measured[stage->in[0].shape.type].work;
    return convolve_taps_ns(stage, (double)job->mask->width * job->mask->height);
}

const Predictor cpu_convolve_measured = {"AMD EPYC (Zen 3), 2 threads, AVX2", predict};
