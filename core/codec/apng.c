/* apng.c: animated PNG (PNG, third edition, chapter 11.3.6). Frames are streams of their own between the chunks. Each
 * is put together as a PNG, decoded, and painted over the ones before. */
#include "core/codec/apng.h"

#include "core/base/memory.h"
#include "core/codec/formats.h"
#include "core/codec/frames.h"

#include <stdlib.h>
#include <zlib.h>

enum { SIGNATURE = 8, CHUNK_FRAME = 12, IHDR = 25, CONTROL = 26, DISPOSAL_AT = 24, SEQUENCE = 4 };

typedef enum Disposal { KEEP, CLEAR, RESTORE, DISPOSALS } Disposal;

/* The fields of a chunk fcTL. */
typedef struct Control {
    size_t sequence, width, height, left, top;
    double seconds;
    unsigned disposal;
    bool over; /* blended, not put */
} Control;

typedef struct Chunk {
    const unsigned char *type, *data;
    size_t size;
} Chunk;

typedef struct Reader {
    Bytes file;
    Pages pages;
    Image *canvas, *before;
    Bytes head, frame; /* a frame's PNG up to its data; all of it */
    size_t head_capacity, frame_capacity, sequence, number;
    Control control;
    bool begun;  /* a frame is being gathered */
    bool hidden; /* the file has a picture for programs that know no frames */
    Image *first, **end;
} Reader;

static size_t be(const unsigned char *bytes, size_t count) {
    size_t value = 0;
    for (size_t i = 0; i < count; i++)
        value = value << 8 | bytes[i];
    return value;
}

static void put_be(unsigned char *bytes, size_t count, size_t value) {
    for (size_t i = 0; i < count; i++)
        bytes[i] = (unsigned char)(value >> 8 * (count - 1 - i));
}

static Status no_memory(void) {
    return fail(STATUS_DEVICE, "no memory to decode PNG");
}

static Status damaged(const char *what) {
    return fail(STATUS_INPUT, "damaged PNG: %s", what);
}

/* The chunk at *at, which moves on; png_measure has looked at all. */
static bool next_chunk(Bytes file, size_t *at, Chunk *chunk) {
    if (*at + CHUNK_FRAME > file.size)
        return false;
    const size_t size = be(file.data + *at, 4);
    if (size > file.size - *at - CHUNK_FRAME)
        return false;
    *chunk = (Chunk){file.data + *at + 4, file.data + *at + 8, size};
    *at += CHUNK_FRAME + size;
    return true;
}

static bool is(const Chunk *chunk, const char *type) {
    return memcmp(chunk->type, type, 4) == 0;
}

/* The bytes around a chunk's data; the size of those before it is returned. With `prefix`, if that is not NULL, a
 * number stands before the data. */
static size_t frame_chunk(const char *type, const unsigned char *data, size_t size, const size_t *prefix,
                          unsigned char head[8 + SEQUENCE], unsigned char crc_bytes[4]) {
    const size_t head_size = prefix ? 8 + SEQUENCE : 8;
    put_be(head, 4, size + head_size - 8);
    memcpy(head + 4, type, 4);
    if (prefix)
        put_be(head + 8, SEQUENCE, *prefix);
    put_be(crc_bytes, 4, crc32_z(crc32_z(0, head + 4, head_size - 4), data, size));
    return head_size;
}

/* ---- reading ---- */

/* Appends a chunk to a frame's PNG. */
static Status put_chunk(Bytes *to, size_t *capacity, const char *type, const unsigned char *data, size_t size) {
    unsigned char head[8 + SEQUENCE], crc_bytes[4];
    const size_t head_size = frame_chunk(type, data, size, NULL, head, crc_bytes);
    return bytes_append(to, capacity, head, head_size) && bytes_append(to, capacity, data, size) &&
                   bytes_append(to, capacity, crc_bytes, 4)
               ? STATUS_OK
               : no_memory();
}

/* The part of the canvas that a frame paints. */
static Area area_at(const unsigned char *control) {
    return (Area){be(control + 12, 4), be(control + 16, 4), be(control + 4, 4), be(control + 8, 4)};
}

