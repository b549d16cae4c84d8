/* rows.isa.c: runs of pixels as planes of doubles, of which each mode makes a loop without a branch. Nothing is
 * contracted to multiply-adds (CMakeLists.txt), so that every value is the reference's. */
#include "cpu/blend/rows.h"
#include "core/ops/histogram.h"
#include "cpu/isa.h"
#include "cpu/planes.h"

/* The alphas and opacities that weight the colours of pixels. */
typedef struct Weights {
    double backdrop[PLANES_RUN], source[PLANES_RUN]; /* alphas, as stored */
    double opacity[PLANES_RUN];
} Weights;

typedef void ModeLoop(const BlendJob *job, int colours, size_t count, const Weights *weights, const Planes *backdrop,
                      const Planes *source, Planes *restrict out);

#define BLEND(name, help, whole, body)                                                                                 \
    static void loop_##name(const BlendJob *job, int colours, size_t count, const Weights *weights,                    \
                            const Planes *backdrop, const Planes *source, Planes *restrict out) {                      \
        const BlendJob mine = {.mode = BLEND_##name, .white = job->white};                                             \
        for (int c = 0; c < colours; c++)                                                                              \
            for (size_t i = 0; i < count; i++) {                                                                       \
                double made, alpha;                                                                                    \
                blend_pixel(&mine, 1, &backdrop->v[c][i], weights->backdrop[i], &source->v[c][i], weights->source[i],  \
                            weights->opacity[i], &made, &alpha);                                                       \
                out->v[c][i] = made;                                                                                   \
            }                                                                                                          \
    }
#include "core/math/blend.def"
#undef BLEND

static ModeLoop *const loops[BLEND_MODES] = {
#define BLEND(name, help, whole, body) loop_##name,
#include "core/math/blend.def"
#undef BLEND
};

static void fill(double *to, double value, size_t count) {
    for (size_t i = 0; i < count; i++)
        to[i] = value;
}

static void find_opacity(const Stage *stage, size_t x, size_t y, size_t count, double *opacity) {
    const BlendJob *job = blend_job(stage);
    fill(opacity, job->opacity, count);
    if (!job->masked)
        return;
    const bool coloured = shape_colours(stage->in[2].shape) == 3;
    Planes mask;
    planes_split(stage->in[2], x, y, count, &mask);
    for (size_t i = 0; i < count; i++) {
        const double first = mask.v[0][i];
        opacity[i] *=
            (coloured ? 0.2126 * first + 0.7152 * mask.v[1][i] + 0.0722 * mask.v[2][i] : first) / job->mask_white;
    }
}

static void run_pixels(const Stage *stage, size_t x, size_t y, size_t count) {
    const BlendJob *job = blend_job(stage);
    const Shape in = stage->in[0].shape, other = stage->in[1].shape;
    const int colours = shape_colours(in), others = shape_colours(other);
    const bool alpha = shape_has_alpha(in), other_alpha = shape_has_alpha(other) && !job->ignore_alpha;
    Planes backdrop, source, out;
    Weights weights;
    planes_split(stage->in[0], x, y, count, &backdrop);
    planes_split(stage->in[1], x, y, count, &source);
    find_opacity(stage, x, y, count, weights.opacity);
    for (int c = 0; c < other.channels; c++)
        for (size_t i = 0; i < count; i++)
            source.v[c][i] *= job->scale;
    fill(weights.backdrop, job->white, count);
    fill(weights.source, job->white, count);
    if (alpha && !job->ignore_alpha)
        memcpy(weights.backdrop, backdrop.v[colours], count * sizeof *weights.backdrop);
    if (other_alpha)
        memcpy(weights.source, source.v[others], count * sizeof *weights.source);
    for (int c = 1; c < colours && others == 1; c++)
        memcpy(source.v[c], source.v[0], count * sizeof *source.v[c]);
    loops[job->mode](job, colours, count, &weights, &backdrop, &source, &out);
    if (job->ignore_alpha)
        memcpy(out.v[colours], backdrop.v[colours], alpha ? count * sizeof *out.v[colours] : 0);
    else
        for (size_t i = 0; alpha && i < count; i++) { /* as blend_pixel has it */
            const double over = weights.opacity[i] * weights.source[i] / job->white;
            out.v[colours][i] = weights.backdrop[i] + over * (job->white - weights.backdrop[i]);
        }
    planes_join(&out, stage->out, x, y, count);
}

static void row(const Stage *stage, size_t y) {
    const size_t width = stage->out.shape.width;
    for (size_t x = 0; x < width; x += PLANES_RUN)
        run_pixels(stage, x, y, width - x < PLANES_RUN ? width - x : PLANES_RUN);
}

BlendRow *const ISA_NAME(blend_row) = row;
