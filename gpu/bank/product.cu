/* product.cu: masks x weights by weights x pixels, as multiply does with tiles in shared memory. The second matrix is
 * nowhere: each of its values is read where the picture has it. A first kernel puts the border around the picture, so
 * that no read tests for it. A thread has eight masks by four pixels. */
#include "gpu/kernel.cuh"

extern "C" {
#include "core/math/border_index.h"
#include "core/ops/bank.h"
#include "gpu/bank/masks.h"
}

enum { MASKS = 32, PIXELS = 128, TERMS = 16, THREADS = 128, DOWN = 8, ACROSS = 4, PITCH = MASKS + 4 };

/* The first channel of the picture, with its border. */
typedef struct BankPlane {
    float *values;
    int width, height, left, top; /* of all, and of the border */
} BankPlane;

template <typename T>
__global__ void bank_plane(const __grid_constant__ Plane in, int channels, const __grid_constant__ Border border,
                           const __grid_constant__ BankPlane plane) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= plane.width || y >= plane.height)
        return;
    const int sx = (int)border_index(border.mode, x - plane.left, in.width);
    const int sy = (int)border_index(border.mode, y - plane.top, in.height);
    plane.values[(size_t)y * plane.width + x] =
        sx < 0 || sy < 0 ? border.value : (float)row_of<T>(in, sy)[(size_t)sx * channels];
}

typedef struct BankProduct {
    const float *masks, *plane;
    int count, terms, mask_width; /* of masks, of a mask's weights */
    int plane_width, step;
    int width, height, across, down; /* of a tile of the sheet, and of the sheet in tiles */
} BankProduct;

__global__ void __launch_bounds__(THREADS)
    bank_product(const __grid_constant__ BankProduct m, const __grid_constant__ Plane out) {
    __shared__ __align__(16) float a[TERMS][PITCH], b[TERMS][PIXELS];
    const int t = threadIdx.x, first_mask = blockIdx.y * MASKS;
    const long long first = (long long)blockIdx.x * PIXELS, pixels = (long long)m.width * m.height;
    const long long mine = min(first + t, pixels - 1); /* this thread brings its values */
    const float *from = m.plane + (size_t)(mine / m.width) * m.step * m.plane_width + (size_t)(mine % m.width) * m.step;
    const int row = t / 32 * DOWN, column = t % 32 * ACROSS;
    float sums[DOWN][ACROSS] = {};
    for (int k = 0, i = 0; k < m.terms; k += TERMS) {
#pragma unroll
        for (int j = 0; j < MASKS * TERMS / THREADS; j++) {
            const int mask = t / TERMS + j * (THREADS / TERMS), term = t % TERMS;
            a[term][mask] = first_mask + mask < m.count && k + term < m.terms
                                ? m.masks[(size_t)(first_mask + mask) * m.terms + k + term]
                                : 0;
        }
#pragma unroll
        for (int term = 0; term < TERMS; term++) {
            b[term][t] = k + term < m.terms ? *from : 0;
            const bool ends = ++i == m.mask_width;
            from += ends ? m.plane_width - m.mask_width + 1 : 1;
            i = ends ? 0 : i;
        }
        __syncthreads();
#pragma unroll
        for (int term = 0; term < TERMS; term++) {
            __align__(16) float down[DOWN], side[ACROSS];
#pragma unroll
            for (int j = 0; j < DOWN; j += 4)
                *(float4 *)(down + j) = *(const float4 *)&a[term][row + j];
            *(float4 *)side = *(const float4 *)&b[term][column];
#pragma unroll
            for (int y = 0; y < DOWN; y++)
#pragma unroll
                for (int x = 0; x < ACROSS; x++)
                    sums[y][x] += down[y] * side[x];
        }
        __syncthreads();
    }
#pragma unroll
    for (int x = 0; x < ACROSS; x++) {
        const long long pixel = first + column + x;
        if (pixel >= pixels)
            continue;
        const int px = (int)(pixel % m.width), py = (int)(pixel / m.width);
#pragma unroll
        for (int y = 0; y < DOWN; y++) {
            const int mask = first_mask + row + y;
            if (mask < m.across * m.down) /* also tiles that no mask has */
                row_to<float>(out, mask / m.across * m.height + py)[mask % m.across * m.width + px] =
                    mask < m.count ? sums[y][x] : 0;
        }
    }
}

static BankPlane plane_of_bank(const Stage *stage) {
    const BankJob *job = bank_job(stage);
    const Shape in = stage->in[0].shape;
    const BankPlane plane = {NULL, (int)in.width + job->bank->width - 1, (int)in.height + job->bank->height - 1,
                             job->bank->width / 2, job->bank->height / 2};
    return plane;
}

static size_t workspace(const Device *device, const Stage *stage) {
    const BankPlane plane = plane_of_bank(stage);
    (void)device;
    return (size_t)plane.width * (size_t)plane.height * sizeof(float);
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[PIXEL_TYPES] = {
        (const void *)bank_plane<uint8_t>, (const void *)bank_plane<uint16_t>, (const void *)bank_plane<float>};
    const BankJob *job = bank_job(stage);
    const BankTiles tiles = bank_tiles(job, stage->in[0].shape);
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    int channels = stage->in[0].shape.channels;
    Border border = job->border;
    BankPlane plane = plane_of_bank(stage);
    const float *masks;
    void *memory;
    TRY(gpu_bank(queue, job->bank, &masks));
    TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, workspace(queue->device, stage), &memory));
    plane.values = (float *)memory;
    BankProduct m = {masks,          plane.values, job->bank->count, (int)bank_terms(job->bank), job->bank->width,
                     plane.width,    job->step,    (int)tiles.width, (int)tiles.height,          job->across,
                     (int)tiles.down};
    const Launch fill = {dim3(blocks_for(plane.width, 32), blocks_for(plane.height, 8)), dim3(32, 8), 0};
    void *fill_arguments[] = {&in, &channels, &border, &plane};
    TRY(gpu_launch(queue, "bank, border", kernels[stage->in[0].shape.type], fill, fill_arguments));
    const size_t pixels = tiles.width * tiles.height;
    const Launch launch = {
        dim3((unsigned)((pixels + PIXELS - 1) / PIXELS), blocks_for(job->across * (int)tiles.down, MASKS)),
        dim3(THREADS), 0};
    void *arguments[] = {&m, &out};
    return gpu_launch(queue, "bank product", (const void *)bank_product, launch, arguments);
}

extern "C" const Level cuda_bank_product = {
    .op = &op_bank,
    .name = "product",
    .idea = "one product of matrices: the masks by all pixels' surroundings, which are read where the picture has them",
    .workspace = workspace,
    .run = run,
};
