/* running.cu: boxes on u8 by running sums: the mask's size no longer matters.
 * running_bands.cuh has the boxes that the tensor cores sum along rows. This file has larger boxes, and GPUs without
 * tensor cores for bytes. A warp marches down a strip of the picture, two rows a step, whose values share words of two
 * halves. The rows that enter the box less those that leave it give differences; their sums along the row are
 * differences of prefix sums,
 *     step(x) = prefix(x + right) - prefix(x - left - 1),
 * and each result is the one above it plus step(x). Sums of up to 128 differences fit 16 bits; where the prefix sums
 * overflow, the overflow cancels in the difference. Before its first row, a strip sums the box's rows column by column.
 * An earlier kernel writes down the values that the box covers beyond the picture's sides, so that all lanes read
 * alike. A warp that gathered them pixel by pixel would take as long as three others. Four channels have a kernel of
 * their own. */
#include "gpu/convolve/running_bands.cuh"
#include "gpu/convolve/running_words.cuh"

extern "C" {
#include "gpu/convolve/accepts.h"
#include "gpu/convolve/measured.h"
}

enum {
    QUAD = 4, /* results of a lane next to each other */
    GROUP = 32 * QUAD /* and of a warp */,
    HALF = 0x8000 /* makes a difference positive */
};

/* A strip of C channels: a lane's part of a row. */
template <int C> struct Strip {
    enum {
        EACH = C == 1 ? 16 : 8, /* pixels */
        VALUES = EACH * C,
        WORDS = VALUES / 4,
        PIXELS = 32 * EACH,
        PLANE = PIXELS / QUAD, /* of prefix sums: every fourth of a channel's */
        BLOCKS = C < 3 ? 5 : 4
    };
};

/* For each row `left` pixels to the left of the picture, and `right` from pixel `from` on, which is its last ones. */
typedef struct Sides {
    uint8_t *pixels;
    int left, right, from;
} Sides;

template <int C> static Sides sides_of(const Mask *mask, int width) {
    enum { EACH = Strip<C>::EACH };
    Sides sides = {};
    sides.left = (mask->width / 2 + EACH) / EACH * EACH; /* aligned, and at least one more than the mask reaches */
    sides.right = (mask->width - 1 - mask->width / 2 + EACH - 1) / EACH * EACH + EACH;
    sides.from = width / EACH * EACH;
    return sides;
}

__global__ void fill_sides(const __grid_constant__ Plane in, const __grid_constant__ Sum job,
                           const __grid_constant__ Sides sides, int channels) {
    const int bytes = (sides.left + sides.right) * channels;
    const int y = blockIdx.y * blockDim.y + threadIdx.y, i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= bytes || y >= in.height)
        return;
    const int pixel = i / channels, x = pixel < sides.left ? pixel - sides.left : sides.from + pixel - sides.left;
    const int sx = inside_index(job.border, x, in.width);
    sides.pixels[(size_t)y * bytes + i] =
        sx < 0 ? (uint8_t)job.outside : row_of<uint8_t>(in, y)[sx * channels + i % channels];
}

/* Where a lane's pixels of the picture's first row are, and how far from those of the next. */
struct Column {
    const uint8_t *pixels;
    size_t stride;
};

template <int C> static __device__ __forceinline__ Column column_at(const Plane &in, const Sides &sides, int x) {
    enum { EACH = Strip<C>::EACH };
    const int at = x < 0 ? x + sides.left : sides.left + min(x - sides.from, sides.right - EACH);
    Column column = {sides.pixels + at * C, (size_t)(sides.left + sides.right) * C};
    if (x >= 0 && x + EACH <= in.width) {
        column.pixels = row_of<uint8_t>(in, 0) + x * C;
        column.stride = in.stride;
    }
    return column;
}

/* A lane's pixels of row y. */
template <int C>
static __device__ __forceinline__ void load(const Plane &in, const Sum &job, const Column &column, int y,
                                            uint32_t (&words)[Strip<C>::WORDS]) {
    enum { WORDS = Strip<C>::WORDS, AT_ONCE = WORDS % 4 ? 2 : 4 };
    const int sy = inside_index(job.border, y, in.height);
    const uint8_t *from = column.pixels + (size_t)max(sy, 0) * column.stride;
#pragma unroll
    for (int i = 0; i < WORDS; i += AT_ONCE)
        if constexpr (AT_ONCE == 4)
            *(uint4 *)&words[i] = *(const uint4 *)(from + 4 * i);
        else
            *(uint2 *)&words[i] = *(const uint2 *)(from + 4 * i);
    if (sy < 0)
#pragma unroll
        for (int i = 0; i < WORDS; i++)
            words[i] = (uint32_t)job.outside * 0x01010101;
}

