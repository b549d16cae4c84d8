/* mask.c: building, parsing and factoring masks. */
#include "core/param/mask.h"

#include "core/base/file.h"
#include "core/base/text.h"

#include <ctype.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

Status mask_create(int width, int height, Mask **mask) {
    *mask = NULL;
    if (width < 1 || height < 1 || width > MASK_MAX || height > MASK_MAX)
        return fail(STATUS_USAGE, "a mask of %d x %d weights; want 1 to %d a side", width, height, MASK_MAX);
    Mask *made = malloc(sizeof *made);
    float *weights = calloc((size_t)width * (size_t)height, sizeof *weights);
    if (!made || !weights) {
        free(made);
        free(weights);
        return fail(STATUS_DEVICE, "no memory for a mask of %d x %d weights", width, height);
    }
    static _Atomic uint64_t serials; /* over all threads */
    *made = (Mask){width, height, 1, weights, ++serials};
    *mask = made;
    return STATUS_OK;
}

Status mask_clone(const Mask *from, Mask **mask) {
    TRY(mask_create(from->width, from->height, mask));
    memcpy((*mask)->weights, from->weights, (size_t)from->width * (size_t)from->height * sizeof *from->weights);
    (*mask)->divisor = from->divisor;
    return STATUS_OK;
}

void mask_destroy(Mask **mask) {
    if (!*mask)
        return;
    free((*mask)->weights);
    free(*mask);
    *mask = NULL;
}

bool mask_equal(const Mask *a, const Mask *b) {
    return a && b && a->width == b->width && a->height == b->height && a->divisor == b->divisor &&
           memcmp(a->weights, b->weights, (size_t)b->width * (size_t)b->height * sizeof *b->weights) == 0;
}

/* Counts the numbers and rows of `text`, and stores the numbers if `weights` is not NULL. */
static Status scan(const char *text, float *weights, int *count, int *rows, int *columns) {
    int numbers = 0, finished_rows = 0, in_row = 0, width = 0;
    for (const char *at = text;; at++) {
        if (*at == '#')
            at += strcspn(at, "\n");
        const bool row_ends = *at == '\n' || *at == ';' || *at == '\0';
        if (row_ends && in_row > 0) {
            if (finished_rows > 0 && in_row != width)
                return fail(STATUS_USAGE, "mask: row %d has %d weights, the rows before it have %d", finished_rows + 1,
                            in_row, width);
            width = in_row;
            in_row = 0;
            finished_rows++;
        }
        if (*at == '\0')
            break;
        if (row_ends || isspace((unsigned char)*at) || *at == ',')
            continue;
        double number;
        const char *end;
        if (!text_number(at, &end, &number) || fabs(number) > (double)FLT_MAX || !strchr(" \t\r\n,;#", *end))
            return fail(STATUS_USAGE, "mask: weight %d is \"%.*s\", want a number", numbers + 1,
                        (int)strcspn(at, " \t\r\n,;"), at);
        if (weights)
            weights[numbers] = (float)number;
        in_row++;
        if (++numbers > MASK_MAX * MASK_MAX)
            return fail(STATUS_USAGE, "mask: more than %d weights", MASK_MAX * MASK_MAX);
        at = end - 1;
    }
    *count = numbers;
    *rows = finished_rows;
    *columns = width;
    return STATUS_OK;
}

/* `square`: a single row stands for a square mask, unless ';' ends it. */
static Status parse(const char *text, bool square, Mask **mask) {
    *mask = NULL;
    int count, rows, columns;
    TRY(scan(text, NULL, &count, &rows, &columns));
    if (count == 0)
        return fail(STATUS_USAGE, "mask: no weights; want numbers such as 0 -1 0 -1 5 -1 0 -1 0");
    if (square && rows == 1 && !strchr(text, ';')) {
        const int side = (int)lround(sqrt(count));
        if (side * side != count)
            return fail(STATUS_USAGE, "mask: %d weights are no square; put ';' behind each row", count);
        rows = columns = side;
    }
    TRY(mask_create(columns, rows, mask));
    return scan(text, (*mask)->weights, &count, &rows, &columns);
}

Status mask_parse(const char *text, Mask **mask) {
    return parse(text, true, mask);
}

Status mask_parse_rows(const char *text, Mask **mask) {
    return parse(text, false, mask);
}

Status mask_load(const char *path, Mask **mask) {
    char *text;
    *mask = NULL;
    TRY(file_read_text(path, &text));
    Status status = parse(text, false, mask);
    if (status != STATUS_OK)
        status = fail_within(STATUS_INPUT, "%s: ", path);
    free(text);
    return status;
}

