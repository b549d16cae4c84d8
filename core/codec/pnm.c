/* pnm.c: the Netpbm formats (PBM, PGM, PPM and PAM) and PFM: a text header, then the values as they are. */
#include "core/codec/formats.h"

#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/image/shape.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Cursor {
    Bytes file;
    size_t at;
} Cursor;

typedef struct Header {
    size_t width, height, max; /* most: the value of full intensity, 1 for bitmaps */
    int channels;
    bool text, bits;
} Header;

static bool pnm_recognize(Bytes file) {
    return file.size >= 3 && file.data[0] == 'P' && file.data[1] >= '1' && file.data[1] <= '7' &&
           (isspace(file.data[2]) || file.data[2] == '#');
}

static bool pfm_recognize(Bytes file) {
    return file.size >= 3 && file.data[0] == 'P' && (file.data[1] == 'F' || file.data[1] == 'f') &&
           isspace(file.data[2]);
}

static void skip_line(Cursor *cursor) {
    while (cursor->at < cursor->file.size && cursor->file.data[cursor->at] != '\n')
        cursor->at++;
}

static void skip_blanks(Cursor *cursor) {
    while (cursor->at < cursor->file.size) {
        const unsigned char c = cursor->file.data[cursor->at];
        if (c == '#')
            skip_line(cursor);
        else if (isspace(c))
            cursor->at++;
        else
            return;
    }
}

/* The next word, at most `size` - 1 characters; empty at the end of the file. A comment may begin within it. */
static void next_word(Cursor *cursor, char *word, size_t size) {
    size_t length = 0;
    skip_blanks(cursor);
    while (cursor->at < cursor->file.size && !isspace(cursor->file.data[cursor->at]) &&
           cursor->file.data[cursor->at] != '#' && length + 1 < size)
        word[length++] = (char)cursor->file.data[cursor->at++];
    word[length] = '\0';
}

static Status next_whole(Cursor *cursor, const char *what, size_t max, size_t *number) {
    char word[24], *end;
    next_word(cursor, word, sizeof word);
    const unsigned long long value = strtoull(word, &end, 10);
    if (!isdigit((unsigned char)word[0]) || *end != '\0' || value > max)
        return word[0] ? fail(STATUS_INPUT, "damaged PNM: %s is \"%s\", want a whole number up to %zu", what, word, max)
                       : file_ends_early("PNM");
    *number = (size_t)value;
    return STATUS_OK;
}

static Status parse_pam(Cursor *cursor, Header *header) {
    char word[24];
    size_t depth = 0;
    for (;;) {
        next_word(cursor, word, sizeof word);
        if (strcmp(word, "ENDHDR") == 0)
            break;
        if (strcmp(word, "WIDTH") == 0)
            TRY(next_whole(cursor, word, INT32_MAX, &header->width));
        else if (strcmp(word, "HEIGHT") == 0)
            TRY(next_whole(cursor, word, INT32_MAX, &header->height));
        else if (strcmp(word, "DEPTH") == 0)
            TRY(next_whole(cursor, word, 4, &depth));
        else if (strcmp(word, "MAXVAL") == 0)
            TRY(next_whole(cursor, word, 65535, &header->max));
        else if (strcmp(word, "TUPLTYPE") == 0)
            skip_line(cursor); /* it may be of several words */
        else
            return word[0] ? fail(STATUS_INPUT, "damaged PAM: \"%s\" in its header", word) : file_ends_early("PAM");
    }
    header->channels = (int)depth;
    return STATUS_OK;
}

