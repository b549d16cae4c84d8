/* gaussian.h: the blur of gaussian, for filters that begin with one. */
#ifndef GLINT_CORE_CHAIN_FILTERS_GAUSSIAN_H
#define GLINT_CORE_CHAIN_FILTERS_GAUSSIAN_H

#include "core/plan/lower.h"

/* Appends the blur of `in`, stored as `type`; radius 0 takes as many pixels as sigma asks for. */
Status gaussian_plan(Plan *to, int in, double sigma_x, double sigma_y, int radius, PixelType type, int *out);

#endif
