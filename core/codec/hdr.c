/* hdr.c: Radiance HDR (G. Ward, "Real pixels", Graphics Gems II; the Radiance file formats). */
#include "core/codec/formats.h"

#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXPONENT_BIAS = 136, PACKED_MIN = 8, PACKED_MAX = 0x7FFF, RUN_MIN = 4, RUN_MAX = 127, DUMP_MAX = 128 };

typedef struct Reader {
    Bytes file;
    size_t at;
} Reader;

static bool hdr_recognize(Bytes file) {
    return (file.size >= 11 && memcmp(file.data, "#?RADIANCE\n", 11) == 0) ||
           (file.size >= 7 && memcmp(file.data, "#?RGBE\n", 7) == 0);
}

/* One line without its end, cut to the buffer. */
static Status next_line(Reader *reader, char *line, size_t size) {
    const unsigned char *begin = reader->file.data + reader->at;
    const unsigned char *end = memchr(begin, '\n', reader->file.size - reader->at);
    if (!end)
        return file_ends_early("Radiance HDR");
    const size_t length = (size_t)(end - begin);
    snprintf(line, size, "%.*s", (int)(length < size ? length : size), (const char *)begin);
    reader->at += length + 1;
    return STATUS_OK;
}

static Status read_header(Reader *reader, Shape *shape) {
    char line[128] = "";
    int end = 0;
    do {
        TRY(next_line(reader, line, sizeof line));
        if (strncmp(line, "FORMAT=", 7) == 0 && strcmp(line + 7, "32-bit_rle_rgbe") != 0)
            return fail(STATUS_INPUT, "a Radiance HDR with the format \"%s\"; want 32-bit_rle_rgbe", line + 7);
    } while (line[0] != '\0');
    TRY(next_line(reader, line, sizeof line));
    if (sscanf(line, "-Y %9zu +X %9zu%n", &shape->height, &shape->width, &end) != 2 || line[end] != '\0')
        return fail(STATUS_INPUT, "a Radiance HDR of the size \"%s\"; want \"-Y height +X width\"", line);
    return shape_check(*shape);
}

/* Each of the four bytes of a row's pixels by itself, in runs and dumps. */
static Status unpack_row(Reader *reader, unsigned char *row, size_t width) {
    const unsigned char *data = reader->file.data;
    for (size_t c = 0; c < 4; c++)
        for (size_t x = 0; x < width;) {
            if (reader->file.size - reader->at < 2)
                return file_ends_early("Radiance HDR");
            const bool run = data[reader->at] > 128;
            const size_t count = data[reader->at++] & (run ? 127 : 255), stored = run ? 1 : count;
            if (count == 0 || count > width - x)
                return fail(STATUS_INPUT, "damaged Radiance HDR: a run of %zu pixels where %zu are left", count,
                            width - x);
            if (stored > reader->file.size - reader->at)
                return file_ends_early("Radiance HDR");
            for (size_t i = 0; i < count; i++)
                row[4 * (x + i) + c] = data[reader->at + (run ? 0 : i)];
            reader->at += stored;
            x += count;
        }
    return STATUS_OK;
}

static Status read_row(Reader *reader, unsigned char *row, size_t width) {
    const unsigned char *from = reader->file.data + reader->at;
    const size_t left = reader->file.size - reader->at;
    if (width >= PACKED_MIN && width <= PACKED_MAX && left >= 4 && from[0] == 2 && from[1] == 2 && from[2] < 128) {
        const size_t said = (size_t)from[2] << 8 | from[3];
        reader->at += 4;
        return said == width ? unpack_row(reader, row, width)
                             : fail(STATUS_INPUT, "damaged Radiance HDR: a row of %zu pixels, want %zu", said, width);
    }
    if (width > left / 4)
        return file_ends_early("Radiance HDR");
    for (size_t i = 0; i < width; i++)
        if (from[4 * i] == 1 && from[4 * i + 1] == 1 && from[4 * i + 2] == 1)
            return fail(STATUS_INPUT, "a Radiance HDR with runs of the oldest kind, which cannot be read");
    memcpy(row, from, 4 * width);
    reader->at += 4 * width;
    return STATUS_OK;
}

/* The fewest bytes that a row of this width takes: in runs, two for up to 127 of its values. */
static size_t row_min(size_t width) {
    const bool packs = width >= PACKED_MIN && width <= PACKED_MAX;
    return packs ? 4 + 4 * 2 * ((width + RUN_MAX - 1) / RUN_MAX) : 4 * width;
}

static Status hdr_measure(Input *file, Measure *measure) {
    Reader reader = {file->bytes, 0};
    measure->shape = (Shape){.channels = 3, .type = PIXEL_F32};
    TRY(read_header(&reader, &measure->shape));
    measure->working = 4 * measure->shape.width;
    return file_must_hold(file,
                          memory_sum(reader.at, memory_product(measure->shape.height, row_min(measure->shape.width))),
                          "Radiance HDR");
}

