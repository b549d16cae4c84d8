/* hdr.c: Radiance HDR (G. Ward, "Real pixels", Graphics Gems II; the Radiance file formats). */
#include "core/codec/formats.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    EXPONENT_BIAS = 136,
    EXPONENT_MIN = -127, /* of a pixel's largest value, by frexp: byte 1 */
    PACKED_MIN = 8,
    PACKED_MAX = 0x7FFF,
    RUN_MIN = 4,
    RUN_MAX = 127,
    DUMP_MAX = 128,
    LINE = 128 /* bytes of a header's line that are looked at */
};

typedef struct Reader {
    Bytes file;
    size_t at;
} Reader;

/* The word behind "#?" is the name of the program that began the file. */
static bool hdr_recognize(Bytes file) {
    size_t at = 2;
    if (file.size < 4 || memcmp(file.data, "#?", 2) != 0)
        return false;
    while (at < file.size && at < LINE && file.data[at] > ' ' && file.data[at] < 0x7F)
        at++;
    return at > 2 && at < file.size && (file.data[at] == '\n' || file.data[at] == '\r' || file.data[at] == ' ');
}

/* One line without its end and the blanks before that, cut to the buffer. */
static Status next_line(Reader *reader, char *line, size_t size) {
    const unsigned char *begin = reader->file.data + reader->at;
    const unsigned char *end = memchr(begin, '\n', reader->file.size - reader->at);
    if (!end) {
        reader->at = reader->file.size;
        return file_ends_early("Radiance HDR");
    }
    size_t length = (size_t)(end - begin);
    reader->at += length + 1;
    while (length > 0 && (begin[length - 1] == '\r' || begin[length - 1] == ' ' || begin[length - 1] == '\t'))
        length--;
    snprintf(line, size, "%.*s", (int)(length < size ? length : size), (const char *)begin);
    return STATUS_OK;
}

/* The order of pixels as an orientation: "-Y 2 +X 3" are two rows from the top down of three pixels from the left. */
static int orientation_of(const char *first, const char *second) {
    static const char *const orders[] = {"-Y+X", "-Y-X", "+Y-X", "+Y+X", "+X-Y", "-X-Y", "-X+Y", "+X+Y"};
    for (int i = 0; i < 8; i++)
        if (memcmp(orders[i], first, 2) == 0 && memcmp(orders[i] + 2, second, 2) == 0)
            return i + 1;
    return 0;
}