/* Counts a frame in the survey; *blank is the part of the canvas that is transparent before it. */
static void survey_frame(const unsigned char *control, ApngSurvey *survey, Area *blank) {
    const Area area = area_at(control);
    survey->count++;
    survey->opaque = survey->opaque && area_covers(area, *blank);
    *blank = control[DISPOSAL_AT] == RESTORE ? *blank : control[DISPOSAL_AT] == CLEAR ? area : (Area){0};
}

ApngSurvey apng_survey(Input *file, Shape canvas) {
    unsigned char frame[8] = "", control[CONTROL];
    ApngSurvey survey = {.opaque = !shape_has_alpha(canvas)};
    Area blank = area_of(canvas);
    bool moves = false;
    for (size_t at = SIGNATURE; memcmp(frame + 4, "IEND", 4) != 0; at += CHUNK_FRAME + be(frame, 4)) {
        if (!input_peek(file, at, frame, sizeof frame))
            return (ApngSurvey){0};
        moves |= memcmp(frame + 4, "acTL", 4) == 0;
        if (memcmp(frame + 4, "fcTL", 4) == 0 && input_peek(file, at + 8, control, sizeof control))
            survey_frame(control, &survey, &blank);
    }
    return moves ? survey : (ApngSurvey){0};
}

Shape apng_canvas(Shape shape, ApngSurvey survey) {
    shape.channels = survey.opaque ? shape.channels : shape.channels < 3 ? 2 : 4;
    return shape;
}

/* Over the pixels there, by straight alpha. */
static void blend(ImageView from, ImageView to) {
    const double white = pixel_type_white(to.shape.type);
    const int colours = to.shape.channels - 1;
    for (size_t y = 0; y < from.shape.height; y++)
        for (size_t x = 0; x < from.shape.width; x++) {
            const double alpha = view_value(from, x, y, colours) / white;
            const double behind = (1 - alpha) * view_value(to, x, y, colours) / white, sum = alpha + behind;
            for (int c = 0; c < colours && alpha > 0; c++)
                view_set_value(to, x, y, c,
                               (alpha * view_value(from, x, y, c) + behind * view_value(to, x, y, c)) / sum);
            view_set_value(to, x, y, colours, sum * white);
        }
}

static void put_pixels(ImageView from, ImageView to) {
    const double white = pixel_type_white(to.shape.type);
    if (from.shape.channels == to.shape.channels) {
        view_copy(from, to);
        return;
    }
    for (size_t y = 0; y < from.shape.height; y++)
        for (size_t x = 0; x < from.shape.width; x++)
            for (int c = 0; c < to.shape.channels; c++)
                view_set_value(to, x, y, c, c < from.shape.channels ? view_value(from, x, y, c) : white);
}

static Status keep_frame(Reader *reader) {
    const size_t number = reader->number++;
    if (number < reader->pages.first ||
        (reader->pages.count > 0 && number - reader->pages.first >= reader->pages.count))
        return STATUS_OK;
    TRY(image_clone(reader->canvas->view, reader->end));
    (*reader->end)->seconds = reader->control.seconds;
    reader->end = &(*reader->end)->next;
    return STATUS_OK;
}

static ImageView part_of(const Image *canvas, const Control *control) {
    return view_crop(canvas->view, control->left, control->top, control->width, control->height);
}

static Status paint(Reader *reader, const Image *frame) {
    const Control *control = &reader->control;
    const ImageView canvas = reader->canvas->view, to = part_of(reader->canvas, control);
    if (frame->view.shape.width != control->width || frame->view.shape.height != control->height ||
        frame->view.shape.type != canvas.shape.type || frame->view.shape.channels > canvas.shape.channels ||
        (frame->view.shape.channels < 3) != (canvas.shape.channels < 3))
        return damaged("a frame that is not as it says");
    const bool restores = control->disposal == RESTORE;
    if (restores && !reader->before)
        TRY(image_create(canvas.shape, &reader->before));
    if (restores) /* the frame's part alone: a file may have many small frames on a vast canvas */
        view_copy(to, part_of(reader->before, control));
    (control->over && shape_has_alpha(frame->view.shape) ? blend : put_pixels)(frame->view, to);
    TRY(keep_frame(reader));
    for (size_t y = 0; y < to.shape.height && control->disposal == CLEAR; y++)
        memset(view_row(to, y), 0, shape_row_bytes(to.shape));
    if (restores)
        view_copy(part_of(reader->before, control), to);
    return STATUS_OK;
}

