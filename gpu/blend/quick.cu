/* quick.cu: shares of a pixel (core/math/blend.h), by one division for all of its values: of bytes in f32, of u16 and
 * f32 in double. A value whose error leaves two results possible has its pixel blended as naive does it. */
#include "gpu/blend/pixel.cuh"

enum { ACROSS = 32, DOWN = 8, EACH = 4 /* pixels of a thread, a warp's width apart */ };

/* How values of T are reckoned; functions of core/math/blend_real.h by one name. */
template <typename T> struct Kind {
    typedef double Real;
    typedef BlendShares Shares;
};
template <> struct Kind<uint8_t> {
    typedef float Real;
    typedef BlendShares_single Shares;
};

/* The facts that all pixels share. */
template <typename Real> struct Common {
    Real w, v, opacity, error;
    bool exact_alpha, exact; /* of opaque sources, of opaque pixels */
};

static __device__ __forceinline__ BlendShares shares_of(double a, double source, double opacity, double w, double v) {
    return blend_shares(a, source, opacity, w, v);
}
static __device__ __forceinline__ BlendShares_single shares_of(float a, float source, float opacity, float w, float v) {
    return blend_shares_single(a, source, opacity, w, v);
}
static __device__ __forceinline__ double mixed_of(BlendMode mode, double b, double s, double w, double v) {
    return blend_mixed(mode, b, s, w, v);
}
static __device__ __forceinline__ float mixed_of(BlendMode mode, float b, float s, float w, float v) {
    return blend_mixed_single(mode, b, s, w, v);
}

/* Stores a value in *to; false if it may be another one. `exact`: it has no error. */
static __device__ __forceinline__ bool settle(double value, double w, double error, bool exact, uint16_t *to) {
    const double clamped = blend_clamp(value, w);
    *to = (uint16_t)__double2loint(clamped + 0x1.8p52);
    return exact || blend_certain(clamped, error);
}
static __device__ __forceinline__ bool settle(float value, float w, float error, bool exact, uint8_t *to) {
    const float clamped = blend_clamp_single(value, w);
    *to = (uint8_t)__float_as_uint(clamped + 0x1.8p23f);
    return exact || blend_certain_single(clamped, error);
}
static __device__ __forceinline__ bool settle(double value, double, double, bool, float *to) {
    *to = (float)value;
    return isfinite(value);
}

template <typename T> struct alignas(4 * sizeof(T)) Pixel { T v[4]; };

template <typename T> static __device__ __forceinline__ Pixel<T> load_pixel(const Source &from, int x, int y) {
    const T *at = row_of<T>(from.plane, y) + (size_t)x * from.channels;
    if (from.channels == 4)
        return *(const Pixel<T> *)at;
    Pixel<T> pixel = {{at[0]}};
    if (from.channels > 1)
        pixel.v[1] = at[1];
    if (from.channels > 2)
        pixel.v[2] = at[2];
    return pixel;
}
template <typename T>
static __device__ __forceinline__ void store_pixel(const Source &to, int x, int y, const Pixel<T> &pixel) {
    T *at = row_to<T>(to.plane, y) + (size_t)x * to.channels;
    if (to.channels == 4) {
        *(Pixel<T> *)at = pixel;
        return;
    }
    at[0] = pixel.v[0];
    if (to.channels > 1)
        at[1] = pixel.v[1];
    if (to.channels > 2)
        at[2] = pixel.v[2];
}
/* Behind the colours, or white. */
template <typename T> static __device__ __forceinline__ T alpha_of(const Source &of, const Pixel<T> &pixel, T white) {
    return of.channels == 4 ? pixel.v[3] : of.channels == 2 ? pixel.v[1] : white;
}

