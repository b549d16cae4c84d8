/* running_words.cuh: running for four channels, whose pixels are words. A warp marches down a strip of 256 pixels, a
 * row at a time. Two channels share a word of two halves. Differences are made positive, so that sums of up to 128 of
 * them fit 16 bits. Where the prefix sums overflow, the overflow cancels in the difference. */
#ifndef GLINT_GPU_CONVOLVE_RUNNING_WORDS_CUH
#define GLINT_GPU_CONVOLVE_RUNNING_WORDS_CUH

#include "gpu/convolve/box.cuh"

enum {
    BLOCKS = 5, /* a multiprocessor has at least */
    EACH = 8,   /* pixels of a lane */
    STRIP = 32 * EACH,
    CHANNELS = 4,
    BIAS = 255 /* makes a difference positive */
};

/* A lane's pixels of row y. At the picture's sides `columns` has theirs, -1 where the border's value stands. */
static __device__ __forceinline__ void load(const Plane &in, const Sum &job, uint32_t outside, int x, int y,
                                            const int *columns, uint32_t (&pixels)[EACH]) {
    const int sy = inside_index(job.border, y, in.height);
    const uint32_t *row = row_of<uint32_t>(in, max(sy, 0));
    if (sy >= 0 && x >= 0 && x + EACH <= in.width) {
        *(uint4 *)&pixels[0] = *(const uint4 *)(row + x);
        *(uint4 *)&pixels[4] = *(const uint4 *)(row + x + 4);
    } else {
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            const int sx = columns[i];
            pixels[i] = sy >= 0 && sx >= 0 ? row[sx] : outside;
        }
    }
}

/* Channels 0 and 2, and 1 and 3. */
static __device__ __forceinline__ uint2 apart(uint32_t pixel) {
    return make_uint2(pixel & EVEN, __byte_perm(pixel, 0, 0x4341));
}

/* Pairs of pixels change places so that the pairs that 8 lanes write at once lie in different banks. */
static __device__ __forceinline__ int place_of(int pair) {
    return pair ^ (pair / 8 & 3);
}

/* Where the prefix sums of the strip's pixel `i` are, in bytes. */
static __device__ __forceinline__ int slot_of(int i) {
    return (place_of(i / 2) * 2 + i % 2) * (int)sizeof(uint2);
}

static __device__ __forceinline__ uint2 operator+(uint2 a, uint2 b) {
    return make_uint2(a.x + b.x, a.y + b.y);
}

/* Sums along a lane's pixels of the values that enter less those that leave. */
static __device__ __forceinline__ void sum_differences(const uint32_t (&enter)[EACH], const uint32_t (&leave)[EACH],
                                                       uint2 (&sums)[EACH]) {
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        const uint2 difference = apart(enter[i]) + apart(~leave[i]); /* 255 - b is ~b */
        sums[i] = i > 0 ? sums[i - 1] + difference : difference;
    }
}

/* Makes the lanes' sums prefix sums along the strip. */
static __device__ __forceinline__ void put_prefixes(const uint2 (&sums)[EACH], uint4 *prefixes) {
    const int lane = threadIdx.x % 32;
    uint2 total = sums[EACH - 1];
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        const uint2 before = make_uint2(__shfl_up_sync(~0U, total.x, step), __shfl_up_sync(~0U, total.y, step));
        if (lane >= step)
            total = total + before;
    }
    const uint2 before = make_uint2(total.x - sums[EACH - 1].x, total.y - sums[EACH - 1].y);
#pragma unroll
    for (int i = 0; i < EACH; i += 2) {
        const uint2 first = sums[i] + before, second = sums[i + 1] + before;
        prefixes[place_of((lane * EACH + i) / 2)] = make_uint4(first.x, first.y, second.x, second.y);
    }
}

/* A pixel of the sums of its channels. */
template <bool EXACT>
static __device__ __forceinline__ uint32_t pixel_of(float each, const Sum &job, const uint32_t (&sums)[CHANNELS]) {
    const uint32_t low =
        __byte_perm(result_of<EXACT>(each, job, sums[0]), result_of<EXACT>(each, job, sums[1]), 0x0040);
    const uint32_t high =
        __byte_perm(result_of<EXACT>(each, job, sums[2]), result_of<EXACT>(each, job, sums[3]), 0x0040);
    return __byte_perm(low, high, 0x5410);
}

