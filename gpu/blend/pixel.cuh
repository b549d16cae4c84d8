/* pixel.cuh: a pixel blended in double, whatever the types and channels. */
#ifndef GLINT_GPU_BLEND_PIXEL_CUH
#define GLINT_GPU_BLEND_PIXEL_CUH

#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/blend.h"
#include "core/ops/histogram.h"
}

typedef struct Source {
    Plane plane;
    PixelType type;
    int channels, colours;
} Source;

static inline Source source_of(Frame frame) {
    const Source source = {plane_of(frame), frame.shape.type, frame.shape.channels,
                           frame.pixels ? shape_colours(frame.shape) : 0};
    return source;
}

static __device__ __forceinline__ double load_value(const Source &from, int x, int y, int c) {
    const int at = x * from.channels + c;
    return from.type == PIXEL_U8    ? (double)row_of<uint8_t>(from.plane, y)[at]
           : from.type == PIXEL_U16 ? (double)row_of<uint16_t>(from.plane, y)[at]
                                    : (double)row_of<float>(from.plane, y)[at];
}

static __device__ __forceinline__ void store_value(const Source &to, int x, int y, int c, double value) {
    const int at = x * to.channels + c;
    if (to.type == PIXEL_U8)
        row_to<uint8_t>(to.plane, y)[at] = (uint8_t)__double2int_rn(fmin(fmax(value, 0.0), 255.0));
    else if (to.type == PIXEL_U16)
        row_to<uint16_t>(to.plane, y)[at] = Stored<uint16_t>::from(value);
    else
        row_to<float>(to.plane, y)[at] = (float)value;
}

typedef struct Sources {
    Source in, other, mask, to;
} Sources;

static inline Sources sources_of(const Stage *stage) {
    const Sources sources = {source_of(stage->in[0]), source_of(stage->in[1]), source_of(stage->in[2]),
                             source_of(stage->out)};
    return sources;
}

/* Without the source's alpha. */
static __device__ __forceinline__ double opacity_at(const Source &mask, const BlendJob &job, int x, int y) {
    if (!job.masked)
        return job.opacity;
    double luma = load_value(mask, x, y, 0);
    if (mask.colours == 3)
        luma = 0.2126 * luma + 0.7152 * load_value(mask, x, y, 1) + 0.0722 * load_value(mask, x, y, 2);
    return job.opacity * (luma / job.mask_white);
}

static __device__ void blend_at(const Sources &from, const BlendJob &job, int x, int y) {
    const Source &in = from.in, &other = from.other;
    double b[4] = {0}, s[4] = {0}, out[4] = {0}, all;
    for (int c = 0; c < in.channels; c++)
        b[c] = load_value(in, x, y, c);
    for (int c = 0; c < in.colours; c++)
        s[c] = job.scale * load_value(other, x, y, other.colours == 1 ? 0 : c);
    const bool alpha = in.channels > in.colours && !job.ignore_alpha;
    const bool other_alpha = other.channels > other.colours && !job.ignore_alpha;
    blend_pixel(&job, in.colours, b, alpha ? b[in.colours] : job.white, s,
                other_alpha ? job.scale * load_value(other, x, y, other.colours) : job.white,
                opacity_at(from.mask, job, x, y), out, &all);
    for (int c = 0; c < in.colours; c++)
        store_value(from.to, x, y, c, out[c]);
    if (in.channels > in.colours)
        store_value(from.to, x, y, in.colours, job.ignore_alpha ? b[in.colours] : all);
}

#endif