/* False if a value may be another one. */
template <typename T, bool NORMAL, typename Real>
static __device__ __forceinline__ bool blend_quickly(const Sources &from, const BlendJob &job,
                                                     const Common<Real> &common, Real opacity, const Pixel<T> &in,
                                                     const Pixel<T> &other, Pixel<T> *out) {
    const Real w = common.w, v = common.v;
    const T white = (T)w, alpha = alpha_of(from.in, in, white);
    const T under = job.ignore_alpha ? white : alpha;
    const T over = job.ignore_alpha ? white : alpha_of(from.other, other, white);
    const typename Kind<T>::Shares shares = shares_of((Real)under, (Real)over, opacity, w, v);
    bool certain = shares.valid;
#pragma unroll
    for (int c = 0; c < 3; c++)
        if (c < from.in.colours) {
            const Real b = (Real)in.v[c], s = (Real)(from.other.colours == 1 ? other.v[0] : other.v[c]);
            const Real shown =
                NORMAL ? shares.normal * s : shares.source * s + shares.mixed * mixed_of(job.mode, b, s, w, v);
            certain &= settle(shares.backdrop * b + shown, w, common.error, common.exact && shares.opaque, &out->v[c]);
        }
    T made = alpha;
    if (!job.ignore_alpha)
        certain &= settle(shares.alpha, w, common.error, common.exact_alpha && shares.opaque_source, &made);
    if (from.in.channels == 4)
        out->v[3] = made;
    else if (from.in.channels == 2)
        out->v[1] = made;
    return certain;
}

template <typename T, bool NORMAL>
__global__ void __launch_bounds__(ACROSS *DOWN, 4)
    blend_quick(const __grid_constant__ Sources from, const __grid_constant__ BlendJob job,
                const __grid_constant__ Common<typename Kind<T>::Real> common) {
    typedef typename Kind<T>::Real Real;
    const int left = blockIdx.x * (ACROSS * EACH) + threadIdx.x, y = blockIdx.y * DOWN + threadIdx.y;
    const int width = from.in.plane.width;
    if (y >= from.in.plane.height)
        return;
    Pixel<T> in[EACH], other[EACH];
#pragma unroll
    for (int i = 0; i < EACH; i++)
        if (left + i * ACROSS < width) {
            in[i] = load_pixel<T>(from.in, left + i * ACROSS, y);
            other[i] = load_pixel<T>(from.other, left + i * ACROSS, y);
        }
    unsigned open = 0;
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        const int x = left + i * ACROSS;
        if (x >= width)
            break;
        Pixel<T> out;
        const Real opacity = job.masked ? (Real)opacity_at(from.mask, job, x, y) : common.opacity;
        if (blend_quickly<T, NORMAL>(from, job, common, opacity, in[i], other[i], &out))
            store_pixel(from.to, x, y, out);
        else
            open |= 1u << i;
    }
    for (; open; open &= open - 1)
        blend_at(from, job, left + (__ffs(open) - 1) * ACROSS, y);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "colours are multiplied by alpha";
    if (blend_job(stage)->premultiplied)
        return false;
    *why_not = "the pictures have different types";
    return stage->in[0].shape.type == stage->in[1].shape.type && blend_job(stage)->scale == 1;
}

template <typename T> static Status launch(Queue *queue, const Stage *stage) {
    typedef typename Kind<T>::Real Real;
    Sources from = sources_of(stage);
    BlendJob job = *blend_job(stage);
    const bool normal = job.mode == BLEND_normal, dyadic = blend_is_dyadic(&job);
    const double error = blend_error(&job, sizeof(Real) == sizeof(float) ? BLEND_ERROR_SINGLE : BLEND_ERROR);
    Common<Real> common = {(Real)job.white,
                           (Real)(1 / job.white),
                           (Real)job.opacity,
                           (Real)error,
                           dyadic,
                           dyadic && blend_is_whole(job.mode)};
    const dim3 blocks(blocks_for(from.in.plane.width, ACROSS * EACH), blocks_for(from.in.plane.height, DOWN));
    void *arguments[] = {&from, &job, &common};
    return gpu_launch(queue, "blend quick",
                      normal ? (const void *)blend_quick<T, true> : (const void *)blend_quick<T, false>,
                      Launch{blocks, dim3(ACROSS, DOWN), 0}, arguments);
}

static Status run(Queue *queue, const Stage *stage) {
    static Status (*const launches[PIXEL_TYPES])(Queue *, const Stage *) = {launch<uint8_t>, launch<uint16_t>,
                                                                            launch<float>};
    return launches[stage->out.shape.type](queue, stage);
}

extern "C" const Level cuda_blend_quick = {
    .op = &op_blend,
    .name = "quick",
    .idea = "one division a pixel, bytes in f32; where its error leaves two results possible, again as naive does it",
    .accepts = accepts,
    .run = run,
};
