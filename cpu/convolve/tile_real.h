/* tile_real.h: the tile's code for one type of sums (cpu/real.h), for tile.isa.c. Whole numbers of type WHOLE
 * become REAL by WIDEN, and sums become WHOLE by NARROW_TO. */

typedef REAL NAME(Vector) __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(REAL)), may_alias));

/* A tile at work. A source row's first value is the one under the mask's left end. */
typedef struct NAME(Tile) {
    const TileJob *job;
    const Mask *mask;
    size_t x, width; /* pixels */
    size_t values;   /* of an output row */
    size_t length;   /* of a row in scratch */
    size_t ring_rows;
    REAL *result; /* TILE_ROWS rows */
    REAL *packed; /* one row */
    REAL *ring;   /* ring_rows rows */
    REAL *weights;
    REAL divisor, reciprocal; /* the divisor is brought to [1, 2) by a power of two, which the weights take over */
    REAL bias;
} NAME(Tile);

#define VECTOR NAME(Vector)
#define TILE   NAME(Tile)
#define LANES  (VECTOR_BYTES / sizeof(REAL))
#define STEP   (VECTORS * LANES)

/* f32 sums of more than ALONE taps are taken in groups of at most GROUP taps, and these in totals of GROUPS. Totals go
 * into a sum that keeps its rounding errors (W. Kahan, Comm. ACM 8(1), 1965). However large the mask, the result is
 * then within 2e-6 even for flat pictures, where every step rounds the same way. */
typedef struct NAME(Totals) {
    VECTOR total[TILE_ROWS][VECTORS]; /* of groups */
    VECTOR whole[TILE_ROWS][VECTORS], excess[TILE_ROWS][VECTORS];
    int taps, groups, totals; /* in the group, in the total, in the whole */
} NAME(Totals);
enum { NAME(GROUP) = 48, NAME(GROUPS) = 24, NAME(ALONE) = TAPS_ALONE };

/* The operands of the kernel: taps are `step` values apart; weights are laid out row by row. */
typedef struct NAME(Taps) {
    const REAL *const *rows; /* rows[j] lies under mask row j of the first output row, rows[j + 1] of the second, ... */
    const REAL *weights;
    int w, h;
    size_t step;
} NAME(Taps);

/* Adds `count` taps of an input row to output rows first to last; `weights` are the first's, its mask row being j. */
INLINE void NAME(add_taps)(VECTOR (*group)[VECTORS], const REAL *row, size_t step, const REAL *weights, int w,
                           int count, int first, int last) {
    for (int i = 0; i < count; i++, row += step) {
        VECTOR in[VECTORS];
#pragma GCC unroll 8
        for (size_t v = 0; v < VECTORS; v++)
            in[v] = *(const VECTOR *)(row + v * LANES);
#pragma GCC unroll 8
        for (size_t v = 0; v < VECTORS; v++)
            KEEP_IN_REGISTER(in[v]);
#pragma GCC unroll 8
        for (int r = first; r <= last; r++) {
            const REAL weight = weights[i - r * w];
#pragma GCC unroll 8
            for (size_t v = 0; v < VECTORS; v++)
                group[r][v] += in[v] * weight;
        }
    }
}

static __attribute__((noinline)) void NAME(close_total)(NAME(Totals) * totals, int rows) {
    for (int r = 0; r < rows; r++)
        for (size_t v = 0; v < VECTORS; v++) {
            const VECTOR before = totals->totals > 0 ? totals->whole[r][v] : (VECTOR){0};
            const VECTOR more = totals->total[r][v] - (totals->totals > 0 ? totals->excess[r][v] : (VECTOR){0});
            totals->whole[r][v] = before + more;
            totals->excess[r][v] = (totals->whole[r][v] - before) - more;
            totals->total[r][v] = (VECTOR){0};
        }
    totals->groups = 0;
    totals->totals++;
}

INLINE void NAME(close_group)(VECTOR (*group)[VECTORS], NAME(Totals) * totals, int rows) {
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++)
#pragma GCC unroll 8
        for (size_t v = 0; v < VECTORS; v++) {
            totals->total[r][v] += group[r][v];
            group[r][v] = (VECTOR){0};
        }
    totals->taps = 0;
    if (++totals->groups == NAME(GROUPS))
        NAME(close_total)(totals, rows);
}

