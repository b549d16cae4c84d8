/* formula.h: formulas of a pixel as programs of registers, and their arithmetic for every backend.
 * Values are f32, and each operation rounds: sums, products, quotients and roots as IEEE 754 has them, others by
 * core/math/elementary.h. Every backend therefore finds the same bits. core/param/formula.h makes programs of texts. */
#ifndef GLINT_CORE_MATH_FORMULA_H
#define GLINT_CORE_MATH_FORMULA_H

#include "core/math/elementary.h"
#include "core/math/host_device.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum FormulaOperation {
#define FORMULA(name, operands, spelled, body) FORMULA_##name,
#include "core/math/formula.def"
#undef FORMULA
    FORMULA_OPERATIONS
} FormulaOperation;

enum {
    FORMULA_STEPS = 192,
    FORMULA_REGISTERS = 48,
    FORMULA_CONSTANTS = 96,
    FORMULA_INPUTS = 3,
    FORMULA_CHANNELS = 4,
    FORMULA_NONE = 255, /* no register, no operand */
};

/* An operation. Operands are registers, or constants, which are numbered behind them. `to` is the register of none of
 * its operands. */
typedef struct FormulaStep {
    uint8_t operation, to, operands[3];
} FormulaStep;

/* A pixel's values, as stored and divided by white, lie in registers before the first step; unused ones in none. */
typedef struct FormulaProgram {
    int steps, constants, registers;                        /* how many */
    uint8_t values[FORMULA_INPUTS][FORMULA_CHANNELS], x, y; /* the registers of these before the first step */
    uint8_t results[FORMULA_CHANNELS];                      /* operands; of alpha, FORMULA_NONE: it stays */
    FormulaStep step[FORMULA_STEPS];
    float constant[FORMULA_CONSTANTS];
} FormulaProgram;

/* The operation formula's job (core/ops/formula.h). */
typedef struct FormulaJob {
    FormulaProgram program;
    int inputs, colours;         /* pictures that are read; colours of the result */
    float white[FORMULA_INPUTS]; /* full intensity in each; results are in the units of the first */
    float top;                   /* the row of the picture that the first row is */
} FormulaJob;

/* From 0 to below 1, a multiple of 2^-24: pcg3d of three whole numbers, the fractions of which do not count (M.
 * Jarzynski and M. Olano, Hash Functions for GPU Rendering, JCGT 9(3), 2020). */
GLINT_HD float formula_noise(float seed, float x, float y) {
    const float far = 1e9f;
    const float whole[3] = {x, y, seed};
    uint32_t v[3];
    for (int i = 0; i < 3; i++) {
        const float low = whole[i] > -far ? whole[i] : -far; /* NaN, too */
        v[i] = (uint32_t)(int32_t)(low < far ? low : far) * 1664525u + 1013904223u;
    }
    v[0] += v[1] * v[2], v[1] += v[2] * v[0], v[2] += v[0] * v[1];
    v[0] ^= v[0] >> 16, v[1] ^= v[1] >> 16, v[2] ^= v[2] >> 16;
    v[0] += v[1] * v[2], v[1] += v[2] * v[0], v[2] += v[0] * v[1];
    return (float)(int32_t)(v[0] >> 8) * 0x1p-24f;
}

/* 1/white in two parts. v * high + v * low, product and sum rounded once each, is v / white rounded once, for whole v
 * up to a white of 255 or 65535 (N. Brisebarre, J.-M. Muller and S. Raina, Accelerating Correctly Rounded
 * Floating-Point Division when the Divisor Is Known in Advance, IEEE Trans. Computers 53(8), 2004). */
GLINT_HD void formula_reciprocal(float white, float *high, float *low) {
    *high = 1 / white;
    *low = (float)(1 / (double)white - (double)*high);
}

/* The result of one operation. */
GLINT_HD float formula_apply(FormulaOperation operation, float a, float b, float c) {
    switch (operation) {
#define FORMULA(name, operands, spelled, body)                                                                         \
case FORMULA_##name:                                                                                                   \
    return body;
#include "core/math/formula.def"
#undef FORMULA
    default:
        return 0;
    }
}

GLINT_HD float formula_operand(const FormulaProgram *program, const float *registers, int operand) {
    return operand < FORMULA_REGISTERS ? registers[operand] : program->constant[operand - FORMULA_REGISTERS];
}

/* One pixel. `values` are those stored, divided by white, with zeros where there are none; `results` of as many values
 * as the program has. */
GLINT_HD void formula_pixel(const FormulaProgram *program, const float values[FORMULA_INPUTS][FORMULA_CHANNELS],
                            float x, float y, int count, float *results) {
    float registers[FORMULA_REGISTERS];
    for (int k = 0; k < FORMULA_INPUTS; k++)
        for (int c = 0; c < FORMULA_CHANNELS; c++)
            if (program->values[k][c] != FORMULA_NONE)
                registers[program->values[k][c]] = values[k][c];
    if (program->x != FORMULA_NONE)
        registers[program->x] = x;
    if (program->y != FORMULA_NONE)
        registers[program->y] = y;
    for (int i = 0; i < program->steps; i++) {
        const FormulaStep step = program->step[i];
        float operands[3] = {0, 0, 0};
        for (int k = 0; k < 3; k++)
            if (step.operands[k] != FORMULA_NONE)
                operands[k] = formula_operand(program, registers, step.operands[k]);
        registers[step.to] = formula_apply((FormulaOperation)step.operation, operands[0], operands[1], operands[2]);
    }
    for (int c = 0; c < count; c++)
        if (program->results[c] != FORMULA_NONE)
            results[c] = formula_operand(program, registers, program->results[c]);
}

#endif
