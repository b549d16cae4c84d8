/* planes_real.h: vectors of REAL, the exponential, and the way from pixels to planes and back. Included by tile.isa.c,
 * which sets the precision (cpu/real.h). */

typedef REAL NAME(Vector) __attribute__((vector_size(VECTOR_BYTES)));
typedef BITS NAME(Bits) __attribute__((vector_size(VECTOR_BYTES)));
typedef UNSIGNED NAME(Pattern) __attribute__((vector_size(VECTOR_BYTES)));
#define VECTOR NAME(Vector)
#define COUNT  ((int)(VECTOR_BYTES / sizeof(REAL)))

/* Anywhere; not by memcpy, which could change the pointers that are at hand. */
typedef REAL NAME(Lanes) __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(REAL))));
INLINE VECTOR NAME(get)(const REAL *from) {
    return *(const NAME(Lanes) *)from;
}
INLINE void NAME(put)(REAL *to, VECTOR vector) {
    *(NAME(Lanes) *)to = vector;
}

/* 2 to the power of values that are not positive; 0 where that is next to nothing. The polynomial is 1 at 0, and the
 * smallest power has no exponent. NaN stays NaN. */
INLINE VECTOR NAME(power)(VECTOR value) {
    const VECTOR power = RAISED_TO(value, POWER_MIN - 1);
    const VECTOR shifted = power + ONE_APART, rest = power - (shifted - ONE_APART);
    const VECTOR part = POLYNOMIAL(rest);
    return (VECTOR)((NAME(Pattern))part + ((NAME(Pattern))shifted << MANTISSA)); /* wraps for NaN */
}

INLINE VECTOR NAME(absolute)(VECTOR value) {
    return (VECTOR)((NAME(Bits))value & (BITS)(((UNSIGNED)1 << (8 * sizeof(REAL) - 1)) - 1));
}

/* The weight of a pair: `space` by its distance, by the guide's values at both. */
INLINE VECTOR NAME(weight)(const VECTOR *centre, const REAL *guide, size_t plane, int guides, REAL space, REAL slope) {
    VECTOR d = NAME(get)(guide) - centre[0];
    if (guides > 1)
        d = NAME(absolute)(d);
    for (int g = 1; g < guides; g++)
        d += NAME(absolute)(NAME(get)(guide + (size_t)g * plane) - centre[g]);
    return NAME(power)(space + d * d * slope);
}

#define SPLIT_ROW(Type, channels)                                                                                      \
    for (size_t i = 0; i < count; i++)                                                                                 \
        for (size_t c = 0; c < (channels); c++)                                                                        \
            to[c * plane + i] = (REAL)((const Type *)from)[i * (channels) + c];                                        \
    break
#define SPLIT(Type)                                                                                                    \
    static void NAME(split_##Type)(const void *restrict from, size_t count, size_t channels, size_t plane,             \
                                   REAL *restrict to) {                                                                \
        switch (channels) {                                                                                            \
        case 1:                                                                                                        \
            SPLIT_ROW(Type, 1);                                                                                        \
        case 2:                                                                                                        \
            SPLIT_ROW(Type, 2);                                                                                        \
        case 3:                                                                                                        \
            SPLIT_ROW(Type, 3);                                                                                        \
        default:                                                                                                       \
            SPLIT_ROW(Type, 4);                                                                                        \
        }                                                                                                              \
    }
SPLIT(uint8_t)
SPLIT(uint16_t)
SPLIT(float)

INLINE REAL NAME(value)(PixelType type, const void *row, ptrdiff_t i) {
    return type == PIXEL_U8    ? (REAL)((const uint8_t *)row)[i]
           : type == PIXEL_U16 ? (REAL)((const uint16_t *)row)[i]
                               : (REAL)((const float *)row)[i];
}

