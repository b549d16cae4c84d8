/* shared.cu: the bilateral filter on a tile in shared memory.
 * The tile lies there as f32 with its border filled in, one plane a channel, scaled so that the weight of a neighbour
 * is 2 to the power of its own logarithm by distance, which is a constant of the launch, minus the square of the
 * difference. A thread has four pixels one below the other: a value that it reads serves all four. */
#include "gpu/bilateral/window.cuh"

enum { WIDE = 32, TALL = 32, ACROSS = 32, DOWN = 8, EACH = TALL / DOWN, RADIUS_MAX = 16 };

/* Logarithms by distance, of a quarter of the window: they are alike in all. */
typedef struct Weights {
    float space[(RADIUS_MAX + 1) * (RADIUS_MAX + 1)];
    int reach[RADIUS_MAX + 1]; /* the farthest row in a column, by its distance */
    float scale, inverse, outside;
    int radius;
    BorderMode border;
} Weights;

static __device__ __forceinline__ float power_of_two(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/* R: the radius, or 0 where it is known at run time only. */
template <typename In, typename Out, int C, int R>
__global__ void __launch_bounds__(ACROSS *DOWN)
    bilateral_shared(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                     const __grid_constant__ Weights weights) {
    extern __shared__ float tile[];
    const int radius = R > 0 ? R : weights.radius, pitch = WIDE + 2 * radius, rows = TALL + 2 * radius;
    const int left = blockIdx.x * WIDE, top = blockIdx.y * TALL, plane = pitch * rows;
    for (int j = threadIdx.x / 32; j < rows; j += ACROSS * DOWN / 32) {
        const int sy = bilateral_index(weights.border, top + j - radius, in.height);
        const In *row = row_of<In>(in, sy < 0 ? 0 : sy);
        for (int i = threadIdx.x % 32; i < pitch; i += 32) {
            const int sx = bilateral_index(weights.border, left + i - radius, in.width);
#pragma unroll
            for (int c = 0; c < C; c++)
                tile[c * plane + j * pitch + i] =
                    weights.scale * (sx < 0 || sy < 0 ? weights.outside : (float)row[sx * C + c]);
        }
    }
    __syncthreads();
    const int x = threadIdx.x % ACROSS, y = threadIdx.x / ACROSS * EACH;
    const float *middle = tile + (y + radius) * pitch + x + radius;
    float centre[EACH][C], sums[EACH][C] = {}, total[EACH] = {};
#pragma unroll
    for (int k = 0; k < EACH; k++)
#pragma unroll
        for (int c = 0; c < C; c++)
            centre[k][c] = middle[c * plane + k * pitch];
#pragma unroll 1
    for (int i = -radius; i <= radius; i++) {
        float part[EACH][C] = {}, part_total[EACH] = {}; /* long sums of like values would round the same way */
        const int reach = weights.reach[abs(i)];
        const float *space = weights.space + abs(i) * (RADIUS_MAX + 1);
        auto step = [&](int j) { /* the row j below the first of the four pixels */
                                 float value[C];
#pragma unroll
                                 for (int c = 0; c < C; c++)
                                     value[c] = middle[c * plane + j * pitch + i];
#pragma unroll
                                 for (int k = 0; k < EACH; k++) {
                                     const int dy = abs(j - k);
                                     if (dy > reach)
                                         continue;
                                     float d = 0;
#pragma unroll
                                     for (int c = 0; c < C; c++)
                                         d += fabsf(value[c] - centre[k][c]);
                                     const float weight = power_of_two(fmaf(-d, d, space[dy]));
                                     part_total[k] += weight;
#pragma unroll
                                     for (int c = 0; c < C; c++)
                                         part[k][c] = fmaf(weight, value[c], part[k][c]);
                                 }
        };
        if constexpr (R > 0) {
#pragma unroll
            for (int j = -R; j < R + EACH; j++)
                step(j);
        } else {
#pragma unroll 1
            for (int j = -reach; j < reach + EACH; j++)
                step(j);
        }
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            total[k] += part_total[k];
#pragma unroll
            for (int c = 0; c < C; c++)
                sums[k][c] += part[k][c];
        }
    }
    if (left + x < out.width)
#pragma unroll
        for (int k = 0; k < EACH; k++)
            if (top + y + k < out.height)
#pragma unroll
                for (int c = 0; c < C; c++)
                    row_to<Out>(out, top + y + k)[(left + x) * C + c] =
                        Stored<Out>::from(sums[k][c] / total[k] * weights.inverse);
}

static Weights weights_of(const BilateralJob *job) {
    Weights weights = {};
    weights.radius = job->radius;
    weights.border = job->border.mode;
    weights.outside = job->border.value;
    weights.scale = (float)sqrt(-bilateral_slope(job));
    weights.inverse = (float)(1 / (double)weights.scale);
    for (int i = 0; i <= job->radius; i++)
        for (int j = 0; i * i + j * j <= job->radius * job->radius && j <= job->radius; j++) {
            weights.space[i * (RADIUS_MAX + 1) + j] = (float)(-(i * i + j * j) * 0.7213475204444817 / /* log2(e) / 2 */
                                                              (job->space * job->space));
            weights.reach[i] = j;
        }
    return weights;
}

template <typename In, typename Out, int C> struct BilateralShared {
    static Status run(Queue *queue, const Stage *stage) {
        static const void *const kernels[] = {
            (const void *)bilateral_shared<In, Out, C, 0>, (const void *)bilateral_shared<In, Out, C, 2>,
            (const void *)bilateral_shared<In, Out, C, 3>, (const void *)bilateral_shared<In, Out, C, 4>,
            (const void *)bilateral_shared<In, Out, C, 5>};
        const int radius = bilateral_job(stage)->radius;
        Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
        Weights weights = weights_of(bilateral_job(stage));
        const Launch launch = {dim3(blocks_for(out.width, WIDE), blocks_for(out.height, TALL)), dim3(ACROSS * DOWN),
                               C * sizeof(float) * (size_t)(WIDE + 2 * radius) * (size_t)(TALL + 2 * radius)};
        void *arguments[] = {&in, &out, &weights};
        return gpu_launch(queue, "bilateral shared", kernels[radius >= 2 && radius <= 5 ? radius - 1 : 0], launch,
                          arguments);
    }
};

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "its tile has room for a diameter of 33";
    if (bilateral_job(stage)->radius > RADIUS_MAX)
        return false;
    *why_not = "it has one picture in shared memory, which is its own guide";
    if (bilateral_job(stage)->joint)
        return false;
    *why_not = "single precision would round too many of 16 bits differently";
    if (stage->in[0].shape.type == PIXEL_U16)
        return false;
    *why_not = "it stores pixels of the type that it reads";
    return stage->out.shape.type == stage->in[0].shape.type;
}

static Status run(Queue *queue, const Stage *stage) {
    return stage->in[0].shape.type == PIXEL_U8 ? for_channels<BilateralShared, uint8_t, uint8_t>(queue, stage)
                                               : for_channels<BilateralShared, float, float>(queue, stage);
}

extern "C" const Level cuda_bilateral_shared = {
    .op = &op_bilateral,
    .name = "shared",
    .idea = "the tile in shared memory, scaled so that a weight is one multiply-add and one exponential of the special "
            "function unit; four pixels share what is read",
    .accepts = accepts,
    .run = run,
};
