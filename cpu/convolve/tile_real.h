/* tile_real.h: the tile's code for one type of sums. Included by tile.isa.c with REAL, WHOLE, MOST, NAME, the
 * vector type and narrow defined. */

/* A tile at work. Rows are `length` values apart; a row's first value is the one under the mask's left end. */
typedef struct NAME(Tile) {
    const TileJob *job;
    const Mask *mask;
    size_t x, width; /* pixels */
    size_t values;   /* of an output row */
    size_t length;   /* of a row in scratch */
    REAL *source, *ring, *result, *packed, *weights;
} NAME(Tile);

#define VECTOR NAME(Vector)
#define TILE   NAME(Tile)
#define LANES  (VECTOR_BYTES / sizeof(REAL))
#define STEP   (VECTORS * LANES)

/* Adds the taps of mask row j - r, for each output row r in the set, from one input row. The set is a constant, so that
 * the sums stay in registers. */
#define TAPS(SET)                                                                                                      \
    case SET:                                                                                                          \
        for (int i = 0; i < w; i++) {                                                                                  \
            VECTOR in[VECTORS];                                                                                        \
            _Pragma("GCC unroll 4") for (size_t v = 0; v < VECTORS; v++) in[v] =                                       \
                *(const VECTOR *)(row + (size_t)i * step + v * LANES);                                                 \
            _Pragma("GCC unroll 4") for (int r = 0; r < TILE_ROWS; r++) if ((SET) >> r & 1) {                          \
                const REAL weight = weights[(j - r) * w + i];                                                          \
                _Pragma("GCC unroll 4") for (size_t v = 0; v < VECTORS; v++) sums[r][v] += in[v] * weight;             \
            }                                                                                                          \
        }                                                                                                              \
        break;

/* TILE_ROWS rows of `values` sums over a mask of w x h weights; rows[j] is the input row under mask row j of the first
 * output row, rows[j + 1] under that of the second, and so on. Taps are `step` values apart. May write up to STEP
 * values more. With `add`, adds to what the output holds. */
static inline __attribute__((always_inline)) void NAME(sum_any)(const REAL *const *rows, const REAL *weights, int w,
                                                                int h, size_t step, size_t values, bool add,
                                                                REAL *const *out) {
    for (size_t x = 0; x < values; x += STEP) {
        VECTOR sums[TILE_ROWS][VECTORS] = {0};
#pragma GCC unroll 10
        for (int j = 0; j < h + TILE_ROWS - 1; j++) {
            const REAL *row = rows[j] + x;
            const unsigned first = j >= h ? (unsigned)(j - h + 1) : 0,
                           behind = j < TILE_ROWS ? (unsigned)j + 1 : TILE_ROWS;
            switch ((1u << behind) - (1u << first)) {
                TAPS(15) TAPS(1) TAPS(3) TAPS(7) TAPS(14) TAPS(12) TAPS(8) TAPS(2) TAPS(4) TAPS(6)
            }
        }
#pragma GCC unroll 4
        for (int r = 0; r < TILE_ROWS; r++)
#pragma GCC unroll 4
            for (size_t v = 0; v < VECTORS; v++) {
                VECTOR *to = (VECTOR *)(out[r] + x + v * LANES);
                if (add)
                    *to += sums[r][v];
                else
                    *to = sums[r][v];
            }
    }
}

/* The common sizes of either pass are instances of their own, in which the compiler sees every loop's end. */
static void NAME(sum_rows)(const REAL *const *rows, const REAL *weights, int w, int h, size_t step, size_t values,
                           bool add, REAL *const *out) {
#define SIZE(W, H) else if (w == (W) && h == (H)) NAME(sum_any)(rows, weights, W, H, step, values, false, out)
    if (add)
        NAME(sum_any)(rows, weights, w, h, step, values, true, out);
    SIZE(3, 1);
    SIZE(5, 1);
    SIZE(7, 1);
    SIZE(15, 1);
    SIZE(1, 3);
    SIZE(1, 5);
    SIZE(1, 7);
    SIZE(1, 15);
    SIZE(3, 3);
    SIZE(5, 5);
    SIZE(7, 7);
    else NAME(sum_any)(rows, weights, w, h, step, values, false, out);
#undef SIZE
}

