/* row.c: the loop over a row's pixels. */
#include "cpu/blend/row.h"

#include "core/ops/histogram.h"

/* 0 to 1; the mask's own alpha does not count. */
static double mask_at(ImageView mask, size_t x, size_t y, double white) {
    const double first = view_value(mask, x, y, 0);
    return (shape_colours(mask.shape) < 3
                ? first
                : 0.2126 * first + 0.7152 * view_value(mask, x, y, 1) + 0.0722 * view_value(mask, x, y, 2)) /
           white;
}

void blend_row(const Stage *stage, size_t y) {
    const BlendJob *job = blend_job(stage);
    const ImageView in = stage->in[0], other = stage->in[1];
    const int colours = shape_colours(in.shape), others = shape_colours(other.shape);
    const bool alpha = shape_has_alpha(in.shape), other_alpha = shape_has_alpha(other.shape) && !job->ignore_alpha;
    for (size_t x = 0; x < in.shape.width; x++) {
        double b[4] = {0}, s[4] = {0}, out[4] = {0}, all;
        for (int c = 0; c < in.shape.channels; c++)
            b[c] = view_value(in, x, y, c);
        for (int c = 0; c < colours; c++)
            s[c] = job->scale * view_value(other, x, y, others == 1 ? 0 : c);
        blend_pixel(job, colours, b, alpha && !job->ignore_alpha ? b[colours] : job->white, s,
                    other_alpha ? job->scale * view_value(other, x, y, others) : job->white,
                    job->masked ? job->opacity * mask_at(stage->in[2], x, y, job->mask_white) : job->opacity, out,
                    &all);
        out[colours] = job->ignore_alpha ? b[colours] : all;
        for (int c = 0; c < in.shape.channels; c++)
            view_set_value(stage->out, x, y, c, out[c]);
    }
}
