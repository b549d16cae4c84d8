/* uprights.c: votes of edges for lines, and the far point that most lines lead to. */
#include "core/chain/uprights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONG_SIDE = 480, /* of the picture that is looked at */
    SAMPLES = 3,     /* of the picture for a pixel of that, each way */
    SLOPES = 289,    /* from -SLOPE_MAX to SLOPE_MAX */
    NEAR_SLOPES = 25,
    LINES_MAX = 64,
    LINES_MIN = 3
};

#define SLOPE_MAX  0.576 /* columns a row */
#define SLOPE_STEP (2 * SLOPE_MAX / (SLOPES - 1))
#define BEYOND     0.3   /* of the width: lines pass the middle row there at most */
#define LENGTH     0.15  /* of the height: edge pixels that a line has at least */
#define AGREES     0.008 /* how far a slope may be from what a far point asks for */
#define APART      0.1   /* of the width, between two lines that tell where they meet */

/* A line passes column `x` of the middle row, from the middle; it has so many edge pixels. */
typedef struct UprightLine {
    double x, slope, votes;
} UprightLine;

/* A gray picture of one float a pixel. */
typedef struct Small {
    size_t width, height;
    float *values;
} Small;

static float gray_at(ImageView picture, size_t x, size_t y) {
    const bool colours = picture.shape.channels >= 3;
    const double first = view_value(picture, x, y, 0);
    const double luma =
        colours ? 0.2126 * first + 0.7152 * view_value(picture, x, y, 1) + 0.0722 * view_value(picture, x, y, 2)
                : first;
    const float value = (float)(luma / pixel_type_white(picture.shape.type));
    return value > 0 ? value < 1 ? value : 1 : 0; /* NaN is dark */
}

static Status make_small(ImageView picture, Small *small) {
    const double width = (double)picture.shape.width, height = (double)picture.shape.height;
    const double by = fmin(1, LONG_SIDE / fmax(width, height));
    small->width = (size_t)fmax(floor(width * by), 1);
    small->height = (size_t)fmax(floor(height * by), 1);
    small->values = malloc(small->width * small->height * sizeof *small->values);
    if (!small->values)
        return fail(STATUS_DEVICE, "no memory to look for upright lines");
    const double across = width / (double)small->width, down = height / (double)small->height;
    for (size_t i = 0; i < small->width * small->height; i++) {
        float sum = 0;
        for (int k = 0; k < SAMPLES * SAMPLES; k++) {
            const double x = ((double)(i % small->width) + (k % SAMPLES + 0.5) / SAMPLES) * across;
            const double y = ((double)(i / small->width) + (k / SAMPLES + 0.5) / SAMPLES) * down;
            sum += gray_at(picture, (size_t)fmin(x, width - 1), (size_t)fmin(y, height - 1));
        }
        small->values[i] = sum / (SAMPLES * SAMPLES);
    }
    return STATUS_OK;
}

/* Along rows, or down columns, by the binomial weights 1 4 6 4 1: directions of stairs become those of lines. */
static void smooth(const Small *small, const float *from, float *to, bool down) {
    static const float weights[5] = {1.0F / 16, 4.0F / 16, 6.0F / 16, 4.0F / 16, 1.0F / 16};
    const ptrdiff_t width = (ptrdiff_t)small->width, height = (ptrdiff_t)small->height;
    for (ptrdiff_t y = 0; y < height; y++)
        for (ptrdiff_t x = 0; x < width; x++) {
            float sum = 0;
            for (ptrdiff_t k = -2; k <= 2; k++) {
                const ptrdiff_t u = x + (down ? 0 : k), v = y + (down ? k : 0);
                sum += weights[k + 2] * from[(v < 0        ? 0
                                              : v < height ? v
                                                           : height - 1) *
                                                 width +
                                             (u < 0       ? 0
                                              : u < width ? u
                                                          : width - 1)];
            }
            to[y * width + x] = sum;
        }
}

static Status smooth_all(const Small *small) {
    float *between = malloc(small->width * small->height * sizeof *between);
    if (!between)
        return fail(STATUS_DEVICE, "no memory to look for upright lines");
    smooth(small, small->values, between, false);
    smooth(small, between, small->values, true);
    free(between);
    return STATUS_OK;
}

