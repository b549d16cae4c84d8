/* gif.c: GIF (CompuServe, GIF89a specification) through giflib: frames as they are seen, each a whole canvas, on which
 * what no frame has painted is transparent. The trailer may be missing, as some writers forget it. */
#include "core/codec/formats.h"

static bool gif_recognize(Bytes file) {
    return file.size >= 6 && (memcmp(file.data, "GIF87a", 6) == 0 || memcmp(file.data, "GIF89a", 6) == 0);
}

#ifdef GLINT_WITH_GIF
#    include "core/codec/notes.h"
#    include "core/codec/palette.h"
#    include "core/memory.h"
#    include "core/opaque.h"

#    include <gif_lib.h>
#    include <stdlib.h>

enum {
    SCREEN = 13,
    DESCRIPTOR = 10,
    EXTENSION = 0x21,
    PICTURE = 0x2C,
    TRAILER = 0x3B,
    FRAMES_MAX = 1 << 20,
    CODES = 4096,
    PIXELS_MAX = CODES * 8 / 9, /* that a byte can stand for: codes of more than 9 bits, strings of up to CODES */
    CODER_BYTES = 1 << 17
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

/* A picture's descriptor at *at, which moves to its codes. */
static Status walk_picture(Input *file, size_t *at, Shape canvas, size_t *pixels) {
    unsigned char descriptor[DESCRIPTOR];
    if (!input_peek(file, *at, descriptor, sizeof descriptor))
        return file_ends_early("GIF");
    const Bytes bytes = {descriptor, DESCRIPTOR};
    const size_t left = u16_at(bytes, 1), top = u16_at(bytes, 3), width = u16_at(bytes, 5), height = u16_at(bytes, 7);
    if (width == 0 || height == 0 || left + width > canvas.width || top + height > canvas.height)
        return fail(STATUS_INPUT, "damaged GIF: a picture of %zu x %zu pixels at %zu, %zu of %zu x %zu", width, height,
                    left, top, canvas.width, canvas.height);
    *pixels += width * height;
    *at += DESCRIPTOR + 3 * colour_count(descriptor[9]) + 1;
    return STATUS_OK;
}

/* Counts the pictures, from block to block, and what they need at least. */
static Status walk(Input *file, size_t at, Shape canvas, size_t *count) {
    unsigned char kind = 0;
    size_t pixels = 0;
    for (*count = 0; *count <= FRAMES_MAX && input_peek(file, at, &kind, 1) && kind != TRAILER;) {
        if (kind != PICTURE && kind != EXTENSION)
            return fail(STATUS_INPUT, "damaged GIF: a block of unknown kind %02X", kind);
        if (kind == PICTURE)
            TRY(walk_picture(file, &at, canvas, &pixels));
        at += kind == PICTURE ? 0 : 2;
        if (kind == PICTURE)
            TRY(file_must_hold(file, memory_sum(at, pixels / PIXELS_MAX), "GIF"));
        if (!skip_blocks(file, &at))
            return file_ends_early("GIF");
        *count += kind == PICTURE;
    }
    if (*count == 0)
        return kind == TRAILER ? fail(STATUS_INPUT, "a GIF without a picture") : file_ends_early("GIF");
    return *count <= FRAMES_MAX ? STATUS_OK : fail(STATUS_INPUT, "a GIF of more than %d pictures", FRAMES_MAX);
}

static Status gif_measure(Input *file, Measure *measure) {
    unsigned char head[SCREEN];
    size_t count;
    if (!input_peek(file, 0, head, sizeof head))
        return file_ends_early("GIF");
    const Bytes bytes = {head, SCREEN};
    const Shape shape = measure->shape = (Shape){u16_at(bytes, 6), u16_at(bytes, 8), 4, PIXEL_U8};
    TRY(walk(file, SCREEN + 3 * colour_count(head[10]), shape, &count));
    TRY(file_has_page(count, measure->pages, "GIF"));
    const size_t left = count - measure->pages.first, wanted = measure->pages.count;
    measure->count = wanted > 0 && wanted < left ? wanted : left;
    measure->further = memory_product(measure->count - 1, shape_bytes(shape));
    measure->working = memory_sum(CODER_BYTES, 2 * shape_bytes(shape)); /* the canvas now, and as it was before */
    /* a canvas that no frame in a file of this size could fill would make megabytes of nothing */
    return shape.width * shape.height / PIXELS_MAX <= file->size
               ? STATUS_OK
               : fail(STATUS_INPUT, "a GIF with a canvas of %zu x %zu pixels, more than its %zu bytes can fill",
                      shape.width, shape.height, file->size);
}

/* ---- reading ---- */

/* What stands before a picture about it. */
typedef struct Control {
    int transparent, disposal;
    double seconds;
} Control;

typedef struct Reader {
    Bytes file;
    size_t at;
    GifFileType *gif;
    Image *canvas, *before; /* as it was, for pictures that give way to that */
    Control control;
    Measure measure;
    size_t number;       /* of the next picture */
    Image *first, **end; /* what was read */
    Image *about;        /* what goes with the first */
    Bytes comment;       /* the one that is being read */
    unsigned plays;
    bool moves; /* it says that it is an animation, of which the end may be missing */
    bool clear; /* some picture of the file, wanted or not, is not opaque everywhere */
} Reader;

static int on_read(GifFileType *gif, GifByteType *to, int size) {
    Reader *reader = gif->UserData;
    const size_t left = reader->file.size - reader->at, count = (size_t)size < left ? (size_t)size : left;
    memcpy(to, reader->file.data + reader->at, count);
    reader->at += count;
    return (int)count;
}

static Status refused(int code) {
    static const struct {
        int code;
        const char *reason;
    } reasons[] = {{D_GIF_ERR_READ_FAILED, "the file ends early"},
                   {D_GIF_ERR_EOF_TOO_SOON, "its picture ends early"},
                   {D_GIF_ERR_IMAGE_DEFECT, "a code that nothing led to"},
                   {D_GIF_ERR_NO_COLOR_MAP, "no colours"}};
    const char *reason = "it cannot be decoded";
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        reason = reasons[i].code == code ? reasons[i].reason : reason;
    return code == D_GIF_ERR_NOT_ENOUGH_MEM ? fail(STATUS_DEVICE, "no memory to decode GIF")
                                            : fail(STATUS_INPUT, "damaged GIF: %s", reason);
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

static Status paint_row(const Reader *reader, const ColorMapObject *colours, const GifByteType *values, ImageView row) {
    unsigned char *to = row.pixels;
    for (size_t x = 0; x < row.shape.width; x++, to += 4) {
        if (values[x] == reader->control.transparent)
            continue;
        if (values[x] >= colours->ColorCount)
            return fail(STATUS_INPUT, "damaged GIF: a pixel of colour %d, but there are %d", values[x],
                        colours->ColorCount);
        const GifColorType *colour = &colours->Colors[values[x]];
        memcpy(to, (const unsigned char[]){colour->Red, colour->Green, colour->Blue, 255}, 4);
    }
    return STATUS_OK;
}

static Status paint(Reader *reader, ImageView frame) {
    GifFileType *const gif = reader->gif;
    const ColorMapObject *colours = gif->Image.ColorMap ? gif->Image.ColorMap : gif->SColorMap;
    const size_t height = frame.shape.height;
    if (!colours)
        return refused(D_GIF_ERR_NO_COLOR_MAP);
    GifByteType *values = malloc(frame.shape.width);
    Status status = values ? STATUS_OK : refused(D_GIF_ERR_NOT_ENOUGH_MEM);
    for (size_t row = 0; row < height && status == STATUS_OK; row++) {
        const size_t y = gif->Image.Interlace ? interlaced_row(row, height) : row;
        gif->Error = D_GIF_ERR_EOF_TOO_SOON;
        status = DGifGetLine(gif, values, (int)frame.shape.width) == GIF_OK
                     ? paint_row(reader, colours, values, view_crop(frame, 0, y, frame.shape.width, 1))
                     : refused(gif->Error);
    }
    free(values);
    return status;
}

/* What the next picture finds where this one was: all, nothing, or what was there before. */
static void dispose(const Reader *reader, ImageView frame) {
    if (reader->control.disposal == DISPOSE_BACKGROUND)
        for (size_t y = 0; y < frame.shape.height; y++)
            memset(view_row(frame, y), 0, shape_row_bytes(frame.shape));
    if (reader->control.disposal == DISPOSE_PREVIOUS)
        view_copy(reader->before->view, reader->canvas->view);
}

static Status keep_picture(Reader *reader) {
    const Measure *measure = &reader->measure;
    const size_t number = reader->number++;
    reader->clear = reader->clear || !image_is_opaque(reader->canvas);
    if (number < measure->pages.first || number >= measure->pages.first + measure->count)
        return STATUS_OK;
    TRY(image_clone(reader->canvas->view, reader->end));
    (*reader->end)->seconds = reader->control.seconds;
    reader->end = &(*reader->end)->next;
    return STATUS_OK;
}

static Status read_picture(Reader *reader) {
    GifFileType *const gif = reader->gif;
    gif->Error = D_GIF_ERR_IMAGE_DEFECT;
    if (DGifGetImageDesc(gif) != GIF_OK)
        return refused(gif->Error);
    const GifImageDesc *at = &gif->Image; /* inside: gif_measure has looked at it */
    const Shape canvas = reader->canvas->view.shape;
    if (at->Left < 0 || at->Top < 0 || at->Width < 1 || at->Height < 1 ||
        (size_t)at->Left + (size_t)at->Width > canvas.width || (size_t)at->Top + (size_t)at->Height > canvas.height)
        return refused(D_GIF_ERR_IMAGE_DEFECT);
    const ImageView frame =
        view_crop(reader->canvas->view, (size_t)at->Left, (size_t)at->Top, (size_t)at->Width, (size_t)at->Height);
    if (reader->control.disposal == DISPOSE_PREVIOUS && !reader->before)
        TRY(image_create(canvas, &reader->before));
    if (reader->control.disposal == DISPOSE_PREVIOUS)
        view_copy(reader->canvas->view, reader->before->view);
    TRY(paint(reader, frame));
    TRY(keep_picture(reader));
    dispose(reader, frame);
    reader->control = (Control){.transparent = NO_TRANSPARENT_COLOR};
    return STATUS_OK;
}

/* Blocks end anywhere, even within a character. What is longer than can be kept is kept just long enough to count so.
 */
static Status read_comment(Reader *reader, const GifByteType *block, size_t *capacity) {
    if (reader->comment.size > NOTES_MAX)
        return STATUS_OK;
    return bytes_append(&reader->comment, capacity, block + 1, block[0]) ? STATUS_OK
                                                                         : refused(D_GIF_ERR_NOT_ENOUGH_MEM);
}

static Status keep_comment(Reader *reader) {
    const Bytes comment = reader->comment;
    const Status status = comment.size > 0 ? notes_add(reader->about, COMMENT, comment.data, comment.size) : STATUS_OK;
    bytes_free(&reader->comment);
    return status;
}

/* A block of an application: how often the pictures run (0: for ever), or what is not kept. `block` has its size first.
 */
static void read_application(Reader *reader, const char *name, const GifByteType *block) {
    const size_t loops = block[0] >= 3 && block[1] == 1 ? (size_t)block[2] | (size_t)block[3] << 8 : 0;
    if (strncmp(name, "NETSCAPE2.0", 11) == 0 || strncmp(name, "ANIMEXTS1.0", 11) == 0)
        reader->plays = loops > 0 ? (unsigned)loops + 1 : 0;
    reader->moves |= reader->plays != 1;
    if (strncmp(name, "ICCRGBG1012", 11) == 0)
        reader->about->extras |= EXTRA_PROFILE;
    if (strncmp(name, "XMP DataXMP", 11) == 0)
        reader->about->extras |= EXTRA_XMP;
}

static Status read_extension(Reader *reader) {
    enum { NAME = 11, CONTROL = 4 };
    GifByteType *block;
    char name[NAME + 1] = "";
    size_t capacity = 0;
    int kind;
    if (DGifGetExtension(reader->gif, &kind, &block) != GIF_OK)
        return refused(reader->gif->Error);
    for (bool first = true; block; first = false) {
        GraphicsControlBlock control;
        if (kind == GRAPHICS_EXT_FUNC_CODE && first && DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK)
            reader->control = (Control){control.TransparentColor, control.DisposalMode, control.DelayTime / 100.0};
        reader->moves |= reader->control.seconds > 0;
        if (kind == COMMENT_EXT_FUNC_CODE)
            TRY(read_comment(reader, block, &capacity));
        if (kind == APPLICATION_EXT_FUNC_CODE && first && block[0] == NAME)
            memcpy(name, block + 1, NAME);
        else if (kind == APPLICATION_EXT_FUNC_CODE)
            read_application(reader, name, block);
        if (DGifGetExtensionNext(reader->gif, &block) != GIF_OK)
            return refused(reader->gif->Error);
    }
    return keep_comment(reader);
}

/* Up to the last picture that is wanted, but through all of the file, whose damage counts. */
static Status read_records(Reader *reader) {
    GifRecordType record = UNDEFINED_RECORD_TYPE;
    while (record != TERMINATE_RECORD_TYPE) {
        const bool ends = reader->at == reader->file.size;
        reader->gif->Error = D_GIF_ERR_IMAGE_DEFECT;
        if (DGifGetRecordType(reader->gif, &record) != GIF_OK) {
            if (!ends || reader->number != 1 || reader->moves)
                return refused(reader->gif->Error);
            break; /* without a trailer, but complete */
        }
        if (record == IMAGE_DESC_RECORD_TYPE)
            TRY(read_picture(reader));
        if (record == EXTENSION_RECORD_TYPE)
            TRY(read_extension(reader));
    }
    return reader->first ? STATUS_OK : fail(STATUS_INPUT, "a GIF without a picture");
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
    int code = D_GIF_ERR_NOT_ENOUGH_MEM;
    TRY(image_create(canvas, &reader->canvas));
    TRY(image_create((Shape){1, 1, 1, PIXEL_U8}, &reader->about));
    reader->gif = DGifOpen(reader, on_read, &code);
    if (!reader->gif)
        return refused(code);
    TRY(read_records(reader));
    settle(reader);
    return STATUS_OK;
}

static Status gif_load(Bytes file, Pages pages, Image **image) {
    Input input = input_of(file);
    Reader reader = {.file = file,
                     .control = {.transparent = NO_TRANSPARENT_COLOR},
                     .measure = {.pages = pages, .count = 1},
                     .plays = 1};
    *image = NULL;
    reader.end = &reader.first;
    TRY(gif_measure(&input, &reader.measure));
    const Status status = read_all(&reader, reader.measure.shape);
    if (reader.gif)
        DGifCloseFile(reader.gif, NULL);
    image_destroy(&reader.canvas);
    image_destroy(&reader.before);
    image_destroy(&reader.about);
    bytes_free(&reader.comment);
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

static bool put_rows(const Writer *writer, GifByteType *indices, Shape shape) {
    bool written = true;
    for (size_t y = 0; y < shape.height && written; y++)
        written = EGifPutLine(writer->gif, indices + y * shape.width, (int)shape.width) == GIF_OK;
    return written;
}

static Status put_picture(Writer *writer, const Image *image, bool moves) {
    const Shape shape = image->view.shape;
    Palette palette;
    unsigned char *indices;
    TRY(palette_of(image->view, &palette, &indices));
    ColorMapObject *map = map_of(&palette);
    const bool written =
        map && put_control(writer, &palette, image, moves) &&
        EGifPutImageDesc(writer->gif, 0, 0, (int)shape.width, (int)shape.height, false, map) == GIF_OK &&
        put_rows(writer, indices, shape);
    GifFreeMapObject(map);
    free(indices);
    writer->lost |= palette.lost;
    return written ? STATUS_OK : no_memory();
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
    Writer writer = {.lost = 0};
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
#else
    .lacks = "giflib",
#endif
};