/* Two rows, one below the other. */
template <int C> struct Pair { uint32_t a[Strip<C>::WORDS], b[Strip<C>::WORDS]; };

template <int C>
static __device__ __forceinline__ void load_pair(const Plane &in, const Sum &job, const Column &column, int y,
                                                 Pair<C> &pair) {
    load<C>(in, job, column, y, pair.a);
    load<C>(in, job, column, y + 1, pair.b);
}

/* Values 2 i and 2 i + 1 of both rows. */
template <int C> static __device__ __forceinline__ uint2 apart(const Pair<C> &pair, int i) {
    const uint32_t both = __byte_perm(pair.a[i / 2], pair.b[i / 2], i % 2 ? 0x7632 : 0x5410);
    return make_uint2(both & EVEN, __byte_perm(both, 0, 0x4341));
}

/* Makes sums along the strip of sums along a lane's pixels. Each plane has every fourth sum of a channel: sums that
 * lanes read at once lie next to each other. */
template <int C>
static __device__ __forceinline__ void put_prefixes(const uint32_t (&sums)[Strip<C>::VALUES], uint32_t *prefixes) {
    typedef Strip<C> S;
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int c = 0; c < C; c++) {
        const uint32_t own = sums[S::VALUES - C + c];
        uint32_t total = own;
#pragma unroll
        for (int step = 1; step < 32; step *= 2) {
            const uint32_t before = __shfl_up_sync(~0U, total, step);
            if (lane >= step)
                total += before;
        }
        total -= own;
#pragma unroll
        for (int q = 0; q < QUAD; q++) {
            uint32_t *to = prefixes + (q * C + c) * S::PLANE + lane * (S::EACH / QUAD);
            uint32_t part[S::EACH / QUAD];
#pragma unroll
            for (int t = 0; t < S::EACH / QUAD; t++)
                part[t] = total + sums[(q + QUAD * t) * C + c];
            if constexpr (S::EACH == 16)
                *(uint4 *)to = make_uint4(part[0], part[1], part[2], part[3]);
            else
                *(uint2 *)to = make_uint2(part[0], part[1]);
        }
    }
}

/* Where the prefix sums around a lane's results are. The last group of results overlaps the one before it. */
struct Around {
    int ahead[QUAD], behind[QUAD], last;
};

template <int C> static __device__ __forceinline__ int slot_of(int pixel) {
    return pixel % QUAD * C * Strip<C>::PLANE + pixel / QUAD;
}

template <int C, int GROUPED>
static __device__ __forceinline__ uint32_t step_of(const uint32_t *prefixes, const Around &around, int group, int i) {
    const int at = i % C * Strip<C>::PLANE + (group == GROUPED - 1 ? around.last : group * 32);
    return prefixes[around.ahead[i / C] + at] - prefixes[around.behind[i / C] + at];
}

