/* mirrored.cu: masks that are mirrored left to right, of u8 and u16, on the tensor cores. Columns of the mask at both
 * sides of its middle have equal weights, so that their pixels are added first (halves.cu does so with rows):
 *     w * a + w * b = w * (a + b).
 * A product's matrix of weights is a band for one column of the mask: 16 rows of results by 16 rows of pixels. The
 * matrix of pixels has these rows, and 8 columns that may lie anywhere: each is of another group of 8. A lane thus has
 * neighbouring columns of its group in registers, and another column of the mask takes others of these. Nothing is read
 * again, and nothing is moved.
 *
 * A word of the tile has two pixels, one below the other, as 16-bit floats (halves.cuh). A warp has 16 rows of 64
 * pixels of one channel.
 *
 * u16 has planes of upper and lower bytes. Weights are whole numbers and rests. Sums of upper bytes times whole numbers
 * are exact. Another sum has the upper bytes times the rests, and the lower bytes times weights of 11 digits. */
#include "gpu/convolve/apart.cuh"
#include "gpu/convolve/halves.cuh"
#include "gpu/convolve/planes.cuh"

extern "C" {
#include "gpu/cache.h"
#include "gpu/convolve/accepts.h"
}

#include <algorithm>
#include <stdlib.h>

enum {
    STRIP = 16, /* rows of a warp's results */
    BLOCK = 16, /* of the pixels of a product */
    EACH = 8,   /* neighbouring columns of a lane */
    WIDTH = 8 * EACH,
    HALF_MAX = 16, /* columns of the mask at a side of its middle */
    HEIGHT_MAX = 65,
    BLOCKS_MAX = (STRIP + HEIGHT_MAX - 1 + BLOCK - 1) / BLOCK,
    STRIPS_MAX = 8,
    THREADS_MAX = 256
};

/* Strips of a block, so that it has 6 or 8 warps. */
static __host__ __device__ constexpr int strips_of(int channels) {
    return channels == 1 ? STRIPS_MAX : channels == 2 ? 4 : 2;
}

/* How warps walk over the tile. */
typedef struct Walk {
    int half;                  /* columns at each side of the middle, for which the kernel has registers */
    int pairs, pitch;          /* of a plane: rows of words; words of a row */
    int blocks;                /* of 16 rows */
    unsigned used[BLOCKS_MAX]; /* a bit for each distance from the middle at which a block has weights */
    float scale;               /* u8: results are sum * scale; if exact, sum * scale / divisor */
    int exact;
    float divisor, inverse; /* u16: of the sum of whole numbers */
    Offset offset;
} Walk;

/* Where a row of words begins. Eight lanes load 16 bytes at once, of four rows and two groups, from other banks. */
static __device__ __forceinline__ int row_at(int pair, int pitch) {
    return pair * pitch + (pair / 2 % 2) * 8;
}

/* 16 bytes at once; the compiler would store them one by one. */
static __device__ __forceinline__ void put(uint32_t *to, const uint4 &words) {
    asm volatile("st.shared.v4.b32 [%0], {%1,%2,%3,%4};" ::"r"((uint32_t)__cvta_generic_to_shared(to)), "r"(words.x),
                 "r"(words.y), "r"(words.z), "r"(words.w)
                 : "memory");
}

/* Pixels of four columns of two rows as words. */
static __device__ __forceinline__ uint4 words_of(uint32_t upper, uint32_t lower) {
    const uint32_t left = __byte_perm(upper, lower, 0x5410), right = __byte_perm(upper, lower, 0x7632);
    return make_uint4(even_bytes(left), odd_bytes(left), even_bytes(right), odd_bytes(right));
}

/* Four pixels with any of them beyond the picture, value after value; sy: -1 beyond it. */
template <typename In, int C>
static __device__ __noinline__ void gather(const Plane &in, const Sum &job, int x, int sy, In (&values)[4 * C]) {
    for (int p = 0; p < 4; p++) {
        const int sx = inside_index(job.border, x + p, in.width);
#pragma unroll
        for (int c = 0; c < C; c++)
            values[p * C + c] = sx < 0 || sy < 0 ? (In)job.outside : row_of<In>(in, sy)[sx * C + c];
    }
}

/* Four pixels of a row: as they lie in memory, of bytes a word for each channel. */
template <typename In, int C> union __align__(16) Four {
    In values[4 * C];
    uint32_t words[C * sizeof(In)];
};