/* Mask rows are taken in groups whose sums are added up, so that f32 keeps its precision with hundreds of taps. */
static void NAME(sum_dense)(const REAL *const *rows, const REAL *weights, int w, int h, size_t step, size_t values,
                            REAL *const *out) {
    enum { TAPS_MOST = 256 };
    const int group = w < TAPS_MOST ? TAPS_MOST / w : 1;
    for (int j = 0; j < h; j += group)
        NAME(sum_rows)(rows + j, weights + j * w, w, h - j < group ? h - j : group, step, values, j > 0, out);
}

#define CONVERT(Type)                                                                                                  \
    for (size_t i = 0; i < count; i++)                                                                                 \
    to[i] = (REAL)((const Type *)from)[i]

static void NAME(convert)(REAL *restrict to, const void *restrict from, PixelType type, size_t count) {
    if (type == PIXEL_U8)
        CONVERT(uint8_t);
    else if (type == PIXEL_U16)
        CONVERT(uint16_t);
    else
        CONVERT(float);
}
#undef CONVERT

/* One pixel left or right of the picture. */
static void NAME(load_outside)(const TILE *tile, const char *row, ptrdiff_t x, REAL *to) {
    const Shape shape = tile->job->stage->in[0].shape;
    const Border border = tile->job->stage->convolve.border;
    const ptrdiff_t from = border_index(border.mode, x, (ptrdiff_t)shape.width);
    const size_t channels = (size_t)shape.channels;
    for (size_t c = 0; c < channels; c++)
        to[c] = (REAL)border.value;
    if (from >= 0)
        NAME(convert)(to, row + (size_t)from * channels * pixel_type_size(shape.type), shape.type, channels);
}

/* Source row y (any distance outside) with the pixels that the tile's mask reaches beyond its sides. */
static void NAME(load_row)(const TILE *tile, ptrdiff_t y, REAL *to) {
    const ImageView in = tile->job->stage->in[0];
    const Border border = tile->job->stage->convolve.border;
    const ptrdiff_t width = (ptrdiff_t)in.shape.width, channels = in.shape.channels;
    const ptrdiff_t begin = (ptrdiff_t)tile->x - tile->mask->width / 2;
    const ptrdiff_t end = begin + (ptrdiff_t)tile->width + tile->mask->width - 1;
    const ptrdiff_t inner = begin > 0 ? begin : 0, outer = end < width ? end : width;
    const ptrdiff_t from = border_index(border.mode, y, (ptrdiff_t)in.shape.height);
    const size_t size = pixel_type_size(in.shape.type);
    if (from < 0) {
        for (ptrdiff_t i = 0; i < (end - begin) * channels; i++)
            to[i] = (REAL)border.value;
        return;
    }
    const char *row = view_row(in, (size_t)from);
    /* A tile's piece of a row is too short for the hardware to see the next one coming. */
    if (y >= 0 && y + ROWS_AHEAD < (ptrdiff_t)in.shape.height)
        for (size_t byte = 0; byte < (size_t)((outer - inner) * channels) * size; byte += 64)
            __builtin_prefetch(row + ROWS_AHEAD * in.stride + (size_t)(inner * channels) * size + byte);
    /* a tile has pixels of its own, so that the inner part is never empty */
    NAME(convert)
    (to + (inner - begin) * channels, row + (size_t)(inner * channels) * size, in.shape.type,
     (size_t)((outer - inner) * channels));
    for (ptrdiff_t x = begin; x < inner; x++)
        NAME(load_outside)(tile, row, x, to + (x - begin) * channels);
    for (ptrdiff_t x = outer; x < end; x++)
        NAME(load_outside)(tile, row, x, to + (x - begin) * channels);
}

