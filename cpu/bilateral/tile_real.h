/* tile_real.h: a tile in sums of REAL (tile.isa.c), whose name is NAME(...). */

typedef REAL NAME(Vector) __attribute__((vector_size(VECTOR_BYTES)));
typedef BITS NAME(Bits) __attribute__((vector_size(VECTOR_BYTES)));
#define VECTOR NAME(Vector)
#define COUNT  ((int)(VECTOR_BYTES / sizeof(REAL)))

static inline VECTOR NAME(get)(const REAL *from) {
    VECTOR vector;
    memcpy(&vector, from, sizeof vector);
    return vector;
}

/* 2 to the power of values that are not positive; 0 where that is next to nothing. NaN stays NaN. */
static inline VECTOR NAME(power)(VECTOR value) {
    const VECTOR shifted = value + ONE_APART, rest = value - (shifted - ONE_APART);
    const VECTOR part = POLYNOMIAL(rest);
    const NAME(Bits) whole = (NAME(Bits))part + ((NAME(Bits))shifted << MANTISSA);
    return (VECTOR)(whole & ~(NAME(Bits))(value < POWER_MIN));
}

static inline VECTOR NAME(absolute)(VECTOR value) {
    return (VECTOR)((NAME(Bits))value & (BITS)(((UNSIGNED)1 << (8 * sizeof(REAL) - 1)) - 1));
}

/* A row of the tile; planes' rows begin radius pixels before it. `joint`: the guide's planes follow the picture's. */
static inline __attribute__((always_inline)) void NAME(row)(const BilateralWork *work, int channels, int guides,
                                                            bool joint, size_t plane, const REAL *from, int count,
                                                            REAL *result) {
    const REAL slope = (REAL)bilateral_slope(bilateral_job(work->stage));
    const REAL *guide = from + (joint ? (size_t)channels * plane : 0);
    for (int x = 0; x < count; x += COUNT) {
        VECTOR centre[4], weights = {0}, sums[4] = {{0}};
        for (int g = 0; g < guides; g++)
            centre[g] = NAME(get)(guide + (size_t)g * plane + x);
        VECTOR part_weights = {0}, part[4] = {{0}}; /* of a row: long sums of like values would round the same way */
        for (int t = 0; t < work->count; t++) {
            const ptrdiff_t at = (ptrdiff_t)work->taps[t].y * work->pitch + work->taps[t].x + x;
            VECTOR d = {0};
            for (int g = 0; g < guides; g++)
                d += NAME(absolute)(NAME(get)(guide + (ptrdiff_t)((size_t)g * plane) + at) - centre[g]);
            const VECTOR weight = NAME(power)((REAL)work->taps[t].space + d * d * slope);
            part_weights += weight;
            for (int c = 0; c < channels; c++)
                part[c] += weight * NAME(get)(from + (ptrdiff_t)((size_t)c * plane) + at);
            if (t + 1 < work->count && work->taps[t + 1].y == work->taps[t].y)
                continue;
            weights += part_weights;
            part_weights = (VECTOR){0};
            for (int c = 0; c < channels; c++) {
                sums[c] += part[c];
                part[c] = (VECTOR){0};
            }
        }
        for (int c = 0; c < channels; c++) {
            const VECTOR mean = sums[c] / weights;
            memcpy(result + c * BILATERAL_COLUMNS + x, &mean, sizeof mean);
        }
    }
}

#define ROW(channels)                                                                                                  \
    static void NAME(row_##channels)(const BilateralWork *work, int guides, bool joint, size_t plane,                  \
                                     const REAL *from, int count, REAL *result) {                                      \
        if (joint)                                                                                                     \
            NAME(row)(work, channels, guides, true, plane, from, count, result);                                       \
        else                                                                                                           \
            NAME(row)(work, channels, channels, false, plane, from, count, result);                                    \
    }
ROW(1)
ROW(2)
ROW(3)
ROW(4)

