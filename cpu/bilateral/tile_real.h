/* tile_real.h: tiles in sums of REAL (planes_real.h), pixel by pixel and pair by pair. */

/* A row's part of the sums: long sums of like values would round the same way. */
typedef struct NAME(Sums) {
    VECTOR weights, values[4];
} NAME(Sums);
#define NO_SUMS                                                                                                        \
    {                                                                                                                  \
        .weights = { 0 }                                                                                               \
    }

INLINE void NAME(add)(NAME(Sums) * sums, VECTOR weight, const REAL *from, size_t plane, int channels) {
    sums->weights += weight;
    for (int c = 0; c < channels; c++)
        sums->values[c] += weight * NAME(get)(from + (size_t)c * plane);
}
INLINE void NAME(add_sums)(NAME(Sums) * sums, const NAME(Sums) * more, int channels) {
    sums->weights += more->weights;
    for (int c = 0; c < channels; c++)
        sums->values[c] += more->values[c];
}

INLINE void NAME(put_means)(const NAME(Sums) * sums, int channels, REAL *to) {
    for (int c = 0; c < channels; c++)
        NAME(put)(to + c * BILATERAL_COLUMNS, sums->values[c] / sums->weights);
}

/* A row of the tile, all neighbours of a vector of pixels. `from`: the row's first pixel in the picture's planes, which
 * the guide's follow if `joint`. */
INLINE void NAME(row)(const BilateralWork *work, int channels, int guides, bool joint, const REAL *from, int count,
                      REAL *result) {
    const REAL slope = (REAL)bilateral_slope(bilateral_job(work->stage));
    const size_t plane = work->plane;
    const REAL *guide = from + (joint ? (size_t)channels * plane : 0);
    for (int x = 0; x < count; x += COUNT) {
        VECTOR centre[4];
        NAME(Sums) sums = NO_SUMS, part = NO_SUMS;
        for (int g = 0; g < guides; g++)
            centre[g] = NAME(get)(guide + (size_t)g * plane + x);
        for (int t = 0; t < work->count; t++) {
            const ptrdiff_t at = (ptrdiff_t)work->taps[t].y * (ptrdiff_t)work->pitch + work->taps[t].x + x;
            const VECTOR weight = NAME(weight)(centre, guide + at, plane, guides, (REAL)work->taps[t].space, slope);
            NAME(add)(&part, weight, from + at, plane, channels);
            if (t + 1 < work->count && work->taps[t + 1].y == work->taps[t].y)
                continue;
            NAME(add_sums)(&sums, &part, channels);
            part = (NAME(Sums))NO_SUMS;
        }
        NAME(put_means)(&sums, channels, result + x);
    }
}

/* ---- pairs ---- */

/* A pair at work on a row: the other pixel's place in the planes, and this row's weights. It also has the weights of
 * the row that is as far above as the other pixel is below, moved to fit this row's columns. */
typedef struct NAME(Pair) {
    ptrdiff_t at;
    REAL *own;
    const REAL *others;
    REAL space;
} NAME(Pair);

/* A row of the tile at work. */
typedef struct NAME(PairsAt) {
    const REAL *from, *guide; /* its first pixel in the planes */
    size_t plane;
    REAL slope;
    const NAME(Pair) * pairs;
    int count;
} NAME(PairsAt);

/* The weights of a pair at columns [begin, end). */
INLINE void NAME(weigh)(int guides, const NAME(PairsAt) * at, const NAME(Pair) * pair, int begin, int end) {
    const REAL *guide = at->guide, *other = at->guide + pair->at, space = pair->space, slope = at->slope;
    const size_t plane = at->plane;
    REAL *to = pair->own;
#pragma GCC unroll 2
    for (int x = begin; x < end; x += COUNT) {
        VECTOR centre[4];
        for (int g = 0; g < guides; g++)
            centre[g] = NAME(get)(guide + (size_t)g * plane + x);
        NAME(put)(to + x, NAME(weight)(centre, other + x, plane, guides, space, slope));
    }
}

/* Columns that are worked on together: several vectors, if registers are enough. */
INLINE int NAME(together)(int channels) {
    return channels == 1 ? 2 * COUNT : COUNT;
}

/* The weights of a row's pairs at columns from x on, the sums, and their means. The pixels below and to the right come
 * first, while their weights are in registers. Weights next to x are not yet in memory as a whole. */
