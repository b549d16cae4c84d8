/* mask_paint.c: strokes, sizes and presets of masks; the tables are at the bottom. */
#include "app/view/data/mask_paint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT_RADIUS = 3 /* the largest of binomial weights: those of larger ones are long figures */ };
#define BELL_HEIGHT 16.0 /* in the middle of larger ones; at their ends 1 */

static size_t cell_count(const Mask *mask) {
    return (size_t)mask->width * (size_t)mask->height;
}

static float *weight_at(Mask *mask, int x, int y) {
    return &mask->weights[(size_t)y * (size_t)mask->width + (size_t)x];
}

/* ---- strokes ---- */

int mask_images(const Mask *mask, MaskSymmetry symmetry, int x, int y, MaskCell cells[SYMMETRY_IMAGES]) {
    const MaskSymmetryInfo *info = &mask_symmetries[symmetry];
    int count = 0;
    if (x < 0 || y < 0 || x >= mask->width || y >= mask->height)
        return 0;
    for (int i = 0; i < info->count; i++) {
        const bool transpose = info->images[i].transpose;
        const int column = info->images[i].mirror_x ? mask->width - 1 - x : x;
        const int row = info->images[i].mirror_y ? mask->height - 1 - y : y;
        if (!transpose || mask->width == mask->height)
            cells[count++] = (MaskCell){transpose ? row : column, transpose ? column : row, info->images[i].sign};
    }
    return count;
}

/* Whether a cell is an image of itself with the other sign. */
static bool cancels(const MaskCell *cells, int count) {
    for (int i = 1; i < count; i++)
        if (cells[i].x == cells[0].x && cells[i].y == cells[0].y && cells[i].sign != cells[0].sign)
            return true;
    return false;
}

void mask_paint(Mask *mask, MaskSymmetry symmetry, bool opposite, int x, int y, double weight) {
    MaskCell cells[SYMMETRY_IMAGES];
    const int count = mask_images(mask, symmetry, x, y, cells);
    const double painted = opposite && cancels(cells, count) ? 0 : weight;
    for (int i = 0; i < count; i++)
        *weight_at(mask, cells[i].x, cells[i].y) =
            (float)(opposite && painted != 0 ? cells[i].sign * painted : painted);
}

void mask_stroke(Mask *mask, MaskSymmetry symmetry, bool opposite, MaskCell from, MaskCell to, double weight) {
    const int across = abs(to.x - from.x), down = abs(to.y - from.y), steps = across > down ? across : down;
    for (int i = 0; i <= steps; i++) {
        const double share = steps > 0 ? (double)i / steps : 1;
        mask_paint(mask, symmetry, opposite, (int)lround(from.x + share * (to.x - from.x)),
                   (int)lround(from.y + share * (to.y - from.y)), weight);
    }
}

/* ---- all cells ---- */

Status mask_resize(const Mask *from, int width, int height, Mask **mask) {
    TRY(mask_create(width, height, mask));
    (*mask)->divisor = from->divisor;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int column = x - width / 2 + from->width / 2, row = y - height / 2 + from->height / 2;
            if (column >= 0 && row >= 0 && column < from->width && row < from->height)
                *weight_at(*mask, x, y) = from->weights[(size_t)row * (size_t)from->width + (size_t)column];
        }
    return STATUS_OK;
}

void mask_negate(Mask *mask) {
    for (size_t i = 0; i < cell_count(mask); i++)
        mask->weights[i] = mask->weights[i] != 0 ? -mask->weights[i] : 0;
}

void mask_clear(Mask *mask) {
    memset(mask->weights, 0, cell_count(mask) * sizeof *mask->weights);
}

void mask_turn(Mask *mask) {
    const int width = mask->height, height = mask->width;
    float *turned = malloc(cell_count(mask) * sizeof *turned);
    if (!turned)
        return; /* it stays as it is */
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            turned[y * width + x] = *weight_at(mask, y, width - 1 - x);
    free(mask->weights);
    mask->weights = turned;
    mask->width = width;
    mask->height = height;
}

double mask_normalizer(const Mask *mask) {
    double sum = 0, positive = 0, all = 0;
    for (size_t i = 0; i < cell_count(mask); i++) {
        const double weight = (double)mask->weights[i];
        sum += weight;
        all += fabs(weight);
        positive += fmax(weight, 0);
    }
    if (fabs(sum) > 1e-6 * all)
        return 1 / sum;
    return positive > 0 ? 1 / positive : 0;
}

/* ---- text ---- */

static void format_weight(float weight, char *buffer, size_t size) {
    for (int digits = 1; digits <= 9; digits++) {
        snprintf(buffer, size, "%.*g", digits, (double)weight);
        if (strtof(buffer, NULL) == weight && (fabsf(weight) >= 1e6F || !strstr(buffer, "e+")))
            return;
    }
}

size_t mask_format(const Mask *mask, char *buffer, size_t size) {
    size_t length = 0;
    char weight[32];
    for (size_t i = 0; i < cell_count(mask); i++) {
        const bool begins = i % (size_t)mask->width == 0;
        format_weight(mask->weights[i], weight, sizeof weight);
        const int written = snprintf(length < size ? buffer + length : NULL, length < size ? size - length : 0, "%s%s",
                                     i == 0   ? ""
                                     : begins ? "; "
                                              : " ",
                                     weight);
        length += (size_t)written;
    }
    if (mask->height == 1)
        length += (size_t)snprintf(length < size ? buffer + length : NULL, length < size ? size - length : 0, ";");
    return length;
}

/* ---- presets ---- */

