/* convert.h: the types of values between a picture and a chain's result.
 * Owns the stages that widen and store values, and their places in a plan. */
#ifndef GLINT_CORE_PLAN_CONVERT_H
#define GLINT_CORE_PLAN_CONVERT_H

#include "core/plan/plan.h"

/* Appends a stage that makes f32 of a value of u8 or u16; full intensity stays as it is. */
Status plan_widen(Plan *plan, int in, int *out);
/* Appends a stage that stores a value as u8 or u16, whose full intensity is that of the type. */
Status plan_store(Plan *plan, int in, PixelType type, int *out);

/* Has the stages next to conversions read and make the types themselves, where their operations can. Stages that choose
 * (Op.chooses) come before the values are widened. A stage of its own widens where the plan's device is predicted to
 * take longer for two types than for f32. The plan's result stays the same, but for ties of
 * roundings that f32 decided before. The plan is complete, its result is set; points are not fused yet. */
void plan_place_conversions(Plan *plan);

/* Has functions of single values of u8 or u16 pass f32 to a function of single values that alone reads their result.
 * These are of POINT_VALUE, and in gray pictures of POINT_COLOUR. They become one stage with one table, whatever they
 * pass. The plan is complete; points are not fused yet. */
void plan_widen_points(Plan *plan);

/* Notes the decision in the plan's options. */
void plan_set_choice(Plan *plan, PrecisionChoice choice);
/* How often values may be rounded to u8 or u16: the stages, and the steps of points, that compute such values. */
size_t plan_count_roundings(const Plan *plan);

#endif
