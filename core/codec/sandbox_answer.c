/* sandbox_answer.c: the answers of the sandbox's decoders. */
#include "core/codec/sandbox_answer.h"

#include "core/base/memory.h"
#include "core/codec/formats.h"
#include "core/codec/notes.h"
#include "core/codec/part.h"
#include "core/image/gain_map.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ALIGNMENT = 64, PIECE = 8 << 20 /* bytes that are read, and freed, at a time */ };

_Static_assert(sizeof(AnswerHead) <= ANSWER_HEAD, "the head fits into its place");

/* ---- the decoder ---- */

static Status take(PixelSource *source, size_t bytes, bool zeroed, void **memory) {
    AnswerWriter *writer = (AnswerWriter *)source;
    (void)zeroed; /* it was never used */
    if (bytes > writer->size - writer->used)
        return fail(STATUS_INPUT, "the picture takes more memory than its header said");
    *memory = writer->base + writer->used;
    const size_t end = writer->used + (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    writer->used = end < writer->size ? end : writer->size;
    return STATUS_OK;
}

static void give(PixelSource *source, void *memory) {
    (void)source, (void)memory;
}

AnswerWriter answer_begin(void *base, size_t size) {
    return (AnswerWriter){.source = {take, give}, .base = base, .used = ANSWER_HEAD, .size = size};
}

static AnswerShape shape_there(Shape shape) {
    return (AnswerShape){shape.width, shape.height, (uint32_t)shape.channels, (uint32_t)shape.type};
}

void answer_put_measure(const AnswerWriter *writer, size_t format, const Measure *measure) {
    ((AnswerHead *)writer->base)->measure = (AnswerMeasure){.shape = shape_there(measure->shape),
                                                            .gain_map = shape_there(measure->gain_map),
                                                            .format = format,
                                                            .count = measure->count,
                                                            .further = measure->further,
                                                            .working = measure->working,
                                                            .orientation = (uint32_t)measure->orientation,
                                                            .extras = measure->extras,
                                                            .premultiplied = measure->premultiplied};
}

/* A copy, or nothing. */
static Status put(AnswerWriter *writer, const void *data, size_t size, AnswerBlock *block) {
    void *memory = NULL;
    *block = (AnswerBlock){0};
    if (!data || size == 0)
        return STATUS_OK;
    TRY(take(&writer->source, size, false, &memory));
    memcpy(memory, data, size);
    *block = (AnswerBlock){(size_t)((unsigned char *)memory - writer->base), size};
    return STATUS_OK;
}

static size_t place_of(const AnswerWriter *writer, const Image *image) {
    return (size_t)((unsigned char *)image->view.pixels - writer->base);
}

static Status put_image(AnswerWriter *writer, const Image *image, uint64_t *at) {
    const ColourChunks *colours = &image->colours;
    AnswerParcel parcel = {.shape = shape_there(image->view.shape),
                           .pixels = place_of(writer, image),
                           .resolution = {image->resolution.x, image->resolution.y},
                           .seconds = image->seconds,
                           .extras = image->extras,
                           .plays = image->plays,
                           .premultiplied = image->premultiplied,
                           .has_gama = colours->has_gama,
                           .has_chrm = colours->has_chrm,
                           .has_cicp = colours->has_cicp};
    AnswerBlock place;
    if (image->gain_map)
        parcel.gain_map = (AnswerGainMap){shape_there(image->gain_map->view.shape), place_of(writer, image->gain_map),
                                          image->gain_curve};
    memcpy(parcel.gama, colours->gama, sizeof parcel.gama);
    memcpy(parcel.chrm, colours->chrm, sizeof parcel.chrm);
    memcpy(parcel.cicp, colours->cicp, sizeof parcel.cicp);
    TRY(put(writer, image->profile, image->profile_size, &parcel.blocks[0]));
    TRY(put(writer, image->exif.data, image->exif.size, &parcel.blocks[1]));
    TRY(put(writer, image->xmp.data, image->xmp.size, &parcel.blocks[2]));
    TRY(put(writer, image->text.data, image->text.size, &parcel.blocks[3]));
    TRY(put(writer, &parcel, sizeof parcel, &place));
    *at = place.at;
    return STATUS_OK;
}

Status answer_put_images(AnswerWriter *writer, const Image *first, FilePart part) {
    AnswerHead *head = (AnswerHead *)writer->base;
    uint64_t *link = &head->first;
    head->part = (AnswerPart){part.of, part.rows, part.fine};
    for (; first; first = first->next) {
        TRY(put_image(writer, first, link));
        link = &((AnswerParcel *)(writer->base + *link))->next;
    }
    return STATUS_OK;
}

void answer_end(const AnswerWriter *writer, Status status) {
    AnswerHead *head = (AnswerHead *)writer->base;
    head->status = status;
    if (status != STATUS_OK)
        snprintf(head->why, sizeof head->why, "%s", status_message());
    head->complete = ANSWER_COMPLETE;
}

/* ---- the asking process ---- */

typedef struct Reader {
    int file;
    size_t size, further, carried; /* the latter: bytes that may still come, as those of a Measure */
} Reader;

static Status not_credible(void) {
    return fail(STATUS_INPUT, "the decoder's answer makes no sense");
}

/* In pieces, each of which is freed where it was, if `frees`. */
static Status read_at(const Reader *reader, size_t at, size_t size, void *to, bool frees) {
    if (at > reader->size || size > reader->size - at)
        return not_credible();
    for (size_t done = 0; done < size;) {
        const size_t piece = size - done < PIECE ? size - done : PIECE;
        const ssize_t count = pread(reader->file, (char *)to + done, piece, (off_t)(at + done));
        if (count == 0 || (count < 0 && errno != EINTR))
            return fail(STATUS_DEVICE, "a decoder's answer cannot be read");
        if (count > 0 && frees)
            (void)fallocate(reader->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)(at + done), count);
        done += count > 0 ? (size_t)count : 0;
    }
    return STATUS_OK;
}

