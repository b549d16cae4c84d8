/* naive.cu: one thread a pixel; the table lies in device memory, of which the caches keep the entries that are asked
 * for often. */
#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/cube.h"
}

template <int C, typename T>
__global__ void cube_naive(const __grid_constant__ Plane in, const __grid_constant__ Plane table,
                           const __grid_constant__ Plane out, const __grid_constant__ CubeJob job) {
    enum { COLOURS = C % 2 ? C : C - 1 };
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.width || y >= in.height)
        return;
    const T *from = row_of<T>(in, y) + (size_t)x * C;
    T *to = row_to<T>(out, y) + (size_t)x * C;
    double v[3] = {0}, made[3] = {0};
    for (int c = 0; c < COLOURS; c++)
        v[c] = (double)from[c];
    cube_pixel(&job, row_of<float>(table, 0), table.stride / sizeof(float), COLOURS, v, made);
    for (int c = 0; c < COLOURS; c++)
        if constexpr (sizeof(T) == 1)
            to[c] = (T)__double2int_rn(fmin(fmax(made[c], 0.0), 255.0));
        else
            to[c] = Stored<T>::from(made[c]);
    if (COLOURS < C)
        to[C - 1] = from[C - 1];
}

#define CUBE_KERNELS(T)                                                                                                \
    {                                                                                                                  \
        (const void *)cube_naive<1, T>, (const void *)cube_naive<2, T>, (const void *)cube_naive<3, T>,                \
            (const void *)cube_naive<4, T>                                                                             \
    }

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[PIXEL_TYPES][4] = {CUBE_KERNELS(uint8_t), CUBE_KERNELS(uint16_t),
                                                        CUBE_KERNELS(float)};
    const Shape shape = stage->out.shape;
    Plane in = plane_of(stage->in[0]), table = plane_of(stage->in[1]), out = plane_of(stage->out);
    CubeJob job = *cube_job(stage);
    const Launch launch = {dim3(blocks_for(out.width, 32), blocks_for(out.height, 8)), dim3(32, 8), 0};
    void *arguments[] = {&in, &table, &out, &job};
    return gpu_launch(queue, "cube naive", kernels[shape.type][shape.channels - 1], launch, arguments);
}

extern "C" const Level cuda_cube_naive = {
    .op = &op_cube,
    .name = "naive",
    .idea = "one thread a pixel; the caches keep the table's frequent entries",
    .run = run,
};
