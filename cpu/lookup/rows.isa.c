/* rows.isa.c: loops over the values of a row. Where one curve serves all channels, bytes are looked up by vectors. */
#include "cpu/byte_table.h"
#include "cpu/isa.h"
#include "cpu/lookup/row.h"

INLINE uint8_t value_u8(const LookupJob *job, const uint8_t *curve, uint8_t value) {
    (void)job;
    return curve[value];
}
INLINE uint16_t value_u16(const LookupJob *job, const uint16_t *curve, uint16_t value) {
    (void)job;
    return curve[value];
}
INLINE float value_f32(const LookupJob *job, const float *curve, float value) {
    return lookup_real(job, curve, value);
}

#define LOOK_UP(Type, type, mixed)                                                                                     \
    INLINE void pixels_##type(const Stage *stage, size_t y, int channels, bool by_luma) {                              \
        const LookupJob job = *lookup_job(stage);                                                                      \
        const int colours = channels - (channels + 1) % 2;                                                             \
        const Type *from = view_row(stage->in[0], y), *curves[3];                                                      \
        Type *to = view_row(stage->out, y); /* NOLINT(bugprone-macro-parentheses): a type */                           \
        for (int c = 0; c < colours; c++)                                                                              \
            curves[c] = view_row(stage->in[1], stage->in[1].shape.height > 1 ? (size_t)c : 0);                         \
        for (size_t x = 0; x < stage->out.shape.width; x++, from += channels, to += channels) {                        \
            if (by_luma) {                                                                                             \
                const Type result = value_##type(&job, curves[0], (Type)mixed(from[0], from[1], from[2]));             \
                to[0] = to[1] = to[2] = result;                                                                        \
            } else                                                                                                     \
                for (int c = 0; c < colours; c++)                                                                      \
                    to[c] = value_##type(&job, curves[c], from[c]);                                                    \
            if (colours < channels)                                                                                    \
                to[colours] = from[colours];                                                                           \
        }                                                                                                              \
    }                                                                                                                  \
    static void type##_2(const Stage *stage, size_t y) {                                                               \
        pixels_##type(stage, y, 2, false);                                                                             \
    }                                                                                                                  \
    static void type##_4(const Stage *stage, size_t y) {                                                               \
        if (lookup_job(stage)->luma)                                                                                   \
            pixels_##type(stage, y, 4, true);                                                                          \
        else                                                                                                           \
            pixels_##type(stage, y, 4, false);                                                                         \
    }

LOOK_UP(uint8_t, u8, luma_whole)
LOOK_UP(uint16_t, u16, luma_whole)
LOOK_UP(float, f32, luma_real)

/* Values without alpha through one curve. */
INLINE void run_u8(const Stage *stage, size_t y, size_t count) {
    byte_table_look_up(view_row(stage->in[1], 0), view_row(stage->in[0], y), view_row(stage->out, y), count);
}
INLINE void run_u16(const Stage *stage, size_t y, size_t count) {
    const uint16_t *from = view_row(stage->in[0], y), *curve = view_row(stage->in[1], 0);
    uint16_t *to = view_row(stage->out, y);
    for (size_t i = 0; i < count; i++)
        to[i] = curve[from[i]];
}
INLINE void run_f32(const Stage *stage, size_t y, size_t count) {
    const LookupJob job = *lookup_job(stage);
    const float *from = view_row(stage->in[0], y), *curve = view_row(stage->in[1], 0);
    float *to = view_row(stage->out, y);
    for (size_t i = 0; i < count; i++)
        to[i] = lookup_real(&job, curve, from[i]);
}

#define RUNS(type)                                                                                                     \
    static void type##_1(const Stage *stage, size_t y) {                                                               \
        run_##type(stage, y, stage->out.shape.width);                                                                  \
    }                                                                                                                  \
    static void type##_3(const Stage *stage, size_t y) {                                                               \
        if (lookup_job(stage)->luma)                                                                                   \
            pixels_##type(stage, y, 3, true);                                                                          \
        else if (stage->in[1].shape.height > 1)                                                                        \
            pixels_##type(stage, y, 3, false);                                                                         \
        else                                                                                                           \
            run_##type(stage, y, 3 * stage->out.shape.width);                                                          \
    }