/* Counts bytes that are about to be allocated. */
static Status count(size_t *left, size_t bytes) {
    if (bytes > *left)
        return not_credible();
    *left -= bytes;
    return STATUS_OK;
}

static Status check_shape(AnswerShape there, Shape *shape) {
    if (there.type >= PIXEL_TYPES || there.channels > 4)
        return not_credible();
    *shape = (Shape){there.width, there.height, (int)there.channels, (PixelType)there.type};
    return shape_exists(*shape);
}

static Status read_head(const Reader *reader, AnswerHead *head) {
    TRY(read_at(reader, 0, sizeof *head, head, false));
    if (head->complete != ANSWER_COMPLETE)
        return not_credible();
    if (head->status == STATUS_OK)
        return STATUS_OK;
    const size_t length = strnlen(head->why, sizeof head->why);
    if ((head->status != STATUS_INPUT && head->status != STATUS_DEVICE) || length == 0 || length == sizeof head->why)
        return not_credible();
    for (char *at = head->why; *at; at++) /* it cannot begin lines of its own, nor steer terminals */
        *at = (unsigned char)*at < ' ' || *at == '\x7F' ? ' ' : *at;
    return fail((Status)head->status, "%s", head->why);
}

Status answer_measure(int file, size_t size, Pages pages, size_t *format, Measure *measure) {
    enum { ORIENTATIONS = 8 };
    const Reader reader = {.file = file, .size = size};
    AnswerHead head;
    TRY(read_head(&reader, &head));
    const AnswerMeasure there = head.measure;
    if (there.format >= format_count || formats[there.format]->lacks || there.orientation > ORIENTATIONS ||
        there.extras > EXTRAS || there.premultiplied > 1 || there.none != 0 || there.count == 0 ||
        (pages.count > 0 && there.count > pages.count))
        return not_credible();
    *format = there.format;
    *measure = (Measure){.pages = pages,
                         .count = there.count,
                         .further = there.further,
                         .orientation = (int)there.orientation,
                         .working = there.working,
                         .extras = there.extras,
                         .premultiplied = there.premultiplied};
    if (there.gain_map.channels > 0)
        TRY(check_shape(there.gain_map, &measure->gain_map));
    return check_shape(there.shape, &measure->shape);
}

/* A block is there if it has bytes. */
static Status read_block(Reader *reader, AnswerBlock there, ImageBlock *block) {
    if (there.at == 0 && there.size == 0)
        return STATUS_OK;
    if (there.at < ANSWER_HEAD || there.size == 0)
        return not_credible();
    TRY(count(&reader->carried, there.size));
    block->data = malloc(there.size + 1);
    if (!block->data)
        return fail(STATUS_DEVICE, "no memory for a picture's metadata");
    block->size = there.size;
    return read_at(reader, there.at, there.size, block->data, false);
}

static Status read_blocks(Reader *reader, const AnswerParcel *parcel, Image *image) {
    ImageBlock profile = {0};
    const Status status = read_block(reader, parcel->blocks[0], &profile);
    image->profile = profile.data;
    image->profile_size = profile.size;
    TRY(status);
    TRY(read_block(reader, parcel->blocks[1], &image->exif));
    TRY(read_block(reader, parcel->blocks[2], &image->xmp));
    TRY(read_block(reader, parcel->blocks[3], &image->text));
    return (!image->exif.data || exif_is_sound(image->exif)) && (!image->text.data || notes_are_sound(image->text))
               ? STATUS_OK
               : not_credible();
}