/* ---- votes ---- */

typedef struct Votes {
    size_t columns;  /* of the middle row, with those beyond the picture */
    double first;    /* the column of the first, from the middle */
    unsigned *count; /* by column, then slope */
} Votes;

/* Sobel's derivatives. */
static void gradient_at(const Small *small, size_t x, size_t y, double *across, double *down) {
    const float *above = small->values + (y - 1) * small->width + x, *at = above + small->width,
                *below = at + small->width;
    const double left = (double)(above[-1] + 2 * at[-1] + below[-1]), right = (double)(above[1] + 2 * at[1] + below[1]);
    *across = right - left;
    *down = (double)(below[-1] + 2 * below[0] + below[1]) - (double)(above[-1] + 2 * above[0] + above[1]);
}

static double strength_at(const Small *small, size_t x, size_t y) {
    double across, down;
    gradient_at(small, x, y, &across, &down);
    return fabs(across);
}

/* Edges are stronger than twice the mean, and than their neighbours in the row. */
static double least_strength(const Small *small) {
    double sum = 0;
    for (size_t y = 1; y + 1 < small->height; y++)
        for (size_t x = 1; x + 1 < small->width; x++)
            sum += strength_at(small, x, y);
    return fmax(2 * sum / (double)(small->width * small->height), 0.05);
}

/* For all lines through a pixel whose slopes are near that of its edge. */
static void vote(const Votes *votes, double x, double y, double slope) {
    const int middle = (int)lrint((slope + SLOPE_MAX) / SLOPE_STEP);
    for (int k = middle - NEAR_SLOPES; k <= middle + NEAR_SLOPES; k++) {
        const double column = x - (k * SLOPE_STEP - SLOPE_MAX) * y - votes->first;
        if (k >= 0 && k < SLOPES && column >= 0 && column < (double)votes->columns)
            votes->count[(size_t)column * SLOPES + (size_t)k]++;
    }
}

static Status count_votes(const Small *small, Votes *votes) {
    const double width = (double)small->width, middle_x = (width - 1) / 2, middle_y = ((double)small->height - 1) / 2;
    const double least = least_strength(small);
    votes->columns = (size_t)(width * (1 + 2 * BEYOND)) + 1;
    votes->first = -width * (0.5 + BEYOND);
    votes->count = calloc(votes->columns * SLOPES, sizeof *votes->count);
    if (!votes->count)
        return fail(STATUS_DEVICE, "no memory to look for upright lines");
    for (size_t y = 1; y + 1 < small->height; y++)
        for (size_t x = 2; x + 2 < small->width; x++) {
            double across, down;
            gradient_at(small, x, y, &across, &down);
            if (fabs(across) >= least && fabs(down) < SLOPE_MAX * fabs(across) &&
                fabs(across) >= strength_at(small, x - 1, y) && fabs(across) > strength_at(small, x + 1, y))
                vote(votes, (double)x - middle_x, (double)y - middle_y, -down / across);
        }
    return STATUS_OK;
}

/* ---- lines ---- */

static size_t find_most(const Votes *votes) {
    size_t most = 0;
    for (size_t i = 1; i < votes->columns * SLOPES; i++)
        most = votes->count[i] > votes->count[most] ? i : most;
    return most;
}

/* The line with the most votes, at the middle of those around it; takes these away. */
static UprightLine take_line(const Votes *votes, size_t most) {
    enum { COLUMNS = 4, NEAR = 2 };
    const ptrdiff_t column = (ptrdiff_t)(most / SLOPES), slope = (ptrdiff_t)(most % SLOPES);
    UprightLine line = {.votes = votes->count[most]};
    double sum = 0, x = 0, s = 0;
    for (ptrdiff_t i = column - COLUMNS; i <= column + COLUMNS; i++)
        for (ptrdiff_t k = slope - 2 * NEAR_SLOPES; k <= slope + 2 * NEAR_SLOPES; k++) {
            if (i < 0 || i >= (ptrdiff_t)votes->columns || k < 0 || k >= SLOPES)
                continue;
            unsigned *count = &votes->count[i * SLOPES + k];
            const double weight = llabs(i - column) <= NEAR && llabs(k - slope) <= NEAR ? (double)*count * *count : 0;
            sum += weight;
            x += weight * (double)i;
            s += weight * (double)k;
            *count = 0;
        }
    line.x = votes->first + x / sum + 0.5;
    line.slope = s / sum * SLOPE_STEP - SLOPE_MAX;
    return line;
}