/* Adds input row j's part to output rows first to last; `totals` is NULL if the sums are not grouped. */
INLINE void NAME(add_row)(VECTOR (*group)[VECTORS], NAME(Totals) * totals, const NAME(Taps) * taps, int w, size_t x,
                          int j, int first, int last, int rows) {
    const REAL *row = taps->rows[j] + x, *weights = taps->weights + (ptrdiff_t)j * w;
    if (!totals) {
        NAME(add_taps)(group, row, taps->step, weights, w, w, first, last);
        return;
    }
    for (int i = 0; i < w; i += NAME(GROUP)) {
        const int count = w - i < NAME(GROUP) ? w - i : NAME(GROUP);
        if (totals->taps + count > NAME(GROUP))
            NAME(close_group)(group, totals, rows);
        NAME(add_taps)(group, row + (size_t)i * taps->step, taps->step, weights + i, w, count, first, last);
        totals->taps += count;
    }
}

/* The kernel: `rows` output rows of STEP values from x on. `rows` is a constant, and so is h unless it is at least
 * `rows`, as `tall` says. */
INLINE void NAME(sum_step)(const NAME(Taps) * taps, int rows, int w, int h, bool tall, size_t x, bool grouped,
                           REAL *const *out) {
    VECTOR group[TILE_ROWS][VECTORS] = {0};
    NAME(Totals) room, *totals = grouped ? &room : NULL;
    if (grouped) {
        memset(totals->total, 0, sizeof totals->total);
        totals->taps = totals->groups = totals->totals = 0;
    }
#pragma GCC unroll 8
    for (int j = 0; j < rows - 1; j++) /* mask rows that the later output rows do not have */
        NAME(add_row)(group, totals, taps, w, x, j, tall || j < h ? 0 : j - h + 1, j, rows);
    for (int j = rows - 1; j < h; j++)
        NAME(add_row)(group, totals, taps, w, x, j, 0, rows - 1, rows);
#pragma GCC unroll 8
    for (int r = 1; r < rows; r++) /* and that the earlier ones do not have */
        if (tall || h - 1 + r >= rows - 1)
            NAME(add_row)(group, totals, taps, w, x, h - 1 + r, r, rows - 1, rows);
    if (grouped) {
        NAME(close_group)(group, totals, rows);
        if (totals->totals > 0)
            NAME(close_total)(totals, rows);
    }
    const VECTOR(*sums)[VECTORS] = !grouped ? group : totals->totals > 0 ? totals->whole : totals->total;
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++)
#pragma GCC unroll 8
        for (size_t v = 0; v < VECTORS; v++)
            *(VECTOR *)(out[r] + x + v * LANES) = sums[r][v];
}

/* Copies of the kernel whose loops over rows or taps are unrolled, or not; each a function, for registers' sake. */
typedef void NAME(Kernel)(const NAME(Taps) * taps, size_t values, REAL *const *out);
#define KERNEL(name, rows, w, h, tall, grouped)                                                                        \
    static __attribute__((noinline)) void NAME(name)(const NAME(Taps) * taps, size_t values, REAL *const *out) {       \
        const NAME(Taps) own = *taps;                                                                                  \
        REAL *to[TILE_ROWS];                                                                                           \
        for (int r = 0; r < (rows); r++)                                                                               \
            to[r] = out[r];                                                                                            \
        for (size_t x = 0; x < values; x += STEP)                                                                      \
            NAME(sum_step)(&own, rows, w, h, tall, x, grouped, to);                                                    \
    }
KERNEL(sum_row, 1, taps->w, taps->h, true, false)
KERNEL(sum_row_grouped, 1, taps->w, taps->h, true, true)
KERNEL(sum_2, TILE_ROWS, taps->w, 2, false, false)
KERNEL(sum_3, TILE_ROWS, taps->w, 3, false, false)
KERNEL(sum_4, TILE_ROWS, taps->w, 4, false, false)
KERNEL(sum_5, TILE_ROWS, taps->w, 5, false, false)
KERNEL(sum_3x3, TILE_ROWS, 3, 3, false, false)
KERNEL(sum_tall, TILE_ROWS, taps->w, taps->h, true, false)
KERNEL(sum_tall_grouped, TILE_ROWS, taps->w, taps->h, true, true)

