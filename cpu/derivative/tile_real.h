/* tile_real.h: a tile in sums of REAL (tile.isa.c), whose name is NAME(...). */

typedef struct NAME(Rows) {
    REAL ring[3][DERIVATIVE_VALUES + 2 * 4];
    REAL values[DERIVATIVE_VALUES];
} NAME(Rows);

/* Values as the masks see them; the alpha itself becomes its square, which nobody reads. SEEN: the share of a product
 * with alpha that shows. */
#define CONVERT_PIXELS(channels)                                                                                       \
    for (size_t i = 0; i < (channels)*count; i += (channels))                                                          \
        for (size_t c = 0; c < (channels); c++) {                                                                      \
            const REAL alpha = (REAL)from[i + (channels)-1], product = (REAL)from[i + c] * alpha;                      \
            to[i + c] = SEEN(product, alpha);                                                                          \
        }
#define CONVERT(Type)                                                                                                  \
    static void NAME(convert_##Type)(const Type *from, bool alpha_counts, int channels, size_t count, REAL *to) {      \
        if (!alpha_counts)                                                                                             \
            for (size_t i = 0; i < count * (size_t)channels; i++)                                                      \
                to[i] = (REAL)from[i];                                                                                 \
        else if (channels == 4)                                                                                        \
            CONVERT_PIXELS(4)                                                                                          \
        else                                                                                                           \
            CONVERT_PIXELS(2)                                                                                          \
    }
#define SEEN(product, alpha) (product)
CONVERT(uint8_t)
CONVERT(uint16_t)
#undef SEEN
#define SEEN(product, alpha) ((alpha) > 0 ? (product) : 0) /* NaN and infinity may be hidden where alpha is 0 */
CONVERT(float)
#undef SEEN

static void NAME(convert)(const Stage *stage, size_t x, size_t y, size_t count, REAL *to) {
    const ImageView in = stage->in[0];
    const int channels = in.shape.channels;
    const bool alpha = derivative_job(stage)->alpha;
    const void *row = (const char *)view_row(in, y) + x * (size_t)channels * pixel_type_size(in.shape.type);
    if (in.shape.type == PIXEL_U8)
        NAME(convert_uint8_t)(row, alpha, channels, count, to);
    else if (in.shape.type == PIXEL_U16)
        NAME(convert_uint16_t)(row, alpha, channels, count, to);
    else
        NAME(convert_float)(row, alpha, channels, count, to);
}

/* Row `y`, which may lie beyond the picture, from the pixel before `x` to the one behind the last of `count`. */
static void NAME(load_row)(const Stage *stage, ptrdiff_t y, size_t x, size_t count, REAL *to) {
    const DerivativeJob *job = derivative_job(stage);
    const Shape shape = stage->in[0].shape;
    const size_t channels = (size_t)shape.channels;
    const ptrdiff_t sy = border_index(job->border.mode, y, (ptrdiff_t)shape.height);
    const REAL outside = (REAL)derivative_outside(job);
    const ptrdiff_t ends[2] = {(ptrdiff_t)x - 1, (ptrdiff_t)(x + count)};
    if (sy < 0) {
        for (size_t i = 0; i < (count + 2) * channels; i++)
            to[i] = outside;
        return;
    }
    NAME(convert)(stage, x, (size_t)sy, count, to + channels);
    for (int end = 0; end < 2; end++) {
        REAL *pixel = to + (end ? (count + 1) * channels : 0);
        const ptrdiff_t sx = border_index(job->border.mode, ends[end], (ptrdiff_t)shape.width);
        if (sx >= 0)
            NAME(convert)(stage, (size_t)sx, (size_t)sy, 1, pixel);
        else
            for (size_t c = 0; c < channels; c++)
                pixel[c] = outside;
    }
}

#define FOR_VALUES(result)                                                                                             \
    for (size_t i = 0; i < count; i++) {                                                                               \
        __attribute__((unused)) const REAL gx = GX, gy = GY;                                                           \
        values[i] = result;                                                                                            \
    }
