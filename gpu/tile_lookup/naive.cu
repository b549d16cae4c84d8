/* naive.cu: one thread a pixel, four results from the curves in device memory for each of its values. */
#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/histogram.h"
#include "core/ops/tiles.h"
}

/* The curve's result for a value; sums are double where results are u16. */
static __device__ __forceinline__ float result(const TilesJob &, const uint8_t *curve, uint8_t value) {
    return (float)curve[value];
}
template <typename T>
static __device__ __forceinline__ typename Accumulator<T>::Type result(const TilesJob &job, const float *curve,
                                                                       T value) {
    typedef typename Accumulator<T>::Type Real;
    const double at = ((double)value - (double)job.bins.low) * (double)job.bins.scale, last = job.bins.count - 1;
    const double inside = at > 0 ? (at < last ? at : last) : 0; /* in f32, a bin would have 16 bits left */
    const int low = min((int)inside, job.bins.count - 2);
    return (Real)curve[low] + (Real)(inside - low) * ((Real)curve[low + 1] - (Real)curve[low]);
}

template <typename T> struct CurveOf { typedef float Type; };
template <> struct CurveOf<uint8_t> { typedef uint8_t Type; };

template <int C, typename T>
__global__ void tile_lookup_naive(const __grid_constant__ Plane in, const __grid_constant__ Plane curves,
                                  const __grid_constant__ Plane out, const __grid_constant__ TilesJob job) {
    typedef typename Accumulator<T>::Type Real;
    typedef typename CurveOf<T>::Type Curve;
    enum { COLOURS = C % 2 ? C : C - 1 };
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.width || y >= in.height)
        return;
    const Tiles tiles = job.tiles;
    const Between across = tiles_between(x, tiles.width, tiles.across, sizeof(T) == 1);
    const Between down = tiles_between(y + job.top, tiles.height, tiles.down, sizeof(T) == 1);
    const T *from = row_of<T>(in, y) + (size_t)x * C;
    T *to = row_to<T>(out, y) + (size_t)x * C;
    for (int c = 0; c < COLOURS; c++) {
        const T value = from[c];
        Real sums[2];
        for (int k = 0; k < 2; k++) {
            const int first = (k ? down.second : down.first) * tiles.across, row = job.luma ? 0 : c;
            const Real left = result(job, row_of<Curve>(curves, (first + across.first) * job.colours + row), value);
            const Real right = result(job, row_of<Curve>(curves, (first + across.second) * job.colours + row), value);
            sums[k] = left * (Real)(1 - across.part) + right * (Real)across.part;
        }
        const Real sum = sums[0] * (Real)(1 - down.part) + sums[1] * (Real)down.part;
        to[c] = value == value ? Stored<T>::from(sum) : value;
    }
    if (COLOURS < C)
        to[C - 1] = from[C - 1];
}

#define LOOKUP_KERNELS(T)                                                                                              \
    {                                                                                                                  \
        (const void *)tile_lookup_naive<1, T>, (const void *)tile_lookup_naive<2, T>,                                  \
            (const void *)tile_lookup_naive<3, T>, (const void *)tile_lookup_naive<4, T>                               \
    }

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[PIXEL_TYPES][4] = {LOOKUP_KERNELS(uint8_t), LOOKUP_KERNELS(uint16_t),
                                                        LOOKUP_KERNELS(float)};
    const Shape shape = stage->out.shape;
    Plane in = plane_of(stage->in[0]), curves = plane_of(stage->in[1]), out = plane_of(stage->out);
    TilesJob job = *tiles_job_of(stage);
    const Launch launch = {dim3(blocks_for(out.width, 32), blocks_for(out.height, 8)), dim3(32, 8), 0};
    void *arguments[] = {&in, &curves, &out, &job};
    return gpu_launch(queue, "tile_lookup naive", kernels[shape.type][shape.channels - 1], launch, arguments);
}

extern "C" const Level cuda_tile_lookup_naive = {
    .op = &op_tile_lookup,
    .name = "naive",
    .idea = "one thread a pixel, four results from the curves in device memory for each of its values",
    .run = run,
};
