/* gif.c: the first picture of a GIF (CompuServe, GIF89a specification), on its canvas; where it does not reach, the
 * canvas is transparent. The whole file is walked block by block, so that one that ends inside a block is refused; the
 * trailer may be missing, as some writers forget it. */
#include "core/codec/formats.h"

#include <stdlib.h>
#include <string.h>

enum { SCREEN = 13, DESCRIPTOR = 10, EXTENSION = 0x21, PICTURE = 0x2C, TRAILER = 0x3B, CONTROL = 0xF9, CODES = 4096 };

enum { PIXELS_MAX = CODES * 8 / 9 }; /* that a byte can stand for: codes of more than 9 bits, strings of up to CODES */

typedef struct Frame {
    size_t left, top, width, height;
    const unsigned char *colours;
    size_t colour_count;
    int transparent; /* -1: none */
    bool interlaced;
} Frame;

/* The codes of a picture lie in blocks of up to 255 bytes, the lowest bits first. */
typedef struct Codes {
    Bytes file;
    size_t at, block_left;
    uint32_t held;
    unsigned bits;
} Codes;

typedef struct Table {
    uint16_t prefix[CODES], length[CODES];
    unsigned char first[CODES], last[CODES];
} Table;

static bool gif_recognize(Bytes file) {
    return file.size >= 6 && (memcmp(file.data, "GIF87a", 6) == 0 || memcmp(file.data, "GIF89a", 6) == 0);
}

static size_t colour_count(unsigned char flags) {
    return flags & 0x80 ? (size_t)2 << (flags & 7) : 0;
}

/* Moves *at behind the blocks that begin there. */
static Status skip_blocks(Bytes file, size_t *at) {
    while (*at < file.size && file.data[*at] != 0)
        *at += (size_t)file.data[*at] + 1;
    return (*at)++ < file.size ? STATUS_OK : file_ends_early("GIF");
}

/* -1 where the blocks end. */
static int next_code(Codes *codes, unsigned width) {
    while (codes->bits < width) {
        if (codes->block_left == 0) {
            if (codes->at >= codes->file.size || codes->file.data[codes->at] == 0)
                return -1;
            codes->block_left = codes->file.data[codes->at++];
        }
        if (codes->at >= codes->file.size)
            return -1;
        codes->held |= (uint32_t)codes->file.data[codes->at++] << codes->bits;
        codes->bits += 8;
        codes->block_left--;
    }
    const int code = (int)(codes->held & ((1u << width) - 1));
    codes->held >>= width;
    codes->bits -= width;
    return code;
}

static void table_add(Table *table, size_t at, size_t prefix, unsigned char last) {
    table->prefix[at] = (uint16_t)prefix;
    table->length[at] = (uint16_t)(table->length[prefix] + 1);
    table->first[at] = table->first[prefix];
    table->last[at] = last;
}

/* LZW (T. Welch, "A technique for high-performance data compression", 1984): `count` values, no more and no less. */
static Status decompress(Codes *codes, unsigned literal_bits, Table *table, unsigned char *values, size_t count) {
    const int clear = 1 << literal_bits, end = clear + 1;
    int next = end + 1, previous = -1, code;
    unsigned width = literal_bits + 1;
    size_t done = 0;
    for (int i = 0; i < clear; i++) {
        table->length[i] = 1;
        table->first[i] = table->last[i] = (unsigned char)i;
    }
    while ((code = next_code(codes, width)) >= 0 && code != end) {
        if (code == clear) {
            next = end + 1;
            width = literal_bits + 1;
            previous = -1;
            continue;
        }
        if (code > next || (code == next && next == CODES) || (previous < 0 && code >= clear))
            return fail(STATUS_INPUT, "damaged GIF: a code that nothing led to");
        if (previous >= 0 && next < CODES) {
            table_add(table, (size_t)next, (size_t)previous, table->first[code == next ? previous : code]);
            next++;
        }
        if (table->length[code] > count - done)
            return fail(STATUS_INPUT, "damaged GIF: more pixels than the picture has");
        done += table->length[code];
        unsigned char *to = values + done;
        for (int c = code, left = table->length[code]; left > 0; left--, c = table->prefix[c])
            *--to = table->last[c];
        if (next == 1 << width && width < 12)
            width++;
        previous = code;
    }
    return done == count ? STATUS_OK : fail(STATUS_INPUT, "damaged GIF: its picture ends early");
}

