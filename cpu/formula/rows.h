/* rows.h: a row of pixels through a formula. */
#ifndef GLINT_CPU_FORMULA_ROWS_H
#define GLINT_CPU_FORMULA_ROWS_H

#include "core/ops/formula.h"

typedef void FormulaRow(const Stage *stage, size_t y);

extern FormulaRow *const formula_row_portable, *const formula_row_avx2, *const formula_row_avx512;

#endif
