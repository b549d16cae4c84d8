/* tie.h: how weighted means become whole numbers.
 * Means by whole ratios often lie halfway between two numbers, where the order of their sums would decide. A bias makes
 * them go up on every level, as in most libraries; no other result is that near to a half by chance. */
#ifndef GLINT_CORE_MATH_TIE_H
#define GLINT_CORE_MATH_TIE_H

#define TIE_BIAS (1.0 / 4096) /* added before rounding to nearest: a hundred times the error of f32 sums of u8 */

#endif
