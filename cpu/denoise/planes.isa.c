/* planes.isa.c: rows of planes through the steps of core/math/denoise.h, for each instruction set. */
#include "cpu/denoise/planes.h"
#include "cpu/isa.h"
#include "cpu/polynomial.h"
#include "cpu/vector.h"

/* Anywhere. */
typedef float Lanes __attribute__((vector_size(VECTOR_BYTES), aligned(4)));
static inline Floats get(const float *from) {
    return (Floats) * (const Lanes *)from;
}
static inline void put(float *to, Floats lanes) {
    *(Lanes *)to = (Lanes)lanes;
}

static inline Floats absolute(Floats value) {
    return (Floats)((Ints)value & 0x7FFFFFFF);
}
/* denoise_square */
static inline Floats square_of(Floats red, Floats green, Floats blue) {
    return 0.2126f * red * red + 0.7152f * green * green + 0.0722f * blue * blue;
}
static inline Floats divisor_of(Floats albedo) {
    return greater(albedo, spread(DENOISE_DARK));
}

/* 2 to the power of values that are not positive; 0 where that is next to nothing. */
static inline Floats power_of_two(Floats value) {
    const Floats power = greater(value, spread(-127)), shifted = power + 12582912.0f;
    const Floats rest = power - (shifted - 12582912.0f), part = POWER_OF_TWO_F32(rest);
    return (Floats)((Ints)part + ((Ints)shifted << 23));
}

/* ---- from pixels and back ---- */

/* The first `count` of LANES pixels that are `step` pixels apart, by channels; the others are as the last. */
static inline void split(ImageView view, size_t x, size_t y, size_t step, size_t count, int channels, Floats *to) {
    const size_t stride = (size_t)view.shape.channels * step;
    const float *from = (const float *)view_row(view, y * step) + x * stride;
    float apart[4][LANES];
    for (size_t i = 0; i < (size_t)LANES; i++)
        for (int c = 0; c < channels; c++)
            apart[c][i] = from[(i < count ? i : count - 1) * stride + (size_t)c];
    for (int c = 0; c < channels; c++)
        to[c] = load(apart[c]);
}

/* A vector of pixels: DenoisePixel. */
typedef struct Pixels {
    Floats light[3], variance, normal[3], near, divisor[3];
} Pixels;

static inline void read_film(const DenoiseWork *work, size_t x, size_t y, size_t count, Pixels *pixels) {
    const DenoiseViews *views = &work->views;
    Floats film[4], fewer[4], apart[3];
    split(views->light, x, y, views->step, count, 4, film);
    split(views->less, x, y, views->step, count, 4, fewer);
    const Floats rest = film[3] - fewer[3];
    for (int c = 0; c < 3; c++) {
        const Floats all = film[c] / pixels->divisor[c], part = fewer[c] / pixels->divisor[c];
        pixels->light[c] = blend(at_most(spread(DENOISE_FEWEST), film[3]), all / film[3], spread(NAN));
        apart[c] = part / fewer[3] - (all - part) / rest;
    }
    const Which known = at_most(0.25f * film[3], fewer[3]) & less(spread(0), rest);
    const Floats share = fewer[3] * rest / (film[3] * film[3]);
    pixels->variance = blend(known, square_of(apart[0], apart[1], apart[2]) * share, spread(-1));
}

static inline void read_picture(const DenoiseWork *work, size_t x, size_t y, size_t count, Pixels *pixels) {
    const DenoiseViews *views = &work->views;
    const int channels = views->light.shape.channels < 3 ? 1 : 3;
    Floats light[3];
    split(views->light, x, y, views->step, count, channels, light);
    for (int c = 0; c < 3; c++)
        pixels->light[c] = light[channels < 3 ? 0 : c] / pixels->divisor[c];
    pixels->variance = spread(-1);
}

