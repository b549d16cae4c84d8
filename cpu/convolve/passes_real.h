/* passes_real.h: the passes' code for one type of values. passes.isa.c includes it with IN, REAL and NAME defined.
 * WIDEN makes a vector of REAL of one of IN. Results become WHOLE, by NARROW_TO, but for floats. AVX-512 also wants
 * SPLICE: the values of `low` from the `by`-th on, then those of `high`; `by` is a constant. */

typedef REAL NAME(Vector) __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(REAL)), may_alias));

#define VECTOR NAME(Vector)
#define TILE   NAME(Tile)
#define PER    (VECTOR_BYTES / sizeof(REAL))

/* Sums of more taps than GROUP are taken in groups: every step of a flat picture rounds the same way. */
enum { NAME(GROUP) = 48, NAME(DOWN) = VECTORS * PER, NAME(ALONG) = NARROW * PER };

/* The operands of a pass down the columns. */
typedef struct NAME(Down) {
    const IN *const *rows; /* rows[j] lies under mask row j of the first line, rows[j + 1] of the second, ... */
    const REAL *weights;
    int h;
    REAL start[PASS_ROWS]; /* the lines' sums begin with these */
    REAL *lines;
    size_t length; /* of a line */
} NAME(Down);

/* Adds PER x VECTORS values to lines first to last; `weights` are the first line's. */
INLINE void NAME(add_values)(VECTOR (*sums)[VECTORS], const IN *row, const REAL *weights, int first, int last) {
    VECTOR in[VECTORS];
#pragma GCC unroll 8
    for (size_t v = 0; v < VECTORS; v++)
        in[v] = (VECTOR)WIDEN(row + v * PER);
#pragma GCC unroll 8
    for (int r = first; r <= last; r++) {
        const REAL weight = weights[-r];
#pragma GCC unroll 8
        for (size_t v = 0; v < VECTORS; v++)
            sums[r][v] += in[v] * weight;
    }
}

/* PASS_ROWS x VECTORS sums from column x on. h is a constant, or `tall`: at least PASS_ROWS. */
INLINE void NAME(sum_down)(const NAME(Down) * down, int h, bool tall, bool grouped, size_t x) {
    VECTOR sums[PASS_ROWS][VECTORS], totals[PASS_ROWS][VECTORS];
    const IN *const *rows = down->rows;
#pragma GCC unroll 8
    for (int r = 0; r < PASS_ROWS; r++)
#pragma GCC unroll 8
        for (size_t v = 0; v < VECTORS; v++) {
            sums[r][v] = down->start[r] - (VECTOR){0};
            totals[r][v] = (VECTOR){0};
        }
#pragma GCC unroll 8
    for (int j = 0; j < PASS_ROWS - 1; j++) /* mask rows that the later lines do not have */
        NAME(add_values)(sums, rows[j] + x, down->weights + j, tall || j < h ? 0 : j - h + 1, j);
    for (int j = PASS_ROWS - 1; j < h; j++) {
        if (grouped && j % NAME(GROUP) == 0)
#pragma GCC unroll 8
            for (int r = 0; r < PASS_ROWS; r++)
#pragma GCC unroll 8
                for (size_t v = 0; v < VECTORS; v++) {
                    totals[r][v] += sums[r][v];
                    sums[r][v] = (VECTOR){0};
                }
        NAME(add_values)(sums, rows[j] + x, down->weights + j, 0, PASS_ROWS - 1);
    }
#pragma GCC unroll 8
    for (int r = 1; r < PASS_ROWS; r++) /* and that the earlier ones do not have */
        if (tall || h - 1 + r >= PASS_ROWS - 1)
            NAME(add_values)(sums, rows[h - 1 + r] + x, down->weights + h - 1 + r, r, PASS_ROWS - 1);
#pragma GCC unroll 8
    for (int r = 0; r < PASS_ROWS; r++) {
        REAL *to = down->lines + (size_t)r * down->length + x;
#pragma GCC unroll 8
        for (size_t v = 0; v < VECTORS; v++) {
            if (grouped)
                sums[r][v] += totals[r][v];
            *(VECTOR *)(to + v * PER) = sums[r][v];
        }
    }
}

