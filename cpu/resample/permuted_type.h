/* permuted_type.h: a tile's code for one TYPE of pixels. Included by permuted.isa.c with TYPE, REAL (of sums) and their
 * kin defined. */

#if WHOLE
#    define STEP    (2 * LANES) /* values at once */
#    define FACTORS 2           /* of a line */
#else
#    define STEP    (4 * LANES)
#    define FACTORS 1
#endif

/* A tile at work. Input row r is in the ring of lines at r modulo their number, weighed along itself. The ring has as
 * many lines as a window, and one more, since two are made at a time. */
typedef struct NAME(Tile) {
    const PermutedJob *job;
    size_t x, values;   /* the first value of a result row, and how many */
    size_t left, right; /* the values of an input row that they come from */
    size_t end;         /* the first input row that has no line yet */
    bool copied;        /* vectors would reach beyond the input's rows: their pieces are copied to `source` */
    TYPE *source;
    REAL *lines;        /* PERMUTED_VALUES each */
    const REAL **order; /* lines of a window */
    TYPE *row;          /* the end of the result's, before it is copied */
} NAME(Tile);

#if WHOLE

/* The values of an input row that the tile's vectors read. */
INLINE void NAME(find_reach)(NAME(Tile) * tile, size_t channels) {
    const WholeTable *table = tile->job->whole;
    const size_t vectors = (tile->values + 2 * LANES - 1) / (2 * LANES) * 2, pieces = LANES / 4;
    tile->left = table->first[tile->x / 4];
    tile->right = table->first[tile->x / 4 + vectors * pieces - 1] + 8 + 2 * (size_t)(table->pairs - 1) * channels;
}

/* Two input rows' pieces along themselves, by the same weights, for a number of taps that the compiler may know. A half
 * of 2^16 is taken off the values; lines get it back, and the summand that rounds sums by dropping bits. */
INLINE void NAME(weigh_two)(const NAME(Tile) * tile, const TYPE *const rows[2], size_t channels, size_t taps,
                            REAL *const to[2]) {
    const WholeTable table = *tile->job->whole;
    const size_t pairs = (taps + 1) / 2, begin = tile->x / LANES,
                 count = (tile->values + 2 * LANES - 1) / (2 * LANES) * 2;
    const int shift = table.shift - 1;
    const Ints round = spread_int((WHOLE_BIAS << shift) + (1 << (shift - 1)));
    const TYPE *const from[2] = {rows[0] - tile->left, rows[1] - tile->left};
    for (size_t i = 0; i < count; i++) {
        const uint32_t *first = table.first + (begin + i) * (LANES / 4);
        const int16_t *weights = table.weights + (begin + i) * pairs * 4 * LANES;
        ByteLanes places;
        memcpy(&places, table.places + (begin + i) * VECTOR_BYTES, sizeof places);
        Ints high[2] = {{0}, {0}}, low[2] = {round, round};
        for (size_t k = 0; k < pairs; k++, weights += 4 * LANES)
            for (int r = 0; r < 2; r++) {
                const ByteLanes pieces = load_pieces(from[r] + 2 * k * channels, first);
                const Ints values = (Ints)pick_bytes(pieces, places) ^ spread_int((int32_t)0x80008000);
                high[r] += multiply_pairs(values, load_int((const uint32_t *)(const void *)weights));
                low[r] += multiply_pairs(values, load_int((const uint32_t *)(const void *)(weights + 2 * LANES)));
            }
        for (int r = 0; r < 2; r++) {
            const Ints line = (2 * high[r] + (low[r] >> shift)) ^ spread_int(0x8000);
            memcpy(to[r] + i * LANES, &line, sizeof line);
        }
    }
}

#else

/* The values of an input row that the tile's vectors read. */
INLINE void NAME(find_reach)(NAME(Tile) * tile, size_t channels) {
    const PermutedTable *table = tile->job->across;
    const size_t last = (tile->x + tile->values - 1) / LANES;
    tile->left = (size_t)table->first[tile->x / LANES];
    tile->right = (size_t)table->first[last] + LANES + (size_t)(table->taps - 1) * channels;
}

/* Two input rows' pieces along themselves, by the same weights, for a number of taps that the compiler may know. */
INLINE void NAME(weigh_two)(const NAME(Tile) * tile, const TYPE *const rows[2], size_t channels, size_t taps,
                            REAL *const to[2]) {
    const PermutedTable table = *tile->job->across;
    const size_t begin = tile->x / LANES, count = (tile->values + LANES - 1) / LANES;
    for (size_t i = 0; i < count; i++) {
        const ptrdiff_t from = table.first[begin + i] - (ptrdiff_t)tile->left;
        const Ints places = load_int((const uint32_t *)table.places + (begin + i) * LANES);
        const float *weights = table.weights + (begin + i) * taps * LANES;
        Floats sums[2] = {{0}, {0}};
        for (size_t k = 0; k < taps; k++, weights += LANES)
            for (int r = 0; r < 2; r++)
                sums[r] += load(weights) * NAME(take)(rows[r] + from + k * channels, places);
        for (int r = 0; r < 2; r++)
            memcpy(to[r] + i * LANES, &sums[r], sizeof sums[r]);
    }
}

#endif

/* A row as it is weighed; `copy` is where to copy it, if need be. */
static const TYPE *NAME(source_of)(const NAME(Tile) * tile, size_t y, TYPE *copy) {
    const TYPE *row = (const TYPE *)view_row(tile->job->stage->in[0], y) + tile->left;
    return tile->copied ? memcpy(copy, row, (tile->right - tile->left) * sizeof *row) : row;
}