/* `values` sums of each of `rows` output rows: 1 or TILE_ROWS. May write up to STEP values more. */
static void NAME(sum_rows)(const NAME(Taps) * taps, size_t values, size_t rows, REAL *const *out) {
    static NAME(Kernel) *const kernels[TILE_ROWS] = {NAME(sum_row), NAME(sum_2), NAME(sum_3),
                                                     NAME(sum_4),   NAME(sum_5), NAME(sum_tall)};
    const int h = taps->h < TILE_ROWS ? taps->h : TILE_ROWS;
    const bool grouped = taps->w * taps->h > NAME(ALONE);
    NAME(Kernel) *kernel = kernels[h - 1];
    if (grouped)
        kernel = h < TILE_ROWS ? NAME(sum_row_grouped) : NAME(sum_tall_grouped);
    else if (taps->w == 3 && taps->h == 3)
        kernel = NAME(sum_3x3); /* larger masks unrolled in both directions run out of registers */
    if (kernel != NAME(sum_row) && kernel != NAME(sum_row_grouped)) {
        kernel(taps, values, out);
        return;
    }
    NAME(Taps) row = *taps;
    for (size_t r = 0; r < rows; r++, row.rows++)
        kernel(&row, values, out + r);
}

static void NAME(convert)(REAL *restrict to, const void *restrict from, PixelType type, size_t count) {
    const WHOLE *values = from;
    size_t i = 0;
    if (type == PIXEL_F32) { /* only where sums are f32 */
        memcpy(to, from, count * sizeof *to);
        return;
    }
    for (; i + LANES <= count; i += LANES)
        *(VECTOR *)(to + i) = (VECTOR)WIDEN(values + i);
    for (; i < count; i++)
        to[i] = (REAL)values[i];
}

/* Pixels of the picture as the convolution reads them. */
static const void *NAME(read)(const TILE *tile, ptrdiff_t x, ptrdiff_t y, ptrdiff_t count) {
    const ImageView in = tile->job->stage->in[0];
    if (tile->job->around)
        return points_around_read(tile->job->around, (size_t)x, (size_t)y, (size_t)count, tile->packed);
    return (const char *)view_row(in, (size_t)y) + (size_t)(x * in.shape.channels) * pixel_type_size(in.shape.type);
}

/* Pixels first to end - 1 of row y, beyond the picture's sides. `row` begins with pixel `begin`, and has those from
 * `inner` to before `outer`, most of which stand in for these. */
static void NAME(load_outside)(const TILE *tile, ptrdiff_t y, ptrdiff_t begin, ptrdiff_t inner, ptrdiff_t outer,
                               ptrdiff_t first, ptrdiff_t end, REAL *row) {
    const Shape shape = stage_shape_read(tile->job->stage);
    const Border border = convolve_job(tile->job->stage)->border;
    const size_t channels = (size_t)shape.channels;
    REAL *to = row + (size_t)(first - begin) * channels;
    for (ptrdiff_t x = first; x < end; x++, to += channels) {
        const ptrdiff_t from = border_index(border.mode, x, (ptrdiff_t)shape.width);
        if (from >= 0 && (from < inner || from >= outer))
            NAME(convert)(to, NAME(read)(tile, from, y, 1), shape.type, channels);
        else
            for (size_t c = 0; c < channels; c++)
                to[c] = from < 0 ? (REAL)border.value : row[(size_t)(from - begin) * channels + c];
    }
}

/* Source row y (any distance outside) with the pixels that the tile's mask reaches beyond its sides. */
static void NAME(load_row)(const TILE *tile, ptrdiff_t y, REAL *to) {
    const ImageView in = tile->job->stage->in[0];
    const Border border = convolve_job(tile->job->stage)->border;
    const ptrdiff_t width = (ptrdiff_t)in.shape.width, height = (ptrdiff_t)in.shape.height;
    const Shape shape = stage_shape_read(tile->job->stage);
    const ptrdiff_t channels = shape.channels;
    const ptrdiff_t begin = (ptrdiff_t)tile->x - tile->mask->width / 2;
    const ptrdiff_t end = begin + (ptrdiff_t)tile->width + tile->mask->width - 1;
    const ptrdiff_t inner = begin > 0 ? begin : 0, outer = end < width ? end : width;
    const ptrdiff_t from = border_index(border.mode, y, height);
    if (from < 0) {
        for (ptrdiff_t i = 0; i < (end - begin) * channels; i++)
            to[i] = (REAL)border.value;
        return;
    }
    /* a tile has pixels of its own, so that the inner part is never empty */
    NAME(convert)
    (to + (inner - begin) * channels, NAME(read)(tile, inner, from, outer - inner), shape.type,
     (size_t)((outer - inner) * channels));
    NAME(load_outside)(tile, from, begin, inner, outer, begin, inner, to);
    NAME(load_outside)(tile, from, begin, inner, outer, outer, end, to);
}

