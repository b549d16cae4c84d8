/* rows.isa.c: a formula on runs of pixels: each register is a row of values, each step a loop over it without a branch.
 * Nothing is contracted to multiply-adds (CMakeLists.txt), so that every value is the reference's. */
#include "cpu/formula/rows.h"

#include "core/math/formula.h"
#include "cpu/vector.h"

#include <string.h>

typedef uint16_t Shorts __attribute__((vector_size(VECTOR_BYTES / 2)));

/* Registers, behind them constants, and a row for alpha that stays. */
enum { ALPHA = FORMULA_REGISTERS + FORMULA_CONSTANTS };
typedef struct Room {
    _Alignas(64) float rows[ALPHA + 1][FORMULA_RUN];
} Room;

#define FORMULA(name, operands, spelled, body)                                                                         \
    static void run_##name(const float *as, const float *bs, const float *cs, float *restrict to, size_t count) {      \
        for (size_t i = 0; i < count; i++) {                                                                           \
            __attribute__((unused)) const float a = as[i], b = (operands) > 1 ? bs[i] : 0,                             \
                                                c = (operands) > 2 ? cs[i] : 0;                                        \
            to[i] = body;                                                                                              \
        }                                                                                                              \
    }
#include "core/math/formula.def"
#undef FORMULA

typedef void Loop(const float *as, const float *bs, const float *cs, float *restrict to, size_t count);

static Loop *const loops[FORMULA_OPERATIONS] = {
#define FORMULA(name, operands, spelled, body) run_##name,
#include "core/math/formula.def"
#undef FORMULA
};

static void fill(float *to, float value, size_t count) {
    for (size_t i = 0; i < count; i++)
        to[i] = value;
}

/* Whether alpha goes from in[0] to the result as it is stored, and the formula itself does not read it. */
static bool alpha_passes(const Stage *stage) {
    const int last = stage->in[0].shape.channels - 1;
    return formula_keeps_alpha(stage) && formula_job(stage)->program.values[0][last] == FORMULA_NONE;
}

/* A value divided by full intensity, rounded once. For whole numbers up to 255 or 65535 the inverse in two parts does
 * it, by a multiply-add: all were tried. */
typedef struct Divisor {
    float white, high, low;
    bool parts;
} Divisor;

static Divisor divisor_of(float white) {
    const float high = 1 / white;
#ifdef __FMA__
    const bool parts = white == 1 || white == 255 || white == 65535;
#else
    const bool parts = false;
#endif
    return (Divisor){white, high, (float)((1 - (double)high * (double)white) / (double)white), parts};
}

#if defined(ISA_avx512)
#    define FUSED(a, b, c) (Floats) _mm512_fmadd_ps((__m512)(a), (__m512)(b), (__m512)(c))
#elif defined(ISA_avx2)
#    define FUSED(a, b, c) (Floats) _mm256_fmadd_ps((__m256)(a), (__m256)(b), (__m256)(c))
#else
#    define FUSED(a, b, c) ((a) * (b) + (c))
#endif

static inline void put_divided(Ints whole, const Divisor *by, float *to) {
    const Floats values = __builtin_convertvector(whole, Floats);
    const Floats divided = by->parts ? FUSED(values, spread(by->high), values * by->low) : values / by->white;
    memcpy(to, &divided, sizeof divided);
}

/* Bytes go between a row and registers by four pixels in each 16 bytes of a vector. */
enum { FOUR = 4, FOURS = LANES / FOUR, SIXTEEN = 16, REST = LANES * FORMULA_CHANNELS + SIXTEEN };

