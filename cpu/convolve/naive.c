/* naive.c: the textbook's loop over every pixel and every tap, with a test for the border at each. */
#include "cpu/convolve/tap_sum.h"
#include "cpu/team.h"

static void convolve_row(const Stage *stage, size_t y) {
    const ConvolveJob *job = convolve_job(stage);
    const ImageView in = stage->in[0], out = stage->out;
    const int channels = in.shape.channels;
    for (size_t x = 0; x < out.shape.width; x++)
        for (int c = 0; c < channels; c++)
            store_value(out, x, y, c, finish(job, tap_sum(job, in, x, y, c)));
}

static Status run(Queue *queue, const Stage *stage) {
    cpu_make_stage(queue, stage, convolve_row);
    return STATUS_OK;
}

const Level cpu_convolve_naive = {
    .op = &op_convolve,
    .name = "naive",
    .idea = "one thread, single precision, a test for the border at every tap",
    .run = run,
};
