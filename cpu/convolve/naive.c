/* naive.c: the textbook's loop over every pixel and every tap, with a test for the border at each. */
#include "core/stop.h"
#include "cpu/convolve/tap_sum.h"

static Status run(Queue *queue, const Stage *stage) {
    const ConvolveJob *job = convolve_job(stage);
    const ImageView in = stage->in[0], out = stage->out;
    const int channels = in.shape.channels;
    for (size_t y = 0; y < out.shape.height && !queue_stops(queue); y++)
        for (size_t x = 0; x < out.shape.width; x++)
            for (int c = 0; c < channels; c++)
                store_value(out, x, y, c, finish(job, tap_sum(job, in, x, y, c)));
    return STATUS_OK;
}

const Level cpu_convolve_naive = {
    .op = &op_convolve,
    .name = "naive",
    .idea = "one thread, single precision, a test for the border at every tap",
    .run = run,
};