/* PASS_ROWS x PER sums from column x on, of h weights that are the same from both ends. Two whole numbers are added,
 * which is exact, before they are weighted. All values that the lines need stay in registers. */
INLINE void NAME(sum_mirrored)(const NAME(Down) * down, int h, size_t x) {
    VECTOR in[MIRRORED_MAX + PASS_ROWS - 1];
#pragma GCC unroll 32
    for (int j = 0; j < h + PASS_ROWS - 1; j++)
        in[j] = (VECTOR)WIDEN(down->rows[j] + x);
#pragma GCC unroll 8
    for (int r = 0; r < PASS_ROWS; r++) {
        VECTOR sum = in[r + h / 2] * down->weights[h / 2] + down->start[r];
#pragma GCC unroll 16
        for (int j = 0; j < h / 2; j++)
            sum += (in[r + j] + in[r + h - 1 - j]) * down->weights[j];
        *(VECTOR *)(down->lines + (size_t)r * down->length + x) = sum;
    }
}

/* DOWN x PASS_ROWS sums from column x on; numbers that all blocks share are constants. */
INLINE void NAME(sum_block)(const NAME(Down) * down, DownKind kind, int h, size_t x) {
    if (kind != DOWN_MIRRORED)
        NAME(sum_down)(down, h, kind != DOWN_SHORT, kind == DOWN_GROUPED, x);
    else
        for (size_t v = 0; v < VECTORS; v++)
            NAME(sum_mirrored)(down, h, x + v * PER);
}

/* All columns, the last block laid over its neighbour so that nothing beyond the row is read. Meanwhile the rows that
 * the next lines need are asked for: they lie too far apart for the processor to see which comes next. */
typedef void NAME(DownKernel)(const NAME(Down) * down, size_t count);
#define DOWN_KERNEL(name, kind, height)                                                                                \
    static __attribute__((noinline)) void NAME(name)(const NAME(Down) * down, size_t count) {                          \
        const NAME(Down) own = *down;                                                                                  \
        const IN *const *ahead = own.rows + own.h - 1 + PASS_ROWS;                                                     \
        for (size_t x = 0; x + NAME(DOWN) <= count; x += NAME(DOWN)) {                                                 \
            for (int r = 0; r < PASS_ROWS; r++)                                                                        \
                __builtin_prefetch(ahead[r] + x);                                                                      \
            NAME(sum_block)(&own, kind, height, x);                                                                    \
        }                                                                                                              \
        if (count % NAME(DOWN))                                                                                        \
            NAME(sum_block)(&own, kind, height, count - NAME(DOWN));                                                   \
    }
DOWN_KERNEL(down_1, DOWN_SHORT, 1)
DOWN_KERNEL(down_2, DOWN_SHORT, 2)
DOWN_KERNEL(down_3, DOWN_SHORT, 3)
DOWN_KERNEL(down_4, DOWN_SHORT, 4)
DOWN_KERNEL(down_5, DOWN_SHORT, 5)
DOWN_KERNEL(down_tall, DOWN_TALL, own.h)
DOWN_KERNEL(down_grouped, DOWN_GROUPED, own.h)
#if defined(ISA_avx512) && defined(NARROW_TO)
DOWN_KERNEL(mirrored_3, DOWN_MIRRORED, 3)
DOWN_KERNEL(mirrored_5, DOWN_MIRRORED, 5)
DOWN_KERNEL(mirrored_7, DOWN_MIRRORED, 7)
DOWN_KERNEL(mirrored_9, DOWN_MIRRORED, 9)
DOWN_KERNEL(mirrored_11, DOWN_MIRRORED, 11)
DOWN_KERNEL(mirrored_13, DOWN_MIRRORED, 13)
DOWN_KERNEL(mirrored_15, DOWN_MIRRORED, 15)
#endif

