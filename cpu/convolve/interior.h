/* interior.h: rows whose inner part needs no test for the border: interior and threads share them. */
#ifndef GLINT_CPU_CONVOLVE_INTERIOR_H
#define GLINT_CPU_CONVOLVE_INTERIOR_H

#include "core/ops/convolve.h"

/* Convolves output row y. */
void interior_row(const Stage *stage, size_t y);

#endif
