/* flip.c: FLIP of pictures: masks and colours of the eye, exposures, tiles that all cores share, and figures. */
#include "cpu/flip/flip.h"

#include "core/base/share.h"
#include "core/math/tone.h"
#include "cpu/flip/tile.h"
#include "cpu/isa.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { CODES = 65536 /* values of u16 */, PIECE_TILES = 8 /* of a worker, about a ms each */ };
#define FEATURE_DEGREES 0.082   /* the width of the edges and points that an eye finds */
#define TONE_TARGET     0.85    /* of the tone curve, for the first and the last exposure */
#define TONE_EXPOSURE   0.6     /* of light, before the curve (Narkowicz) */
#define MEDIAN_MIN      0x1p-23 /* of luminance, for the last exposure */
#define PI              3.14159265358979323846

/* sRGB's primaries as CIE XYZ (IEC 61966-2-1), for a white of D65. */
static const double xyz_of_rgb[3][3] = {{10135552.0 / 24577794, 8788810.0 / 24577794, 4435075.0 / 24577794},
                                        {2613072.0 / 12288897, 8788810.0 / 12288897, 887015.0 / 12288897},
                                        {1425312.0 / 73733382, 8788810.0 / 73733382, 70074185.0 / 73733382}};

/* The contrast sensitivity of the eye, as a sum of two gaussians in degrees: weight sqrt(pi / b) a, exp(-pi^2 r^2 / b).
 * The rows are luminance, red against green, and blue against yellow, which has two. */
typedef struct Sensitivity {
    double a, b;
} Sensitivity;
static const Sensitivity sensitivities[4] = {{1, 0.0047}, {1, 0.0053}, {34.1, 0.04}, {13.5, 0.025}};

/* ---- masks ---- */

/* A gaussian whose sum is 1, without ends that no f32 would notice; returns its sum before. */
static double make_gaussian(double scale, int radius, FlipMask *mask) {
    double sum = 0;
    int needed = 0;
    for (int i = -radius; i <= radius; i++)
        sum += exp(-scale * i * i);
    while (needed < radius && exp(-scale * (needed + 1) * (needed + 1)) > 1e-8)
        needed++;
    mask->radius = needed;
    for (int i = -needed; i <= needed; i++)
        mask->weights[i + needed] = (float)(exp(-scale * i * i) / sum);
    return sum;
}

static void scale_mask(FlipMask *mask, double factor) {
    for (int i = 0; i <= 2 * mask->radius; i++)
        mask->weights[i] = (float)(mask->weights[i] * factor);
}

static void make_colour_masks(Flip *flip) {
    const double b_max = 0.04, ppd = flip->ppd;
    double weights[4];
    flip->radius = (int)ceil(3 * sqrt(b_max / (2 * PI * PI)) * ppd);
    for (int i = 0; i < 4; i++) {
        const Sensitivity *s = &sensitivities[i];
        const double sum = make_gaussian(PI * PI / (s->b * ppd * ppd), flip->radius, &flip->masks[ROW_LIGHT + i]);
        weights[i] = s->a * sqrt(PI / s->b) * sum * sum;
    }
    for (int i = 2; i < 4; i++) /* columns have the same mask: the product's weight is that of both */
        scale_mask(&flip->masks[ROW_LIGHT + i], sqrt(weights[i] / (weights[2] + weights[3])));
}

/* The first or second derivative of a gaussian: its positive values sum up to 1, its negative ones to -1. */
static void make_derivative(int order, double sd, const FlipMask *smooth, FlipMask *mask) {
    const int radius = smooth->radius;
    double values[2 * FLIP_RADIUS_MAX + 1] = {0}, sums[2] = {0};
    for (int i = -radius; i <= radius; i++) {
        const double g = exp(-i * i / (2 * sd * sd)), v = (order == 1 ? -i : i * i / (sd * sd) - 1) * g;
        sums[v < 0] += fabs(v);
        values[i + radius] = v;
    }
    mask->radius = radius;
    for (int i = 0; i <= 2 * radius; i++)
        mask->weights[i] = (float)(values[i] / fmax(sums[values[i] < 0], 1e-300));
}

