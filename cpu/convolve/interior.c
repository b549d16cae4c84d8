/* interior.c: where the mask lies inside the picture no tap needs a test; only the rim pays for one. */
#include "cpu/convolve/interior.h"

#include "cpu/convolve/tap_sum.h"
#include "cpu/team.h"

/* The sum over the mask whose upper left tap is at `from`; the names are those of inner_sum. */
#define SUM(Real, Type)                                                                                                \
    {                                                                                                                  \
        Real sum = 0;                                                                                                  \
        for (int j = 0; j < mask->height; j++) {                                                                       \
            const Type *row = (const Type *)(const void *)(from + (size_t)j * in.stride);                              \
            const float *weights = mask->weights + j * mask->width;                                                    \
            Real row_sum = 0;                                                                                          \
            for (int i = 0; i < mask->width; i++)                                                                      \
                row_sum += (Real)weights[i] * (Real)row[i * channels];                                                 \
            sum += row_sum;                                                                                            \
        }                                                                                                              \
        return (double)sum;                                                                                            \
    }

static double inner_sum(const Mask *mask, ImageView in, const char *from) {
    const int channels = in.shape.channels;
    if (in.shape.type == PIXEL_U8)
        SUM(float, uint8_t)
    if (in.shape.type == PIXEL_U16)
        SUM(double, uint16_t)
    SUM(float, float)
}

void interior_row(const Stage *stage, size_t y) {
    const ConvolveJob *job = convolve_job(stage);
    const Mask *mask = job->mask;
    const ImageView in = stage->in[0];
    const size_t left = (size_t)mask->width / 2, right = (size_t)mask->width - 1 - left;
    const size_t above = (size_t)mask->height / 2, below = (size_t)mask->height - 1 - above;
    const bool inside = y >= above && y + below < in.shape.height && left + right < in.shape.width;
    const size_t begin = inside ? left : in.shape.width, end = inside ? in.shape.width - right : in.shape.width;
    const size_t size = pixel_type_size(in.shape.type);
    for (size_t x = 0; x < in.shape.width; x++)
        for (int c = 0; c < in.shape.channels; c++) {
            const bool inner = x >= begin && x < end;
            const double sum = inner ? inner_sum(mask, in,
                                                 (const char *)view_row(in, y - above) +
                                                     ((x - left) * (size_t)in.shape.channels + (size_t)c) * size)
                                     : tap_sum(job, in, x, y, c);
            store_value(stage->out, x, y, c, finish(job, sum));
        }
}

static Status run(Queue *queue, const Stage *stage) {
    cpu_make_stage(queue, stage, interior_row);
    return STATUS_OK;
}

const Level cpu_convolve_interior = {
    .op = &op_convolve,
    .name = "interior",
    .idea = "the border split off: inside the picture no tap needs a test, only the rim pays for one",
    .run = run,
};
