/* rows.isa.c: a formula on runs of pixels: each register is a row of values, each step a loop over it without a branch.
 * Nothing is contracted to multiply-adds (CMakeLists.txt), so that every value is the reference's. */
#include "cpu/formula/rows.h"

#include "core/math/formula.h"
#include "cpu/isa.h"

#include <string.h>

enum { RUN = 256 /* pixels */ };

/* Registers, behind them constants, and a row for alpha that stays. */
enum { ALPHA = FORMULA_REGISTERS + FORMULA_CONSTANTS };
typedef struct Room {
    float rows[ALPHA + 1][RUN];
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

/* A run of pixels between a row and registers. Values change places by their own type, and their type register by
 * register: both are loops for whole vectors. `rows` are NULL for channels that nobody reads. */
#define SPLIT(Type, channels)                                                                                          \
    for (size_t i = 0; i < count; i++)                                                                                 \
        for (int c = 0; c < (channels); c++)                                                                           \
            apart[c][i] = ((const Type *)from)[i * (channels) + (size_t)c];
#define SPLIT_ROWS(Type)                                                                                               \
    static void split_##Type(const void *from, int channels, const float whites[FORMULA_CHANNELS], size_t count,       \
                             float *const rows[FORMULA_CHANNELS]) {                                                    \
        Type apart[FORMULA_CHANNELS][RUN];                                                                             \
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
            const float white = whites[c];                                                                             \
            for (size_t i = 0; to && i < count; i++)                                                                   \
                to[i] = (float)apart[c][i] / white;                                                                    \
        }                                                                                                              \
    }
SPLIT_ROWS(uint8_t)
SPLIT_ROWS(uint16_t)
SPLIT_ROWS(float)

/* Adding and taking away 1.5 times 2^23 rounds halves to even; NaN is 0. */
static inline int32_t rounded(float value, float white) {
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
        Type apart[FORMULA_CHANNELS][RUN];                                                                             \
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
JOIN_ROWS(uint8_t, rounded(value, 255))    /* NOLINT(clang-analyzer-core.uninitialized.Assign): channels are 1 to 4 */
JOIN_ROWS(uint16_t, rounded(value, 65535)) /* NOLINT(clang-analyzer-core.uninitialized.Assign): channels are 1 to 4 */
JOIN_ROWS(float, value)                    /* NOLINT(clang-analyzer-core.uninitialized.Assign): channels are 1 to 4 */

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

static void load(const Stage *stage, size_t x, size_t y, size_t count, Room *room) {
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
static void store(const Stage *stage, size_t x, size_t y, size_t count, Room *room) {
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

static void run_pixels(const Stage *stage, size_t x, size_t y, size_t count, Room *room) {
    const FormulaProgram *program = &formula_job(stage)->program;
    load(stage, x, y, count, room);
    for (int i = 0; i < program->steps; i++) {
        const FormulaStep *step = &program->step[i];
        const float *operands[3];
        for (int k = 0; k < 3; k++)
            operands[k] = room->rows[step->operands[k] == FORMULA_NONE ? 0 : step->operands[k]];
        loops[step->operation](operands[0], operands[1], operands[2], room->rows[step->to], count);
    }
    store(stage, x, y, count, room);
}

static void row(const Stage *stage, size_t y) {
    const FormulaProgram *program = &formula_job(stage)->program;
    const size_t width = stage->out.shape.width, run = width < RUN ? width : RUN;
    Room room;
    for (int i = 0; i < program->constants; i++)
        fill(room.rows[FORMULA_REGISTERS + i], program->constant[i], run);
    for (size_t x = 0; x < width; x += RUN)
        run_pixels(stage, x, y, width - x < RUN ? width - x : RUN, &room);
}

FormulaRow *const ISA_NAME(formula_row) = row;
