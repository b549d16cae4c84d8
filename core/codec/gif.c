/* gif.c: GIF (CompuServe, GIF89a specification): frames as they are seen, each a whole canvas. Pixels of the canvas
 * that no frame has painted are transparent. Writers forget the trailer, or the size of the screen or colours, and
 * browsers show their files. The trailer may therefore be missing, and a frame may reach beyond the screen, where it is
 * cut. A screen of no size is as large as its frames. Writes through giflib. */
#include "core/codec/formats.h"

static bool gif_recognize(Bytes file) {
    return file.size >= 6 && (memcmp(file.data, "GIF87a", 6) == 0 || memcmp(file.data, "GIF89a", 6) == 0);
}

#ifdef GLINT_WITH_GIF
#    include "core/base/memory.h"
#    include "core/codec/frames.h"
#    include "core/codec/notes.h"
#    include "core/codec/palette.h"
#    include "core/image/opaque.h"

#    include <gif_lib.h>
#    include <stdlib.h>

enum {
    SCREEN = 13,
    DESCRIPTOR = 9, /* bytes behind the block's kind */
    EXTENSION = 0x21,
    PICTURE = 0x2C,
    TRAILER = 0x3B,
    FRAMES_MAX = 1 << 16,
    CODE_BITS = 12,
    CODES = 1 << CODE_BITS,
    PIXELS_MAX = CODES * 8 / 9, /* the most for a byte: codes of more than 9 bits, strings of up to CODES */
    CODER_BYTES = 1 << 17,
    NO_COLOUR = -1
};

#    define COMMENT "Comment"

/* ---- the header ---- */

static size_t colour_count(unsigned char flags) {
    return flags & 0x80 ? (size_t)2 << (flags & 7) : 0;
}

/* Moves *at behind the blocks that begin there; false if they do not end. */
static bool skip_blocks(Input *file, size_t *at) {
    unsigned char size = 1;
    while (size > 0) {
        if (!input_peek(file, *at, &size, 1))
            return false;
        *at += (size_t)size + 1;
    }
    return true;
}

/* A picture as its descriptor says. */
typedef struct Frame {
    size_t left, top, width, height, colours; /* colours: of its own */
    bool interlaced;
} Frame;

/* The bytes behind the block's kind. */
static Frame frame_of(const unsigned char descriptor[static DESCRIPTOR]) {
    const Bytes bytes = {(unsigned char *)(uintptr_t)descriptor, DESCRIPTOR};
    return (Frame){.left = u16_at(bytes, 0),
                   .top = u16_at(bytes, 2),
                   .width = u16_at(bytes, 4),
                   .height = u16_at(bytes, 6),
                   .colours = colour_count(descriptor[8]),
                   .interlaced = descriptor[8] & 0x40};
}

/* The sums over all blocks of a file. */
typedef struct Survey {
    size_t count;         /* pictures */
    size_t right, bottom; /* where the last of them ends */
} Survey;

/* A picture's descriptor at *at, which moves to its codes. */
static Status walk_picture(Input *file, size_t *at, Survey *survey) {
    unsigned char descriptor[DESCRIPTOR];
    if (!input_peek(file, *at, descriptor, sizeof descriptor))
        return file_ends_early("GIF");
    const Frame frame = frame_of(descriptor);
    if (frame.width == 0 || frame.height == 0)
        return fail(STATUS_INPUT, "damaged GIF: a picture of %zu x %zu pixels", frame.width, frame.height);
    survey->count++;
    survey->right = frame.left + frame.width > survey->right ? frame.left + frame.width : survey->right;
    survey->bottom = frame.top + frame.height > survey->bottom ? frame.top + frame.height : survey->bottom;
    *at += DESCRIPTOR + 3 * frame.colours + 1;
    return file_must_hold(file, memory_sum(*at, frame.width * frame.height / PIXELS_MAX), "GIF");
}

