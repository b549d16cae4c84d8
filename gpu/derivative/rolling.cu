/* rolling.cu: threads that march down the picture, and keep the numbers of the last two rows that the next ones need in
 * registers.
 * A thread owns a column of 4 to 16 values. From each row it keeps the difference to both sides and the smoothed sum. A
 * pixel is read and converted once, and the next rows are on their way meanwhile. Blocks of their own do the values at
 * the left and right edge, so that no other thread tests for them. The length of bytes' slopes is counted in pairs of
 * half precision, which holds whole numbers up to 2048. */
#include "gpu/derivative/window.cuh"

#include <cuda_fp16.h>
#include <type_traits>

enum { THREADS = 128, BAND_ROWS = 24 /* of a block; a multiple of 3, the rows in registers */ };

/* The kernel's arguments, alike for all threads. */
typedef struct Rolling {
    DerivativeJob job;
    float side, middle, scale, bias, outside;
    int first, end; /* values of a row that are in columns with all their neighbours; a multiple of those of a column */
    bool wide;      /* scaled in double precision, so that halves round as the reference's */
} Rolling;

template <int BYTES> struct Words { uint32_t w[BYTES / 4]; };
template <int BYTES> static __device__ __forceinline__ Words<BYTES> load_words(const void *from) {
    Words<BYTES> words;
    if constexpr (BYTES % 16 == 0) {
#pragma unroll
        for (int i = 0; i < BYTES / 16; i++) {
            const uint4 quad = __ldg((const uint4 *)from + i);
            words.w[4 * i] = quad.x, words.w[4 * i + 1] = quad.y, words.w[4 * i + 2] = quad.z,
                        words.w[4 * i + 3] = quad.w;
        }
    } else if constexpr (BYTES == 8) {
        const uint2 pair = __ldg((const uint2 *)from);
        words.w[0] = pair.x, words.w[1] = pair.y;
    } else {
        words.w[0] = __ldg((const uint32_t *)from);
    }
    return words;
}
template <int BYTES> static __device__ __forceinline__ void store_words(void *to, const Words<BYTES> &words) {
    if constexpr (BYTES % 16 == 0) {
#pragma unroll
        for (int i = 0; i < BYTES / 16; i++)
            __stcs((uint4 *)to + i,
                   make_uint4(words.w[4 * i], words.w[4 * i + 1], words.w[4 * i + 2], words.w[4 * i + 3]));
    } else if constexpr (BYTES == 8) {
        __stcs((uint2 *)to, make_uint2(words.w[0], words.w[1]));
    } else {
        *(uint32_t *)to = words.w[0];
    }
}

/* A column's part of a row as it was read, with the values to its sides. */
template <int SIDE, int MAIN> struct Raw {
    Words<SIDE> left, right;
    Words<MAIN> main;
    bool beyond; /* the picture: it has the border's value */
};
template <int SIDE, int MAIN>
static __device__ __forceinline__ Raw<SIDE, MAIN> load_raw(const Plane &in, const Rolling &rolling, int at, int y) {
    Raw<SIDE, MAIN> raw;
    const int sy = (unsigned)y < (unsigned)in.height ? y : (int)border_index(rolling.job.border.mode, y, in.height);
    const unsigned char *from = in.pixels + (size_t)(sy < 0 ? 0 : sy) * in.stride + at;
    raw.beyond = sy < 0;
    raw.left = load_words<SIDE>(from - SIDE);
    raw.main = load_words<MAIN>(from);
    raw.right = load_words<SIDE>(from + MAIN);
    return raw;
}

/* The columns at both ends of a band, value by value. */
template <typename In, typename Out, int C>
static __device__ void rim(const Plane &in, const Plane &out, const Rolling &rolling, int top) {
    const int all = out.width * C, left = min(rolling.first, all), right = all - max(rolling.end, left);
    const int rows = min((int)BAND_ROWS, out.height - top), count = left + right;
    for (int i = threadIdx.x; i < count * rows; i += THREADS) {
        const int y = i / count, k = i - y * count, at = k < left ? k : k - left + max(rolling.end, left);
        derivative_at<In, Out, C>(in, out, rolling.job, at / C, top + y, at % C);
    }
}