/* `columns` by `rows` pixels of a picture from (left, top) on, apart by channels. */
static void NAME(load)(const BilateralWork *work, ImageView view, ptrdiff_t left, ptrdiff_t top, size_t columns,
                       size_t rows, REAL *to) {
    static void (*const splits[PIXEL_TYPES])(const void *, size_t, size_t, size_t,
                                             REAL *) = {NAME(split_uint8_t), NAME(split_uint16_t), NAME(split_float)};
    const Border border = bilateral_job(work->stage)->border;
    const PixelType type = view.shape.type;
    const size_t channels = (size_t)view.shape.channels, pixel = channels * pixel_type_size(type);
    const ptrdiff_t width = (ptrdiff_t)view.shape.width;
    ptrdiff_t from[BILATERAL_COLUMNS + 2 * BILATERAL_RADIUS_MAX + 2 * BILATERAL_LANES];
    for (size_t i = 0; i < columns; i++)
        from[i] = border_index(border.mode, left + (ptrdiff_t)i, width);
    const size_t begin = left < 0 ? (size_t)-left < columns ? (size_t)-left : columns : 0; /* of those inside */
    const size_t end = left + (ptrdiff_t)columns > width ? (size_t)(width - left) : columns;
    for (size_t j = 0; j < rows; j++, to += work->pitch) {
        const ptrdiff_t sy = border_index(border.mode, top + (ptrdiff_t)j, (ptrdiff_t)view.shape.height);
        const char *row = sy < 0 ? NULL : (const char *)view_row(view, (size_t)sy);
        if (row && begin < end)
            splits[type](row + (size_t)(left + (ptrdiff_t)begin) * pixel, end - begin, channels, work->plane,
                         to + begin);
        for (size_t c = 0; c < channels; c++)
            for (size_t i = 0; i < columns; i++) {
                if (row && i == begin)
                    i = end;
                if (i < columns)
                    to[c * work->plane + i] = row && from[i] >= 0
                                                  ? NAME(value)(type, row, from[i] * (ptrdiff_t)channels + (ptrdiff_t)c)
                                                  : (REAL)border.value;
            }
    }
}

/* The planes of the tile at (x, y); those of a guide follow the picture's. */
static void NAME(load_tile)(const BilateralWork *work, size_t x, size_t y, size_t columns, size_t rows, REAL *planes) {
    const Stage *stage = work->stage;
    const size_t radius = (size_t)bilateral_job(stage)->radius, all = columns + work->pitch - work->columns;
    for (int k = 0; k < 1 + bilateral_job(stage)->joint; k++)
        NAME(load)
    (work, stage->in[k], (ptrdiff_t)x - work->margin, (ptrdiff_t)(y - radius), all, rows + 2 * radius,
     planes + (k ? (size_t)stage->in[0].shape.channels * work->plane : 0));
}

#define JOIN_ROW(Type, channels, value)                                                                                \
    for (size_t i = 0; i < count; i++)                                                                                 \
        for (size_t c = 0; c < (channels); c++)                                                                        \
            ((Type *)to)[i * (channels) + c] = (Type)(value);                                                          \
    break
/* Lines of results, one a channel, become pixels. */
#define JOIN(Name, Type, value)                                                                                        \
    static void NAME(join_##Name)(const REAL *restrict lines, size_t count, size_t channels, void *restrict to) {      \
        switch (channels) {                                                                                            \
        case 1:                                                                                                        \
            JOIN_ROW(Type, 1, value);                                                                                  \
        case 2:                                                                                                        \
            JOIN_ROW(Type, 2, value);                                                                                  \
        case 3:                                                                                                        \
            JOIN_ROW(Type, 3, value);                                                                                  \
        default:                                                                                                       \
            JOIN_ROW(Type, 4, value);                                                                                  \
        }                                                                                                              \
    }
/* ONE_APART rounds to nearest even; NaN becomes 0. */
INLINE int32_t NAME(rounded)(REAL value, REAL white) {
    const REAL low = value > 0 ? value : 0, stored = low < white ? low : white;
    return (int32_t)(stored + ONE_APART - ONE_APART);
}
#define LINE_VALUE lines[c * BILATERAL_COLUMNS + i]
JOIN(u8, uint8_t, NAME(rounded)(LINE_VALUE, 255))
JOIN(u16, uint16_t, NAME(rounded)(LINE_VALUE, 65535))
JOIN(f32, float, LINE_VALUE)

static void NAME(store)(ImageView out, size_t x, size_t y, size_t count, const REAL *lines) {
    static void (*const joins[PIXEL_TYPES])(const REAL *, size_t, size_t, void *) = {NAME(join_u8), NAME(join_u16),
                                                                                     NAME(join_f32)};
    const size_t channels = (size_t)out.shape.channels;
    joins[out.shape.type](lines, count, channels,
                          (char *)view_row(out, y) + x * channels * pixel_type_size(out.shape.type));
}

#undef SPLIT_ROW
#undef SPLIT
#undef JOIN_ROW
#undef JOIN
#undef LINE_VALUE
