/* jpeg_save.c: JPEG written through libjpeg-turbo. Its errors jump out of the functions that call setjmp. Their memory
 * belongs to the caller, so that no local is looked at after a jump. */
#include "core/codec/formats.h"
#include "core/codec/jpeg.h"
#include "core/codec/jpeg_gain_map.h"
#include "core/codec/jpeg_segments.h"
#include "core/codec/notes.h"
#include "core/image/narrow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jerror.h> /* numbers its messages by macros of jpeglib.h: it comes second */

enum {
    MAP_QUALITY = 95,      /* of a gain map, at least: its errors are those of light */
    MAP_RGB_QUALITY = 100, /* from which on its three channels stay as they are: YCbCr would round them once more */
};

static const char exif_tag[] = JPEG_EXIF_TAG, xmp_tag[] = JPEG_XMP_TAG;

/* The library's own memory destination loses its buffer when an error follows a growth. */
typedef struct Encoder {
    struct jpeg_destination_mgr manager; /* first, so that the library's pointer is ours */
    struct jpeg_compress_struct jpeg;
    struct jpeg_progress_mgr progress;
    JpegErrors errors;
    Bytes file, map; /* the latter: the file of the gain map that goes behind it */
    size_t capacity;
    bool keeps_rgb;      /* instead of YCbCr */
    ImageBlock xmp, iso; /* to be written; the latter of a gain map, or of its picture */
    JOCTET block[1 << 14];
} Encoder;

static void on_begin(j_compress_ptr jpeg) {
    Encoder *encoder = (Encoder *)jpeg->dest;
    encoder->manager.next_output_byte = encoder->block;
    encoder->manager.free_in_buffer = sizeof encoder->block;
}

static void flush(j_compress_ptr jpeg, size_t size) {
    Encoder *encoder = (Encoder *)jpeg->dest;
    if (!bytes_append(&encoder->file, &encoder->capacity, encoder->block, size))
        ERREXIT1(jpeg, JERR_OUT_OF_MEMORY, 0);
    on_begin(jpeg);
}

static boolean on_full(j_compress_ptr jpeg) {
    flush(jpeg, sizeof((Encoder *)jpeg->dest)->block);
    return TRUE;
}

static void on_end(j_compress_ptr jpeg) {
    flush(jpeg, sizeof((Encoder *)jpeg->dest)->block - jpeg->dest->free_in_buffer);
}

/* A segment that begins with a tag; one that is too long for it is left out. */
static unsigned write_block(struct jpeg_compress_struct *jpeg, int marker, const char *tag, size_t tag_size,
                            ImageBlock block, unsigned extra) {
    if (block.size > JPEG_SEGMENT_MAX - tag_size)
        return extra;
    jpeg_write_m_header(jpeg, marker, (unsigned)(tag_size + block.size));
    for (size_t i = 0; i < tag_size; i++)
        jpeg_write_m_byte(jpeg, tag[i]);
    for (size_t i = 0; i < block.size; i++)
        jpeg_write_m_byte(jpeg, block.data[i]);
    return 0;
}

/* In whichever unit whole numbers come nearer to it. */
static void set_density(struct jpeg_compress_struct *jpeg, Resolution resolution) {
    const double inch = resolution.x * 0.0254, centimetre = resolution.x / 100;
    const bool metric = fabs(centimetre - nearbyint(centimetre)) < fabs(inch - nearbyint(inch)) / 2;
    const double scale = metric ? 0.01 : 0.0254;
    const double x = nearbyint(resolution.x * scale), y = nearbyint(resolution.y * scale);
    if (x < 1 || y < 1 || x > UINT16_MAX || y > UINT16_MAX)
        return;
    jpeg->density_unit = metric ? 2 : 1;
    jpeg->X_density = (UINT16)x;
    jpeg->Y_density = (UINT16)y;
}

/* Comments have no keyword, and a segment each; other text finds no place. */
static unsigned write_notes(struct jpeg_compress_struct *jpeg, const Image *image) {
    unsigned lost = 0;
    Note note;
    for (size_t at = 0; notes_next(image, &at, &note);) {
        const size_t size = strlen(note.text);
        if (strcmp(note.key, JPEG_COMMENT) == 0 && size <= JPEG_SEGMENT_MAX)
            jpeg_write_marker(jpeg, JPEG_MARKER_COM, (const JOCTET *)note.text, (unsigned)size);
        else
            lost = EXTRA_TEXT;
    }
    return lost;
}

