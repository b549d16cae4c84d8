/* row.c: a row's loop for each point function, so that the function is compiled into it. */
#include "cpu/point/row.h"

static inline __attribute__((always_inline)) void
row_by(void (*apply)(const PointJob *job, int channels, const double *in, const double *in2, double *out),
       const Stage *stage, size_t y) {
    const int channels = stage->in[0].shape.channels; /* the output may have fewer: the first */
    const bool two = points[point_job(stage)->function].inputs > 1;
    for (size_t x = 0; x < stage->out.shape.width; x++) {
        double in[4] = {0}, in2[4] = {0}, out[4] = {0};
        for (int c = 0; c < channels; c++) {
            in[c] = view_value(stage->in[0], x, y, c);
            in2[c] = two ? view_value(stage->in[1], x, y, c) : 0;
        }
        apply(point_job(stage), channels, in, in2, out);
        for (int c = 0; c < stage->out.shape.channels; c++)
            view_set_value(stage->out, x, y, c, out[c]);
    }
}

#define POINT(name, inputs, reach, alpha, help, body)                                                                  \
    static void row_##name(const Stage *stage, size_t y) {                                                             \
        row_by(point_##name, stage, y);                                                                                \
    }
#include "core/math/point.def"
#undef POINT

void point_row(const Stage *stage, size_t y) {
    static void (*const rows[POINT_FUNCTIONS])(const Stage *stage, size_t y) = {
#define POINT(name, inputs, reach, alpha, help, body) row_##name,
#include "core/math/point.def"
#undef POINT
    };
    rows[point_job(stage)->function](stage, y);
}
