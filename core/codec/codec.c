/* codec.c: decoding and encoding, as far as it is alike for all formats. */
#include "core/codec/codec.h"

#include "core/base/file.h"
#include "core/base/memory.h"
#include "core/codec/formats.h"
#include "core/codec/part.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes the metadata true of the picture as it was loaded: upright, if its file says how, and about to change. */
static void settle_metadata(const Measure *measured, Image *image) {
    exif_settle(image);
    image->extras |= xmp_settle(&image->xmp, measured->orientation > 0, image->gain_map != NULL);
}

static Status format_present(const Format *format) {
    return format->lacks ? fail(STATUS_INPUT, "%s cannot be read or written: glint was built without %s", format->title,
                                format->lacks)
                         : STATUS_OK;
}

/* Some libraries call a file damaged where memory was short; but malloc leaves a word in errno. A picture that came all
 * the same is none of these: malloc leaves that word, too, where it finds room at its second try. */
static Status blame(const Format *format, Status status) {
    return status != STATUS_OK && status != STATUS_DEVICE && errno == ENOMEM
               ? fail(STATUS_DEVICE, "no memory to decode %s", format->title)
               : status;
}

Status codec_measure(Input *file, Pages pages, size_t *format, Measure *measure) {
    *measure = (Measure){.pages = pages, .count = 1};
    if (file->size == 0)
        return fail(STATUS_INPUT, "the file is empty");
    for (*format = 0; *format < format_count; ++*format) {
        const Format *is = formats[*format];
        if (!format_recognizes(is, file))
            continue;
        TRY(format_present(is));
        errno = 0;
        TRY(input_settle(file, blame(is, is->measure(file, measure))));
        measure->pages = pages;
        if (!is->load_pages) {
            TRY(file_has_page(1, pages, is->title));
            measure->count = 1;
        }
        return measure->row_working > 0 ? shape_exists(measure->shape) : shape_check(measure->shape);
    }
    return fail(STATUS_INPUT, "no known picture format; `glint list formats` shows all formats");
}

/* The bytes that decoding holds at once: the file, the picture, the decoder's own, and the picture once more where rows
 * become columns. */
static size_t decoding_memory(const Measure *measured, size_t file_size) {
    const size_t pixels = shape_bytes(measured->shape), turned = measured->orientation > 1 ? pixels : 0;
    return memory_sum(memory_sum(file_size, memory_sum(pixels, turned)),
                      memory_sum(memory_sum(measured->working, measured->further), measured->carried));
}

/* ---- pictures ---- */

static Status decode(const Format *format, const Measure *measured, Bytes bytes, FilePart *part, Image **image) {
    errno = 0;
    Status status = blame(format, format->load_pages ? format->load_pages(bytes, measured->pages, image)
                                  : format->load     ? format->load(bytes, image)
                                                     : format_load_rows(format, bytes, image));
    if (status == STATUS_INPUT && measured->pages.partial && format->load_part) {
        image_destroy(image); /* rows of the failed try */
        status = blame(format, part_load(format, bytes, part, image));
    }
    for (Image **each = image; status == STATUS_OK && *each; each = &(*each)->next) {
        status = image_orient(each, measured->orientation);
        if (status == STATUS_OK)
            settle_metadata(measured, *each);
    }
    if (status == STATUS_OK && *image)
        (*image)->extras |= measured->extras;
    else
        image_destroy(image);
    return status;
}

Status codec_unpack(Bytes file, Pages pages, size_t max, FilePart *part, Image **image) {
    Input input = input_of(file);
    Measure measure;
    size_t format;
    *image = NULL;
    *part = (FilePart){0};
    TRY(codec_measure(&input, pages, &format, &measure));
    const size_t bytes = decoding_memory(&measure, file.size);
    return bytes <= max ? decode(formats[format], &measure, file, part, image) : memory_lacks(bytes, max, "decoding");
}

Status codec_decode(Bytes file, Image **image) {
    FilePart part;
    return codec_unpack(file, (Pages){0}, memory_budget(), &part, image);
}

/* "png, tga": the formats that take this shape. */
static void formats_that_write(Shape shape, char *names, size_t size) {
    names[0] = '\0';
    for (size_t i = 0; i < format_count; i++) {
        const size_t used = strlen(names);
        if (format_writes(formats[i], shape))
            snprintf(names + used, size - used, "%s%s", used ? ", " : "", formats[i]->name);
    }
}