/* `shape` is as the pixels stand in the file. */
static Status read_header(Reader *reader, Shape *shape, int *orientation) {
    char line[LINE] = "", first[3] = "", second[3] = "";
    int end = 0;
    do {
        TRY(next_line(reader, line, sizeof line));
        if (reader->at > INPUT_HEAD) /* also where all of the file is at hand */
            return fail(STATUS_INPUT, "a Radiance HDR with a header of more than %d KiB, which cannot be read",
                        INPUT_HEAD >> 10);
        if (strncmp(line, "FORMAT=", 7) == 0 && strcmp(line + 7, "32-bit_rle_rgbe") != 0)
            return fail(STATUS_INPUT, "a Radiance HDR with the format \"%s\"; want 32-bit_rle_rgbe", line + 7);
    } while (line[0] != '\0');
    TRY(next_line(reader, line, sizeof line));
    const int fields = sscanf(line, "%2s %9zu %2s %9zu%n", first, &shape->height, second, &shape->width, &end);
    *orientation = fields == 4 && line[end] == '\0' ? orientation_of(first, second) : 0;
    if (*orientation == 0)
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

/* Pixels as they are. One of 1, 1, 1 repeats the one before as often as its exponent says. If several stand in a row,
 * each counts 256 times the one before (Radiance, oldreadcolrs). */
static Status read_plain_row(Reader *reader, unsigned char *row, size_t width) {
    static const unsigned char repeat[3] = {1, 1, 1};
    unsigned shift = 0;
    for (size_t x = 0; x < width;) {
        if (reader->file.size - reader->at < 4)
            return file_ends_early("Radiance HDR");
        const unsigned char *from = reader->file.data + reader->at;
        const bool repeats = memcmp(from, repeat, sizeof repeat) == 0;
        const size_t count = repeats ? (size_t)from[3] << shift : 1;
        reader->at += 4;
        if (repeats && (x == 0 || count > width - x))
            return fail(STATUS_INPUT, "damaged Radiance HDR: a run of %zu pixels behind %zu of %zu", count, x, width);
        for (size_t i = 0; i < count; i++, x++)
            memcpy(row + 4 * x, repeats ? row + 4 * (x - 1) : from, 4);
        shift = repeats && shift < 24 ? shift + 8 : 0;
    }
    return STATUS_OK;
}

static Status read_row(Reader *reader, unsigned char *row, size_t width) {
    const unsigned char *from = reader->file.data + reader->at;
    const size_t left = reader->file.size - reader->at;
    if (width < PACKED_MIN || width > PACKED_MAX || left < 4 || from[0] != 2 || from[1] != 2 || from[2] >= 128)
        return read_plain_row(reader, row, width);
    const size_t said = (size_t)from[2] << 8 | from[3];
    reader->at += 4;
    return said == width ? unpack_row(reader, row, width)
                         : fail(STATUS_INPUT, "damaged Radiance HDR: a row of %zu pixels, want %zu", said, width);
}

/* The fewest bytes that a row of this width takes: a pixel, and repetitions of it. */
static size_t row_min(size_t width) {
    size_t bytes = 4;
    for (size_t left = width - 1; left > 0; left >>= 8)
        bytes += 4;
    return bytes;
}

static Status hdr_measure(Input *file, Measure *measure) {
    Reader reader = {file->bytes, 0};
    measure->shape = (Shape){.channels = 3, .type = PIXEL_F32};
    const Status status = read_header(&reader, &measure->shape, &measure->orientation);
    TRY(header_settle(status, file, reader.at, "Radiance HDR"));
    measure->working = 4 * measure->shape.width;
    return file_must_hold(file,
                          memory_sum(reader.at, memory_product(measure->shape.height, row_min(measure->shape.width))),
                          "Radiance HDR");
}

static Status hdr_load(Bytes file, Image **image) {
    Reader reader = {file, 0};
    Shape shape = {0, 0, 3, PIXEL_F32};
    float scales[256] = {0}; /* by exponent; 0 means black */
    int orientation;
    *image = NULL;
    TRY(read_header(&reader, &shape, &orientation));
    for (int e = 1; e < 256; e++)
        scales[e] = ldexpf(1, e - EXPONENT_BIAS);
    TRY(image_create(shape, image));
    unsigned char *row = malloc(4 * shape.width);
    Status status = row ? STATUS_OK : fail(STATUS_DEVICE, "no memory to decode Radiance HDR");
    for (size_t y = 0; y < shape.height && status == STATUS_OK; y++) {
        status = decoding_goes_on();
        if (status == STATUS_OK)
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

/* Shared exponents (Graphics Gems II, p. 81): the largest of three values sets it, and each is rounded to nearest. A
 * negative value, or no number, becomes 0; an infinite one the largest that there is. */
static void pack_pixel(const float *from, unsigned char *to) {
    const float max = 0x1.FEp126F;
    float values[3], largest = 0;
    int exponent;
    for (size_t c = 0; c < 3; c++) {
        values[c] = !(from[c] > 0) ? 0 : from[c] < max ? from[c] : max;
        largest = values[c] > largest ? values[c] : largest;
    }
    const float mantissa = frexpf(largest, &exponent);
    exponent += mantissa >= 255.5F / 256; /* it rounds to 256 of 255 */
    exponent = exponent < EXPONENT_MIN ? EXPONENT_MIN : exponent;
    const double scale = ldexp(1, 8 - exponent);
    for (size_t c = 0; c < 3; c++)
        to[c] = (unsigned char)((double)values[c] * scale + 0.5);
    to[3] = to[0] | to[1] | to[2] ? (unsigned char)(exponent + 128) : 0;
}

static size_t run_at(const unsigned char *row, size_t x, size_t width) {
    size_t count = 1;
    while (count < RUN_MAX && x + count < width && row[4 * (x + count)] == row[4 * x])
        count++;
    return count;
}

/* One of the four bytes of each pixel, in runs of RUN_MIN and more, and dumps of the bytes between them. */
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

static Status write_rows(const Image *image, bool gives_up, unsigned char *row, unsigned char *packed, Bytes *file) {
    const Shape shape = image->view.shape;
    const bool packs = shape.width >= PACKED_MIN && shape.width <= PACKED_MAX;
    char header[128];
    size_t capacity = 0;
    snprintf(header, sizeof header, "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %zu +X %zu\n", shape.height, shape.width);
    bool written = bytes_append(file, &capacity, header, strlen(header));
    for (size_t y = 0; y < shape.height && written; y++) {
        const float *from = view_row(image->view, y);
        size_t size = 0;
        TRY(encoding_goes_on(gives_up));
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
    const Shape shape = image->view.shape;
    unsigned char *row = malloc(4 * shape.width);
    unsigned char *packed = malloc(4 + 5 * shape.width + 4); /* a dump's length for every DUMP_MAX bytes, and more */
    const Status status = row && packed ? write_rows(image, options.gives_up, row, packed, file)
                                        : fail(STATUS_DEVICE, "no memory to encode Radiance HDR");
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
