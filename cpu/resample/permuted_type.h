/* permuted_type.h: a tile's code for one TYPE of pixels. Included by permuted.isa.c with TYPE, REAL (of sums) and their
 * kin defined. */

#define STEP (4 * sizeof(VECTOR) / sizeof(REAL)) /* values at once */

/* A tile at work. Input row r is in the ring of lines at r modulo their number, weighed along itself: as
 * many as a window has, and one more, since two are made at a time. */
typedef struct NAME(Tile) {
    const PermutedJob *job;
    size_t x, values;   /* the first value of a result row, and how many */
    size_t left, right; /* the values of an input row that they come from */
    size_t end;         /* the first input row that has no line yet */
    bool copied;        /* vectors would reach beyond the input's rows: their pieces are copied to `source` */
    TYPE *source;
    REAL *lines;        /* PERMUTED_VALUES each */
    const REAL **order; /* those of a window */
    TYPE *row;          /* the end of the result's, before it is copied */
} NAME(Tile);

/* Two input rows' pieces along themselves, by the same weights, for a number of taps that the compiler may know. */
INLINE void NAME(weigh_two)(const NAME(Tile) * tile, const TYPE *const rows[2], size_t channels, size_t taps,
                            REAL *const to[2]) {
    const PermutedTable table = *tile->job->across;
    const size_t begin = tile->x / LANES, count = (tile->values + LANES - 1) / LANES;
    for (size_t i = 0; i < count; i++) {
        const ptrdiff_t from = table.first[begin + i] - (ptrdiff_t)tile->left;
        const Ints places = load_int((const uint32_t *)table.places + (begin + i) * LANES);
#if WIDE
        const double *weights = table.wide + (begin + i) * taps * LANES;
        Wides low[2] = {{0}, {0}}, high[2] = {{0}, {0}};
        for (size_t k = 0; k < taps; k++, weights += LANES)
            for (int r = 0; r < 2; r++) {
                const Floats values = NAME(take)(rows[r] + from + k * channels, places);
                low[r] += load_wides(weights) * low_wides(values);
                high[r] += load_wides(weights + LANES / 2) * high_wides(values);
            }
        for (int r = 0; r < 2; r++) {
            memcpy(to[r] + i * LANES, &low[r], sizeof low[r]);
            memcpy(to[r] + i * LANES + LANES / 2, &high[r], sizeof high[r]);
        }
#else
        const float *weights = table.weights + (begin + i) * taps * LANES;
        Floats sums[2] = {{0}, {0}};
        for (size_t k = 0; k < taps; k++, weights += LANES)
            for (int r = 0; r < 2; r++)
                sums[r] += load(weights) * NAME(take)(rows[r] + from + k * channels, places);
        for (int r = 0; r < 2; r++)
            memcpy(to[r] + i * LANES, &sums[r], sizeof sums[r]);
#endif
    }
}

/* A row as it is weighed; `copy` is where to copy it, if need be. */
static const TYPE *NAME(source_of)(const NAME(Tile) * tile, size_t y, TYPE *copy) {
    const TYPE *row = (const TYPE *)view_row(tile->job->stage->in[0], y) + tile->left;
    return tile->copied ? memcpy(copy, row, (tile->right - tile->left) * sizeof *row) : row;
}

/* The lines of rows y and y + 1; of y alone, if it is the last. */
static void NAME(make_lines)(const NAME(Tile) * tile, size_t y) {
    const Shape in = tile->job->stage->in[0].shape;
    const size_t channels = (size_t)in.channels, taps = (size_t)tile->job->across->taps;
    const size_t ring = (size_t)tile->job->down->taps + 1, next = y + 1 < in.height ? y + 1 : y;
    const TYPE *const rows[2] = {NAME(source_of)(tile, y, tile->source),
                                 NAME(source_of)(tile, next, tile->source + tile->job->source)};
    REAL *const to[2] = {tile->lines + y % ring * PERMUTED_VALUES, tile->lines + next % ring * PERMUTED_VALUES};
    if (taps == 2)
        NAME(weigh_two)(tile, rows, channels, 2, to);
    else if (taps == 4)
        NAME(weigh_two)(tile, rows, channels, 4, to);
    else if (taps == 6)
        NAME(weigh_two)(tile, rows, channels, 6, to);
    else
        NAME(weigh_two)(tile, rows, channels, taps, to);
}

/* Values `begin` to before `end` of the lines of a window become a row of the result, in whole steps; `past` the
 * caches, if `to` is aligned to vectors. */
