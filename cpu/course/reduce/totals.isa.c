/* totals.isa.c: runs of values by vectors.
 * Values lie side by side, however many channels pixels have. A lane sees one channel if a step holds whole pixels:
 * three vectors for three channels, else one. Lanes are folded into channels when the run ends, or before they
 * overflow. */
#include "cpu/course/reduce/totals.h"
#include "cpu/extrema.h"
#include "cpu/isa.h"

typedef uint8_t V8 __attribute__((vector_size(VECTOR_BYTES)));
typedef uint16_t V16 __attribute__((vector_size(VECTOR_BYTES)));
typedef uint32_t V32 __attribute__((vector_size(VECTOR_BYTES)));
typedef uint64_t V64 __attribute__((vector_size(VECTOR_BYTES)));
typedef double Doubles __attribute__((vector_size(VECTOR_BYTES)));
typedef int64_t Longs __attribute__((vector_size(VECTOR_BYTES)));
typedef float HalfFloats __attribute__((vector_size(VECTOR_BYTES / 2)));

enum { VECTORS_MAX = 3 };
INLINE int vectors_of(int channels) {
    return channels == 3 ? 3 : 1;
}

#define LOAD(Vector)                                                                                                   \
    INLINE Vector load_##Vector(const void *from) {                                                                    \
        Vector v;                                                                                                      \
        memcpy(&v, from, sizeof v);                                                                                    \
        return v;                                                                                                      \
    }
LOAD(V8)
LOAD(V16)
LOAD(V32)
LOAD(V64)
LOAD(HalfFloats)

/* ---- sums and products of whole numbers ----
 * A lane holds two values: the lower is added to `low`, the upper to `high`. Both have lanes twice as wide as values,
 * for at most `steps` steps. */
