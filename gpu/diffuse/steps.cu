/* steps.cu: several steps in one pass. A block keeps a tile of one channel in its threads' registers, and takes it from
 * step to step. A thread has some columns of the rows of a warp. It asks its neighbours in the warp for the next
 * columns. The warps tell each other their first and last rows through shared memory. Each step makes one more row
 * and column at the tile's rim worthless, which the tile has besides those that it stores.
 * A flow leaves one pixel for another: one exponential serves two pixels. Between two passes,
 * the channels are planes, whose rows begin at multiples of 16 bytes.
 * The border needs no test: a tile continues the picture as the border says, which the steps keep true. Pixels repeated
 * at an edge are a picture mirrored there, edge included. A constant alone has to be held. */
#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/diffuse.h"
}

enum { WARPS = 8, ROWS = 8, TALL = WARPS * ROWS, RIM = 8 /* columns */, PASS_MAX = 6 /* steps of a pass */ };

/* A picture, or planes between two passes, in the precision of the sums. */
enum { BETWEEN = PIXEL_TYPES };

/* The values of one channel: those of a row are `apart` values from one another. */
typedef struct Values {
    unsigned char *pixels;
    size_t stride, plane; /* bytes from row to row, from channel to channel */
    int type, apart;
} Values;

typedef struct Pass {
    Values in, out;
    int width, height, channels;
    int each;  /* the channels that a block goes through; if all of them, it stores through shared memory */
    int steps; /* 1 to PASS_MAX */
    BorderMode border;
    float outside;
    double rate, steep; /* steep: 1 / kappa^2, times log2(e) if the flow is an exponential */
} Pass;

/* ---- flow ---- */

template <DiffuseConductance G> static __device__ __forceinline__ float flow_of(float d, float steep) {
    float factor;
    if (G == DIFFUSE_STEEP)
        asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(factor) : "f"(d * d * -steep));
    else
        asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(factor) : "f"(fmaf(d * d, steep, 1.0f)));
    return d * factor;
}

/* 2^x, x <= 0, within 2e-9 (cpu/polynomial.h). NaN stays NaN. */
static __device__ __forceinline__ double power_of_two(double x) {
    const double shifted = x + 6755399441055744.0, rest = x - (shifted - 6755399441055744.0);
    double y = 0.00015355155306827283;
    y = fma(y, rest, 0.0013398935183507755);
    y = fma(y, rest, 0.009618429333629443);
    y = fma(y, rest, 0.05550332347864237);
    y = fma(y, rest, 0.24022648005277236);
    y = fma(y, rest, 0.6931472028304317);
    y = fma(y, rest, 1.0);
    const double scaled = __hiloint2double(__double2hiint(y) + (__double2loint(shifted) << 20), __double2loint(y));
    return x >= -1000 ? scaled : x < -1000 ? 0 : x;
}
template <DiffuseConductance G> static __device__ __forceinline__ double flow_of(double d, double steep) {
    if (G == DIFFUSE_STEEP)
        return d * power_of_two(d * d * -steep);
    const double below = fma(d * d, steep, 1.0);
    double share;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(share) : "d"(below));
    share = fma(fma(-below, share, 1.0), share, share);
    return d * share;
}

/* ---- values from and to memory ---- */

/* The index that continues the picture. Beyond an edge that is repeated, the rows behind it follow, so that nothing
 * flows across. */
static __device__ __forceinline__ int continued(BorderMode mode, int i, int n) {
    if (i >= 0 && i < n)
        return i;
    if (mode != BORDER_CLAMP)
        return (int)border_index(mode, i, n);
    const int r = i % (2 * n), at = r < 0 ? r + 2 * n : r;
    return at < n ? at : 2 * n - 1 - at;
}

template <typename Real>
static __device__ __forceinline__ Real value_at(const Values &in, const unsigned char *row, int x) {
    return in.type == BETWEEN     ? ((const Real *)row)[x]
           : in.type == PIXEL_U8  ? (Real)row[x * in.apart]
           : in.type == PIXEL_U16 ? (Real)((const uint16_t *)row)[x * in.apart]
                                  : (Real)((const float *)row)[x * in.apart];
}