/* The library asks between rows, and between the passes of a file that is optimized. */
static void on_progress(j_common_ptr common) {
    if (interrupted())
        longjmp(((JpegErrors *)common->err)->out, 1);
}

/* Samples of luminance for one of chroma, across and down. Gray has none. */
static void set_coding(Encoder *encoder, const SaveOptions *options) {
    struct jpeg_compress_struct *const jpeg = &encoder->jpeg;
    const SaveChroma chroma = jpeg->input_components > 1 ? save_chroma(options) : SAVE_444;
    jpeg_set_defaults(jpeg);
    if (encoder->keeps_rgb && jpeg->in_color_space == JCS_RGB)
        jpeg_set_colorspace(jpeg, JCS_RGB);
    jpeg_set_quality(jpeg, (int)save_value(options, "quality"), TRUE);
    jpeg->comp_info[0].h_samp_factor = chroma == SAVE_444 ? 1 : 2;
    jpeg->comp_info[0].v_samp_factor = chroma == SAVE_420 ? 2 : 1;
    jpeg->optimize_coding = save_value(options, "optimize") != 0;
    if (save_value(options, "progressive") != 0)
        jpeg_simple_progression(jpeg);
}

/* All segments before the tables: they say something about the picture. */
static void write_about(Encoder *encoder, const Image *image, const SaveOptions *options) {
    struct jpeg_compress_struct *const jpeg = &encoder->jpeg;
    const Shape shape = image->view.shape;
    jpeg_create_compress(jpeg);
    jpeg->dest = &encoder->manager;
    jpeg->image_width = (JDIMENSION)shape.width;
    jpeg->image_height = (JDIMENSION)shape.height;
    jpeg->input_components = shape.channels;
    jpeg->in_color_space = shape.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    encoder->progress.progress_monitor = on_progress;
    jpeg->progress = options->gives_up ? &encoder->progress : NULL;
    set_coding(encoder, options);
    set_density(jpeg, image->resolution);
    jpeg_start_compress(jpeg, TRUE);
    if (image->exif.data)
        encoder->errors.extras |=
            write_block(jpeg, JPEG_MARKER_APP1, exif_tag, sizeof exif_tag, image->exif, EXTRA_EXIF);
    if (encoder->xmp.data)
        encoder->errors.extras |= write_block(jpeg, JPEG_MARKER_APP1, xmp_tag, sizeof xmp_tag, encoder->xmp, EXTRA_XMP);
    if (encoder->iso.data)
        (void)write_block(jpeg, JPEG_MARKER_APP2, iso_gain_tag, ISO_GAIN_TAG, encoder->iso, 0);
    if (encoder->map.data)
        (void)write_block(jpeg, JPEG_MARKER_APP2, "", 0, jpeg_gain_map_directory(), 0);
    encoder->errors.extras |= write_notes(jpeg, image);
    if (image->profile)
        jpeg_write_icc_profile(jpeg, image->profile, (unsigned)image->profile_size);
}

static Status encode(Encoder *encoder, const Image *image, const SaveOptions *options) {
    struct jpeg_compress_struct *const jpeg = &encoder->jpeg;
    if (setjmp(encoder->errors.out))
        return jpeg_failed(&encoder->errors, "encode", "JPEG cannot be encoded");
    write_about(encoder, image, options);
    while (jpeg->next_scanline < jpeg->image_height) {
        JSAMPROW row = view_row(image->view, jpeg->next_scanline);
        jpeg_write_scanlines(jpeg, &row, 1);
    }
    jpeg_finish_compress(jpeg);
    return STATUS_OK;
}

static Encoder encoder_of(const Image *image) {
    return (Encoder){.manager = {NULL, 0, on_begin, on_full, on_end}, .xmp = image->xmp};
}

/* ---- the gain map ---- */

/* The map's file, in which metadata of both kinds say what its values mean. */
static Status encode_map(const GainCurve *curve, Image *picture, SaveOptions options, Bytes *file) {
    unsigned char iso[ISO_GAIN_MAX];
    const double quality = save_value(&options, "quality");
    save_put("quality", quality > MAP_QUALITY ? quality : MAP_QUALITY, &options);
    save_put("sampling", SAVE_444, &options);
    TRY(gain_curve_to_xmp(curve, &picture->xmp));
    Encoder encoder = encoder_of(picture);
    encoder.iso = (ImageBlock){iso, gain_curve_to_iso(curve, iso)};
    encoder.keeps_rgb = !(quality < MAP_RGB_QUALITY);
    jpeg_errors_install(&encoder.errors, (j_common_ptr)&encoder.jpeg);
    const Status status = encode(&encoder, picture, &options);
    jpeg_destroy_compress(&encoder.jpeg);
    if (status != STATUS_OK)
        bytes_free(&encoder.file);
    *file = encoder.file;
    return status;
}