static Status check_shape(const Format *format, Shape shape) {
    char written[64], names[128], side[48] = "";
    TRY(format_present(format));
    if (format_writes(format, shape))
        return STATUS_OK;
    formats_that_write(shape, names, sizeof names);
    if (!format->writes)
        return fail(STATUS_INPUT, "%s is read, but not written; these can hold this picture: %s", format->title,
                    names[0] ? names : "none");
    format_shapes(format->writes, written, sizeof written);
    if (format->side_max)
        snprintf(side, sizeof side, ", up to %zu pixels a side", format->side_max);
    return fail(STATUS_INPUT, "%s is written as %s%s; not %sx%d of %zu x %zu; these can: %s", format->title, written,
                side, pixel_type_name(shape.type), shape.channels, shape.width, shape.height,
                names[0] ? names : "none");
}

/* STATUS_INPUT, naming formats that can, for several pictures in a format that holds one. */
static Status check_count(const Format *format, const Image *image) {
    char names[128] = "";
    for (size_t i = 0; i < format_count; i++)
        if (formats[i]->saves_several)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", names[0] ? ", " : "",
                     formats[i]->name);
    return !image->next || format->saves_several
               ? STATUS_OK
               : fail(STATUS_INPUT,
                      "%s holds one picture, and these are %zu; --page N takes one, and these hold all: %s",
                      format->title, image_count(image), names[0] ? names : "none");
}

/* The bits of enum Extra that are lost in a file of this format. */
static unsigned image_loses(const Image *image, const Format *format) {
    return image->extras | (image_carries(image) & ~format->holds);
}

Status codec_encode(const Format *format, const Image *image, SaveOptions options, Bytes *file) {
    *file = (Bytes){0};
    TRY(check_shape(format, image->view.shape));
    for (const Image *each = image->next; each; each = each->next)
        TRY(check_shape(format, each->view.shape));
    TRY(check_count(format, image));
    TRY(format->save ? save_within(format, image, options, file) : format_save_rows(format, image, options, file));
    for (const Image *each = image; each && options.lost; each = each->next)
        *options.lost |= image_loses(each, format);
    return STATUS_OK;
}

bool codec_encodes_directly(const Format *format, const Image *image) {
    return format->raw && format->write_rows && !image->next;
}

Status codec_encode_to(const Format *format, const Image *image, SaveOptions options, ByteSink *to) {
    TRY(check_shape(format, image->view.shape));
    TRY(format_save_rows_to(format, image, options, to));
    if (options.lost)
        *options.lost |= image_loses(image, format);
    return STATUS_OK;
}

bool codec_takes_rows(const Format *format, Shape shape, bool seeks) {
    return format->write_rows && format_writes(format, shape) && (seeks || !format->seeks);
}

Status codec_write_rows(const Format *format, const Image *about, SaveOptions options, ByteSink *to, RowSink **rows) {
    *rows = NULL;
    TRY(check_shape(format, about->view.shape));
    const Status status = format->write_rows(about, options, to, rows);
    if (status != STATUS_OK)
        row_sink_close(rows);
    else if (options.lost)
        *options.lost |= image_loses(about, format);
    return status;
}

size_t codec_encoding_memory(Shape shape, size_t pictures) {
    enum { ENCODER_BYTES = 3 << 19 }; /* tables, windows and strips of zlib, libpng, libjpeg and libtiff */
    enum { PICTURE_BYTES = 1 << 12 }; /* a picture's header and palette in a file, and libraries' notes of it */
    const size_t pixels = shape_bytes(shape), values = memory_sum(pixels, pixels / 8);
    const size_t picture = memory_sum(memory_sum(values, shape.height), PICTURE_BYTES);
    return memory_sum(memory_product(picture, pictures), ENCODER_BYTES);
}

Status codec_open(const char *path, Pages pages, CodecFile *file) {
    Input input;
    *file = (CodecFile){0};
    TRY(input_open(path, &input));
    return codec_adopt(&input, pages, NULL, file);
}

/* A box decodes whole pictures. */
static Status measure_file(CodecFile *file, Pages pages) {
    size_t format;
    CodecBox *box = file->box;
    TRY(box ? box->measure(box, &file->input, pages, &format, &file->measure)
            : codec_measure(&file->input, pages, &format, &file->measure));
    file->format = formats[format];
    file->measure.row_working = box ? 0 : file->measure.row_working;
    return STATUS_OK;
}

Status codec_adopt(Input *input, Pages pages, CodecBox *box, CodecFile *file) {
    *file = (CodecFile){.input = *input, .box = box};
    *input = (Input){.descriptor = -1};
    Status status = measure_file(file, pages);
    if (status != STATUS_OK) {
        status = fail_within(status, "%s: ", file->input.name);
        codec_close(file);
    }
    return status;
}