INLINE void split_bytes(const uint8_t *from, int channels, const float whites[FORMULA_CHANNELS], size_t count,
                        float *const rows[FORMULA_CHANNELS]) {
    const size_t step = FOUR * (size_t)channels, reach = (FOURS - 1) * step + SIXTEEN;
    ByteLanes places[FORMULA_CHANNELS];
    Divisor divisors[FORMULA_CHANNELS];
    for (int c = 0; c < channels; c++) {
        divisors[c] = divisor_of(whites[c]);
        for (int b = 0; b < VECTOR_BYTES; b++)
            places[c][b] = (uint8_t)(b % 4 == 0 ? b % 16 / 4 * channels + c : 255);
    }
    for (size_t i = 0; i < count; i += LANES) {
        const size_t left = (count - i) * (size_t)channels;
        const uint8_t *at = from + i * (size_t)channels;
        uint8_t rest[REST];
        if (left < reach) {
            memset(rest, 0, sizeof rest);
            at = memcpy(rest, at, left);
        }
        const ByteLanes bytes = load_sixteens(at, step);
        for (int c = 0; c < channels; c++)
            if (rows[c])
                put_divided((Ints)pick_bytes(bytes, places[c]), &divisors[c], rows[c] + i);
    }
}

/* Between 0 and white, whose low bits are the whole number nearest to the value, halves to even; NaN is 0. */
INLINE Ints rounded(const float *from, float factor, float white) {
    const Floats value = load(from) * factor, none = {0};
    return (Ints)(lesser(greater(value, none), spread(white)) + 0x1.8p23F);
}

INLINE void join_bytes(const float *const rows[FORMULA_CHANNELS], const float whites[FORMULA_CHANNELS], int channels,
                       size_t count, uint8_t *to) {
    const size_t step = FOUR * (size_t)channels, reach = (FOURS - 1) * step + SIXTEEN, all = step * FOURS;
    ByteLanes places[FORMULA_CHANNELS];
    for (int c = 0; c < channels; c++)
        for (int b = 0; b < VECTOR_BYTES; b++)
            places[c][b] = (uint8_t)(b % 16 < FOUR * channels && b % 16 % channels == c ? b % 16 / channels * 4 : 255);
    for (size_t i = 0; i < count; i += LANES) {
        const size_t left = (count - i) * (size_t)channels;
        uint8_t rest[REST], *at = to + i * (size_t)channels;
        ByteLanes bytes = {0};
        for (int c = 0; c < channels; c++)
            bytes |= pick_bytes((ByteLanes)rounded(rows[c] + i, whites[c], 255), places[c]);
        store_sixteens(bytes, left < reach ? rest : at, step);
        if (left < reach)
            memcpy(at, rest, left < all ? left : all);
    }
}

/* With channels as constants. */
static void split_uint8_t(const void *from, int channels, const float whites[FORMULA_CHANNELS], size_t count,
                          float *const rows[FORMULA_CHANNELS]) {
    if (channels == 1)
        split_bytes(from, 1, whites, count, rows);
    else if (channels == 2)
        split_bytes(from, 2, whites, count, rows);
    else if (channels == 3)
        split_bytes(from, 3, whites, count, rows);
    else
        split_bytes(from, 4, whites, count, rows);
}
static void join_uint8_t(const float *const rows[FORMULA_CHANNELS], const float whites[FORMULA_CHANNELS], int channels,
                         size_t count, void *to) {
    if (channels == 1)
        join_bytes(rows, whites, 1, count, to);
    else if (channels == 2)
        join_bytes(rows, whites, 2, count, to);
    else if (channels == 3)
        join_bytes(rows, whites, 3, count, to);
    else
        join_bytes(rows, whites, 4, count, to);
}

/* Longer values change places by their own type, and their type register by register: both are loops for whole
 * vectors. `rows` are NULL for channels that nobody reads. */
#define SPLIT(Type, channels)                                                                                          \
    for (size_t i = 0; i < count; i++)                                                                                 \
        for (int c = 0; c < (channels); c++)                                                                           \
            apart[c][i] = ((const Type *)from)[i * (channels) + (size_t)c];