template <typename In, int C>
static __device__ __forceinline__ void load_four(const In *from, uint32_t (&words)[C * sizeof(In)]) {
    if constexpr (sizeof(In) == 1)
        load_planes<C>(from, words);
    else
#pragma unroll
        for (int i = 0; i < C; i++)
            *(uint2 *)&words[2 * i] = ((const uint2 *)from)[i];
}

/* Two rows of four pixels, one below the other, as words of each plane: channels, of u16 upper and lower bytes. */
template <typename In, int C>
static __device__ __forceinline__ void spread(const uint32_t (&upper)[C * sizeof(In)],
                                              const uint32_t (&lower)[C * sizeof(In)], int plane, uint32_t *to) {
#pragma unroll
    for (int c = 0; c < C; c++)
        if constexpr (sizeof(In) == 1) {
            put(&to[c * plane], words_of(upper[c], lower[c]));
        } else {
            uint32_t both[4];
#pragma unroll
            for (int p = 0; p < 4; p++) {
                const int at = p * C + c;
                both[p] = __byte_perm(upper[at / 2], lower[at / 2], at % 2 ? 0x7632 : 0x5410);
            }
            put(&to[2 * c * plane],
                make_uint4(odd_bytes(both[0]), odd_bytes(both[1]), odd_bytes(both[2]), odd_bytes(both[3])));
            put(&to[(2 * c + 1) * plane],
                make_uint4(even_bytes(both[0]), even_bytes(both[1]), even_bytes(both[2]), even_bytes(both[3])));
        }
}

/* A tile that reaches beyond the picture. */
template <typename In, int C, int QUADS>
static __device__ __noinline__ void fetch_edge(const Plane &in, const Sum &job, int left, int top, int pairs, int pitch,
                                               uint32_t *tile) {
    for (int i = threadIdx.x; i < QUADS * pairs; i += blockDim.x) {
        const int pair = i / QUADS, x = 4 * (i - pair * QUADS);
        Four<In, C> rows[2];
        uint32_t words[2][C * sizeof(In)];
        for (int r = 0; r < 2; r++) {
            gather<In, C>(in, job, left + x, inside_index(job.border, top + 2 * pair + r, in.height), rows[r].values);
            load_four<In, C>(rows[r].values, words[r]);
        }
        spread<In, C>(words[0], words[1], pairs * pitch, tile + row_at(pair, pitch) + x);
    }
}

template <typename In, int C, int QUADS>
static __device__ __forceinline__ void fetch(const Plane &in, const Sum &job, int left, int top, int pairs, int pitch,
                                             uint32_t *tile) {
    if (left < 0 || top < 0 || left + 4 * QUADS > in.width || top + 2 * pairs > in.height) {
        fetch_edge<In, C, QUADS>(in, job, left, top, pairs, pitch, tile);
        return;
    }
#pragma unroll 2
    for (int i = threadIdx.x; i < QUADS * pairs; i += blockDim.x) {
        const int pair = i / QUADS, x = 4 * (i - pair * QUADS);
        const In *from = row_of<In>(in, top + 2 * pair) + (left + x) * C;
        uint32_t upper[C * sizeof(In)], lower[C * sizeof(In)];
        load_four<In, C>(from, upper);
        load_four<In, C>((const In *)((const unsigned char *)from + in.stride), lower);
        spread<In, C>(upper, lower, pairs * pitch, tile + row_at(pair, pitch) + x);
    }
}

static __device__ __forceinline__ void multiply(float (&sums)[4], const uint4 &band, uint32_t b0, uint32_t b1) {
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(band.x), "r"(band.y), "r"(band.z), "r"(band.w), "r"(b0), "r"(b1));
#endif
}

/* A block's columns of a plane times SETS bands each. `lanes` goes on from band to band; `next` is the one there. */
template <int HALF, int SETS>
static __device__ __forceinline__ void add_columns(const uint32_t *first, const uint32_t *second, unsigned used,
                                                   const uint4 *__restrict__ &lanes, uint4 &next,
                                                   float (*const (&sums)[SETS])[4]) {
    enum { COLUMNS = EACH + 2 * HALF };
    uint32_t upper[COLUMNS], lower[COLUMNS];
#pragma unroll
    for (int i = 0; i < COLUMNS; i += 4) {
        *(uint4 *)&upper[i] = *(const uint4 *)&first[i];
        *(uint4 *)&lower[i] = *(const uint4 *)&second[i];
    }
#pragma unroll
    for (int i = 0; i <= HALF; i++)
        if (used >> i & 1) {
            uint4 bands[SETS];
#pragma unroll
            for (int set = 0; set < SETS; set++) {
                bands[set] = next;
                lanes += 32;
                next = *lanes;
            }
#pragma unroll
            for (int c = 0; c < EACH; c++) {
                const int left = HALF + c - i, right = HALF + c + i;
                const uint32_t b0 = i ? add_halves(upper[left], upper[right]) : upper[left];
                const uint32_t b1 = i ? add_halves(lower[left], lower[right]) : lower[left];
#pragma unroll
                for (int set = 0; set < SETS; set++)
                    multiply(sums[set][c], bands[set], b0, b1);
            }
        }
}

