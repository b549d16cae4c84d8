/* running_bands.cuh: running on tensor cores. A block marches down a strip, 16 rows a step; all channels are bytes that
 * lie C apart. The sums along the row are products with a band of ones,
 *     step(y, x) = sum over k of band(x, k) * (in(k, y) - in(k, y - height)),  band(x, k) = 1 where x's box has k.
 * The rows that leave are taken as ~in = 255 - in: this adds a known value, and products begin with its negative. The
 * steps go through shared memory to the threads that own columns: each result is the one above it plus its step. The
 * rows of the box stay in shared memory until they have left, so that all is read once. */
#ifndef GLINT_GPU_CONVOLVE_RUNNING_BANDS_CUH
#define GLINT_GPU_CONVOLVE_RUNNING_BANDS_CUH

#include "gpu/convolve/box.cuh"

#include <cuda_pipeline.h>

enum {
    HALF_STEP = 8,
    STEP = 16,  /* rows */
    SPAN = 32,  /* bytes of a row that a product takes; also results that four products make */
    TILES = 4,  /* products for them */
    GROUPS = 4, /* of them a warp makes */
    STRIP_BYTES = WARPS * GROUPS * SPAN,
    UNIT = 16,                          /* bytes loaded at once */
    STEPS_PITCH = 2 * STRIP_BYTES + 64, /* bytes; rows next to each other lie in different banks */
    SPANS_MIN = 2,
    SPANS_MAX = 5
};

/* Resident on a multiprocessor, as far as registers go. */
#define BLOCKS_OF(SPANS) ((SPANS) < 3 ? 5 : (SPANS) < 5 ? 4 : 3)

/* How the strips lie. */
typedef struct Bands {
    int lead;  /* bytes that a strip's rows have before its first result, a multiple of UNIT */
    int skip;  /* of them, before those that the first result needs */
    int reach; /* bytes beyond the last result that its box has */
    int ring;  /* rows in shared memory */
    int rows;  /* of results of a strip */
    int channels;
    float each; /* as in Box */
} Bands;

template <int SPANS> struct Row {
    enum { BYTES = STRIP_BYTES + SPAN * (SPANS - 1), UNITS = BYTES / UNIT, PITCH = BYTES + UNIT };
};

/* sums = from + a * b, 16 x 32 times 32 x 8. */
static __device__ __forceinline__ void multiply(int (&sums)[4], const int (&from)[4], const uint32_t (&a)[4], uint2 b) {
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%10,%11,%12,%13};"
        : "=r"(sums[0]), "=r"(sums[1]), "=r"(sums[2]), "=r"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b.x), "r"(b.y), "r"(from[0]), "r"(from[1]), "r"(from[2]),
          "r"(from[3]));
#endif
}

/* Loads a 16 x 32 matrix of bytes. `from` is the row of 16 bytes, an address in shared memory, that this lane names.
 * Lanes 0 to 7 name the upper left rows, then come the lower left, the upper right and the lower right ones. */
static __device__ __forceinline__ void load_matrix(uint32_t from, uint32_t (&a)[4]) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                 : "r"(from)
                 : "memory");
}

/* A word with ones for those bytes, four of a span's rows from `byte` on, that belong to the box of result `result`. */
static __device__ __forceinline__ uint32_t band_word(const Sum &job, const Bands &bands, int byte, int result) {
    uint32_t word = 0;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int k = byte + i - result - bands.skip;
        if (k >= 0 && k <= (job.width - 1) * bands.channels && k % bands.channels == 0)
            word |= 1U << 8 * i;
    }
    return word;
}