static size_t take_lines(const Votes *votes, double least, UprightLine lines[LINES_MAX]) {
    size_t count = 0;
    for (size_t most = find_most(votes); count < LINES_MAX && votes->count[most] >= least; most = find_most(votes))
        lines[count++] = take_line(votes, most);
    return count;
}

/* ---- the far point: slopes are p x + q ---- */

static bool agrees(const UprightLine *line, double p, double q) {
    return fabs(line->slope - p * line->x - q) < AGREES;
}

static double votes_for(const UprightLine *lines, size_t count, double p, double q) {
    double votes = 0;
    for (size_t i = 0; i < count; i++)
        votes += agrees(&lines[i], p, q) ? lines[i].votes : 0;
    return votes;
}

/* By the pair of lines that most others agree with. */
static double find_pair(const UprightLine *lines, size_t count, double width, double *p, double *q) {
    double most = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++) {
            if (!(lines[k].x - lines[i].x > APART * width))
                continue;
            const double by = (lines[k].slope - lines[i].slope) / (lines[k].x - lines[i].x);
            const double at = lines[i].slope - by * lines[i].x, votes = votes_for(lines, count, by, at);
            if (votes > most) {
                most = votes;
                *p = by;
                *q = at;
            }
        }
    return most;
}

/* The straight line through all that agree, by least squares; false if they are too few, or too near to each other. */
static bool fit(const UprightLine *lines, size_t count, double width, double *p, double *q) {
    double n = 0, x = 0, s = 0, xx = 0, xs = 0, left = INFINITY, right = -INFINITY;
    size_t agreed = 0;
    for (size_t i = 0; i < count; i++) {
        const UprightLine *line = &lines[i];
        if (!agrees(line, *p, *q))
            continue;
        agreed++;
        n += line->votes;
        x += line->votes * line->x;
        s += line->votes * line->slope;
        xx += line->votes * line->x * line->x;
        xs += line->votes * line->x * line->slope;
        left = fmin(left, line->x);
        right = fmax(right, line->x);
    }
    if (agreed < LINES_MIN || right - left < width / 4)
        return false;
    *p = (n * xs - x * s) / (n * xx - x * x);
    *q = (s - *p * x) / n;
    return true;
}

static bool find_slopes(const UprightLine *lines, size_t count, double width, double *p, double *q) {
    double all = 0;
    for (size_t i = 0; i < count; i++)
        all += lines[i].votes;
    return 2 * find_pair(lines, count, width, p, q) >= all && fit(lines, count, width, p, q) &&
           fabs(*p) * width / 2 + fabs(*q) < SLOPE_MAX;
}

Status uprights_find(ImageView picture, bool *found, double lines[8]) {
    Small small = {0};
    Votes votes = {0};
    UprightLine seen[LINES_MAX];
    double p = 0, q = 0;
    *found = false;
    Status status = make_small(picture, &small);
    if (status == STATUS_OK)
        status = smooth_all(&small);
    if (status == STATUS_OK)
        status = count_votes(&small, &votes);
    const double width = (double)small.width, height = (double)small.height;
    const size_t count = status == STATUS_OK ? take_lines(&votes, fmax(LENGTH * height, 8), seen) : 0;
    *found = count >= LINES_MIN && find_slopes(seen, count, width, &p, &q);
    for (int i = 0; i < 2 && *found; i++) {
        const double x = (i == 0 ? -0.3 : 0.3) * width, slope = p * x + q;
        for (int end = 0; end < 2; end++) {
            lines[4 * i + 2 * end] = 100 * (0.5 + (x + (end - 0.5) * height * slope) / width);
            lines[4 * i + 2 * end + 1] = 100 * end;
        }
    }
    free(small.values);
    free(votes.count);
    return status;
}