/* NOLINTBEGIN(bugprone-macro-parentheses): types stand in none */
#define SUMS(name, Type, Wide, bits, steps)                                                                            \
    INLINE void name(const Type *at, size_t count, int channels, uint64_t *sums) {                                     \
        enum { LANES_WIDE = VECTOR_BYTES / sizeof(uint##bits##_t), EACH = VECTOR_BYTES / sizeof(Type) };               \
        const Wide mask = (Wide){0} + (uint##bits##_t)(Type)-1;                                                        \
        const int vectors = vectors_of(channels);                                                                      \
        const size_t step = (size_t)vectors * EACH;                                                                    \
        size_t i = 0;                                                                                                  \
        while (i + step <= count) {                                                                                    \
            Wide low[VECTORS_MAX] = {{0}}, high[VECTORS_MAX] = {{0}};                                                  \
            for (size_t n = 0; n < (steps) && i + step <= count; n++, i += step)                                       \
                for (int k = 0; k < vectors; k++) {                                                                    \
                    const Wide pair = load_##Wide(at + i + k * EACH);                                                  \
                    low[k] += pair & mask;                                                                             \
                    high[k] += pair >> (bits / 2);                                                                     \
                }                                                                                                      \
            for (int k = 0; k < vectors; k++)                                                                          \
                for (int lane = 0; lane < LANES_WIDE; lane++) {                                                        \
                    sums[(k * EACH + 2 * lane) % channels] += low[k][lane];                                            \
                    sums[(k * EACH + 2 * lane + 1) % channels] += high[k][lane];                                       \
                }                                                                                                      \
        }                                                                                                              \
        for (; i < count; i++)                                                                                         \
            sums[i % (size_t)channels] += at[i];                                                                       \
    }
SUMS(sums_u8, uint8_t, V16, 16, UINT16_MAX / UINT8_MAX)
SUMS(sums_u16, uint16_t, V32, 32, UINT32_MAX / UINT16_MAX)
SUMS(sums_u32, uint32_t, V64, 64, UINT64_MAX / UINT32_MAX)

/* A product is as wide as a pair of values; of its pairs, again, each half is added to lanes twice as wide. */
#define PRODUCTS(name, Type, Wide, bits, Wider, wider)                                                                 \
    INLINE void name(const Type *a, const Type *b, size_t count, int channels, uint64_t *sums) {                       \
        enum { LANES_WIDER = VECTOR_BYTES / sizeof(uint##wider##_t), EACH = VECTOR_BYTES / sizeof(Type) };             \
        const Wide mask = (Wide){0} + (uint##bits##_t)(Type)-1;                                                        \
        const Wider product = (Wider){0} + (uint##wider##_t)(uint##bits##_t) - 1;                                      \
        const int vectors = vectors_of(channels);                                                                      \
        Wider parts[VECTORS_MAX][4] = {{{0}}};                                                                         \
        size_t i = 0;                                                                                                  \
        for (; i + (size_t)vectors * EACH <= count; i += (size_t)vectors * EACH)                                       \
            for (int k = 0; k < vectors; k++) {                                                                        \
                const Wide x = load_##Wide(a + i + k * EACH), y = load_##Wide(b + i + k * EACH);                       \
                const Wider low = (Wider)((x & mask) * (y & mask));                                                    \
                const Wider high = (Wider)((x >> (bits / 2)) * (y >> (bits / 2)));                                     \
                parts[k][0] += low & product;                                                                          \
                parts[k][1] += high & product;                                                                         \
                parts[k][2] += low >> bits;                                                                            \
                parts[k][3] += high >> bits;                                                                           \
            }                                                                                                          \
        for (int k = 0; k < vectors; k++)                                                                              \
            for (int lane = 0; lane < LANES_WIDER; lane++)                                                             \
                for (int part = 0; part < 4; part++)                                                                   \
                    sums[(k * EACH + 4 * lane + part) % channels] += parts[k][part][lane];                             \
        for (; i < count; i++)                                                                                         \
            sums[i % (size_t)channels] += (uint64_t)a[i] * b[i];                                                       \
    }
PRODUCTS(products_u8, uint8_t, V16, 16, V32, 32)
PRODUCTS(products_u16, uint16_t, V32, 32, V64, 64)
/* NOLINTEND(bugprone-macro-parentheses) */

/* ---- sums of f32 ----
 * A step is always as many values, and a value always goes to the same of its sums. Every instruction set and any
 * number of threads therefore give the same bits. */
enum { DOUBLES = VECTOR_BYTES / sizeof(double), STEP = 16, STEPS_MAX = 3 * STEP };

INLINE Doubles not_nan(Doubles v) {
    return (Doubles)((Longs)v & (Longs)(v == v)); /* NOLINT(misc-redundant-expression): not NaN */
}
INLINE Doubles double_of(const float *from) {
    return __builtin_convertvector(load_HalfFloats(from), Doubles);
}
INLINE double value_of(double v) {
    return v == v ? v : 0;
}
/* Sums of the channels, from the first to the last in a step, then from the first step's value on. */
INLINE void fold(const Doubles *lanes, int step, int channels, double *sums) {
    for (int i = 0; i < step; i++)
        sums[i % channels] += lanes[i / DOUBLES][i % DOUBLES];
}
INLINE void sums_f32(const float *at, size_t count, int channels, double *sums) {
    const int step = STEP * vectors_of(channels);
    Doubles lanes[STEPS_MAX / DOUBLES] = {{0}};
    size_t i = 0;
    for (; i + (size_t)step <= count; i += (size_t)step)
        for (int k = 0; k < step / DOUBLES; k++)
            lanes[k] += not_nan(double_of(at + i + k * DOUBLES));
    fold(lanes, step, channels, sums);
    for (; i < count; i++)
        sums[i % (size_t)channels] += value_of((double)at[i]);
}
/* Products are exact: rounding them by themselves or together with the sum is the same. */
INLINE void products_f32(const float *a, const float *b, size_t count, int channels, double *sums) {
    const int step = STEP * vectors_of(channels);
    Doubles lanes[STEPS_MAX / DOUBLES] = {{0}};
    size_t i = 0;
    for (; i + (size_t)step <= count; i += (size_t)step)
        for (int k = 0; k < step / DOUBLES; k++)
            lanes[k] += not_nan(double_of(a + i + k * DOUBLES) * double_of(b + i + k * DOUBLES));
    fold(lanes, step, channels, sums);
    for (; i < count; i++)
        sums[i % (size_t)channels] += value_of((double)a[i] * (double)b[i]);
}

/* ---- counts ---- */

INLINE void counts_whole(size_t count, int channels, uint64_t *counts) {
    for (int c = 0; c < channels; c++)
        counts[c] += count / (size_t)channels;
}
INLINE void counts_f32(const float *at, size_t count, int channels, uint64_t *counts) {
    const int vectors = vectors_of(channels);
    Ints lanes[VECTORS_MAX] = {{0}};
    size_t i = 0;
    for (; i + (size_t)vectors * LANES <= count; i += (size_t)vectors * LANES)
        for (int k = 0; k < vectors; k++) {
            const Floats v = load(at + i + k * LANES);
            lanes[k] -= (Ints)(v == v); /* NOLINT(misc-redundant-expression): not NaN */
        }
    for (int k = 0; k < vectors; k++)
        for (int lane = 0; lane < LANES; lane++)
            counts[(k * LANES + lane) % channels] += (uint64_t)lanes[k][lane];
    for (; i < count; i++)
        counts[i % (size_t)channels] += at[i] == at[i];
}

/* ---- extrema ---- */

INLINE Floats lesser_f32(Floats a, Floats b) {
    return lesser(a, b);
}
INLINE Floats greater_f32(Floats a, Floats b) {
    return greater(a, b);
}
/* The extrema of channel c so far, and two values more, of which NaN does not count. */
#define WIDEN(type, Type)                                                                                              \
    INLINE void widen_##type(Type low[4], Type high[4], int c, Type less, Type more) {                                 \
        low[c] = less < low[c] ? less : low[c];                                                                        \
        high[c] = more > high[c] ? more : high[c];                                                                     \
    }
WIDEN(u8, uint8_t)
WIDEN(u16, uint16_t)
WIDEN(f32, float)
WIDEN(u32, uint32_t)
#define EXTREMA(type, Type, Vector, lowest, highest, key, value)                                                       \
    INLINE void extrema_##type(const Type *at, size_t count, int channels, double *minimum, double *maximum) {         \
        enum { EACH = VECTOR_BYTES / sizeof(Type) };                                                                   \
        const int vectors = vectors_of(channels);                                                                      \
        Vector min[VECTORS_MAX], max[VECTORS_MAX];                                                                     \
        Type low[4], high[4];                                                                                          \
        size_t i = 0;                                                                                                  \
        for (int k = 0; k < vectors; k++) {                                                                            \
            min[k] = (Vector){0} + (highest);                                                                          \
            max[k] = (Vector){0} + (lowest);                                                                           \
        }                                                                                                              \
        for (; i + (size_t)vectors * EACH <= count; i += (size_t)vectors * EACH)                                       \
            for (int k = 0; k < vectors; k++) {                                                                        \
                Vector v;                                                                                              \
                memcpy(&v, at + i + k * EACH, sizeof v);                                                               \
                v = key(v);                                                                                            \
                min[k] = lesser_##value(v, min[k]);                                                                    \
                max[k] = greater_##value(v, max[k]);                                                                   \
            }                                                                                                          \
        for (int c = 0; c < channels; c++) {                                                                           \
            low[c] = (Type)key(highest);                                                                               \
            high[c] = (Type)key(lowest);                                                                               \
        }                                                                                                              \
        for (int k = 0; k < (i > 0 ? vectors : 0); k++)                                                                \
            for (int lane = 0; lane < EACH; lane++)                                                                    \
                widen_##type(low, high, (k * EACH + lane) % channels, (Type)key(min[k][lane]),                         \
                             (Type)key(max[k][lane]));                                                                 \
        for (; i < count; i++)                                                                                         \
            widen_##type(low, high, (int)(i % (size_t)channels), at[i], at[i]);                                        \
        for (int c = 0; c < channels; c++) {                                                                           \
            minimum[c] = fmin(minimum[c], (double)low[c]);                                                             \
            maximum[c] = fmax(maximum[c], (double)high[c]);                                                            \
        }                                                                                                              \
    }
#define AS_IT_IS(v) (v)
#define FLIPPED(v)  ((v) ^ (int32_t)0x80000000U) /* u32 in the order of signed numbers, and back */
EXTREMA(u8, uint8_t, Vector_u8, 0, UINT8_MAX, AS_IT_IS, u8)
EXTREMA(u16, uint16_t, Vector_u16, 0, UINT16_MAX, AS_IT_IS, u16)
EXTREMA(f32, float, Floats, -INFINITY, INFINITY, AS_IT_IS, f32)
EXTREMA(u32, uint32_t, Vector_i32, INT32_MIN, INT32_MAX, FLIPPED, i32)

/* ---- differences ---- */

#define DIFFERENCES(name, Type, Vector, lesser, greater)                                                               \
    static void name(const void *from, const void *other, size_t count, void *to) {                                    \
        enum { EACH = VECTOR_BYTES / sizeof(Type) };                                                                   \
        const Type *a = from, *b = other;                                                                              \
        Type *out = to; /* NOLINT(bugprone-macro-parentheses): a type */                                               \
        size_t i = 0;                                                                                                  \
        for (; i + EACH <= count; i += EACH) {                                                                         \
            Vector x, y;                                                                                               \
            memcpy(&x, a + i, sizeof x);                                                                               \
            memcpy(&y, b + i, sizeof y);                                                                               \
            x = greater(x, y) - lesser(x, y);                                                                          \
            memcpy(out + i, &x, sizeof x);                                                                             \
        }                                                                                                              \
        for (; i < count; i++)                                                                                         \
            out[i] = (Type)(a[i] > b[i] ? a[i] - b[i] : b[i] - a[i]);                                                  \
    }
DIFFERENCES(differences_u8, uint8_t, Vector_u8, lesser_u8, greater_u8)
DIFFERENCES(differences_u16, uint16_t, Vector_u16, lesser_u16, greater_u16)

static void differences_u32(const void *from, const void *other, size_t count, void *to) {
    const uint32_t *a = from, *b = other;
    uint32_t *out = to;
    for (size_t i = 0; i < count; i++)
        out[i] = a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
}
static void differences_f32(const void *from, const void *other, size_t count, void *to) {
    const float *a = from, *b = other;
    float *out = to;
    for (size_t i = 0; i < count; i++)
        out[i] = fabsf(a[i] - b[i]);
}

/* ---- instances ---- */

#define INSTANCES(type, Type, field, n)                                                                                \
    static void sum_##type##_##n(const void *at, size_t count, Totals *to) {                                           \
        sums_##type((const Type *)at, count, n, to->field##sum);                                                       \
    }                                                                                                                  \
    static void extrema_##type##_##n(const void *at, size_t count, Totals *to) {                                       \
        extrema_##type((const Type *)at, count, n, to->minimum, to->maximum);                                          \
    }
#define PRODUCT_INSTANCES(type, Type, field, n)                                                                        \
    static void squares_##type##_##n(const void *at, size_t count, Totals *to) {                                       \
        products_##type((const Type *)at, (const Type *)at, count, n, to->field##squares);                             \
    }                                                                                                                  \
    static void products_##type##_##n(const void *a, const void *b, size_t count, Totals *to) {                        \
        products_##type((const Type *)a, (const Type *)b, count, n, to->field##sum);                                   \
    }