/* A thread's part of a row, COLUMNS values 32 places apart, wherever it lies. Apart from the kernel, whose code it
 * would drive out of the multiprocessor's cache. */
template <int COLUMNS, typename Real>
static __device__ __noinline__ void load_row_at_edge(const Pass &pass, int c, int x, int y, Real *to) {
    const int sy = continued(pass.border, y, pass.height);
    const unsigned char *row = pass.in.pixels + c * pass.in.plane + (size_t)max(sy, 0) * pass.in.stride;
    Real values[COLUMNS];
#pragma unroll
    for (int k = 0; k < COLUMNS; k++) {
        const int sx = continued(pass.border, x + k, pass.width);
        values[k] = sx < 0 || sy < 0 ? (Real)pass.outside : value_at<Real>(pass.in, row, max(sx, 0));
    }
#pragma unroll
    for (int k = 0; k < COLUMNS; k++)
        to[32 * k] = values[k];
}

/* COLUMNS bytes of channel c of C, whose pixel's first byte lies at a multiple of COLUMNS. */
template <int C, int COLUMNS, typename Real>
static __device__ __forceinline__ void load_bytes(const unsigned char *pixels, int c, Real *to) {
    enum { WORDS = C * COLUMNS / 4 };
    uint32_t words[WORDS + 1];
#pragma unroll
    for (int i = 0; i < WORDS; i += COLUMNS / 4)
        if constexpr (COLUMNS == 8) {
            const uint2 two = __ldg((const uint2 *)(pixels + 4 * i));
            words[i] = two.x, words[i + 1] = two.y;
        } else {
            words[i] = __ldg((const uint32_t *)(pixels + 4 * i));
        }
    words[WORDS] = 0;
#pragma unroll
    for (int i = 0; i < WORDS; i++)
        words[i] = __funnelshift_r(words[i], words[i + 1], 8 * c);
#pragma unroll
    for (int k = 0; k < COLUMNS; k++)
        to[k] = (Real)(__uint_as_float(__byte_perm(words[k * C / 4], 0x4B000000, 0x7440 | k * C % 4)) - 8388608.0f);
}

template <int C, int COLUMNS, typename Real>
static __device__ __forceinline__ void load_tile_of_bytes(const Values &in, int c, const unsigned char *pixels,
                                                          Real (&v)[ROWS][COLUMNS]) {
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        load_bytes<C, COLUMNS>(pixels + r * in.stride, c, v[r]);
}
template <typename T, int COLUMNS, typename Real>
static __device__ __forceinline__ void load_tile_of(const Values &in, const unsigned char *pixels,
                                                    Real (&v)[ROWS][COLUMNS]) {
#pragma unroll
    for (int r = 0; r < ROWS; r++)
#pragma unroll
        for (int k = 0; k < COLUMNS; k++)
            v[r][k] = (Real)__ldg((const T *)(pixels + r * in.stride) + k * in.apart);
}
template <int COLUMNS, typename Real>
static __device__ __forceinline__ void load_tile_between(const Values &in, const unsigned char *pixels,
                                                         Real (&v)[ROWS][COLUMNS]) {
#pragma unroll
    for (int r = 0; r < ROWS; r++)
#pragma unroll
        for (int k = 0; k < COLUMNS; k += 16 / sizeof(Real)) {
            const uint4 four = __ldg((const uint4 *)((const Real *)(pixels + r * in.stride) + k));
            memcpy(&v[r][k], &four, sizeof four);
        }
}

/* A thread's values of channel c from (x, y) on; `inside`: the block's are all inside the picture, else they pass
 * through `places`, 32 apart. */