static inline void read_guides(const DenoiseWork *work, size_t x, size_t y, size_t count, Pixels *pixels) {
    const DenoiseViews *views = &work->views;
    const DenoiseJob *job = denoise_job(work->stage);
    const int normals = views->normals.pixels ? views->normals.shape.channels : 0;
    Floats normal[4] = {spread(0), spread(0), spread(0)}, albedo[3] = {spread(1), spread(1), spread(1)};
    normal[3] = spread(1);
    if (normals > 3)
        split(views->normals, x, y, views->step, count, 4, normal);
    else if (normals > 0)
        split(views->normals, x, y, views->step, count, 3, normal);
    if (views->albedo.pixels)
        split(views->albedo, x, y, views->step, count, 3, albedo);
    pixels->near = normal[3];
    for (int c = 0; c < 3; c++) {
        pixels->normal[c] = normal[c] * (float)job->normal_scale;
        const Floats scaled = views->albedo.pixels ? albedo[c] * (float)job->albedo_scale : albedo[c];
        pixels->divisor[c] = divisor_of(scaled) + 0 * scaled; /* NaN where that is not finite */
    }
}

/* The pixels that take part. */
static inline Which taking_part(const Pixels *pixels) {
    Floats sum = pixels->variance + pixels->near;
    for (int c = 0; c < 3; c++)
        sum += 0 * pixels->light[c] + 0 * pixels->normal[c];
    return same(0 * sum, spread(0));
}

/* Clears the margins of a row and the columns behind its last pixel, which not every step writes. */
static void clear_margins(const DenoiseWork *work, size_t row) {
    const size_t margin = work->margin, inner = work->pitch - 2 * margin;
    for (size_t x = work->views.width; x < inner; x++)
        for (int k = 0; k < DENOISE_LIGHTS; k++)
            work->from[k][row + x] = work->to[k][row + x] = work->guess[k][row + x] = 0;
    for (size_t i = 0; i < margin; i++) {
        const size_t left = row - margin + i, right = row + inner + i;
        for (int k = 0; k < DENOISE_LIGHTS; k++)
            work->from[k][left] = work->from[k][right] = work->to[k][left] = work->to[k][right] = work->guess[k][left] =
                work->guess[k][right] = 0;
        for (int k = 0; k < DENOISE_GUIDES; k++)
            work->guide[k][left] = work->guide[k][right] = k == DENOISE_NEAR ? DENOISE_ABSENT : 0;
    }
}

static void read_row(const DenoiseWork *work, size_t y) {
    static const uint32_t numbers[DENOISE_LANES_MAX] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const bool film = denoise_job(work->stage)->film;
    const size_t width = work->views.width;
    clear_margins(work, y * work->pitch);
    for (size_t x = 0; x < (width + DENOISE_LANES_MAX - 1) / DENOISE_LANES_MAX * DENOISE_LANES_MAX;
         x += (size_t)LANES) {
        const size_t at = y * work->pitch + x, count = x < width ? width - x : 0;
        Pixels pixels = {.near = {0}};
        Which part = less_int(spread_int(0), spread_int(0));
        if (count > 0) {
            read_guides(work, x, y, count, &pixels);
            if (film)
                read_film(work, x, y, count, &pixels);
            else
                read_picture(work, x, y, count, &pixels);
            part = taking_part(&pixels) &
                   less_int(load_int(numbers), spread_int((int32_t)(count < (size_t)LANES ? count : (size_t)LANES)));
        }
        for (int c = 0; c < 3; c++) {
            pixels.light[c] = blend(part, pixels.light[c], spread(0));
            put(work->from[c] + at, pixels.light[c]);
            put(work->guide[c] + at, blend(part, pixels.normal[c], spread(0)));
        }
        put(work->guide[DENOISE_NEAR] + at, blend(part, pixels.near, spread(DENOISE_ABSENT)));
        put(work->to[DENOISE_VARIANCE] + at, blend(part, pixels.variance, spread(0)));
    }
}

/* A row of the result. The pixels of a block are as its first, which is asked for one after the other where it is no
 * longer than one. */
static void write_row(const DenoiseWork *work, size_t y) {
    const ImageView in = work->stage->in[0], out = work->stage->out;
    const size_t step = work->views.step, row = y / step, channels = (size_t)out.shape.channels;
    const bool film = denoise_job(work->stage)->film;
    const int colours = channels < 3 ? 1 : 3;
    const float *kept = view_row(in, row * step);
    float *to = view_row(out, y);
    for (size_t x = 0; x < work->views.width; x += (size_t)LANES) {
        const size_t rest = work->views.width - x, count = rest < (size_t)LANES ? rest : (size_t)LANES;
        const size_t at = row * work->pitch + x;
        Pixels pixels;
        float colour[3][LANES], near[LANES];
        read_guides(work, x, row, count, &pixels);
        memcpy(near, work->guide[DENOISE_NEAR] + at, sizeof near);
        for (int c = 0; c < 3; c++) {
            const Floats value = get(work->from[c] + at) * pixels.divisor[c];
            memcpy(colour[c], &value, sizeof colour[c]);
        }
        for (size_t i = 0; i < count; i++) {
            const float *from = kept + (x + i) * step * channels;
            const bool absent = near[i] == DENOISE_ABSENT; /* NOLINT: it is a copy of that value */
            float pixel[4];
            for (int c = 0; c < (int)channels; c++)
                pixel[c] = absent ? from[c] : c < colours ? colour[c][i] : film ? 1.0f : from[c];
            for (size_t k = (x + i) * step; k < (x + i + 1) * step && k < out.shape.width; k++)
                memcpy(to + k * channels, pixel, channels * sizeof *pixel);
        }
    }
}

