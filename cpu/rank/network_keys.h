/* network_keys.h: the tiles' code for one kind of key. Included by network.isa.c with KEY, VECTOR, LOW, HIGH, TO_KEYS,
 * PIXELS, TAKE_NUMBERS and NAME defined, which it undefines. Output row y of a tile reads rows y to y + K - 1. With 5 x
 * 5 and 7 x 7 a vector of columns marches down the tile. */

#include "cpu/rank/network_three.h"

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
SORTED(Five, 5)
SORTED(Seven, 7)

/* Four result rows of six rows of keys, side by side. Rows of 3 x 3 are soon sorted again, and memory is read and
 * written along rows. From the `picture` and to it, keys are pixels; results go there `past` the caches if they are
 * aligned to vectors. */
INLINE void NAME(network_3_to)(const KEY *const rows[6], KEY *const to[4], size_t channels, size_t values, bool picture,
                               bool past) {
    for (size_t i = 0; i < values; i += VECTOR_BYTES / sizeof(KEY)) {
        VECTOR keys[6][3], results[4];
#pragma GCC unroll 6
        for (size_t j = 0; j < 6; j++)
#pragma GCC unroll 3
            for (size_t k = 0; k < 3; k++) {
                keys[j][k] = *(const VECTOR *)(rows[j] + i + k * channels);
                KEEP_IN_REGISTER(keys[j][k]);
            }
        const bool taken = picture && TAKE_NUMBERS(keys, results);
        if (!taken) {
#pragma GCC unroll 18
            for (size_t k = 0; k < 18 && picture; k++)
                TO_KEYS(keys[k / 3][k % 3]);
            NAME(four_results)(keys, results);
        }
#pragma GCC unroll 4
        for (size_t j = 0; j < 4; j++) {
            VECTOR stored = results[j];
            if (picture && !taken)
                stored = PIXELS(results[j]);
            if (past)
                stream_vector(to[j] + i, (Ints)stored);
            else
                *(VECTOR *)(to[j] + i) = stored;
        }
    }
}

