/* around.cuh: the points that go along with another operation, on the pixels of a tile: where it is fetched, and where
 * its results become pixels. A thread takes a few pixels through the program side by side. Values are those that are
 * stored between two steps, all of which f32 holds exactly. Files that include this are compiled without contraction
 * (gpu/CMakeLists.txt), so that steps in double round as the reference's. */
#ifndef GLINT_GPU_POINT_AROUND_CUH
#define GLINT_GPU_POINT_AROUND_CUH

#include "gpu/point/alpha.cuh"
#include "gpu/point/pixels.cuh"

extern "C" {
#include "gpu/point/around.h"
}

/* A stage with points as kernels get it. */
typedef struct PointsAround {
    const PointsProgram *before, *after; /* NULL: none */
    Sources in;                          /* the stage's */
    int reads[STAGE_INPUTS];             /* StagePoints.reads */
    PixelType made, out;                 /* of the operation's result, and of the one behind the points */
} PointsAround;

static inline Status points_around(Queue *queue, const Stage *stage, PointsAround *around) {
    around->in = sources_of(stage);
    for (int k = 0; k < STAGE_INPUTS; k++)
        around->reads[k] = stage->points->reads[k];
    around->made = stage->points->out.type;
    around->out = stage->out.shape.type;
    return gpu_points(queue, stage, &around->before, &around->after);
}

/* The pixel that a program is at work on. */
typedef struct PointsPlace {
    int x, y;
    const float *made; /* the operation's result there; NULL before it */
} PointsPlace;

static __device__ __forceinline__ float byte_value(uint32_t word, int byte) {
    return __uint_as_float(__byte_perm(word, 0x4B000000, 0x7440 | byte)) - 8388608.0f;
}

/* A pixel as it is stored, all bytes in one word where they fit. */
template <int C> static __device__ __forceinline__ void load_pixel(const Source &source, int x, int y, float (&v)[C]) {
    if (source.type == PIXEL_U8) {
        const uint8_t *from = row_of<uint8_t>(source.plane, y) + x * C;
        const uint32_t word = C == 4   ? *(const uint32_t *)from
                              : C == 2 ? *(const uint16_t *)from
                              : C == 3 ? from[0] | from[1] << 8 | from[C - 1] << 16
                                       : from[0];
#pragma unroll
        for (int c = 0; c < C; c++)
            v[c] = byte_value(word, c);
    } else if (source.type == PIXEL_U16) {
#pragma unroll
        for (int c = 0; c < C; c++)
            v[c] = (float)row_of<uint16_t>(source.plane, y)[x * C + c];
    } else {
        const float *from = row_of<float>(source.plane, y) + x * C;
        if constexpr (C == 4) {
            const float4 quad = *(const float4 *)from;
            v[0] = quad.x, v[1] = quad.y, v[2] = quad.z, v[3] = quad.w;
        } else {
#pragma unroll
            for (int c = 0; c < C; c++)
                v[c] = from[c];
        }
    }
}

/* Loads a pixel, or any where it lies beyond the right and bottom edges: nothing reads the result there. */
template <int C> static __device__ __forceinline__ void load_near(const Source &source, int x, int y, float (&v)[C]) {
    load_pixel<C>(source, min(x, source.plane.width - 1), min(y, source.plane.height - 1), v);
}

/* Values that the type holds. */
template <int C>
static __device__ __forceinline__ void store_pixel(const Plane &out, PixelType type, int x, int y,
                                                   const float (&v)[C]) {
    if (type == PIXEL_U8) {
        uint8_t *to = row_to<uint8_t>(out, y) + x * C;
        uint32_t word = 0;
#pragma unroll
        for (int c = 0; c < C; c++)
            word |= (__float_as_uint(v[c] + 8388608.0f) & 0xFF) << 8 * c;
        if constexpr (C == 4)
            *(uint32_t *)to = word;
        else if constexpr (C == 2)
            *(uint16_t *)to = (uint16_t)word;
        else
#pragma unroll
            for (int c = 0; c < C; c++)
                to[c] = (uint8_t)(word >> 8 * c);
    } else if (type == PIXEL_U16) {
#pragma unroll
        for (int c = 0; c < C; c++)
            row_to<uint16_t>(out, y)[x * C + c] = (uint16_t)v[c];
    } else {
        float *to = row_to<float>(out, y) + x * C;
        if constexpr (C == 4)
            *(float4 *)to = make_float4(v[0], v[1], v[2], v[3]);
        else
#pragma unroll
            for (int c = 0; c < C; c++)
                to[c] = v[c];
    }
}

/* A sum's value once it is stored. */
static __device__ __forceinline__ float stored_value(float v, PixelType type) {
    return type == PIXEL_U8    ? (float)Stored<uint8_t>::from(v)
           : type == PIXEL_U16 ? (float)Stored<uint16_t>::from(v)
                               : v;
}

