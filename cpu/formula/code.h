/* code.h: the simple steps of a formula as machine code, made for it.
 * Owns the writing of that code: a loop over a run of pixels whose values stay in the processor's registers from step
 * to step. x86-64 with AVX2. Steps that are functions (exp, noise, ...) have no code, and stand between the parts. */
#ifndef GLINT_CPU_FORMULA_CODE_H
#define GLINT_CPU_FORMULA_CODE_H

#include "core/math/formula.h"

#include <stddef.h>

enum {
    FORMULA_RUN = 256,       /* pixels: the values in a row of a register of the formula */
    FORMULA_CODE_VALUES = 8, /* that the code makes at a time */
    FORMULA_CODE_CONSTANTS = FORMULA_CONSTANTS + 4,
};

/* Makes `bytes` of each row, a multiple of the bytes of FORMULA_CODE_VALUES. */
typedef void FormulaPart(float *rows, const float *constants, size_t bytes);

typedef struct FormulaCode {
    void *memory; /* NULL: there is none */
    FormulaPart *parts[FORMULA_STEPS];
    int ends[FORMULA_STEPS];        /* by a part's first step: the step behind its last; 0: no part begins here */
    bool wanted[FORMULA_CONSTANTS]; /* a constant that loops or results read, not code alone */
    float constants[FORMULA_CODE_CONSTANTS][FORMULA_CODE_VALUES];
} FormulaCode;

/* Whether this processor can run the code. */
bool formula_code_possible(void);
/* All parts. Where the system lets no program write code, there are none, and steps run as without it. */
void formula_code_make(const FormulaProgram *program, FormulaCode *code);
void formula_code_free(FormulaCode *code);

#endif