RUNS(u8)
RUNS(u16)
RUNS(f32)

/* 16-bit lanes: the steps from the line's beginning, of the low or the high half of each 16 bytes, become results. */
typedef uint16_t Words __attribute__((vector_size(VECTOR_BYTES)));

#if defined(ISA_avx512)
#    define VECTOR(name, type, ...) (type) _mm512_##name(__VA_ARGS__)
typedef __m512i Vector;
#elif defined(ISA_avx2)
#    define VECTOR(name, type, ...) (type) _mm256_##name(__VA_ARGS__)
typedef __m256i Vector;
#elif defined(__SSE2__)
#    define VECTOR(name, type, ...) (type) _mm_##name(__VA_ARGS__)
typedef __m128i Vector;
#endif

/* The quotient of a sum that has half a divisor more, and where it was a tie, the even result. */
INLINE unsigned line_result(const LookupLine *line, uint8_t value) {
    const unsigned past = value > line->from ? (unsigned)(value - line->from) : 0, run = line->run;
    const unsigned sum = (past < run ? past : run) * line->rise + run / 2;
    const unsigned result = line->low + (sum * line->inverse >> 16 >> line->shift);
    return result - (run % 2 == 0 && (result - line->low) * run == sum ? result & 1 : 0);
}

#ifdef VECTOR
INLINE Words line_words(const LookupLine *line, Words steps) {
    const Words zero = {0}, run = zero + line->run, low = zero + line->low;
    const Words sum = steps * (zero + line->rise) + (uint16_t)(line->run / 2);
    const Words part = VECTOR(mulhi_epu16, Words, (Vector)sum, (Vector)(zero + line->inverse)) >> line->shift;
    Words result = low + part;
    if (line->run % 2 == 0)
        result -= (Words)(part * run == sum) & result & 1;
    return result;
}

INLINE size_t line_vectors(const LookupLine *line, const uint8_t *from, uint8_t *to, size_t count) {
    const ByteLanes zero = {0}, begin = zero + line->from, run = zero + line->run;
    size_t i = 0;
    for (; i + VECTOR_BYTES <= count; i += VECTOR_BYTES) {
        const ByteLanes value = *(const AnyBytes *)(from + i);
        const Vector past = VECTOR(subs_epu8, Vector, (Vector)value, (Vector)begin);
        const Vector steps = VECTOR(min_epu8, Vector, past, (Vector)run);
        const Words below = line_words(line, VECTOR(unpacklo_epi8, Words, steps, (Vector)zero));
        const Words above = line_words(line, VECTOR(unpackhi_epi8, Words, steps, (Vector)zero));
        *(AnyBytes *)(to + i) = VECTOR(packus_epi16, ByteLanes, (Vector)below, (Vector)above);
    }
    return i;
}

/* Where each step rises by one, as in a picture that already reaches from black to white: no product and no quotient.
 */
INLINE size_t slope_vectors(const LookupLine *line, const uint8_t *from, uint8_t *to, size_t count) {
    const ByteLanes zero = {0}, begin = zero + line->from, run = zero + line->run, low = zero + line->low;
    size_t i = 0;
    for (; i + VECTOR_BYTES <= count; i += VECTOR_BYTES) {
        const ByteLanes value = *(const AnyBytes *)(from + i);
        const Vector past = VECTOR(subs_epu8, Vector, (Vector)value, (Vector)begin);
        *(AnyBytes *)(to + i) = VECTOR(min_epu8, ByteLanes, past, (Vector)run) + low;
    }
    return i;
}
#endif

static void by_line(const LookupLine *line, const uint8_t *from, uint8_t *to, size_t count) {
    const LookupLine copy = *line; /* stores of bytes cannot change it */
    size_t i = 0;
#ifdef VECTOR
    i = copy.rise == copy.run ? slope_vectors(&copy, from, to, count) : line_vectors(&copy, from, to, count);
#endif
    for (; i < count; i++)
        to[i] = (uint8_t)line_result(&copy, from[i]);
}

const LookupRows ISA_NAME(lookup_rows) = {
    .by_table = {{u8_1, u8_2, u8_3, u8_4}, {u16_1, u16_2, u16_3, u16_4}, {f32_1, f32_2, f32_3, f32_4}},
    .by_line = by_line,
};
