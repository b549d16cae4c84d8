/* network_keys.h: the tiles' code for one kind of key. Included by network.isa.c with KEY, VECTOR, LOW, HIGH and NAME
 * defined, which it undefines. A vector of columns marches down the tile; output row y reads rows y to y + K - 1. */

#include "cpu/rank/networks.h"

/* A tile's rows of keys, the columns at work, and where results go. */
typedef struct NAME(Columns) {
    const char *rows;
    char *results;
    size_t length, channels, height;
} NAME(Columns);

INLINE void NAME(load)(const NAME(Columns) * columns, size_t row, int count, VECTOR *keys) {
    const KEY *from = (const KEY *)(const void *)(columns->rows + row * columns->length);
#pragma GCC unroll 7
    for (int k = 0; k < count; k++)
        keys[k] = *(const VECTOR *)(from + (size_t)k * columns->channels);
}

INLINE void NAME(put)(const NAME(Columns) * columns, size_t row, VECTOR keys) {
    *(VECTOR *)(void *)(columns->results + row * columns->length) = keys;
}

INLINE VECTOR NAME(middle)(VECTOR a, VECTOR b, VECTOR c) {
    return HIGH(LOW(a, b), LOW(HIGH(a, b), c));
}

typedef struct NAME(Three) {
    VECTOR v[3];
} NAME(Three);
typedef struct NAME(Five) {
    VECTOR v[5];
} NAME(Five);
typedef struct NAME(Seven) {
    VECTOR v[7];
} NAME(Seven);
typedef struct NAME(Ten) {
    VECTOR v[10];
} NAME(Ten);
typedef struct NAME(Fourteen) {
    VECTOR v[14];
} NAME(Fourteen);