static size_t interlaced_row(size_t row, size_t height) {
    static const size_t first[] = {0, 4, 2, 1}, step[] = {8, 8, 4, 2};
    for (size_t pass = 0; pass < 4; pass++) {
        const size_t rows = height > first[pass] ? (height - first[pass] + step[pass] - 1) / step[pass] : 0;
        if (row < rows)
            return first[pass] + row * step[pass];
        row -= rows;
    }
    return 0;
}

static Status paint(const Frame *frame, const unsigned char *values, Image *image) {
    for (size_t row = 0; row < frame->height; row++) {
        const size_t y = frame->top + (frame->interlaced ? interlaced_row(row, frame->height) : row);
        unsigned char *to = (unsigned char *)view_row(image->view, y) + 4 * frame->left;
        for (size_t x = 0; x < frame->width; x++, to += 4, values++) {
            if (*values == frame->transparent)
                continue;
            if (*values >= frame->colour_count)
                return fail(STATUS_INPUT, "damaged GIF: a pixel of colour %d, but there are %zu", *values,
                            frame->colour_count);
            memcpy(to, frame->colours + 3 * (size_t)*values, 3);
            to[3] = 255;
        }
    }
    return STATUS_OK;
}

/* The picture whose descriptor is at `at`; the colours of the whole file and the transparent one are in *frame. */
static Status read_picture(Bytes file, size_t at, Frame *frame, Image *image) {
    frame->left = u16_at(file, at + 1);
    frame->top = u16_at(file, at + 3);
    frame->width = u16_at(file, at + 5);
    frame->height = u16_at(file, at + 7);
    frame->interlaced = file.data[at + 9] & 0x40;
    const size_t local = colour_count(file.data[at + 9]);
    const size_t codes_at = at + DESCRIPTOR + 3 * local;
    if (codes_at >= file.size)
        return file_ends_early("GIF");
    if (local) {
        frame->colours = file.data + at + DESCRIPTOR;
        frame->colour_count = local;
    }
    const unsigned literal_bits = file.data[codes_at];
    const Shape canvas = image->view.shape;
    if (frame->left + frame->width > canvas.width || frame->top + frame->height > canvas.height || literal_bits < 1 ||
        literal_bits > 8 || frame->width == 0 || frame->height == 0)
        return fail(STATUS_INPUT, "damaged GIF: a picture of %zu x %zu pixels at %zu, %zu with %u bits", frame->width,
                    frame->height, frame->left, frame->top, literal_bits);
    const size_t count = frame->width * frame->height;
    if (count / PIXELS_MAX > file.size - codes_at)
        return file_ends_early("GIF");
    unsigned char *values = calloc(count, 1);
    Table *table = calloc(1, sizeof *table);
    Status status = STATUS_OK;
    if (!values || !table) {
        status = fail(STATUS_DEVICE, "no memory to decode GIF");
    } else {
        Codes codes = {.file = file, .at = codes_at + 1};
        status = decompress(&codes, literal_bits, table, values, count);
        if (status == STATUS_OK)
            status = paint(frame, values, image);
    }
    free(table);
    free(values);
    return status;
}