/* Weight x, from -radius to radius, of a bell: binomial, or sampled; whole numbers, so that sums are exact. */
static double bell(int x, int radius) {
    if (abs(x) > radius)
        return 0;
    if (radius > EXACT_RADIUS)
        return round(BELL_HEIGHT * exp(-log(BELL_HEIGHT) * x * x / (radius * radius)));
    double chosen = 1;
    for (int i = 1; i <= radius + x; i++)
        chosen = chosen * (2 * radius + 1 - i) / i;
    return round(chosen);
}

/* Its first and second derivative; both sum to 0. */
static double slope(int x, int radius) {
    return bell(x - 1, radius - 1) - bell(x + 1, radius - 1);
}
static double bend(int x, int radius) {
    return bell(x - 1, radius - 1) - 2 * bell(x, radius - 1) + bell(x + 1, radius - 1);
}

static double identity(int x, int y, int radius) {
    (void)radius;
    return x == 0 && y == 0;
}
static double box(int x, int y, int radius) {
    (void)x, (void)y, (void)radius;
    return 1;
}
static double gaussian(int x, int y, int radius) {
    return bell(x, radius) * bell(y, radius);
}
static double disk(int x, int y, int radius) {
    return x * x + y * y <= (radius + 0.5) * (radius + 0.5);
}
static double ring(int x, int y, int radius) {
    return disk(x, y, radius) > 0 && disk(x, y, radius - 1) <= 0;
}
static double line(int x, int y, int radius) {
    (void)x, (void)radius;
    return y == 0;
}
static double diagonal(int x, int y, int radius) {
    (void)radius;
    return x == -y;
}
static double sharpen(int x, int y, int radius) {
    double sum = 0;
    for (int i = -radius; i <= radius; i++)
        sum += bell(i, radius);
    return (x == 0 && y == 0 ? 2 * sum * sum : 0) - gaussian(x, y, radius);
}
static double edges(int x, int y, int radius) {
    return x == 0 && y == 0 ? (2 * radius + 1) * (2 * radius + 1) - 1 : -1;
}
static double laplacian(int x, int y, int radius) {
    return bend(x, radius) * bell(y, radius) + bell(x, radius) * bend(y, radius);
}
static double slope_right(int x, int y, int radius) {
    return slope(x, radius) * bell(y, radius);
}
static double slope_down(int x, int y, int radius) {
    return slope(y, radius) * bell(x, radius);
}
static double emboss(int x, int y, int radius) {
    return x + y + identity(x, y, radius);
}

const MaskPreset *mask_preset_by_name(const char *name) {
    for (size_t i = 0; i < mask_preset_count; i++)
        if (strcmp(mask_presets[i].name, name) == 0)
            return &mask_presets[i];
    return NULL;
}

Status mask_preset_make(const MaskPreset *preset, int side, Mask **mask) {
    const int radius = side < 3 ? 1 : side / 2;
    TRY(mask_create(2 * radius + 1, 2 * radius + 1, mask));
    for (int y = -radius; y <= radius; y++)
        for (int x = -radius; x <= radius; x++)
            *weight_at(*mask, x + radius, y + radius) = (float)preset->weight(x, y, radius) + 0.0f; /* no -0 */
    return STATUS_OK;
}

/* ---- tables ---- */

const MaskSymmetryInfo mask_symmetries[SYMMETRIES] = {
    [SYMMETRY_NONE] = {"free", "each cell alone", 1, {{.sign = 1}}},
    [SYMMETRY_SIDES] = {"↔", "left and right alike", 2, {{.sign = 1}, {.mirror_x = true, .sign = -1}}},
    [SYMMETRY_ENDS] = {"↕", "top and bottom alike", 2, {{.sign = 1}, {.mirror_y = true, .sign = -1}}},
    [SYMMETRY_BOTH] = {"↔ ↕",
                       "all four quarters alike",
                       4,
                       {{.sign = 1},
                        {.mirror_x = true, .sign = -1},
                        {.mirror_y = true, .sign = -1},
                        {.mirror_x = true, .mirror_y = true, .sign = 1}}},
    [SYMMETRY_EIGHT] = {"all",
                        "all eighths alike, across the diagonals, too",
                        8,
                        {{.sign = 1},
                         {.mirror_x = true, .sign = -1},
                         {.mirror_y = true, .sign = -1},
                         {.mirror_x = true, .mirror_y = true, .sign = 1},
                         {.transpose = true, .sign = 1},
                         {.transpose = true, .mirror_x = true, .sign = -1},
                         {.transpose = true, .mirror_y = true, .sign = -1},
                         {.transpose = true, .mirror_x = true, .mirror_y = true, .sign = 1}}},
    [SYMMETRY_TURN] = {"half turn",
                       "alike after half a turn",
                       2,
                       {{.sign = 1}, {.mirror_x = true, .mirror_y = true, .sign = -1}}},
};

const MaskPreset mask_presets[] = {
    {"identity", "the picture as it is", identity},
    {"box", "the mean", box},
    {"gaussian", "a bell; binomial weights up to 7 × 7", gaussian},
    {"disk", "the mean of a disk, as out of focus", disk},
    {"ring", "the mean of a ring", ring},
    {"line", "the mean along a row, as of a camera that moves", line},
    {"diagonal", "the mean along a diagonal", diagonal},
    {"sharpen", "twice the picture, less a bell", sharpen},
    {"edges", "the pixel less its surroundings", edges},
    {"laplacian", "both second derivatives, of a bell", laplacian},
    {"right", "the slope to the right, as sobel", slope_right},
    {"down", "the slope downwards", slope_down},
    {"emboss", "light from the top left", emboss},
};
const size_t mask_preset_count = sizeof mask_presets / sizeof mask_presets[0];
