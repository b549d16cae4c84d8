/* tile.isa.c: FLIP of a tile: colours as an eye sees them at a distance, and edges and points that come or go.
 * A tile's rows are filtered first, with as many more above and below as the columns need, then its columns. */
#include "cpu/flip/tile.h"

#include "cpu/polynomial.h"
#include "cpu/vector.h"

enum { SIDE = FLIP_SIDE, SPAN = FLIP_SPAN, TOGETHER = SIDE / LANES < 8 ? SIDE / LANES : 8 /* vectors */ };
#define COLOUR_KNEE    0.4f  /* the share of the largest distance from which on distances are compressed */
#define COLOUR_KNEE_AT 0.95f /* the result there */

/* A tile's filtered planes, and the masks of their rows and columns. */
enum Plane { LIGHT, RED, BLUE, BLUE_2, EDGE_X, EDGE_Y, POINT_X, POINT_Y, PLANES };
static const struct {
    enum FlipRow row, column;
} passes[PLANES] = {
    [LIGHT] = {ROW_LIGHT, ROW_LIGHT},    [RED] = {ROW_RED, ROW_RED},          [BLUE] = {ROW_BLUE, ROW_BLUE},
    [BLUE_2] = {ROW_BLUE_2, ROW_BLUE_2}, [EDGE_X] = {ROW_EDGE, ROW_SMOOTH},   [EDGE_Y] = {ROW_SMOOTH, ROW_EDGE},
    [POINT_X] = {ROW_POINT, ROW_SMOOTH}, [POINT_Y] = {ROW_SMOOTH, ROW_POINT},
};

static inline void store(Floats lanes, float *to) {
    memcpy(to, &lanes, sizeof lanes);
}

/* ---- functions ---- */

/* The logarithm to base 2 of normal numbers: that of a power of 2, and the series of atanh for the rest. The rest lies
 * between the root of 1/2 and that of 2. */
static inline Floats log_2(Floats v) {
    const Ints bits = (Ints)v, shifted = bits - 0x3F3504F3; /* the root of 1/2 */
    const Floats m = (Floats)(bits - (shifted & ~0x7FFFFF)), s = (m - 1) / (m + 1), z = s * s;
    const Floats series = ((((z * (1 / 9.0f) + 1 / 7.0f) * z + 1 / 5.0f) * z + 1 / 3.0f) * z + 1) * s;
    return __builtin_convertvector(shifted >> 23, Floats) + series * 2.885390081777927f; /* 2 / ln 2 */
}

/* 2^x, from -126 on, to 100. */
static inline Floats power_of_2(Floats x) {
    const Floats inside = greater(x, spread(-126)), shifted = inside + 0x1.8p23f, whole = shifted - 0x1.8p23f;
    const Floats rest = inside - whole;
    return (Floats)((Ints)POWER_OF_TWO_F32(rest) + ((Ints)shifted << 23));
}

/* v to the power of 0 or more; 0 for what no difference of colours is as small as. */
static inline Floats power(Floats v, Floats exponent) {
    const Floats normal = greater(v, spread(1e-30f));
    return blend(less(v, spread(1e-30f)), spread(0), power_of_2(exponent * log_2(normal)));
}

/* The cube root of 0 to 2: a guess by a third of the bits (Kahan, Computing a Real Cube Root, 1991), and two steps of
 * Halley's. */
static inline Floats cube_root(Floats v) {
    const Floats third = __builtin_convertvector((Ints)v, Floats) * (1 / 3.0f);
    Floats root = (Floats)(__builtin_convertvector(third, Ints) + 0x2A5137A0);
    for (int step = 0; step < 2; step++) {
        const Floats cube = root * root * root;
        root *= (cube + 2 * v) / (2 * cube + v);
    }
    return root;
}

/* f(t) of CIE 1976 L*a*b*. */
static inline Floats lab_of(Floats t) {
    return blend(less(spread(216 / 24389.0f), t), cube_root(t), t * (841 / 108.0f) + 4 / 29.0f);
}

static inline void see(const Floats xyz[3], Floats lab[3]) {
    const Floats fx = lab_of(xyz[0]), fy = lab_of(xyz[1]), fz = lab_of(xyz[2]), l = 116 * fy - 16;
    lab[0] = l;
    lab[1] = 5 * l * (fx - fy);
    lab[2] = 2 * l * (fy - fz);
}

static void see_all(const float *const xyz[3], size_t count, float *const lab[3]) {
    for (size_t i = 0; i < count; i += LANES) {
        const Floats colour[3] = {load(xyz[0] + i), load(xyz[1] + i), load(xyz[2] + i)};
        Floats seen[3];
        see(colour, seen);
        for (int c = 0; c < 3; c++)
            store(seen[c], lab[c] + i);
    }
}