/* Values of type In in precision Acc. N: of a column; ALPHA: colours times alpha. */
template <typename In, typename Out, int C, bool ALPHA> struct Plain {
    typedef typename Accumulator<In>::Type Acc;
    enum {
        BLOCKS = sizeof(In) == 4 && C < 3 && !ALPHA ? 6 : 4, /* resident on a multiprocessor, at the minimum */
        N = sizeof(In) == 1 ? (ALPHA ? 16 : 8) : 4,
        MAIN = N * sizeof(In),
        NEEDED = C * sizeof(In),
        SIDE = NEEDED <= 4   ? 4
               : NEEDED <= 8 ? 8
                             : 16,
        BEFORE = SIDE / sizeof(In), /* values of the words to the left */
        ALL = N + 2 * C
    };
    typedef Raw<SIDE, MAIN> Row;

    /* The part of a row that later rows need: for DERIVATIVE_DIAGONAL the values themselves. */
    struct Kept {
        Acc a[N + C], b[N];
        Acc alpha[ALPHA ? N / C : 1];
    };

    static __device__ __forceinline__ Acc value_of(const uint32_t *words, int i) {
        if constexpr (sizeof(In) == 1)
            return __uint_as_float(__byte_perm(words[i / 4], 0x4B000000, 0x7440 | i % 4)) - 8388608.0f;
        else if constexpr (sizeof(In) == 2)
            return (Acc)(words[i / 2] >> 16 * (i % 2) & 0xffff);
        else
            return __uint_as_float(words[i]);
    }

    template <DerivativeForm FORM>
    static __device__ __forceinline__ void keep(const Rolling &rolling, const Row &row, Kept &kept) {
        Acc v[ALL];
        uint32_t words[(2 * SIDE + MAIN) / 4];
#pragma unroll
        for (int i = 0; i < SIDE / 4; i++)
            words[i] = row.left.w[i], words[(SIDE + MAIN) / 4 + i] = row.right.w[i];
#pragma unroll
        for (int i = 0; i < MAIN / 4; i++)
            words[SIDE / 4 + i] = row.main.w[i];
#pragma unroll
        for (int i = 0; i < ALL; i++)
            v[i] = value_of(words, BEFORE - C + i);
        if (ALPHA) {
#pragma unroll
            for (int i = 0; i < N / C; i++)
                kept.alpha[i] = v[(i + 2) * C - 1];
#pragma unroll
            for (int i = 0; i < ALL; i++)
                if (i % C != C - 1) {
                    const Acc alpha = v[i / C * C + C - 1], product = v[i] * alpha;
                    v[i] = sizeof(In) < sizeof(float) || alpha > 0 ? product : 0; /* f32 may hide NaN where it is 0 */
                }
        }
        if (row.beyond)
#pragma unroll
            for (int i = 0; i < ALL; i++)
                v[i] = rolling.outside;
        if (FORM == DERIVATIVE_DIAGONAL) {
#pragma unroll
            for (int i = 0; i < N + C; i++)
                kept.a[i] = v[C + i];
        } else {
            const Acc side = rolling.side, middle = rolling.middle;
#pragma unroll
            for (int i = 0; i < N; i++) {
                kept.a[i] = v[i + 2 * C] - v[i];
                kept.b[i] = side * (v[i] + v[i + 2 * C]) + middle * v[i + C];
            }
        }
    }

    static __device__ __forceinline__ Out finish(const Rolling &rolling, Acc value, Acc alpha, Acc inverse) {
        if constexpr (ALPHA && sizeof(In) == sizeof(float)) { /* of which any may be infinite or NaN */
            value = alpha > 0 ? value / alpha : 0;
        } else if (ALPHA) { /* one Newton step makes the quotient correctly rounded */
            const Acc quotient = value * inverse;
            value = inverse > 0 ? fma(fma(-quotient, alpha, value), inverse, quotient) : quotient;
        }
        if (rolling.wide)
            return stored_double<Out>(rolling.job.scale * (double)value + rolling.job.bias);
        return Stored<Out>::from((Acc)rolling.scale * value + (Acc)rolling.bias);
    }

    static __device__ __forceinline__ Acc length(Acc x, Acc y) {
        const Acc square = x * x + y * y;
        if constexpr (sizeof(Acc) == 8)
            return sqrt(square);
        else if constexpr (sizeof(In) == 4) {
            return square > 3e38f || square < 1e-30f ? hypotf(x, y) : sqrtf(square); /* squares may leave the range */
        } else {
            float root;
            asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(square));
            return root;
        }
    }

    /* A row from the kept numbers of the one above, itself and the one below. */
    template <DerivativeForm FORM>
    static __device__ __forceinline__ void make(const Rolling &rolling, const Kept &above, const Kept &here,
                                                const Kept &below, unsigned char *to) {
        union {
            Words<N * sizeof(Out)> words;
            Out values[N];
        } result;
        const Acc side = rolling.side, middle = rolling.middle;
#pragma unroll
        for (int i = 0; i < N; i++) {
            if (ALPHA && i % C == C - 1) {
                result.values[i] = Stored<Out>::from(here.alpha[i / C]);
                continue;
            }
            Acc gx, gy;
            if (FORM == DERIVATIVE_DIAGONAL) {
                gx = below.a[i + C] - here.a[i];
                gy = below.a[i] - here.a[i + C];
            } else {
                gx = side * (above.a[i] + below.a[i]) + middle * here.a[i];
                gy = below.b[i] - above.b[i];
            }
            const Acc alpha = ALPHA ? here.alpha[i / C] : (Acc)1, inverse = ALPHA && alpha > 0 ? 1 / alpha : (Acc)0;
            const Acc value = rolling.job.output == DERIVATIVE_X   ? gx
                              : rolling.job.output == DERIVATIVE_Y ? gy
                                                                   : length(gx, gy);
            result.values[i] = finish(rolling, value, alpha, inverse);
        }
        store_words<N * sizeof(Out)>(to, result.words);
    }
};