/* The frame that was gathered, if there is one. */
static Status end_frame(Reader *reader) {
    Image *frame = NULL;
    if (!reader->begun)
        return STATUS_OK;
    TRY(decoding_goes_on());
    reader->begun = false;
    TRY(put_chunk(&reader->frame, &reader->frame_capacity, "IEND", (const unsigned char *)"", 0));
    Status status = format_load_rows(&format_png, reader->frame, &frame);
    if (status == STATUS_OK)
        status = paint(reader, frame);
    image_destroy(&frame);
    return status;
}

static Status read_control(Reader *reader, const Chunk *chunk) {
    const unsigned char *d = chunk->data;
    const Shape canvas = reader->canvas->view.shape;
    if (chunk->size != CONTROL || be(d, 4) != reader->sequence++)
        return damaged("its frames are not in order");
    const size_t numerator = be(d + 20, 2), denominator = be(d + 22, 2);
    reader->control = (Control){.width = be(d + 4, 4),
                                .height = be(d + 8, 4),
                                .left = be(d + 12, 4),
                                .top = be(d + 16, 4),
                                .seconds = (double)numerator / (denominator > 0 ? (double)denominator : 100),
                                .disposal = d[DISPOSAL_AT],
                                .over = d[25] == 1};
    const Control *control = &reader->control;
    if (control->width == 0 || control->height == 0 || control->width > canvas.width ||
        control->height > canvas.height || control->left > canvas.width - control->width ||
        control->top > canvas.height - control->height || control->disposal >= DISPOSALS || d[25] > 1)
        return damaged("a frame that does not lie in the picture");
    if (numerator == 0) /* as fast as possible, which for all browsers is a tenth of a second */
        reader->control.seconds = 0.1;
    if (reader->number == 0 && control->disposal == RESTORE)
        reader->control.disposal = CLEAR;
    return STATUS_OK;
}

/* A PNG of the frame's size begins. */
static Status begin_frame(Reader *reader, const Chunk *chunk) {
    TRY(end_frame(reader));
    TRY(read_control(reader, chunk));
    unsigned char header[IHDR - CHUNK_FRAME];
    memcpy(header, reader->file.data + SIGNATURE + 8, sizeof header);
    put_be(header, 4, reader->control.width);
    put_be(header + 4, 4, reader->control.height);
    reader->frame.size = 0;
    reader->begun = true;
    if (!bytes_append(&reader->frame, &reader->frame_capacity, reader->file.data, SIGNATURE))
        return no_memory();
    TRY(put_chunk(&reader->frame, &reader->frame_capacity, "IHDR", header, sizeof header));
    return reader->head.size == 0 ||
                   bytes_append(&reader->frame, &reader->frame_capacity, reader->head.data, reader->head.size)
               ? STATUS_OK
               : no_memory();
}

static Status read_chunk(Reader *reader, const Chunk *chunk) {
    Bytes *frame = &reader->frame;
    if (is(chunk, "PLTE") || is(chunk, "tRNS"))
        return put_chunk(&reader->head, &reader->head_capacity, (const char *)chunk->type, chunk->data, chunk->size);
    if (is(chunk, "fcTL"))
        return begin_frame(reader, chunk);
    reader->hidden |= is(chunk, "IDAT") && !reader->begun;
    if (is(chunk, "IDAT") && reader->begun)
        return put_chunk(frame, &reader->frame_capacity, "IDAT", chunk->data, chunk->size);
    if (!is(chunk, "fdAT"))
        return STATUS_OK;
    if (!reader->begun || chunk->size < SEQUENCE || be(chunk->data, SEQUENCE) != reader->sequence++)
        return damaged("its frames are not in order");
    return put_chunk(frame, &reader->frame_capacity, "IDAT", chunk->data + SEQUENCE, chunk->size - SEQUENCE);
}

/* Whether nothing that follows is wanted. */
static bool has_all(const Reader *reader) {
    return reader->pages.count > 0 && reader->number >= reader->pages.first + reader->pages.count;
}