/* sum / divisor + bias. The quotient that the reciprocal gives is corrected once by its remainder, which makes
 * quotients that f32 holds exact, ties among them (P. Markstein, IBM J. Res. Dev. 34(1), 1990); that needs fused
 * arithmetic. */
static inline VECTOR NAME(finish)(VECTOR sum, REAL divisor, REAL reciprocal, REAL bias) {
#if defined(__FMA__)
    const VECTOR quotient = sum * reciprocal;
    return quotient + (sum - quotient * divisor) * reciprocal + bias;
#else
    (void)reciprocal;
    return sum / divisor + bias;
#endif
}

/* LANES finished values in the output's type. */
static inline void NAME(pack_vector)(void *to, size_t at, PixelType type, VECTOR values) {
    if (type == PIXEL_F32)
        for (size_t i = 0; i < LANES; i++)
            ((float *)to)[at + i] = (float)values[i];
    else
        NAME(narrow)((WHOLE *)to + at, values);
}

/* Sums behind `count` may be read, values behind it are not written. With `exact` the reciprocal needs no correction.
 */
static inline __attribute__((always_inline)) void NAME(pack_any)(const ConvolveJob *job, const REAL *sums, size_t count,
                                                                 PixelType type, void *to, bool exact) {
    const REAL divisor = (REAL)job->mask->divisor, reciprocal = 1 / divisor, bias = (REAL)job->bias;
    for (size_t i = 0; i < count; i += LANES) {
        const VECTOR sum = *(const VECTOR *)(sums + i);
        VECTOR values = sum * reciprocal + bias;
        if (!exact)
            values = NAME(finish)(sum, divisor, reciprocal, bias);
        if (i + LANES <= count) {
            NAME(pack_vector)(to, i, type, values);
            continue;
        }
        float last[LANES]; /* room for any type */
        NAME(pack_vector)(last, 0, type, values);
        memcpy((char *)to + i * pixel_type_size(type), last, (count - i) * pixel_type_size(type));
    }
}

static void NAME(pack)(const ConvolveJob *job, const REAL *sums, size_t count, PixelType type, void *to) {
    int exponent;
    const bool power_of_two = fabsf(frexpf(job->mask->divisor, &exponent)) <= 0.5f;
    const PixelType whole = sizeof(WHOLE) == 1 ? PIXEL_U8 : PIXEL_U16;
    if (power_of_two && type == whole)
        NAME(pack_any)(job, sums, count, whole, to, true);
    else if (type == whole)
        NAME(pack_any)(job, sums, count, whole, to, false);
    else
        NAME(pack_any)(job, sums, count, PIXEL_F32, to, power_of_two);
}

static void NAME(store_row)(const TILE *tile, size_t y, const REAL *sums) {
    const ImageView out = tile->job->stage->out;
    const ConvolveJob *job = &tile->job->stage->convolve;
    const ImageView at = view_crop(out, tile->x, y, tile->width, 1);
    if (!tile->job->stream) {
        NAME(pack)(job, sums, tile->values, out.shape.type, at.pixels);
        return;
    }
    NAME(pack)(job, sums, tile->values, out.shape.type, tile->packed);
    stream_row(at.pixels, tile->packed, shape_row_bytes(at.shape));
}

static TILE NAME(make_tile)(const TileJob *job, size_t x, REAL *scratch) {
    const Mask *mask = job->stage->convolve.mask;
    const Shape shape = job->stage->out.shape;
    TILE tile = {.job = job, .mask = mask, .x = x};
    tile.width = shape.width - x < job->width ? shape.width - x : job->width;
    tile.values = tile.width * (size_t)shape.channels;
    tile.length = tile_row_length(job);
    tile.source = scratch;
    tile.result = tile.source + TILE_ROWS * tile.length;
    tile.packed = tile.result + TILE_ROWS * tile.length;
    tile.ring = tile.packed + tile.length;
    tile.weights = tile.ring + ((size_t)mask->height + TILE_ROWS - 1) * tile.length;
    return tile;
}