#define FOR_OUTPUTS                                                                                                    \
    switch (output) {                                                                                                  \
    case DERIVATIVE_X:                                                                                                 \
        FOR_VALUES(gx)                                                                                                 \
        break;                                                                                                         \
    case DERIVATIVE_Y:                                                                                                 \
        FOR_VALUES(gy)                                                                                                 \
        break;                                                                                                         \
    case DERIVATIVE_MAGNITUDE:                                                                                         \
        FOR_VALUES(ROOT(gx *gx + gy * gy))                                                                             \
        break;                                                                                                         \
    case DERIVATIVE_DIRECTION:                                                                                         \
        FOR_VALUES((REAL)derivative_turn((double)gx, (double)gy))                                                      \
        break;                                                                                                         \
    }

/* The masks' results for three rows, whose first values are those of the pixel before. */
static void NAME(measure)(const DerivativeJob *job, DerivativeOutput output, const REAL *a, const REAL *b,
                          const REAL *c, size_t channels, size_t count, REAL *restrict values) {
    const size_t m = channels, r = 2 * channels;
    const REAL side = (REAL)job->side, middle = (REAL)job->middle;
    if (job->form == DERIVATIVE_SMOOTHED) {
#define GX (side * ((a[i + r] - a[i]) + (c[i + r] - c[i])) + middle * (b[i + r] - b[i]))
#define GY (side * ((c[i] - a[i]) + (c[i + r] - a[i + r])) + middle * (c[i + m] - a[i + m]))
        FOR_OUTPUTS
#undef GX
#undef GY
    } else {
#define GX (c[i + r] - b[i + m])
#define GY (c[i + m] - b[i + r])
        FOR_OUTPUTS
#undef GX
#undef GY
    }
}

/* Squares may leave the range of REAL where their root does not. */
static void NAME(mend)(const DerivativeJob *job, const REAL *a, const REAL *b, const REAL *c, size_t channels,
                       size_t count, REAL *values) {
    for (size_t i = 0; i < count; i++)
        if (isinf(values[i])) {
            REAL x = 0, y = 0;
            NAME(measure)(job, DERIVATIVE_X, a + i, b + i, c + i, channels, 1, &x);
            NAME(measure)(job, DERIVATIVE_Y, a + i, b + i, c + i, channels, 1, &y);
            values[i] = (REAL)hypot((double)x, (double)y);
        }
}

#define ALPHAS(Type)                                                                                                   \
    static void NAME(alphas_##Type)(const Type *from, size_t channels, size_t count, REAL *restrict to) {              \
        for (size_t i = 0; i < count; i++)                                                                             \
            to[i] = (REAL)from[(i + 1) * channels - 1];                                                                \
    }
ALPHAS(uint8_t)
ALPHAS(uint16_t)
ALPHAS(float)

static void NAME(load_alphas)(ImageView in, size_t x, size_t y, size_t count, REAL *to) {
    const size_t channels = (size_t)in.shape.channels;
    const void *row = (const char *)view_row(in, y) + x * channels * pixel_type_size(in.shape.type);
    if (in.shape.type == PIXEL_U8)
        NAME(alphas_uint8_t)(row, channels, count, to);
    else if (in.shape.type == PIXEL_U16)
        NAME(alphas_uint16_t)(row, channels, count, to);
    else
        NAME(alphas_float)(row, channels, count, to);
}

/* Quotients and not products with the inverse, which would round halves differently. */
#define DIVIDE(channels)                                                                                               \
    for (size_t i = 0; i < count; i++)                                                                                 \
        for (size_t c = 0; c < (channels); c++) {                                                                      \
            const REAL quotient = values[i * (channels) + c] / alphas[i];                                              \
            values[i * (channels) + c] = alphas[i] > 0 ? quotient : 0;                                                 \
        }