static void NAME(network_3)(const KEY *const rows[6], KEY *const to[4], size_t channels, size_t values, bool picture,
                            bool past) {
    if (!picture)
        NAME(network_3_to)(rows, to, channels, values, false, false);
    else if (past)
        NAME(network_3_to)(rows, to, channels, values, true, true);
    else
        NAME(network_3_to)(rows, to, channels, values, true, false);
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

/* Tiles of 3 x 3. Results [begin, end) of a row go from registers to the picture. The values that they come from are
 * read there, too; the neighbours of these, or all, are loaded to scratch. */
typedef struct NAME(Threes) {
    const NetworkTile *tile;
    size_t x, y, width, height, channels, begin, end;
    char *scratch; /* a ring of eight rows, four of results, the values beyond the border */
} NAME(Threes);

enum { NAME(RIGHT) = 256 /* keys: where in a row of scratch those to the right of `end` lie */ };

INLINE KEY *NAME(scratch_row)(const NAME(Threes) * at, size_t number) {
    return (KEY *)(void *)(at->scratch + number * at->tile->length);
}

/* Source row `row` of the tile: loads to its place in the ring the values that are not read in the picture. */
static void NAME(load_3)(const NAME(Threes) * at, size_t row) {
    const ImageView in = at->tile->stage->in[0];
    const Border border = rank_job(at->tile->stage)->border;
    const ptrdiff_t left = (ptrdiff_t)at->x - 1, y = (ptrdiff_t)(at->y + row) - 1;
    KEY *to = NAME(scratch_row)(at, row % 8);
    if (at->end == 0) {
        keys_load(in, border, left, y, at->width + 2, to);
        return;
    }
    if (at->begin > 0)
        keys_load(in, border, left, y, (at->begin + at->channels - 1) / at->channels + 2, to);
    if (at->end < at->width * at->channels)
        keys_load(in, border, left + (ptrdiff_t)(at->end / at->channels), y, at->width - at->end / at->channels + 2,
                  to + NAME(RIGHT));
}

/* Source row `row` of the tile as pixels, where it lies in the picture, from the neighbours of value `begin` on. */
static const KEY *NAME(inside_3)(const NAME(Threes) * at, size_t row) {
    const ImageView in = at->tile->stage->in[0];
    const Border border = rank_job(at->tile->stage)->border;
    const ptrdiff_t y = (ptrdiff_t)(at->y + row) - 1, inside = border_index(border.mode, y, (ptrdiff_t)in.shape.height);
    if (inside >= 0)
        return (const KEY *)view_row(in, (size_t)inside) + at->x * at->channels + at->begin - at->channels;
    KEY *outside = NAME(scratch_row)(at, 12);
    keys_load(in, border, (ptrdiff_t)at->x - 1, y, at->width + 2, outside);
    for (size_t i = 0; sizeof(KEY) == 4 && i < (at->width + 2) * at->channels; i++)
        outside[i] = (KEY)PIXELS(outside[i]);
    return outside;
}

/* Result rows `row` to row + 3 of the tile, as many as it has. */
static void NAME(four_rows)(const NAME(Threes) * at, size_t row) {
    const ImageView out = at->tile->stage->out;
    const size_t values = at->width * at->channels, begin = at->begin, end = at->end;
    const KEY *left[6], *inside[6], *right[6];
    KEY *to[4], *to_inside[4], *to_right[4], *results[4];
    bool past = at->tile->stream;
    for (size_t j = 0; j < 6; j++) {
        left[j] = NAME(scratch_row)(at, (row + j) % 8);
        inside[j] = end > 0 ? NAME(inside_3)(at, row + j) : left[j];
        right[j] = left[j] + (end > 0 ? NAME(RIGHT) + end % at->channels : 0);
    }
    for (size_t j = 0; j < 4; j++) {
        to[j] = NAME(scratch_row)(at, 8 + j);
        to_right[j] = to[j] + end;
        results[j] = row + j < at->height ? (KEY *)view_row(out, at->y + row + j) + at->x * at->channels : to[j];
        to_inside[j] = results[j] + begin;
        past &= (uintptr_t)to_inside[j] % VECTOR_BYTES == 0;
    }
    NAME(network_3)(left, to, at->channels, begin, false, false);
    NAME(network_3)(inside, to_inside, at->channels, end - begin, true, past);
    NAME(network_3)(right, to_right, at->channels, values - end, false, false);
    for (size_t j = 0; j < 4 && row + j < at->height; j++) {
        store_row((char *)results[j], (const char *)to[j], begin * sizeof(KEY), sizeof(KEY) == 4, at->tile->stream);
        store_row((char *)(results[j] + end), (const char *)to_right[j], (values - end) * sizeof(KEY), sizeof(KEY) == 4,
                  at->tile->stream);
    }
}

static void NAME(tile_3)(const NetworkTile *tile, size_t x, size_t y, size_t width, size_t height, char *scratch) {
    const Shape shape = tile->stage->out.shape;
    const size_t channels = (size_t)shape.channels, values = width * channels, step = VECTOR_BYTES / sizeof(KEY);
    const size_t line = (shape.width - x - 1) * channels; /* its last pixel has no neighbour there */
    const size_t first = x == 0 ? step : 0, last = line < values ? line : values;
    NAME(Threes)
    at = {.tile = tile, .x = x, .y = y, .width = width, .height = height, .channels = channels, .scratch = scratch};
    if (last >= first + step) {
        at.begin = first;
        at.end = first + (last - first) / step * step;
    }
    for (size_t row = 0, loaded = 0; row < height; row += 4) {
        for (; loaded < row + 6; loaded++)
            NAME(load_3)(&at, loaded);
        NAME(four_rows)(&at, row);
    }
}

/* Rows are so far apart that the processor does not see which comes next. */
static void NAME(ask_ahead)(const NetworkTile *tile, size_t x, size_t y, size_t width) {
    const ImageView in = tile->stage->in[0];
    const size_t pixel = (size_t)in.shape.channels * sizeof(KEY);
    if (y >= in.shape.height)
        return;
    const char *row = (const char *)view_row(in, y) + x * pixel;
    for (size_t i = 0; i < width * pixel; i += 64)
        __builtin_prefetch(row + i);
}

static void NAME(tile)(const NetworkTile *tile, size_t x, size_t y, char *scratch) {
    const Stage *stage = tile->stage;
    const RankJob *job = rank_job(stage);
    const Shape shape = stage->out.shape;
    const int size = job->window->width;
    const size_t channels = (size_t)shape.channels;
    const size_t width = tile->width < shape.width - x ? tile->width : shape.width - x;
    const size_t height = tile->rows < shape.height - y ? tile->rows : shape.height - y;
    if (size == 3) {
        NAME(tile_3)(tile, x, y, width, height, scratch);
        return;
    }
    const size_t rows = (height + 3) / 4 * 4 + (size_t)size - 1;
    char *results = scratch + (tile->rows + NETWORK_ROWS) * tile->length;
    for (size_t j = 0; j < rows; j++) {
        NAME(ask_ahead)(tile, x, y + j + ASK_AHEAD, width);
        keys_load(stage->in[0], job->border, (ptrdiff_t)x - size / 2, (ptrdiff_t)(y + j) - size / 2,
                  width + (size_t)size - 1, scratch + j * tile->length);
    }
    for (size_t i = 0; i < width * channels * sizeof(KEY); i += VECTOR_BYTES) {
        const NAME(Columns) columns = {scratch + i, results + i, tile->length, channels, height};
        if (size == 5)
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
#undef TO_KEYS
#undef PIXELS
#undef TAKE_NUMBERS
#undef LOW
#undef HIGH
#undef NAME
