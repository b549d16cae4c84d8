/* formula.h: formulas as texts.
 * Owns their language and its way to programs (core/math/formula.h): parsing, constants folded, equal parts found once,
 * registers. docs/formulas.md tells users of the language. */
#ifndef GLINT_CORE_PARAM_FORMULA_H
#define GLINT_CORE_PARAM_FORMULA_H

#include "core/base/status.h"
#include "core/math/formula.h"

#include <stddef.h>

/* A number that a formula may name. */
typedef struct FormulaName {
    const char *name;
    double value;
} FormulaName;

/* The picture that a formula is for. */
typedef struct FormulaPicture {
    int colours[FORMULA_INPUTS]; /* 1 or 3; 0: there is no such picture */
    bool alpha;                  /* of the first */
    int results;                 /* colours that are wanted, 1 or 3; the first has more, or as many */
    const FormulaName *names;
    size_t name_count;
} FormulaPicture;

/* Parses a text: parts with ';' between them. "NAME = FORMULA" gives a part a name. The others are results: one for all
 * colours, one for each of three, or four with alpha. Three of them become their Rec. 709 luma where one colour is
 * wanted. Formulas know r, g, b, a, v (the colour at hand), v2 and v3 (that
 * of further pictures), luma, x, y, pi, and the names. STATUS_USAGE with the column, the fault, and what would be
 * right. */
Status formula_parse(const char *text, const FormulaPicture *picture, FormulaProgram *program);

#endif