/* Goes from block to block, up to so many pictures. Zeros between them are padding. */
static Status walk(Input *file, size_t at, size_t most, Survey *survey) {
    unsigned char kind = 0;
    while (survey->count <= FRAMES_MAX && survey->count < most && input_peek(file, at, &kind, 1) && kind != TRAILER) {
        if (kind == 0) {
            at++;
            continue;
        }
        if (kind != PICTURE && kind != EXTENSION)
            return fail(STATUS_INPUT, "damaged GIF: a block of unknown kind %02X", kind);
        at += kind == PICTURE ? 1 : 2;
        if (kind == PICTURE)
            TRY(walk_picture(file, &at, survey));
        if (!skip_blocks(file, &at))
            return file_ends_early("GIF");
    }
    if (survey->count == 0)
        return kind == TRAILER ? fail(STATUS_INPUT, "a GIF without a picture") : file_ends_early("GIF");
    return survey->count <= FRAMES_MAX ? STATUS_OK : fail(STATUS_INPUT, "a GIF of more than %d pictures", FRAMES_MAX);
}

static Status gif_measure(Input *file, Measure *measure) {
    unsigned char head[SCREEN];
    Survey survey = {0};
    if (!input_peek(file, 0, head, sizeof head))
        return file_ends_early("GIF");
    const Bytes bytes = {head, SCREEN};
    const size_t width = u16_at(bytes, 6), height = u16_at(bytes, 8);
    const Pages pages = measure->pages;
    if (file->size < SIZE_MAX) /* it is read whole */
        TRY(memory_fits(file->size, "decoding"));
    /* A screen of no size is as large as all of them. */
    const size_t most = width > 0 && height > 0 && pages.count > 0 ? memory_sum(pages.first, pages.count) : SIZE_MAX;
    TRY(walk(file, SCREEN + 3 * colour_count(head[10]), most, &survey));
    TRY(file_has_page(survey.count, pages, "GIF"));
    const Shape shape = measure->shape =
        (Shape){width > 0 ? width : survey.right, height > 0 ? height : survey.bottom, 4, PIXEL_U8};
    const size_t left = survey.count - pages.first, wanted = pages.count;
    measure->count = wanted > 0 && wanted < left ? wanted : left;
    measure->further = further_bytes(measure->count - 1, shape);
    measure->working = memory_sum(CODER_BYTES, 2 * shape_bytes(shape)); /* the canvas now, and as it was before */
    /* a canvas that no frame in a file of this size could fill would make megabytes of nothing */
    return shape.width * shape.height / PIXELS_MAX <= file->size
               ? STATUS_OK
               : fail(STATUS_INPUT, "a GIF with a canvas of %zu x %zu pixels, more than its %zu bytes can fill",
                      shape.width, shape.height, file->size);
}

/* ---- reading ---- */

/* The control block that stands before a picture. */
typedef struct Control {
    int transparent, disposal;
    double seconds;
} Control;

static const Control no_control = {.transparent = NO_COLOUR};

/* Three bytes each, in the file. */
typedef struct Colours {
    const unsigned char *table;
    size_t count;
} Colours;

typedef struct Reader {
    Bytes file;
    size_t at;
    Colours colours;        /* of pictures without their own */
    Image *canvas, *before; /* as it was, for pictures that give way to that */
    Control control;
    Measure measure;
    size_t number;       /* of the next picture */
    Image *first, **end; /* the pictures read so far */
    Image *about;        /* blocks that go with the first */
    unsigned plays;
    size_t holes; /* pixels of the canvas that are transparent */
    bool clear;   /* some picture up to the last that is wanted has holes */
} Reader;

/* The next `size` bytes; NULL if the file has no more. */
static const unsigned char *take(Reader *reader, size_t size) {
    if (size > reader->file.size - reader->at)
        return NULL;
    reader->at += size;
    return reader->file.data + reader->at - size;
}

/* The next block of a sequence that an empty one ends. */
static Status next_block(Reader *reader, Bytes *block) {
    const unsigned char *size = take(reader, 1), *data = size ? take(reader, *size) : NULL;
    *block = (Bytes){(unsigned char *)(uintptr_t)data, data ? *size : 0};
    return data ? STATUS_OK : file_ends_early("GIF");
}