/* Results as stored. */
static __device__ __forceinline__ uint8_t result_of(const Walk &walk, const Sum &job, float sum) {
    const float value = walk.exact ? finish(job, sum * walk.scale) : fmaf(sum, walk.scale, job.bias);
    return Stored<uint8_t>::from(value);
}
static __device__ __forceinline__ uint16_t result_of(const Walk &walk, float whole, float rest) {
    const float sum = whole * 0x1p24F, quotient = sum * walk.inverse;
    const float more = fmaf(-quotient, walk.divisor, sum) + rest * 0x1p16F;
    return Stored<uint16_t>::from(join<uint16_t>(quotient, more * walk.inverse, walk.offset));
}

template <typename In, int HALF>
__global__ void __launch_bounds__(THREADS_MAX, sizeof(In) == 1 && HALF <= 12 ? 2 : 1)
    convolve_mirrored(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                      const __grid_constant__ Sum job, const __grid_constant__ Walk walk,
                      const uint4 *__restrict__ lanes, int channels) {
    constexpr int PARTS = sizeof(In), QUADS = (WIDTH + 2 * HALF) / 4;
    extern __shared__ __align__(16) uint32_t tile[];
    const int rows = strips_of(channels) * STRIP, left = blockIdx.x * WIDTH, top = blockIdx.y * rows;
    const int from_x = left - HALF, from_y = top - job.height / 2;
    if (channels == 1)
        fetch<In, 1, QUADS>(in, job, from_x, from_y, walk.pairs, walk.pitch, tile);
    else if (channels == 2)
        fetch<In, 2, QUADS>(in, job, from_x, from_y, walk.pairs, walk.pitch, tile);
    else if (channels == 3)
        fetch<In, 3, QUADS>(in, job, from_x, from_y, walk.pairs, walk.pitch, tile);
    else
        fetch<In, 4, QUADS>(in, job, from_x, from_y, walk.pairs, walk.pitch, tile);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, channel = warp % channels, strip = warp / channels;
    const uint32_t *plane = tile + channel * PARTS * walk.pairs * walk.pitch;
    float sums[PARTS][EACH][4] = {};
    lanes += lane;
    uint4 next = *lanes;
    __syncthreads();
#pragma unroll 1
    for (int b = 0; b < walk.blocks; b++) {
        /* Rows below the tile have no weights. */
        const int pair = strip * (STRIP / 2) + b * (BLOCK / 2) + lane % 4;
        const uint32_t *first = plane + row_at(min(pair, walk.pairs - 1), walk.pitch) + lane / 4 * EACH;
        const uint32_t *second = plane + row_at(min(pair + 4, walk.pairs - 1), walk.pitch) + lane / 4 * EACH;
        if constexpr (PARTS == 1) {
            float(*const one[])[4] = {sums[0]};
            add_columns<HALF, 1>(first, second, walk.used[b], lanes, next, one);
        } else {
            float(*const both[])[4] = {sums[0], sums[1]}, (*const rest[])[4] = {sums[1]};
            add_columns<HALF, 2>(first, second, walk.used[b], lanes, next, both);
            const int lower = walk.pairs * walk.pitch;
            add_columns<HALF, 1>(first + lower, second + lower, walk.used[b], lanes, next, rest);
        }
    }
    __syncthreads();
    /* Rows of an odd number of words, so that lanes write to many banks. */
    const int values = WIDTH * channels, words = values * (int)sizeof(In) / 4,
              pitch = (words | 1) * 4 / (int)sizeof(In);
    In *staged = (In *)tile;
    const int at = (strip * STRIP + lane / 4) * pitch + lane % 4 * 2 * EACH * channels + channel;
#pragma unroll
    for (int c = 0; c < EACH; c++)
#pragma unroll
        for (int i = 0; i < 4; i++) {
            In *to = staged + at + i / 2 * 8 * pitch + (i % 2 * EACH + c) * channels;
            if constexpr (PARTS == 1)
                *to = result_of(walk, job, sums[0][c][i]);
            else
                *to = result_of(walk, sums[0][c][i], sums[1][c][i]);
        }
    __syncthreads();
    const int columns = min((int)WIDTH, out.width - left), height = min(rows, out.height - top);
    for (int y = warp; y < height; y += blockDim.x / 32) {
        In *to = row_to<In>(out, top + y) + left * channels;
        const In *from = staged + y * pitch;
        if (columns == WIDTH)
            for (int i = lane; i < words; i += 32)
                ((uint32_t *)to)[i] = ((const uint32_t *)from)[i];
        else
            for (int i = lane; i < columns * channels; i += 32)
                to[i] = from[i];
    }
}