#define BELL_SIGMAS 7 /* the weights beyond are 3e-11 of the largest at most: no result of f32 shows them */

/* The 2 radius + 1 weights of a bell curve, and their sum. */
static double bell(double sigma, int radius, double line[MASK_MAX]) {
    double sum = 0;
    for (int i = -radius; i <= radius; i++)
        sum += line[i + radius] = exp(-0.5 * i * i / (sigma * sigma));
    return sum;
}

/* As far as weights count. */
static int bell_radius(double sigma, int radius) {
    const int all = (int)ceil(BELL_SIGMAS * sigma);
    return radius < 1 ? (int)ceil(3 * sigma) : radius < all ? radius : all;
}

Status mask_gaussian_of(double sigma_x, double sigma_y, int radius, Mask **mask) {
    const int across = bell_radius(sigma_x, radius), down = bell_radius(sigma_y, radius);
    TRY(mask_create(2 * across + 1, 2 * down + 1, mask));
    double row[MASK_MAX] = {0}, column[MASK_MAX] = {0};
    const double sum = bell(sigma_x, across, row) * bell(sigma_y, down, column);
    float *weight = (*mask)->weights;
    for (int j = 0; j <= 2 * down; j++)
        for (int i = 0; i <= 2 * across; i++)
            *weight++ = (float)(column[j] * row[i] / sum);
    return STATUS_OK;
}

Status mask_gaussian(double sigma, int radius, Mask **mask) {
    return mask_gaussian_of(sigma, sigma, radius, mask);
}

Status mask_box(int width, int height, Mask **mask) {
    TRY(mask_create(width, height, mask));
    const int count = width * height;
    for (int i = 0; i < count; i++)
        (*mask)->weights[i] = 1;
    (*mask)->divisor = (float)count;
    return STATUS_OK;
}

Status mask_flip(Mask **mask) {
    const Mask *from = *mask;
    const int left = from->width % 2 == 0, above = from->height % 2 == 0;
    Mask *to;
    TRY(mask_create(from->width + left, from->height + above, &to));
    to->divisor = from->divisor;
    for (int j = 0; j < from->height; j++)
        for (int i = 0; i < from->width; i++)
            to->weights[(j + above) * to->width + i + left] =
                from->weights[(from->height - 1 - j) * from->width + from->width - 1 - i];
    mask_destroy(mask);
    *mask = to;
    return STATUS_OK;
}

/* The sum of |weights|, or infinity where weight times `factor` is no whole number but for the rounding of f32. */
static double whole_sum(const Mask *mask, double factor) {
    double sum = 0;
    for (int i = 0; i < mask->width * mask->height; i++) {
        const double weight = (double)mask->weights[i] * factor, whole = nearbyint(weight);
        sum += fabs(weight - whole) <= 2e-7 * fabs(weight) ? fabs(whole) : INFINITY;
    }
    return sum;
}

void mask_make_whole(Mask *mask) {
    const double divisor = (double)mask->divisor;
    if (nearbyint(divisor) == divisor && isfinite(whole_sum(mask, 1)))
        return;
    for (int power = 1; power <= 1000; power *= 10)
        if (whole_sum(mask, power / divisor) * 255 <= 0x1p24) { /* f32 can sum these */
            for (int i = 0; i < mask->width * mask->height; i++)
                mask->weights[i] = (float)nearbyint((double)mask->weights[i] * (power / divisor));
            mask->divisor = (float)power;
            return;
        }
}

bool mask_is_box(const Mask *mask) {
    for (int i = 1; i < mask->width * mask->height; i++)
        if (mask->weights[i] != mask->weights[0])
            return false;
    return true;
}

double mask_sum(const Mask *mask) {
    double sum = 0;
    for (int i = 0; i < mask->width * mask->height; i++)
        sum += (double)mask->weights[i];
    return sum / (double)mask->divisor;
}

double mask_absolute_sum(const Mask *mask) {
    double sum = 0;
    for (int i = 0; i < mask->width * mask->height; i++)
        sum += fabs((double)mask->weights[i]);
    return sum / fabs((double)mask->divisor);
}

/* The value of the lowest bit that is set in any weight. */
double mask_unit(const Mask *mask) {
    enum { BITS = 24 }; /* of a float */
    int lowest = INT_MAX;
    for (int i = 0; i < mask->width * mask->height; i++) {
        int exponent;
        const unsigned bits = (unsigned)ldexp(fabs(frexp((double)mask->weights[i], &exponent)), BITS);
        const int low = bits > 0 ? exponent - BITS + __builtin_ctz(bits) : INT_MAX;
        lowest = low < lowest ? low : lowest;
    }
    return lowest < INT_MAX ? ldexp(1, lowest) : 0;
}