/* Begins to bring the 16 rows from `y` on, `rows` of which there are, into the ring from slot `slot` on. */
template <int SPANS>
static __device__ __forceinline__ void fetch_step(const Plane &in, const Sum &job, int ring, int row_bytes, int left,
                                                  int y, int rows, int slot, uint8_t *lines) {
    typedef Row<SPANS> R;
    enum { PER_ROW = THREADS / STEP }; /* threads */
    const int row = threadIdx.x / PER_ROW, unit = threadIdx.x % PER_ROW;
    if (row >= rows)
        return;
    const int at = slot + row, sy = inside_index(job.border, y + row, in.height);
    uint8_t *to = lines + (at < ring ? at : at - ring) * R::PITCH + unit * UNIT;
    const uint8_t *from = row_of<uint8_t>(in, max(sy, 0)) + left + unit * UNIT;
    if (sy >= 0 && left >= 0 && left + R::BYTES <= row_bytes) {
#pragma unroll
        for (int u = 0; u < R::UNITS; u += PER_ROW)
            if (u + PER_ROW <= R::UNITS || unit < R::UNITS - u)
                __pipeline_memcpy_async(to + u * UNIT, from + u * UNIT, UNIT);
        return;
    }
    const uint32_t word = (uint32_t)job.outside * 0x01010101;
#pragma unroll 1
    for (int u = unit * UNIT; u < R::BYTES; u += PER_ROW * UNIT, to += PER_ROW * UNIT, from += PER_ROW * UNIT) {
        if (left + u < 0 || left + u >= row_bytes)
            continue;
        if (sy >= 0)
            __pipeline_memcpy_async(to, from, UNIT);
        else
            *(uint4 *)to = make_uint4(word, word, word, word);
    }
}

/* Fills in the parts of the rows beyond the picture's sides: `before` bytes from the first on, `after` from `end`
 * on. */
template <int SPANS>
static __device__ __noinline__ void mend_step(const Plane &in, const Sum &job, int ring, int left, int y, int rows,
                                              int slot, uint8_t *lines, const int *sources, int before, int after,
                                              int end) {
    typedef Row<SPANS> R;
    enum { PER_ROW = THREADS / STEP, AT_ONCE = 4 };
    const int row = threadIdx.x / PER_ROW;
    if (row >= rows)
        return;
    const int at = slot + row, sy = inside_index(job.border, y + row, in.height);
    uint8_t *line = lines + (at < ring ? at : at - ring) * R::PITCH;
    const uint8_t *far = row_of<uint8_t>(in, max(sy, 0));
    for (int first = threadIdx.x % PER_ROW; first < before + after; first += PER_ROW * AT_ONCE) {
        uint8_t values[AT_ONCE];
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
            const int i = first + k * PER_ROW, source = i < before + after && sy >= 0 ? sources[i] : -1;
            const int near = source - left;
            values[k] = (uint8_t)job.outside;
            if (source >= 0)
                values[k] = near >= 0 && near < R::BYTES ? line[near] : far[source];
        }
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
            const int i = first + k * PER_ROW;
            if (i < before + after)
                line[i < before ? i : end + i - before] = values[k];
        }
    }
}

/* Adds the steps of four neighbours in a row to their sums. */
static __device__ __forceinline__ void add_steps(uint2 steps, uint32_t (&sums)[4]) {
    sums[0] = (uint32_t)__dp2a_lo((int)steps.x, 1, (int)sums[0]);
    sums[1] += (uint32_t)((int)steps.x >> 16);
    sums[2] = (uint32_t)__dp2a_lo((int)steps.y, 1, (int)sums[2]);
    sums[3] += (uint32_t)((int)steps.y >> 16);
}

template <bool EXACT>
static __device__ __forceinline__ uint32_t four_results(const Bands &bands, const Sum &job, const uint32_t (&sums)[4]) {
    uint32_t bytes[4];
#pragma unroll
    for (int i = 0; i < 4; i++)
        bytes[i] = result_of<EXACT>(bands.each, job, sums[i]);
    return __byte_perm(__byte_perm(bytes[0], bytes[1], 0x0040), __byte_perm(bytes[2], bytes[3], 0x0040), 0x5410);
}

/* Finds the bytes of a row that stand for the `before` bytes in front of the picture and the `after` bytes behind it.
 * -1 is the border's value. */
static __device__ __forceinline__ void find_sources(const Plane &in, const Sum &job, const Bands &bands, int left,
                                                    int row_bytes, int before, int after, int *sources) {
    for (int i = threadIdx.x; i < before + after; i += THREADS) {
        const int value = i < before ? i + left : row_bytes + i - before;
        /* rounds down for negatives, too */
        const int pixel = (value + bands.lead * bands.channels) / bands.channels - bands.lead;
        const int sx = inside_index(job.border, pixel, in.width);
        sources[i] = sx < 0 ? -1 : sx * bands.channels + (value - pixel * bands.channels);
    }
}