Shape codec_shape(const CodecFile *file) {
    return shape_oriented(file->measure.shape, file->measure.orientation);
}

size_t codec_memory(const CodecFile *file) {
    return file->input.size < SIZE_MAX ? decoding_memory(&file->measure, file->input.size) : SIZE_MAX;
}

/* A file that a box can read by itself is read here for its hash only. */
static Status read_rest(CodecFile *file, size_t max) {
    Input *input = &file->input;
    const size_t besides = decoding_memory(&file->measure, 0);
    if (!file->box || !input->seekable || file->hash)
        TRY(input_read(input, besides < max ? max - besides : 0));
    if (file->hash)
        *file->hash = bytes_hash(input->bytes);
    return STATUS_OK;
}

/* The header may have changed by now, or have said more than there is. */
static Status unpack_read(CodecFile *file, size_t max, Image **image) {
    CodecBox *box = file->box;
    const Measure *measure = &file->measure;
    const Status status = box ? box->unpack(box, &file->input, measure, max, &file->part, image)
                              : codec_unpack(file->input.bytes, measure->pages, max, &file->part, image);
    return status == STATUS_OK ? status : fail_within(status, "%s: ", file->input.name);
}

/* Whether its values may be read from the file to where they belong. */
static bool reads_directly(const CodecFile *file) {
    return file->format->raw && file->measure.row_working > 0 && !file->box && !file->hash && file->input.seekable;
}

static Status read_directly(CodecFile *file, size_t max, Image **image) {
    const size_t held = file->input.size < INPUT_HEAD ? file->input.size : INPUT_HEAD;
    const size_t bytes = decoding_memory(&file->measure, held);
    Status status =
        bytes <= max ? format_load_rows_from(file->format, &file->input, image) : memory_lacks(bytes, max, "decoding");
    if (status == STATUS_OK && *image)
        (*image)->extras |= file->measure.extras;
    else
        image_destroy(image);
    return status == STATUS_OK ? status : fail_within(status, "%s: ", file->input.name);
}

Status codec_read(CodecFile *file, size_t max, Image **image) {
    *image = NULL;
    Status status = STATUS_OK;
    if (reads_directly(file)) {
        status = read_directly(file, max, image);
    } else {
        status = read_rest(file, max);
        if (status == STATUS_OK)
            status = unpack_read(file, max, image);
    }
    codec_close(file);
    return status;
}

bool codec_may_stay_encoded(const CodecFile *file) {
    return file->format->shell && !file->box;
}

/* Makes the image that `decode` would, but without pixels. */
static Status load_about(const CodecFile *file, size_t end, Image **about) {
    TRY(image_create_about(codec_shape(file), about));
    Status status = file->format->shell->load_about(file->input.bytes, end, *about);
    if (status == STATUS_OK && (*about)->gain_map)
        status = image_orient(&(*about)->gain_map, file->measure.orientation);
    if (status != STATUS_OK) {
        image_destroy(about);
        return status;
    }
    if (orientation_turn(file->measure.orientation) & TURN_SWAP)
        (*about)->resolution = (Resolution){(*about)->resolution.y, (*about)->resolution.x};
    settle_metadata(&file->measure, *about);
    (*about)->extras |= file->measure.extras;
    return STATUS_OK;
}

/* Leaves a plain file encoded, and says whether it did. The header may have changed since it was measured. */
static bool stays_encoded(CodecFile *file, EncodedPicture *encoded, Image **about) {
    Input plain = input_of(file->input.bytes);
    size_t format, end;
    if (!codec_may_stay_encoded(file) || !file->format->shell->is_plain(plain.bytes, &end) ||
        codec_measure(&plain, file->measure.pages, &format, &file->measure) != STATUS_OK ||
        formats[format] != file->format || load_about(file, end, about) != STATUS_OK)
        return false;
    *encoded = (EncodedPicture){{plain.bytes.data, end}, file->measure.shape, file->measure.orientation};
    file->input.bytes = (Bytes){0};
    return true;
}

Status codec_read_encoded(CodecFile *file, size_t max, EncodedPicture *encoded, Image **image) {
    *encoded = (EncodedPicture){0};
    *image = NULL;
    Status status = read_rest(file, max);
    if (status == STATUS_OK && !stays_encoded(file, encoded, image))
        status = unpack_read(file, max, image);
    codec_close(file);
    return status;
}

Status codec_encode_about(const Format *format, const Image *about, Bytes encoded, SaveOptions options, Bytes *file) {
    *file = (Bytes){0};
    TRY(check_shape(format, about->view.shape));
    TRY(format->shell->save_about(about, encoded, options, file));
    if (options.lost)
        *options.lost |= image_loses(about, format);
    return STATUS_OK;
}

