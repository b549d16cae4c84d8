/* hdr.c: reading Radiance HDR (G. Ward, "Real pixels", Graphics Gems II; the Radiance file formats). */
#include "core/codec/formats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXPONENT_BIAS = 136, PACKED_LEAST = 8, PACKED_MOST = 0x7FFF };

typedef struct Reader {
    Bytes file;
    size_t at;
} Reader;

bool hdr_recognize(Bytes file) {
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
    if (width >= PACKED_LEAST && width <= PACKED_MOST && left >= 4 && from[0] == 2 && from[1] == 2 && from[2] < 128) {
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

Status hdr_load(Bytes file, Image **image) {
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