static Walk walk_of(const Mask *mask, int channels) {
    Walk walk = {};
    walk.half = mask->width / 2 <= 8 ? 8 : mask->width / 2 <= 12 ? 12 : HALF_MAX;
    walk.pairs = (strips_of(channels) * STRIP + mask->height) / 2;
    walk.pitch = (WIDTH + 2 * walk.half + 8 - 4 + 31) / 32 * 32 + 4;
    walk.blocks = (STRIP + mask->height - 1 + BLOCK - 1) / BLOCK;
    for (int b = 0; b < walk.blocks; b++)
        for (int j = 0; j < mask->height; j++)
            for (int i = 0; i <= mask->width / 2; i++)
                if (mask->weights[j * mask->width + mask->width / 2 + i] != 0 && j + STRIP > b * BLOCK &&
                    j < (b + 1) * BLOCK)
                    walk.used[b] |= 1U << i;
    return walk;
}

static size_t tile_bytes(const Walk &walk, const Stage *stage) {
    const Shape shape = stage->out.shape;
    const size_t planes = (size_t)shape.channels * (shape.type == PIXEL_U16 ? 2 : 1);
    const size_t fetched = (size_t)(walk.pairs * walk.pitch + 8) * planes * sizeof(uint32_t);
    const size_t staged =
        (size_t)(strips_of(shape.channels) * STRIP) * (WIDTH * shape_row_bytes(shape) / shape.width + sizeof(uint32_t));
    return fetched > staged ? fetched : staged;
}

enum { CELLS = HEIGHT_MAX * (HALF_MAX + 1) };

/* Weights for u16, of the middle and what lies right of it, row by row. `whole` + `rest` / 256 is weight * scale. */
typedef struct Apart {
    double scale; /* a power of two; sums of upper bytes times whole numbers stay below 2^24 */
    double error; /* standard deviation of results in code values */
    double whole[CELLS], rest[CELLS], plain[CELLS];
} Apart;

/* `value` * `times` and what the last ones lost, as a 16-bit float; *lost is what this one loses. */
static double half_after(double value, int times, double *lost) {
    const double wanted = value + *lost / times, half = half_of(wanted);
    *lost = (wanted - half) * times;
    return half;
}

/* Rounds weights from the largest to the smallest. Each makes up for what those before it lost, so that a picture that
 * is all dark or all bright keeps its value. */
static void split_weights(const Mask *mask, Apart *apart) {
    const double noise = 18918, noise_low = 73.9, mean = 32640, mean_low = 127.5; /* of upper and lower bytes */
    const int middle = mask->width / 2, columns = middle + 1, count = columns * mask->height;
    double all = 0, max = 0, squares = 0, rests = 0, lost_rest = 0, lost = 0;
    double weights[CELLS];
    int order[CELLS];
    *apart = {1, INFINITY, {}, {}, {}};
    for (int i = 0; i < count; i++) {
        order[i] = i;
        weights[i] = (double)mask->weights[i / columns * mask->width + middle + i % columns];
        all += (i % columns ? 2 : 1) * fabs(weights[i]);
        max = fmax(max, fabs(weights[i]));
    }
    if (!(all > 0x1p-60 && all < 0x1p60))
        return;
    std::sort(order, order + count, [&](int a, int b) { return fabs(weights[a]) > fabs(weights[b]); });
    apart->scale = ldexp(1, (int)fmin(floor(log2((0x1p24 / 255 - count) / all)), floor(log2(1024 / max))));
    for (int k = 0; k < count && weights[order[k]] != 0; k++) {
        const int i = order[k], times = i % columns ? 2 : 1;
        const double weight = weights[i] * apart->scale;
        apart->whole[i] = rint(weight);
        apart->rest[i] = half_after(256 * (weight - apart->whole[i]), times, &lost_rest);
        apart->plain[i] = half_after(weight, times, &lost);
        const double upper = weight - apart->whole[i] - apart->rest[i] / 256, lower = weight - apart->plain[i];
        squares += times * (noise * noise * upper * upper + noise_low * noise_low * lower * lower);
        rests += times * (mean * upper + mean_low * lower);
    }
    const double cut = 0x1p-24 * 255 * all * apart->scale * mask->height; /* sums are cut off to 24 bits */
    apart->error = (sqrt(squares + rests * rests) + cut) / (apart->scale * fabs((double)mask->divisor));
}