static Status skip_rest(Reader *reader) {
    Bytes block;
    do
        TRY(next_block(reader, &block));
    while (block.size > 0);
    return STATUS_OK;
}

/* ---- LZW with codes that grow ---- */

/* A code stands for a string: the one of another code, and a value behind it. */
typedef struct Lzw {
    Reader *reader;
    Bytes block; /* its rest */
    uint32_t bits;
    unsigned count, width, values, next, old; /* bits at hand, of a code; the clear code; codes; CODES: none */
    unsigned pending;                         /* of `string`, which is turned around */
    uint16_t prefix[CODES], last[CODES], string[CODES + 1], first;
} Lzw;

static void lzw_clear(Lzw *lzw) {
    lzw->next = lzw->values + 2;
    lzw->old = CODES;
    lzw->width = 1;
    while (1U << lzw->width < lzw->next)
        lzw->width++;
}

static Status lzw_begin(Lzw *lzw, Reader *reader) {
    enum { VALUE_BITS_MAX = CODE_BITS - 1 };
    const unsigned char *size = take(reader, 1);
    if (!size)
        return file_ends_early("GIF");
    if (*size < 1 || *size > VALUE_BITS_MAX)
        return fail(STATUS_INPUT, "damaged GIF: values of %u bits, want 1 to %d", *size, VALUE_BITS_MAX);
    *lzw = (Lzw){.reader = reader, .values = 1U << *size};
    lzw_clear(lzw);
    return STATUS_OK;
}

static Status next_code(Lzw *lzw, unsigned *code) {
    while (lzw->count < lzw->width) {
        if (lzw->block.size == 0)
            TRY(next_block(lzw->reader, &lzw->block));
        if (lzw->block.size == 0)
            return fail(STATUS_INPUT, "damaged GIF: its picture ends early");
        lzw->bits |= (uint32_t)*lzw->block.data++ << lzw->count;
        lzw->block.size--;
        lzw->count += 8;
    }
    *code = lzw->bits & ((1U << lzw->width) - 1);
    lzw->bits >>= lzw->width;
    lzw->count -= lzw->width;
    return STATUS_OK;
}

/* Puts the code's string, and makes a new one: that of the code before, and the first value of this. */
static Status lzw_step(Lzw *lzw, unsigned code) {
    if (code > lzw->next || (code == lzw->next && lzw->old == CODES) || (code >= lzw->values && lzw->old == CODES))
        return fail(STATUS_INPUT, "damaged GIF: a code that nothing led to");
    unsigned at = code;
    if (code == lzw->next) { /* the string that is made now */
        lzw->string[lzw->pending++] = lzw->first;
        at = lzw->old;
    }
    for (; at >= lzw->values; at = lzw->prefix[at])
        lzw->string[lzw->pending++] = lzw->last[at];
    lzw->string[lzw->pending++] = lzw->first = (uint16_t)at;
    if (lzw->old != CODES && lzw->next < CODES) {
        lzw->prefix[lzw->next] = (uint16_t)lzw->old;
        lzw->last[lzw->next++] = lzw->first;
    }
    lzw->width += lzw->next >= 1U << lzw->width && lzw->width < CODE_BITS;
    lzw->old = code;
    return STATUS_OK;
}

static Status lzw_read(Lzw *lzw, uint16_t *to, size_t count) {
    for (size_t i = 0; i < count;) {
        while (lzw->pending > 0 && i < count)
            to[i++] = lzw->string[--lzw->pending];
        unsigned code = 0;
        if (i == count)
            break;
        TRY(next_code(lzw, &code));
        if (code == lzw->values + 1)
            return fail(STATUS_INPUT, "damaged GIF: its picture ends early");
        if (code == lzw->values)
            lzw_clear(lzw);
        else
            TRY(lzw_step(lzw, code));
    }
    return STATUS_OK;
}

/* ---- pictures ---- */

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

/* A frame that is painted, with its colours or the file's, and its part of the canvas. */
typedef struct Painting {
    Frame frame;
    Colours colours;
    ImageView part;
} Painting;

