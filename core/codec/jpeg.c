/* jpeg.c: JPEG through libjpeg-turbo. Its warnings are what tells a damaged file from a whole one: they refuse it. */
#include "core/codec/formats.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <libexif/exif-data.h>

enum {
    QUALITY_USUAL = 92,
    SCANS_MOST = 500 /* a small file can ask for thousands of passes over a large picture; cameras write about ten */
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

static void on_progress(j_common_ptr common) {
    Errors *errors = (Errors *)common->err;
    if (((j_decompress_ptr)common)->input_scan_number <= SCANS_MOST)
        return;
    snprintf(errors->reason, sizeof errors->reason, "more than %d scans", SCANS_MOST);
    longjmp(errors->out, 1);
}

bool jpeg_recognize(Bytes file) {
    return file.size >= 3 && file.data[0] == 0xFF && file.data[1] == 0xD8 && file.data[2] == 0xFF;
}

/* The Exif orientation, 1 to 8; 0 without one. */
static int orientation_of(Bytes file) {
    int orientation = 0;
    ExifData *exif = exif_data_new_from_data(file.data, file.size > 0xFFFFFFF ? 0xFFFFFFF : (unsigned)file.size);
    ExifEntry *entry = exif ? exif_content_get_entry(exif->ifd[EXIF_IFD_0], EXIF_TAG_ORIENTATION) : NULL;
    if (entry && entry->format == EXIF_FORMAT_SHORT && entry->size >= 2)
        orientation = exif_get_short(entry->data, exif_data_get_byte_order(exif));
    if (exif)
        exif_data_unref(exif);
    return orientation;
}

/* The end-of-image marker must be the last thing but for padding: libjpeg makes up a missing one where it can. */
static bool ends_whole(Bytes file) {
    for (size_t i = file.size; i >= 2; i--)
        if (file.data[i - 2] == 0xFF && file.data[i - 1] == 0xD9)
            return true;
    return false;
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

Status jpeg_load(Bytes file, Image **image) {
    struct jpeg_progress_mgr progress = {.progress_monitor = on_progress};
    struct jpeg_decompress_struct jpeg = {0};
    Errors errors = {.reason = ""};
    Image *volatile made = NULL;
    volatile Status status = STATUS_OK;
    *image = NULL;
    install(&errors, (j_common_ptr)&jpeg);
    if (setjmp(errors.out)) {
        status = fail(STATUS_INPUT, "damaged JPEG: %s", errors.reason);
    } else {
        Shape shape = {0};
        Image *fresh = NULL;
        jpeg_create_decompress(&jpeg);
        jpeg.progress = &progress;
        status = begin(&jpeg, file, &shape);
        if (status == STATUS_OK)
            status = image_create(shape, &fresh);
        made = fresh;
        if (status == STATUS_OK)
            read_rows(&jpeg, fresh);
        if (status == STATUS_OK && !ends_whole(file))
            status = fail(STATUS_INPUT, "damaged JPEG: the file ends early");
    }
    jpeg_destroy_decompress(&jpeg);
    Image *result = made;
    if (status == STATUS_OK)
        status = image_orient(&result, orientation_of(file));
    if (status != STATUS_OK)
        image_destroy(&result);
    *image = result;
    return status;
}

Status jpeg_save(const Image *image, SaveOptions options, Bytes *file) {
    const Shape shape = image->view.shape;
    if (shape.type != PIXEL_U8 || (shape.channels != 1 && shape.channels != 3) || shape.width > JPEG_MAX_DIMENSION ||
        shape.height > JPEG_MAX_DIMENSION)
        return fail(STATUS_INPUT, "JPEG holds 8-bit gray and colour, up to %ld pixels a side", JPEG_MAX_DIMENSION);
    struct jpeg_compress_struct jpeg = {0};
    Errors errors = {.reason = ""};
    unsigned char *volatile data = NULL;
    unsigned long size = 0;
    volatile Status status = STATUS_OK;
    install(&errors, (j_common_ptr)&jpeg);
    if (setjmp(errors.out)) {
        status = fail(STATUS_DEVICE, "JPEG cannot be encoded: %s", errors.reason);
    } else {
        jpeg_create_compress(&jpeg);
        jpeg_mem_dest(&jpeg, (unsigned char **)&data, &size);
        jpeg.image_width = (JDIMENSION)shape.width;
        jpeg.image_height = (JDIMENSION)shape.height;
        jpeg.input_components = shape.channels;
        jpeg.in_color_space = shape.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
        jpeg_set_defaults(&jpeg);
        jpeg_set_quality(&jpeg, options.quality > 0 ? options.quality : QUALITY_USUAL, TRUE);
        jpeg_start_compress(&jpeg, TRUE);
        if (image->profile)
            jpeg_write_icc_profile(&jpeg, image->profile, (unsigned)image->profile_size);
        while (jpeg.next_scanline < jpeg.image_height) {
            JSAMPROW row = view_row(image->view, jpeg.next_scanline);
            jpeg_write_scanlines(&jpeg, &row, 1);
        }
        jpeg_finish_compress(&jpeg);
    }
    jpeg_destroy_compress(&jpeg);
    if (status == STATUS_OK)
        *file = (Bytes){data, size};
    else
        free(data);
    return status;
}