/* A lane's part of a band of weights of one column; the next row's are `columns` further on. lane / 4 is the row of the
 * matrix, lane % 4 * 2 the first of two columns (PTX ISA, matrix fragments for mma.m16n8k16). */
static uint4 lane_of(const double *weights, int height, int columns, int block, int lane) {
    uint32_t words[4] = {};
    for (int k = 0; k < 8; k++) {
        const int word = k / 2, y = lane / 4 + word % 2 * 8;
        const int row = block * BLOCK + word / 2 * 8 + lane % 4 * 2 + k % 2 - y;
        const double weight = row >= 0 && row < height ? weights[row * columns] : 0;
        words[word] |= (uint32_t)__half_as_ushort(__double2half(weight)) << 16 * (k % 2);
    }
    return make_uint4(words[0], words[1], words[2], words[3]);
}

/* The bands of a mask in the order in which the kernel takes them. A block has those of the first `both` sets, and then
 * those of the last one. */
static Status keep_bands(Queue *queue, const Mask *mask, const double *const sets[], int both, GpuKept *entry) {
    const Walk walk = walk_of(mask, 1);
    const size_t most = (size_t)BLOCKS_MAX * (HALF_MAX + 1) * (size_t)(both + 1) * 32 + 32;
    uint4 *lanes = (uint4 *)calloc(most, sizeof *lanes);
    if (!lanes)
        return fail(STATUS_DEVICE, "no memory for a mask's bands");
    size_t count = 0;
    for (int b = 0; b < walk.blocks; b++)
        for (int part = both > 0 ? 0 : 1; part < 2; part++)
            for (int i = 0; i <= HALF_MAX; i++)
                for (int set = part ? both : 0; (walk.used[b] >> i & 1) && set < (part ? both + 1 : both); set++)
                    for (int lane = 0; lane < 32; lane++)
                        lanes[count++] = lane_of(sets[set] + i, mask->height, mask->width / 2 + 1, b, lane);
    const int facts[KEPT_FACTS] = {};
    const Status status = gpu_keep(queue, entry, mask, lanes, (count + 32) * sizeof *lanes, facts);
    free(lanes);
    return status;
}

static Status make_bytes(Queue *queue, const void *from, void *entry) {
    const Mask *mask = (const Mask *)from;
    const double scale = halves_of(mask).scale;
    const int columns = mask->width / 2 + 1;
    double weights[CELLS];
    for (int i = 0; i < columns * mask->height; i++)
        weights[i] = scale * (double)mask->weights[i / columns * mask->width + mask->width / 2 + i % columns];
    const double *const sets[] = {weights};
    return keep_bands(queue, mask, sets, 0, (GpuKept *)entry);
}

static Status make_wide(Queue *queue, const void *from, void *entry) {
    Apart apart;
    split_weights((const Mask *)from, &apart);
    const double *const sets[] = {apart.whole, apart.rest, apart.plain};
    return keep_bands(queue, (const Mask *)from, sets, 2, (GpuKept *)entry);
}

static const CacheKind kept_bytes = GPU_KEPT(make_bytes), kept_wide = GPU_KEPT(make_wide);

static bool is_mirrored(const Mask *mask) {
    bool mirrored = mask->width % 2 == 1;
    for (int j = 0; j < mask->height && mirrored; j++)
        for (int i = 0; i < mask->width / 2; i++) {
            const float *row = mask->weights + j * mask->width;
            mirrored &= !(row[i] < row[mask->width - 1 - i] || row[i] > row[mask->width - 1 - i]);
        }
    return mirrored;
}