/* `about`, the picture for programs that know no frames, has the blocks that go with all. */
static Status read_frames(Reader *reader, ApngSurvey survey, Image *about) {
    size_t at = SIGNATURE;
    Chunk chunk;
    unsigned plays = 0;
    TRY(image_create(apng_canvas(about->view.shape, survey), &reader->canvas));
    while (!has_all(reader) && next_chunk(reader->file, &at, &chunk)) {
        if (is(&chunk, "acTL") && chunk.size == 8)
            plays = (unsigned)be(chunk.data + 4, 4);
        TRY(read_chunk(reader, &chunk));
    }
    if (!has_all(reader))
        TRY(end_frame(reader));
    if (!reader->first)
        return damaged("no frames, though it says so");
    const double seconds = reader->first->seconds;
    about->extras |= reader->hidden && reader->pages.count == 0 ? EXTRA_FRAMES : 0;
    image_pass_on(about, reader->first);
    reader->first->seconds = seconds;
    reader->first->plays = plays;
    return STATUS_OK;
}

Status apng_load(Bytes file, Pages pages, Image **image) {
    Reader reader = {.file = file, .pages = pages};
    Input input = input_of(file);
    TRY(format_load_rows(&format_png, file, image));
    const ApngSurvey survey = apng_survey(&input, (*image)->view.shape);
    if (survey.count == 0)
        return STATUS_OK;
    Image *about = *image;
    reader.end = &reader.first;
    const Status status = read_frames(&reader, survey, about);
    bytes_free(&reader.head);
    bytes_free(&reader.frame);
    image_destroy(&reader.canvas);
    image_destroy(&reader.before);
    image_destroy(&about);
    if (status != STATUS_OK)
        image_destroy(&reader.first);
    *image = reader.first;
    return status;
}

/* ---- writing ---- */

static Status put_bytes(ApngWriter *writer, const void *data, size_t size) {
    const Status status = size > 0 ? writer->to->put(writer->to, writer->at, data, size) : STATUS_OK;
    writer->at += size;
    return status;
}

static Status write_chunk(ApngWriter *writer, const char *type, const unsigned char *data, size_t size,
                          const size_t *prefix) {
    unsigned char head[8 + SEQUENCE], crc_bytes[4];
    const size_t head_size = frame_chunk(type, data, size, prefix, head, crc_bytes);
    TRY(put_bytes(writer, head, head_size));
    TRY(put_bytes(writer, data, size));
    return put_bytes(writer, crc_bytes, sizeof crc_bytes);
}

/* The chunk acTL: written twice, since the number of frames is known in the end. */
static Status write_animation(ApngWriter *writer) {
    unsigned char data[8];
    put_be(data, 4, writer->frames);
    put_be(data + 4, 4, writer->plays);
    return write_chunk(writer, "acTL", data, sizeof data, NULL);
}

/* `size`: width and height, as IHDR has them. */
static Status write_control(ApngWriter *writer, const unsigned char size[8], ApngFrame frame) {
    unsigned char data[CONTROL] = {0};
    put_be(data, 4, writer->sequence++);
    memcpy(data + 4, size, 8);
    put_be(data + 12, 4, frame.left);
    put_be(data + 16, 4, frame.top);
    put_be(data + 20, 2, frame.ticks);
    put_be(data + 22, 2, frame.rate);
    return write_chunk(writer, "fcTL", data, sizeof data, NULL);
}

/* The first frame's file, with the chunks that make it one of several; its end is left out. */
static Status add_first(ApngWriter *writer, Bytes png, ApngFrame frame) {
    size_t at = SIGNATURE;
    bool begun = false;
    Chunk chunk;
    TRY(put_bytes(writer, png.data, SIGNATURE));
    while (next_chunk(png, &at, &chunk) && !is(&chunk, "IEND")) {
        if (is(&chunk, "IDAT") && !begun) {
            writer->control_at = writer->at;
            TRY(write_animation(writer));
            TRY(write_control(writer, png.data + SIGNATURE + 8, frame));
            begun = true;
        }
        TRY(write_chunk(writer, (const char *)chunk.type, chunk.data, chunk.size, NULL));
    }
    return STATUS_OK;
}

static Status add_further(ApngWriter *writer, Bytes png, ApngFrame frame) {
    size_t at = SIGNATURE;
    Chunk chunk;
    TRY(write_control(writer, png.data + SIGNATURE + 8, frame));
    while (next_chunk(png, &at, &chunk))
        if (is(&chunk, "IDAT")) {
            const size_t sequence = writer->sequence++;
            TRY(write_chunk(writer, "fdAT", chunk.data, chunk.size, &sequence));
        }
    return STATUS_OK;
}

