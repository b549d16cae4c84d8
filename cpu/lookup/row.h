/* row.h: rows of a picture through a curve, for each type and number of channels, by the widest instruction set. */
#ifndef GLINT_CPU_LOOKUP_ROW_H
#define GLINT_CPU_LOOKUP_ROW_H

#include "core/device/backend.h"
#include "core/ops/lookup.h"

/* A curve of bytes that is a line, and level before and behind it. It begins at `from` with `low`, and rises by `rise`
 * through `run` values; results are rounded to nearest even. `inverse` is 2^(16 + shift) / run, rounded up. */
typedef struct LookupLine {
    uint8_t from, run, low;
    uint16_t rise, inverse;
    int shift;
} LookupLine;

typedef void LookupRow(const Stage *stage, size_t y);

typedef struct LookupRows {
    LookupRow *by_table[PIXEL_TYPES][4]; /* by type; by channels, less 1 */
    void (*by_line)(const LookupLine *line, const uint8_t *from, uint8_t *to, size_t count);
} LookupRows;
extern const LookupRows lookup_rows_portable, lookup_rows_avx2, lookup_rows_avx512;

#endif