INLINE void NAME(pairs_columns)(int channels, int guides, bool joint, const NAME(PairsAt) * at, int x, REAL *result) {
    enum { TOGETHER = 16 }; /* pairs, whose sums are added by themselves */
    const int wide = NAME(together)(channels) / COUNT;
    const size_t plane = at->plane;
    const REAL slope = at->slope;
    const REAL *from = at->from + x, *guide = joint ? at->guide + x : from;
    const NAME(Pair) *last = at->pairs + at->count;
    VECTOR centre[2][4];
    NAME(Sums) sums[2], part[2];
    for (int v = 0; v < wide; v++) {
        sums[v].weights = (VECTOR){0} + 1;
        for (int g = 0; g < guides; g++) {
            centre[v][g] = NAME(get)(guide + (size_t)g * plane + v * COUNT);
            sums[v].weights += 0 * centre[v][g]; /* NaN if it is not finite */
        }
        for (int c = 0; c < channels; c++)
            sums[v].values[c] = NAME(get)(from + (size_t)c * plane + v * COUNT);
    }
    for (const NAME(Pair) *pair = at->pairs; pair < last;) {
        const NAME(Pair) *end = last - pair < TOGETHER ? last : pair + TOGETHER;
        for (int v = 0; v < wide; v++)
            part[v] = (NAME(Sums))NO_SUMS;
        for (; pair < end; pair++)
            for (int v = 0; v < wide; v++) {
                const ptrdiff_t other = pair->at + v * COUNT;
                const VECTOR weight = NAME(weight)(centre[v], guide + other, plane, guides, pair->space, slope);
                NAME(put)(pair->own + x + v * COUNT, weight);
                NAME(add)(&part[v], weight, from + other, plane, channels);
            }
        for (int v = 0; v < wide; v++)
            NAME(add_sums)(&sums[v], &part[v], channels);
    }
    for (const NAME(Pair) *pair = last; pair > at->pairs;) { /* the row's own weights last */
        const NAME(Pair) *end = pair - at->pairs < TOGETHER ? at->pairs : pair - TOGETHER;
        for (int v = 0; v < wide; v++)
            part[v] = (NAME(Sums))NO_SUMS;
        while (pair-- > end)
            for (int v = 0; v < wide; v++)
                NAME(add)
        (&part[v], NAME(get)(pair->others + x + v * COUNT), from + v * COUNT - pair->at, plane, channels);
        pair = end;
        for (int v = 0; v < wide; v++)
            NAME(add_sums)(&sums[v], &part[v], channels);
    }
    for (int v = 0; v < wide; v++)
        NAME(put_means)(&sums[v], channels, result + x + v * COUNT);
}

INLINE void NAME(pairs_row)(int channels, int guides, bool joint, const NAME(PairsAt) * at, int count, REAL *result) {
    for (int x = 0; x < count; x += NAME(together)(channels))
        NAME(pairs_columns)(channels, guides, joint, at, x, result);
}

/* The weights of a row's pairs from number `first` on, at the tile's columns and where a pair reaches into it. The
 * first `made` columns are left out: their weights are made with the sums. */
INLINE void NAME(weigh_row)(const BilateralWork *work, int guides, const NAME(PairsAt) * at, int first, int count,
                            int made) {
    const int end = (count + 2 * COUNT - 1) / (2 * COUNT) * (2 * COUNT);
    for (int i = first; i < at->count; i++) {
        const NAME(Pair) *pair = &at->pairs[i];
        if (work->taps[i].x > 0)
            NAME(weigh)(guides, at, pair, -work->reach, 0);
        NAME(weigh)(guides, at, pair, made, work->taps[i].x < 0 ? end + work->reach : end);
    }
}

/* ---- by channels ---- */

#define BY_CHANNELS(channels)                                                                                          \
    static void NAME(row_##channels)(const BilateralWork *work, int guides, bool joint, const REAL *from, int count,   \
                                     REAL *result) {                                                                   \
        if (joint)                                                                                                     \
            NAME(row)(work, channels, guides, true, from, count, result);                                              \
        else                                                                                                           \
            NAME(row)(work, channels, channels, false, from, count, result);                                           \
    }                                                                                                                  \
    static void NAME(pairs_row_##channels)(int guides, bool joint, const NAME(PairsAt) * at, int count,                \
                                           REAL *result) {                                                             \
        if (joint)                                                                                                     \
            NAME(pairs_row)(channels, guides, true, at, count, result);                                                \
        else                                                                                                           \
            NAME(pairs_row)(channels, channels, false, at, count, result);                                             \
    }                                                                                                                  \
    static void NAME(weigh_row_##channels)(const BilateralWork *work, const NAME(PairsAt) * at, int first, int count,  \
                                           int made) {                                                                 \
        NAME(weigh_row)(work, channels, at, first, count, made);                                                       \
    }