bool codec_has_rows(const CodecFile *file) {
    const Measure *measure = &file->measure;
    return measure->row_working > 0 && measure->orientation <= 1 && measure->count == 1 && file->input.seekable;
}

/* A format's source, whose failures are told as reading the file failed. */
typedef struct FileRows {
    RowSource source; /* first, so that a RowSource is ours */
    RowSource *rows;
    const Input *input;
} FileRows;

static Status file_rows_read(RowSource *source, ImageView rows) {
    const FileRows *file = (FileRows *)source;
    return input_settle(file->input, file->rows->read(file->rows, rows));
}

static Status file_rows_rewind(RowSource *source) {
    const FileRows *file = (FileRows *)source;
    return input_settle(file->input, file->rows->rewind(file->rows));
}

static void file_rows_close(RowSource *source) {
    row_source_close(&((FileRows *)source)->rows);
    free(source);
}

static Status open_file_rows(CodecFile *file, Image *about, RowSource **rows) {
    FileRows *made = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory to decode %s", file->format->title);
    made->source = (RowSource){.read = file_rows_read, .rewind = file_rows_rewind, .close = file_rows_close};
    made->input = &file->input;
    *rows = &made->source;
    errno = 0;
    TRY(input_settle(&file->input, blame(file->format, file->format->read_rows(&file->input, file->measure.pages, about,
                                                                               &made->rows))));
    made->source.shape = made->rows->shape;
    made->source.all = made->rows->all;
    made->source.timed = made->rows->timed;
    return STATUS_OK;
}

/* The caller has checked the budget against the memory that this takes. The header may have changed since, but not the
 * shape. */
Status codec_read_rows(CodecFile *file, RowSource **rows, Image **about) {
    *rows = NULL;
    TRY(image_create_about(file->measure.shape, about));
    Status status = open_file_rows(file, *about, rows);
    if (status == STATUS_OK && !shape_equal((*rows)->shape, file->measure.shape))
        status = fail(STATUS_INPUT, "the file has changed while it was read");
    if (status == STATUS_OK) {
        settle_metadata(&file->measure, *about);
        (*about)->extras |= file->measure.extras;
        return STATUS_OK;
    }
    row_source_close(rows);
    image_destroy(about);
    return status;
}

void codec_close(CodecFile *file) {
    input_close(&file->input);
}

static Status load(const char *path, Pages pages, FilePart *part, Image **image) {
    CodecFile file;
    const size_t budget = memory_budget();
    *image = NULL;
    TRY(codec_open(path, pages, &file));
    const size_t wanted = codec_memory(&file);
    if (wanted <= budget || wanted == SIZE_MAX) {
        const Status status = codec_read(&file, budget, image);
        *part = file.part;
        return status;
    }
    const Status status = fail_within(memory_lacks(wanted, budget, "decoding"), "%s: ", file.input.name);
    codec_close(&file);
    return status;
}

Status codec_load(const char *path, Image **image) {
    FilePart part;
    return load(path, (Pages){.count = 1}, &part, image);
}

Status codec_load_part(const char *path, RawWay raw, FilePart *part, Image **image) {
    *part = (FilePart){0};
    return load(path, (Pages){.count = 1, .partial = true, .raw = raw}, part, image);
}

/* Names the formats that this build writes, for terminals and windows alike. */
static Status no_format(const char *path) {
    char names[256] = "";
    for (size_t i = 0, length = 0; i < format_count && length < sizeof names; i++)
        if (formats[i]->writes && !formats[i]->lacks)
            length +=
                (size_t)snprintf(names + length, sizeof names - length, "%s.%s", length ? ", " : "", formats[i]->name);
    return fail(STATUS_INPUT, "%s: the extension names no format; there are %s", path, names);
}

static Status format_of_output(const char *path, const Format **format) {
    *format = format_for_path(path);
    return *format ? STATUS_OK : no_format(path);
}

Status codec_encode_for(const char *path, const Image *image, SaveOptions options, Bytes *file) {
    const Format *format;
    TRY(format_of_output(path, &format));
    const Status status = codec_encode(format, image, options, file);
    return status == STATUS_OK ? status : fail_within(status, "%s: ", path);
}

Status codec_check(const char *path, Shape shape) {
    const Format *format;
    TRY(format_of_output(path, &format));
    const Status status = check_shape(format, shape);
    return status == STATUS_OK ? status : fail_within(status, "%s: ", path);
}
