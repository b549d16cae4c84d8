/* polyphase_real.h: a tile's code for one type of sums (cpu/real.h). For polyphase.isa.c. */

typedef REAL NAME(Vector) __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(REAL)), may_alias));

#define VECTOR NAME(Vector)
#define TILE   NAME(Tile)
#define LANES  (VECTOR_BYTES / sizeof(REAL))

/* A tile at work. Row r of the input is in the ring at r modulo its rows. */
typedef struct NAME(Tile) {
    const PolyphaseJob *job;
    size_t left, values; /* the first input column; the values of an input row from there on */
    size_t end;          /* the first input row that is not in the ring yet */
    REAL *ring;
    const REAL **rows; /* of one window */
    REAL *weighed;     /* LANES rows */
    REAL *turned;      /* the same with LANES values of each column together */
    REAL *sums;        /* the result's columns, with LANES values of each column together */
    REAL *straight;    /* the same as LANES rows */
} NAME(Tile);

INLINE const REAL *NAME(weights)(const ResampleTable *table, size_t i) {
    const size_t at = i * (size_t)table->taps;
    return SUMS_FLOAT ? (const REAL *)(const void *)(table->floats + at)
                      : (const REAL *)(const void *)(table->weights + at);
}

static void NAME(convert_row)(TILE *tile, size_t y) {
    const ImageView in = tile->job->stage->in[0];
    const size_t first = tile->left * (size_t)in.shape.channels, count = tile->values;
    const void *row = view_row(in, y);
    REAL *restrict to = tile->ring + y % tile->job->ring * tile->job->values;
    if (in.shape.type == PIXEL_U8) {
        const uint8_t *from = (const uint8_t *)row + first;
        for (size_t i = 0; i < count; i++)
            to[i] = (REAL)from[i];
    } else if (in.shape.type == PIXEL_U16) {
        const uint16_t *from = (const uint16_t *)row + first;
        for (size_t i = 0; i < count; i++)
            to[i] = (REAL)from[i];
    } else {
        const float *from = (const float *)row + first;
        for (size_t i = 0; i < count; i++)
            to[i] = (REAL)from[i];
    }
}

/* `taps` rows of a window, weighed into one; known to the compiler where it is a constant. */
INLINE void NAME(add_rows)(const REAL *const *rows, const REAL *weights, int taps, size_t values, REAL *to) {
    for (size_t i = 0; i < values; i += 4 * LANES) {
        VECTOR a = {0}, b = {0}, c = {0}, d = {0};
        for (int k = 0; k < taps; k++) {
            const REAL *row = rows[k] + i, weight = weights[k];
            a += weight * *(const VECTOR *)row;
            b += weight * *(const VECTOR *)(row + LANES);
            c += weight * *(const VECTOR *)(row + 2 * LANES);
            d += weight * *(const VECTOR *)(row + 3 * LANES);
        }
        *(VECTOR *)(to + i) = a;
        *(VECTOR *)(to + i + LANES) = b;
        *(VECTOR *)(to + i + 2 * LANES) = c;
        *(VECTOR *)(to + i + 3 * LANES) = d;
    }
}

/* Result row y before its columns are weighed. */
static void NAME(weigh_rows)(const TILE *tile, size_t y, REAL *to) {
    const ResampleTable *table = tile->job->tables.y;
    const REAL *weights = NAME(weights)(table, y);
    const int taps = table->taps;
    for (int k = 0; k < taps; k++)
        tile->rows[k] = tile->ring + (size_t)(table->first[y] + k) % tile->job->ring * tile->job->values;
    if (taps == 2)
        NAME(add_rows)(tile->rows, weights, 2, tile->values, to);
    else if (taps == 4)
        NAME(add_rows)(tile->rows, weights, 4, tile->values, to);
    else if (taps == 6)
        NAME(add_rows)(tile->rows, weights, 6, tile->values, to);
    else
        NAME(add_rows)(tile->rows, weights, taps, tile->values, to);
}

