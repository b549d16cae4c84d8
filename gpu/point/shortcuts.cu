/* shortcuts.cu: a point program that uses double only where it must. Functions of one u8 are tables. sRGB of f32 is
 * looked up among the 256 values where a step of u8 begins. Colours are multiplied and divided by alpha in f32, where
 * that rounds as double does. A thread takes a few pixels through the program side by side. */
#include "gpu/point/around.cuh"

extern "C" {
#include "gpu/point/measured.h"
}

enum { ROWS = 8, ACROSS = 32 };

template <int C> struct Side {
    enum { PIXELS = C == 4 ? 2 : 4 };
};

template <int C>
__global__ void __launch_bounds__(ROWS *ACROSS)
    point_shortcuts(const __grid_constant__ PointsAround around, const __grid_constant__ Plane out) {
    enum { P = Side<C>::PIXELS };
    const int x = blockIdx.x * ACROSS * P + threadIdx.x, y = blockIdx.y * ROWS + threadIdx.y;
    if (x >= out.width || y >= out.height)
        return;
    PointsPlace at[P];
    float v[P][C];
#pragma unroll
    for (int p = 0; p < P; p++)
        at[p].x = min(x + ACROSS * p, out.width - 1), at[p].y = y, at[p].made = NULL;
    points_read<C, P>(&around, at, v);
#pragma unroll
    for (int p = 0; p < P; p++)
        if (x + ACROSS * p < out.width)
            store_pixel<C>(out, around.out, x + ACROSS * p, y, v[p]);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    PointsPart parts[POINT_STEPS];
    (void)device;
    *why_not = "a pixel has as many channels behind its functions as before";
    if (stage->in[0].shape.channels != stage->out.shape.channels)
        return false;
    *why_not = "none of its functions has a shortcut: they are of one u8, from linear light to u8, or products and "
               "quotients with alpha of u8";
    const int count = gpu_points_parts(point_job(stage), stage->in[0].shape, parts);
    for (int i = 0; i < count; i++)
        if (parts[i].way != POINTS_STEP)
            return true;
    return false;
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[POINT_CHANNELS] = {
        (const void *)point_shortcuts<1>, (const void *)point_shortcuts<2>, (const void *)point_shortcuts<3>,
        (const void *)point_shortcuts<4>};
    const int channels = stage->out.shape.channels, across = ACROSS * (channels == 4 ? 2 : 4);
    Plane out = plane_of(stage->out);
    PointsAround around = {NULL, NULL, sources_of(stage), {0}, PIXEL_F32, stage->out.shape.type};
    TRY(gpu_points_program(queue, point_job(stage), stage->in[0].shape, &around.before));
    const Launch launch = {dim3(blocks_for(out.width, across), blocks_for(out.height, ROWS)), dim3(ACROSS, ROWS), 0};
    void *arguments[] = {&around, &out};
    return gpu_launch(queue, "point shortcuts", kernels[channels - 1], launch, arguments);
}

extern "C" const Level cuda_point_shortcuts = {
    .op = &op_point,
    .name = "shortcuts",
    .idea =
        "double only where it is needed: functions of one u8 are tables, and alpha is multiplied and divided in f32",
    .accepts = accepts,
    .predictor = &point_measured,
    .run = run,
};