/* The length of bytes' slopes, all channels alike, in pairs of half precision. The two values of a pair are two bytes
 * apart: a word has an even pair and an odd one. */
template <int C> struct Halves {
    enum { N = 16, MAIN = 16, SIDE = 4, BLOCKS = 5 };
    typedef Raw<SIDE, MAIN> Row;

    struct Kept {
        __half2 a[N / 2], b[N / 2];
    };

    static __device__ __forceinline__ __half2 pair(uint32_t bits) {
        union {
            uint32_t bits;
            __half2 pair;
        } both;
        both.bits = bits;
        return both.pair;
    }
    static __device__ __forceinline__ uint32_t bits(__half2 pair) {
        union {
            __half2 pair;
            uint32_t bits;
        } both;
        both.pair = pair;
        return both.bits;
    }
    /* The second of one pair and the first of the next. */
    static __device__ __forceinline__ __half2 between(__half2 first, __half2 second) {
        return pair(__byte_perm(bits(first), bits(second), 0x5432));
    }

    template <DerivativeForm FORM>
    static __device__ __forceinline__ void keep(const Rolling &rolling, const Row &row, Kept &kept) {
        const uint32_t words[6] = {row.left.w[0], row.main.w[0], row.main.w[1],
                                   row.main.w[2], row.main.w[3], row.right.w[0]};
        const __half2 bias = __float2half2_rn(1024), middle = __float2half2_rn(rolling.middle);
        __half2 even[6], odd[6];
#pragma unroll
        for (int k = 0; k < 6; k++) { /* 0x6400 + byte is 1024 + byte */
            even[k] = __hsub2(pair(__byte_perm(words[k], 0x64646464, 0x4240)), bias);
            odd[k] = __hsub2(pair(__byte_perm(words[k], 0x64646464, 0x4341)), bias);
            if (row.beyond)
                even[k] = odd[k] = __float2half2_rn(rolling.outside);
        }
#pragma unroll
        for (int k = 1; k < 5; k++) {
            const __half2 left[2] = {C == 1   ? between(odd[k - 1], odd[k])
                                     : C == 2 ? between(even[k - 1], even[k])
                                     : C == 3 ? odd[k - 1]
                                              : even[k - 1],
                                     C == 1   ? even[k]
                                     : C == 2 ? between(odd[k - 1], odd[k])
                                     : C == 3 ? between(even[k - 1], even[k])
                                              : odd[k - 1]};
            const __half2 right[2] = {C == 1   ? odd[k]
                                      : C == 2 ? between(even[k], even[k + 1])
                                      : C == 3 ? between(odd[k], odd[k + 1])
                                               : even[k + 1],
                                      C == 1   ? between(even[k], even[k + 1])
                                      : C == 2 ? between(odd[k], odd[k + 1])
                                      : C == 3 ? even[k + 1]
                                               : odd[k + 1]};
#pragma unroll
            for (int half = 0; half < 2; half++) {
                kept.a[2 * (k - 1) + half] = __hsub2(right[half], left[half]);
                kept.b[2 * (k - 1) + half] = __hfma2(middle, half ? odd[k] : even[k], __hadd2(left[half], right[half]));
            }
        }
    }

    static __device__ __forceinline__ uint32_t rounded(const Rolling &rolling, float x, float y) {
        float root;
        asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(fmaf(x, x, y * y)));
        return __float_as_uint(fmaf(root, rolling.scale, 8388608.0f));
    }

    template <DerivativeForm FORM>
    static __device__ __forceinline__ void make(const Rolling &rolling, const Kept &above, const Kept &here,
                                                const Kept &below, unsigned char *to) {
        const __half2 middle = __float2half2_rn(rolling.middle);
        Words<16> result;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            uint32_t packed[2];
#pragma unroll
            for (int half = 0; half < 2; half++) {
                const int i = 2 * k + half;
                const __half2 gx = __hfma2(middle, here.a[i], __hadd2(above.a[i], below.a[i]));
                const __half2 gy = __hsub2(below.b[i], above.b[i]);
                const uint32_t low = rounded(rolling, __low2float(gx), __low2float(gy));
                const uint32_t high = rounded(rolling, __high2float(gx), __high2float(gy));
                packed[half] = __vminu2(__byte_perm(low, high, 0x5410), 0x00ff00ff);
            }
            result.w[k] = __byte_perm(packed[0], packed[1], 0x6240);
        }
        store_words<16>(to, result);
    }
};

