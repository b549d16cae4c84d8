/* panels.isa.c: packing, and the tile in registers, for each instruction set. */
#include "cpu/course/multiply/panels.h"
#include "core/math/precision.h"
#include "cpu/isa.h"
#include "cpu/vector.h"

/* As many sums as there are registers, but for those of a row of B and of a value of A. */
#if defined(ISA_avx512)
enum { ROWS = 14 };
#else
enum { ROWS = 6 };
#endif
enum { VECTORS = 2, COLUMNS = VECTORS * LANES };

static const float *row_of(Part from, size_t y) {
    return (const float *)(const void *)(from.first + y * from.stride);
}

static void pack_a(Part from, float *to) {
    for (size_t y = 0; y < ROWS; y++) {
        const float *row = row_of(from, y < from.rows ? y : 0);
        for (size_t k = 0; k < from.columns; k++)
            to[k * ROWS + y] = y < from.rows ? precision_round(row[k], from.dropped) : 0;
    }
}

static void pack_b(Part from, float *to) {
    for (size_t k = 0; k < from.rows; k++, to += COLUMNS) {
        const float *row = row_of(from, k);
        if (from.columns == COLUMNS && from.dropped == 0)
            memcpy(to, row, COLUMNS * sizeof(float));
        else
            for (size_t x = 0; x < COLUMNS; x++)
                to[x] = x < from.columns ? precision_round(row[x], from.dropped) : 0;
    }
}

static inline void put(float *to, Floats lanes, bool add) {
    if (add)
        lanes += load(to);
    memcpy(to, &lanes, sizeof lanes);
}

/* The part of a tile that is in the product. */
static void put_part(const Floats sums[ROWS][VECTORS], TileOut to) {
    for (size_t y = 0; y < to.rows; y++) {
        float *row = (float *)(void *)(to.first + y * to.stride);
        for (size_t x = 0; x < to.columns; x++)
            row[x] = sums[y][x / LANES][x % LANES] + (to.add ? row[x] : 0);
    }
}

static void tile(size_t terms, const float *a, const float *b, TileOut to) {
    Floats sums[ROWS][VECTORS] = {0};
    for (size_t k = 0; k < terms; k++, a += ROWS, b += COLUMNS) {
        const Floats b0 = load(b), b1 = load(b + LANES);
#pragma GCC unroll 14
        for (int y = 0; y < ROWS; y++) {
            const Floats factor = spread(a[y]);
            sums[y][0] += factor * b0;
            sums[y][1] += factor * b1;
        }
    }
    if (to.rows < ROWS || to.columns < COLUMNS) {
        Floats copy[ROWS][VECTORS];
        memcpy(copy, sums, sizeof copy);
        put_part(copy, to);
        return;
    }
#pragma GCC unroll 14
    for (int y = 0; y < ROWS; y++) {
        float *row = (float *)(void *)(to.first + (size_t)y * to.stride);
        put(row, sums[y][0], to.add);
        put(row + LANES, sums[y][1], to.add);
    }
}

const Panels ISA_NAME(panels) = {ROWS, COLUMNS, pack_a, pack_b, tile};
