/* pixels.cuh: runs of pixels between memory and registers, as doubles or floats. */
#ifndef GLINT_GPU_POINT_PIXELS_CUH
#define GLINT_GPU_POINT_PIXELS_CUH

#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/point.h"
}

/* An input of a program. */
typedef struct Source {
    Plane plane; /* without pixels where there is no such input */
    PixelType type;
} Source;

typedef struct Sources {
    Source of[STAGE_INPUTS];
} Sources;

static inline Sources sources_of(const Stage *stage) {
    Sources in = {{{{0}, PIXEL_U8}}};
    for (int k = 0; k < STAGE_INPUTS; k++) {
        in.of[k].plane = plane_of(stage->in[k]);
        in.of[k].type = stage->in[k].shape.type;
    }
    return in;
}

/* The word that one access moves: the largest power of two up to 16 bytes that divides BYTES. */
template <int BYTES> struct Access { typedef uint32_t Type; };
template <> struct Access<8> { typedef uint2 Type; };
template <> struct Access<16> { typedef uint4 Type; };

/* N values in a row, aligned as a whole. */
template <typename T, int N> union Run {
    enum { BYTES = N * (int)sizeof(T), EACH = BYTES % 16 == 0 ? 16 : BYTES % 8 == 0 ? 8 : 4, ACCESSES = BYTES / EACH };
    typedef typename Access<EACH>::Type Type;
    T values[N];
    Type parts[ACCESSES];
};

/* Whole numbers from 0 to 65535 as doubles or floats, and back. The bits of 2^52 (or 2^23) plus the number hold it. A
 * sum replaces a conversion, for which one pipe takes four times as long, or more. */
template <typename V> static __device__ __forceinline__ V of_whole(uint32_t number);
template <> __device__ __forceinline__ double of_whole(uint32_t number) {
    return __hiloint2double(0x43300000, (int)number) - 0x1p52;
}
template <> __device__ __forceinline__ float of_whole(uint32_t number) {
    return __uint_as_float(0x4B000000U | number) - 0x1p23F;
}
static __device__ __forceinline__ uint32_t whole_of(double value) {
    return (uint32_t)__double2loint(value + 0x1p52);
}
static __device__ __forceinline__ uint32_t whole_of(float value) {
    return __float_as_uint(value + 0x1p23F);
}

/* A value of a picture as V, and as the picture stores it. For u8 and u16 the value is whole. */
template <typename V, typename T> static __device__ __forceinline__ V loaded(T stored) {
    return of_whole<V>(stored);
}
template <> __device__ __forceinline__ double loaded(float stored) {
    return (double)stored;
}
template <> __device__ __forceinline__ float loaded(float stored) {
    return stored;
}
template <typename T, typename V> static __device__ __forceinline__ T stored_as(V value) {
    return (T)whole_of(value);
}
template <> __device__ __forceinline__ float stored_as(double value) {
    return (float)value;
}
template <> __device__ __forceinline__ float stored_as(float value) {
    return value;
}

/* From `from` on; only `count` of them are there. */
template <typename T, int N, typename V>
static __device__ __forceinline__ void load_run(const T *from, int count, V (&v)[N]) {
    Run<T, N> run;
    if (count >= N) {
#pragma unroll
        for (int i = 0; i < Run<T, N>::ACCESSES; i++)
            run.parts[i] = ((const typename Run<T, N>::Type *)from)[i];
    } else {
#pragma unroll
        for (int i = 0; i < N; i++)
            run.values[i] = i < count ? from[i] : (T)0;
    }
#pragma unroll
    for (int i = 0; i < N; i++)
        v[i] = loaded<V>(run.values[i]);
}

/* Values as they are stored. */
template <typename T, int N, typename V>
static __device__ __forceinline__ void store_run(T *to, int count, const V (&v)[N]) {
    Run<T, N> run;
#pragma unroll
    for (int i = 0; i < N; i++)
        run.values[i] = stored_as<T>(v[i]);
    if (count >= N) {
#pragma unroll
        for (int i = 0; i < Run<T, N>::ACCESSES; i++)
            ((typename Run<T, N>::Type *)to)[i] = run.parts[i];
    } else {
#pragma unroll
        for (int i = 0; i < N; i++)
            if (i < count)
                to[i] = run.values[i];
    }
}

/* The values of a row of C channels from pixel x on. */
template <int C, int N, typename V>
static __device__ __forceinline__ void load_pixels(const Source &source, int x, int y, V (&v)[N]) {
    const int at = x * C, count = source.plane.width * C - at;
    if (source.type == PIXEL_U8)
        load_run(row_of<uint8_t>(source.plane, y) + at, count, v);
    else if (source.type == PIXEL_U16)
        load_run(row_of<uint16_t>(source.plane, y) + at, count, v);
    else
        load_run(row_of<float>(source.plane, y) + at, count, v);
}

template <int C, int N, typename V>
static __device__ __forceinline__ void store_pixels(const Plane &out, PixelType type, int x, int y, const V (&v)[N]) {
    const int at = x * C, count = out.width * C - at;
    if (type == PIXEL_U8)
        store_run(row_to<uint8_t>(out, y) + at, count, v);
    else if (type == PIXEL_U16)
        store_run(row_to<uint16_t>(out, y) + at, count, v);
    else
        store_run(row_to<float>(out, y) + at, count, v);
}

#endif