BY_CHANNELS(1)
BY_CHANNELS(2)
BY_CHANNELS(3)
BY_CHANNELS(4)

static void NAME(run_tile)(const BilateralWork *work, size_t x, size_t y, void *scratch) {
    static void (*const by_channels[])(const BilateralWork *, int, bool, const REAL *, int,
                                       REAL *) = {NAME(row_1), NAME(row_2), NAME(row_3), NAME(row_4)};
    const Stage *stage = work->stage;
    const Shape shape = stage->out.shape;
    const size_t count = shape.width - x < work->columns ? shape.width - x : work->columns;
    const size_t rows = shape.height - y < work->rows ? shape.height - y : work->rows;
    const REAL *from = (REAL *)scratch + (size_t)bilateral_job(stage)->radius * work->pitch + work->margin;
    _Alignas(64) REAL result[4 * BILATERAL_COLUMNS];
    NAME(load_tile)(work, x, y, count, rows, scratch);
    for (size_t j = 0; j < rows; j++, from += work->pitch) {
        by_channels[shape.channels - 1](work, bilateral_guide(stage).shape.channels, bilateral_job(stage)->joint, from,
                                        (int)count, result);
        NAME(store)(stage->out, x, y + j, count, result);
    }
}

/* Where the pairs' weights are on turn `turn` of the rings. */
static void NAME(turn)(const BilateralWork *work, REAL *weights, int turn, NAME(Pair) * pairs) {
    for (int i = 0; i < work->count;) {
        const int y = work->taps[i].y;
        const size_t lines = (size_t)work->pairs[y].count;
        REAL *ring = weights + work->pairs[y].at + work->reach;
        REAL *own = ring + (size_t)(turn % (y + 1)) * lines * work->line;
        const REAL *others = ring + (size_t)((turn + 1) % (y + 1)) * lines * work->line;
        for (size_t k = 0; k < lines; k++, i++, own += work->line, others += work->line) {
            pairs[i].own = own;
            pairs[i].others = others - work->taps[i].x;
        }
    }
}

static void NAME(run_pairs)(const BilateralWork *work, size_t x, size_t y, void *scratch) {
    static void (*const rows_of[])(int, bool, const NAME(PairsAt) *, int, REAL *) = {
        NAME(pairs_row_1), NAME(pairs_row_2), NAME(pairs_row_3), NAME(pairs_row_4)};
    static void (*const weigh[])(const BilateralWork *, const NAME(PairsAt) *, int, int,
                                 int) = {NAME(weigh_row_1), NAME(weigh_row_2), NAME(weigh_row_3), NAME(weigh_row_4)};
    const Stage *stage = work->stage;
    const Shape shape = stage->out.shape;
    const bool joint = bilateral_job(stage)->joint;
    const int radius = bilateral_job(stage)->radius, guides = bilateral_guide(stage).shape.channels;
    const size_t count = shape.width - x < work->columns ? shape.width - x : work->columns;
    const size_t rows = shape.height - y < work->rows ? shape.height - y : work->rows;
    const int step = NAME(together)(shape.channels);
    REAL *planes = scratch;
    NAME(Pair) pairs[PAIRS_MAX];
    _Alignas(64) REAL result[4 * BILATERAL_COLUMNS];
    for (int i = 0; i < work->count; i++)
        pairs[i] = (NAME(Pair)){.at = (ptrdiff_t)work->taps[i].y * (ptrdiff_t)work->pitch + work->taps[i].x,
                                .space = (REAL)work->taps[i].space};
    NAME(load_tile)(work, x, y, count, rows, planes);
    NAME(PairsAt)
    at = {.from = planes + work->margin,
          .plane = work->plane,
          .slope = (REAL)bilateral_slope(bilateral_job(stage)),
          .pairs = pairs,
          .count = work->count};
    at.guide = at.from + (joint ? (size_t)shape.channels * work->plane : 0);
    for (int j = -radius; j < (int)rows; j++, at.from += work->pitch, at.guide += work->pitch) {
        NAME(turn)(work, planes + work->weights, j + radius, pairs);
        const int made = j < 0 ? 0 : ((int)count + step - 1) / step * step;
        weigh[guides - 1](work, &at, j < 0 ? work->pairs[-j].first : 0, (int)count, made);
        if (j < 0)
            continue;
        rows_of[shape.channels - 1](guides, joint, &at, (int)count, result);
        NAME(store)(stage->out, x, y + (size_t)j, count, result);
    }
}

#undef VECTOR
#undef COUNT
#undef BY_CHANNELS
#undef NO_SUMS