/* A file without any colours has shades of gray, as Pillow shows it. */
static Status paint_row(Reader *reader, Colours colours, const uint16_t *values, ImageView row) {
    unsigned char *to = row.pixels;
    for (size_t x = 0; x < row.shape.width; x++, to += 4) {
        const size_t value = values[x];
        if (values[x] == reader->control.transparent)
            continue;
        if (value >= (colours.table ? colours.count : 256))
            return fail(STATUS_INPUT, "damaged GIF: a pixel of colour %zu, but there are %zu", value, colours.count);
        if (colours.table)
            memcpy(to, colours.table + 3 * value, 3);
        else
            memset(to, (int)value, 3);
        reader->holes -= to[3] == 0;
        to[3] = 255;
    }
    return STATUS_OK;
}

static Status paint(Reader *reader, Lzw *lzw, const Painting *painting) {
    const Frame *frame = &painting->frame;
    const Shape part = painting->part.shape;
    uint16_t *values = malloc((frame->width + 1) * sizeof *values);
    Status status = values ? lzw_begin(lzw, reader) : fail(STATUS_DEVICE, "no memory to decode GIF");
    for (size_t row = 0; row < frame->height && status == STATUS_OK; row++) {
        const size_t y = frame->interlaced ? interlaced_row(row, frame->height) : row;
        status = decoding_goes_on();
        if (status == STATUS_OK)
            status = lzw_read(lzw, values, frame->width);
        if (status == STATUS_OK && y < part.height)
            status = paint_row(reader, painting->colours, values, view_crop(painting->part, 0, y, part.width, 1));
    }
    free(values);
    return status == STATUS_OK ? skip_rest(reader) : status;
}

static size_t at_most(size_t value, size_t max) {
    return value < max ? value : max;
}

/* The part of the canvas, or of its earlier state, that a frame paints. */
static ImageView part_of(const Image *canvas, const Frame *frame) {
    const Shape shape = canvas->view.shape;
    const size_t left = at_most(frame->left, shape.width), top = at_most(frame->top, shape.height);
    return view_crop(canvas->view, left, top, at_most(frame->width, shape.width - left),
                     at_most(frame->height, shape.height - top));
}

static void clear_part(Reader *reader, ImageView part) {
    for (size_t y = 0; y < part.shape.height; y++) {
        unsigned char *row = view_row(part, y);
        for (size_t x = 0; x < part.shape.width; x++)
            reader->holes += row[4 * x + 3] != 0;
        memset(row, 0, shape_row_bytes(part.shape));
    }
}

static Status keep_picture(Reader *reader) {
    const Measure *measure = &reader->measure;
    const size_t number = reader->number++;
    reader->clear = reader->clear || reader->holes > 0;
    if (number < measure->pages.first || number >= measure->pages.first + measure->count)
        return STATUS_OK;
    TRY(image_clone(reader->canvas->view, reader->end));
    (*reader->end)->seconds = reader->control.seconds;
    reader->end = &(*reader->end)->next;
    return STATUS_OK;
}

static Status read_descriptor(Reader *reader, Painting *painting) {
    const unsigned char *data = take(reader, DESCRIPTOR);
    if (!data)
        return file_ends_early("GIF");
    *painting = (Painting){.frame = frame_of(data), .colours = reader->colours};
    const size_t colours = painting->frame.colours;
    if (colours > 0)
        painting->colours = (Colours){take(reader, 3 * colours), colours};
    if (painting->colours.count > 0 && !painting->colours.table)
        return file_ends_early("GIF");
    painting->part = part_of(reader->canvas, &painting->frame);
    return STATUS_OK;
}

/* The next picture finds all of this one, nothing, or the canvas as it was before. Only the frame's part is touched: a
 * file may have many small frames on a vast canvas. */