/* ---- weights ---- */

/* DenoiseCentre, of a vector of pixels. */
typedef struct Centre {
    Floats normal[3], near, across, down, depth;
} Centre;

static inline Floats slope(Floats before, Floats here, Floats behind) {
    const Floats absent = spread(DENOISE_ABSENT), back = here - before, ahead = behind - here;
    const Which none_before = same(before, absent), none_behind = same(behind, absent);
    const Which takes_ahead = (none_before | less(absolute(ahead), absolute(back))) & ~none_behind;
    const Which flat = same(here, absent) | (none_before & none_behind);
    return blend(flat, spread(0), blend(takes_ahead, ahead, back));
}

static inline Centre centre_at(const DenoiseWork *work, size_t y, size_t at) {
    const float *near = work->guide[DENOISE_NEAR] + at;
    const Floats absent = spread(DENOISE_ABSENT);
    Centre centre = {.near = get(near)};
    for (int c = 0; c < 3; c++)
        centre.normal[c] = get(work->guide[c] + at);
    centre.across = slope(get(near - 1), centre.near, get(near + 1));
    centre.down = slope(y > 0 ? get(near - work->pitch) : absent, centre.near,
                        y + 1 < work->views.height ? get(near + work->pitch) : absent);
    const Floats slopes = centre.across * centre.across + centre.down * centre.down;
    centre.depth = 1.0f / (work->rule.depth * centre.near * centre.near + work->rule.slope * slopes + DENOISE_NOTHING);
    return centre;
}

/* denoise_apart; `expected` is the nearness of a neighbour in the same plane. */
static inline Floats apart(const DenoiseWork *work, const Centre *centre, Floats expected, size_t other) {
    const Floats x = get(work->guide[0] + other) - centre->normal[0];
    const Floats y = get(work->guide[1] + other) - centre->normal[1];
    const Floats z = get(work->guide[2] + other) - centre->normal[2];
    const Floats near = get(work->guide[DENOISE_NEAR] + other) - expected;
    return work->rule.normal * (x * x + y * y + z * z) + centre->depth * near * near;
}

/* The rows of neighbours that there are, from `first` to before `end`, each `step` away from the next. */
static inline void rows_around(const DenoiseWork *work, size_t y, int step, int *first, int *end) {
    for (*first = -2; (ptrdiff_t)y + *first * step < 0; ++*first)
        continue;
    for (*end = 3; (ptrdiff_t)y + (*end - 1) * step >= (ptrdiff_t)work->views.height; --*end)
        continue;
}

/* denoise_scattered */
static inline Floats scattered_at(const DenoiseWork *work, size_t x, size_t y) {
    const size_t rest = work->views.width - x;
    Floats film[4];
    if (!denoise_job(work->stage)->film)
        return spread(1);
    split(work->views.light, x, y, work->views.step, rest < (size_t)LANES ? rest : (size_t)LANES, 4, film);
    return square_root(lesser(DENOISE_SCATTERED / film[3], spread(1)));
}