static NAME(DownKernel) * NAME(choose_down)(const REAL *weights, int h) {
    static NAME(DownKernel) *const kernels[] = {NAME(down_1), NAME(down_2), NAME(down_3),
                                                NAME(down_4), NAME(down_5), NAME(down_tall)};
#if defined(ISA_avx512) && defined(NARROW_TO)
    static NAME(DownKernel) *const mirrored[MIRRORED_MAX / 2 + 1] = {
        NAME(down_1),     NAME(mirrored_3),  NAME(mirrored_5),  NAME(mirrored_7),
        NAME(mirrored_9), NAME(mirrored_11), NAME(mirrored_13), NAME(mirrored_15)};
    bool same = h % 2 == 1 && h <= MIRRORED_MAX;
    for (int j = 0; j < h / 2; j++)
        same = same && !(weights[j] < weights[h - 1 - j]) && !(weights[j] > weights[h - 1 - j]);
    if (same)
        return mirrored[h / 2];
#endif
    (void)weights;
    return h > NAME(GROUP) ? NAME(down_grouped) : kernels[(h < PASS_ROWS ? h : PASS_ROWS) - 1];
}

/* A sum for each line, of one column of h + PASS_ROWS - 1 values. */
static void NAME(sum_column)(const NAME(Down) * down, const IN *column, REAL *to) {
    for (int r = 0; r < PASS_ROWS; r++) {
        REAL sum = down->start[r], total = 0;
        for (int j = 0; j < down->h; j++) {
            if (j % NAME(GROUP) == NAME(GROUP) - 1) {
                total += sum;
                sum = 0;
            }
            sum += (REAL)column[r + j] * down->weights[j];
        }
        to[(size_t)r * down->length] = total + sum;
    }
}

static void NAME(sum_columns)(const NAME(Down) * down, NAME(DownKernel) * kernel, size_t count) {
    IN column[MASK_MAX + PASS_ROWS] = {0};
    if (count >= NAME(DOWN)) {
        kernel(down, count);
        return;
    }
    for (size_t x = 0; x < count; x++) {
        for (int j = 0; j < down->h + PASS_ROWS - 1; j++)
            column[j] = down->rows[j][x];
        NAME(sum_column)(down, column, down->lines + x);
    }
}

/* A tile at work. A line's first value is the one under the mask's left end. */
typedef struct NAME(Tile) {
    const PassJob *job;
    size_t values; /* of an output row of the tile */
    size_t step;   /* values from tap to tap along a line */
    int w;
    REAL divisor, reciprocal; /* the divisor is brought to [1, 2) by a power of two, which the weights take over */
    REAL bias;
    REAL beyond; /* of the term at work: a sum down a column beyond the picture's sides where the border has a value */
    ptrdiff_t begin, end, inner, outer; /* pixels of a line, and those of them that lie in the picture */
    ptrdiff_t first;                    /* the source row under the mask's upper end */
    REAL *lines, *along;                /* along: the weights of a row, behind them those of a column */
    size_t weights;                     /* of both: those of another term lie behind */
    void *packed;                       /* a row of results */
    IN *zeros;                          /* a row of them; the pixels of the ring behind it */
    const IN **rows;                    /* source rows from `first` on */
} NAME(Tile);

/* sum / divisor + bias. The quotient that the reciprocal gives is corrected once by its remainder, which rounds it as
 * a division does (P. Markstein, IBM J. Res. Dev. 34(1), 1990), so that ties stay ties; that needs fused arithmetic. */
INLINE VECTOR NAME(finish)(const TILE *tile, VECTOR sum, bool whole) {
    const VECTOR quotient = sum * tile->reciprocal;
    if (!whole) /* infinity stays infinity */
        return quotient + tile->bias;
#if defined(__FMA__)
    return quotient + (sum - quotient * tile->divisor) * tile->reciprocal + tile->bias;
#else
    return sum / tile->divisor + tile->bias;
#endif
}

/* Adds a tap to ALONG sums, whose values lie `from` there on. */
INLINE void NAME(add_tap)(VECTOR *sums, const REAL *from, REAL weight) {
#pragma GCC unroll 8
    for (size_t v = 0; v < NARROW; v++)
        sums[v] += *(const VECTOR *)(from + v * PER) * weight;
}

/* Before tap i: every GROUP taps, the sums go to the totals. */
INLINE void NAME(close_group)(VECTOR *sums, VECTOR *totals, int i) {
    if (i % NAME(GROUP) == 0)
#pragma GCC unroll 8
        for (size_t v = 0; v < NARROW; v++) {
            totals[v] += sums[v];
            sums[v] = (VECTOR){0};
        }
}