static Status read_picture(Reader *reader) {
    Painting painting = {0};
    TRY(read_descriptor(reader, &painting));
    const bool restores = reader->control.disposal == DISPOSE_PREVIOUS;
    const size_t holes = reader->holes;
    if (restores && !reader->before)
        TRY(image_create(reader->canvas->view.shape, &reader->before));
    if (restores)
        view_copy(painting.part, part_of(reader->before, &painting.frame));
    Lzw *lzw = malloc(sizeof *lzw);
    const Status status = lzw ? paint(reader, lzw, &painting) : fail(STATUS_DEVICE, "no memory to decode GIF");
    free(lzw);
    TRY(status);
    TRY(keep_picture(reader));
    if (reader->control.disposal == DISPOSE_BACKGROUND)
        clear_part(reader, painting.part);
    if (restores) {
        view_copy(part_of(reader->before, &painting.frame), painting.part);
        reader->holes = holes;
    }
    reader->control = no_control;
    return STATUS_OK;
}

static Status read_control(Reader *reader) {
    Bytes block;
    TRY(next_block(reader, &block));
    if (block.size >= 4)
        reader->control = (Control){block.data[0] & 1 ? block.data[3] : NO_COLOUR, block.data[0] >> 2 & 7,
                                    (double)u16_at(block, 1) / 100};
    return block.size > 0 ? skip_rest(reader) : STATUS_OK;
}

/* Blocks end anywhere, even within a character. A comment that is too long to be kept is kept just long enough to count
 * as such. */
static Status read_comment(Reader *reader) {
    Bytes comment = {0}, block = {0};
    size_t capacity = 0;
    Status status;
    do {
        status = next_block(reader, &block);
        if (status == STATUS_OK && comment.size <= NOTES_MAX &&
            !bytes_append(&comment, &capacity, block.data, block.size))
            status = fail(STATUS_DEVICE, "no memory to decode GIF");
    } while (status == STATUS_OK && block.size > 0);
    if (status == STATUS_OK && comment.size > 0)
        status = notes_add(reader->about, COMMENT, comment.data, comment.size);
    bytes_free(&comment);
    return status;
}

/* An application's name, then its blocks: how often the pictures run (0: for ever), or data that are not kept. */
static Status read_application(Reader *reader) {
    enum { NAME = 11 };
    Bytes name, block;
    TRY(next_block(reader, &name));
    if (name.size == 0)
        return STATUS_OK;
    const bool named = name.size == NAME;
    const bool loops =
        named && (memcmp(name.data, "NETSCAPE2.0", NAME) == 0 || memcmp(name.data, "ANIMEXTS1.0", NAME) == 0);
    if (named && memcmp(name.data, "ICCRGBG1012", NAME) == 0)
        reader->about->extras |= EXTRA_PROFILE;
    if (named && memcmp(name.data, "XMP DataXMP", NAME) == 0)
        reader->about->extras |= EXTRA_XMP;
    do {
        TRY(next_block(reader, &block));
        if (loops && block.size >= 3 && block.data[0] == 1) /* 1: how often; 2 is about buffers */
            reader->plays = u16_at(block, 1) > 0 ? (unsigned)u16_at(block, 1) + 1 : 0;
    } while (block.size > 0);
    return STATUS_OK;
}

static Status read_extension(Reader *reader) {
    enum { CONTROL = 0xF9, NOTE = 0xFE, APPLICATION = 0xFF };
    const unsigned char *kind = take(reader, 1);
    if (!kind)
        return file_ends_early("GIF");
    return *kind == CONTROL       ? read_control(reader)
           : *kind == NOTE        ? read_comment(reader)
           : *kind == APPLICATION ? read_application(reader)
                                  : skip_rest(reader);
}

/* A picture behind the last one that is wanted. */
static Status skip_picture(Reader *reader) {
    const unsigned char *data = take(reader, DESCRIPTOR);
    const size_t colours = data ? frame_of(data).colours : 0;
    reader->number++;
    return data && take(reader, 3 * colours + 1) ? skip_rest(reader) : file_ends_early("GIF");
}

/* Whether nothing but text that follows is wanted. */
static bool has_all(const Reader *reader) {
    return reader->number >= reader->measure.pages.first + reader->measure.count;
}

/* Up to the last picture that is wanted; behind it, only from block to block. */
static Status read_blocks(Reader *reader) {
    for (;;) {
        const unsigned char *kind = take(reader, 1);
        if (!kind || *kind == TRAILER)
            return reader->first ? STATUS_OK : file_ends_early("GIF");
        if (*kind == PICTURE)
            TRY((has_all(reader) ? skip_picture : read_picture)(reader));
        if (*kind == EXTENSION)
            TRY(read_extension(reader));
    }
}

