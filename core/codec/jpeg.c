/* jpeg.c: JPEG through libjpeg-turbo. Its warnings are what tells a damaged file from a whole one: they refuse it.
 * Its errors jump out of the functions that call setjmp; what these own lives in the caller, so that no local is looked
 * at after a jump. */
#include "core/codec/formats.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jerror.h>
#include <jpeglib.h>

enum {
    QUALITY_USUAL = 92,
    SCANS_MOST = 100, /* a small file of thousands of scans over a large picture would take minutes */
};

typedef struct Errors {
    struct jpeg_error_mgr manager; /* first, so that the library's pointer is ours */
    char reason[JMSG_LENGTH_MAX];
    jmp_buf out;
} Errors;

static void on_error(j_common_ptr common) {
    Errors *errors = (Errors *)common->err;
    common->err->format_message(common, errors->reason);
    longjmp(errors->out, 1);
}

/* Level -1 is a warning: the data is corrupt and the decoder would make something up. */
static void on_message(j_common_ptr common, int level) {
    if (level < 0)
        on_error(common);
}

static void install(Errors *errors, j_common_ptr common) {
    common->err = jpeg_std_error(&errors->manager);
    errors->manager.error_exit = on_error;
    errors->manager.emit_message = on_message;
}

bool jpeg_recognize(Bytes file) {
    return file.size >= 3 && file.data[0] == 0xFF && file.data[1] == 0xD8 && file.data[2] == 0xFF;
}

typedef struct Decoder {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_progress_mgr progress;
    Errors errors;
    Image *image;
} Decoder;

static void on_progress(j_common_ptr common) {
    if (((j_decompress_ptr)common)->input_scan_number <= SCANS_MOST)
        return;
    Errors *errors = (Errors *)common->err;
    snprintf(errors->reason, sizeof errors->reason, "more than %d scans", SCANS_MOST);
    longjmp(errors->out, 1);
}

static Status begin(struct jpeg_decompress_struct *jpeg, Bytes file, Shape *shape) {
    jpeg_mem_src(jpeg, file.data, file.size);
    jpeg_save_markers(jpeg, JPEG_APP0 + 2, 0xFFFF);
    jpeg_read_header(jpeg, TRUE);
    if (jpeg->num_components != 1 && jpeg->num_components != 3)
        return fail(STATUS_INPUT, "a JPEG of %d colour components (CMYK?); want gray or colour", jpeg->num_components);
    jpeg->out_color_space = jpeg->num_components == 1 ? JCS_GRAYSCALE : JCS_RGB;
    *shape = (Shape){jpeg->image_width, jpeg->image_height, jpeg->num_components, PIXEL_U8};
    return shape_check(*shape);
}

/* jpeg_finish_decompress reads to the end-of-image marker: a file without one is refused there. */
static void read_rows(struct jpeg_decompress_struct *jpeg, Image *image) {
    jpeg_start_decompress(jpeg);
    while (jpeg->output_scanline < jpeg->output_height) {
        JSAMPROW row = view_row(image->view, jpeg->output_scanline);
        jpeg_read_scanlines(jpeg, &row, 1);
    }
    JOCTET *profile;
    unsigned size;
    if (jpeg_read_icc_profile(jpeg, &profile, &size)) {
        image->profile = profile; /* from malloc, as the library documents */
        image->profile_size = size;
    }
    jpeg_finish_decompress(jpeg);
}

static Status failed(const Errors *errors, const char *what) {
    return fail(errors->manager.msg_code == JERR_OUT_OF_MEMORY ? STATUS_DEVICE : STATUS_INPUT, "%s: %s", what,
                errors->reason);
}

static Status decode(Decoder *decoder, Bytes file) {
    Shape shape;
    if (setjmp(decoder->errors.out))
        return failed(&decoder->errors, "damaged JPEG");
    jpeg_create_decompress(&decoder->jpeg);
    decoder->progress.progress_monitor = on_progress;
    decoder->jpeg.progress = &decoder->progress;
    TRY(begin(&decoder->jpeg, file, &shape));
    TRY(image_create(shape, &decoder->image));
    read_rows(&decoder->jpeg, decoder->image);
    return STATUS_OK;
}

Status jpeg_load(Bytes file, Image **image) {
    Decoder decoder = {.image = NULL};
    install(&decoder.errors, (j_common_ptr)&decoder.jpeg);
    Status status = decode(&decoder, file);
    jpeg_destroy_decompress(&decoder.jpeg);
    if (status == STATUS_OK)
        status = image_orient(&decoder.image, exif_orientation(file));
    if (status != STATUS_OK)
        image_destroy(&decoder.image);
    *image = decoder.image;
    return status;
}

/* The library's own memory destination loses its buffer when an error follows a growth. */
typedef struct Encoder {
    struct jpeg_destination_mgr manager; /* first, so that the library's pointer is ours */
    struct jpeg_compress_struct jpeg;
    Errors errors;
    Bytes file;
    size_t room;
    JOCTET block[1 << 14];
} Encoder;

static void on_begin(j_compress_ptr jpeg) {
    Encoder *encoder = (Encoder *)jpeg->dest;
    encoder->manager.next_output_byte = encoder->block;
    encoder->manager.free_in_buffer = sizeof encoder->block;
}

static void flush(j_compress_ptr jpeg, size_t size) {
    Encoder *encoder = (Encoder *)jpeg->dest;
    if (!bytes_append(&encoder->file, &encoder->room, encoder->block, size))
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

static Status encode(Encoder *encoder, const Image *image, int quality) {
    struct jpeg_compress_struct *const jpeg = &encoder->jpeg;
    const Shape shape = image->view.shape;
    if (setjmp(encoder->errors.out))
        return failed(&encoder->errors, "JPEG cannot be encoded");
    jpeg_create_compress(jpeg);
    jpeg->dest = &encoder->manager;
    jpeg->image_width = (JDIMENSION)shape.width;
    jpeg->image_height = (JDIMENSION)shape.height;
    jpeg->input_components = shape.channels;
    jpeg->in_color_space = shape.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(jpeg);
    jpeg_set_quality(jpeg, quality, TRUE);
    jpeg_start_compress(jpeg, TRUE);
    if (image->profile)
        jpeg_write_icc_profile(jpeg, image->profile, (unsigned)image->profile_size);
    while (jpeg->next_scanline < jpeg->image_height) {
        JSAMPROW row = view_row(image->view, jpeg->next_scanline);
        jpeg_write_scanlines(jpeg, &row, 1);
    }
    jpeg_finish_compress(jpeg);
    return STATUS_OK;
}

Status jpeg_save(const Image *image, SaveOptions options, Bytes *file) {
    const Shape shape = image->view.shape;
    if (shape.type != PIXEL_U8 || (shape.channels != 1 && shape.channels != 3) || shape.width > JPEG_MAX_DIMENSION ||
        shape.height > JPEG_MAX_DIMENSION)
        return fail(STATUS_INPUT, "JPEG holds u8x1 and u8x3, up to %ld pixels a side", JPEG_MAX_DIMENSION);
    Encoder encoder = {.manager = {NULL, 0, on_begin, on_full, on_end}};
    install(&encoder.errors, (j_common_ptr)&encoder.jpeg);
    const Status status = encode(&encoder, image, options.quality > 0 ? options.quality : QUALITY_USUAL);
    jpeg_destroy_compress(&encoder.jpeg);
    if (status != STATUS_OK)
        bytes_free(&encoder.file);
    *file = encoder.file;
    return status;
}
