/* fft_real.h: the tile in floats or in doubles (cpu/real.h), for fft.isa.c. */

#define VECTOR  NAME(Vector)
#define COMPLEX NAME(Complex)
#define WIDE    (VECTOR_BYTES / sizeof(REAL))
typedef REAL VECTOR __attribute__((vector_size(VECTOR_BYTES), may_alias));

typedef REAL NAME(Loose) __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(REAL)), may_alias));
typedef REAL NAME(Few) __attribute__((vector_size(AT_ONCE * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));

typedef struct COMPLEX {
    VECTOR re, im;
} COMPLEX;

INLINE COMPLEX NAME(sum)(COMPLEX a, COMPLEX b) {
    return (COMPLEX){a.re + b.re, a.im + b.im};
}
INLINE COMPLEX NAME(difference)(COMPLEX a, COMPLEX b) {
    return (COMPLEX){a.re - b.re, a.im - b.im};
}
/* a - i b, a + i b */
INLINE COMPLEX NAME(less_turned)(COMPLEX a, COMPLEX b) {
    return (COMPLEX){a.re + b.im, a.im - b.re};
}
INLINE COMPLEX NAME(plus_turned)(COMPLEX a, COMPLEX b) {
    return (COMPLEX){a.re - b.im, a.im + b.re};
}
INLINE COMPLEX NAME(scaled)(COMPLEX a, REAL by) {
    return (COMPLEX){a.re * by, a.im * by};
}
INLINE COMPLEX NAME(product)(COMPLEX a, VECTOR re, VECTOR im) {
    return (COMPLEX){a.re * re - a.im * im, a.re * im + a.im * re};
}

INLINE void NAME(dft_4)(COMPLEX *a, COMPLEX *b, COMPLEX *c, COMPLEX *d) {
    const COMPLEX even = NAME(sum)(*a, *c), even_less = NAME(difference)(*a, *c);
    const COMPLEX odd = NAME(sum)(*b, *d), odd_less = NAME(difference)(*b, *d);
    *a = NAME(sum)(even, odd);
    *b = NAME(less_turned)(even_less, odd_less);
    *c = NAME(difference)(even, odd);
    *d = NAME(plus_turned)(even_less, odd_less);
}

INLINE void NAME(dft_3)(COMPLEX *v) {
    const REAL half = (REAL)0.5, sine = (REAL)0.86602540378443864676;
    const COMPLEX both = NAME(sum)(v[1], v[2]), across = NAME(scaled)(NAME(difference)(v[1], v[2]), sine);
    const COMPLEX middle = {v[0].re - half * both.re, v[0].im - half * both.im};
    v[0] = NAME(sum)(v[0], both);
    v[1] = NAME(less_turned)(middle, across);
    v[2] = NAME(plus_turned)(middle, across);
}

INLINE void NAME(dft_5)(COMPLEX *v) {
    const REAL c1 = (REAL)0.30901699437494742410, c2 = (REAL)-0.80901699437494742410;
    const REAL s1 = (REAL)0.95105651629515357212, s2 = (REAL)0.58778525229247312917;
    const COMPLEX outer = NAME(sum)(v[1], v[4]), outer_less = NAME(difference)(v[1], v[4]);
    const COMPLEX inner = NAME(sum)(v[2], v[3]), inner_less = NAME(difference)(v[2], v[3]);
    const COMPLEX a = {v[0].re + c1 * outer.re + c2 * inner.re, v[0].im + c1 * outer.im + c2 * inner.im};
    const COMPLEX b = {v[0].re + c2 * outer.re + c1 * inner.re, v[0].im + c2 * outer.im + c1 * inner.im};
    const COMPLEX c = {s1 * outer_less.re + s2 * inner_less.re, s1 * outer_less.im + s2 * inner_less.im};
    const COMPLEX d = {s2 * outer_less.re - s1 * inner_less.re, s2 * outer_less.im - s1 * inner_less.im};
    v[0] = NAME(sum)(v[0], NAME(sum)(outer, inner));
    v[1] = NAME(less_turned)(a, c);
    v[2] = NAME(less_turned)(b, d);
    v[3] = NAME(plus_turned)(b, d);
    v[4] = NAME(plus_turned)(a, c);
}

INLINE void NAME(dft_8)(COMPLEX *v) {
    const REAL root = (REAL)0.70710678118654752440;
    NAME(dft_4)(&v[0], &v[2], &v[4], &v[6]);
    NAME(dft_4)(&v[1], &v[3], &v[5], &v[7]);
    const COMPLEX e0 = v[0], e1 = v[2], e2 = v[4], e3 = v[6], o0 = v[1], o2 = v[5];
    const COMPLEX o1 = NAME(scaled)((COMPLEX){v[3].re + v[3].im, v[3].im - v[3].re}, root);
    const COMPLEX o3 = NAME(scaled)((COMPLEX){v[7].im - v[7].re, -v[7].re - v[7].im}, root);
    v[0] = NAME(sum)(e0, o0);
    v[4] = NAME(difference)(e0, o0);
    v[1] = NAME(sum)(e1, o1);
    v[5] = NAME(difference)(e1, o1);
    v[2] = NAME(less_turned)(e2, o2);
    v[6] = NAME(plus_turned)(e2, o2);
    v[3] = NAME(sum)(e3, o3);
    v[7] = NAME(difference)(e3, o3);
}

/* The discrete Fourier transform of `radix` numbers, a constant. */
INLINE void NAME(dft)(COMPLEX *v, int radix) {
    if (radix == 2) {
        const COMPLEX a = v[0];
        v[0] = NAME(sum)(a, v[1]);
        v[1] = NAME(difference)(a, v[1]);
    } else if (radix == 3)
        NAME(dft_3)(v);
    else if (radix == 4)
        NAME(dft_4)(&v[0], &v[1], &v[2], &v[3]);
    else if (radix == 5)
        NAME(dft_5)(v);
    else
        NAME(dft_8)(v);
}

/* A part of a transform: numbers lie `step` REALs apart, each a vector of real parts and one of imaginary ones. The
 * inverse is the forward transform with these two exchanged. */
typedef struct NAME(Pass) {
    REAL *data;
    size_t step;
    size_t apart;  /* numbers between those that a butterfly takes */
    size_t blocks; /* of radix * apart numbers */
    const REAL *twiddles;
    const REAL *spectrum; /* of the middle: its factors */
} NAME(Pass);

INLINE void NAME(turn_by)(COMPLEX *v, int radix, const REAL *twiddles) {
    for (int q = 1; q < radix; q++)
        v[q] = NAME(product)(v[q], twiddles[2 * q - 2] - (VECTOR){0}, twiddles[2 * q - 1] - (VECTOR){0});
}

INLINE void NAME(butterflies)(const NAME(Pass) * pass, int radix, bool inverse) {
    const size_t re = inverse ? WIDE : 0, im = WIDE - re, apart = pass->apart, blocks = pass->blocks;
    const size_t step = pass->step, between = apart * step;
    REAL *at = pass->data;
    for (size_t block = 0; block < blocks; block++, at += ((size_t)radix - 1) * between) {
        const REAL *twiddles = pass->twiddles;
        for (size_t j = 0; j < apart; j++, at += step, twiddles += 2 * radix - 2) {
            COMPLEX v[FFT_RADIX];
            for (int q = 0; q < radix; q++)
                v[q] = (COMPLEX){*(const VECTOR *)(at + (size_t)q * between + re),
                                 *(const VECTOR *)(at + (size_t)q * between + im)};
            if (inverse)
                NAME(turn_by)(v, radix, twiddles);
            NAME(dft)(v, radix);
            if (!inverse)
                NAME(turn_by)(v, radix, twiddles);
            for (int q = 0; q < radix; q++) {
                *(VECTOR *)(at + (size_t)q * between + re) = v[q].re;
                *(VECTOR *)(at + (size_t)q * between + im) = v[q].im;
            }
        }
    }
}

/* The last radix of a forward transform and the first of the inverse one: neighbours, without twiddles. */
INLINE void NAME(neighbours)(const NAME(Pass) * pass, int radix, bool inverse) {
    const size_t re = inverse ? WIDE : 0, im = WIDE - re, step = pass->step, blocks = pass->blocks;
    REAL *at = pass->data;
    for (size_t block = 0; block < blocks; block++, at += (size_t)radix * step) {
        COMPLEX v[FFT_RADIX];
        for (int q = 0; q < radix; q++)
            v[q] =
                (COMPLEX){*(const VECTOR *)(at + (size_t)q * step + re), *(const VECTOR *)(at + (size_t)q * step + im)};
        NAME(dft)(v, radix);
        for (int q = 0; q < radix; q++) {
            *(VECTOR *)(at + (size_t)q * step + re) = v[q].re;
            *(VECTOR *)(at + (size_t)q * step + im) = v[q].im;
        }
    }
}

/* The last radix forward, the product of the spectra, and the first radix of the inverse transform. */
INLINE void NAME(middle)(const NAME(Pass) * pass, int radix) {
    const REAL *spectrum = pass->spectrum;
    const size_t blocks = pass->blocks;
    REAL *at = pass->data;
    for (size_t block = 0; block < blocks; block++, at += (size_t)radix * 2 * WIDE) {
        COMPLEX v[FFT_RADIX];
        for (int q = 0; q < radix; q++)
            v[q] = (COMPLEX){*(const VECTOR *)(at + (size_t)q * 2 * WIDE),
                             *(const VECTOR *)(at + (size_t)q * 2 * WIDE + WIDE)};
        NAME(dft)(v, radix);
        for (int q = 0; q < radix; q++, spectrum += 2 * WIDE) {
            const COMPLEX made = NAME(product)(v[q], *(const VECTOR *)spectrum, *(const VECTOR *)(spectrum + WIDE));
            v[q] = (COMPLEX){made.im, made.re};
        }
        NAME(dft)(v, radix);
        for (int q = 0; q < radix; q++) {
            *(VECTOR *)(at + (size_t)q * 2 * WIDE) = v[q].im;
            *(VECTOR *)(at + (size_t)q * 2 * WIDE + WIDE) = v[q].re;
        }
    }
}

#define FOR_RADICES(CALL) CALL(2) CALL(3) CALL(4) CALL(5) CALL(8)
#define DEFINE(radix)                                                                                                  \
    static void NAME(forward_##radix)(const NAME(Pass) * pass) {                                                       \
        NAME(butterflies)(pass, radix, false);                                                                         \
    }                                                                                                                  \
    static void NAME(inverse_##radix)(const NAME(Pass) * pass) {                                                       \
        NAME(butterflies)(pass, radix, true);                                                                          \
    }                                                                                                                  \
    static void NAME(last_##radix)(const NAME(Pass) * pass) {                                                          \
        NAME(neighbours)(pass, radix, false);                                                                          \
    }                                                                                                                  \
    static void NAME(first_##radix)(const NAME(Pass) * pass) {                                                         \
        NAME(neighbours)(pass, radix, true);                                                                           \
    }                                                                                                                  \
    static void NAME(middle_##radix)(const NAME(Pass) * pass) {                                                        \
        NAME(middle)(pass, radix);                                                                                     \
    }
FOR_RADICES(DEFINE)
#undef DEFINE

typedef void NAME(Run)(const NAME(Pass) * pass);
#define FORWARD(radix) [radix] = NAME(forward_##radix),
#define INVERSE(radix) [radix] = NAME(inverse_##radix),
#define LAST(radix)    [radix] = NAME(last_##radix),
#define FIRST(radix)   [radix] = NAME(first_##radix),
#define MIDDLE(radix)  [radix] = NAME(middle_##radix),
static NAME(Run) *const NAME(forwards)[FFT_RADIX + 1] = {FOR_RADICES(FORWARD)};
static NAME(Run) *const NAME(inverses)[FFT_RADIX + 1] = {FOR_RADICES(INVERSE)};
static NAME(Run) *const NAME(lasts)[FFT_RADIX + 1] = {FOR_RADICES(LAST)};
static NAME(Run) *const NAME(firsts)[FFT_RADIX + 1] = {FOR_RADICES(FIRST)};
static NAME(Run) *const NAME(middles)[FFT_RADIX + 1] = {FOR_RADICES(MIDDLE)};
#undef FORWARD
#undef INVERSE
#undef LAST
#undef FIRST
#undef MIDDLE
#undef FOR_RADICES

/* All radices of a forward transform but the last. */
static void NAME(down)(const FftLength *length, NAME(Pass) pass) {
    pass.blocks = 1;
    pass.apart = (size_t)length->length;
    for (int stage = 0; stage + 1 < length->stages; stage++) {
        const int radix = length->radices[stage];
        pass.apart /= (size_t)radix;
        NAME(forwards)[radix](&pass);
        pass.twiddles += pass.apart * (size_t)(2 * radix - 2);
        pass.blocks *= (size_t)radix;
    }
}

/* All radices of an inverse one but the first; `twiddles` as for the forward one. */
static void NAME(up)(const FftLength *length, NAME(Pass) pass) {
    size_t before = 0;
    pass.blocks = 1;
    pass.apart = (size_t)length->length;
    for (int stage = 0; stage + 1 < length->stages; stage++) {
        pass.apart /= (size_t)length->radices[stage];
        before += pass.apart * (size_t)(2 * length->radices[stage] - 2);
        pass.blocks *= (size_t)length->radices[stage];
    }
    pass.twiddles += before;
    for (int stage = length->stages - 1; stage-- > 0;) {
        const int radix = length->radices[stage];
        pass.twiddles -= pass.apart * (size_t)(2 * radix - 2);
        pass.blocks /= (size_t)radix;
        NAME(inverses)[radix](&pass);
        pass.apart *= (size_t)radix;
    }
}

static void NAME(run_ends)(NAME(Run) *const *ends, const FftLength *length, NAME(Pass) pass) {
    const int radix = length->radices[length->stages - 1];
    pass.apart = 1;
    pass.blocks = (size_t)(length->length / radix);
    ends[radix](&pass);
}

static void NAME(fill_twiddles)(const FftLength *length, REAL *to) {
    int apart = length->length;
    for (int stage = 0; stage + 1 < length->stages; stage++) {
        const int radix = length->radices[stage], whole = apart;
        apart /= radix;
        for (int j = 0; j < apart; j++)
            for (int q = 1; q < radix; q++) {
                const double angle = -2 * 3.14159265358979323846 * (j * q) / whole;
                *to++ = (REAL)cos(angle);
                *to++ = (REAL)sin(angle);
            }
    }
}

/* Pieces of a thread's memory. A plane's row is blocks of WIDE real parts and as many imaginary ones. */
typedef struct NAME(Room) {
    size_t length; /* of a row of the plane, in REALs */
    REAL *plane, *rows, *line_re, *line_im;
} NAME(Room);

static NAME(Room) NAME(room)(const FftJob *job, void *scratch) {
    NAME(Room) room = {.length = fft_row_length(job), .plane = scratch};
    room.rows = room.plane + room.length * (size_t)job->y->length;
    room.line_re = room.rows + 2 * (size_t)job->x->length * FFT_STEP;
    room.line_im = room.line_re + (size_t)job->x->length + FFT_LINE_MORE;
    return room;
}

/* `count` columns from the left on, down or up. */
static void NAME(columns)(const FftJob *job, const NAME(Room) * room, size_t count, bool inverse) {
    for (size_t x = 0; x < count; x += WIDE) {
        const NAME(Pass) pass = {.data = room->plane + 2 * x, .step = room->length, .twiddles = job->twiddles_y};
        if (inverse) {
            NAME(run_ends)(NAME(firsts), job->y, pass);
            NAME(up)(job->y, pass);
        } else {
            NAME(down)(job->y, pass);
            NAME(run_ends)(NAME(lasts), job->y, pass);
        }
    }
}

/* WIDE rows, turned into `rows`, and back as far as `count` columns go. */
static void NAME(turn_in)(const FftJob *job, const NAME(Room) * room, size_t y) {
    for (size_t x = 0; x < (size_t)job->x->length; x += WIDE)
        for (size_t part = 0; part < 2; part++) {
            const REAL *from = room->plane + y * room->length + 2 * x + part * WIDE;
            REAL *to = room->rows + 2 * x * WIDE + part * WIDE;
            VECTOR block[WIDE];
            for (size_t i = 0; i < WIDE; i++)
                block[i] = *(const VECTOR *)(from + i * room->length);
            TURN(block)
            for (size_t i = 0; i < WIDE; i++)
                *(VECTOR *)(to + 2 * i * WIDE) = block[i];
        }
}
static void NAME(turn_out)(const NAME(Room) * room, size_t y, size_t count) {
    for (size_t x = 0; x < count; x += WIDE)
        for (size_t part = 0; part < 2; part++) {
            const REAL *from = room->rows + 2 * x * WIDE + part * WIDE;
            REAL *to = room->plane + y * room->length + 2 * x + part * WIDE;
            VECTOR block[WIDE];
            for (size_t i = 0; i < WIDE; i++)
                block[i] = *(const VECTOR *)(from + 2 * i * WIDE);
            TURN(block)
            for (size_t i = 0; i < WIDE; i++)
                *(VECTOR *)(to + i * room->length) = block[i];
        }
}

/* Along the rows and, multiplied, back. */
static void NAME(multiply)(const FftJob *job, const NAME(Room) * room) {
    const NAME(Pass) pass = {.data = room->rows, .step = 2 * WIDE, .twiddles = job->twiddles_x};
    const size_t length = (size_t)job->x->length;
    for (size_t y = 0; y < (size_t)job->y->length; y += WIDE) {
        NAME(Pass) product = pass;
        product.spectrum = (const REAL *)job->spectrum + 2 * y * length;
        NAME(turn_in)(job, room, y);
        NAME(down)(job->x, pass);
        NAME(run_ends)(NAME(middles), job->x, product);
        NAME(up)(job->x, pass);
        NAME(turn_out)(room, y, job->width);
    }
}

/* The conjugate of the mask's spectrum, which makes the product a correlation, by the number of values. */
static void NAME(prepare)(const FftJob *job, void *scratch) {
    const NAME(Room) room = NAME(room)(job, scratch);
    const Mask *mask = convolve_job(job->stage)->mask;
    const size_t length = (size_t)job->x->length, height = (size_t)job->y->length;
    const double scale = 1 / ((double)length * (double)height * job->unit);
    const NAME(Pass) pass = {.data = room.rows, .step = 2 * WIDE, .twiddles = job->twiddles_x};
    NAME(fill_twiddles)(job->x, job->twiddles_x);
    NAME(fill_twiddles)(job->y, job->twiddles_y);
    memset(room.plane, 0, height * room.length * sizeof(REAL));
    for (size_t j = 0; j < (size_t)mask->height; j++)
        for (size_t i = 0; i < (size_t)mask->width; i++)
            room.plane[j * room.length + i / WIDE * 2 * WIDE + i % WIDE] =
                (REAL)((double)mask->weights[j * (size_t)mask->width + i] * scale);
    NAME(columns)(job, &room, length, false);
    for (size_t y = 0; y < height; y += WIDE) {
        VECTOR *to = (VECTOR *)job->spectrum + 2 * y / WIDE * length;
        const VECTOR *from = (const VECTOR *)room.rows;
        NAME(turn_in)(job, &room, y);
        NAME(down)(job->x, pass);
        NAME(run_ends)(NAME(lasts), job->x, pass);
        for (size_t x = 0; x < length; x++, from += 2, to += 2) {
            to[0] = from[0];
            to[1] = -from[1];
        }
    }
}

/* One channel of a tile. */
typedef struct NAME(Plane) {
    ptrdiff_t x, y;                /* the first pixel that its window sees */
    size_t channel, width, height; /* of pixels of the tile; 0 if there is none */
} NAME(Plane);

/* `count` values of a channel, WIDE at once where they lie side by side, else AT_ONCE, and the rest one by one. */
#define CONVERT(Type, channels)                                                                                        \
    for (; i < count; i++)                                                                                             \
        to[i] = (REAL)((const Type *)from)[i * (channels)] - centre;
#define CONVERT_PICKED(Type, PICK, channels)                                                                           \
    {                                                                                                                  \
        for (; i + PICKED_BYTES <= count; i += AT_ONCE) {                                                              \
            const NAME(Few) few =                                                                                      \
                __builtin_convertvector(PICK((const Type *)from + i * (channels), channels), NAME(Few));               \
            *(NAME(Few) *)(to + i) = few - centre;                                                                     \
        }                                                                                                              \
        CONVERT(Type, channels)                                                                                        \
    }
#define CONVERT_CHANNELS(Type, PICK)                                                                                   \
    if (channels == 2)                                                                                                 \
        CONVERT_PICKED(Type, PICK, 2)                                                                                  \
    else if (channels == 3)                                                                                            \
        CONVERT_PICKED(Type, PICK, 3)                                                                                  \
    else if (channels == 4)                                                                                            \
        CONVERT_PICKED(Type, PICK, 4)                                                                                  \
    else                                                                                                               \
        CONVERT(Type, 1)

static void NAME(convert)(const void *restrict from, PixelType type, size_t channels, size_t count, REAL centre,
                          REAL *restrict to) {
    size_t i = 0;
    if (channels == 1 && type == WHOLE_TYPE)
        for (; i + WIDE <= count; i += WIDE)
            *(NAME(Loose) *)(to + i) = (VECTOR)WIDEN((const WHOLE *)from + i) - centre;
    if (type == PIXEL_U8)
        CONVERT_CHANNELS(uint8_t, PICK_U8)
    else if (type == PIXEL_U16)
        CONVERT_CHANNELS(uint16_t, PICK_U16)
    else
        CONVERT_CHANNELS(float, PICK_F32)
}
#undef CONVERT
#undef CONVERT_PICKED
#undef CONVERT_CHANNELS

/* The window's row `down` of a plane, as far as its pixels need it, the rest zeros. */
static void NAME(load_line)(const FftJob *job, const NAME(Plane) * plane, size_t down, REAL *line) {
    const ImageView in = job->stage->in[0];
    const ConvolveJob *convolve = convolve_job(job->stage);
    const ptrdiff_t width = (ptrdiff_t)in.shape.width;
    const ptrdiff_t from = border_index(convolve->border.mode, plane->y + (ptrdiff_t)down, (ptrdiff_t)in.shape.height);
    const size_t channels = (size_t)in.shape.channels, size = pixel_type_size(in.shape.type);
    const REAL centre = (REAL)job->centre, outside = (REAL)((double)convolve->border.value - job->centre);
    const bool any = plane->width > 0 && down < plane->height + (size_t)convolve->mask->height - 1;
    const ptrdiff_t count = any ? (ptrdiff_t)plane->width + convolve->mask->width - 1 : 0;
    if (any && from < 0)
        for (ptrdiff_t i = 0; i < count; i++)
            line[i] = outside;
    else if (any) {
        const char *row = (const char *)view_row(in, (size_t)from) + plane->channel * size;
        const ptrdiff_t begin = plane->x > 0 ? 0 : -plane->x;
        const ptrdiff_t end = width - plane->x < count ? width - plane->x : count;
        NAME(convert)
        (row + (size_t)(plane->x + begin) * channels * size, in.shape.type, channels, (size_t)(end - begin), centre,
         line + begin);
        for (ptrdiff_t i = begin > 0 ? 0 : end; i < count; i = i + 1 == begin ? end : i + 1) {
            const ptrdiff_t x = border_index(convolve->border.mode, plane->x + i, width);
            if (x < 0)
                line[i] = outside;
            else
                NAME(convert)(row + (size_t)x * channels * size, in.shape.type, channels, 1, centre, line + i);
        }
    }
    for (ptrdiff_t i = count; i < job->x->length; i++)
        line[i] = 0;
}

/* Whether all are finite, and no sum of theirs leaves the range. */
static bool NAME(is_tame)(const REAL *line, size_t count) {
    VECTOR rest = {0};
    REAL all = 0;
    for (size_t i = 0; i < count; i += WIDE) {
        const VECTOR value = *(const VECTOR *)(line + i) * (REAL)(0x1p128 / FFT_VALUE_MAX);
        rest += value * 0;
    }
    for (size_t k = 0; k < WIDE; k++)
        all += rest[k];
    return all == 0;
}

static bool NAME(load_planes)(const FftJob *job, const NAME(Plane) planes[2], const NAME(Room) * room) {
    const size_t length = (size_t)job->x->length;
    const bool floats = job->stage->in[0].shape.type == PIXEL_F32;
    for (size_t y = 0; y < (size_t)job->y->length; y++) {
        REAL *to = room->plane + y * room->length;
        NAME(load_line)(job, &planes[0], y, room->line_re);
        NAME(load_line)(job, &planes[1], y, room->line_im);
        if (floats && !(NAME(is_tame)(room->line_re, length) && NAME(is_tame)(room->line_im, length)))
            return false;
        for (size_t x = 0; x < length; x += WIDE) {
            *(VECTOR *)(to + 2 * x) = *(const VECTOR *)(room->line_re + x);
            *(VECTOR *)(to + 2 * x + WIDE) = *(const VECTOR *)(room->line_im + x);
        }
    }
    return true;
}

/* Results of a row, from the sums in one part of the plane. Adding and taking away ONE_APART rounds to whole numbers.
 */
static void NAME(finish_line)(const FftJob *job, const REAL *from, size_t count, REAL *line) {
    const REAL back = (REAL)job->back, bias = (REAL)job->bias, divisor = (REAL)job->divisor;
    const VECTOR near = (REAL)ONE_APART - (VECTOR){0};
    if (job->whole)
        for (size_t x = 0; x < count; x += WIDE) {
            const VECTOR whole = (*(const VECTOR *)(from + 2 * x) + near) - near;
            *(VECTOR *)(line + x) = (whole + back) / divisor + bias;
        }
    else
        for (size_t x = 0; x < count; x += WIDE)
            *(VECTOR *)(line + x) = *(const VECTOR *)(from + 2 * x) + back;
}

/* Into the picture, or, where there are several channels, to `results`. */
static void NAME(store_plane)(const FftJob *job, const NAME(Plane) * plane, size_t part, const NAME(Room) * room,
                              char *results) {
    const ConvolveJob *convolve = convolve_job(job->stage);
    const ImageView out = job->stage->out;
    const size_t size = pixel_type_size(out.shape.type);
    const size_t x = (size_t)(plane->x + convolve->mask->width / 2);
    const size_t y = (size_t)(plane->y + convolve->mask->height / 2);
    for (size_t row = 0; plane->width > 0 && row < plane->height; row++) {
        char *to =
            out.shape.channels > 1 ? results + row * job->width * size : (char *)view_row(out, y + row) + x * size;
        NAME(finish_line)(job, room->plane + row * room->length + part * WIDE, plane->width, room->line_re);
        NAME(store_line)(room->line_re, out.shape.type, plane->width, to);
    }
}

static NAME(Plane) NAME(plane_at)(const FftJob *job, size_t across, size_t down, size_t channel) {
    const Mask *mask = convolve_job(job->stage)->mask;
    const Shape shape = job->stage->out.shape;
    const size_t x = across * job->width, y = down * job->height;
    NAME(Plane) plane = {.channel = channel, .x = (ptrdiff_t)x - mask->width / 2, .y = (ptrdiff_t)y - mask->height / 2};
    if (x < shape.width && channel < (size_t)shape.channels) {
        plane.width = shape.width - x < job->width ? shape.width - x : job->width;
        plane.height = shape.height - y < job->height ? shape.height - y : job->height;
    }
    return plane;
}

static bool NAME(tile)(const FftJob *job, size_t across, size_t down, void *scratch) {
    const NAME(Room) room = NAME(room)(job, scratch);
    const size_t channels = (size_t)job->stage->out.shape.channels, bytes = fft_results_bytes(job);
    char *results = (char *)((REAL *)scratch + fft_scratch_length(job));
    for (size_t channel = 0; channel < channels; channel += job->pairs ? 1 : 2) {
        const NAME(Plane) planes[2] = {NAME(plane_at)(job, across, down, channel),
                                       job->pairs ? NAME(plane_at)(job, across + 1, down, channel)
                                                  : NAME(plane_at)(job, across, down, channel + 1)};
        const size_t second = job->pairs ? channels + channel : channel + 1;
        if (!NAME(load_planes)(job, planes, &room))
            return false;
        NAME(columns)(job, &room, (size_t)job->x->length, false);
        NAME(multiply)(job, &room);
        NAME(columns)(job, &room, job->width, true);
        NAME(store_plane)(job, &planes[0], 0, &room, results + channel * bytes);
        NAME(store_plane)(job, &planes[1], 1, &room, results + second * bytes);
    }
    for (size_t tile = 0; channels > 1 && tile < (job->pairs ? 2 : 1); tile++)
        interleave(job, across + tile, down, results + tile * channels * bytes);
    return true;
}

#undef VECTOR
#undef COMPLEX
#undef WIDE