/* Frames that have no time are shown for a tenth of a second, as all browsers do. */
static void settle(Reader *reader) {
    enum { MOVES = 2 };
    const bool moves = reader->number >= MOVES;
    for (Image *each = reader->first; each; each = each->next)
        each->seconds = !moves ? 0 : each->seconds > 0 ? each->seconds : 0.1;
    if (!reader->clear)
        image_drop_alpha(reader->first);
    reader->first->text = reader->about->text;
    reader->first->extras |= reader->about->extras;
    reader->first->plays = reader->plays;
    reader->about->text = (ImageBlock){0};
}

static Status read_all(Reader *reader, Shape canvas) {
    TRY(image_create(canvas, &reader->canvas));
    reader->holes = canvas.width * canvas.height;
    TRY(image_create((Shape){1, 1, 1, PIXEL_U8}, &reader->about));
    const size_t colours = colour_count(reader->file.data[SCREEN - 3]);
    reader->at = SCREEN;
    if (colours > 0)
        reader->colours = (Colours){take(reader, 3 * colours), colours};
    TRY(read_blocks(reader));
    settle(reader);
    return STATUS_OK;
}

static Status gif_load(Bytes file, Pages pages, Image **image) {
    Input input = input_of(file);
    Reader reader = {.file = file, .control = no_control, .measure = {.pages = pages, .count = 1}, .plays = 1};
    *image = NULL;
    reader.end = &reader.first;
    TRY(gif_measure(&input, &reader.measure)); /* checks all that is not checked from here on */
    const Status status = read_all(&reader, reader.measure.shape);
    image_destroy(&reader.canvas);
    image_destroy(&reader.before);
    image_destroy(&reader.about);
    if (status != STATUS_OK)
        image_destroy(&reader.first);
    *image = reader.first;
    return status;
}

/* ---- writing ---- */

typedef struct Writer {
    Bytes file;
    size_t capacity;
    GifFileType *gif;
    bool gives_up; /* as in SaveOptions */
    unsigned lost; /* of enum Extra */
} Writer;

static int on_write(GifFileType *gif, const GifByteType *from, int size) {
    Writer *writer = gif->UserData;
    return bytes_append(&writer->file, &writer->capacity, from, (size_t)size) ? size : 0;
}

static Status no_memory(void) {
    return fail(STATUS_DEVICE, "no memory to encode GIF");
}

static ColorMapObject *map_of(const Palette *palette) {
    ColorMapObject *map = GifMakeMapObject(PALETTE_MAX, NULL);
    for (int i = 0; i < PALETTE_MAX && map; i++) {
        const unsigned char *colour = palette->colours[i];
        map->Colors[i] = (GifColorType){colour[0], colour[1], colour[2]};
    }
    return map;
}

/* Each picture covers the canvas; one with holes must not show the one before through them. */
static bool put_control(const Writer *writer, const Palette *palette, const Image *image, bool moves) {
    enum { DELAY_MAX = 65535, CONTROL = 4 };
    GifByteType block[CONTROL];
    const double seconds = image->seconds > 0 ? image->seconds : 1;
    const double delay = moves ? 100 * seconds + 0.5 : 0;
    const GraphicsControlBlock control = {.DisposalMode = moves ? DISPOSE_BACKGROUND : DISPOSAL_UNSPECIFIED,
                                          .DelayTime = delay < DELAY_MAX ? (int)delay : DELAY_MAX,
                                          .TransparentColor = palette->transparent};
    if (!moves && palette->transparent < 0)
        return true;
    EGifGCBToExtension(&control, block);
    return EGifPutExtension(writer->gif, GRAPHICS_EXT_FUNC_CODE, CONTROL, block) == GIF_OK;
}

