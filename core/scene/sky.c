/* sky.c: reads pictures of the sky, and makes the table by which directions are drawn. */
#include "core/scene/sky.h"

#include "core/codec/codec.h"
#include "core/math/colour.h"
#include "core/math/tone.h"

#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

/* How much of the sphere a row's texels take: the sine of the angle between y and their middles. */
static double row_sine(const SkyImage *sky, size_t row) {
    return sin((double)PI_F * ((double)row + 0.5) / (double)sky->height);
}

/* The brightest of the texels above, at, and below (x, y). */
static double brightest_of_column(const SkyImage *sky, size_t x, size_t y) {
    const size_t first = y > 0 ? y - 1 : 0, last = y + 1 < sky->height ? y + 1 : y;
    float max = 0;
    for (size_t row = first; row <= last; row++)
        max = fmaxf(max, vec_luminance(sky->texels[row * sky->width + x]));
    return (double)max;
}

/* Chances, added up, from weights, added up; where all are 0 each has the same. */
static void share(const double *sums, size_t count, float *chances) {
    const double total = sums[count];
    for (size_t i = 0; i <= count; i++)
        chances[i] = (float)(total > 0 ? sums[i] / total : (double)i / (double)count);
    chances[count] = 1;
}

/* Between the middles of texels the lookup is a mixture of up to four. So that no direction with light is left out, a
 * texel weighs as much as the brightest of the nine around it. Returns the sum of the weights; `column` has room for
 * the width. */
static double share_row(const SkyImage *sky, size_t y, double *sums, double *column, float *chances) {
    const size_t width = sky->width;
    for (size_t x = 0; x < width; x++)
        column[x] = brightest_of_column(sky, x, y);
    sums[0] = 0;
    for (size_t x = 0; x < width; x++) {
        const double before = column[x > 0 ? x - 1 : width - 1], after = column[x + 1 < width ? x + 1 : 0];
        sums[x + 1] = sums[x] + fmax(column[x], fmax(before, after));
    }
    share(sums, width, chances);
    return sums[width];
}

static void make_table(const SkyImage *sky, double *scratch, float *rows, float *columns) {
    double *sums = scratch, *row_sums = scratch + sky->width + 1, *column = row_sums + sky->height + 1;
    row_sums[0] = 0;
    for (size_t y = 0; y < sky->height; y++) {
        const double weight = share_row(sky, y, sums, column, columns + y * ((size_t)sky->width + 1));
        row_sums[y + 1] = row_sums[y] + weight * row_sine(sky, y);
    }
    share(row_sums, sky->height, rows);
}

static Vec mean_of(const SkyImage *sky) {
    double sum[3] = {0}, weight = 0;
    for (size_t y = 0; y < sky->height; y++) {
        const double sine = row_sine(sky, y);
        for (size_t x = 0; x < sky->width; x++) {
            const Vec light = sky->texels[y * sky->width + x];
            sum[0] += sine * (double)light.x;
            sum[1] += sine * (double)light.y;
            sum[2] += sine * (double)light.z;
        }
        weight += sine * (double)sky->width;
    }
    return vec((float)(sum[0] / weight), (float)(sum[1] / weight), (float)(sum[2] / weight));
}

/* ---- making ---- */

size_t sky_bytes(size_t width, size_t height) {
    return width * height * sizeof(Vec) + (height * (width + 1) + height + 1) * sizeof(float);
}

Status sky_create(const char *name, Vec *texels, size_t width, size_t height, SkyImage *sky) {
    float *rows = malloc((height + 1) * sizeof *rows), *columns = malloc(height * (width + 1) * sizeof *columns);
    double *scratch = malloc((2 * width + height + 2) * sizeof *scratch);
    *sky = (SkyImage){.texels = texels, .width = (uint32_t)width, .height = (uint32_t)height, rows, columns, {0}, 0};
    if (!rows || !columns || !scratch) {
        sky_free(sky);
        free(scratch);
        return fail(STATUS_DEVICE, "%s: no memory for a sky of %zu x %zu", name, width, height);
    }
    make_table(sky, scratch, rows, columns);
    sky->mean = mean_of(sky);
    free(scratch);
    return STATUS_OK;
}

Status sky_of_day(const Daylight *day, SkyImage *sky) {
    Vec *texels;
    *sky = (SkyImage){0};
    TRY(daylight_texels(day, &texels));
    return sky_create("the sky of a day", texels, DAYLIGHT_WIDTH, DAYLIGHT_HEIGHT, sky);
}

void sky_free(SkyImage *sky) {
    free((void *)(uintptr_t)sky->texels);
    free((void *)(uintptr_t)sky->rows);
    free((void *)(uintptr_t)sky->columns);
    *sky = (SkyImage){0};
}

/* ---- reading ---- */

/* A value as light. Values below 0, which sharpening leaves in sound pictures, are no light. Values that are not finite
 * or beyond all bounds are damage: one such texel would draw all samples to itself. */
static Status light_of(const char *path, ImageView view, size_t x, size_t y, int c, float *light) {
    const double value = view_value(view, x, y, c);
    const double linear = view.shape.type == PIXEL_F32 ? value : srgb_decode(value / pixel_type_white(view.shape.type));
    *light = (float)fmax(linear, 0);
    return linear <= (double)BRIGHTNESS_MAX
               ? STATUS_OK
               : fail(STATUS_INPUT, "%s: the light at (%zu, %zu) is %g; a sky's is finite, 1e9 at most", path, x, y,
                      linear);
}

static Status lights_of(const char *path, ImageView view, Vec *texels) {
    const int green = view.shape.channels < 3 ? 0 : 1, blue = view.shape.channels < 3 ? 0 : 2;
    for (size_t y = 0; y < view.shape.height; y++)
        for (size_t x = 0; x < view.shape.width; x++) {
            Vec *texel = &texels[y * view.shape.width + x];
            TRY(light_of(path, view, x, y, 0, &texel->x));
            TRY(light_of(path, view, x, y, green, &texel->y));
            TRY(light_of(path, view, x, y, blue, &texel->z));
        }
    return STATUS_OK;
}

static Status sky_fits(const char *path, size_t width, size_t height, size_t max) {
    const size_t bytes = sky_bytes(width, height);
    return bytes <= max ? STATUS_OK
                        : fail(STATUS_INPUT,
                               "%s: a sky of %zu x %zu takes %zu bytes; the memory that one scene may take leaves %zu "
                               "(GLINT_MEMORY sets this limit)",
                               path, width, height, bytes, max);
}

Status sky_load(const char *path, size_t max, SkyImage *sky) {
    const char *slash = strrchr(path, '/');
    Image *image = NULL;
    Daylight day;
    bool is_day;
    *sky = (SkyImage){0};
    TRY(daylight_parse(slash ? slash + 1 : path, &is_day, &day));
    if (is_day) {
        TRY(sky_fits(path, DAYLIGHT_WIDTH, DAYLIGHT_HEIGHT, max));
        return sky_of_day(&day, sky);
    }
    TRY(codec_load(path, &image));
    const size_t width = image->view.shape.width, height = image->view.shape.height;
    Vec *texels = NULL;
    Status status = sky_fits(path, width, height, max);
    if (status == STATUS_OK) {
        texels = malloc(width * height * sizeof *texels);
        status = texels ? lights_of(path, image->view, texels)
                        : fail(STATUS_DEVICE, "%s: no memory for a sky of %zu x %zu", path, width, height);
    }
    image_destroy(&image);
    if (status != STATUS_OK) {
        free(texels);
        return status;
    }
    return sky_create(path, texels, width, height, sky);
}
