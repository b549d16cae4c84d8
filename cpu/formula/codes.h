/* codes.h: the machine code of formulas, kept by a queue from run to run. */
#ifndef GLINT_CPU_FORMULA_CODES_H
#define GLINT_CPU_FORMULA_CODES_H

#include "cpu/formula/code.h"

enum { FORMULA_CODES = 4 }; /* that a queue keeps: making one takes longer than a small picture */

typedef struct FormulaCodes FormulaCodes;

/* The code of a program, from an earlier run or made now in the place of the one unused for longest. It is valid until
 * FORMULA_CODES others were asked for. *codes may be NULL before the first. NULL if memory is short. */
const FormulaCode *formula_codes_find(FormulaCodes **codes, const FormulaProgram *program);
void formula_codes_free(FormulaCodes **codes); /* accepts NULL, nulls the pointer */

#endif