/* Divides by alpha, scales, and puts alpha where it was. */
static void NAME(finish)(const Stage *stage, size_t x, size_t y, size_t count, REAL *values) {
    const DerivativeJob *job = derivative_job(stage);
    const size_t channels = (size_t)stage->out.shape.channels, all = count * channels;
    const bool turns = job->output == DERIVATIVE_DIRECTION;
    const REAL scale = (REAL)(turns ? job->white : job->scale), bias = (REAL)(turns ? 0 : job->bias);
    REAL alphas[DERIVATIVE_VALUES / 2];
    if (job->alpha) {
        NAME(load_alphas)(stage->in[0], x, y, count, alphas);
        if (turns)
            for (size_t i = 0; i < all; i++)
                values[i] = alphas[i / channels] > 0 ? values[i] : 0;
        else if (channels == 4)
            DIVIDE(4)
        else
            DIVIDE(2)
    }
    if (fpclassify(bias) != FP_ZERO || scale < 1 || scale > 1)
        for (size_t i = 0; i < all; i++)
            values[i] = scale * values[i] + bias;
    if (job->alpha)
        for (size_t i = 0; i < count; i++)
            values[i * channels + channels - 1] = alphas[i];
}

/* Adding ONE_APART, whose neighbours are 1 apart, rounds to nearest even. */
#define STORE(Type, white)                                                                                             \
    static void NAME(store_##Type)(const REAL *values, size_t count, void *row) {                                      \
        Type *restrict to = row; /* NOLINT(bugprone-macro-parentheses): a type */                                      \
        for (size_t i = 0; i < count; i++) {                                                                           \
            const REAL low = values[i] > 0 ? values[i] : 0, v = low < (white) ? low : (white);                         \
            to[i] = (Type)(int32_t)(v + ONE_APART - ONE_APART);                                                        \
        }                                                                                                              \
    }
STORE(uint8_t, 255)
STORE(uint16_t, 65535)

static void NAME(store)(const Stage *stage, size_t x, size_t y, size_t count, const REAL *values) {
    const ImageView out = stage->out;
    const size_t channels = (size_t)out.shape.channels, all = count * channels, size = pixel_type_size(out.shape.type);
    void *to = (char *)view_row(out, y) + x * channels * size;
    if (out.shape.type == PIXEL_U8)
        NAME(store_uint8_t)(values, all, to);
    else if (out.shape.type == PIXEL_U16)
        NAME(store_uint16_t)(values, all, to);
    else
        for (size_t i = 0; i < all; i++)
            ((float *)to)[i] = (float)values[i];
}

static void NAME(run_tile)(const Stage *stage, size_t x, size_t count, size_t y, size_t rows) {
    const DerivativeJob *job = derivative_job(stage);
    const size_t channels = (size_t)stage->out.shape.channels, all = count * channels;
    _Alignas(64) NAME(Rows) tile = {0};
    for (int j = 0; j < 2; j++)
        NAME(load_row)(stage, (ptrdiff_t)y + j - 1, x, count, tile.ring[j]);
    for (size_t j = 0; j < rows; j++) {
        const REAL *a = tile.ring[j % 3], *b = tile.ring[(j + 1) % 3], *c = tile.ring[(j + 2) % 3];
        NAME(load_row)(stage, (ptrdiff_t)(y + j) + 1, x, count, tile.ring[(j + 2) % 3]);
        NAME(measure)(job, job->output, a, b, c, channels, all, tile.values);
        if (stage->in[0].shape.type == PIXEL_F32 && job->output == DERIVATIVE_MAGNITUDE)
            NAME(mend)(job, a, b, c, channels, all, tile.values);
        NAME(finish)(stage, x, y + j, count, tile.values);
        NAME(store)(stage, x, y + j, count, tile.values);
    }
}

#undef CONVERT
#undef CONVERT_PIXELS
#undef ALPHAS
#undef DIVIDE
#undef FOR_VALUES
#undef FOR_OUTPUTS
#undef STORE
