/* formula.h: the operation formula: each pixel goes through a formula of itself and of its place.
 * in[0], in[1], in[2] -> out, of equal width and height, of any types; the job says how many inputs there are. A
 * formula reads a further input's value of the same colour, or its only one. The result has the job's colours, which
 * are one or as many as in[0] has. It has in[0]'s alpha if there is one: as stored, unless the formula makes it.
 * out.type is in[0].type or f32. Full intensity stays that of in[0]. Arithmetic is f32 (core/math/formula.h), with the
 * same bits on every backend. */
#ifndef GLINT_CORE_OPS_FORMULA_H
#define GLINT_CORE_OPS_FORMULA_H

#include "core/math/formula.h"
#include "core/stage/stage.h"

extern const Op op_formula;

static inline const FormulaJob *formula_job(const Stage *stage) {
    return (const FormulaJob *)stage->job;
}
/* Whether two programs differ in their constants' values at most. */
bool formula_same_steps(const FormulaProgram *a, const FormulaProgram *b);
/* Whether the result's alpha is that of in[0], as it is stored. */
static inline bool formula_keeps_alpha(const Stage *stage) {
    const FormulaJob *job = formula_job(stage);
    return shape_has_alpha(stage->out.shape) && job->program.results[job->colours] == FORMULA_NONE;
}

#endif
