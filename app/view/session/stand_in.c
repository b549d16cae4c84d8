/* stand_in.c: enlarging, between the centres of pixels. */
#include "app/view/session/stand_in.h"

#include "core/base/memory.h"
#include "core/base/share.h"
#include "core/codec/codec.h"
#include "core/device/pixel_pool.h"
#include "core/math/tone.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHARE_MIN = 8, BAND = 64 /* rows that a thread makes at a time */ };
#define SLACK 0.03 /* by which proportions may differ: sensors have a margin that cameras cut off */

/* ---- whether ---- */

/* The shape of a RAW file's picture, developed so; false for other files, and those that cannot be read. */
static bool measure(const char *path, RawWay raw, Shape *shape) {
    CodecFile file;
    if (strcmp(path, "-") == 0 || codec_open(path, (Pages){.count = 1, .raw = raw}, &file) != STATUS_OK)
        return false;
    *shape = codec_shape(&file);
    const bool develops = file.format->develops;
    codec_close(&file);
    return develops;
}

static bool stands_for(Shape small, Shape whole) {
    const double across = (double)small.width / (double)whole.width, down = (double)small.height / (double)whole.height;
    return across * SHARE_MIN >= 1 && fabs(across - down) <= SLACK * across;
}

RawWay stand_in_way(const char *path, size_t width, size_t height) {
    const RawWay jpeg = {.develop = RAW_PREVIEW};
    Shape shape;
    return measure(path, jpeg, &shape) && (shape.width >= width || shape.height >= height)
               ? jpeg
               : (RawWay){.develop = RAW_HALF};
}

/* ---- enlarging ---- */

/* Where a pixel's centre lies among those of the JPEG. */
typedef struct Place {
    size_t before, behind;
    float share; /* of the one behind */
} Place;

typedef struct Enlarging {
    ImageView from, to;
    float values[256]; /* of the result, by those of the JPEG */
    Place *columns;    /* of a row of the result */
} Enlarging;

static Place place(size_t at, size_t from, size_t to) {
    const double last = (double)(from - 1), centre = ((double)at + 0.5) * (double)from / (double)to - 0.5;
    const double inside = fmin(fmax(centre, 0), last), before = floor(inside);
    return (Place){(size_t)before, (size_t)fmin(before + 1, last), (float)(inside - before)};
}

/* A row of the JPEG, as wide as the result. */
static void widen(const Enlarging *job, size_t row, float *wide) {
    const size_t step = (size_t)job->from.shape.channels, channels = (size_t)job->to.shape.channels;
    const unsigned char *values = view_row(job->from, row);
    for (size_t x = 0; x < job->to.shape.width; x++) {
        const Place at = job->columns[x];
        for (size_t c = 0; c < channels; c++) {
            const size_t k = step < 3 ? 0 : channels < 3 ? 1 : c; /* green stands for gray */
            const float a = job->values[values[at.before * step + k]], b = job->values[values[at.behind * step + k]];
            wide[x * channels + c] = a + at.share * (b - a);
        }
    }
}

static void mix_rows(const float *a, const float *b, float share, size_t count, PixelType type, void *to) {
    float *floats = to;
    uint16_t *words = to;
    for (size_t i = 0; i < count && type == PIXEL_F32; i++)
        floats[i] = a[i] + share * (b[i] - a[i]);
    for (size_t i = 0; i < count && type == PIXEL_U16; i++)
        words[i] = (uint16_t)(a[i] + share * (b[i] - a[i]) + 0.5F);
}

/* Leaves rows as they are where memory is short: they are zeroed. */
static void enlarge_band(const void *job, size_t band) {
    const Enlarging *of = job;
    const Shape from = of->from.shape, to = of->to.shape;
    const size_t count = to.width * (size_t)to.channels, end = (band + 1) * BAND;
    float *rows = malloc(memory_product(2 * count, sizeof *rows)); /* rows of even and odd numbers */
    size_t held[2] = {SIZE_MAX, SIZE_MAX};
    for (size_t y = band * BAND; rows && y < end && y < to.height; y++) {
        const Place at = place(y, from.height, to.height);
        const size_t wanted[2] = {at.before, at.behind};
        for (int i = 0; i < 2; i++)
            if (held[wanted[i] % 2] != wanted[i]) {
                widen(of, wanted[i], rows + wanted[i] % 2 * count);
                held[wanted[i] % 2] = wanted[i];
            }
        mix_rows(rows + at.before % 2 * count, rows + at.behind % 2 * count, at.share, count, to.type,
                 view_row(of->to, y));
    }
    free(rows);
}

static Status enlarge(const Image *jpeg, Shape shape, Image **picture) {
    Enlarging job = {.from = jpeg->view, .columns = malloc(memory_product(shape.width, sizeof *job.columns))};
    const Status status = job.columns ? image_create(shape, picture) : fail(STATUS_DEVICE, "no memory for a picture");
    if (status == STATUS_OK) {
        job.to = (*picture)->view;
        for (int i = 0; i < 256; i++)
            job.values[i] = shape.type == PIXEL_F32 ? (float)srgb_decode(i / 255.0) : (float)(i * 257);
        for (size_t x = 0; x < shape.width; x++)
            job.columns[x] = place(x, jpeg->view.shape.width, shape.width);
        share_pieces((shape.height + BAND - 1) / BAND, enlarge_band, &job);
    }
    free(job.columns);
    return status;
}

/* ---- reading ---- */

static Status read_jpeg(const char *path, Image **jpeg) {
    FilePart part;
    return codec_load_part(path, (RawWay){.develop = RAW_PREVIEW}, &part, jpeg);
}

/* The data besides pixels are those of the JPEG, but for the profile of values that are light now. */
static Status stand(Image *jpeg, Shape shape, Image **picture) {
    TRY(enlarge(jpeg, shape, picture));
    image_pass_on(jpeg, *picture);
    if (shape.type == PIXEL_F32) {
        free((*picture)->profile);
        (*picture)->profile = NULL;
        (*picture)->profile_size = 0;
    }
    return STATUS_OK;
}

Status stand_in_decode(const char *path, RawWay raw, Image **picture) {
    Shape whole, small;
    Image *jpeg;
    *picture = NULL;
    if (raw.develop == RAW_PREVIEW || !measure(path, raw, &whole) ||
        !measure(path, (RawWay){.develop = RAW_PREVIEW}, &small) || !stands_for(small, whole))
        return STATUS_OK;
    PixelSource *before = image_source_set(&pixel_pages);
    Status status = read_jpeg(path, &jpeg);
    if (status == STATUS_OK) {
        status = stand(jpeg, whole, picture);
        image_destroy(&jpeg);
    }
    (void)image_source_set(before);
    return status == STATUS_DEVICE ? status : STATUS_OK; /* others are found when it is developed */
}