static Status parse_header(Cursor *cursor, Header *header) {
    const char kind = (char)cursor->file.data[1];
    cursor->at = 2;
    *header = (Header){.max = 1};
    if (kind == '7') {
        header->max = 0; /* until it is named */
        TRY(parse_pam(cursor, header));
    } else {
        header->channels = kind == '3' || kind == '6' ? 3 : 1;
        header->text = kind <= '3';
        header->bits = kind == '1' || kind == '4';
        TRY(next_whole(cursor, "the width", INT32_MAX, &header->width));
        TRY(next_whole(cursor, "the height", INT32_MAX, &header->height));
        if (!header->bits)
            TRY(next_whole(cursor, "the largest value", 65535, &header->max));
    }
    if (header->max == 0)
        return fail(STATUS_INPUT, "damaged PNM: the largest value is 0");
    if (!header->text && cursor->at < cursor->file.size && cursor->file.data[cursor->at] == '#')
        skip_line(cursor);
    if (!header->text)
        cursor->at++; /* the one blank before the values */
    return STATUS_OK;
}

/* The bytes of a row: of a text, the fewest that it can have. */
static size_t row_bytes(const Header *header) {
    const size_t values = header->width * (size_t)header->channels; /* checked by shape_exists */
    return header->text ? values : header->bits ? (values + 7) / 8 : values * (header->max > 255 ? 2 : 1);
}

/* `size` is the whole file's. */
static Status check_values_there(const Cursor *cursor, size_t size, const Header *header) {
    const size_t left = cursor->at <= size ? size - cursor->at : 0, row = row_bytes(header);
    return row > 0 && header->height <= left / row ? STATUS_OK : file_ends_early("PNM");
}

/* The next value of a row that is no text, in `cursor` from its first byte on. */
static Status next_value(Cursor *cursor, const Header *header, size_t index, size_t *value) {
    const unsigned char *data = cursor->file.data;
    if (header->text && header->bits) { /* bits need no blanks between them */
        skip_blanks(cursor);
        if (cursor->at >= cursor->file.size)
            return file_ends_early("PNM");
        const unsigned char c = data[cursor->at++];
        if (c != '0' && c != '1')
            return fail(STATUS_INPUT, "damaged PNM: a pixel is neither 0 nor 1");
        *value = c == '0';
    } else if (header->text) {
        TRY(next_whole(cursor, "a value", header->max, value));
    } else if (header->bits) {
        *value = !(data[index / 8] >> (7 - index % 8) & 1); /* 1 is black */
    } else if (header->max > 255) {
        *value = (size_t)data[2 * index] << 8 | data[2 * index + 1];
    } else {
        *value = data[index];
    }
    if (*value > header->max)
        return fail(STATUS_INPUT, "damaged PNM: the value %zu is larger than %zu", *value, header->max);
    return STATUS_OK;
}

static Shape shape_of(const Header *header) {
    return (Shape){header->width, header->height, header->channels, header->max > 255 ? PIXEL_U16 : PIXEL_U8};
}

/* Whether another picture begins behind the values; of a stream, where that can be seen. */
static bool goes_on(Input *file, size_t end) {
    unsigned char next[3];
    return (file->seekable || end + sizeof next <= file->bytes.size) && input_peek(file, end, next, sizeof next) &&
           pnm_recognize((Bytes){next, sizeof next});
}

static Status pnm_measure(Input *file, Measure *measure) {
    Cursor cursor = {file->bytes, 0};
    Header header;
    const Status status = parse_header(&cursor, &header);
    TRY(header_settle(status, file, cursor.at, "PNM"));
    measure->shape = shape_of(&header);
    TRY(shape_exists(measure->shape));
    measure->row_working = header.text ? 0 : row_bytes(&header);
    const Status there = check_values_there(&cursor, file->size, &header);
    if (there != STATUS_OK && measure->pages.partial && !header.text) {
        measure->row_working = 0; /* a part is decoded as a whole */
        return STATUS_OK;
    }
    TRY(there);
    if (!header.text && goes_on(file, cursor.at + header.height * row_bytes(&header)))
        measure->extras |= EXTRA_FRAMES;
    return STATUS_OK;
}

typedef struct PnmSource {
    RowSource source; /* first, so that a RowSource is ours */
    Input *file;
    Header header;
    size_t begin;  /* of the values */
    size_t next;   /* row */
    Cursor cursor; /* in a text: its next row; else one row */
} PnmSource;

