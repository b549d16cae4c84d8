/* sums.cuh: sums of pixels as the levels of the course share them. Owns which values are added, where they come from,
 * how a rung is run until one sum is left, and how that is stored.
 * Whole numbers are added in 64 bits, f32 values as double; NaN is passed over. */
#ifndef GLINT_GPU_COURSE_REDUCE_SUMS_CUH
#define GLINT_GPU_COURSE_REDUCE_SUMS_CUH

#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/reduce.h"
}

template <typename T> struct Summed { typedef unsigned long long Type; };
template <> struct Summed<float> { typedef double Type; };

/* A sum for each channel. */
template <typename A, int C> struct Sums {
    A v[C];
    __device__ __forceinline__ void operator+=(const Sums &more) {
#pragma unroll
        for (int c = 0; c < C; c++)
            v[c] += more.v[c];
    }
};

static __device__ __forceinline__ double not_nan(float v) {
    return v == v ? (double)v : 0.0;
}
template <typename T> static __device__ __forceinline__ unsigned long long not_nan(T v) {
    return v;
}

/* The pixels of a picture, one after the other. Rows without gaps between them are one row. */
template <typename T, int C> struct Pixels {
    typedef Sums<typename Summed<T>::Type, C> Sum;
    const unsigned char *base;
    size_t stride;
    unsigned width;
    bool packed;
    __device__ __forceinline__ Sum operator[](unsigned i) const {
        const unsigned y = packed ? 0 : i / width;
        const T *at = (const T *)(base + y * stride) + (size_t)(i - y * width) * C;
        Sum sum;
#pragma unroll
        for (int c = 0; c < C; c++)
            sum.v[c] = not_nan(at[c]);
        return sum;
    }
};

/* Sums of blocks, to be added in turn. */
template <typename A, int C> struct PartialSums {
    typedef Sums<A, C> Sum;
    const Sum *sums;
    __device__ __forceinline__ Sum operator[](unsigned i) const { return sums[i]; }
};

/* A result's row holds doubles, at multiples of four bytes. */
static __device__ __forceinline__ void store_total(const Plane &out, int row, int place, double value) {
    uint32_t *to = row_to<uint32_t>(out, row) + 2 * place;
    to[0] = (uint32_t)__double2loint(value);
    to[1] = (uint32_t)__double2hiint(value);
}
/* A row of a Reduction: count, sum, squares, minimum, maximum. */
static __device__ __forceinline__ void store_row(const Plane &out, int row, double count, double sum, double squares,
                                                 double minimum, double maximum) {
    store_total(out, row, 0, count);
    store_total(out, row, 1, sum);
    store_total(out, row, 2, squares);
    store_total(out, row, 3, minimum);
    store_total(out, row, 4, maximum);
}

template <typename A, int C> __global__ void reduce_store(const Sums<A, C> *sums, const __grid_constant__ Plane out) {
    store_row(out, threadIdx.x, 0, (double)sums->v[threadIdx.x], 0, 0, 0);
}

enum { COURSE_THREADS = 128, COURSE_GRID = 16 /* blocks a multiprocessor where the grid does not grow with the job */ };

/* The course's rungs only add, and one picture. */
static inline bool course_accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "the course's rungs add up values, and do nothing else";
    return reduce_job(stage)->what == REDUCE_SUM && !reduce_job(stage)->difference;
}

static inline unsigned pixel_count(const Stage *stage) {
    return (unsigned)(stage->in[0].shape.width * stage->in[0].shape.height);
}

/* Sums that the rung's first two launches make: each takes those of the one before. */
template <class Rung> static size_t course_sums(const Device *device, unsigned count) {
    const unsigned first = Rung::blocks((const GpuDevice *)device, count);
    return (size_t)first + Rung::blocks((const GpuDevice *)device, first);
}

template <class Rung> static size_t course_workspace(const Device *device, const Stage *stage) {
    return course_sums<Rung>(device, pixel_count(stage)) * (size_t)stage->in[0].shape.channels * sizeof(double);
}

