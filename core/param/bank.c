/* bank.c: filter banks. */
#include "core/param/bank.h"

#include "core/base/file.h"
#include "core/param/mask.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

Status bank_create(int count, int width, int height, Bank **bank) {
    static _Atomic uint64_t serials; /* over all threads */
    *bank = NULL;
    if (count < 1 || count > BANK_MASKS_MAX || width < 1 || height < 1 || width > MASK_MAX || height > MASK_MAX ||
        width * height > BANK_TERMS_MAX)
        return fail(STATUS_USAGE, "a bank of %d masks of %dx%d weights: want at most %d, of at most %d weights", count,
                    width, height, BANK_MASKS_MAX, BANK_TERMS_MAX);
    Bank *made = malloc(sizeof *made);
    float *weights = calloc((size_t)count * (size_t)width * (size_t)height, sizeof *weights);
    if (!made || !weights) {
        free(made);
        free(weights);
        return fail(STATUS_DEVICE, "no memory for a filter bank");
    }
    *made = (Bank){count, width, height, weights, ++serials};
    *bank = made;
    return STATUS_OK;
}

void bank_destroy(Bank **bank) {
    if (*bank)
        free((*bank)->weights);
    free(*bank);
    *bank = NULL;
}

double bank_absolute_sum(const Bank *bank) {
    double largest = 0;
    for (int k = 0; k < bank->count; k++) {
        double sum = 0;
        for (size_t t = 0; t < bank_terms(bank); t++)
            sum += fabs((double)bank->weights[(size_t)k * bank_terms(bank) + t]);
        largest = fmax(largest, sum);
    }
    return largest;
}

/* ---- shipped ones ---- */

/* A mask as a function of the place. */
typedef struct Surface {
    double (*value)(const struct Surface *surface, double x, double y);
    double angle, scale, wavelength, phase;
} Surface;

/* Samples it at the pixels' middles, takes the mean away, and makes the sum of |weights| 1. */
static void sample(Bank *bank, int mask, const Surface *surface) {
    const size_t terms = bank_terms(bank);
    float *weights = bank->weights + (size_t)mask * terms;
    const double c = cos(surface->angle), s = sin(surface->angle);
    double mean = 0, sum = 0;
    double *values = malloc(terms * sizeof *values);
    if (!values)
        return; /* the mask stays 0 */
    for (size_t t = 0; t < terms; t++) {
        const double x = (double)(t % (size_t)bank->width) - bank->width / 2;  /* NOLINT(bugprone-integer-division) */
        const double y = bank->height / 2 - (double)(t / (size_t)bank->width); /* NOLINT(bugprone-integer-division) */
        values[t] = surface->value(surface, c * x + s * y, c * y - s * x);
        mean += values[t] / (double)terms;
    }
    for (size_t t = 0; t < terms; t++)
        sum += fabs(values[t] - mean);
    for (size_t t = 0; t < terms; t++)
        weights[t] = (float)((values[t] - mean) / sum);
    free(values);
}

static double bell(double x, double sigma) {
    return exp(-x * x / (2 * sigma * sigma));
}
static double wave(const Surface *surface, double x, double y) {
    return bell(x, surface->scale) * bell(y, 2 * surface->scale) *
           cos(2 * M_PI * x / surface->wavelength - surface->phase);
}
/* The first derivative across an edge that is three times as long. */
static double edge(const Surface *surface, double x, double y) {
    return bell(x, 3 * surface->scale) * -y * bell(y, surface->scale);
}
static double bar(const Surface *surface, double x, double y) {
    const double square = surface->scale * surface->scale;
    return bell(x, 3 * surface->scale) * (y * y - square) * bell(y, surface->scale);
}
static double laplacian(const Surface *surface, double x, double y) {
    const double square = surface->scale * surface->scale;
    return (x * x + y * y - 2 * square) * bell(hypot(x, y), surface->scale);
}
static double blob(const Surface *surface, double x, double y) {
    return bell(hypot(x, y), surface->scale);
}