/* From block to block to the end; the first picture is read on the way. */
static Status walk(Bytes file, Image *image) {
    const size_t shared = colour_count(file.data[10]);
    Frame frame = {.colours = file.data + SCREEN, .colour_count = shared, .transparent = -1};
    bool painted = false;
    for (size_t at = SCREEN + 3 * shared; at < file.size;) {
        const unsigned char kind = file.data[at];
        if (kind == TRAILER)
            return painted ? STATUS_OK : fail(STATUS_INPUT, "a GIF without a picture");
        if (kind == PICTURE && at + DESCRIPTOR < file.size) {
            if (painted)
                image->extras |= EXTRA_FRAMES;
            else
                TRY(read_picture(file, at, &frame, image));
            painted = true;
            at += DESCRIPTOR + 3 * colour_count(file.data[at + 9]) + 1;
        } else if (kind == EXTENSION && at + 8 < file.size) {
            if (file.data[at + 1] == CONTROL && file.data[at + 2] == 4)
                frame.transparent = file.data[at + 3] & 1 ? file.data[at + 6] : -1;
            at += 2;
        } else if (kind != PICTURE && kind != EXTENSION) {
            return fail(STATUS_INPUT, "damaged GIF: a block of unknown kind %02X", kind);
        } else {
            break;
        }
        TRY(skip_blocks(file, &at));
        if (painted && at == file.size)
            return STATUS_OK; /* without a trailer, but complete */
    }
    return file_ends_early("GIF");
}

/* Where the first picture's descriptor is, or 0 if there is none to be found. */
static size_t find_picture(Input *file) {
    enum { BLOCKS_MAX = 1 << 16 }; /* before the picture: 16 MiB of comments */
    unsigned char flags = 0, kind = 0, size = 1;
    if (!input_peek(file, 10, &flags, 1))
        return 0;
    size_t at = SCREEN + 3 * colour_count(flags);
    for (int blocks = 0; blocks < BLOCKS_MAX && input_peek(file, at, &kind, 1) && kind == EXTENSION;)
        for (at += 2, size = 1; size > 0 && blocks < BLOCKS_MAX && input_peek(file, at, &size, 1); blocks++)
            at += (size_t)size + 1;
    return kind == PICTURE ? at : 0;
}

static Status gif_measure(Input *file, Measure *measure) {
    unsigned char canvas[4], frame[4];
    if (!input_peek(file, 6, canvas, sizeof canvas))
        return file_ends_early("GIF");
    measure->shape = (Shape){u16_at((Bytes){canvas, 4}, 0), u16_at((Bytes){canvas, 4}, 2), 4, PIXEL_U8};
    const size_t picture = find_picture(file);
    if (!picture)
        return STATUS_OK; /* gif_load says why */
    if (!input_peek(file, picture + 5, frame, sizeof frame))
        return file_ends_early("GIF");
    measure->working = u16_at((Bytes){frame, 4}, 0) * u16_at((Bytes){frame, 4}, 2); /* the frame's values */
    TRY(file_must_hold(file, picture + DESCRIPTOR + measure->working / PIXELS_MAX, "GIF"));
    /* a canvas that no frame in a file of this size could fill would make megabytes of nothing */
    const Shape shape = measure->shape;
    return shape.width * shape.height / PIXELS_MAX <= file->size
               ? STATUS_OK
               : fail(STATUS_INPUT, "a GIF with a canvas of %zu x %zu pixels, more than its %zu bytes can fill",
                      shape.width, shape.height, file->size);
}

static Status gif_load(Bytes file, Image **image) {
    *image = NULL;
    if (file.size < SCREEN)
        return file_ends_early("GIF");
    TRY(image_create((Shape){u16_at(file, 6), u16_at(file, 8), 4, PIXEL_U8}, image));
    const Status status = walk(file, *image);
    if (status != STATUS_OK)
        image_destroy(image);
    return status;
}

const Format format_gif = {
    .name = "gif",
    .title = "GIF",
    .extensions = "gif",
    .remark = "the first frame",
    .reads = U8X4,
    .recognize = gif_recognize,
    .measure = gif_measure,
    .load = gif_load,
};