template <typename Way, typename In, typename Out, int C, DerivativeForm FORM>
__global__ void __launch_bounds__(THREADS, Way::BLOCKS)
    derivative_rolling(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                       const __grid_constant__ Rolling rolling) {
    const int top = blockIdx.y * BAND_ROWS, bottom = min(top + BAND_ROWS, out.height);
    if (blockIdx.x == 0) {
        rim<In, Out, C>(in, out, rolling, top);
        return;
    }
    const int value = rolling.first + ((blockIdx.x - 1) * THREADS + threadIdx.x) * Way::N;
    if (value >= rolling.end)
        return;
    const int at = value * (int)sizeof(In);
    unsigned char *to = out.pixels + (size_t)top * out.stride + value * sizeof(Out);
    typename Way::Kept kept[3];
    typename Way::Row rows[3];
    auto load = [&](int y) { return load_raw<Way::SIDE, Way::MAIN>(in, rolling, at, y); };
    rows[0] = load(top - 1);
    rows[1] = load(top);
    rows[2] = load(top + 1);
    Way::template keep<FORM>(rolling, rows[0], kept[0]);
    rows[0] = load(top + 2);
    Way::template keep<FORM>(rolling, rows[1], kept[1]);
#pragma unroll 1
    for (int y = top; y < bottom; y += 3)
#pragma unroll
        for (int k = 0; k < 3; k++) { /* here is kept[(k + 1) % 3], and rows[k] the one two below it */
            if (y + k >= bottom)
                break;
            rows[(k + 1) % 3] = load(min(y + k + 3, bottom)); /* no row that is not needed */
            Way::template keep<FORM>(rolling, rows[(k + 2) % 3], kept[(k + 2) % 3]);
            Way::template make<FORM>(rolling, kept[k], kept[(k + 1) % 3], kept[(k + 2) % 3], to);
            to += out.stride;
        }
}

