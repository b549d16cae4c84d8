/* panels.h: matrices packed in panels, and the tile of the product that stays in registers (Goto and van de Geijn,
 * Anatomy of high-performance matrix multiplication, 2008).
 * A panel of A has `rows` rows, column by column; one of B `columns` columns, row by row. A panel's values beyond the
 * matrix are 0. Owns the interface of panels.isa.c. */
#ifndef GLINT_CPU_COURSE_MULTIPLY_PANELS_H
#define GLINT_CPU_COURSE_MULTIPLY_PANELS_H

#include "core/stage/stage.h"

/* A part of the matrix from its first value on, rows `stride` bytes apart. */
typedef struct Part {
    const char *first;
    size_t stride, rows, columns;
    int dropped; /* bits that rounding takes (core/math/precision.h) */
} Part;

/* Where a tile of the product goes. */
typedef struct TileOut {
    char *first;
    size_t stride, rows, columns; /* of the tile that are in the product */
    bool add;                     /* to the sums there */
} TileOut;

typedef struct Panels {
    size_t rows, columns; /* of a tile, and so of panels */
    /* Packs one panel, of at most `rows` rows or `columns` columns. */
    void (*pack_a)(Part from, float *to);
    void (*pack_b)(Part from, float *to);
    /* The product of a panel of A and one of B of `terms` each. */
    void (*tile)(size_t terms, const float *a, const float *b, TileOut to);
} Panels;

extern const Panels panels_portable, panels_avx2, panels_avx512;

/* The functions for this processor. */
const Panels *panels_here(void);

#endif