template <int COLUMNS, typename Real>
static __device__ __forceinline__ void load_tile(const Pass &pass, int c, int x, int y, bool inside, Real *places,
                                                 Real (&v)[ROWS][COLUMNS]) {
    const Values &in = pass.in;
    if (!inside) {
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            load_row_at_edge<COLUMNS>(pass, c, x, y + r, places);
#pragma unroll
            for (int k = 0; k < COLUMNS; k++)
                v[r][k] = places[32 * k];
        }
        return;
    }
    const size_t size = in.type == BETWEEN ? sizeof(Real) : in.type == PIXEL_U8 ? 1 : in.type == PIXEL_U16 ? 2 : 4;
    const unsigned char *pixels = in.pixels + (size_t)y * in.stride + (size_t)x * in.apart * size;
    if (in.type == BETWEEN)
        load_tile_between(in, pixels + c * in.plane, v);
    else if (in.type == PIXEL_U16)
        load_tile_of<uint16_t>(in, pixels + c * in.plane, v);
    else if (in.type == PIXEL_F32)
        load_tile_of<float>(in, pixels + c * in.plane, v);
    else if (in.apart == 1)
        load_tile_of_bytes<1>(in, c, pixels, v);
    else if (in.apart == 2)
        load_tile_of_bytes<2>(in, c, pixels, v);
    else if (in.apart == 3)
        load_tile_of_bytes<3>(in, c, pixels, v);
    else
        load_tile_of_bytes<4>(in, c, pixels, v);
}

template <typename Out, typename Real> static __device__ __forceinline__ Out stored(Real value) {
    return sizeof(Out) == 1 ? Stored<Out>::from((float)value) : Stored<Out>::from(value);
}

/* The good rows of a thread, to the block's own picture. */
template <typename Out, int COLUMNS, typename Real>
static __device__ __forceinline__ void stage_tile(unsigned char *staged, size_t pitch, int apart, int first, int end,
                                                  const Real (&v)[ROWS][COLUMNS]) {
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        if (r >= first && r < end)
#pragma unroll
            for (int k = 0; k < COLUMNS; k++)
                ((Out *)(staged + r * pitch))[k * apart] = stored<Out>(v[r][k]);
}
/* The same to the picture, up to its last column. */
template <typename Out, int COLUMNS, typename Real>
static __device__ __forceinline__ void store_tile_as(const Values &out, unsigned char *pixels, int first, int end,
                                                     int columns, const Real (&v)[ROWS][COLUMNS]) {
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        if (r >= first && r < end)
#pragma unroll
            for (int k = 0; k < COLUMNS; k++)
                if (k < columns)
                    ((Out *)(pixels + r * out.stride))[k * out.apart] = stored<Out>(v[r][k]);
}
template <int COLUMNS, typename Real>
static __device__ __forceinline__ void store_tile_between(const Values &out, unsigned char *pixels, int first, int end,
                                                          const Real (&v)[ROWS][COLUMNS]) {
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        if (r >= first && r < end)
#pragma unroll
            for (int k = 0; k < COLUMNS; k += 16 / sizeof(Real)) {
                uint4 four;
                memcpy(&four, &v[r][k], sizeof four);
                *(uint4 *)((Real *)(pixels + r * out.stride) + k) = four;
            }
}

/* Rows `first` to `end` of a thread's, whose first value is at (x, y); `staged` is its place there, or NULL. */
template <int COLUMNS, typename Real>
static __device__ __forceinline__ void store_tile(const Pass &pass, int c, int x, int y, int first, int end,
                                                  unsigned char *staged, size_t pitch, const Real (&v)[ROWS][COLUMNS]) {
    const Values &out = pass.out;
    unsigned char *pixels = out.pixels + c * out.plane + (ptrdiff_t)y * (ptrdiff_t)out.stride;
    if (out.type == BETWEEN)
        store_tile_between(out, pixels + x * sizeof(Real), first, end, v);
    else if (staged && out.type == PIXEL_U8)
        stage_tile<uint8_t>(staged + c, pitch, out.apart, first, end, v);
    else if (staged)
        stage_tile<uint16_t>(staged + 2 * c, pitch, out.apart, first, end, v);
    else if (out.type == PIXEL_U8)
        store_tile_as<uint8_t>(out, pixels + x * out.apart, first, end, pass.width - x, v);
    else if (out.type == PIXEL_U16)
        store_tile_as<uint16_t>(out, pixels + 2 * x * out.apart, first, end, pass.width - x, v);
    else
        store_tile_as<float>(out, pixels + 4 * x * out.apart, first, end, pass.width - x, v);
}