/* One step as the reference does it. Out of line: it has all functions in it. */
template <int C>
static __device__ __noinline__ void exact_step(const PointsProgram *program, int index, const PointsAround *around,
                                               PointsPlace at, float *values) {
    const PointStep *step = &program->job.steps[index];
    PointPixel pixel = {{{0}}};
    double v[POINT_CHANNELS] = {0};
#pragma unroll
    for (int c = 0; c < C; c++)
        v[c] = (double)values[c];
#pragma unroll
    for (int k = 0; k < STAGE_INPUTS; k++) {
        const bool is_read = step->reads[1] == k || step->reads[2] == k;
        const int from = at.made ? around->reads[k] : k;
        float read[C] = {};
        if (from == STAGE_MADE && is_read)
#pragma unroll
            for (int c = 0; c < C; c++)
                read[c] = at.made[c];
        else if (is_read)
            load_near<C>(around->in.of[from], at.x, at.y, read);
#pragma unroll
        for (int c = 0; c < C; c++)
            pixel.v[k][c] = (double)read[c];
    }
    point_apply(step, program->job.pool + step->parameters, &pixel, C, v);
#pragma unroll
    for (int c = 0; c < C; c++)
        values[c] = (float)point_stored(v[c], step->type);
}

template <int C>
static __device__ __forceinline__ void run_step(const PointsProgram *program, int index, const PointsAround *around,
                                                const PointsPlace &at, float (&v)[C]) {
    float values[C]; /* a copy, so that v itself stays in registers */
#pragma unroll
    for (int c = 0; c < C; c++)
        values[c] = v[c];
    exact_step<C>(program, index, around, at, values);
#pragma unroll
    for (int c = 0; c < C; c++)
        v[c] = values[c];
}

/* f32 colours times alpha, or divided by it, as the reference does it. */
template <int C> static __device__ __forceinline__ void by_alpha(bool divides, float (&v)[C]) {
    const double alpha = (double)v[C - 1] / 255;
    if (alpha == 1)
        return;
#pragma unroll
    for (int c = 0; c < C - 1; c++)
        v[c] = (float)(alpha <= (divides ? ALPHA_NONE : 0) ? 0 : divides ? (double)v[c] / alpha : (double)v[c] * alpha);
}

/* Takes P pixels through the program. */
template <int C, int P>
static __device__ __forceinline__ void run_points(const PointsProgram *program, const PointsAround *around,
                                                  const PointsPlace (&at)[P], float (&v)[P][C]) {
    enum { COLOURS = C % 2 ? C : C - 1 };
#pragma unroll 1
    for (int i = 0; i < program->count; i++) {
        const PointsWay way = program->parts[i].way;
        const int index = program->parts[i].index;
        if (way == POINTS_TABLE) {
#pragma unroll
            for (int p = 0; p < P; p++)
#pragma unroll
                for (int c = 0; c < COLOURS; c++)
                    v[p][c] = program->tables[index][__float_as_uint(v[p][c] + 8388608.0f) & 0xFF];
        } else if (way == POINTS_STAIRS) {
#pragma unroll
            for (int p = 0; p < P; p++)
#pragma unroll
                for (int c = 0; c < C; c++)
                    v[p][c] =
                        c < COLOURS ? (float)stairs_step(&program->stairs, v[p][c]) : stored_value(v[p][c], PIXEL_U8);
        } else if (way == POINTS_PREMULTIPLY) {
#pragma unroll
            for (int p = 0; p < P; p++)
#pragma unroll
                for (int c = 0; c < COLOURS; c++)
                    v[p][c] = by_white(v[p][c] * v[p][C - 1]);
        } else if (way == POINTS_TIMES_ALPHA || way == POINTS_BY_ALPHA) {
#pragma unroll
            for (int p = 0; p < P; p++)
                by_alpha<C>(way == POINTS_BY_ALPHA, v[p]);
        } else {
#pragma unroll
            for (int p = 0; p < P; p++)
                if (way == POINTS_STEP || !unpremultiply<C>(v[p]))
                    run_step<C>(program, index, around, at[p], v[p]);
        }
    }
}

/* The pixels at these places of input 0 of the stage, as the operation reads them. */
template <int C, int P>
static __device__ __forceinline__ void points_read(const PointsAround *around, const PointsPlace (&at)[P],
                                                   float (&v)[P][C]) {
#pragma unroll
    for (int p = 0; p < P; p++)
        load_pixel<C>(around->in.of[0], at[p].x, at[p].y, v[p]);
    if (around->before)
        run_points<C, P>(around->before, around, at, v);
}

/* Stores the results of pixels that the operation made, at[p].made, in `out`; those beyond it are left out. */
template <int C, int P>
static __device__ __forceinline__ void points_write(const PointsAround *around, const Plane &out,
                                                    const PointsPlace (&at)[P]) {
    float v[P][C];
#pragma unroll
    for (int p = 0; p < P; p++) {
        const PointsPlace &place = at[p];
        if (around->after && around->reads[0] != STAGE_MADE)
            load_near<C>(around->in.of[around->reads[0]], place.x, place.y, v[p]);
        else if constexpr (C == 4)
            *(float4 *)v[p] = *(const float4 *)place.made;
        else
#pragma unroll
            for (int c = 0; c < C; c++)
                v[p][c] = place.made[c];
    }
    if (around->after)
        run_points<C, P>(around->after, around, at, v);
#pragma unroll
    for (int p = 0; p < P; p++)
        if (at[p].x < out.width && at[p].y < out.height)
            store_pixel<C>(out, around->out, at[p].x, at[p].y, v[p]);
}

#endif