/* ---- rows ---- */

/* `count` values of a row: light of u8 and u16, f32 as it is. */
static void read_values(const Flip *flip, ImageView view, size_t y, size_t first, size_t count, float *values) {
    const void *row = view_row(view, y);
    if (view.shape.type == PIXEL_U8)
        for (size_t i = 0; i < count; i++)
            values[i] = flip->light[((const uint8_t *)row)[first + i]];
    else if (view.shape.type == PIXEL_U16)
        for (size_t i = 0; i < count; i++)
            values[i] = flip->light[((const uint16_t *)row)[first + i]];
    else
        memcpy(values, (const float *)row + first, count * sizeof *values);
}

/* As a film shows it: core/math/tone.h. NaN is dark. */
static void tone(float gain, float *light) {
    for (size_t i = 0; i < SPAN / LANES * LANES; i += LANES) {
        const Floats x = lesser(greater(load(light + i) * gain, spread(0)), spread(1e6f));
        store(lesser(x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f), spread(1)), light + i);
    }
}

/* Linear light of the pixels of row y from `left` on, which go on beyond the borders. */
static void read_light(const Flip *flip, ImageView view, ptrdiff_t y, ptrdiff_t left, size_t count, FlipTile *tile) {
    const Shape shape = view.shape;
    const ptrdiff_t width = (ptrdiff_t)shape.width, bottom = (ptrdiff_t)shape.height - 1;
    const ptrdiff_t end = left + (ptrdiff_t)count < width ? left + (ptrdiff_t)count : width,
                    first = left < 0 ? 0 : left;
    const size_t row = (size_t)(y < 0 ? 0 : y > bottom ? bottom : y), channels = (size_t)shape.channels;
    const size_t colours = channels < 3 ? 1 : 3, inside = (size_t)(end - first), before = (size_t)(first - left);
    const bool multiplies = shape_has_alpha(shape) && !(shape.type == PIXEL_F32 && flip->premultiplied);
    const float scale = 1 / (float)pixel_type_white(shape.type);
    read_values(flip, view, row, (size_t)first * channels, inside * channels, tile->values);
    for (size_t c = 0; c < 3; c++) {
        float *light = tile->light[c];
        for (size_t i = 0; i < inside; i++)
            light[before + i] = tile->values[i * channels + (c < colours ? c : 0)];
        for (size_t i = 0; multiplies && i < inside; i++)
            light[before + i] *= scale * (float)view_value(view, (size_t)first + i, row, (int)colours);
        for (size_t i = 0; i < before; i++)
            light[i] = light[before];
        for (size_t i = before + inside; i < SPAN; i++)
            light[i] = light[before + inside - 1];
        if (!flip->light)
            tone(flip->gain, light);
    }
}

static void make_opponents(const Flip *flip, FlipTile *tile) {
    for (int p = 0; p < 3; p++) {
        const float r = flip->opponent[p][0], g = flip->opponent[p][1], b = flip->opponent[p][2];
        for (size_t i = 0; i < SPAN; i++)
            tile->opponents[p][i] = r * tile->light[0][i] + g * tile->light[1][i] + b * tile->light[2][i];
    }
}

/* SIDE sums of values that are `step` floats apart, around `middle`: so many at once that no product waits. */
static void filter(const FlipMask *mask, const float *middle, ptrdiff_t step, float *to) {
    for (size_t x = 0; x < SIDE; x += (size_t)TOGETHER * LANES) {
        const float *from = middle + x - mask->radius * step;
        Floats sums[TOGETHER] = {0};
        for (int i = 0; i <= 2 * mask->radius; i++, from += step) {
            const Floats weight = spread(mask->weights[i]);
#pragma GCC unroll 8
            for (size_t v = 0; v < TOGETHER; v++)
                sums[v] += weight * load(from + v * LANES);
        }
        memcpy(to + x, sums, sizeof sums);
    }
}

static void filter_rows(const Flip *flip, ImageView view, size_t left, size_t top, FlipTile *tile) {
    static const int source_of[ROWS] = {[ROW_RED] = 1, [ROW_BLUE] = 2, [ROW_BLUE_2] = 2};
    const ptrdiff_t radius = flip->radius, span = SIDE + 2 * radius;
    for (ptrdiff_t y = 0; y < span; y++) {
        read_light(flip, view, (ptrdiff_t)top - radius + y, (ptrdiff_t)left - radius, (size_t)span, tile);
        make_opponents(flip, tile);
        for (int row = 0; row < ROWS; row++)
            filter(&flip->masks[row], tile->opponents[source_of[row]] + radius, 1, &tile->rows[row][y * SIDE]);
    }
}