/* Bytes that are read, or written, at once; and of one call, as Linux reads no 2 GiB at once. */
enum { CHUNK = 1 << 20, PIECE = 1 << 30 };

static size_t chunk_rows(size_t row) {
    return row < CHUNK ? CHUNK / row : 1;
}

/* The two bytes of each value, of which files have the high one first. */
static void turn_values(uint16_t *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        values[i] = (uint16_t)(values[i] << 8 | values[i] >> 8);
}

/* Values are stored as in memory, but for the order of their bytes. */
static bool is_plain(const PnmSource *from) {
    const Header *header = &from->header;
    return !header->text && !header->bits && header->max == (size_t)pixel_type_white(from->source.shape.type);
}

/* The next `count` rows of the file, in pieces of which one call reads each. */
static Status take_bytes(PnmSource *from, unsigned char *to, size_t count) {
    const size_t row = row_bytes(&from->header), begin = from->begin + from->next * row, bytes = count * row;
    for (size_t done = 0; done < bytes; done += PIECE) {
        const size_t left = bytes - done;
        errno = 0;
        if (!input_peek(from->file, begin + done, to + done, left < PIECE ? left : PIECE))
            return errno ? fail(STATUS_INPUT, "cannot be read: %m") : file_ends_early("PNM");
    }
    return STATUS_OK;
}

static Status take_plain_rows(PnmSource *from, ImageView rows) {
    const size_t bytes = row_bytes(&from->header);
    TRY(take_bytes(from, rows.pixels, rows.shape.height));
    if (rows.shape.type == PIXEL_U16)
        turn_values(rows.pixels, rows.shape.height * bytes / 2);
    from->next += rows.shape.height;
    return STATUS_OK;
}

static Status take_row(PnmSource *from, ImageView row) {
    const Header *header = &from->header;
    const size_t white = (size_t)pixel_type_white(row.shape.type);
    if (!header->text)
        TRY(take_bytes(from, from->cursor.file.data, 1));
    from->next++;
    for (size_t i = 0; i < row.shape.width * (size_t)row.shape.channels; i++) {
        size_t value = 0;
        TRY(next_value(&from->cursor, header, i, &value));
        if (header->max != white)
            value = (value * white + header->max / 2) / header->max;
        if (row.shape.type == PIXEL_U8)
            ((uint8_t *)row.pixels)[i] = (uint8_t)value;
        else
            ((uint16_t *)row.pixels)[i] = (uint16_t)value;
    }
    return STATUS_OK;
}

static Status pnm_read(RowSource *source, ImageView rows) {
    PnmSource *from = (PnmSource *)source;
    const bool plain = is_plain(from);
    const size_t packed = shape_row_bytes(rows.shape), most = plain && rows.stride == packed ? chunk_rows(packed) : 1;
    for (size_t y = 0; y < rows.shape.height; y += most) {
        const size_t left = rows.shape.height - y;
        const ImageView next = view_crop(rows, 0, y, rows.shape.width, left < most ? left : most);
        TRY(decoding_goes_on());
        TRY(plain ? take_plain_rows(from, next) : take_row(from, next));
    }
    return STATUS_OK;
}

static Status pnm_rewind(RowSource *source) {
    ((PnmSource *)source)->next = 0;
    return STATUS_OK;
}

static void pnm_close(RowSource *source) {
    PnmSource *from = (PnmSource *)source;
    if (!from->header.text)
        bytes_free(&from->cursor.file);
    free(from);
}

