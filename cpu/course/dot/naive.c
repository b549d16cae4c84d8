/* naive.c: one product after the other, on one core. */
#include "core/device/backend.h"
#include "core/ops/dot.h"

#define ROW(name, Type, Wide, product)                                                                                 \
    static void name(const Stage *stage, size_t y, int c, uint64_t *whole, double *real) {                             \
        const size_t channels = (size_t)stage->in[0].shape.channels, values = stage->in[0].shape.width * channels;     \
        const Type *a = view_row(stage->in[0], y), *b = view_row(stage->in[1], y);                                     \
        (void)whole, (void)real;                                                                                       \
        for (size_t i = (size_t)c; i < values; i += channels) {                                                        \
            const Wide v = (Wide)a[i] * (Wide)b[i];                                                                    \
            product;                                                                                                   \
        }                                                                                                              \
    }
ROW(add_u8, uint8_t, uint64_t, *whole += v)
ROW(add_u16, uint16_t, uint64_t, *whole += v)
ROW(add_f32, float, double, *real += v == v ? v : 0) /* NaN is passed over */

static Status run(Queue *queue, const Stage *stage) {
    static void (*const rows[])(const Stage *, size_t, int, uint64_t *, double *) = {add_u8, add_u16, add_f32};
    const Shape shape = stage->in[0].shape;
    (void)queue;
    for (int c = 0; c < shape.channels; c++) {
        uint64_t whole = 0;
        double real = 0;
        for (size_t y = 0; y < shape.height; y++)
            rows[shape.type](stage, y, c, &whole, &real);
        dot_store(stage->out, c, shape.type == PIXEL_F32 ? real : (double)whole);
    }
    return STATUS_OK;
}

const Level cpu_dot_naive = {
    .op = &op_dot,
    .name = "naive",
    .idea = "channel by channel, every product is added to one sum",
    .run = run,
};