static void estimate_row(const DenoiseWork *work, size_t y) {
    int first, end;
    rows_around(work, y, 1, &first, &end);
    for (size_t x = 0; x < work->views.width; x += (size_t)LANES) {
        const size_t at = y * work->pitch + x;
        const Centre centre = centre_at(work, y, at);
        const Floats own[3] = {get(work->from[0] + at), get(work->from[1] + at), get(work->from[2] + at)};
        Floats weights = spread(0), both = weights, roots = weights, said = weights, squares = weights;
        Floats sum[3] = {weights, weights, weights};
        for (int j = first; j < end; j++) {
            const Floats row = centre.near + (float)j * centre.down;
#pragma GCC unroll 5
            for (int i = -2; i <= 2; i++) {
                const size_t other = at + (size_t)((ptrdiff_t)work->pitch * j + i);
                const Floats weight = power_of_two(-apart(work, &centre, row + (float)i * centre.across, other));
                Floats off[3];
                weights += weight;
                both += weight * weight;
                const Floats variance = greater(get(work->to[DENOISE_VARIANCE] + other), spread(0));
                roots += weight * square_root(square_root(variance));
                said += weight * variance;
                for (int c = 0; c < 3; c++) {
                    off[c] = get(work->from[c] + other) - own[c];
                    sum[c] += weight * off[c];
                }
                squares += weight * square_of(off[0], off[1], off[2]);
            }
        }
        const Floats share = 1.0f / weights, own_variance = get(work->to[DENOISE_VARIANCE] + at);
        const Floats deviation = roots * share * roots * share,
                     mean = square_of(sum[0] * share, sum[1] * share, sum[2] * share);
        const Floats around = greater(squares * share - mean, spread(0));
        const Which known = at_most(spread(0), own_variance);
        const Floats typical = greater(DENOISE_SPREAD * deviation * deviation, own_variance);
        const Floats variance = blend(known, typical * scattered_at(work, x, y), around);
        const Floats part = lesser(said * share / (around + DENOISE_NOTHING), spread(1));
        const Floats noise = variance / (greater(variance, around) + DENOISE_NOTHING);
        const Floats rest = (1.0f - noise) * (1.0f - noise);
        for (int c = 0; c < 3; c++)
            put(work->guess[c] + at, own[c] + noise * sum[c] * share);
        put(work->guess[DENOISE_VARIANCE] + at, variance * (rest + 2.0f * (1.0f - rest) * both * share * share));
        put(work->from[DENOISE_VARIANCE] + at, blend(known, variance * part, around));
    }
}

/* denoise_smooth */
static inline void smooth(const DenoiseWork *work, size_t y, float *const *compared) {
    static const float spline[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
    const int step = work->step;
    int first, end;
    rows_around(work, y, step, &first, &end);
    for (size_t x = 0; x < work->views.width; x += (size_t)LANES) {
        const size_t at = y * work->pitch + x;
        const Centre centre = centre_at(work, y, at);
        const Floats own[3] = {get(compared[0] + at), get(compared[1] + at), get(compared[2] + at)};
        const Floats steep = 1.0f / (work->rule.light * get(compared[DENOISE_VARIANCE] + at) +
                                     work->rule.equal * square_of(own[0], own[1], own[2]) + DENOISE_NOTHING);
        Floats weights = spread(0), light[3] = {weights, weights, weights}, variance = weights;
        for (int j = first; j < end; j++) {
            const Floats row = centre.near + (float)(j * step) * centre.down;
#pragma GCC unroll 5
            for (int i = -2; i <= 2; i++) {
                const size_t other = at + (size_t)((ptrdiff_t)work->pitch * (j * step) + i * step);
                const Floats there[3] = {get(work->from[0] + other), get(work->from[1] + other),
                                         get(work->from[2] + other)};
                const Floats distance = square_of(get(compared[0] + other) - own[0], get(compared[1] + other) - own[1],
                                                  get(compared[2] + other) - own[2]);
                const Floats surfaces = apart(work, &centre, row + (float)(i * step) * centre.across, other);
                const Floats weight = spline[i + 2] * spline[j + 2] * power_of_two(-(surfaces + steep * distance));
                weights += weight;
                for (int c = 0; c < 3; c++)
                    light[c] += weight * there[c];
                variance += weight * weight * get(work->from[DENOISE_VARIANCE] + other);
            }
        }
        const Floats share = 1.0f / weights;
        for (int c = 0; c < 3; c++)
            put(work->to[c] + at, light[c] * share);
        put(work->to[DENOISE_VARIANCE] + at, variance * share * share);
    }
}

static void first_row(const DenoiseWork *work, size_t y) {
    smooth(work, y, work->guess);
}
static void smooth_row(const DenoiseWork *work, size_t y) {
    smooth(work, y, work->from);
}

const DenoiseTable ISA_NAME(denoise_rows) = {read_row, estimate_row, first_row, smooth_row, write_row};
