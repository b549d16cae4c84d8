/* difference.c: differences of values, and similarity of windows. */
#include "core/image/difference.h"

#include "core/base/share.h"

#include <math.h>

enum { WINDOW = 7, PARTS = 64 /* rows are shared out as */ };

/* Sums over pairs of values. */
typedef struct Moments {
    double a, b, aa, bb, ab;
} Moments;

static Moments pair(double p, double q) {
    return (Moments){p, q, p * p, q * q, p * q};
}

static void add(Moments *to, Moments more, double sign) {
    to->a += sign * more.a;
    to->b += sign * more.b;
    to->aa += sign * more.aa;
    to->bb += sign * more.bb;
    to->ab += sign * more.ab;
}

/* The sums of a window's column whose first row is `y`. */
static Moments column(ImageView a, ImageView b, size_t x, size_t y, int c) {
    Moments sums = {0};
    for (size_t j = 0; j < WINDOW; j++) {
        const double p = view_value(a, x, y + j, c), q = view_value(b, x, y + j, c);
        add(&sums, pair(p, q), 1);
    }
    return sums;
}

static double similarity(Moments sums, double white) {
    const double n = WINDOW * WINDOW, c1 = 0.0001 * white * white, c2 = 0.0009 * white * white;
    const double p = sums.a / n, q = sums.b / n;
    const double pp = (sums.aa - n * p * p) / (n - 1), qq = (sums.bb - n * q * q) / (n - 1);
    const double pq = (sums.ab - n * p * q) / (n - 1);
    return (2 * p * q + c1) * (2 * pq + c2) / ((p * p + q * q + c1) * (pp + qq + c2));
}

/* All windows that begin in this row. */
static void compare_windows(Difference *difference, ImageView a, ImageView b, size_t y, int c) {
    const double white = pixel_type_white(a.shape.type);
    Moments columns[WINDOW], sums = {0};
    for (size_t x = 0; x < a.shape.width; x++) {
        Moments *last = &columns[x % WINDOW];
        if (x >= WINDOW)
            add(&sums, *last, -1);
        *last = column(a, b, x, y, c);
        add(&sums, *last, 1);
        if (x + 1 >= WINDOW) {
            difference->ssim += similarity(sums, white);
            difference->windows++;
        }
    }
}

static double distance(double p, double q) {
    if (isnan(p) || isnan(q))
        return isnan(p) && isnan(q) ? 0 : INFINITY;
    return p < q || p > q ? fabs(p - q) : 0; /* infinities of one sign are the same */
}

static void compare_row(Difference *difference, ImageView a, ImageView b, size_t y) {
    for (size_t x = 0; x < a.shape.width; x++) {
        bool differs = false;
        for (int c = 0; c < a.shape.channels; c++) {
            const double away = distance(view_value(a, x, y, c), view_value(b, x, y, c));
            differs |= away > 0;
            if (away > difference->max) {
                difference->max = away;
                difference->x = x;
                difference->y = y;
            }
        }
        difference->differing += differs;
    }
}

bool difference_go_on(Difference *difference, ImageView a, ImageView b, size_t rows) {
    const size_t height = a.shape.height;
    for (; rows > 0 && difference->row < height; rows--, difference->row++) {
        compare_row(difference, a, b, difference->row);
        for (int c = 0; c < a.shape.channels && difference->row + WINDOW <= height; c++)
            compare_windows(difference, a, b, difference->row, c);
    }
    return difference->row < height;
}

static void gather(Difference *all, const Difference *part) {
    if (part->max > all->max) {
        all->max = part->max;
        all->x = part->x;
        all->y = part->y;
    }
    all->differing += part->differing;
    all->ssim += part->ssim;
    all->windows += part->windows;
}

typedef struct Comparison {
    ImageView a, b;
    Difference *parts;
} Comparison;

static void compare_part(const void *job, size_t i) {
    const Comparison *comparison = job;
    const size_t height = comparison->a.shape.height;
    Difference *part = &comparison->parts[i];
    part->row = i * height / PARTS;
    (void)difference_go_on(part, comparison->a, comparison->b, (i + 1) * height / PARTS - part->row);
}

Difference difference_of(ImageView a, ImageView b) {
    Difference parts[PARTS] = {0}, all = {.row = a.shape.height};
    share_pieces(PARTS, compare_part, &(Comparison){a, b, parts});
    for (size_t i = 0; i < PARTS; i++)
        gather(&all, &parts[i]);
    return all;
}

double difference_ssim(const Difference *difference) {
    if (difference->differing == 0)
        return 1;
    return difference->windows > 0 ? difference->ssim / (double)difference->windows : NAN;
}

double difference_gain(const Difference *difference, Shape shape) {
    const double white = pixel_type_white(shape.type);
    return difference->max > 0 && isfinite(difference->max) ? fmax(floor(2 * log2(white / difference->max)) / 2, 0) : 0;
}

double difference_at(ImageView a, ImageView b, size_t x, size_t y) {
    const int colours = a.shape.channels - (shape_has_alpha(a.shape) ? 1 : 0);
    double most = 0;
    for (int c = 0; c < colours; c++)
        most = fmax(most, distance(view_value(a, x, y, c), view_value(b, x, y, c)));
    return most;
}
