/* pixel.cuh: the parts that the kernels of move share: the job's numbers, and pixels as pieces of bytes that are copied
 * whole. */
#ifndef GLINT_GPU_MOVE_PIXEL_CUH
#define GLINT_GPU_MOVE_PIXEL_CUH

#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/move.h"
}

/* A pixel of COUNT pieces. */
template <typename Piece, int COUNT> struct Pixel { Piece pieces[COUNT]; };

typedef struct Moving {
    int left, top, width, height; /* of the turned picture, which the border's rule continues */
    bool transpose, mirror_x, mirror_y;
    BorderMode border;
    uint4 outside; /* as stored */
} Moving;

static inline Moving moving_of(const Stage *stage) {
    const MoveJob *job = move_job(stage);
    const Shape in = stage->in[0].shape;
    Moving moving = {(int)job->left,
                     (int)job->top,
                     (int)(job->transpose ? in.height : in.width),
                     (int)(job->transpose ? in.width : in.height),
                     job->transpose,
                     job->mirror_x,
                     job->mirror_y,
                     job->border,
                     {}};
    move_outside(job, stage->out.shape, (unsigned char *)&moving.outside);
    return moving;
}

/* Where column x or row y of the result comes from; -1: the border's value. */
static __device__ __forceinline__ int column_of(const Moving &moving, int x) {
    const int at = (int)border_index(moving.border, x + moving.left, moving.width);
    return at < 0 || !moving.mirror_x ? at : moving.width - 1 - at;
}
static __device__ __forceinline__ int line_of(const Moving &moving, int y) {
    const int at = (int)border_index(moving.border, y + moving.top, moving.height);
    return at < 0 || !moving.mirror_y ? at : moving.height - 1 - at;
}

/* The one of eight for the stage's pixels: 1, 2, 3, 4, 6, 8, 12 or 16 bytes. */
template <typename T> static T by_pixel(const Stage *stage, const T (&choices)[PIXEL_TYPES][4]) {
    return choices[stage->out.shape.type][stage->out.shape.channels - 1];
}
#define BY_PIXEL(kernel)                                                                                               \
    {                                                                                                                  \
        {(const void *)kernel<Pixel<uint8_t, 1>>, (const void *)kernel<Pixel<uint16_t, 1>>,                            \
         (const void *)kernel<Pixel<uint8_t, 3>>, (const void *)kernel<Pixel<uint32_t, 1>>},                           \
            {(const void *)kernel<Pixel<uint16_t, 1>>, (const void *)kernel<Pixel<uint32_t, 1>>,                       \
             (const void *)kernel<Pixel<uint16_t, 3>>, (const void *)kernel<Pixel<uint64_t, 1>>},                      \
            {(const void *)kernel<Pixel<uint32_t, 1>>, (const void *)kernel<Pixel<uint64_t, 1>>,                       \
             (const void *)kernel<Pixel<uint32_t, 3>>, (const void *)kernel<Pixel<uint64_t, 2>>},                      \
    }

#endif
