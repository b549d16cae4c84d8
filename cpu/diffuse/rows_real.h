/* rows_real.h: rows in sums of REAL (rows.isa.c), whose name is NAME(...). */

typedef struct NAME(Rows) {
    REAL ring[3][VALUES + 8], result[VALUES];
} NAME(Rows);

#define CONVERT(Type)                                                                                                  \
    static void NAME(convert_##Type)(const Type *from, size_t count, REAL *restrict to) {                              \
        for (size_t i = 0; i < count; i++)                                                                             \
            to[i] = (REAL)from[i];                                                                                     \
    }
CONVERT(uint8_t)
CONVERT(uint16_t)
CONVERT(float)

static void NAME(convert)(const DiffuseStep *step, size_t x, size_t y, size_t count, REAL *to) {
    const ImageView in = step->stage->in[0];
    const size_t channels = (size_t)in.shape.channels, all = count * channels;
    if (step->from) {
        memcpy(to, (const REAL *)step->from + (y * in.shape.width + x) * channels, all * sizeof *to);
        return;
    }
    const void *row = (const char *)view_row(in, y) + x * channels * pixel_type_size(in.shape.type);
    if (in.shape.type == PIXEL_U8)
        NAME(convert_uint8_t)(row, all, to);
    else if (in.shape.type == PIXEL_U16)
        NAME(convert_uint16_t)(row, all, to);
    else
        NAME(convert_float)(row, all, to);
}

/* Row `y`, from the pixel before `x` to the one behind the last of `count`. */
static void NAME(load)(const DiffuseStep *step, ptrdiff_t y, size_t x, size_t count, REAL *to) {
    const Border border = diffuse_job(step->stage)->border;
    const Shape shape = step->stage->in[0].shape;
    const size_t channels = (size_t)shape.channels;
    const ptrdiff_t sy = border_index(border.mode, y, (ptrdiff_t)shape.height);
    const ptrdiff_t ends[2] = {(ptrdiff_t)x - 1, (ptrdiff_t)(x + count)};
    for (size_t i = 0; sy < 0 && i < (count + 2) * channels; i++)
        to[i] = (REAL)border.value;
    if (sy < 0)
        return;
    NAME(convert)(step, x, (size_t)sy, count, to + channels);
    for (int end = 0; end < 2; end++) {
        REAL *pixel = to + (end ? (count + 1) * channels : 0);
        const ptrdiff_t sx = border_index(border.mode, ends[end], (ptrdiff_t)shape.width);
        if (sx >= 0)
            NAME(convert)(step, (size_t)sx, (size_t)sy, 1, pixel);
        for (size_t c = 0; sx < 0 && c < channels; c++)
            pixel[c] = (REAL)border.value;
    }
}

/* e to the power of values that are not positive; 0 where that is next to nothing. NaN stays NaN. */
static inline REAL NAME(exponential)(REAL value) {
    const REAL power = value * (REAL)1.4426950408889634;
    const REAL shifted = power + ONE_APART, rest = power - (shifted - ONE_APART);
    union {
        REAL real;
        UNSIGNED bits;
    } part = {POLYNOMIAL(rest)}, whole = {shifted};
    part.bits += whole.bits << MANTISSA;
    return power < POWER_MIN ? 0 : part.real;
}

#define FLOW(conductance)                                                                                              \
    for (size_t i = 0; i < count; i++) {                                                                               \
        const REAL value = b[i + m];                                                                                   \
        const REAL d[4] = {a[i + m] - value, b[i] - value, b[i + 2 * m] - value, c[i + m] - value};                    \
        REAL flow = 0;                                                                                                 \
        for (int k = 0; k < 4; k++) {                                                                                  \
            const REAL square = d[k] * d[k] * steep;                                                                   \
            flow += (conductance);                                                                                     \
        }                                                                                                              \
        result[i] = value + rate * flow;                                                                               \
    }

static void NAME(flow)(const DiffuseJob *job, const REAL *a, const REAL *b, const REAL *c, size_t m, size_t count,
                       REAL *restrict result) {
    const REAL steep = (REAL)(1 / (job->kappa * job->kappa)), rate = (REAL)job->rate;
    if (job->conductance == DIFFUSE_STEEP)
        FLOW(d[k] * NAME(exponential)(-square))
    else
        FLOW(d[k] / (1 + square))
}

static void NAME(store)(const DiffuseStep *step, size_t x, size_t y, size_t count, const REAL *values) {
    const ImageView out = step->stage->out;
    const size_t channels = (size_t)out.shape.channels, all = count * channels;
    if (step->to) {
        memcpy((REAL *)step->to + (y * out.shape.width + x) * channels, values, all * sizeof *values);
        return;
    }
    void *to = (char *)view_row(out, y) + x * channels * pixel_type_size(out.shape.type);
#define STORE(Type, white)                                                                                             \
    for (size_t i = 0; i < all; i++) {                                                                                 \
        const REAL low = values[i] > 0 ? values[i] : 0, v = low < (white) ? low : (white);                             \
        ((Type *)to)[i] = (Type)(int32_t)(v + ONE_APART - ONE_APART);                                                  \
    }
    if (out.shape.type == PIXEL_U8)
        STORE(uint8_t, 255)
    else if (out.shape.type == PIXEL_U16)
        STORE(uint16_t, 65535)
    else
        for (size_t i = 0; i < all; i++)
            ((float *)to)[i] = (float)values[i];
#undef STORE
}

static void NAME(run_rows)(const DiffuseStep *step, size_t top, size_t bottom) {
    const Stage *stage = step->stage;
    const size_t channels = (size_t)stage->out.shape.channels, columns = VALUES / channels;
    const size_t width = stage->out.shape.width;
    _Alignas(64) NAME(Rows) rows = {0};
    for (size_t x = 0; x < width; x += columns) {
        const size_t count = width - x < columns ? width - x : columns;
        for (size_t j = 0; j < 2; j++)
            NAME(load)(step, (ptrdiff_t)(top + j) - 1, x, count, rows.ring[j]);
        for (size_t y = top; y < bottom; y++) {
            const size_t j = y - top;
            NAME(load)(step, (ptrdiff_t)y + 1, x, count, rows.ring[(j + 2) % 3]);
            NAME(flow)
            (diffuse_job(stage), rows.ring[j % 3], rows.ring[(j + 1) % 3], rows.ring[(j + 2) % 3], channels,
             count * channels, rows.result);
            NAME(store)(step, x, y, count, rows.result);
        }
    }
}

#undef CONVERT
#undef FLOW