/* ---- columns ---- */

/* Colours, of which a screen shows those within its range. */
static void see_colours(const Flip *flip, float planes[PLANES][SIDE], FlipSeen *seen, size_t to) {
    for (size_t i = 0; i < SIDE; i += LANES) {
        const Floats y = load(&planes[LIGHT][i]), x = y + load(&planes[RED][i]);
        const Floats z = y - (load(&planes[BLUE][i]) + load(&planes[BLUE_2][i]));
        Floats rgb[3], xyz[3], lab[3];
        for (int c = 0; c < 3; c++) {
            const Floats light = flip->rgb[c][0] * x + flip->rgb[c][1] * y + flip->rgb[c][2] * z;
            rgb[c] = lesser(greater(light, spread(0)), spread(1));
        }
        for (int c = 0; c < 3; c++)
            xyz[c] = flip->xyz[c][0] * rgb[0] + flip->xyz[c][1] * rgb[1] + flip->xyz[c][2] * rgb[2];
        see(xyz, lab);
        for (int c = 0; c < 3; c++)
            store(lab[c], &seen->lab[c][to + i]);
    }
}

static void measure_lengths(const float *x, const float *y, float *lengths) {
    for (size_t i = 0; i < SIDE; i += LANES)
        store(square_root(load(x + i) * load(x + i) + load(y + i) * load(y + i)), lengths + i);
}

static void filter_columns(const Flip *flip, const FlipTile *tile, FlipSeen *seen) {
    for (size_t at = 0; at < FLIP_AREA; at += SIDE) {
        float planes[PLANES][SIDE];
        for (int plane = 0; plane < PLANES; plane++) {
            const float *middle = &tile->rows[passes[plane].row][(size_t)flip->radius * SIDE + at];
            filter(&flip->masks[passes[plane].column], middle, SIDE, planes[plane]);
        }
        see_colours(flip, planes, seen, at);
        measure_lengths(planes[EDGE_X], planes[EDGE_Y], &seen->edge[at]);
        measure_lengths(planes[POINT_X], planes[POINT_Y], &seen->point[at]);
    }
}

/* ---- errors ---- */

static inline Floats absolute(Floats v) {
    return (Floats)((Ints)v & 0x7FFFFFFF);
}

/* HyAB (Abasi, Tehrani and Fairchild, Distance Metrics for Very Large Color Differences, 2019). */
static inline Floats colour_distance(const FlipSeen *seen, size_t i) {
    Floats apart[3];
    for (int c = 0; c < 3; c++)
        apart[c] = load(&seen[0].lab[c][i]) - load(&seen[1].lab[c][i]);
    return absolute(apart[0]) + square_root(apart[1] * apart[1] + apart[2] * apart[2]);
}

/* Sections 4.1.4 to 4.3 of the paper. */
static void make_errors(const Flip *flip, FlipTile *tile) {
    const FlipSeen *seen = tile->seen;
    const float knee = COLOUR_KNEE * flip->largest, steep = COLOUR_KNEE_AT / knee;
    const float flat = (1 - COLOUR_KNEE_AT) / (flip->largest - knee);
    for (size_t i = 0; i < FLIP_AREA; i += LANES) {
        const Floats away = power(colour_distance(seen, i), spread(FLIP_COLOUR_POWER));
        const Floats colour = blend(less(away, spread(knee)), steep * away, COLOUR_KNEE_AT + flat * (away - knee));
        const Floats edge = absolute(load(&seen[0].edge[i]) - load(&seen[1].edge[i]));
        const Floats point = absolute(load(&seen[0].point[i]) - load(&seen[1].point[i]));
        const Floats feature = square_root(greater(edge, point) * 0.70710678118654752f);
        store(power(colour, 1 - feature), &tile->errors[i]);
    }
}

static void compare(const Flip *flip, size_t index, FlipTile *tile) {
    const Shape shape = flip->map.shape;
    const size_t left = index % flip->columns * SIDE, top = index / flip->columns * SIDE;
    for (int i = 0; i < 2; i++) {
        filter_rows(flip, flip->pictures[i], left, top, tile);
        filter_columns(flip, tile, &tile->seen[i]);
    }
    make_errors(flip, tile);
    for (size_t y = top; y < top + SIDE && y < shape.height; y++) {
        float *row = view_row(flip->map, y);
        for (size_t x = left; x < left + SIDE && x < shape.width; x++) {
            const float error = tile->errors[(y - top) * SIDE + (x - left)];
            row[x] = error > row[x] ? error : row[x];
        }
    }
}

const FlipCalls ISA_NAME(flip_calls) = {see_all, compare};