/* Encodes the map of a picture, and has the encoder of the picture announce it. */
static Status begin_map(Encoder *encoder, const Image *image, SaveOptions options) {
    static unsigned char version[ISO_GAIN_VERSION];
    Image *bytes;
    if (!image->gain_map)
        return STATUS_OK;
    TRY(image_clone(image->gain_map->view, &bytes));
    Status status = image_narrow(&bytes, PIXEL_U8);
    if (status == STATUS_OK)
        status = encode_map(&image->gain_curve, bytes, options, &encoder->map);
    image_destroy(&bytes);
    encoder->xmp = (ImageBlock){0};
    if (status == STATUS_OK)
        status = gain_map_announce(image->xmp, encoder->map.size, JPEG_SEGMENT_MAX - sizeof xmp_tag, &encoder->xmp,
                                   &encoder->errors.extras);
    encoder->iso = (ImageBlock){version, sizeof version};
    return status;
}

static Status end_map(Encoder *encoder, Status status) {
    if (!encoder->map.data)
        return status;
    if (status == STATUS_OK)
        status = jpeg_gain_map_append(&encoder->file, &encoder->capacity, encoder->map);
    image_block_free(&encoder->xmp);
    bytes_free(&encoder->map);
    return status;
}

/* ---- whole files ---- */

/* Ends the encoder and passes its file on, if there is one. */
static Status finish(Encoder *encoder, Status status, SaveOptions options, Bytes *file) {
    jpeg_destroy_compress(&encoder->jpeg);
    status = end_map(encoder, status);
    if (status != STATUS_OK)
        bytes_free(&encoder->file);
    else if (options.lost)
        *options.lost |= encoder->errors.extras;
    *file = encoder->file;
    return status;
}

Status jpeg_save(const Image *image, SaveOptions options, Bytes *file) {
    Encoder encoder = encoder_of(image);
    jpeg_errors_install(&encoder.errors, (j_common_ptr)&encoder.jpeg);
    Status status = begin_map(&encoder, image, options);
    if (status == STATUS_OK)
        status = encode(&encoder, image, &options);
    return finish(&encoder, status, options, file);
}

/* ---- pictures that a device has encoded ---- */

/* The tables and the scan of an encoded file: from the first segment that belongs to coding, not to the picture's
 * description. Its size if there is none. */
static size_t find_tables(Bytes encoded) {
    Input file = input_of(encoded);
    JpegSegment segment = {.at = 2};
    while (jpeg_next_segment(&file, segment.at + segment.size, &segment))
        if (segment.marker < JPEG_APP0)
            return segment.at - 4;
    return encoded.size;
}

/* The library writes the segments about the picture; then it is told that nothing follows. */
static Status wrap(Encoder *encoder, const Image *about, Bytes encoded, const SaveOptions *options) {
    if (setjmp(encoder->errors.out))
        return jpeg_failed(&encoder->errors, "encode", "JPEG cannot be encoded");
    write_about(encoder, about, options);
    on_end(&encoder->jpeg);
    const size_t tables = find_tables(encoded);
    return tables < encoded.size &&
                   bytes_append(&encoder->file, &encoder->capacity, encoded.data + tables, encoded.size - tables)
               ? STATUS_OK
               : fail(STATUS_DEVICE, "no memory to encode JPEG");
}

Status jpeg_save_about(const Image *about, Bytes encoded, SaveOptions options, Bytes *file) {
    Encoder encoder = encoder_of(about);
    jpeg_errors_install(&encoder.errors, (j_common_ptr)&encoder.jpeg);
    Status status = begin_map(&encoder, about, options);
    if (status == STATUS_OK)
        status = wrap(&encoder, about, encoded, &options);
    return finish(&encoder, status, options, file);
}

bool jpeg_device_takes(const SaveOptions *options) {
    return save_value(options, "progressive") == 0 && save_value(options, "optimize") == 0 &&
           save_bytes(options) == SIZE_MAX;
}