#define SPLIT_ROWS(Type, ...)                                                                                          \
    static void split_##Type(const void *from, int channels, const float whites[FORMULA_CHANNELS], size_t count,       \
                             float *const rows[FORMULA_CHANNELS]) {                                                    \
        _Alignas(64) Type apart[FORMULA_CHANNELS][FORMULA_RUN];                                                        \
        if (channels == 1) {                                                                                           \
            SPLIT(Type, 1)                                                                                             \
        } else if (channels == 2) {                                                                                    \
            SPLIT(Type, 2)                                                                                             \
        } else if (channels == 3) {                                                                                    \
            SPLIT(Type, 3)                                                                                             \
        } else {                                                                                                       \
            SPLIT(Type, 4)                                                                                             \
        }                                                                                                              \
        for (int c = 0; c < channels; c++) {                                                                           \
            float *restrict to = rows[c];                                                                              \
            const Divisor by = divisor_of(whites[c]);                                                                  \
            if (to)                                                                                                    \
                __VA_ARGS__                                                                                            \
        }                                                                                                              \
    }
SPLIT_ROWS(uint16_t,
           for (size_t i = 0; i < count; i += LANES)
               put_divided((Ints) __builtin_convertvector(*(const Shorts *)(apart[c] + i), Ints), &by, to + i);)
SPLIT_ROWS(float, for (size_t i = 0; i < count; i++) to[i] = by.white == 1 ? apart[c][i] : apart[c][i] / by.white;)

/* Adding and taking away 1.5 times 2^23 rounds halves to even; NaN is 0. */
static inline int32_t whole(float value, float white) {
    const float low = value > 0 ? value : 0;
    return (int32_t)((low < white ? low : white) + 0x1.8p23F - 0x1.8p23F);
}

#define JOIN(Type, channels)                                                                                           \
    for (size_t i = 0; i < count; i++)                                                                                 \
        for (int c = 0; c < (channels); c++)                                                                           \
            ((Type *)to)[i * (channels) + (size_t)c] = apart[c][i];
#define JOIN_ROWS(Type, stored)                                                                                        \
    static void join_##Type(const float *const rows[FORMULA_CHANNELS], const float whites[FORMULA_CHANNELS],           \
                            int channels, size_t count, void *to) {                                                    \
        Type apart[FORMULA_CHANNELS][FORMULA_RUN];                                                                     \
        for (int c = 0; c < channels; c++) {                                                                           \
            const float *from = rows[c], white = whites[c];                                                            \
            for (size_t i = 0; i < count; i++) {                                                                       \
                const float value = from[i] * white;                                                                   \
                apart[c][i] = (Type)(stored);                                                                          \
            }                                                                                                          \
        }                                                                                                              \
        if (channels == 1) {                                                                                           \
            JOIN(Type, 1)                                                                                              \
        } else if (channels == 2) {                                                                                    \
            JOIN(Type, 2)                                                                                              \
        } else if (channels == 3) {                                                                                    \
            JOIN(Type, 3)                                                                                              \
        } else {                                                                                                       \
            JOIN(Type, 4)                                                                                              \
        }                                                                                                              \
    }
JOIN_ROWS(uint16_t, whole(value, 65535)) /* NOLINT(clang-analyzer-core.uninitialized.Assign): channels are 1 to 4 */
JOIN_ROWS(float, value)                  /* NOLINT(clang-analyzer-core.uninitialized.Assign): channels are 1 to 4 */

static void *pixels_at(ImageView view, size_t x, size_t y) {
    return (char *)view_row(view, y) + x * (size_t)view.shape.channels * pixel_type_size(view.shape.type);
}

static void split(ImageView view, size_t x, size_t y, const float whites[FORMULA_CHANNELS], size_t count,
                  float *const rows[FORMULA_CHANNELS]) {
    const void *from = pixels_at(view, x, y);
    if (view.shape.type == PIXEL_U8)
        split_uint8_t(from, view.shape.channels, whites, count, rows);
    else if (view.shape.type == PIXEL_U16)
        split_uint16_t(from, view.shape.channels, whites, count, rows);
    else
        split_float(from, view.shape.channels, whites, count, rows);
}

static void join(const float *const rows[FORMULA_CHANNELS], const float whites[FORMULA_CHANNELS], ImageView view,
                 size_t x, size_t y, size_t count) {
    void *to = pixels_at(view, x, y);
    if (view.shape.type == PIXEL_U8)
        join_uint8_t(rows, whites, view.shape.channels, count, to);
    else if (view.shape.type == PIXEL_U16)
        join_uint16_t(rows, whites, view.shape.channels, count, to);
    else
        join_float(rows, whites, view.shape.channels, count, to);
}