/* Eliminates up to `max` terms and says in *rank how many there were; one more than `max` means that it was not
 * enough. Terms are stored if rows and columns are not NULL. */
static Status eliminate(const Mask *mask, int max, double *rows, double *columns, int *rank) {
    const int w = mask->width, h = mask->height, n = w * h;
    double *left = calloc((size_t)n, sizeof *left);
    if (!left)
        return fail(STATUS_DEVICE, "no memory to factor a mask of %d x %d weights", w, h);
    double all = 0;
    for (int i = 0; i < n; i++)
        all += fabs(left[i] = (double)mask->weights[i]);
    for (*rank = 0;; ++*rank) {
        double rest = 0;
        int pivot = 0;
        for (int i = 0; i < n; i++) {
            rest += fabs(left[i]);
            pivot = fabs(left[i]) > fabs(left[pivot]) ? i : pivot;
        }
        if (rest <= MASK_RESIDUAL * all)
            break;
        if (*rank == max) {
            ++*rank;
            break;
        }
        double row[MASK_MAX] = {0}, column[MASK_MAX] = {0};
        for (int i = 0; i < w; i++)
            row[i] = left[pivot / w * w + i];
        for (int j = 0; j < h; j++)
            column[j] = left[j * w + pivot % w] / left[pivot];
        for (int j = 0; j < h; j++)
            for (int i = 0; i < w; i++)
                left[j * w + i] -= column[j] * row[i];
        if (rows)
            memcpy(rows + *rank * w, row, (size_t)w * sizeof *row);
        if (columns)
            memcpy(columns + *rank * h, column, (size_t)h * sizeof *column);
    }
    free(left);
    return STATUS_OK;
}

int mask_rank(const Mask *mask) {
    int rank = 0;
    const int max = mask->width < mask->height ? mask->width : mask->height;
    if (eliminate(mask, max, NULL, NULL, &rank) != STATUS_OK)
        return max; /* without memory to find out, the mask counts as dense */
    return rank < max ? rank : max;
}

bool mask_has_terms(const Mask *mask, int max) {
    int rank = max + 1;
    return eliminate(mask, max, NULL, NULL, &rank) == STATUS_OK && rank <= max;
}

bool mask_separable(const Mask *mask) {
    return mask_has_terms(mask, 1);
}

/* Makes one pass of alternating least squares over a single term. The rounding of the pivot's row and column, which
 * would shift every result alike, averages away. Masks of whole numbers are exact already and stay so. */
static void refine(const Mask *mask, double *row, double *column) {
    const int w = mask->width, h = mask->height;
    double left = 0;
    for (int i = 0; i < w * h; i++)
        left += fabs((double)mask->weights[i] - column[i / w] * row[i % w]);
    if (left <= 0)
        return;
    for (int pass = 0; pass < 2; pass++) { /* the row from the column, then the column from the new row */
        double *fitted = pass == 0 ? row : column;
        const double *fixed = pass == 0 ? column : row;
        const int count = pass == 0 ? w : h, others = pass == 0 ? h : w;
        double square = 0;
        for (int k = 0; k < others; k++)
            square += fixed[k] * fixed[k];
        for (int i = 0; i < count; i++) {
            double sum = 0;
            for (int k = 0; k < others; k++)
                sum += fixed[k] * (double)mask->weights[pass == 0 ? k * w + i : i * w + k];
            fitted[i] = sum / square;
        }
    }
}

Status mask_factor(const Mask *mask, int max, MaskTerms *terms) {
    *terms = (MaskTerms){0};
    const size_t capacity = (size_t)(max < 1 ? 1 : max);
    terms->rows = calloc(capacity * (size_t)mask->width, sizeof *terms->rows);
    terms->columns = calloc(capacity * (size_t)mask->height, sizeof *terms->columns);
    Status status = terms->rows && terms->columns ? STATUS_OK : fail(STATUS_DEVICE, "no memory to factor a mask");
    if (status == STATUS_OK)
        status = eliminate(mask, max, terms->rows, terms->columns, &terms->count);
    if (status == STATUS_OK && terms->count > max)
        status = fail(STATUS_USAGE, "the mask is no sum of %d outer products", max);
    if (status == STATUS_OK && terms->count == 1)
        refine(mask, terms->rows, terms->columns);
    if (status != STATUS_OK)
        mask_terms_free(terms);
    return status;
}

void mask_terms_free(MaskTerms *terms) {
    free(terms->rows);
    free(terms->columns);
    *terms = (MaskTerms){0};
}