#if defined(ISA_avx512)
/* Taps `step` values apart from an aligned one on. A vector that is not aligned crosses a cache line and takes the time
 * of two loads. Every other tap is therefore spliced from aligned vectors, so that loads and shuffles share the work.
 * How far to shuffle is part of an instruction: hence code for each step, and for as many taps as bring all
 * distances. */
#    define TAP_PAIR(step, k)                                                                                          \
        if (i + (k) == w)                                                                                              \
            return;                                                                                                    \
        NAME(add_tap)(sums, line + (step) * (k), weights[i + (k)]);                                                    \
        if (i + (k) + 1 == w)                                                                                          \
            return;                                                                                                    \
        aligned = line + (step) * ((k) + 1) / PER * PER;                                                               \
        low = *(const VECTOR *)aligned;                                                                                \
        _Pragma("GCC unroll 8") for (size_t v = 0; v < NARROW; v++) {                                                  \
            const VECTOR high = *(const VECTOR *)(aligned + (v + 1) * PER);                                            \
            sums[v] += (VECTOR)SPLICE(low, high, (step) * ((k) + 1) % PER) * weights[i + (k) + 1];                     \
            low = high;                                                                                                \
        }
#    define TAPS(step)                                                                                                 \
        INLINE void NAME(add_taps_##step)(VECTOR * sums, VECTOR * totals, const REAL *line, const REAL *weights,       \
                                          int w, bool grouped) {                                                       \
            const REAL *aligned;                                                                                       \
            VECTOR low;                                                                                                \
            for (int i = 0; i < w; i += 16, line += (step)*16) {                                                       \
                if (grouped)                                                                                           \
                    NAME(close_group)(sums, totals, i);                                                                \
                TAP_PAIR(step, 0)                                                                                      \
                TAP_PAIR(step, 2)                                                                                      \
                TAP_PAIR(step, 4)                                                                                      \
                TAP_PAIR(step, 6)                                                                                      \
                TAP_PAIR(step, 8)                                                                                      \
                TAP_PAIR(step, 10)                                                                                     \
                TAP_PAIR(step, 12)                                                                                     \
                TAP_PAIR(step, 14)                                                                                     \
            }                                                                                                          \
        }
TAPS(1)
TAPS(2)
TAPS(3)
TAPS(4)

INLINE void NAME(add_taps)(VECTOR *sums, VECTOR *totals, const REAL *line, size_t step, const REAL *weights, int w,
                           bool grouped) {
    if (step == 1)
        NAME(add_taps_1)(sums, totals, line, weights, w, grouped);
    else if (step == 2)
        NAME(add_taps_2)(sums, totals, line, weights, w, grouped);
    else if (step == 3)
        NAME(add_taps_3)(sums, totals, line, weights, w, grouped);
    else
        NAME(add_taps_4)(sums, totals, line, weights, w, grouped);
}
#else
INLINE void NAME(add_taps)(VECTOR *sums, VECTOR *totals, const REAL *line, size_t step, const REAL *weights, int w,
                           bool grouped) {
#    pragma GCC unroll 8
    for (int i = 0; i < w; i++, line += step) {
        if (grouped)
            NAME(close_group)(sums, totals, i);
        NAME(add_tap)(sums, line, weights[i]);
    }
}
#endif

/* ALONG results from value x of a line on. `plain`: nothing is to be divided or added. `two`: another line and other
 * weights, of the second term, lie behind. */
INLINE void NAME(sum_along)(const TILE *tile, const REAL *line, const REAL *weights, int w, bool plain, bool grouped,
                            bool two, bool whole, size_t x) {
    VECTOR sums[NARROW], totals[NARROW];
#pragma GCC unroll 8
    for (size_t v = 0; v < NARROW; v++)
        sums[v] = totals[v] = (VECTOR){0};
    NAME(add_taps)(sums, totals, line + x, tile->step, weights, w, grouped);
    if (two)
        NAME(add_taps)
    (sums, totals, line + PASS_ROWS * tile->job->length + x, tile->step, weights + tile->weights, w, grouped);
#pragma GCC unroll 8
    for (size_t v = 0; v < NARROW; v++) {
        if (grouped)
            sums[v] += totals[v];
        if (!plain)
            sums[v] = NAME(finish)(tile, sums[v], whole);
    }
#if defined(NARROW_TO)
    if (whole) {
        NARROW_TO((const void *)sums, (WHOLE *)tile->packed + x);
        return;
    }
#endif
    float *to = (float *)tile->packed + x;
    for (size_t v = 0; v < NARROW; v++)
        for (size_t k = 0; k < PER; k++)
            to[v * PER + k] = (float)sums[v][k];
}

