/* corners.cu: an entry of the table in one load of 16 bytes, and a colour's place by a multiply-add instead of two
 * divisions. Sums are double and not contracted (gpu/CMakeLists.txt), as the reference's: where a table is flat, all
 * results lie equally near to a half. The kernel reads only the four corners of a cell that count, which comparisons
 * find without a branch. */
#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/cube.h"
}

/* The table as the kernel reads it: made again for each run, since a table is much smaller than a picture. */
typedef struct Corners {
    const double *places;  /* by colour, the factor and the summand that make a value a place among the entries */
    const float4 *entries; /* red runs fastest, then green, then blue */
    int side;
    double white;
} Corners;

enum { PLACES_BYTES = 64 /* before the entries */ };

/* The domain stands in the table's first row; its other rows follow each other. */
__global__ void cube_entries(const __grid_constant__ Plane table, double *places, float4 *entries, int side,
                             double white) {
    const int x = blockIdx.y * blockDim.x + threadIdx.x, row = blockIdx.x;
    const float *domain = row_of<float>(table, 0);
    if (x < 3 && row == 0) {
        const double low = domain[x], range = (double)domain[3 + x] - low, last = side - 1;
        places[2 * x] = last / (white * range);
        places[2 * x + 1] = -low * last / range;
    }
    if (x < side) {
        const float *from = row_of<float>(table, 1 + row) + 3 * x;
        entries[row * side + x] = make_float4(from[0], from[1], from[2], 0);
    }
}

struct Sum3 {
    double v[3];
};

static __device__ __forceinline__ void add(Sum3 &sum, double weight, float4 entry) {
    sum.v[0] += weight * (double)entry.x, sum.v[1] += weight * (double)entry.y, sum.v[2] += weight * (double)entry.z;
}

template <typename T> static __device__ __forceinline__ void store(T *to, double value) {
    *to = Stored<T>::from(value);
}
template <> __device__ __forceinline__ void store(uint8_t *to, double value) {
    *to = (uint8_t)__double2int_rn(fmin(fmax(value, 0.0), 255.0));
}

template <int C, typename T>
__global__ void cube_corners(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                             const __grid_constant__ Corners job) {
    enum { COLOURS = C % 2 ? C : C - 1 };
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.width || y >= in.height)
        return;
    const T *from = row_of<T>(in, y) + (size_t)x * C;
    T *to = row_to<T>(out, y) + (size_t)x * C;
    const double last = job.side - 1;
    int at[3];
    double part[3];
    bool missing = false;
#pragma unroll
    for (int c = 0; c < 3; c++) {
        const T value = from[COLOURS == 3 ? c : 0];
        const double place = fma((double)value, __ldg(&job.places[2 * c]), __ldg(&job.places[2 * c + 1]));
        const double inside = place > 0 ? place < last ? place : last : 0;
        at[c] = min((int)inside, job.side - 2);
        part[c] = inside - at[c];
        missing |= value != value;
    }
    const double r = part[0], g = part[1], b = part[2];
    const int green = job.side, blue = job.side * job.side, corner = 1 + green + blue;
    const double more = r >= g ? r : g, less = r >= g ? g : r;
    const double high = more >= b ? more : b, low = less >= b ? b : less;
    const double middle = more >= b ? less >= b ? less : b : more;
    const int first = more >= b ? (r >= g ? 1 : green) : blue, rest = less >= b ? blue : r >= g ? green : 1;
    const float4 *entry = job.entries + at[0] + at[1] * green + at[2] * blue;
    Sum3 sum = {};
    add(sum, 1 - high, __ldg(entry));
    add(sum, high - middle, __ldg(entry + first));
    add(sum, middle - low, __ldg(entry + corner - rest));
    add(sum, low, __ldg(entry + corner));
    double made[3];
#pragma unroll
    for (int c = 0; c < 3; c++)
        made[c] = missing ? NAN : job.white * sum.v[c];
    if (COLOURS < 3)
        made[0] = 0.2126 * made[0] + 0.7152 * made[1] + 0.0722 * made[2];
#pragma unroll
    for (int c = 0; c < COLOURS; c++)
        store(&to[c], made[c]);
    if (COLOURS < C)
        to[C - 1] = from[C - 1];
}

#define CORNERS_KERNELS(T)                                                                                             \
    {                                                                                                                  \
        (const void *)cube_corners<1, T>, (const void *)cube_corners<2, T>, (const void *)cube_corners<3, T>,          \
            (const void *)cube_corners<4, T>                                                                           \
    }

static size_t workspace(const Device *device, const Stage *stage) {
    const size_t side = (size_t)cube_job(stage)->side;
    (void)device;
    return PLACES_BYTES + side * side * side * sizeof(float4);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "a table of one dimension has no cells";
    return cube_job(stage)->dimensions == 3;
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[PIXEL_TYPES][4] = {CORNERS_KERNELS(uint8_t), CORNERS_KERNELS(uint16_t),
                                                        CORNERS_KERNELS(float)};
    const Shape shape = stage->out.shape;
    Plane in = plane_of(stage->in[0]), table = plane_of(stage->in[1]), out = plane_of(stage->out);
    int side = cube_job(stage)->side;
    double white = cube_job(stage)->white;
    char *memory;
    TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, workspace(queue->device, stage), (void **)&memory));
    double *places = (double *)memory;
    float4 *entries = (float4 *)(memory + PLACES_BYTES);
    void *made[] = {&table, &places, &entries, &side, &white};
    const Launch first = {dim3((unsigned)(side * side), blocks_for(side, 128)), dim3(128), 0};
    TRY(gpu_launch(queue, "cube, entries", (const void *)cube_entries, first, made));
    Corners job = {places, entries, side, white};
    const Launch launch = {dim3(blocks_for(out.width, 32), blocks_for(out.height, 8)), dim3(32, 8), 0};
    void *arguments[] = {&in, &out, &job};
    return gpu_launch(queue, "cube corners", kernels[shape.type][shape.channels - 1], launch, arguments);
}

extern "C" const Level cuda_cube_corners = {
    .op = &op_cube,
    .name = "corners",
    .idea = "an entry in one load of 16 bytes, and only the four corners of its cell that a colour lies between",
    .accepts = accepts,
    .workspace = workspace,
    .run = run,
};