Status bank_gabor(int orientations, double wavelength, int side, Bank **bank) {
    TRY(bank_create(2 * orientations, side, side, bank));
    for (int i = 0; i < 2 * orientations; i++)
        sample(*bank, i,
               &(Surface){wave, i % orientations * M_PI / orientations, 0.56 * wavelength, wavelength,
                          i < orientations ? 0 : M_PI / 2});
    return STATUS_OK;
}

Status bank_leung_malik(int side, Bank **bank) {
    enum { SCALES = 3, DIRECTIONS = 6, BLOBS = 4 };
    const struct {
        double (*value)(const Surface *surface, double x, double y);
        double factor;
    } rounds[] = {{laplacian, 1}, {laplacian, 3}, {blob, 1}};
    int k = 0;
    TRY(bank_create(48, side, side, bank));
    for (int kind = 0; kind < 2; kind++)
        for (int scale = 1; scale <= SCALES; scale++)
            for (int i = 0; i < DIRECTIONS; i++)
                sample(*bank, k++, &(Surface){kind ? bar : edge, i * M_PI / DIRECTIONS, pow(M_SQRT2, scale), 0, 0});
    for (size_t r = 0; r < sizeof rounds / sizeof rounds[0]; r++)
        for (int scale = 1; scale <= BLOBS; scale++)
            sample(*bank, k++, &(Surface){rounds[r].value, 0, rounds[r].factor * pow(M_SQRT2, scale), 0, 0});
    return STATUS_OK;
}

/* ---- a user's own ---- */

static bool is_blank(const char *line, size_t length) {
    return strspn(line, " \t\r") >= length;
}

/* The next mask's text, ended in place; NULL if there is none. */
static char *next_mask(char **rest) {
    char *line = *rest, *begin = NULL;
    while (*line) {
        const size_t length = strcspn(line, "\n");
        char *const next = line + length + (line[length] != '\0');
        if (begin && is_blank(line, length)) {
            *line = '\0';
            *rest = next;
            return begin;
        }
        if (!begin && !is_blank(line, length) && line[strspn(line, " \t")] != '#')
            begin = line;
        line = next;
    }
    *rest = line;
    return begin;
}

static Status take_masks(char *text, Mask **masks, int *count) {
    char *one;
    while ((one = next_mask(&text))) {
        if (*count == BANK_MASKS_MAX)
            return fail(STATUS_INPUT, "more than %d masks", BANK_MASKS_MAX);
        TRY(mask_parse_rows(one, &masks[*count]));
        ++*count;
        if (masks[*count - 1]->width != masks[0]->width || masks[*count - 1]->height != masks[0]->height)
            return fail(STATUS_INPUT, "mask %d is %dx%d, want %dx%d as the first", *count, masks[*count - 1]->width,
                        masks[*count - 1]->height, masks[0]->width, masks[0]->height);
    }
    return *count > 0 ? STATUS_OK : fail(STATUS_INPUT, "no mask in it");
}

Status bank_load(const char *path, Bank **bank) {
    Mask *masks[BANK_MASKS_MAX] = {0};
    char *text;
    int count = 0;
    *bank = NULL;
    TRY(file_read_text(path, &text));
    Status status = take_masks(text, masks, &count);
    if (status == STATUS_OK)
        status = bank_create(count, masks[0]->width, masks[0]->height, bank);
    for (int k = 0; k < count && status == STATUS_OK; k++)
        memcpy((*bank)->weights + (size_t)k * bank_terms(*bank), masks[k]->weights, bank_terms(*bank) * sizeof(float));
    for (int k = 0; k < BANK_MASKS_MAX; k++)
        mask_destroy(&masks[k]);
    free(text);
    return status == STATUS_OK ? status : fail_within(STATUS_INPUT, "%s: ", path);
}
