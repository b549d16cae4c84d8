/* difference.c: differences of values, and similarity of windows. */
#include "core/difference.h"

#include <math.h>

enum { WINDOW = 7 };

/* Sums over a window, or a column of one. */
typedef struct Moments {
    double a, b, aa, bb, ab;
} Moments;

static void add(Moments *to, Moments more, double sign) {
    to->a += sign * more.a;
    to->b += sign * more.b;
    to->aa += sign * more.aa;
    to->bb += sign * more.bb;
    to->ab += sign * more.ab;
}

/* Of the column of a window whose first row is `y`. */
static Moments column(ImageView a, ImageView b, size_t x, size_t y, int c) {
    Moments sums = {0};
    for (size_t j = 0; j < WINDOW; j++) {
        const double p = view_value(a, x, y + j, c), q = view_value(b, x, y + j, c);
        add(&sums, (Moments){p, q, p * p, q * q, p * q}, 1);
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
            difference->squares += away * away;
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

double difference_psnr(const Difference *difference, Shape shape) {
    const double values = (double)shape.width * (double)difference->row * shape.channels;
    const double white = pixel_type_white(shape.type);
    return difference->squares > 0 ? 10 * log10(white * white * values / difference->squares) : INFINITY;
}

double difference_ssim(const Difference *difference) {
    return difference->windows > 0 ? difference->ssim / (double)difference->windows : 1;
}
