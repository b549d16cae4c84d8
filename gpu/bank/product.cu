/* product.cu: masks x weights by weights x pixels, as multiply does with tiles in shared memory. The second matrix is
 * nowhere: each of its values is read where the picture has it. A first kernel puts the border around the picture, so
 * that no read tests for it. It also puts columns `step` apart side by side: neighbouring threads read neighbouring
 * values. A thread has twelve masks by four pixels. A block has one, two or four times twelve masks, and the fewer, the
 * more pixels. */
#include "gpu/kernel.cuh"

extern "C" {
#include "core/math/border_index.h"
#include "core/ops/bank.h"
#include "gpu/bank/masks.h"
}

enum { GROUPS_MAX = 4, TERMS = 16, THREADS = 128, DOWN = 12, ACROSS = 4, ALL_PIXELS = THREADS * ACROSS };

/* The first channel of the picture, with its border. A row has columns 0, step, 2 step, ..., then 1, step + 1, ... */
typedef struct BankPlane {
    float *values;
    int width, height, left, top; /* of all, and of the border */
    int step, columns;            /* of each kind */
} BankPlane;

template <typename T>
__global__ void bank_plane(const __grid_constant__ Plane in, int channels, const __grid_constant__ Border border,
                           const __grid_constant__ BankPlane plane) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= plane.columns || y >= plane.height)
        return;
    const int sy = (int)border_index(border.mode, y - plane.top, in.height);
    float *to = plane.values + (size_t)y * plane.step * plane.columns + column;
    for (int kind = 0; kind < plane.step; kind++, to += plane.columns) {
        const int x = min(column * plane.step + kind, plane.width - 1) - plane.left;
        const int sx = (int)border_index(border.mode, x, in.width);
        *to = sx < 0 || sy < 0 ? border.value : (float)row_of<T>(in, sy)[(size_t)sx * channels];
    }
}

typedef struct BankProduct {
    const float *masks, *plane;
    int count, terms, mask_width;    /* of masks, of a mask's weights */
    int step, columns, pitch;        /* of the plane: a row's values */
    int width, height, across, down; /* of a tile of the sheet, and of the sheet in tiles */
} BankProduct;

/* GROUPS of twelve masks. */
template <int GROUPS>
__global__ void __launch_bounds__(THREADS)
    bank_product(const __grid_constant__ BankProduct m, const __grid_constant__ Plane out) {
    enum { MASKS = GROUPS * DOWN, PITCH = MASKS + 4, PIXELS = ALL_PIXELS / GROUPS, EACH = PIXELS / THREADS };
    __shared__ __align__(16) float a[TERMS][PITCH], b[TERMS][PIXELS];
    const int t = threadIdx.x, first_mask = blockIdx.y * MASKS;
    const long long first = (long long)blockIdx.x * PIXELS, pixels = (long long)m.width * m.height;
    unsigned from[EACH]; /* this thread brings the values of these pixels */
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        const long long mine = min(first + t + i * THREADS, pixels - 1);
        from[i] = (unsigned)((mine / m.width) * m.step * m.pitch + mine % m.width);
    }
    const int row = t / 32 % GROUPS * DOWN, column = (t / 32 / GROUPS * 32 + t % 32) * ACROSS;
    float sums[DOWN][ACROSS] = {};
    const int last = m.mask_width - 1, to_row = m.pitch - last % m.step * m.columns - last / m.step;
    const int to_first = 1 - (m.step - 1) * m.columns;
    for (int k = 0, i = 0, kind = 0; k < m.terms; k += TERMS) {
#pragma unroll
        for (int j = t; j < MASKS * TERMS; j += THREADS) {
            const int mask = j / TERMS, term = j % TERMS;
            a[term][mask] = first_mask + mask < m.count && k + term < m.terms
                                ? m.masks[(size_t)(first_mask + mask) * m.terms + k + term]
                                : 0;
        }
#pragma unroll
        for (int term = 0; term < TERMS; term++) {
            const bool ends = ++i == m.mask_width, wraps = ++kind == m.step;
            const int further = ends ? to_row : wraps ? to_first : m.columns;
#pragma unroll
            for (int j = 0; j < EACH; j++) {
                b[term][t + j * THREADS] = k + term < m.terms ? __ldg(m.plane + from[j]) : 0;
                from[j] += (unsigned)further;
            }
            i = ends ? 0 : i;
            kind = ends || wraps ? 0 : kind;
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
    const int width = (int)in.width + job->bank->width - 1, height = (int)in.height + job->bank->height - 1;
    const BankPlane plane = {
        NULL, width, height, job->bank->width / 2, job->bank->height / 2, job->step, (int)blocks_for(width, job->step)};
    return plane;
}

static size_t workspace(const Device *device, const Stage *stage) {
    const BankPlane plane = plane_of_bank(stage);
    (void)device;
    return (size_t)plane.step * (size_t)plane.columns * (size_t)plane.height * sizeof(float);
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
    BankProduct m = {
        masks,       plane.values,   job->bank->count,           (int)bank_terms(job->bank), job->bank->width,
        plane.step,  plane.columns,  plane.step * plane.columns, (int)tiles.width,           (int)tiles.height,
        job->across, (int)tiles.down};
    const Launch fill = {dim3(blocks_for(plane.columns, 32), blocks_for(plane.height, 8)), dim3(32, 8), 0};
    void *fill_arguments[] = {&in, &channels, &border, &plane};
    TRY(gpu_launch(queue, "bank, border", kernels[stage->in[0].shape.type], fill, fill_arguments));
    const size_t pixels = tiles.width * tiles.height;
    const int tiles_in_all = job->across * (int)tiles.down, groups = tiles_in_all <= DOWN       ? 1
                                                                     : tiles_in_all <= 2 * DOWN ? 2
                                                                                                : GROUPS_MAX;
    const void *const products[GROUPS_MAX + 1] = {NULL, (const void *)bank_product<1>, (const void *)bank_product<2>,
                                                  NULL, (const void *)bank_product<4>};
    const size_t each = (size_t)(ALL_PIXELS / groups);
    const Launch launch = {dim3((unsigned)((pixels + each - 1) / each), blocks_for(tiles_in_all, groups * DOWN)),
                           dim3(THREADS), 0};
    void *arguments[] = {&m, &out};
    return gpu_launch(queue, "bank product", products[groups], launch, arguments);
}

extern "C" const Level cuda_bank_product = {
    .op = &op_bank,
    .name = "product",
    .idea = "one product of matrices: the masks by all pixels' surroundings, which are read where the picture has them",
    .workspace = workspace,
    .run = run,
};
