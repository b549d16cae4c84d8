/* permuted_real.h: a tile's code for one type of sums. Included by permuted.isa.c with REAL and its kin defined. */

/* A tile at work. Input row r is in the ring of lines at r modulo their number, weighed along itself. */
typedef struct NAME(Tile) {
    const PermutedJob *job;
    size_t x, values;   /* the first value of a result row, and how many */
    size_t left, right; /* the values of an input row that they come from */
    size_t end;         /* the first input row that has no line yet */
    float *source;      /* an input row's piece */
    REAL *lines;        /* PERMUTED_VALUES each */
    const REAL **order; /* those of a window */
    char *row;          /* of the result, before it goes past the caches */
} NAME(Tile);

/* An input row's piece along itself, for a number of taps that the compiler may know. */
INLINE void NAME(weigh_line)(const NAME(Tile) * tile, size_t channels, size_t taps, REAL *to) {
    const PermutedTable *table = tile->job->across;
    const size_t begin = tile->x / LANES, end = (tile->x + tile->values + LANES - 1) / LANES;
    for (size_t b = begin; b < end; b++, to += LANES) {
        const float *from = tile->source + (size_t)table->first[b] - tile->left;
        const Ints places = load_int((const uint32_t *)table->places + b * LANES);
#if WIDE
        const double *weights = table->wide + b * taps * LANES;
        Wides low = {0}, high = {0};
        for (size_t k = 0; k < taps; k++, weights += LANES) {
            const Floats values = permute(load(from + k * channels), places);
            low += load_wides(weights) * low_wides(values);
            high += load_wides(weights + LANES / 2) * high_wides(values);
        }
        memcpy(to, &low, sizeof low);
        memcpy(to + LANES / 2, &high, sizeof high);
#else
        const float *weights = table->weights + b * taps * LANES;
        Floats sum = {0};
        for (size_t k = 0; k < taps; k++, weights += LANES)
            sum += load(weights) * permute(load(from + k * channels), places);
        memcpy(to, &sum, sizeof sum);
#endif
    }
}

static void NAME(make_line)(const NAME(Tile) * tile, size_t y) {
    const ImageView in = tile->job->stage->in[0];
    const size_t channels = (size_t)in.shape.channels, taps = (size_t)tile->job->across->taps;
    REAL *to = tile->lines + y % (size_t)tile->job->down->taps * PERMUTED_VALUES;
    load_row(in, y, tile->left, tile->right - tile->left, tile->source);
    if (taps == 2)
        NAME(weigh_line)(tile, channels, 2, to);
    else if (taps == 4)
        NAME(weigh_line)(tile, channels, 4, to);
    else if (taps == 6)
        NAME(weigh_line)(tile, channels, 6, to);
    else
        NAME(weigh_line)(tile, channels, taps, to);
}

/* The lines of a window become a row of the result, in whole steps of four vectors. */
INLINE void NAME(weigh_lines)(const REAL *const *lines, const REAL *weights, size_t taps, REAL bias, size_t values,
                              PixelType type, size_t size, char *to) {
    const size_t lanes = sizeof(VECTOR) / sizeof(REAL);
    for (size_t i = 0; i < values; i += 4 * lanes) {
        VECTOR sums[4];
        for (size_t v = 0; v < 4; v++)
            sums[v] = bias - (VECTOR){0};
        for (size_t k = 0; k < taps; k++)
            for (size_t v = 0; v < 4; v++)
                sums[v] += weights[k] * *(const VECTOR *)(const void *)(lines[k] + i + v * lanes);
        STORE(sums, type, to + i * size);
    }
}

INLINE void NAME(weigh_type)(const NAME(Tile) * tile, const REAL *weights, REAL bias, PixelType type, size_t size,
                             char *to) {
    const size_t taps = (size_t)tile->job->down->taps;
    if (taps == 2)
        NAME(weigh_lines)(tile->order, weights, 2, bias, tile->values, type, size, to);
    else if (taps == 4)
        NAME(weigh_lines)(tile->order, weights, 4, bias, tile->values, type, size, to);
    else
        NAME(weigh_lines)(tile->order, weights, taps, bias, tile->values, type, size, to);
}

static void NAME(make_row)(NAME(Tile) * tile, size_t y) {
    const PermutedJob *job = tile->job;
    const ResampleTable *down = job->down;
    const ImageView out = job->stage->out;
    const size_t taps = (size_t)down->taps, first = (size_t)down->first[y];
    for (tile->end = tile->end > first ? tile->end : first; tile->end < first + taps; tile->end++)
        NAME(make_line)(tile, tile->end);
    for (size_t k = 0; k < taps; k++)
        tile->order[k] = tile->lines + (first + k) % taps * PERMUTED_VALUES;
#if WIDE
    const size_t size = sizeof(uint16_t);
    const double *weights = down->weights + y * taps;
#else
    const size_t size = out.shape.type == PIXEL_U8 ? 1 : sizeof(float);
    const float *weights = down->floats + y * taps;
#endif
    char *to = (char *)view_row(out, y) + tile->x * size;
    const bool direct = !job->stream && tile->values == PERMUTED_VALUES;
    if (out.shape.type == PIXEL_F32)
        NAME(weigh_type)(tile, weights, 0, PIXEL_F32, sizeof(float), direct ? to : tile->row);
    else
        NAME(weigh_type)
    (tile, weights, (REAL)TIE_BIAS, WIDE ? PIXEL_U16 : PIXEL_U8, WIDE ? 2 : 1, direct ? to : tile->row);
    if (job->stream)
        stream(to, tile->row, tile->values * size);
    else if (!direct)
        memcpy(to, tile->row, tile->values * size);
}

static void NAME(run_tile)(const PermutedJob *job, size_t x, size_t y, void *scratch) {
    const ImageView in = job->stage->in[0], out = job->stage->out;
    const PermutedTable *table = job->across;
    const size_t channels = (size_t)out.shape.channels, values = out.shape.width * channels - x;
    const size_t bottom = out.shape.height - y < job->rows ? out.shape.height : y + job->rows;
    NAME(Tile) tile = {.job = job, .x = x, .values = values < PERMUTED_VALUES ? values : PERMUTED_VALUES};
    const size_t last = (x + tile.values - 1) / LANES, line = in.shape.width * channels;
    tile.left = (size_t)table->first[x / LANES];
    tile.right = (size_t)table->first[last] + LANES + (size_t)(table->taps - 1) * channels;
    tile.right = tile.right < line ? tile.right : line;
    tile.lines = scratch;
    tile.row = (char *)(tile.lines + (size_t)job->down->taps * PERMUTED_VALUES);
    tile.source = (float *)(void *)(tile.row + PERMUTED_VALUES * sizeof(float));
    tile.order = (const REAL **)(void *)(tile.source + job->source);
    for (size_t row = y; row < bottom; row++)
        NAME(make_row)(&tile, row);
    if (job->stream)
        stream_end();
}