/* Copies of the kernel whose loops over taps are unrolled, their weights in registers, or not; for results as whole
 * numbers and as floats. */
typedef void NAME(AlongKernel)(const TILE *tile, const REAL *line);
#define ALONG_KERNEL(name, width, plain, grouped, two, whole)                                                          \
    static __attribute__((noinline)) void NAME(name)(const TILE *tile, const REAL *line) {                             \
        const TILE own = *tile;                                                                                        \
        for (size_t x = 0; x < own.values; x += NAME(ALONG))                                                           \
            NAME(sum_along)(&own, line, own.along, width, plain, grouped, two, whole, x);                              \
    }
#if defined(NARROW_TO)
#    define ALONG_KERNELS(name, width, plain, grouped, two)                                                            \
        ALONG_KERNEL(name, width, plain, grouped, two, false)                                                          \
        ALONG_KERNEL(name##_whole, width, plain, grouped, two, true)
#    define ALONG_PAIR(name)                                                                                           \
        { NAME(name), NAME(name##_whole) }
#else
#    define ALONG_KERNELS(name, width, plain, grouped, two) ALONG_KERNEL(name, width, plain, grouped, two, false)
#    define ALONG_PAIR(name)                                                                                           \
        { NAME(name), NULL }
#endif
ALONG_KERNELS(along_3, 3, true, false, false)
ALONG_KERNELS(along_5, 5, true, false, false)
ALONG_KERNELS(along_7, 7, true, false, false)
ALONG_KERNELS(along_any, own.w, true, false, false)
ALONG_KERNELS(along_scaled, own.w, false, true, false)
ALONG_KERNELS(along_two, own.w, false, true, true)

static NAME(AlongKernel) * NAME(choose_along)(const TILE *tile) {
    /* of floats, of whole numbers */
    static NAME(AlongKernel) *const fixed[][2] = {ALONG_PAIR(along_3), ALONG_PAIR(along_5), ALONG_PAIR(along_7)};
    static const int widths[] = {3, 5, 7};
    static NAME(AlongKernel) *const any[] = ALONG_PAIR(along_any), *const scaled[] = ALONG_PAIR(along_scaled);
    static NAME(AlongKernel) *const two[] = ALONG_PAIR(along_two);
    const int whole = stage_shape_made(tile->job->stage).type != PIXEL_F32;
    if (tile->job->count > 1)
        return two[whole];
    if (tile->w > NAME(GROUP) || tile->divisor > 1 || tile->divisor < 1 || tile->bias < 0 || tile->bias > 0)
        return scaled[whole];
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        if (widths[i] == tile->w)
            return fixed[i][whole];
    return any[whole];
}

/* Pixels of source row `first` + j, as the convolution reads them: where they lie, or in `room`. Beyond the picture,
 * where the border has a value, they are zeros: start_lines adds it. */
static const IN *NAME(read)(const TILE *tile, ptrdiff_t j, ptrdiff_t x, ptrdiff_t count, void *room) {
    const Stage *stage = tile->job->stage;
    const ptrdiff_t y =
        border_index(convolve_job(stage)->border.mode, tile->first + j, (ptrdiff_t)stage->in[0].shape.height);
    if (y < 0)
        return tile->zeros;
    if (tile->job->around)
        return points_around_read(tile->job->around, (size_t)x, (size_t)y, (size_t)count, room);
    return (const IN *)view_row(stage->in[0], (size_t)y) + x * stage->in[0].shape.channels;
}

/* A pixel of the lines from source row `first` + top on that lies beyond the picture's sides, `from` within. */
static void NAME(fill_pixel)(const TILE *tile, const NAME(Down) * down, ptrdiff_t top, ptrdiff_t from, REAL *to) {
    const ptrdiff_t channels = (ptrdiff_t)tile->step, count = down->h + PASS_ROWS - 1;
    IN columns[4][MASK_MAX + PASS_ROWS] = {{0}}, room[4];
    if (from >= tile->inner && from < tile->outer) {
        const REAL *same = tile->lines + (from - tile->begin) * channels;
        for (ptrdiff_t r = 0; r < PASS_ROWS * (ptrdiff_t)down->length; r += (ptrdiff_t)down->length)
            memcpy(to + r, same + r, (size_t)channels * sizeof *to);
        return;
    }
    for (ptrdiff_t j = 0; j < count; j++) {
        const IN *pixel = NAME(read)(tile, top + j, from, 1, room);
        for (ptrdiff_t c = 0; c < channels; c++)
            columns[c][j] = pixel[c];
    }
    for (ptrdiff_t c = 0; c < channels; c++)
        NAME(sum_column)(down, columns[c], to + c);
}

static void NAME(fill_sides)(const TILE *tile, const NAME(Down) * down, ptrdiff_t top) {
    const Stage *stage = tile->job->stage;
    const Border border = convolve_job(stage)->border;
    for (ptrdiff_t x = tile->begin; x < tile->end; x++) {
        if (x == tile->inner)
            x = tile->outer;
        if (x == tile->end)
            break;
        const ptrdiff_t from = border_index(border.mode, x, (ptrdiff_t)stage->in[0].shape.width);
        REAL *const to = tile->lines + (x - tile->begin) * (ptrdiff_t)tile->step;
        if (from >= 0) {
            NAME(fill_pixel)(tile, down, top, from, to);
            continue;
        }
        for (size_t r = 0; r < PASS_ROWS; r++)
            for (size_t c = 0; c < tile->step; c++)
                to[r * down->length + c] = tile->beyond;
    }
}

/* Begins lines, from source row `first` + top on, with the share of rows beyond the picture. */
static void NAME(start_lines)(const TILE *tile, NAME(Down) * down, ptrdiff_t top) {
    const Border border = convolve_job(tile->job->stage)->border;
    const ptrdiff_t height = (ptrdiff_t)tile->job->stage->in[0].shape.height;
    for (int r = 0; r < PASS_ROWS; r++) {
        down->start[r] = 0;
        if (border.mode == BORDER_CONSTANT)
            for (int j = 0; j < down->h; j++)
                if (border_index(border.mode, tile->first + top + r + j, height) < 0)
                    down->start[r] += down->weights[j] * (REAL)border.value;
    }
}

/* All rows of the tile, or, where points make them, those that the lines from row `top` on need. */
static void NAME(find_rows)(const TILE *tile, ptrdiff_t top) {
    const ptrdiff_t ring = (ptrdiff_t)pass_ring_rows(tile->job), all = (ptrdiff_t)pass_source_rows(tile->job);
    for (ptrdiff_t j = ring == 0 || top == 0 ? 0 : top + ring - PASS_ROWS; j < (ring == 0 ? all : top + ring); j++)
        tile->rows[j] = NAME(read)(tile, j, tile->inner, tile->outer - tile->inner,
                                   ring == 0 ? NULL : tile->zeros + (1 + j % ring) * (ptrdiff_t)tile->job->length);
    for (ptrdiff_t j = top + ring; ring > 0 && j < all; j++)
        tile->rows[j] = tile->zeros; /* nothing to ask for ahead */
}

static void NAME(store_row)(const TILE *tile, size_t x, size_t y) {
    const ImageView out = tile->job->stage->out;
    const PointsAround *around = tile->job->around;
    const size_t pixel = (size_t)out.shape.channels * pixel_type_size(out.shape.type);
    const size_t pixels = tile->values / tile->step;
    char *to = (char *)view_row(out, y) + x * pixel;
    if (around && around->after.job)
        points_around_write(around, x, y, pixels, tile->packed);
    else if (tile->job->stream)
        stream(to, tile->packed, pixels * pixel);
    else
        memcpy(to, tile->packed, pixels * pixel);
}

static TILE NAME(make_tile)(const PassJob *job, size_t x, size_t y, REAL *scratch) {
    const ConvolveJob *convolve = convolve_job(job->stage);
    const Mask *mask = convolve->mask;
    const Shape shape = job->stage->out.shape;
    const ptrdiff_t width = (ptrdiff_t)shape.width, channels = stage_shape_made(job->stage).channels;
    const ptrdiff_t pixels =
        width - (ptrdiff_t)x < (ptrdiff_t)job->width ? width - (ptrdiff_t)x : (ptrdiff_t)job->width;
    TILE tile = {.job = job, .w = mask->width, .step = (size_t)channels, .bias = (REAL)convolve->bias};
    int exponent;
    tile.values = (size_t)(pixels * channels);
    tile.divisor = (REAL)(2 * frexp((double)mask->divisor, &exponent));
    tile.reciprocal = 1 / tile.divisor;
    tile.begin = (ptrdiff_t)x - mask->width / 2;
    tile.end = tile.begin + pixels + mask->width - 1;
    tile.inner = tile.begin > 0 ? tile.begin : 0;
    tile.outer = tile.end < width ? tile.end : width;
    tile.first = (ptrdiff_t)y - mask->height / 2;
    tile.lines = scratch;
    tile.packed = tile.lines + job->count * PASS_ROWS * job->length;
    tile.along = tile.lines + (job->count * PASS_ROWS + 1) * job->length;
    tile.weights = (size_t)mask->width + (size_t)mask->height;
    const double scale = ldexp(1, 1 - exponent);
    for (size_t t = 0; t < job->count; t++) {
        REAL *weights = tile.along + t * tile.weights;
        for (int i = 0; i < mask->width; i++)
            weights[i] = (REAL)(job->terms->rows[t * (size_t)mask->width + (size_t)i] * scale);
        for (int j = 0; j < mask->height; j++)
            weights[mask->width + j] = (REAL)job->terms->columns[t * (size_t)mask->height + (size_t)j];
    }
    tile.rows = (const IN **)(void *)(tile.along + (job->count * tile.weights + 1) / 2 * 2);
    tile.zeros = (IN *)(void *)(tile.rows + pass_source_rows(job));
    memset(tile.zeros, 0, job->length * sizeof *tile.zeros);
    return tile;
}

/* PASS_ROWS lines of a term, from source row `first` + top on. */
static void NAME(make_lines)(const TILE *tile, size_t term, size_t top) {
    const Border border = convolve_job(tile->job->stage)->border;
    const size_t length = tile->job->length;
    TILE own = *tile;
    own.lines += term * PASS_ROWS * length;
    NAME(Down) down = {.rows = tile->rows + top, .h = (int)pass_mask_height(tile->job), .length = length};
    down.weights = tile->along + term * tile->weights + tile->w;
    down.lines = own.lines + (tile->inner - tile->begin) * (ptrdiff_t)tile->step;
    for (int j = 0; j < down.h; j++)
        own.beyond += down.weights[j] * (REAL)border.value;
    NAME(start_lines)(tile, &down, (ptrdiff_t)top);
    NAME(sum_columns)(&down, NAME(choose_down)(down.weights, down.h), (size_t)(tile->outer - tile->inner) * tile->step);
    NAME(fill_sides)(&own, &down, (ptrdiff_t)top);
}

static void NAME(run_tile)(const PassJob *job, size_t x, size_t y, void *scratch) {
    const TILE tile = NAME(make_tile)(job, x, y, scratch);
    const size_t height = job->stage->out.shape.height, rows = height - y < job->rows ? height - y : job->rows;
    NAME(AlongKernel) *const sum_along = NAME(choose_along)(&tile);
    for (size_t top = 0; top < rows; top += PASS_ROWS) {
        if (top == 0 || pass_ring_rows(job) > 0)
            NAME(find_rows)(&tile, (ptrdiff_t)top);
        for (size_t term = 0; term < job->count; term++)
            NAME(make_lines)(&tile, term, top);
        for (size_t r = 0; r < PASS_ROWS && top + r < rows; r++) {
            sum_along(&tile, tile.lines + r * job->length);
            NAME(store_row)(&tile, x, y + top + r);
        }
    }
}

#undef VECTOR
#undef TILE
#undef PER
#undef SPLICE
#undef TAP_PAIR
#undef TAPS
#undef DOWN_KERNEL
#undef ALONG_KERNEL
#undef ALONG_KERNELS
#undef ALONG_PAIR
#undef IN
#undef REAL
#undef WHOLE
#undef WIDEN
#undef NARROW_TO
#undef NAME