static Status put_rows(const Writer *writer, GifByteType *indices, Shape shape) {
    for (size_t y = 0; y < shape.height; y++) {
        TRY(encoding_goes_on(writer->gives_up));
        if (EGifPutLine(writer->gif, indices + y * shape.width, (int)shape.width) != GIF_OK)
            return no_memory();
    }
    return STATUS_OK;
}

static Status put_picture(Writer *writer, const Image *image, bool moves) {
    const Shape shape = image->view.shape;
    Palette palette;
    unsigned char *indices;
    TRY(palette_of(image->view, writer->gives_up, &palette, &indices));
    ColorMapObject *map = map_of(&palette);
    const bool begun = map && put_control(writer, &palette, image, moves) &&
                       EGifPutImageDesc(writer->gif, 0, 0, (int)shape.width, (int)shape.height, false, map) == GIF_OK;
    const Status status = begun ? put_rows(writer, indices, shape) : no_memory();
    GifFreeMapObject(map);
    free(indices);
    writer->lost |= palette.lost;
    return status;
}

/* How often the pictures run: 0 is for ever, and once needs no word. */
static bool put_loops(const Writer *writer, unsigned plays) {
    const unsigned loops = plays > 0 ? plays - 1 : 0;
    const GifByteType block[] = {1, (GifByteType)loops, (GifByteType)(loops >> 8)};
    return plays == 1 || (EGifPutExtensionLeader(writer->gif, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
                          EGifPutExtensionBlock(writer->gif, 11, "NETSCAPE2.0") == GIF_OK &&
                          EGifPutExtensionBlock(writer->gif, sizeof block, block) == GIF_OK &&
                          EGifPutExtensionTrailer(writer->gif) == GIF_OK);
}

/* A comment of no bytes is left out: its block would be the end of blocks. */
static bool put_notes(Writer *writer, const Image *image) {
    bool written = true;
    Note note;
    for (size_t at = 0; written && notes_next(image, &at, &note);)
        if (strcmp(note.key, COMMENT) == 0)
            written = note.text[0] == '\0' || EGifPutComment(writer->gif, note.text) == GIF_OK;
        else
            writer->lost |= EXTRA_TEXT;
    return written;
}

static Status put_pictures(Writer *writer, const Image *image) {
    const Shape shape = image->view.shape;
    EGifSetGifVersion(writer->gif, true);
    if (EGifPutScreenDesc(writer->gif, (int)shape.width, (int)shape.height, 8, 0, NULL) != GIF_OK ||
        (image->next && !put_loops(writer, image->plays)) || !put_notes(writer, image))
        return no_memory();
    for (const Image *each = image; each; each = each->next) {
        TRY(pictures_alike(image, each, "GIF"));
        TRY(put_picture(writer, each, image->next != NULL));
    }
    return STATUS_OK;
}

static Status gif_save(const Image *image, SaveOptions options, Bytes *file) {
    int code;
    Writer writer = {.gives_up = options.gives_up};
    writer.gif = EGifOpen(&writer, on_write, &code);
    Status status = writer.gif ? put_pictures(&writer, image) : no_memory();
    if (writer.gif && EGifCloseFile(writer.gif, NULL) != GIF_OK && status == STATUS_OK)
        status = no_memory();
    if (status != STATUS_OK)
        bytes_free(&writer.file);
    else if (options.lost)
        *options.lost |= writer.lost | (extras_apart(image) & EXTRA_TEXT);
    *file = writer.file;
    return status;
}
#endif

const Format format_gif = {
    .name = "gif",
    .title = "GIF",
    .extensions = "gif",
    .recognize = gif_recognize,
#ifdef GLINT_WITH_GIF
    .remark = "frames; 255 colours each, and transparent",
    .reads = U8X3 | U8X4,
    .writes = U8,
    .side_max = UINT16_MAX,
    .holds = EXTRA_TEXT | EXTRA_TIMES,
    .measure = gif_measure,
    .load_pages = gif_load,
    .saves_several = true,
    .save = gif_save,
    /* The pixels by a palette, and codes of 12 bits for some. */
    .working = {2, {0, 0, 0}, 0},
    .working_exact = {2, {0, 0, 0}, 0},
#else
    .lacks = "giflib",
#endif
};