static Status hdr_load(Bytes file, Image **image) {
    Reader reader = {file, 0};
    Shape shape = {0, 0, 3, PIXEL_F32};
    float scales[256] = {0}; /* by exponent; 0 means black */
    *image = NULL;
    TRY(read_header(&reader, &shape));
    for (int e = 1; e < 256; e++)
        scales[e] = ldexpf(1, e - EXPONENT_BIAS);
    TRY(image_create(shape, image));
    unsigned char *row = malloc(4 * shape.width);
    Status status = row ? STATUS_OK : fail(STATUS_DEVICE, "no memory to decode Radiance HDR");
    for (size_t y = 0; y < shape.height && status == STATUS_OK; y++) {
        status = read_row(&reader, row, shape.width);
        float *to = view_row((*image)->view, y);
        for (size_t x = 0; x < shape.width && status == STATUS_OK; x++)
            for (size_t c = 0; c < 3; c++)
                to[3 * x + c] = (float)row[4 * x + c] * scales[row[4 * x + 3]];
    }
    free(row);
    if (status != STATUS_OK)
        image_destroy(image);
    return status;
}

/* ---- writing ---- */

/* Shared exponents (Graphics Gems II, p. 81): the largest of three values sets it. What they cannot hold: a negative
 * value or no number becomes 0, an infinite one the largest. */
static void pack_pixel(const float *from, unsigned char *to) {
    const float max = 0x1.FEp126F;
    float values[3], largest = 0;
    int exponent;
    for (size_t c = 0; c < 3; c++) {
        values[c] = !(from[c] > 0) ? 0 : from[c] < max ? from[c] : max;
        largest = values[c] > largest ? values[c] : largest;
    }
    memset(to, 0, 4);
    if (largest < 1e-32F)
        return;
    (void)frexpf(largest, &exponent);
    const float scale = ldexpf(1, 8 - exponent); /* exact: the largest value becomes 128 to below 256 */
    for (size_t c = 0; c < 3; c++)
        to[c] = (unsigned char)(values[c] * scale);
    to[3] = (unsigned char)(exponent + 128);
}

static size_t run_at(const unsigned char *row, size_t x, size_t width) {
    size_t count = 1;
    while (count < RUN_MAX && x + count < width && row[4 * (x + count)] == row[4 * x])
        count++;
    return count;
}

/* One of the four bytes of each pixel, in runs of RUN_MIN and more, and dumps of what is between them. */
static size_t pack_bytes(const unsigned char *row, size_t width, unsigned char *to) {
    size_t size = 0;
    for (size_t x = 0; x < width;) {
        size_t run = run_at(row, x, width);
        if (run >= RUN_MIN) {
            to[size++] = (unsigned char)(128 + run);
            to[size++] = row[4 * x];
            x += run;
            continue;
        }
        size_t dump = 0;
        const size_t head = size++;
        do
            to[size++] = row[4 * (x + dump++)];
        while (dump < DUMP_MAX && x + dump < width && run_at(row, x + dump, width) < RUN_MIN);
        to[head] = (unsigned char)dump;
        x += dump;
    }
    return size;
}

static Status write_rows(const Image *image, unsigned char *row, unsigned char *packed, Bytes *file) {
    const Shape shape = image->view.shape;
    const bool packs = shape.width >= PACKED_MIN && shape.width <= PACKED_MAX;
    char header[128];
    size_t capacity = 0;
    snprintf(header, sizeof header, "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %zu +X %zu\n", shape.height, shape.width);
    bool written = bytes_append(file, &capacity, header, strlen(header));
    for (size_t y = 0; y < shape.height && written; y++) {
        const float *from = view_row(image->view, y);
        size_t size = 0;
        for (size_t x = 0; x < shape.width; x++)
            pack_pixel(from + 3 * x, row + 4 * x);
        if (packs) {
            memcpy(packed, (unsigned char[]){2, 2, (unsigned char)(shape.width >> 8), (unsigned char)shape.width}, 4);
            size = 4;
            for (size_t c = 0; c < 4; c++)
                size += pack_bytes(row + c, shape.width, packed + size);
        }
        written =
            packs ? bytes_append(file, &capacity, packed, size) : bytes_append(file, &capacity, row, 4 * shape.width);
    }
    return written ? STATUS_OK : fail(STATUS_DEVICE, "no memory to encode Radiance HDR");
}

static Status hdr_save(const Image *image, SaveOptions options, Bytes *file) {
    (void)options;
    const Shape shape = image->view.shape;
    unsigned char *row = malloc(4 * shape.width);
    unsigned char *packed = malloc(4 + 5 * shape.width + 4); /* a dump's length for every DUMP_MAX bytes, and more */
    const Status status =
        row && packed ? write_rows(image, row, packed, file) : fail(STATUS_DEVICE, "no memory to encode Radiance HDR");
    free(row);
    free(packed);
    if (status != STATUS_OK)
        bytes_free(file);
    return status;
}

const Format format_hdr = {
    .name = "hdr",
    .title = "Radiance HDR",
    .extensions = "hdr pic rgbe",
    .remark = "shared exponents, nothing below 0",
    .reads = F32X3,
    .writes = F32X3,
    .recognize = hdr_recognize,
    .measure = hdr_measure,
    .load = hdr_load,
    .save = hdr_save,
};