INLINE void NAME(weigh_lines)(const REAL *const *lines, const REAL *weights, size_t taps, size_t begin, size_t end,
                              bool past, TYPE *to) {
    for (size_t i = begin; i < end; i += STEP, to += STEP) {
        VECTOR sums[4];
        for (size_t v = 0; v < 4; v++)
            sums[v] = (REAL)BIAS - (VECTOR){0};
        for (size_t k = 0; k < taps; k++)
            for (size_t v = 0; v < 4; v++)
                sums[v] += weights[k] * *(const VECTOR *)(const void *)(lines[k] + i + v * STEP / 4);
        if (past) {
            Ints results[STEP * sizeof(TYPE) / sizeof(Ints)];
            NAME(store)(sums, (TYPE *)(void *)results);
            for (size_t v = 0; v < sizeof results / sizeof *results; v++)
                stream_vector(to + v * sizeof *results / sizeof *to, results[v]);
        } else
            NAME(store)(sums, to);
    }
}

INLINE void NAME(weigh_known)(const REAL *const *lines, const REAL *weights, size_t taps, size_t begin, size_t end,
                              bool past, TYPE *to) {
    if (past)
        NAME(weigh_lines)(lines, weights, taps, begin, end, true, to);
    else
        NAME(weigh_lines)(lines, weights, taps, begin, end, false, to);
}

static void NAME(weigh_window)(const REAL *const *lines, const REAL *weights, size_t taps, size_t begin, size_t end,
                               bool past, TYPE *to) {
    if (taps == 2)
        NAME(weigh_known)(lines, weights, 2, begin, end, past, to);
    else if (taps == 4)
        NAME(weigh_known)(lines, weights, 4, begin, end, past, to);
    else
        NAME(weigh_known)(lines, weights, taps, begin, end, past, to);
}

static void NAME(make_row)(NAME(Tile) * tile, size_t y) {
    const PermutedJob *job = tile->job;
    const ResampleTable *down = job->down;
    const size_t taps = (size_t)down->taps, first = (size_t)down->first[y];
    for (tile->end = tile->end > first ? tile->end : first; tile->end < first + taps; tile->end += 2)
        NAME(make_lines)(tile, tile->end);
    for (size_t k = 0; k < taps; k++)
        tile->order[k] = tile->lines + (first + k) % (taps + 1) * PERMUTED_VALUES;
#if WIDE
    const double *weights = down->weights + y * taps;
#else
    const float *weights = down->floats + y * taps;
#endif
    TYPE *to = (TYPE *)view_row(job->stage->out, y) + tile->x;
    const size_t whole = tile->values - tile->values % STEP, rest = tile->values - whole;
    const bool past = job->stream && (uintptr_t)to % VECTOR_BYTES == 0;
    NAME(weigh_window)(tile->order, weights, taps, 0, whole, past, to);
    if (rest > 0) {
        NAME(weigh_window)(tile->order, weights, taps, whole, tile->values, false, tile->row);
        memcpy(to + whole, tile->row, rest * sizeof *to);
    }
}

static void NAME(run_tile)(const PermutedJob *job, size_t x, size_t y, void *scratch) {
    const ImageView in = job->stage->in[0], out = job->stage->out;
    const PermutedTable *table = job->across;
    const size_t channels = (size_t)out.shape.channels, values = out.shape.width * channels - x;
    const size_t bottom = out.shape.height - y < job->rows ? out.shape.height : y + job->rows;
    NAME(Tile) tile = {.job = job, .x = x, .values = values < PERMUTED_VALUES ? values : PERMUTED_VALUES};
    const size_t last = (x + tile.values - 1) / LANES, line = in.shape.width * channels;
    const size_t end = (size_t)table->first[last] + LANES + (size_t)(table->taps - 1) * channels;
    tile.copied = end > line;
    tile.left = tile.copied ? (size_t)table->first[x / LANES] : 0;
    tile.right = end < line ? end : line;
    tile.lines = scratch;
    tile.row = (TYPE *)(void *)(tile.lines + ((size_t)job->down->taps + 1) * PERMUTED_VALUES);
    tile.source = tile.row + PERMUTED_END;
    tile.order = (const REAL **)(void *)((float *)(void *)tile.row + PERMUTED_END + 2 * job->source);
    for (size_t row = y; row < bottom; row++)
        NAME(make_row)(&tile, row);
    if (job->stream)
        stream_end();
}

#undef STEP