static bool is_amount(double value) {
    return isfinite(value) && value >= 0;
}

static bool is_sound(const AnswerParcel *parcel, Shape shape) {
    return is_amount(parcel->resolution[0]) && is_amount(parcel->resolution[1]) && is_amount(parcel->seconds) &&
           parcel->extras <= EXTRAS && parcel->has_gama <= 1 && parcel->has_chrm <= 1 && parcel->has_cicp <= 1 &&
           parcel->premultiplied <= (shape.type == PIXEL_F32 && shape_has_alpha(shape));
}

static ColourChunks read_colours(const AnswerParcel *parcel) {
    ColourChunks colours = {.has_gama = parcel->has_gama, .has_chrm = parcel->has_chrm, .has_cicp = parcel->has_cicp};
    memcpy(colours.gama, parcel->gama, sizeof colours.gama);
    memcpy(colours.chrm, parcel->chrm, sizeof colours.chrm);
    memcpy(colours.cicp, parcel->cicp, sizeof colours.cicp);
    return colours;
}

/* Whether a picture has the shape that its header spoke of: a blank alpha channel is dropped once it has been
 * decoded. */
static bool is_as_said(Shape is, Shape said) {
    Shape opaque = said;
    opaque.channels -= shape_has_alpha(said);
    return shape_equal(is, said) || shape_equal(is, opaque);
}

static Status read_gain_map(Reader *reader, const AnswerGainMap *there, Image *image) {
    Shape shape;
    if (there->shape.channels == 0)
        return STATUS_OK;
    TRY(check_shape(there->shape, &shape));
    const size_t bytes = shape_bytes(shape);
    if (there->pixels < ANSWER_HEAD || !shape_equal(shape, gain_map_shape(shape)) ||
        !gain_curve_is_sound(&there->curve))
        return not_credible();
    TRY(count(&reader->further, bytes));
    TRY(image_create_unfilled(shape, &image->gain_map));
    image->gain_curve = there->curve;
    return read_at(reader, there->pixels, bytes, image->gain_map->view.pixels, bytes > PIECE);
}

/* `said`: the shape that it must have, or NULL. */
static Status read_image(Reader *reader, const AnswerParcel *parcel, const Shape *said, Image **image) {
    Shape shape;
    TRY(check_shape(parcel->shape, &shape));
    const size_t bytes = shape_bytes(shape);
    if (!is_sound(parcel, shape) || parcel->pixels < ANSWER_HEAD || (said && !is_as_said(shape, *said)))
        return not_credible();
    if (!said)
        TRY(count(&reader->further, bytes));
    TRY(image_create_unfilled(shape, image));
    (*image)->resolution = (Resolution){parcel->resolution[0], parcel->resolution[1]};
    (*image)->colours = read_colours(parcel);
    (*image)->extras = parcel->extras;
    (*image)->premultiplied = parcel->premultiplied;
    (*image)->plays = parcel->plays;
    (*image)->seconds = parcel->seconds;
    TRY(read_blocks(reader, parcel, *image));
    TRY(read_gain_map(reader, &parcel->gain_map, *image));
    return read_at(reader, parcel->pixels, bytes, (*image)->view.pixels, bytes > PIECE);
}

static Status check_part(AnswerPart there, const Measure *measure, FilePart *part) {
    *part = (FilePart){there.of, there.rows, there.fine};
    return part_is_sound(*part, measure->shape.height) && (part->of == 0 || measure->pages.partial) ? STATUS_OK
                                                                                                    : not_credible();
}

/* Each parcel lies behind the one before, so that they end. */
static Status read_images(Reader *reader, size_t first, const Measure *measure, Image **image) {
    const Shape said = shape_oriented(measure->shape, measure->orientation);
    size_t number = 0;
    if (first == 0)
        return not_credible();
    for (size_t at = first, before = ANSWER_HEAD - 1; at != 0; image = &(*image)->next) {
        AnswerParcel parcel;
        if (at <= before || number == measure->count)
            return not_credible();
        TRY(read_at(reader, at, sizeof parcel, &parcel, false));
        TRY(read_image(reader, &parcel, number++ == 0 ? &said : NULL, image));
        before = at;
        at = parcel.next;
    }
    return STATUS_OK;
}

Status answer_images(int file, size_t size, const Measure *measure, FilePart *part, Image **image) {
    Reader reader = {file, size, measure->further, measure->carried};
    AnswerHead head;
    *image = NULL;
    TRY(read_head(&reader, &head));
    TRY(check_part(head.part, measure, part));
    const Status status = read_images(&reader, head.first, measure, image);
    if (status != STATUS_OK)
        image_destroy(image);
    return status;
}
