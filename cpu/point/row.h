/* row.h: one row through a point function, value by value as double: what reference and threads share. */
#ifndef GLINT_CPU_POINT_ROW_H
#define GLINT_CPU_POINT_ROW_H

#include "core/stage.h"

static inline void point_row(const Stage *stage, size_t y) {
    const int channels = stage->in[0].shape.channels; /* the output may have fewer: the first */
    const bool two = stage->in[1].pixels != NULL;
    for (size_t x = 0; x < stage->out.shape.width; x++) {
        double in[4] = {0}, in2[4] = {0}, out[4] = {0};
        for (int c = 0; c < channels; c++) {
            in[c] = view_value(stage->in[0], x, y, c);
            in2[c] = two ? view_value(stage->in[1], x, y, c) : 0;
        }
        point_apply(stage->point, channels, in, in2, out);
        for (int c = 0; c < stage->out.shape.channels; c++)
            view_set_value(stage->out, x, y, c, out[c]);
    }
}

#endif
