/* row.c: a row through a point program, pixel by pixel. */
#include "cpu/point/row.h"

void point_row(const Stage *stage, size_t y) {
    const PointJob *job = point_job(stage);
    for (size_t x = 0; x < stage->out.shape.width; x++) {
        PointPixel in = {0};
        int channels = stage->in[0].shape.channels;
        for (int k = 0; k < STAGE_INPUTS && stage->in[k].pixels; k++)
            for (int c = 0; c < channels; c++)
                in.v[k][c] = view_value(stage->in[k], x, y, c);
        double v[POINT_CHANNELS] = {in.v[0][0], in.v[0][1], in.v[0][2], in.v[0][3]};
        for (int i = 0; i < job->count; i++)
            channels = point_step(job, i, &in, channels, v);
        for (int c = 0; c < channels; c++)
            view_set_value(stage->out, x, y, c, v[c]);
    }
}
