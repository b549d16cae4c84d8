/* precision.h: how a chain's values are stored between its filters, in words, and by what PRECISION_AUTO decides.
 * Owns the rule; core/plan/predict.h has the times, and chain_choose_precision asks for them. */
#ifndef GLINT_CORE_PLAN_PRECISION_H
#define GLINT_CORE_PLAN_PRECISION_H

#include "core/plan/plan.h"

#define PRECISION_DEARER 1.1 /* f32 may take so many times as long as the way that is taken else */

/* Sets `taken`, by what is known of the chain: `roundings`, `along`, the seconds and `deeper`. */
void precision_decide(PrecisionChoice *choice);

/* "stored", "high", "auto" or "points". */
const char *precision_name(ChainPrecision precision);
/* The precision of a plan, and, where that was chosen, why: "high, by auto: 2 roundings if stored; f32 is predicted to
 * take 1.03 times as long". Returns the length as snprintf does. */
size_t precision_explain(const PlanOptions *options, char *buffer, size_t size);

#endif