/* A row of a strip's results. */
template <int C, int GROUPED, bool EXACT>
static __device__ __forceinline__ void store_row(const Plane &out, const Box &box, const Sum &job, int out_left, int y,
                                                 const Around &around, const uint32_t (&sums)[GROUPED][QUAD * C]) {
    uint8_t *row = row_to<uint8_t>(out, y);
#pragma unroll
    for (int g = 0; g < GROUPED; g++) {
        const int x = out_left + ((int)threadIdx.x % 32 + (g == GROUPED - 1 ? around.last : g * 32)) * QUAD;
        uint32_t words[C];
#pragma unroll
        for (int i = 0; i < C; i++) {
            uint32_t bytes[4];
#pragma unroll
            for (int b = 0; b < 4; b++)
                bytes[b] = result_of<EXACT>(box.each, job, sums[g][4 * i + b]);
            words[i] =
                __byte_perm(__byte_perm(bytes[0], bytes[1], 0x0040), __byte_perm(bytes[2], bytes[3], 0x0040), 0x5410);
        }
        uint32_t *to = (uint32_t *)(row + x * C);
        if (x + QUAD <= out.width) {
            if constexpr (C == 2)
                *(uint2 *)to = make_uint2(words[0], words[1]);
            else
#pragma unroll
                for (int i = 0; i < C; i++)
                    to[i] = words[i];
        } else {
#pragma unroll
            for (int i = 0; i < QUAD * C; i++)
                if (x * C + i < out.width * C)
                    ((uint8_t *)to)[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
        }
    }
}

/* A lane's sums of columns, two a word and the even ones first, become one a word, each with those before it. */
template <int C> static __device__ __forceinline__ void sum_along(uint32_t (&sums)[Strip<C>::VALUES]) {
#pragma unroll
    for (int i = Strip<C>::WORDS - 1; i >= 0; i--) {
        const uint32_t even = sums[2 * i], odd = sums[2 * i + 1];
        sums[4 * i] = even & 0xFFFF, sums[4 * i + 1] = odd & 0xFFFF;
        sums[4 * i + 2] = even >> 16, sums[4 * i + 3] = odd >> 16;
    }
#pragma unroll
    for (int i = C; i < Strip<C>::VALUES; i++)
        sums[i] += sums[i - C];
}

template <int C, int GROUPED, bool EXACT>
__global__ void __launch_bounds__(THREADS, Strip<C>::BLOCKS)
    convolve_running(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                     const __grid_constant__ Sum job, const __grid_constant__ Box box,
                     const __grid_constant__ Sides sides) {
    typedef Strip<C> S;
    __shared__ __align__(16) uint32_t shared[WARPS][2][S::PIXELS * C];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, unit = blockIdx.x * WARPS + warp;
    const int out_left = unit % box.strips * box.results, x = out_left - box.left + lane * S::EACH;
    const int top = unit / box.strips * box.rows, bottom = min(top + box.rows, out.height);
    if (top >= out.height)
        return;
    Around around;
    around.last = min(GROUP / QUAD * (GROUPED - 1), box.results / QUAD - 1 - lane);
#pragma unroll
    for (int k = 0; k < QUAD; k++) {
        const int ahead = box.left + box.right + lane * QUAD + k;
        around.ahead[k] = slot_of<C>(ahead);
        around.behind[k] = slot_of<C>(ahead - job.width);
    }
    const Column column = column_at<C>(in, sides, x);
    uint32_t along[S::VALUES] = {}, sums[GROUPED][QUAD * C];
    int y = top - job.height / 2;
#pragma unroll 4
    for (int j = 0; j < job.height; j++, y++) {
        uint32_t words[S::WORDS];
        load<C>(in, job, column, y, words);
#pragma unroll
        for (int i = 0; i < S::WORDS; i++) { /* two values a word */
            along[2 * i] += words[i] & EVEN;
            along[2 * i + 1] += __byte_perm(words[i], 0, 0x4341);
        }
    }
    Pair<C> enter, leave;
    load_pair<C>(in, job, column, y, enter);
    load_pair<C>(in, job, column, y - job.height, leave);
    sum_along<C>(along);
    put_prefixes<C>(along, shared[warp][1]);
    __syncwarp();
#pragma unroll
    for (int g = 0; g < GROUPED; g++)
#pragma unroll
        for (int i = 0; i < QUAD * C; i++)
            sums[g][i] = step_of<C, GROUPED>(shared[warp][1], around, g, i) + (EXACT ? __float_as_uint(MAGIC) : 0);
    store_row<C, GROUPED, EXACT>(out, box, job, out_left, top, around, sums);

#pragma unroll 1
    for (int row = top + 1, buffer = 0; row < bottom; row += 2, buffer ^= 1) {
#pragma unroll
        for (int i = 0; i < S::VALUES; i += 2) {
            const uint2 in_two = apart<C>(enter, i / 2), out_two = apart<C>(leave, i / 2);
            along[i] = in_two.x - out_two.x + (i >= C ? along[i - C] : 0);
            along[i + 1] = in_two.y - out_two.y + (i + 1 >= C ? along[i + 1 - C] : 0);
        }
        y += 2;
        if (row + 2 < bottom) {
            load_pair<C>(in, job, column, y, enter);
            load_pair<C>(in, job, column, y - job.height, leave);
        }
        uint32_t *prefixes = shared[warp][buffer];
        put_prefixes<C>(along, prefixes);
        __syncwarp();
        uint32_t steps[GROUPED][QUAD * C];
#pragma unroll
        for (int g = 0; g < GROUPED; g++)
#pragma unroll
            for (int i = 0; i < QUAD * C; i++) {
                steps[g][i] = step_of<C, GROUPED>(prefixes, around, g, i) + HALF;
                sums[g][i] += (steps[g][i] & 0xFFFF) - HALF;
            }
        store_row<C, GROUPED, EXACT>(out, box, job, out_left, row, around, sums);
#pragma unroll
        for (int g = 0; g < GROUPED; g++)
#pragma unroll
            for (int i = 0; i < QUAD * C; i++)
                sums[g][i] += (uint32_t)((int)steps[g][i] >> 16);
        if (row + 1 < bottom)
            store_row<C, GROUPED, EXACT>(out, box, job, out_left, row + 1, around, sums);
    }
}

/* Whether all weights are equal, and the mask is no larger than sums of 16 bits allow. */
static bool running_fits(const Mask *mask, int channels) {
    bool equal = mask->width <= 128 && (mask->height <= 256 || channels == CHANNELS);
    for (int i = 1; i < mask->width * mask->height && equal; i++)
        equal = mask->weights[i] == mask->weights[0];
    return equal;
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    if (!bytes_only(stage, why_not))
        return false;
    *why_not = "the weights differ, or the mask is more than 128 wide or 256 high";
    return running_fits(convolve_job(stage)->mask, stage->out.shape.channels);
}

static size_t sides_bytes(const Stage *stage) {
    static Sides (*const sides_for[])(const Mask *, int) = {sides_of<1>, sides_of<2>, sides_of<3>};
    const Shape shape = stage->in[0].shape;
    if (shape.channels == CHANNELS)
        return 0;
    const Sides sides = sides_for[shape.channels - 1](convolve_job(stage)->mask, (int)shape.width);
    return (size_t)(sides.left + sides.right) * (size_t)shape.channels * shape.height;
}

static size_t workspace(const Device *device, const Stage *stage) {
    return bands_fit(device, stage) ? 0 : sides_bytes(stage);
}

template <int C> static Status launch(Queue *queue, const Stage *stage) {
    typedef Strip<C> S;
    enum { MOST = S::PIXELS / GROUP };
    static const void *const kernels[2][2] = {
        {(const void *)convolve_running<C, MOST - 1, false>, (const void *)convolve_running<C, MOST - 1, true>},
        {(const void *)convolve_running<C, MOST, false>, (const void *)convolve_running<C, MOST, true>}};
    const Mask *mask = convolve_job(stage)->mask;
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Sum job = sum_of(stage);
    const bool exact = divides_exactly(mask, job.bias);
    int channels = C;
    Sides sides = sides_of<C>(mask, in.width);
    void *memory;
    TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, sides_bytes(stage), &memory));
    sides.pixels = (uint8_t *)memory;
    const Launch first = {dim3(blocks_for((sides.left + sides.right) * C, 32), blocks_for(in.height, 8)), dim3(32, 8),
                          0};
    void *first_arguments[] = {&in, &job, &sides, &channels};
    TRY(gpu_launch(queue, "convolve running, sides", (const void *)fill_sides, first, first_arguments));
    Box box = {};
    box.left = sides.left;
    box.right = mask->width - 1 - mask->width / 2;
    box.results = (S::PIXELS - box.left - box.right) / S::EACH * S::EACH;
    box.strips = (int)blocks_for(out.width, box.results);
    /* As many warps as run at once, but none that does little but begin. */
    const int warps = gpu_of(queue->device)->limits.multiProcessorCount * S::BLOCKS * WARPS;
    const int pieces = warps > box.strips ? warps / box.strips : 1, rows = (int)blocks_for(out.height, pieces);
    box.rows = (rows > mask->height / 2 ? rows : mask->height / 2) | 1;
    box.each = exact ? 1 / mask->divisor : mask->weights[0];
    const Launch launch = {dim3(blocks_for(box.strips * (int)blocks_for(out.height, box.rows), WARPS)), dim3(THREADS),
                           0};
    void *arguments[] = {&in, &out, &job, &box, &sides};
    return gpu_launch(queue, "convolve running", kernels[box.results > GROUP * (MOST - 1)][exact], launch, arguments);
}

static Status run(Queue *queue, const Stage *stage) {
    static Status (*const launches[])(Queue *, const Stage *) = {launch<1>, launch<2>, launch<3>, launch_words};
    if (bands_fit(queue->device, stage))
        return launch_bands(queue, stage);
    return launches[stage->out.shape.channels - 1](queue, stage);
}

extern "C" const Level cuda_convolve_running = {
    .op = &op_convolve,
    .name = "running",
    .idea = "boxes: the sums of the row above, plus the row that enters, minus the row that leaves, by prefix sums "
            "along the row",
    .accepts = accepts,
    .workspace = workspace,
    .predictor = &convolve_measured,
    .run = run,
};