/* The rows of a tile lie too far apart for the processor to see which comes next. */
static void NAME(ask_ahead)(const TILE *tile, ptrdiff_t y) {
    const ImageView in = tile->job->stage->in[0];
    if (y < 0 || y + TILE_ROWS >= (ptrdiff_t)in.shape.height)
        return;
    const size_t pixel = (size_t)in.shape.channels * pixel_type_size(in.shape.type);
    const char *next = (const char *)view_row(in, (size_t)y + TILE_ROWS) + tile->x * pixel;
    for (size_t i = 0; i < tile->width * pixel; i += 64)
        __builtin_prefetch(next + i);
}

/* Source row y under the tile's mask: where it lies, if that is f32 and nothing of it is outside, else in `room`. */
static const REAL *NAME(find_row)(const TILE *tile, ptrdiff_t y, REAL *room) {
    NAME(ask_ahead)(tile, y);
#if SUMS_FLOAT
    const Stage *stage = tile->job->stage;
    const Shape shape = stage_shape_read(stage);
    const ptrdiff_t channels = shape.channels, begin = (ptrdiff_t)tile->x - tile->mask->width / 2;
    const ptrdiff_t read = (ptrdiff_t)((tile->values + STEP - 1) / STEP * STEP) + (tile->mask->width - 1) * channels;
    if (shape.type == PIXEL_F32 && !(stage->points && stage->points->before) && y >= 0 && y < (ptrdiff_t)shape.height &&
        begin >= 0 && begin * channels + read <= (ptrdiff_t)shape.width * channels)
        return (const REAL *)view_row(stage->in[0], (size_t)y) + begin * channels;
#endif
    NAME(load_row)(tile, y, room);
    return room;
}

/* sum / divisor + bias. The quotient that the reciprocal gives is corrected once by its remainder, which rounds it as
 * a division does (P. Markstein, IBM J. Res. Dev. 34(1), 1990), so that ties stay ties; that needs fused arithmetic. */
INLINE VECTOR NAME(finish)(const TILE *tile, VECTOR sum, bool divide) {
    if (!divide)
        return sum + tile->bias;
#if defined(__FMA__)
    const VECTOR quotient = sum * tile->reciprocal;
    return quotient + (sum - quotient * tile->divisor) * tile->reciprocal + tile->bias;
#else
    return sum / tile->divisor + tile->bias;
#endif
}

INLINE void NAME(pack_divided)(const TILE *tile, const REAL *restrict sums, WHOLE *restrict to, bool divide) {
    const TILE t = *tile;
    _Static_assert(NARROW * LANES <= TILE_STEP, "rows in scratch hold whole steps");
    for (size_t i = 0; i < t.values; i += NARROW * LANES) {
        VECTOR done[NARROW];
        for (size_t v = 0; v < NARROW; v++)
            done[v] = NAME(finish)(&t, *(const VECTOR *)(sums + i + v * LANES), divide);
        NARROW_TO((const void *)done, to + i);
    }
}

/* May read and write up to TILE_STEP values more. */
static void NAME(pack)(const TILE *tile, const REAL *sums, WHOLE *to) {
    if (tile->divisor > 1 || tile->divisor < 1)
        NAME(pack_divided)(tile, sums, to, true);
    else
        NAME(pack_divided)(tile, sums, to, false);
}