static void load_pixels(const Stage *stage, size_t x, size_t y, size_t count, Room *room) {
    const FormulaJob *job = formula_job(stage);
    const FormulaProgram *program = &job->program;
    for (int k = 0; k < job->inputs; k++) {
        float *rows[FORMULA_CHANNELS], whites[FORMULA_CHANNELS];
        for (int c = 0; c < FORMULA_CHANNELS; c++) {
            const bool passes = k == 0 && c + 1 == stage->in[0].shape.channels && alpha_passes(stage);
            const int at = passes ? ALPHA : program->values[k][c];
            rows[c] = at == FORMULA_NONE ? NULL : room->rows[at];
            whites[c] = passes ? 1 : job->white[k];
        }
        split(stage->in[k], x, y, whites, count, rows);
    }
    if (program->y != FORMULA_NONE)
        fill(room->rows[program->y], (float)y + job->top, count);
    for (size_t i = 0; program->x != FORMULA_NONE && i < count; i++)
        room->rows[program->x][i] = (float)(int32_t)(x + i);
}

/* The results, and alpha as it is stored. */
static void store_pixels(const Stage *stage, size_t x, size_t y, size_t count, Room *room) {
    const FormulaJob *job = formula_job(stage);
    const bool keeps = formula_keeps_alpha(stage);
    const int channels = stage->out.shape.channels, last = stage->in[0].shape.channels - 1;
    const float *rows[FORMULA_CHANNELS] = {NULL};
    float whites[FORMULA_CHANNELS], *alpha[FORMULA_CHANNELS] = {NULL};
    static const float ones[FORMULA_CHANNELS] = {1, 1, 1, 1};
    for (int c = 0; c < channels; c++) {
        rows[c] = room->rows[keeps && c + 1 == channels ? ALPHA : job->program.results[c]];
        whites[c] = keeps && c + 1 == channels ? 1 : job->white[0];
    }
    alpha[last] = room->rows[ALPHA];
    if (keeps && !alpha_passes(stage))
        split(stage->in[0], x, y, ones, count, alpha);
    join(rows, whites, stage->out, x, y, count);
}

static void take_step(const FormulaStep *step, size_t count, Room *room) {
    const float *operands[3];
    for (int k = 0; k < 3; k++)
        operands[k] = room->rows[step->operands[k] == FORMULA_NONE ? 0 : step->operands[k]];
    loops[step->operation](operands[0], operands[1], operands[2], room->rows[step->to], count);
}

static void run_pixels(const FormulaRows *rows, size_t x, size_t y, size_t count, Room *room) {
    const FormulaProgram *program = &formula_job(rows->stage)->program;
    const FormulaCode *code = rows->code;
    const size_t whole = (count + FORMULA_CODE_VALUES - 1) / FORMULA_CODE_VALUES * FORMULA_CODE_VALUES;
    load_pixels(rows->stage, x, y, count, room);
    for (int i = 0; i < program->steps;)
        if (code && code->ends[i] > 0) {
            code->parts[i](room->rows[0], code->constants[0], whole * sizeof(float));
            i = code->ends[i];
        } else
            take_step(&program->step[i++], count, room);
    store_pixels(rows->stage, x, y, count, room);
}

static void row(const void *job, size_t y) {
    const FormulaRows *rows = job;
    const FormulaProgram *program = &formula_job(rows->stage)->program;
    const size_t width = rows->stage->out.shape.width, run = width < FORMULA_RUN ? width : FORMULA_RUN;
    Room room;
    for (int i = 0; i < program->constants; i++)
        if (!rows->code || !rows->code->memory || rows->code->wanted[i])
            fill(room.rows[FORMULA_REGISTERS + i], program->constant[i], run);
    for (size_t x = 0; x < width; x += FORMULA_RUN)
        run_pixels(rows, x, y, width - x < FORMULA_RUN ? width - x : FORMULA_RUN, &room);
}

FormulaRow *const ISA_NAME(formula_row) = row;