static __host__ __device__ int value_bytes(int type) {
    return type == PIXEL_U8 ? 1 : type == PIXEL_U16 ? 2 : 4;
}

/* The block's own picture, once it is whole. */
template <int WIDE>
static __device__ void store_staged(const Pass &pass, const unsigned char *staged, int left, int top, int rows) {
    const int size = pass.channels * value_bytes(pass.out.type), pitch = WIDE * size;
    const int bytes = min(WIDE, pass.width - left) * size, words = (bytes + 15) / 16;
    for (int i = threadIdx.x; i < words * min(rows, pass.height - top); i += WARPS * 32) {
        const int row = i / words, at = 16 * (i % words);
        const unsigned char *from = staged + row * pitch + at;
        unsigned char *to = pass.out.pixels + (size_t)(top + row) * pass.out.stride + (size_t)left * size + at;
        if (at + 16 <= bytes)
            *(uint4 *)to = *(const uint4 *)from;
        else
            for (int k = 0; k < bytes - at; k++)
                to[k] = from[k];
    }
}

/* ---- steps ---- */

/* The part of a step that a thread makes: its columns of the rows of its warp, with the rows above and below. HOLD:
 * pixels beyond the picture, those without a bit in `columns` or `rows`, stay as they are. */
template <DiffuseConductance G, bool HOLD, int COLUMNS, typename Real>
static __device__ __forceinline__ void step_tile(Real (&v)[ROWS][COLUMNS], const Real *above, const Real *below,
                                                 Real rate, Real steep, unsigned columns, unsigned rows) {
    Real from_above[COLUMNS];
#pragma unroll
    for (int k = 0; k < COLUMNS; k++)
        from_above[k] = flow_of<G>(v[0][k] - above[k], steep);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        Real across[COLUMNS + 1];
        const Real next = __shfl_down_sync(0xffffffff, v[r][0], 1);
#pragma unroll
        for (int k = 0; k < COLUMNS; k++)
            across[k + 1] = flow_of<G>((k + 1 < COLUMNS ? v[r][(k + 1) % COLUMNS] : next) - v[r][k], steep);
        across[0] = __shfl_up_sync(0xffffffff, across[COLUMNS], 1);
#pragma unroll
        for (int k = 0; k < COLUMNS; k++) {
            const Real down = flow_of<G>((r + 1 < ROWS ? v[(r + 1) % ROWS][k] : below[k]) - v[r][k], steep);
            const Real flow = (across[k + 1] - across[k]) + (down - from_above[k]);
            if (!HOLD || (columns >> k & rows >> r & 1))
                v[r][k] = fma(rate, flow, v[r][k]);
            from_above[k] = down;
        }
    }
}

template <int COLUMNS, typename Real> struct Lines { Real line[2][WARPS][2][COLUMNS][32]; };