static void make_feature_masks(Flip *flip) {
    const double sd = 0.5 * FEATURE_DEGREES * flip->ppd;
    const int radius = (int)ceil(3 * sd);
    FlipMask *smooth = &flip->masks[ROW_SMOOTH];
    make_gaussian(1 / (2 * sd * sd), radius, smooth);
    make_derivative(1, sd, smooth, &flip->masks[ROW_EDGE]);
    make_derivative(2, sd, smooth, &flip->masks[ROW_POINT]);
    if (radius > flip->radius)
        flip->radius = radius;
}

/* ---- colours ---- */

static void invert(double of[3][3], double inverse[3][3]) {
    double determinant = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
            inverse[j][i] = of[a][c] * of[b][d] - of[a][d] * of[b][c];
        }
    for (int j = 0; j < 3; j++)
        determinant += of[0][j] * inverse[j][0];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            inverse[i][j] /= determinant;
}

/* The distance of green and blue, the largest on a screen, to its power. */
static float find_largest(const Flip *flip, const FlipCalls *calls) {
    float colours[3][16] = {{0}}, seen[3][16];
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 2; c++)
            colours[i][c] = flip->xyz[i][1 + c];
    calls->lab((const float *const[]){colours[0], colours[1], colours[2]}, 16,
               (float *const[]){seen[0], seen[1], seen[2]});
    const double l = seen[0][0] - seen[0][1], a = seen[1][0] - seen[1][1], b = seen[2][0] - seen[2][1];
    return (float)pow(fabs(l) + hypot(a, b), (double)FLIP_COLOUR_POWER);
}

static void make_colours(Flip *flip) {
    double xyz[3][3], rgb[3][3];
    for (int i = 0; i < 3; i++) {
        const double white = xyz_of_rgb[i][0] + xyz_of_rgb[i][1] + xyz_of_rgb[i][2];
        for (int c = 0; c < 3; c++)
            xyz[i][c] = xyz_of_rgb[i][c] / white;
    }
    invert(xyz, rgb);
    for (int c = 0; c < 3; c++) {
        flip->opponent[0][c] = (float)xyz[1][c];
        flip->opponent[1][c] = (float)(xyz[0][c] - xyz[1][c]);
        flip->opponent[2][c] = (float)(xyz[1][c] - xyz[2][c]);
        for (int i = 0; i < 3; i++) {
            flip->rgb[c][i] = (float)rgb[c][i];
            flip->xyz[i][c] = (float)xyz[i][c];
        }
    }
}

/* ---- figures ---- */

/* Values of f32, 0 or more, are in the order of their bits. Upper halves are counted first, then the lower halves of
 * one upper half. */
static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The code that so many values are below; what is left of the rank are values of that code. */
static uint32_t find_rank(const size_t *counts, size_t *rank) {
    uint32_t code = 0;
    while (*rank >= counts[code])
        *rank -= counts[code++];
    return code;
}

/* Values, 0 or more, of a view of f32x1, by how many others are below; in two passes. False: no memory. */
static bool values_of_ranks(ImageView view, const size_t *ranks, size_t count, double *values) {
    enum { RANKS_MAX = 4 };
    size_t *counts = calloc((1 + RANKS_MAX) * (size_t)CODES, sizeof *counts), left[RANKS_MAX];
    uint32_t upper[RANKS_MAX];
    for (size_t y = 0; counts && y < view.shape.height; y++)
        for (size_t x = 0; x < view.shape.width; x++)
            counts[bits_of(((const float *)view_row(view, y))[x]) >> 16]++;
    for (size_t i = 0; counts && i < count; i++) {
        left[i] = ranks[i];
        upper[i] = find_rank(counts, &left[i]);
    }
    for (size_t y = 0; counts && y < view.shape.height; y++)
        for (size_t x = 0; x < view.shape.width; x++) {
            const uint32_t bits = bits_of(((const float *)view_row(view, y))[x]);
            for (size_t i = 0; i < count; i++)
                counts[(1 + i) * CODES + (bits & 0xFFFF)] += bits >> 16 == upper[i];
        }
    for (size_t i = 0; counts && i < count; i++) {
        const uint32_t bits = upper[i] << 16 | find_rank(&counts[(1 + i) * CODES], &left[i]);
        float value;
        memcpy(&value, &bits, sizeof value);
        values[i] = (double)value;
    }
    free(counts);
    return counts != NULL;
}

/* The values that these shares (2 at most) of all are below, between two of them as numpy.percentile has it. NaN: no
 * memory. */