/* The lines of rows y and y + 1; of y alone, if it is the last. */
static void NAME(make_lines)(const NAME(Tile) * tile, size_t y) {
    const Shape in = tile->job->stage->in[0].shape;
    const size_t channels = (size_t)in.channels, taps = (size_t)tile->job->taps;
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

/* Makes a row of the result, in whole steps, of values `begin` to before `end` of the lines of a window. It goes `past`
 * the caches, if `to` is aligned to vectors. */
#if WHOLE
INLINE void NAME(weigh_lines)(const REAL *const *lines, const REAL *weights, size_t taps, int shift, size_t begin,
                              size_t end, bool past, TYPE *to) {
    for (size_t i = begin; i < end; i += STEP, to += STEP) {
        Ints high[2] = {{0}, {0}}, low[2] = {{0}, {0}};
        for (size_t k = 0; k < taps; k++)
            for (size_t v = 0; v < 2; v++) {
                Ints values = load_int((const uint32_t *)lines[k] + i + v * LANES);
                KEEP_IN_REGISTER(values);
                high[v] += multiply_pairs(values, spread_int(weights[2 * k]));
                low[v] += multiply_pairs(values, spread_int(weights[2 * k + 1]));
            }
        for (size_t v = 0; v < 2; v++)
            high[v] = (high[v] + (low[v] >> shift)) >> 13;
        const Ints results = pack_pairs(high[0], high[1]) ^ spread_int((int32_t)0x80008000);
        if (past)
            stream_vector(to, results);
        else
            memcpy(to, &results, sizeof results);
    }
}
#else
INLINE void NAME(weigh_lines)(const REAL *const *lines, const REAL *weights, size_t taps, int shift, size_t begin,
                              size_t end, bool past, TYPE *to) {
    (void)shift;
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
#endif

/* `taps` is a constant: lines and weights are taken to the stack, where nothing that is written could change them. */
INLINE void NAME(weigh_known)(const REAL *const *lines, const REAL *weights, size_t taps, int shift, size_t begin,
                              size_t end, bool past, TYPE *to) {
    const REAL *from[4];
    REAL factors[4 * FACTORS];
    for (size_t k = 0; k < taps; k++)
        from[k] = lines[k];
    for (size_t k = 0; k < taps * FACTORS; k++)
        factors[k] = weights[k];
    if (past)
        NAME(weigh_lines)(from, factors, taps, shift, begin, end, true, to);
    else
        NAME(weigh_lines)(from, factors, taps, shift, begin, end, false, to);
}

static void NAME(weigh_window)(const REAL *const *lines, const REAL *weights, size_t taps, int shift, size_t begin,
                               size_t end, bool past, TYPE *to) {
    if (taps == 2)
        NAME(weigh_known)(lines, weights, 2, shift, begin, end, past, to);
    else if (taps == 4)
        NAME(weigh_known)(lines, weights, 4, shift, begin, end, past, to);
    else if (past)
        NAME(weigh_lines)(lines, weights, taps, shift, begin, end, true, to);
    else
        NAME(weigh_lines)(lines, weights, taps, shift, begin, end, false, to);
}

static void NAME(make_row)(NAME(Tile) * tile, size_t y) {
    const PermutedJob *job = tile->job;
    const ResampleTable *down = job->down;
    const size_t taps = (size_t)down->taps, first = (size_t)down->first[y];
    for (tile->end = tile->end > first ? tile->end : first; tile->end < first + taps; tile->end += 2)
        NAME(make_lines)(tile, tile->end);
    for (size_t k = 0; k < taps; k++)
        tile->order[k] = tile->lines + (first + k) % (taps + 1) * PERMUTED_VALUES;
#if WHOLE
    const int shift = job->rows_whole->shift;
    const int32_t *weights = (const int32_t *)(const void *)job->rows_whole->weights + FACTORS * y * taps;
#else
    const int shift = 0;
    const float *weights = down->floats + y * taps;
#endif
    TYPE *to = (TYPE *)view_row(job->stage->out, y) + tile->x;
    const size_t whole = tile->values - tile->values % STEP, rest = tile->values - whole;
    const bool past = job->stream && (uintptr_t)to % VECTOR_BYTES == 0;
    NAME(weigh_window)(tile->order, weights, taps, shift, 0, whole, past, to);
    if (rest > 0) {
        NAME(weigh_window)(tile->order, weights, taps, shift, whole, tile->values, false, tile->row);
        memcpy(to + whole, tile->row, rest * sizeof *to);
    }
}

static void NAME(run_tile)(const PermutedJob *job, size_t x, size_t y, void *scratch) {
    const ImageView in = job->stage->in[0], out = job->stage->out;
    const size_t channels = (size_t)out.shape.channels, values = out.shape.width * channels - x;
    const size_t bottom = out.shape.height - y < job->rows ? out.shape.height : y + job->rows;
    const size_t line = in.shape.width * channels;
    NAME(Tile) tile = {.job = job, .x = x, .values = values < PERMUTED_VALUES ? values : PERMUTED_VALUES};
    NAME(find_reach)(&tile, channels);
    tile.copied = tile.right > line;
    if (tile.copied)
        tile.right = line;
    else
        tile.left = 0;
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
#undef FACTORS