template <typename Real, int COLUMNS, DiffuseConductance G>
__global__ void __launch_bounds__(WARPS * 32, 2) diffuse_steps(const __grid_constant__ Pass pass) {
    enum { WIDE = 32 * COLUMNS - 2 * RIM };
    extern __shared__ uint4 shared[];
    Lines<COLUMNS, Real> &lines = *(Lines<COLUMNS, Real> *)shared;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, good = TALL - 2 * pass.steps;
    const int left = blockIdx.x * WIDE, x = left - RIM + lane * COLUMNS;
    const int top = blockIdx.y * good, y = top - pass.steps + warp * ROWS;
    const bool whole = pass.each == pass.channels && pass.out.type <= PIXEL_U16;
    const int size = pass.channels * value_bytes(pass.out.type);
    unsigned char *staged =
        whole ? (unsigned char *)(&lines + 1) + (x - left) * size + (warp * ROWS - pass.steps) * WIDE * size : NULL;
    const Real rate = (Real)pass.rate, steep = (Real)pass.steep;
    unsigned columns = 0, rows = 0;
    for (int k = 0; k < COLUMNS; k++)
        columns |= (unsigned)(x + k >= 0 && x + k < pass.width) << k;
    for (int r = 0; r < ROWS; r++)
        rows |= (unsigned)(y + r >= 0 && y + r < pass.height) << r;
    const bool inside =
        left >= RIM && left + WIDE + RIM <= pass.width && top >= pass.steps && top + TALL - pass.steps <= pass.height;
    const bool hold = pass.border <= BORDER_CONSTANT && !inside;
    const bool stores = x >= left && x < left + WIDE && x < pass.width;
    const int first = max(pass.steps - warp * ROWS, 0);
    const int end = stores ? min(TALL - pass.steps - warp * ROWS, pass.height - y) : 0;
    for (int c = blockIdx.z * pass.each; c < (int)(blockIdx.z + 1) * pass.each; c++) {
        Real v[ROWS][COLUMNS];
        load_tile(pass, c, x, y, inside, &lines.line[1][warp][0][0][lane], v);
        for (int s = 0; s < pass.steps; s++) {
            Real(&line)[WARPS][2][COLUMNS][32] = lines.line[s % 2];
            Real above[COLUMNS], below[COLUMNS];
#pragma unroll
            for (int k = 0; k < COLUMNS; k++)
                line[warp][0][k][lane] = v[0][k], line[warp][1][k][lane] = v[ROWS - 1][k];
            __syncthreads();
#pragma unroll
            for (int k = 0; k < COLUMNS; k++) {
                above[k] = line[max(warp - 1, 0)][1][k][lane];
                below[k] = line[min(warp + 1, WARPS - 1)][0][k][lane];
            }
            if (hold)
                step_tile<G, true>(v, above, below, rate, steep, columns, rows);
            else
                step_tile<G, false>(v, above, below, rate, steep, columns, rows);
        }
        __syncthreads(); /* the next channel begins with lines that are read now */
        store_tile(pass, c, x, y, first, end, staged, WIDE * size, v);
    }
    if (whole) {
        __syncthreads();
        store_staged<WIDE>(pass, (unsigned char *)(&lines + 1), left, top, good);
    }
}

/* Planes, value by value, into a picture. */
template <typename Real>
__global__ void diffuse_steps_mix(const __grid_constant__ Values planes, const __grid_constant__ Plane out,
                                  int channels) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (at >= out.width * channels || y >= out.height)
        return;
    const int x = at / channels;
    const unsigned char *row = planes.pixels + (size_t)y * planes.stride + (at - x * channels) * planes.plane;
    row_to<float>(out, y)[at] = (float)((const Real *)row)[x];
}

/* ---- passes ---- */

static bool is_wide(const Stage *stage) {
    return stage->in[0].shape.type == PIXEL_U16 || stage->out.shape.type == PIXEL_U16;
}

static int passes_of(const Stage *stage) {
    return (diffuse_job(stage)->steps + PASS_MAX - 1) / PASS_MAX;
}

static Values picture(Frame frame) {
    const size_t size = pixel_type_size(frame.shape.type);
    const Values values = {(unsigned char *)frame.pixels, frame.stride, size, (int)frame.shape.type,
                           frame.shape.channels};
    return values;
}

static Values between(const Stage *stage, unsigned char *memory) {
    const Shape shape = stage->out.shape;
    const size_t stride = (shape.width + 7) / 8 * 8 * (is_wide(stage) ? sizeof(double) : sizeof(float));
    const Values values = {memory, stride, stride * shape.height, BETWEEN, 1};
    return values;
}

static size_t planes_bytes(const Stage *stage) {
    return between(stage, NULL).plane * (size_t)stage->out.shape.channels;
}