/* Whether half precision holds all sums, and single precision all that is rounded. */
static bool fits_halves(const DerivativeJob *job, const Rolling &rolling) {
    return job->form == DERIVATIVE_SMOOTHED && job->output == DERIVATIVE_MAGNITUDE && !job->alpha && job->side == 1 &&
           job->middle <= 6 && !rolling.wide && job->bias == 0 && job->scale <= 32 && rolling.outside >= 0 &&
           rolling.outside <= 255 && rolling.outside == rintf(rolling.outside);
}

template <typename Way, typename In, typename Out, int C>
static Status launch(Queue *queue, const Stage *stage, const void *kernel, Rolling rolling) {
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    const int n = Way::N, columns = (out.width * C - C) / n; /* columns with all their neighbours, the first apart */
    rolling.first = columns > 1 ? n : out.width * C;
    rolling.end = columns > 1 ? columns * n : rolling.first;
    const Launch launch = {
        dim3(1 + blocks_for(rolling.end - rolling.first, n * THREADS), blocks_for(out.height, BAND_ROWS)),
        dim3(THREADS), 0};
    void *arguments[] = {&in, &out, &rolling};
    return gpu_launch(queue, "derivative rolling", kernel, launch, arguments);
}

template <typename In, typename Out, int C> struct DerivativeRolling {
    template <typename Way> static Status by(Queue *queue, const Stage *stage, const Rolling &rolling) {
        return launch<Way, In, Out, C>(queue, stage,
                                       rolling.job.form == DERIVATIVE_SMOOTHED
                                           ? (const void *)derivative_rolling<Way, In, Out, C, DERIVATIVE_SMOOTHED>
                                           : (const void *)derivative_rolling<Way, In, Out, C, DERIVATIVE_DIAGONAL>,
                                       rolling);
    }

    static Status run(Queue *queue, const Stage *stage) {
        const DerivativeJob *job = derivative_job(stage);
        int exponent;
        Rolling rolling = {*job, (float)job->side, (float)job->middle, (float)job->scale, (float)job->bias};
        rolling.outside = (float)derivative_outside(job);
        rolling.wide = stage->out.shape.type != PIXEL_F32 && frexp(job->scale, &exponent) > 0.5;
        if constexpr (std::is_same<In, uint8_t>::value && std::is_same<Out, uint8_t>::value)
            if (fits_halves(job, rolling)) {
                const void *kernel = (const void *)derivative_rolling<Halves<C>, In, Out, C, DERIVATIVE_SMOOTHED>;
                return launch<Halves<C>, In, Out, C>(queue, stage, kernel, rolling);
            }
        if constexpr (C % 2 == 0)
            if (job->alpha)
                return by<Plain<In, Out, C, true>>(queue, stage, rolling);
        return by<Plain<In, Out, C, false>>(queue, stage, rolling);
    }
};

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "it has no arc tangent";
    if (derivative_job(stage)->output == DERIVATIVE_DIRECTION)
        return false;
    *why_not = "it stores pixels of the type that it reads";
    return stage->out.shape.type == stage->in[0].shape.type;
}

static Status run(Queue *queue, const Stage *stage) {
    return stage->in[0].shape.type == PIXEL_U8    ? for_channels<DerivativeRolling, uint8_t, uint8_t>(queue, stage)
           : stage->in[0].shape.type == PIXEL_U16 ? for_channels<DerivativeRolling, uint16_t, uint16_t>(queue, stage)
                                                  : for_channels<DerivativeRolling, float, float>(queue, stage);
}

extern "C" const Level cuda_derivative_rolling = {
    .op = &op_derivative,
    .name = "rolling",
    .idea = "each thread marches down a column of up to 16 bytes, with values for the next rows in registers; words "
            "hold two differences of bytes",
    .accepts = accepts,
    .run = run,
};
