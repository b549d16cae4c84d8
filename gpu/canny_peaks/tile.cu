/* tile.cu: a block finds each slope of its tile once, and keeps the magnitudes in shared memory, where peaks look at
 * their neighbours. A thread goes down a column. It keeps what rows give to the sums of the two below them. Sums of
 * whole numbers are whole numbers; float has double. */
#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/canny.h"
}

/* A block's peaks, the slopes for them, and the pixels for these. A column of slopes is two threads'. */
enum {
    THREADS = 256,
    WIDE = 126,
    TALL = 32,
    SLOPES = WIDE + 2,
    SLOPE_ROWS = TALL + 2,
    PARTS = THREADS / SLOPES,
    PIXELS = SLOPES + 2,
    ROWS = SLOPE_ROWS + 2,
    PART_ROWS = SLOPE_ROWS / PARTS
};

template <typename In> struct Sum { typedef int Type; };
template <> struct Sum<float> { typedef double Type; };

/* Bytes of a row of pixels in shared memory, which begins where the picture's words do. */
template <typename In, int C> static __host__ __device__ constexpr int row_bytes() {
    return (PIXELS * C * (int)sizeof(In) + 3) / 4 * 4 + 4;
}
template <typename In, int C> static __host__ __device__ constexpr int tile_bytes() {
    return (ROWS * row_bytes<In, C>() + 7) / 8 * 8;
}

/* Loads the pixels from (left, top) on; returns the bytes of each row before them. */
template <typename In, int C>
static __device__ int load_tile(const Plane &in, const CannyJob &job, int left, int top, unsigned char *tile) {
    constexpr int pitch = row_bytes<In, C>(), words = pitch / 4;
    if (left > 0 && top >= 0 && left + PIXELS < in.width && top + ROWS <= in.height) {
        const int skip = (int)(left * C * sizeof(In)) % 4;
        const unsigned char *from = in.pixels + (size_t)top * in.stride + left * C * sizeof(In) - skip;
        for (int i = threadIdx.x; i < words * ROWS; i += THREADS)
            ((unsigned *)tile)[i] = __ldg((const unsigned *)(from + i / words * in.stride) + i % words);
        return skip;
    }
    for (int i = threadIdx.x; i < PIXELS * ROWS; i += THREADS) {
        const int sx = (int)border_index(job.border.mode, left + i % PIXELS, in.width);
        const int sy = (int)border_index(job.border.mode, top + i / PIXELS, in.height);
        In *pixel = (In *)(tile + i / PIXELS * pitch) + i % PIXELS * C;
        for (int c = 0; c < C; c++)
            pixel[c] = sx < 0 || sy < 0 ? (In)job.border.value : row_of<In>(in, sy)[sx * C + c];
    }
    return 0;
}

template <typename In> static __device__ __forceinline__ CannyDirection direction_of(double x, double y) {
    const CannySlope slope = {x, y, 0};
    return canny_direction(slope);
}
/* As canny_direction. Product: whole numbers that hold 32768 times a slope. */
template <typename Product> static __device__ __forceinline__ CannyDirection direction_by(int x, int y) {
    const Product across = abs(x), down = (Product)abs(y) * 32768;
    return down < across * 13573   ? CANNY_ACROSS
           : down > across * 79109 ? CANNY_DOWN
           : (x < 0) != (y < 0)    ? CANNY_RISING
                                   : CANNY_FALLING;
}
template <typename In> static __device__ __forceinline__ CannyDirection direction_of(int x, int y) {
    return sizeof(In) == 1 ? direction_by<int>(x, y) : direction_by<long long>(x, y);
}
static __device__ __forceinline__ double magnitude_of(double x, double y) {
    return fabs(x) + fabs(y);
}
static __device__ __forceinline__ int magnitude_of(int x, int y) {
    return abs(x) + abs(y);
}

/* The difference to both sides and the smoothed sum of a row, for each channel. */
template <typename In, int C> struct Row { typename Sum<In>::Type across[C], sum[C]; };
template <typename In, int C> static __device__ __forceinline__ Row<In, C> row_at(const unsigned char *pixels) {
    typedef typename Sum<In>::Type Acc;
    const In *v = (const In *)pixels;
    Row<In, C> row;
#pragma unroll
    for (int c = 0; c < C; c++) {
        const Acc left = v[c], middle = v[C + c], right = v[2 * C + c];
        row.across[c] = right - left;
        row.sum[c] = left + right + 2 * middle;
    }
    return row;
}

/* Slopes of a part of the column at (x, y) of the picture; beyond it magnitudes are 0. */
template <typename In, int C>
static __device__ __forceinline__ void find_slopes(const Plane &in, int colours, int x, int y,
                                                   const unsigned char *pixels, typename Sum<In>::Type *magnitudes,
                                                   unsigned char *directions) {
    typedef typename Sum<In>::Type Acc;
    constexpr int pitch = row_bytes<In, C>();
    Row<In, C> a = row_at<In, C>(pixels), b = row_at<In, C>(pixels + pitch);
    const bool inside = x >= 0 && x < in.width;
#pragma unroll 3
    for (int r = 0; r < PART_ROWS; r++) {
        const Row<In, C> row = row_at<In, C>(pixels + (r + 2) * pitch);
        Acc best_x = 0, best_y = 0, best = 0;
#pragma unroll
        for (int c = 0; c < C; c++) {
            const Acc gx = a.across[c] + 2 * b.across[c] + row.across[c], gy = row.sum[c] - a.sum[c];
            const Acc magnitude = magnitude_of(gx, gy);
            if (c == 0 || (c < colours && magnitude > best))
                best_x = gx, best_y = gy, best = magnitude;
        }
        magnitudes[r * SLOPES] = inside && y + r >= 0 && y + r < in.height ? best : 0;
        directions[r * SLOPES] = (unsigned char)direction_of<In>(best_x, best_y);
        a = b, b = row;
    }
}