/* Whether the last pass makes planes, too: single values of float pixels, far apart, would each take a sector. */
static bool is_mixed(const Stage *stage) {
    return stage->out.shape.type == PIXEL_F32 && stage->out.shape.channels > 1;
}

/* Planes between two passes; if there are more, two sets of them that take turns. */
static size_t workspace(const Device *device, const Stage *stage) {
    const int sets = passes_of(stage) - 1 + is_mixed(stage);
    (void)device;
    return planes_bytes(stage) * (sets < 2 ? sets : 2);
}

template <typename Real, int COLUMNS> static Status launch(Queue *queue, Pass *pass, DiffuseConductance conductance) {
    enum { WIDE = 32 * COLUMNS - 2 * RIM };
    const void *kernel = conductance == DIFFUSE_STEEP ? (const void *)diffuse_steps<Real, COLUMNS, DIFFUSE_STEEP>
                                                      : (const void *)diffuse_steps<Real, COLUMNS, DIFFUSE_WIDE>;
    const int good = TALL - 2 * pass->steps;
    const unsigned across = blocks_for(pass->width, WIDE), down = blocks_for(pass->height, good);
    const bool many = (size_t)across * down >= 4 * (size_t)gpu_of(queue->device)->limits.multiProcessorCount;
    pass->each = many ? pass->channels : 1;
    const bool whole = pass->each == pass->channels && pass->out.type <= PIXEL_U16;
    const size_t staged = whole ? (size_t)good * WIDE * pass->channels * value_bytes(pass->out.type) : 0;
    const Launch launch = {dim3(across, down, (unsigned)(pass->channels / pass->each)), dim3(WARPS * 32),
                           sizeof(Lines<COLUMNS, Real>) + staged};
    void *arguments[] = {pass};
    return gpu_launch(queue, "diffuse steps", kernel, launch, arguments);
}

static Status run(Queue *queue, const Stage *stage) {
    const DiffuseJob *job = diffuse_job(stage);
    const Shape shape = stage->out.shape;
    const int passes = passes_of(stage);
    unsigned char *memory = NULL;
    if (workspace(queue->device, stage) > 0)
        TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, workspace(queue->device, stage), (void **)&memory));
    Pass pass = {};
    pass.in = picture(stage->in[0]);
    pass.width = (int)shape.width;
    pass.height = (int)shape.height;
    pass.channels = shape.channels;
    pass.border = job->border.mode;
    pass.outside = job->border.value;
    pass.rate = job->rate;
    pass.steep = (job->conductance == DIFFUSE_STEEP ? 1.4426950408889634 : 1) / (job->kappa * job->kappa);
    for (int i = 0; i < passes; i++) {
        pass.steps = job->steps * (i + 1) / passes - job->steps * i / passes;
        pass.out = i + 1 == passes && !is_mixed(stage) ? picture(stage->out)
                                                       : between(stage, memory + (i % 2 ? planes_bytes(stage) : 0));
        TRY(is_wide(stage) ? (launch<double, 4>(queue, &pass, job->conductance))
                           : (launch<float, 8>(queue, &pass, job->conductance)));
        pass.in = pass.out;
    }
    if (!is_mixed(stage))
        return STATUS_OK;
    Plane out = plane_of(stage->out);
    const Launch launch = {dim3(blocks_for(out.width * pass.channels, 64), blocks_for(out.height, 4)), dim3(64, 4), 0};
    void *arguments[] = {&pass.in, &out, &pass.channels};
    return gpu_launch(queue, "diffuse steps, mix",
                      is_wide(stage) ? (const void *)diffuse_steps_mix<double> : (const void *)diffuse_steps_mix<float>,
                      launch, arguments);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "a tile pays from two steps on";
    return diffuse_job(stage)->steps > 1 || !is_mixed(stage);
}

extern "C" const Level cuda_diffuse_steps = {
    .op = &op_diffuse,
    .name = "steps",
    .idea =
        "up to six steps in one pass over a tile in registers, and one exponential for what flows between two pixels",
    .accepts = accepts,
    .workspace = workspace,
    .run = run,
};