#define COUNT_INSTANCES(n)                                                                                             \
    static void count_whole_##n(const void *at, size_t count, Totals *to) {                                            \
        (void)at;                                                                                                      \
        counts_whole(count, n, to->count);                                                                             \
    }                                                                                                                  \
    static void count_f32_##n(const void *at, size_t count, Totals *to) {                                              \
        counts_f32((const float *)at, count, n, to->count);                                                            \
    }
#define FOR_CHANNELS(instances, ...)                                                                                   \
    instances(__VA_ARGS__, 1) instances(__VA_ARGS__, 2) instances(__VA_ARGS__, 3) instances(__VA_ARGS__, 4)
FOR_CHANNELS(INSTANCES, u8, uint8_t, )
FOR_CHANNELS(INSTANCES, u16, uint16_t, )
FOR_CHANNELS(INSTANCES, u32, uint32_t, )
FOR_CHANNELS(INSTANCES, f32, float, real_)
FOR_CHANNELS(PRODUCT_INSTANCES, u8, uint8_t, )
FOR_CHANNELS(PRODUCT_INSTANCES, u16, uint16_t, )
FOR_CHANNELS(PRODUCT_INSTANCES, f32, float, real_)
COUNT_INSTANCES(1)
COUNT_INSTANCES(2)
COUNT_INSTANCES(3)
COUNT_INSTANCES(4)

#define ROW(name)                                                                                                      \
    { name##_1, name##_2, name##_3, name##_4 }

const TotalsTable ISA_NAME(totals) = {
    .passes = {{ROW(sum_u8), ROW(sum_u16), ROW(sum_f32), ROW(sum_u32)},
               {ROW(count_whole), ROW(count_whole), ROW(count_f32), ROW(count_whole)},
               {ROW(extrema_u8), ROW(extrema_u16), ROW(extrema_f32), ROW(extrema_u32)},
               {ROW(squares_u8), ROW(squares_u16), ROW(squares_f32)}},
    .products = {ROW(products_u8), ROW(products_u16), ROW(products_f32)},
    .differences = {differences_u8, differences_u16, differences_f32, differences_u32},
};