static void NAME(store_row)(const TILE *tile, size_t y, const REAL *sums) {
    const ImageView out = tile->job->stage->out;
    const size_t channels = (size_t)out.shape.channels, size = pixel_type_size(out.shape.type);
    const PointsAround *around = tile->job->around;
    char *to = (char *)view_row(out, y) + tile->x * channels * size;
    const void *results = tile->packed;
    if (stage_shape_made(tile->job->stage).type != PIXEL_F32)
        NAME(pack)(tile, sums, (WHOLE *)(void *)tile->packed);
    else if (!SUMS_FLOAT || tile->bias < 0 || tile->bias > 0 || around)
        for (size_t i = 0; i < tile->values; i++)
            ((float *)(void *)tile->packed)[i] = (float)(sums[i] + tile->bias);
    else
        results = sums;
    if (around && around->after.job)
        points_around_write(around, tile->x, y, tile->width, tile->packed);
    else if (tile->job->stream)
        stream(to, results, tile->values * size);
    else
        memcpy(to, results, tile->values * size);
}

/* Results that are floats need no division that rounds exactly. */
static void NAME(set_weights)(TILE *tile) {
    const bool floats = stage_shape_made(tile->job->stage).type == PIXEL_F32;
    const double divisor = (double)tile->mask->divisor;
    int exponent;
    const double fraction = frexp(divisor, &exponent);
    tile->divisor = floats ? 1 : (REAL)(2 * fraction);
    tile->reciprocal = (REAL)(1 / tile->divisor);
    tile->bias = (REAL)convolve_job(tile->job->stage)->bias;
    const double scale = ldexp(1, 1 - exponent);
    for (int i = 0; i < tile->mask->width * tile->mask->height; i++) {
        const double weight = (double)tile->mask->weights[i];
        tile->weights[i] = (REAL)(floats ? weight / divisor : weight * scale);
    }
}

static TILE NAME(make_tile)(const TileJob *job, size_t x, REAL *scratch) {
    const Mask *mask = convolve_job(job->stage)->mask;
    const Shape shape = job->stage->out.shape;
    TILE tile = {.job = job, .mask = mask, .x = x, .length = job->length};
    tile.width = shape.width - x < job->width ? shape.width - x : job->width;
    tile.values = tile.width * (size_t)stage_shape_made(job->stage).channels;
    tile.ring_rows = (size_t)mask->height + TILE_ROWS - 1;
    tile.result = scratch;
    tile.packed = tile.result + TILE_ROWS * tile.length;
    tile.ring = tile.packed + tile.length;
    tile.weights = tile.ring + tile.ring_rows * tile.length;
    NAME(set_weights)(&tile);
    return tile;
}

/* TILE_ROWS rows of sums from the ring, whose row `top` is the first one under the mask. */
static void NAME(sum_ring)(const TILE *tile, size_t top, const REAL *const *ring, REAL *const *results) {
    const REAL *rows[MASK_MAX + TILE_ROWS];
    for (size_t j = 0; j < tile->ring_rows; j++)
        rows[j] = ring[(top + j) % tile->ring_rows];
    const NAME(Taps) taps = {rows, tile->weights, tile->mask->width, tile->mask->height,
                             (size_t)stage_shape_made(tile->job->stage).channels};
    NAME(sum_rows)(&taps, tile->values, TILE_ROWS, results);
}

static void NAME(run_tile)(const TileJob *job, size_t x, size_t y, void *scratch) {
    const TILE tile = NAME(make_tile)(job, x, scratch);
    const size_t end = y + job->rows < job->stage->out.shape.height ? y + job->rows : job->stage->out.shape.height;
    const ptrdiff_t first = (ptrdiff_t)y - tile.mask->height / 2; /* the source row under the mask's upper end */
    size_t filled = 0;                                            /* rows that came into the ring so far */
    REAL *results[TILE_ROWS];
    const REAL *ring[MASK_MAX + TILE_ROWS];
    for (size_t r = 0; r < TILE_ROWS; r++)
        results[r] = tile.result + r * tile.length;
    for (size_t top = 0; y + top < end; top += TILE_ROWS) {
        for (; filled < top + tile.ring_rows; filled++)
            ring[filled % tile.ring_rows] =
                NAME(find_row)(&tile, first + (ptrdiff_t)filled, tile.ring + filled % tile.ring_rows * tile.length);
        NAME(sum_ring)(&tile, top, ring, results);
        for (size_t r = 0; r < TILE_ROWS && y + top + r < end; r++)
            NAME(store_row)(&tile, y + top + r, results[r]);
    }
}

#undef VECTOR
#undef TILE
#undef LANES
#undef STEP
#undef KERNEL