/* The weights as REAL: a dense mask's, or a separable one's row and behind it its column. */
static void NAME(set_weights)(const TILE *tile) {
    const MaskTerms *terms = tile->job->terms;
    const int w = tile->mask->width, h = tile->mask->height;
    for (int i = 0; !terms && i < w * h; i++)
        tile->weights[i] = (REAL)tile->mask->weights[i];
    for (int i = 0; terms && i < w; i++)
        tile->weights[i] = (REAL)terms->rows[i];
    for (int j = 0; terms && j < h; j++)
        tile->weights[w + j] = (REAL)terms->columns[j];
}

/* Fills TILE_ROWS rows of the ring from source row y on; slot numbers count up and wrap at the ring's height. */
static void NAME(fill_ring)(const TILE *tile, ptrdiff_t y, size_t slot, size_t count) {
    const size_t height = (size_t)tile->mask->height + TILE_ROWS - 1,
                 step = (size_t)tile->job->stage->out.shape.channels;
    const REAL *sources[TILE_ROWS];
    REAL *slots[TILE_ROWS];
    for (size_t r = 0; r < TILE_ROWS; r++) {
        const bool spare = r >= count; /* the kernel makes TILE_ROWS rows whatever is asked for */
        slots[r] = spare ? tile->result + r * tile->length : tile->ring + (slot + r) % height * tile->length;
        sources[r] = tile->source + (spare ? 0 : r) * tile->length;
        if (!spare)
            NAME(load_row)(tile, y + (ptrdiff_t)r, tile->job->terms ? tile->source + r * tile->length : slots[r]);
    }
    if (tile->job->terms)
        NAME(sum_dense)(sources, tile->weights, tile->mask->width, 1, step, tile->values, slots);
}

static void NAME(run_tile)(const TileJob *job, size_t x, size_t y, void *scratch) {
    const TILE tile = NAME(make_tile)(job, x, scratch);
    const size_t end = y + job->rows < job->stage->out.shape.height ? y + job->rows : job->stage->out.shape.height;
    const size_t height = (size_t)tile.mask->height + TILE_ROWS - 1, step = (size_t)job->stage->out.shape.channels;
    const REAL *rows[MASK_MOST + TILE_ROWS];
    REAL *results[TILE_ROWS];
    ptrdiff_t next = (ptrdiff_t)y - tile.mask->height / 2; /* the source row that comes into the ring next */
    size_t filled = 0;                                     /* rows that came into the ring so far */
    NAME(set_weights)(&tile);
    for (size_t r = 0; r < TILE_ROWS; r++)
        results[r] = tile.result + r * tile.length;
    for (size_t top = 0; y + top < end; top += TILE_ROWS) {
        for (size_t missing; (missing = top + height - filled) > 0;) {
            const size_t count = missing < TILE_ROWS ? missing : TILE_ROWS;
            NAME(fill_ring)(&tile, next, filled, count);
            next += (ptrdiff_t)count;
            filled += count;
        }
        for (size_t j = 0; j < height; j++)
            rows[j] = tile.ring + (top + j) % height * tile.length;
        NAME(sum_dense)
        (rows, job->terms ? tile.weights + tile.mask->width : tile.weights, job->terms ? 1 : tile.mask->width,
         tile.mask->height, step, tile.values, results);
        for (size_t r = 0; r < TILE_ROWS && y + top + r < end; r++)
            NAME(store_row)(&tile, y + top + r, results[r]);
    }
}

#undef VECTOR
#undef TILE
#undef LANES
#undef STEP
#undef TAPS