/* Thresholds: magnitudes above them. */
template <typename Acc> struct Thresholds { Acc low, high; };

template <typename In, int C>
__global__ void __launch_bounds__(THREADS)
    canny_tile(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
               const __grid_constant__ CannyJob job, const __grid_constant__ Thresholds<typename Sum<In>::Type> above) {
    typedef typename Sum<In>::Type Acc;
    extern __shared__ double shared[];
    unsigned char *tile = (unsigned char *)shared;
    Acc *magnitudes = (Acc *)(tile + tile_bytes<In, C>());
    unsigned char *directions = (unsigned char *)(magnitudes + SLOPES * SLOPE_ROWS);
    const int left = blockIdx.x * WIDE, top = blockIdx.y * TALL;
    const int skip = load_tile<In, C>(in, job, left - 2, top - 2, tile);
    __syncthreads();
    const int column = threadIdx.x % SLOPES, row = threadIdx.x / SLOPES * PART_ROWS;
    find_slopes<In, C>(in, C - job.alpha, left - 1 + column, top - 1 + row,
                       tile + skip + row * row_bytes<In, C>() + column * C * sizeof(In),
                       magnitudes + row * SLOPES + column, directions + row * SLOPES + column);
    __syncthreads();
    const int lane = threadIdx.x % SLOPES, x = left + lane;
    if (lane >= WIDE || x >= out.width)
        return;
    for (int y = threadIdx.x / SLOPES; y < min((int)TALL, out.height - top); y += PARTS) {
        const Acc *at = magnitudes + (y + 1) * SLOPES + lane + 1, magnitude = *at;
        unsigned char level = 0;
        if (magnitude > above.low) {
            const CannyDirection direction = (CannyDirection)directions[(y + 1) * SLOPES + lane + 1];
            const int before = canny_step_y(direction) * SLOPES + canny_step_x(direction);
            const bool straight = direction == CANNY_ACROSS || direction == CANNY_DOWN;
            if (magnitude > at[before] && (straight ? magnitude >= at[-before] : magnitude > at[-before]))
                level = magnitude > above.high ? CANNY_STRONG : CANNY_WEAK;
        }
        row_to<uint8_t>(out, top + y)[x] = level;
    }
}

static Thresholds<double> thresholds(const CannyJob &job, double) {
    const Thresholds<double> above = {job.low, job.high};
    return above;
}
/* A whole number is above a threshold if it is above the next whole number below that. */
static Thresholds<int> thresholds(const CannyJob &job, int) {
    const Thresholds<int> above = {(int)floor(fmin(job.low, 1e9)), (int)floor(fmin(job.high, 1e9))};
    return above;
}

template <typename In, int C> static Status run_as(Queue *queue, const Stage *stage) {
    typedef typename Sum<In>::Type Acc;
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    CannyJob job = *canny_job(stage);
    Thresholds<Acc> above = thresholds(job, Acc());
    void *arguments[] = {&in, &out, &job, &above};
    const Launch launch = {dim3(blocks_for(in.width, WIDE), blocks_for(in.height, TALL)), dim3(THREADS),
                           tile_bytes<In, C>() + SLOPES * SLOPE_ROWS * (sizeof(Acc) + 1)};
    return gpu_launch(queue, "canny_peaks tile", (const void *)canny_tile<In, C>, launch, arguments);
}

static Status run(Queue *queue, const Stage *stage) {
    static Status (*const runs[PIXEL_TYPES][4])(Queue *, const Stage *) = {
        {run_as<uint8_t, 1>, run_as<uint8_t, 2>, run_as<uint8_t, 3>, run_as<uint8_t, 4>},
        {run_as<uint16_t, 1>, run_as<uint16_t, 2>, run_as<uint16_t, 3>, run_as<uint16_t, 4>},
        {run_as<float, 1>, run_as<float, 2>, run_as<float, 3>, run_as<float, 4>}};
    return runs[stage->in[0].shape.type][stage->in[0].shape.channels - 1](queue, stage);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const float outside = canny_job(stage)->border.value;
    (void)device;
    *why_not = "its tile has pixels as they are stored, and the border's value is none";
    return stage->in[0].shape.type == PIXEL_F32 ||
           (outside == rintf(outside) && outside >= 0 && outside <= (float)pixel_type_white(stage->in[0].shape.type));
}

extern "C" const Level cuda_canny_peaks_tile = {
    .op = &op_canny_peaks,
    .name = "tile",
    .idea = "each slope once, from running sums down the columns; peaks compare magnitudes in shared memory",
    .accepts = accepts,
    .run = run,
};