/* The window's part of a row, sorted. */
#define SORTED(Type, count)                                                                                            \
    INLINE NAME(Type) NAME(sorted_##count)(const NAME(Columns) * columns, size_t row) {                                \
        VECTOR keys[count];                                                                                            \
        NAME(Type) sorted;                                                                                             \
        NAME(load)(columns, row, count, keys);                                                                         \
        NAME(sort_##count)(keys, sorted.v);                                                                            \
        return sorted;                                                                                                 \
    }
SORTED(Three, 3)
SORTED(Five, 5)
SORTED(Seven, 7)

/* Results of rows y and y + 1: the second and the third of four. */
static void NAME(network_3)(const NAME(Columns) * columns) {
    NAME(Three) a = NAME(sorted_3)(columns, 0), b = NAME(sorted_3)(columns, 1);
    for (size_t y = 0; y < columns->height; y += 2) {
        const NAME(Three) c = NAME(sorted_3)(columns, y + 2), d = NAME(sorted_3)(columns, y + 3);
        const VECTOR lows = HIGH(b.v[0], c.v[0]), highs = LOW(b.v[2], c.v[2]);
        const VECTOR low = LOW(b.v[1], c.v[1]), high = HIGH(b.v[1], c.v[1]);
        NAME(put)(columns, y, NAME(middle)(HIGH(a.v[0], lows), HIGH(low, LOW(high, a.v[1])), LOW(a.v[2], highs)));
        NAME(put)(columns, y + 1, NAME(middle)(HIGH(d.v[0], lows), HIGH(low, LOW(high, d.v[1])), LOW(d.v[2], highs)));
        a = c;
        b = d;
    }
}

/* Six rows: the first, two pairs, the last. */
static void NAME(network_5)(const NAME(Columns) * columns) {
    NAME(Five) a = NAME(sorted_5)(columns, 0), b = NAME(sorted_5)(columns, 2), e = NAME(sorted_5)(columns, 3);
    NAME(Ten) upper;
    {
        const NAME(Five) second = NAME(sorted_5)(columns, 1);
        NAME(merge_5_5)(second.v, b.v, upper.v);
    }
    for (size_t y = 0; y < columns->height; y += 2) {
        const NAME(Five) g = NAME(sorted_5)(columns, y + 4), f = NAME(sorted_5)(columns, y + 5);
        NAME(Ten) lower;
        VECTOR four[6], result;
        NAME(merge_5_5)(e.v, g.v, lower.v);
        NAME(middle_10_10)(upper.v, lower.v, four);
        NAME(median_6_5)(four, a.v, &result);
        NAME(put)(columns, y, result);
        NAME(median_6_5)(four, f.v, &result);
        NAME(put)(columns, y + 1, result);
        upper = lower;
        a = b;
        b = g;
        e = f;
    }
}

/* Ten rows, four results: the two pairs in the middle serve all of them. */
static void NAME(network_7)(const NAME(Columns) * columns) {
    NAME(Seven)
    a = NAME(sorted_7)(columns, 0), b = NAME(sorted_7)(columns, 2), d = NAME(sorted_7)(columns, 4),
    e = NAME(sorted_7)(columns, 5);
    NAME(Fourteen) p, q;
    {
        const NAME(Seven) second = NAME(sorted_7)(columns, 1), fourth = NAME(sorted_7)(columns, 3);
        NAME(merge_7_7)(second.v, b.v, p.v);
        NAME(merge_7_7)(fourth.v, d.v, q.v);
    }
    for (size_t y = 0; y < columns->height; y += 4) {
        const NAME(Seven) g = NAME(sorted_7)(columns, y + 6), h = NAME(sorted_7)(columns, y + 7);
        const NAME(Seven) i = NAME(sorted_7)(columns, y + 8), j = NAME(sorted_7)(columns, y + 9);
        NAME(Fourteen) r, s;
        VECTOR four[22], six[8], result;
        NAME(merge_7_7)(e.v, g.v, r.v);
        NAME(merge_7_7)(h.v, i.v, s.v);
        NAME(middle_14_14)(q.v, r.v, four);
        NAME(middle_22_14)(four, p.v, six);
        NAME(median_8_7)(six, a.v, &result);
        NAME(put)(columns, y, result);
        NAME(median_8_7)(six, h.v, &result);
        NAME(put)(columns, y + 1, result);
        NAME(middle_22_14)(four, s.v, six);
        NAME(median_8_7)(six, b.v, &result);
        NAME(put)(columns, y + 2, result);
        NAME(median_8_7)(six, j.v, &result);
        NAME(put)(columns, y + 3, result);
        p = r;
        q = s;
        a = d;
        b = g;
        d = i;
        e = j;
    }
}

static void NAME(tile)(const NetworkTile *tile, size_t x, size_t y, char *scratch) {
    const Stage *stage = tile->stage;
    const RankJob *job = rank_job(stage);
    const Shape shape = stage->out.shape;
    const int size = job->window->width;
    const size_t channels = (size_t)shape.channels;
    const size_t width = tile->width < shape.width - x ? tile->width : shape.width - x;
    const size_t height = tile->rows < shape.height - y ? tile->rows : shape.height - y;
    const size_t rows = (height + 3) / 4 * 4 + (size_t)size - 1;
    char *results = scratch + (tile->rows + NETWORK_ROWS) * tile->length;
    for (size_t j = 0; j < rows; j++)
        keys_load(stage->in[0], job->border, (ptrdiff_t)x - size / 2, (ptrdiff_t)(y + j) - size / 2,
                  width + (size_t)size - 1, scratch + j * tile->length);
    for (size_t i = 0; i < width * channels * sizeof(KEY); i += VECTOR_BYTES) {
        const NAME(Columns) columns = {scratch + i, results + i, tile->length, channels, height};
        if (size == 3)
            NAME(network_3)(&columns);
        else if (size == 5)
            NAME(network_5)(&columns);
        else
            NAME(network_7)(&columns);
    }
    for (size_t j = 0; j < height; j++)
        store_row((char *)view_row(stage->out, y + j) + x * channels * sizeof(KEY), results + j * tile->length,
                  width * channels * sizeof(KEY), sizeof(KEY) == 4, tile->stream);
}

#undef SORTED
#undef KEY
#undef VECTOR
#undef LOW
#undef HIGH
#undef NAME