/* The pixels of one row from `from`, which its columns begin at: pixels of 3 or 4 values, each in a vector of four. */
INLINE void NAME(weigh_pixels)(const ResampleTable *table, const REAL *from, size_t left, size_t x, size_t columns,
                               int channels, int taps, REAL bias, REAL *to) {
    typedef REAL Four __attribute__((vector_size(4 * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));
    for (size_t i = 0; i < columns; i++) {
        const REAL *at = from + ((size_t)table->first[x + i] - left) * (size_t)channels;
        const REAL *weights = NAME(weights)(table, x + i);
        Four sum = {bias, bias, bias, bias};
        for (int k = 0; k < taps; k++, at += channels)
            sum += weights[k] * *(const Four *)at;
        *(Four *)(to + i * (size_t)channels) = sum;
    }
}

INLINE void NAME(weigh_straight)(const TILE *tile, const REAL *from, size_t x, size_t columns, int channels, REAL bias,
                                 REAL *to) {
    const ResampleTable *table = tile->job->tables.x;
    if (table->taps == 2)
        NAME(weigh_pixels)(table, from, tile->left, x, columns, channels, 2, bias, to);
    else if (table->taps == 4)
        NAME(weigh_pixels)(table, from, tile->left, x, columns, channels, 4, bias, to);
    else if (table->taps == 6)
        NAME(weigh_pixels)(table, from, tile->left, x, columns, channels, 6, bias, to);
    else
        NAME(weigh_pixels)(table, from, tile->left, x, columns, channels, table->taps, bias, to);
}

/* LANES values from each of LANES rows, `from_step` values apart, to as many columns. */
INLINE void NAME(turn)(const REAL *from, size_t from_step, REAL *to, size_t to_step) {
    VECTOR block[LANES];
#pragma GCC unroll 16
    for (size_t i = 0; i < LANES; i++)
        block[i] = *(const VECTOR *)(from + i * from_step);
    TURN(block)
#pragma GCC unroll 16
    for (size_t i = 0; i < LANES; i++)
        *(VECTOR *)(to + i * to_step) = block[i];
}

/* One result pixel of `channels` values in LANES rows. */
INLINE void NAME(weigh_pixel)(const REAL *from, const REAL *weights, int taps, int channels, REAL bias, REAL *to) {
    VECTOR sums[4] = {{0}};
    for (int k = 0; k < taps; k++, from += (size_t)channels * LANES)
        for (int c = 0; c < channels; c++)
            sums[c] += weights[k] * *(const VECTOR *)(from + (size_t)c * LANES);
    for (int c = 0; c < channels; c++)
        *(VECTOR *)(to + (size_t)c * LANES) = sums[c] + bias;
}

INLINE void NAME(weigh_columns)(const TILE *tile, size_t x, size_t columns, int channels, REAL bias) {
    const ResampleTable *table = tile->job->tables.x;
    for (size_t i = 0; i < columns; i++)
        NAME(weigh_pixel)
    (tile->turned + ((size_t)table->first[x + i] - tile->left) * (size_t)channels * LANES, NAME(weights)(table, x + i),
     table->taps, channels, bias, tile->sums + i * (size_t)channels * LANES);
}

static void NAME(run_band)(TILE *tile, size_t x, size_t y, size_t columns, size_t rows) {
    const PolyphaseJob *job = tile->job;
    const ImageView out = job->stage->out;
    const int channels = out.shape.channels;
    const size_t values = columns * (size_t)channels,
                 stride = (values + POLYPHASE_STEP - 1) / POLYPHASE_STEP * POLYPHASE_STEP;
    const size_t first = (size_t)job->tables.y->first[y];
    const size_t end = (size_t)job->tables.y->first[y + rows - 1] + (size_t)job->tables.y->taps;
    const REAL bias = out.shape.type == PIXEL_F32 ? 0 : (REAL)TIE_BIAS;
    for (tile->end = tile->end > first ? tile->end : first; tile->end < end; tile->end++)
        NAME(convert_row)(tile, tile->end);
    for (size_t r = 0; r < rows && channels >= 3; r++) {
        NAME(weigh_rows)(tile, y + r, tile->weighed);
        if (channels == 4)
            NAME(weigh_straight)(tile, tile->weighed, x, columns, 4, bias, tile->straight);
        else
            NAME(weigh_straight)(tile, tile->weighed, x, columns, 3, bias, tile->straight);
        NAME(store)
        (tile->straight, out.shape.type, values,
         (char *)view_row(out, y + r) + x * (size_t)channels * pixel_type_size(out.shape.type));
    }
    if (channels >= 3)
        return;
    for (size_t r = 0; r < rows; r++)
        NAME(weigh_rows)(tile, y + r, tile->weighed + r * job->values);
    for (size_t i = 0; i < tile->values; i += LANES)
        NAME(turn)(tile->weighed + i, job->values, tile->turned + i * LANES, LANES);
    if (channels == 2)
        NAME(weigh_columns)(tile, x, columns, 2, bias);
    else
        NAME(weigh_columns)(tile, x, columns, 1, bias);
    for (size_t i = 0; i < values; i += LANES)
        NAME(turn)(tile->sums + i * LANES, LANES, tile->straight + i, stride);
    for (size_t r = 0; r < rows; r++)
        NAME(store)
    (tile->straight + r * stride, out.shape.type, values,
     (char *)view_row(out, y + r) + x * (size_t)channels * pixel_type_size(out.shape.type));
}

static void NAME(run_tile)(const PolyphaseJob *job, size_t x, size_t y, void *scratch) {
    const Shape out = job->stage->out.shape;
    const size_t channels = (size_t)out.channels;
    const size_t columns = out.width - x < job->columns ? out.width - x : job->columns;
    const size_t bottom = out.height - y < job->rows ? out.height : y + job->rows;
    const size_t left = (size_t)job->tables.x->first[x];
    const size_t right = (size_t)job->tables.x->first[x + columns - 1] + (size_t)job->tables.x->taps;
    const size_t stride = (job->columns * channels + POLYPHASE_STEP - 1) / POLYPHASE_STEP * POLYPHASE_STEP;
    TILE tile = {.job = job, .left = left, .values = (right - left) * channels, .ring = scratch};
    tile.weighed = tile.ring + job->ring * job->values;
    tile.turned = tile.weighed + LANES * job->values;
    tile.sums = tile.turned + LANES * job->values;
    tile.straight = tile.sums + LANES * stride;
    tile.rows = (const REAL **)(void *)(tile.straight + LANES * stride);
    for (size_t row = y; row < bottom; row += job->band)
        NAME(run_band)(&tile, x, row, columns, bottom - row < job->band ? bottom - row : job->band);
}

#undef VECTOR
#undef TILE
#undef LANES
