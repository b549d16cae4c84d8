/* rows.h: a row of pixels through a formula. */
#ifndef GLINT_CPU_FORMULA_ROWS_H
#define GLINT_CPU_FORMULA_ROWS_H

#include "core/ops/formula.h"
#include "cpu/formula/code.h"

typedef struct FormulaRows {
    const Stage *stage;
    const FormulaCode *code; /* NULL: each step is a loop */
} FormulaRows;

/* `rows`: FormulaRows. A team takes it as work. */
typedef void FormulaRow(const void *rows, size_t y);

extern FormulaRow *const formula_row_portable, *const formula_row_avx2, *const formula_row_avx512;

/* The one in the widest instruction set. */
FormulaRow *formula_row(void);

#endif