/* The lane's part of the bands, by way of shared memory, which all threads fill. */
template <int SPANS>
static __device__ __forceinline__ void make_bands(const Sum &job, const Bands &bands, uint8_t *shared,
                                                  uint2 (&band)[SPANS][TILES]) {
    const int lane = threadIdx.x % 32;
    for (int i = threadIdx.x; i < SPANS * TILES * 32; i += THREADS) {
        const int of = i % 32, tile = i / 32 % TILES, byte = i / 32 / TILES * SPAN + of % 4 * 4;
        const int result = of / 8 * 8 + tile * 2 + of / 4 % 2; /* so that a lane's results are eight neighbours */
        ((uint2 *)shared)[i] =
            make_uint2(band_word(job, bands, byte, result), band_word(job, bands, byte + 16, result));
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < SPANS * TILES; i++)
        band[i / TILES][i % TILES] = ((const uint2 *)shared)[i * 32 + lane];
}

/* Sums 16 rows, at `from_enter`, less the leaving ones, at `from_leave`. Rows 0 to 7 go to `put`, the others stay in
 * `lower`. */
template <int SPANS>
static __device__ __forceinline__ void multiply_step(const uint2 (&band)[SPANS][TILES], int bias, uint32_t from_enter,
                                                     uint32_t from_leave, uint8_t *put, uint4 (&lower)[GROUPS]) {
    const int start[4] = {bias, bias, bias, bias};
    int parts[GROUPS][TILES][4];
#pragma unroll
    for (int c = 0; c < GROUPS + SPANS - 1; c++) {
        uint32_t enter[4], leave[4];
        load_matrix(from_enter + c * SPAN, enter);
        load_matrix(from_leave + c * SPAN, leave);
#pragma unroll
        for (int i = 0; i < 4; i++)
            leave[i] = ~leave[i];
#pragma unroll
        for (int g = 0; g < GROUPS; g++) {
            if (c - g < 0 || c - g >= SPANS)
                continue;
#pragma unroll
            for (int t = 0; t < TILES; t++)
                if (c == g)
                    multiply(parts[g][t], start, enter, band[0][t]);
                else
                    multiply(parts[g][t], parts[g][t], enter, band[c - g][t]);
#pragma unroll
            for (int t = 0; t < TILES; t++)
                multiply(parts[g][t], parts[g][t], leave, band[c - g][t]);
            if (c - g < SPANS - 1)
                continue;
#pragma unroll
            for (int half = 0; half < 2; half++) {
                uint32_t words[TILES];
#pragma unroll
                for (int t = 0; t < TILES; t++)
                    words[t] =
                        __byte_perm((uint32_t)parts[g][t][2 * half], (uint32_t)parts[g][t][2 * half + 1], 0x5410);
                const uint4 eight = make_uint4(words[0], words[1], words[2], words[3]);
                if (half == 0)
                    *(uint4 *)(put + g * SPAN * 2) = eight;
                else
                    lower[g] = eight;
            }
        }
    }
}

/* A thread's four columns, which begin `byte` bytes into rows of `row_bytes`. */
typedef struct FourColumns {
    int row_bytes, byte, whole;
} FourColumns;

/* Adds eight rows of steps, from `get` on, to the sums, and stores those from row `above` on to `to`. The first of
 * eight is row `first` of `rows`. `columns` is a copy: given a reference, nvcc 13 spills more registers. */
template <bool EXACT>
static __device__ __forceinline__ void store_half(const Sum &job, const Bands &bands, FourColumns columns, int first,
                                                  int above, int rows, const uint8_t *get, size_t stride,
                                                  uint32_t (&sums)[4], uint8_t *&to) {
    if (first >= above && first + HALF_STEP <= rows && columns.whole) {
#pragma unroll
        for (int r = 0; r < HALF_STEP; r++, to += stride) {
            add_steps(*(const uint2 *)(get + r * STEPS_PITCH), sums);
            *(uint32_t *)to = four_results<EXACT>(bands, job, sums);
        }
    } else if (first + HALF_STEP <= above) {
#pragma unroll
        for (int r = 0; r < HALF_STEP; r++, to += stride)
            add_steps(*(const uint2 *)(get + r * STEPS_PITCH), sums);
    } else {
#pragma unroll 1
        for (int r = 0; r < HALF_STEP; r++, to += stride) {
            add_steps(*(const uint2 *)(get + r * STEPS_PITCH), sums);
            const uint32_t results = four_results<EXACT>(bands, job, sums);
            if (first + r < above || first + r >= rows)
                continue;
            if (columns.whole)
                *(uint32_t *)to = results;
            else
                for (int i = 0; i < columns.row_bytes - columns.byte; i++)
                    to[i] = (uint8_t)(results >> 8 * i);
        }
    }
}