template <int GROUPED, bool EXACT>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    convolve_running_words(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                           const __grid_constant__ Sum job, const __grid_constant__ Box box, uint32_t outside) {
    __shared__ uint4 shared[WARPS][2][STRIP / 2];
    __shared__ int beyond[WARPS][STRIP];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, unit = blockIdx.x * WARPS + warp;
    const int out_left = unit % box.strips * box.results, x = out_left - box.left + lane * EACH;
    const int top = unit / box.strips * box.rows, bottom = min(top + box.rows, out.height);
    if (top >= out.height)
        return;
    /* The bytes of the row with the prefix sums around this lane's results. Every other group has some, and so has the
     * last, which overlaps the one before it. */
    const int last_group = box.results - 32, ahead = box.left + lane + box.right, behind = ahead - job.width;
    const int after[3] = {slot_of(ahead), slot_of(ahead + 32), slot_of(ahead + last_group)};
    const int before[3] = {slot_of(behind), slot_of(behind + 32), slot_of(behind + last_group)};
    const int left = out.width - out_left - lane;
    const bool whole = out_left + box.results <= out.width;
    const uint32_t bias = (uint32_t)(BIAS * job.width);
    int *columns = beyond[warp] + lane * EACH;
#pragma unroll 1
    for (int i = 0; i < EACH; i++)
        columns[i] = inside_index(job.border, x + i, in.width);
    uint32_t sums[GROUPED][CHANNELS], enter[EACH], leave[EACH] = {};
#pragma unroll
    for (int i = 0; i < GROUPED; i++)
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            sums[i][c] = EXACT ? __float_as_uint(MAGIC) : 0;
    int y = top - job.height / 2;
    load(in, job, outside, x, y, columns, enter);
    uint32_t *to = row_to<uint32_t>(out, top) + out_left + lane;
#pragma unroll 1
    for (int row = top - job.height + 1; row < bottom; row++) {
        const unsigned char *prefixes = (const unsigned char *)shared[warp][row & 1];
        uint2 along[EACH];
        sum_differences(enter, leave, along);
        if (row + 1 < bottom)
            load(in, job, outside, x, y + 1, columns, enter);
        if (row >= top) /* the next row that leaves */
            load(in, job, outside, x, y + 1 - job.height, columns, leave);
        put_prefixes(along, shared[warp][row & 1]);
        __syncwarp();
        y++;
#pragma unroll
        for (int i = 0; i < GROUPED; i++) {
            const bool last = i == GROUPED - 1;
            const int far = i / 2 * (2 * 32 * (int)sizeof(uint2));
            const uint2 a = *(const uint2 *)(prefixes + (last ? after[2] : after[i % 2] + far));
            const uint2 b = *(const uint2 *)(prefixes + (last ? before[2] : before[i % 2] + far));
            const uint32_t even = a.x - b.x, odd = a.y - b.y;
            sums[i][0] += (even & 0xFFFF) - bias;
            sums[i][1] += (odd & 0xFFFF) - bias;
            sums[i][2] += (even >> 16) - bias;
            sums[i][3] += (odd >> 16) - bias;
        }
        if (row < top)
            continue;
        uint32_t results[GROUPED];
#pragma unroll
        for (int i = 0; i < GROUPED; i++)
            results[i] = pixel_of<EXACT>(box.each, job, sums[i]);
        if (whole) {
#pragma unroll
            for (int i = 0; i < GROUPED; i++)
                to[i < GROUPED - 1 ? i * 32 : last_group] = results[i];
        } else {
#pragma unroll
            for (int i = 0; i < GROUPED; i++) {
                const int at = i < GROUPED - 1 ? i * 32 : last_group;
                if (at < left)
                    to[at] = results[i];
            }
        }
        to = (uint32_t *)((unsigned char *)to + out.stride);
    }
}

static Status launch_words(Queue *queue, const Stage *stage) {
    enum { GROUPED_MIN = 4 };
#define KERNELS(GROUPED)                                                                                               \
    { (const void *)convolve_running_words<GROUPED, false>, (const void *)convolve_running_words<GROUPED, true> }
    static const void *const kernels[EACH - GROUPED_MIN + 1][2] = {KERNELS(4), KERNELS(5), KERNELS(6), KERNELS(7),
                                                                   KERNELS(8)};
    const Mask *mask = convolve_job(stage)->mask;
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Sum job = sum_of(stage);
    const bool exact = divides_exactly(mask, job.bias);
    Box box = {};
    box.left = mask->width / 2 / 4 * 4 + 4; /* loads of 16 bytes; at least one more than the mask reaches */
    box.right = mask->width - 1 - mask->width / 2;
    box.results = (STRIP - box.left - box.right) / EACH * EACH;
    box.strips = (int)blocks_for(out.width, box.results);
    /* As many warps as run at once, but none that does nothing but begin. */
    const int warps = gpu_of(queue->device)->limits.multiProcessorCount * BLOCKS * WARPS;
    const int pieces = warps > box.strips ? warps / box.strips : 1;
    const int rows = (int)blocks_for(out.height, pieces);
    box.rows = rows > mask->height ? rows : mask->height;
    box.each = exact ? 1 / mask->divisor : mask->weights[0];
    uint32_t outside = (uint32_t)job.outside * 0x01010101;
    const Launch launch = {dim3(blocks_for(box.strips * (int)blocks_for(out.height, box.rows), WARPS)), dim3(THREADS),
                           0};
    void *arguments[] = {&in, &out, &job, &box, &outside};
    return gpu_launch(queue, "convolve running", kernels[(box.results + 31) / 32 - GROUPED_MIN][exact], launch,
                      arguments);
}

#endif
