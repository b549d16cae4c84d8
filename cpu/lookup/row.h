/* row.h: rows of a picture through a curve, for each type and number of channels, by the widest instruction set. */
#ifndef GLINT_CPU_LOOKUP_ROW_H
#define GLINT_CPU_LOOKUP_ROW_H

#include "core/device/backend.h"
#include "core/ops/lookup.h"

typedef void LookupRow(const Stage *stage, size_t y);

/* By type; by channels, less 1. */
typedef LookupRow *const LookupRows[PIXEL_TYPES][4];
extern LookupRows lookup_rows_portable, lookup_rows_avx2, lookup_rows_avx512;

#endif