template <int SPANS, bool EXACT>
__global__ void __launch_bounds__(THREADS, BLOCKS_OF(SPANS))
    convolve_running_bands(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                           const __grid_constant__ Sum job, const __grid_constant__ Bands bands) {
    typedef Row<SPANS> R;
    extern __shared__ __align__(16) uint8_t memory[];
    uint8_t *const steps = memory, *const lines = memory + HALF_STEP * STEPS_PITCH;
    int *const sources = (int *)(lines + bands.ring * R::PITCH);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, ring = bands.ring;
    const int channels = bands.channels, row_bytes = in.width * channels, first_byte = blockIdx.x * STRIP_BYTES,
              left = first_byte - bands.lead;
    const int top = blockIdx.y * bands.rows, bottom = min(top + bands.rows, out.height);
    const int above = job.height - 1, y = top - job.height / 2, rows = bottom - top + above;
    fetch_step<SPANS>(in, job, ring, row_bytes, left, y, rows, 0, lines);
    __pipeline_commit();
    /* Before the first row there is nothing that leaves. */
    for (int i = 2 * STEP * R::PITCH + threadIdx.x * UNIT; i < ring * R::PITCH; i += THREADS * UNIT)
        *(uint4 *)(lines + i) = make_uint4(0, 0, 0, 0);
    const int end = row_bytes - left, before = max(-left, 0), after = min(max(R::BYTES - end, 0), bands.reach);
    find_sources(in, job, bands, left, row_bytes, before, after, sources);
    uint2 band[SPANS][TILES];
    make_bands<SPANS>(job, bands, steps, band);
    const int bias = -255 * job.width;
    uint32_t sums[4];
#pragma unroll
    for (int i = 0; i < 4; i++)
        sums[i] = EXACT ? __float_as_uint(MAGIC) : 0;
    const uint32_t from = (uint32_t)__cvta_generic_to_shared(lines) + warp * (GROUPS * SPAN) + lane / 16 * UNIT;
    uint8_t *const put = steps + lane / 4 * STEPS_PITCH + (warp * GROUPS * SPAN + lane % 4 * 8) * 2;
    const uint8_t *const get = steps + threadIdx.x * 8;
    const int byte = first_byte + (int)threadIdx.x * 4;
    const FourColumns columns = {row_bytes, byte, byte + 4 <= row_bytes};

#pragma unroll 1
    for (int row = 0, slot = 0; row < rows; row += STEP) {
        __pipeline_wait_prior(0);
        __syncthreads();
        const int next = slot + STEP < ring ? slot + STEP : slot + STEP - ring;
        if (row + STEP < rows)
            fetch_step<SPANS>(in, job, ring, row_bytes, left, y + row + STEP, rows - row - STEP, next, lines);
        __pipeline_commit();
        if (before + after > 0) {
            mend_step<SPANS>(in, job, ring, left, y + row, min(rows - row, (int)STEP), slot, lines, sources, before,
                             after, end);
            __syncthreads();
        }
        int enters = slot + lane % 16, leaves = enters - job.height;
        enters = enters < ring ? enters : enters - ring;
        leaves = leaves < 0 ? leaves + ring : leaves < ring ? leaves : leaves - ring;
        const uint32_t from_enter = from + enters * R::PITCH, from_leave = from + leaves * R::PITCH;
        uint4 lower[GROUPS];
        multiply_step<SPANS>(band, bias, from_enter, from_leave, put, lower);
        __syncwarp();
        slot = next;
        uint8_t *to = row_to<uint8_t>(out, 0) + byte + (ptrdiff_t)(top + row - above) * (ptrdiff_t)out.stride;
#pragma unroll
        for (int half = 0; half < 2; half++) {
            const int first = row + half * HALF_STEP;
            if (half == 1) {
                __syncwarp();
#pragma unroll
                for (int g = 0; g < GROUPS; g++)
                    *(uint4 *)(put + g * SPAN * 2) = lower[g];
                __syncwarp();
            }
            store_half<EXACT>(job, bands, columns, first, above, rows, get, out.stride, sums, to);
        }
    }
}