Status apng_add(ApngWriter *writer, Bytes png, ApngFrame frame) {
    return (writer->frames++ == 0 ? add_first : add_further)(writer, png, frame);
}

static bool row_differs(ImageView a, ImageView b, size_t y) {
    return memcmp(view_row(a, y), view_row(b, y), shape_row_bytes(a.shape)) != 0;
}

/* The smallest rectangle outside of which the two are the same; at least a pixel. */
static ImageView changed_part(ImageView now, ImageView before, size_t *x, size_t *y) {
    const size_t height = now.shape.height, row = shape_row_bytes(now.shape), pixel = row / now.shape.width;
    size_t top = 0, bottom = height, left = row, right = 0;
    while (top + 1 < height && !row_differs(now, before, top))
        top++;
    while (bottom > top + 1 && !row_differs(now, before, bottom - 1))
        bottom--;
    for (size_t at = top; at < bottom; at++) {
        const unsigned char *a = view_row(now, at), *b = view_row(before, at);
        for (size_t i = 0; i < left; i++)
            left = a[i] != b[i] ? i : left;
        for (size_t i = row; i > right; i--)
            right = a[i - 1] != b[i - 1] ? i : right;
    }
    *x = left < right ? left / pixel : 0;
    *y = top;
    const size_t end = left < right ? (right + pixel - 1) / pixel : 1;
    return view_crop(now, *x, top, end - *x, bottom - top);
}

Status apng_add_changed(ApngWriter *writer, ImageView now, const ImageView *before, unsigned ticks, unsigned rate) {
    Image part = {.view = now};
    ApngFrame frame = {.ticks = ticks < APNG_TICKS_MAX ? ticks : APNG_TICKS_MAX, .rate = rate};
    Bytes png = {0};
    if (before)
        part.view = changed_part(now, *before, &frame.left, &frame.top);
    TRY(format_save_rows(&format_png, &part, (SaveOptions){0}, &png));
    const Status status = apng_add(writer, png, frame);
    bytes_free(&png);
    return status;
}

Status apng_end(ApngWriter *writer) {
    TRY(write_chunk(writer, "IEND", (const unsigned char *)"", 0, NULL));
    writer->at = writer->control_at;
    return write_animation(writer);
}

/* The whole canvas, for the picture's time. The time counts milliseconds, or hundredths of a second if it is too long
 * for them, and is at most 11 minutes. */
static ApngFrame frame_of(const Image *image) {
    enum { MILLISECONDS = 1000 };
    const double delay = MILLISECONDS * (image->seconds > 0 ? image->seconds : 1) + 0.5;
    const bool is_long = delay > APNG_TICKS_MAX;
    const double ticks = is_long ? delay / 10 : delay;
    return (ApngFrame){.ticks = ticks < APNG_TICKS_MAX ? (unsigned)ticks : APNG_TICKS_MAX,
                       .rate = is_long ? MILLISECONDS / 10 : MILLISECONDS};
}

static Status put_frame(ApngWriter *writer, const Image *first, const Image *image, SaveOptions options) {
    Bytes png = {0};
    const Shape shape = image->view.shape;
    TRY(pictures_alike(first, image, "PNG"));
    if (!shape_equal(first->view.shape, shape))
        return fail(STATUS_INPUT, "PNG holds frames of one type; here one is %sx%d, and the first %sx%d",
                    pixel_type_name(shape.type), shape.channels, pixel_type_name(first->view.shape.type),
                    first->view.shape.channels);
    TRY(format_save_rows(&format_png, image, options, &png));
    const Status status = apng_add(writer, png, frame_of(image));
    bytes_free(&png);
    return status;
}

Status apng_save(const Image *image, SaveOptions options, Bytes *file) {
    BytesSink bytes = bytes_sink(file, "PNG");
    ApngWriter writer = {.to = &bytes.sink, .plays = image->plays};
    Status status = STATUS_OK;
    if (!image->next)
        return format_save_rows(&format_png, image, options, file);
    for (const Image *each = image; each && status == STATUS_OK; each = each->next)
        status = put_frame(&writer, image, each, options);
    if (status == STATUS_OK)
        status = apng_end(&writer);
    if (status != STATUS_OK)
        bytes_free(file);
    else if (options.lost)
        *options.lost |= extras_apart(image);
    return status;
}