/* A rung has blocks(device, count), how many blocks take `count` values; the struct is its name, and kernel<Source>()
 * the kernel (source, count, sums of the blocks). */
template <class Rung, class Source>
static Status course_step(Queue *queue, Source source, unsigned count, typename Source::Sum *to) {
    const Launch launch = {dim3(Rung::blocks(gpu_of(queue->device), count)), dim3(COURSE_THREADS), 0};
    void *arguments[] = {&source, &count, &to};
    return gpu_launch(queue, Rung::name(), Rung::template kernel<Source>(), launch, arguments);
}

/* Launches until one sum is left: a launch is the only barrier between all blocks. */
template <class Rung, typename T, int C> static Status course_run(Queue *queue, const Stage *stage) {
    typedef typename Pixels<T, C>::Sum Sum;
    typedef PartialSums<typename Summed<T>::Type, C> Partials;
    const GpuDevice *device = gpu_of(queue->device);
    const Frame in = stage->in[0];
    const Pixels<T, C> pixels = {(const unsigned char *)in.pixels, in.stride, (unsigned)in.shape.width,
                                 in.stride == shape_row_bytes(in.shape)};
    unsigned count = pixel_count(stage);
    void *room;
    TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, course_sums<Rung>(queue->device, count) * sizeof(Sum), &room));
    Sum *from = (Sum *)room, *to = from + Rung::blocks(device, count);
    TRY((course_step<Rung, Pixels<T, C>>(queue, pixels, count, from)));
    for (count = Rung::blocks(device, count); count > 1; count = Rung::blocks(device, count)) {
        const Partials partials = {from};
        TRY((course_step<Rung, Partials>(queue, partials, count, to)));
        Sum *const swap = from;
        from = to;
        to = swap;
    }
    Plane out = plane_of(stage->out);
    void *arguments[] = {&from, &out};
    return gpu_launch(queue, "reduce, store", (const void *)reduce_store<typename Summed<T>::Type, C>,
                      Launch{dim3(1), dim3(C), 0}, arguments);
}

template <class Rung, typename T> static Status course_channels(Queue *queue, const Stage *stage) {
    static Status (*const runs[])(Queue *, const Stage *) = {course_run<Rung, T, 1>, course_run<Rung, T, 2>,
                                                             course_run<Rung, T, 3>, course_run<Rung, T, 4>};
    return runs[stage->in[0].shape.channels - 1](queue, stage);
}

template <class Rung> static Status course_types(Queue *queue, const Stage *stage) {
    static Status (*const runs[])(Queue *,
                                  const Stage *) = {course_channels<Rung, uint8_t>, course_channels<Rung, uint16_t>,
                                                    course_channels<Rung, float>, course_channels<Rung, uint32_t>};
    return runs[stage->in[0].shape.type](queue, stage);
}

/* The rung `Rung`, each of whose blocks takes `each` values; 0: two a thread, and the grid is as large as the device.
 */
#define COURSE_RUNG(Rung, name_, kernel_, each)                                                                        \
    struct Rung {                                                                                                      \
        enum { EACH = each, OWN = EACH > 0 ? EACH : 2 * COURSE_THREADS };                                              \
        static const char *name() { return "reduce " name_; }                                                          \
        static unsigned blocks(const GpuDevice *device, unsigned count) {                                              \
            const unsigned all = (unsigned)(device->limits.multiProcessorCount * COURSE_GRID);                         \
            const unsigned some = count / OWN + (count % OWN > 0);                                                     \
            return EACH > 0 || some < all ? some : all;                                                                \
        }                                                                                                              \
        template <class Source> static const void *kernel() { return (const void *)kernel_<Source>; }                  \
    }

#define COURSE_LEVEL(Rung, level, name_, idea_)                                                                        \
    extern "C" const Level cuda_reduce_##level = {                                                                     \
        .op = &op_reduce,                                                                                              \
        .name = name_,                                                                                                 \
        .idea = idea_,                                                                                                 \
        .accepts = course_accepts,                                                                                     \
        .workspace = course_workspace<Rung>,                                                                           \
        .run = course_types<Rung>,                                                                                     \
    }

#endif
