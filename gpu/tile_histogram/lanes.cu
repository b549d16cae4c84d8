/* lanes.cu: a few blocks for each tile count in shared memory, as the level lanes of the histogram does. Each lane
 * counts in a copy of its own, as far as there is room. */
#include "gpu/tile_histogram/tile.cuh"

enum { THREADS = 512, COPIES_MAX = 32, SHARED_MAX = 96 << 10, BLOCKS_A_PROCESSOR = 4 };

template <int C, typename T>
__global__ void __launch_bounds__(THREADS)
    tile_histogram_lanes(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                         const __grid_constant__ TilesJob job, int shift, int copies) {
    extern __shared__ uint32_t counts[];
    enum { PIXELS = Unit<T>::PIXELS };
    const Tiles tiles = job.tiles;
    const int bins = out.width, values = bins * job.colours, tile = blockIdx.x;
    for (int i = threadIdx.x; i < values * copies; i += THREADS)
        counts[i] = 0;
    __syncthreads();
    uint32_t *mine = counts + threadIdx.x % copies;
    const auto pixel = [&](const T *at) {
        count_tile_pixel<C>(job, at, [&](int row, int bin) { atomicAdd(&mine[(row * bins + bin) * copies], 1); });
    };
    const int across = 1 << shift, down = THREADS >> shift, column = threadIdx.x & (across - 1);
    const int left = tile % tiles.across * tiles.width, top = tile / tiles.across * tiles.height;
    const int right = left + tiles.width, end = min(right, in.width);
    for (int y = blockIdx.y * down + (threadIdx.x >> shift); y < tiles.height; y += gridDim.y * down) {
        const int sy = tiles_row(&job, top + y, in.height);
        if (sy < 0)
            continue;
        const T *row = row_of<T>(in, sy);
        for (int x = (left / PIXELS + column) * PIXELS; x < end; x += across * PIXELS) {
            if (x >= left && x + PIXELS <= end) {
                uint4 words[C];
#pragma unroll
                for (int i = 0; i < C; i++)
                    words[i] = ((const uint4 *)(row + (size_t)x * C))[i];
#pragma unroll
                for (int i = 0; i < PIXELS; i++)
                    pixel((const T *)words + i * C);
            } else
                for (int i = max(x, left); i < min(x + (int)PIXELS, end); i++)
                    pixel(row + (size_t)i * C);
        }
        for (int x = max(left, in.width) + column; x < right; x += across) /* the mirrored part */
            pixel(row + (size_t)border_index(BORDER_MIRROR, x, in.width) * C);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < values; i += THREADS) {
        uint32_t sum = 0;
        for (int copy = 0; copy < copies; copy++) /* each thread begins in another bank */
            sum += counts[i * copies + (copy + i) % copies];
        if (sum)
            atomicAdd(row_to<uint32_t>(out, tile * job.colours + i / bins) + i % bins, sum);
    }
}

static size_t copy_bytes(const Stage *stage) {
    return stage->out.shape.width * (size_t)tiles_job_of(stage)->colours * sizeof(uint32_t);
}

/* A power of two, within the shared memory that all devices have for a block. */
static int copies_for(const Device *device, const Stage *stage) {
    const size_t limit = ((const GpuDevice *)device)->limits.sharedMemPerBlockOptin;
    const size_t room = limit < (size_t)SHARED_MAX ? limit : (size_t)SHARED_MAX;
    int copies = COPIES_MAX;
    while (copies > 1 && copy_bytes(stage) * copies > room)
        copies /= 2;
    return copies;
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    *why_not = "a block has no room for the counts of a tile";
    return copy_bytes(stage) <= ((const GpuDevice *)device)->limits.sharedMemPerBlockOptin;
}

static Status run(Queue *queue, const Stage *stage) {
    COUNT_TABLE(tile_histogram_lanes);
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    TilesJob job = *tiles_job_of(stage);
    int shift = unit_shift(job.tiles.width, 16 / (int)pixel_type_size(stage->in[0].shape.type), THREADS);
    int copies = copies_for(queue->device, stage);
    const int tiles = job.tiles.across * job.tiles.down;
    const int wanted = (gpu_of(queue->device)->limits.multiProcessorCount * BLOCKS_A_PROCESSOR + tiles - 1) / tiles;
    const int most = (int)blocks_for(job.tiles.height, THREADS >> shift);
    const Launch launch = {dim3((unsigned)tiles, (unsigned)(wanted < most ? wanted : most)), dim3(THREADS),
                           copy_bytes(stage) * copies};
    void *arguments[] = {&in, &out, &job, &shift, &copies};
    TRY(clear_counts(queue, stage));
    return gpu_launch(queue, "tile_histogram lanes", count_kernel(kernels, stage), launch, arguments);
}

extern "C" const Level cuda_tile_histogram_lanes = {
    .op = &op_tile_histogram,
    .name = "lanes",
    .idea = "a few blocks for each tile count in shared memory, each lane in a copy of its own",
    .accepts = accepts,
    .run = run,
};