static void percentiles(ImageView view, const double *shares, size_t count, double *values) {
    const size_t all = view.shape.width * view.shape.height;
    size_t ranks[4];
    double ends[4];
    for (size_t i = 0; i < count; i++) {
        ranks[2 * i] = (size_t)(shares[i] * (double)(all - 1));
        ranks[2 * i + 1] = ranks[2 * i] + 1 < all ? ranks[2 * i] + 1 : all - 1;
    }
    const bool known = values_of_ranks(view, ranks, 2 * count, ends);
    for (size_t i = 0; i < count; i++) {
        const double within = shares[i] * (double)(all - 1) - (double)ranks[2 * i];
        values[i] = known ? ends[2 * i] + within * (ends[2 * i + 1] - ends[2 * i]) : NAN;
    }
}

/* The mean, and the largest error with its place. */
static FlipFigures sum_up(ImageView map) {
    FlipFigures figures = {0};
    for (size_t y = 0; y < map.shape.height; y++) {
        const float *row = view_row(map, y);
        for (size_t x = 0; x < map.shape.width; x++) {
            figures.mean += (double)row[x];
            if ((double)row[x] > figures.max) {
                figures.max = (double)row[x];
                figures.x = x;
                figures.y = y;
            }
        }
    }
    figures.mean /= (double)map.shape.width * (double)map.shape.height;
    return figures;
}

double flip_mean(ImageView map) {
    return sum_up(map).mean;
}

FlipFigures flip_figures(ImageView map) {
    FlipFigures figures = sum_up(map);
    double found[2];
    percentiles(map, (const double[]){0.5, 0.95}, 2, found);
    figures.median = found[0];
    figures.p95 = found[1];
    return figures;
}

/* ---- exposures ---- */

/* So many, in stops, evenly from `start` to `stop`. */
typedef struct Exposures {
    double start, stop;
    int count;
} Exposures;

/* The light that the tone curve shows as TONE_TARGET: the larger root of a quadratic. */
static double light_of_target(void) {
    const double t = TONE_TARGET, a = 2.51 - t * 2.43, b = 0.03 - t * 0.59, c = -t * 0.14;
    return (-b + sqrt(b * b - 4 * a * c)) / (2 * a) / TONE_EXPOSURE;
}

/* The luminances of all pixels, 0 or more; returns the largest. */
static double read_luminances(ImageView picture, bool premultiplied, ImageView luminances) {
    const Shape shape = picture.shape;
    const int colours = shape.channels < 3 ? 1 : 3;
    const bool multiplies = shape_has_alpha(shape) && !premultiplied;
    double largest = 0;
    for (size_t y = 0; y < shape.height; y++) {
        float *row = view_row(luminances, y);
        for (size_t x = 0; x < shape.width; x++) {
            double luminance = 0;
            for (int c = 0; c < 3; c++)
                luminance += xyz_of_rgb[1][c] * view_value(picture, x, y, c < colours ? c : 0);
            luminance *= multiplies ? view_value(picture, x, y, colours) : 1;
            row[x] = (float)fmax(luminance, 0);                  /* NaN is dark, too */
            largest = luminance > largest ? luminance : largest; /* NaN is passed over */
        }
    }
    return largest;
}

static Status find_exposures(ImageView reference, bool premultiplied, Exposures *exposures) {
    const Shape shape = reference.shape;
    Image *luminances;
    double median;
    *exposures = (Exposures){0, 0, 1};
    if (shape.type != PIXEL_F32)
        return STATUS_OK;
    TRY(image_create_unfilled((Shape){shape.width, shape.height, 1, PIXEL_F32}, &luminances));
    const double largest = read_luminances(reference, premultiplied, luminances->view);
    percentiles(luminances->view, (const double[]){0.5}, 1, &median);
    image_destroy(&luminances);
    if (isnan(median))
        return fail(STATUS_DEVICE, "no memory for FLIP");
    if (largest > 0 && isfinite(largest)) {
        exposures->start = log2(light_of_target() / largest);
        exposures->stop = log2(light_of_target() / fmax(median, MEDIAN_MIN));
        exposures->count = (int)fmax(ceil(exposures->stop - exposures->start), 2);
    }
    return STATUS_OK;
}

/* ---- a picture ---- */