#define WIDE_ERROR_MAX 9e-4

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const ConvolveJob *job = convolve_job(stage);
    const Mask *mask = job->mask;
    const GpuDevice *gpu = (const GpuDevice *)device;
    const bool wide = stage->out.shape.type == PIXEL_U16;
    *why_not = "the mask is not mirrored left to right, or has more than 33 columns or 65 rows";
    if (!is_mirrored(mask) || mask->width > 2 * HALF_MAX + 1 || mask->height > HEIGHT_MAX)
        return false;
    *why_not = "it takes u8 or u16, and stores the same";
    if (stage->in[0].shape.type == PIXEL_F32 || stage->in[0].shape.type != stage->out.shape.type)
        return false;
    *why_not = "it works on whole numbers, and the border's value is none";
    if (job->border.value != rintf(job->border.value) || job->border.value < 0 ||
        job->border.value > (wide ? 65535 : 255))
        return false;
    *why_not = "this GPU's tensor cores have too few registers; they suffice from compute capability 8.0 on";
    if (gpu->limits.major < 8)
        return false;
    *why_not = "weights of 11 digits would round too many values differently";
    Apart apart;
    if (wide)
        split_weights(mask, &apart);
    const double error = wide ? apart.error : halves_of(mask).error;
    if (!(error == 0 || rounds_alike(stage, error, wide ? WIDE_ERROR_MAX : TENSOR_ERROR_MAX)) ||
        !(mask_absolute_sum(mask) < (wide ? 16 : 1024)) || (wide && halves_occur(mask)))
        return false;
    *why_not = "a tile with its halo exceeds the shared memory of a block";
    return tile_bytes(walk_of(mask, stage->out.shape.channels), stage) <= gpu->limits.sharedMemPerBlockOptin;
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[2][3] = {
        {(const void *)convolve_mirrored<uint8_t, 8>, (const void *)convolve_mirrored<uint8_t, 12>,
         (const void *)convolve_mirrored<uint8_t, HALF_MAX>},
        {(const void *)convolve_mirrored<uint16_t, 8>, (const void *)convolve_mirrored<uint16_t, 12>,
         (const void *)convolve_mirrored<uint16_t, HALF_MAX>}};
    const Mask *mask = convolve_job(stage)->mask;
    const bool wide = stage->out.shape.type == PIXEL_U16;
    int channels = stage->out.shape.channels;
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Sum job = sum_of(stage);
    Walk walk = walk_of(mask, channels);
    const GpuKept *kept;
    TRY(gpu_kept(queue, wide ? &kept_wide : &kept_bytes, mask, &kept));
    if (wide) {
        Apart apart;
        split_weights(mask, &apart);
        walk.divisor = (float)((double)mask->divisor * apart.scale / 256);
        walk.inverse = (float)(1 / (double)walk.divisor);
        walk.offset.even = 2 * rintf(job.bias / 2);
        walk.offset.more = job.bias - walk.offset.even;
    } else {
        const Halves halves = halves_of(mask);
        walk.exact = halves.error == 0;
        walk.scale = (float)(0x1p24 * halves.ratio / halves.scale / (walk.exact ? 1 : (double)mask->divisor));
    }
    void *lanes = kept->memory.memory;
    const int strips = strips_of(channels);
    const Launch launch = {dim3(blocks_for(out.width, WIDTH), blocks_for(out.height, strips * STRIP)),
                           dim3((unsigned)(32 * strips * channels)), tile_bytes(walk, stage)};
    void *arguments[] = {&in, &out, &job, &walk, &lanes, &channels};
    return gpu_launch(queue, "convolve mirrored", kernels[wide][walk.half / 4 - 2], launch, arguments);
}

/* The time on an H200, of 4096 x 4096 and 1920 x 1080 pixels: disk=7, 10 and 16. */
#define BEGIN_MS 0.05
#define VALUE_NS 0.0018
#define BAND_NS  0.00013

static double predict(const Level *, const Stage *stage) {
    const Shape shape = stage->out.shape;
    const Walk walk = walk_of(convolve_job(stage)->mask, shape.channels);
    int bands = 0;
    for (int b = 0; b < walk.blocks; b++)
        for (int i = 0; i <= HALF_MAX; i++)
            bands += (walk.used[b] >> i & 1) * (shape.type == PIXEL_U16 ? 3 : 1);
    const double values = (double)shape.width * (double)shape.height * shape.channels;
    return BEGIN_MS + (VALUE_NS + BAND_NS * bands) * 1e-6 * values;
}

static const Predictor predictor = {"NVIDIA H200", predict};

extern "C" const Level cuda_convolve_mirrored = {
    .op = &op_convolve,
    .name = "mirrored",
    .idea = "pixels at both sides of the mask's middle are added first; tensor cores weigh its columns from registers",
    .accepts = accepts,
    .predictor = &predictor,
    .run = run,
};
