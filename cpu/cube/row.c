/* row.c: the loop over a row's pixels. */
#include "cpu/cube/row.h"

#include "core/ops/histogram.h"

void cube_row(const Stage *stage, size_t y) {
    const ImageView in = stage->in[0];
    const int colours = shape_colours(in.shape);
    const float *table = stage->in[1].pixels;
    for (size_t x = 0; x < in.shape.width; x++) {
        double v[4] = {0}, out[4] = {0};
        for (int c = 0; c < in.shape.channels; c++)
            out[c] = v[c] = view_value(in, x, y, c);
        cube_pixel(cube_job(stage), table, stage->in[1].stride / sizeof *table, colours, v, out);
        for (int c = 0; c < in.shape.channels; c++)
            view_set_value(stage->out, x, y, c, out[c]);
    }
}