struct FlipWork {
    Flip flip;
    const FlipCalls *calls;
    Exposures exposures;
    int exposure;   /* that is compared, of them */
    size_t workers; /* each has a tile of memory */
    FlipTile *tiles;
    float *light;       /* flip.light, owned */
    size_t begun, end;  /* tiles of this exposure that are done; that a piece ends at */
    atomic_size_t next; /* of a piece */
};

static void compare_tiles(const void *job, size_t worker) {
    FlipWork *work = *(FlipWork *const *)job;
    for (size_t i; (i = atomic_fetch_add(&work->next, 1)) < work->end;)
        work->calls->compare(&work->flip, i, &work->tiles[worker]);
}

/* Compares up to so many tiles at one exposure; false at the end of the last. */
static bool go_on(FlipWork *work, size_t tiles) {
    const Exposures *all = &work->exposures;
    const double share = all->count > 1 ? work->exposure / (double)(all->count - 1) : 0;
    const size_t left = work->flip.tiles - work->begun;
    if (work->exposure == all->count)
        return false;
    work->flip.gain = (float)(TONE_EXPOSURE * exp2(all->start + share * (all->stop - all->start)));
    work->end = work->begun + (left < tiles ? left : tiles);
    atomic_store(&work->next, work->begun);
    share_pieces(work->workers, compare_tiles, &work);
    work->begun = work->end < work->flip.tiles ? work->end : 0;
    work->exposure += work->begun == 0;
    return work->exposure < all->count;
}

bool flip_go_on(FlipWork *work) {
    return go_on(work, PIECE_TILES * work->workers);
}

double flip_progress(const FlipWork *work) {
    const double done = (double)work->begun / (double)work->flip.tiles;
    return (work->exposure + done) / work->exposures.count;
}

static float *decode_codes(PixelType type) {
    const double white = pixel_type_white(type);
    float *light = malloc(CODES * sizeof *light);
    for (size_t i = 0; light && (double)i <= white; i++)
        light[i] = (float)srgb_decode((double)i / white);
    return light;
}

static Status find_memory(FlipWork *work) {
    const PixelType type = work->flip.pictures[0].shape.type;
    work->tiles = malloc(work->workers * sizeof *work->tiles);
    if (type != PIXEL_F32)
        work->flip.light = work->light = decode_codes(type);
    return work->tiles && (work->light || type == PIXEL_F32) ? STATUS_OK : fail(STATUS_DEVICE, "no memory for FLIP");
}

Status flip_begin(ImageView reference, ImageView test, const FlipView *view, ImageView map, FlipWork **work) {
    static const FlipCalls *const calls[] = {&flip_calls_portable, &flip_calls_avx2, &flip_calls_avx512};
    FlipWork *made = *work = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for FLIP");
    Flip *flip = &made->flip;
    made->calls = calls[isa_detect()];
    *flip = (Flip){.pictures = {reference, test}, .map = map, .ppd = view->ppd, .premultiplied = view->premultiplied};
    flip->columns = (map.shape.width + FLIP_SIDE - 1) / FLIP_SIDE;
    flip->tiles = flip->columns * ((map.shape.height + FLIP_SIDE - 1) / FLIP_SIDE);
    made->workers = flip->tiles < share_cores() ? flip->tiles : share_cores();
    make_colour_masks(flip);
    make_feature_masks(flip);
    make_colours(flip);
    flip->largest = find_largest(flip, made->calls);
    Status status = find_exposures(reference, view->premultiplied, &made->exposures);
    if (status == STATUS_OK)
        status = find_memory(made);
    if (status != STATUS_OK)
        flip_end(work);
    return status;
}

void flip_end(FlipWork **work) {
    FlipWork *old = *work;
    if (!old)
        return;
    free(old->tiles);
    free(old->light);
    free(old);
    *work = NULL;
}

Status flip_map(ImageView reference, ImageView test, const FlipView *view, Image **map) {
    const Shape shape = reference.shape;
    FlipWork *work;
    TRY(image_create((Shape){shape.width, shape.height, 1, PIXEL_F32}, map));
    const Status status = flip_begin(reference, test, view, (*map)->view, &work);
    while (status == STATUS_OK && go_on(work, work->flip.tiles))
        continue;
    flip_end(&work);
    if (status != STATUS_OK)
        image_destroy(map);
    return status;
}