static Status open_source(Input *file, Pages pages, Image *about, RowSource **source) {
    Cursor cursor = {file->bytes, 0};
    Header header;
    (void)pages, (void)about; /* there is one, and nothing besides */
    TRY(parse_header(&cursor, &header));
    PnmSource *made = malloc(sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory to decode PNM");
    *made = (PnmSource){{.shape = shape_of(&header), .read = pnm_read, .rewind = pnm_rewind, .close = pnm_close},
                        file,
                        header,
                        cursor.at,
                        0,
                        cursor};
    *source = &made->source;
    if (!header.text)
        made->cursor = (Cursor){{malloc(row_bytes(&header) + 1), row_bytes(&header)}, 0};
    return made->cursor.file.data ? STATUS_OK : fail(STATUS_DEVICE, "no memory to decode PNM");
}

static Status read_part(RowSource *source, FilePart *part, Image **image) {
    PnmSource *from = (PnmSource *)source;
    const size_t size = from->file->size, all = source->shape.height, width = source->shape.width;
    const size_t left = from->begin < size ? size - from->begin : 0, row = row_bytes(&from->header);
    const size_t there = row > 0 ? left / row : 0;
    if (from->header.text || there == 0 || there >= all)
        return file_ends_early("PNM");
    *part = (FilePart){.of = all, .rows = there, .fine = there};
    TRY(image_create(source->shape, image));
    return pnm_read(source, view_crop((*image)->view, 0, 0, width, there));
}

static Status pnm_load_part(Bytes bytes, FilePart *part, Image **image) {
    Input file = input_of(bytes);
    RowSource *source = NULL;
    *image = NULL;
    Status status = open_source(&file, (Pages){0}, NULL, &source);
    if (status == STATUS_OK)
        status = read_part(source, part, image);
    if (status != STATUS_OK)
        image_destroy(image);
    row_source_close(&source);
    return status;
}

/* PFM (P. Debevec): rows from the bottom up, little-endian if the scale is negative. */
static Status parse_pfm(Cursor *cursor, Shape *shape, double *scale) {
    char word[24];
    const char *end;
    *shape = (Shape){0, 0, cursor->file.data[1] == 'F' ? 3 : 1, PIXEL_F32};
    cursor->at = 2;
    TRY(next_whole(cursor, "the width", INT32_MAX, &shape->width));
    TRY(next_whole(cursor, "the height", INT32_MAX, &shape->height));
    next_word(cursor, word, sizeof word);
    if (!text_number(word, &end, scale) || *end != '\0' || fabs(*scale) <= 0)
        return fail(STATUS_INPUT, "damaged PFM: its scale is \"%s\"", word);
    cursor->at++; /* the one blank before the values */
    return shape_check(*shape);
}

static Status pfm_measure(Input *file, Measure *measure) {
    Cursor cursor = {file->bytes, 0};
    double scale;
    TRY(parse_pfm(&cursor, &measure->shape, &scale));
    return file_must_hold(file, memory_sum(cursor.at, shape_bytes(measure->shape)), "PFM");
}

static Status pfm_load(Bytes file, Image **image) {
    Cursor cursor = {file, 0};
    double scale;
    Shape shape;
    *image = NULL;
    TRY(parse_pfm(&cursor, &shape, &scale));
    TRY(image_create(shape, image));
    for (size_t y = shape.height; y-- > 0;) {
        unsigned char *row = view_row((*image)->view, y);
        TRY(decoding_goes_on());
        for (size_t i = 0; i < shape_row_bytes(shape); i++)
            row[i] = file.data[cursor.at + (scale < 0 ? i : i ^ 3)]; /* big-endian: the four bytes turned */
        cursor.at += shape_row_bytes(shape);
    }
    return STATUS_OK;
}

typedef struct PnmSink {
    RowSink sink; /* first, so that a RowSink is ours */
    ByteSink *to;
    size_t at;
    uint16_t *turned; /* a chunk of two bytes a value: with the high one first */
} PnmSink;

static Status pnm_put(PnmSink *sink, const void *data, size_t size) {
    TRY(sink->to->put(sink->to, sink->at, data, size));
    sink->at += size;
    return STATUS_OK;
}

/* Rows that follow one another in memory. */
static Status write_packed(PnmSink *to, ImageView rows) {
    const size_t bytes = shape_bytes(rows.shape);
    if (to->turned) {
        memcpy(to->turned, rows.pixels, bytes);
        turn_values(to->turned, bytes / 2);
    }
    return pnm_put(to, to->turned ? to->turned : rows.pixels, bytes);
}

static Status pnm_write(RowSink *sink, ImageView rows) {
    const size_t packed = shape_row_bytes(rows.shape), most = rows.stride == packed ? chunk_rows(packed) : 1;
    for (size_t y = 0; y < rows.shape.height; y += most) {
        const size_t left = rows.shape.height - y;
        TRY(write_packed((PnmSink *)sink, view_crop(rows, 0, y, rows.shape.width, left < most ? left : most)));
    }
    return STATUS_OK;
}

static void pnm_close_sink(RowSink *sink) {
    free(((PnmSink *)sink)->turned);
    free(sink);
}

static Status open_sink(const Image *about, SaveOptions options, ByteSink *to, RowSink **sink) {
    (void)options;
    const Shape shape = about->view.shape;
    const unsigned max = shape.type == PIXEL_U8 ? 255 : 65535;
    const size_t row = shape_row_bytes(shape);
    char header[160];
    PnmSink *made = malloc(sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory to encode PNM");
    *made = (PnmSink){{.shape = shape, .write = pnm_write, .close = pnm_close_sink},
                      to,
                      0,
                      shape.type == PIXEL_U16 ? malloc(row * chunk_rows(row)) : NULL};
    *sink = &made->sink;
    if (shape.type == PIXEL_U16 && !made->turned)
        return fail(STATUS_DEVICE, "no memory to encode PNM");
    if (shape_has_alpha(shape))
        snprintf(header, sizeof header, "P7\nWIDTH %zu\nHEIGHT %zu\nDEPTH %d\nMAXVAL %u\nTUPLTYPE %s\nENDHDR\n",
                 shape.width, shape.height, shape.channels, max, shape.channels == 2 ? "GRAYSCALE_ALPHA" : "RGB_ALPHA");
    else
        snprintf(header, sizeof header, "P%d\n%zu %zu\n%u\n", shape.channels == 1 ? 5 : 6, shape.width, shape.height,
                 max);
    return pnm_put(made, header, strlen(header));
}

static Status out_of_memory(Bytes *file) {
    bytes_free(file);
    return fail(STATUS_DEVICE, "no memory to encode PNM");
}

static Status pfm_save(const Image *image, SaveOptions options, Bytes *file) {
    const Shape shape = image->view.shape;
    char header[80];
    size_t capacity = 0;
    snprintf(header, sizeof header, "P%c\n%zu %zu\n-1.0\n", shape.channels == 3 ? 'F' : 'f', shape.width, shape.height);
    if (!bytes_append(file, &capacity, header, strlen(header)))
        return out_of_memory(file);
    Status status = STATUS_OK;
    for (size_t y = shape.height; y-- > 0 && status == STATUS_OK;) {
        status = encoding_goes_on(options.gives_up);
        if (!bytes_append(file, &capacity, view_row(image->view, y), shape_row_bytes(shape)))
            return out_of_memory(file);
    }
    if (status != STATUS_OK)
        bytes_free(file);
    return status;
}

const Format format_pfm = {
    .name = "pfm",
    .title = "PFM",
    .extensions = "pfm",
    .reads = F32X1 | F32X3,
    .writes = F32X1 | F32X3,
    .recognize = pfm_recognize,
    .measure = pfm_measure,
    .load = pfm_load,
    .save = pfm_save,
};

const Format format_pnm = {
    .name = "ppm",
    .title = "PNM",
    .extensions = "ppm pgm pbm pnm pam",
    .remark = "P1 to P7; with alpha, PAM",
    .reads = U8 | U16,
    .writes = U8 | U16,
    .recognize = pnm_recognize,
    .measure = pnm_measure,
    .load_part = pnm_load_part,
    .read_rows = open_source,
    .write_rows = open_sink,
    .streams = true,
    .raw = true,
};