static Bands bands_of(const Mask *mask, int channels) {
    Bands bands = {};
    const int left = mask->width / 2 * channels;
    bands.lead = (left + UNIT - 1) / UNIT * UNIT;
    bands.skip = bands.lead - left;
    bands.reach = (mask->width - 1 - mask->width / 2) * channels;
    bands.channels = channels;
    bands.ring = (mask->height > STEP ? mask->height : STEP) + 2 * STEP;
    return bands;
}

/* Bytes of a row, in spans, that a span of results needs. */
static int spans_of(const Mask *mask, const Bands *bands, int channels) {
    const int spans = (SPAN + bands->skip + (mask->width - 1) * channels + SPAN - 1) / SPAN;
    return spans > SPANS_MIN ? spans : SPANS_MIN;
}

template <int SPANS> static size_t bands_bytes(const Bands *bands) {
    return HALF_STEP * STEPS_PITCH + (size_t)bands->ring * Row<SPANS>::PITCH +
           sizeof(int) * (bands->lead + bands->reach);
}

/* The launch of a kernel for a number of spans. */
typedef struct Way {
    const void *kernels[2];
    size_t bytes;
    int blocks;
} Way;

template <int SPANS> static Way way_of(const Bands *bands) {
    const Way way = {
        {(const void *)convolve_running_bands<SPANS, false>, (const void *)convolve_running_bands<SPANS, true>},
        bands_bytes<SPANS>(bands),
        BLOCKS_OF(SPANS)};
    return way;
}

static Way way_for(const Bands *bands, int spans) {
    static Way (*const ways[])(const Bands *) = {way_of<2>, way_of<3>, way_of<4>, way_of<5>};
    return ways[spans - SPANS_MIN](bands);
}

/* Whether the tensor cores do this box sooner than prefix sums, and a multiprocessor has memory for its rows. */
static bool bands_fit(const Device *device, const Stage *stage) {
    const struct cudaDeviceProp *limits = &((const GpuDevice *)device)->limits;
    const Mask *mask = convolve_job(stage)->mask;
    const int channels = stage->out.shape.channels;
    const Bands bands = bands_of(mask, channels);
    const int spans = spans_of(mask, &bands, channels);
    return limits->major >= 8 && channels < 4 && spans <= SPANS_MAX &&
           way_for(&bands, spans).bytes <= limits->sharedMemPerBlockOptin;
}

static Status launch_bands(Queue *queue, const Stage *stage) {
    const Mask *mask = convolve_job(stage)->mask;
    const int channels = stage->out.shape.channels;
    const struct cudaDeviceProp *limits = &gpu_of(queue->device)->limits;
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Sum job = sum_of(stage);
    const bool exact = divides_exactly(mask, job.bias);
    Bands bands = bands_of(mask, channels);
    const Way way = way_for(&bands, spans_of(mask, &bands, channels));
    const int strips = (int)blocks_for(out.width * channels, STRIP_BYTES);
    const int fit = (int)(limits->sharedMemPerMultiprocessor / (way.bytes + limits->reservedSharedMemPerBlock));
    /* As many blocks as run at once, but none that does little but begin. */
    const int at_once = limits->multiProcessorCount * (fit < way.blocks ? fit : way.blocks);
    const int pieces = at_once > strips ? at_once / strips : 1, rows = (int)blocks_for(out.height, pieces);
    const int enough = rows > mask->height / 2 ? rows : mask->height / 2;
    bands.rows = (int)blocks_for(enough + mask->height - 1, STEP) * STEP - (mask->height - 1);
    bands.each = exact ? 1 / mask->divisor : mask->weights[0];
    const Launch launch = {dim3((unsigned)strips, blocks_for(out.height, bands.rows)), dim3(THREADS), way.bytes};
    void *arguments[] = {&in, &out, &job, &bands};
    return gpu_launch(queue, "convolve running", way.kernels[exact], launch, arguments);
}

#endif