/* Rows and columns of a picture around the tile, apart by channels, each `plane` values. */
static void NAME(load)(const BilateralWork *work, ImageView view, ptrdiff_t left, ptrdiff_t top, int rows, size_t plane,
                       REAL *to) {
    const Border border = bilateral_job(work->stage)->border;
    const int channels = view.shape.channels;
    ptrdiff_t columns[BILATERAL_COLUMNS + BILATERAL_PAD + 2 * BILATERAL_RADIUS_MAX];
    for (int i = 0; i < work->pitch; i++)
        columns[i] = border_index(border.mode, left + i, (ptrdiff_t)view.shape.width) * channels;
    for (int j = 0; j < rows; j++) {
        const ptrdiff_t sy = border_index(border.mode, top + j, (ptrdiff_t)view.shape.height);
        const void *row = sy < 0 ? NULL : view_row(view, (size_t)sy);
        for (int c = 0; c < channels; c++) {
            REAL *line = to + (size_t)c * plane + (size_t)j * (size_t)work->pitch;
            if (!row)
                for (int i = 0; i < work->pitch; i++)
                    line[i] = (REAL)border.value;
            else if (view.shape.type == PIXEL_U8)
                for (int i = 0; i < work->pitch; i++)
                    line[i] = columns[i] < 0 ? (REAL)border.value : (REAL)((const uint8_t *)row)[columns[i] + c];
            else if (view.shape.type == PIXEL_U16)
                for (int i = 0; i < work->pitch; i++)
                    line[i] = columns[i] < 0 ? (REAL)border.value : (REAL)((const uint16_t *)row)[columns[i] + c];
            else
                for (int i = 0; i < work->pitch; i++)
                    line[i] = columns[i] < 0 ? (REAL)border.value : (REAL)((const float *)row)[columns[i] + c];
        }
    }
}

/* Planes become pixels; ONE_APART rounds to nearest even. */
static void NAME(store)(ImageView out, size_t x, size_t y, size_t count, const REAL *planes) {
    const size_t channels = (size_t)out.shape.channels;
    void *row = view_row(out, y);
    for (size_t c = 0; c < channels; c++)
        for (size_t i = 0; i < count; i++) {
            const REAL value = planes[c * BILATERAL_COLUMNS + i], white = out.shape.type == PIXEL_U8 ? 255 : 65535;
            const REAL low = value > 0 ? value : 0, stored = low < white ? low : white;
            const int32_t whole = (int32_t)(stored + ONE_APART - ONE_APART);
            const size_t at = (x + i) * channels + c;
            if (out.shape.type == PIXEL_U8)
                ((uint8_t *)row)[at] = (uint8_t)whole;
            else if (out.shape.type == PIXEL_U16)
                ((uint16_t *)row)[at] = (uint16_t)whole;
            else
                ((float *)row)[at] = (float)value;
        }
}

static void NAME(run_tile)(const BilateralWork *work, size_t x, size_t y, void *scratch) {
    static void (*const by_channels[])(const BilateralWork *, int, bool, size_t, const REAL *, int,
                                       REAL *) = {NAME(row_1), NAME(row_2), NAME(row_3), NAME(row_4)};
    const Stage *stage = work->stage;
    const Shape shape = stage->out.shape;
    const int radius = bilateral_job(stage)->radius;
    const bool joint = bilateral_job(stage)->joint;
    const size_t count = shape.width - x < BILATERAL_COLUMNS ? shape.width - x : BILATERAL_COLUMNS;
    const size_t rows = shape.height - y < BILATERAL_ROWS ? shape.height - y : BILATERAL_ROWS;
    const size_t plane = (size_t)work->pitch * (BILATERAL_ROWS + 2 * (size_t)radius);
    REAL *planes = scratch;
    _Alignas(64) REAL result[4 * BILATERAL_COLUMNS];
    for (int k = 0; k < (joint ? 2 : 1); k++)
        NAME(load)
    (work, stage->in[k], (ptrdiff_t)x - radius, (ptrdiff_t)y - radius, (int)rows + 2 * radius, plane,
     planes + (k ? (size_t)shape.channels * plane : 0));
    for (size_t j = 0; j < rows; j++) {
        by_channels[shape.channels - 1](work, bilateral_guide(stage).shape.channels, joint, plane,
                                        planes + (j + (size_t)radius) * (size_t)work->pitch + (size_t)radius,
                                        (int)count, result);
        NAME(store)(stage->out, x, y + j, count, result);
    }
}

#undef VECTOR
#undef COUNT
#undef ROW
