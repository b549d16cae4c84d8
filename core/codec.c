/* codec.c: the table of formats, and what is the same for all of them. */
#include "core/codec.h"

#include "core/codec/formats.h"
#include "core/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool bytes_append(Bytes *bytes, size_t *room, const void *data, size_t size) {
    if (size > *room - bytes->size) {
        const size_t wanted = (bytes->size + size) + (bytes->size + size) / 2 + 4096;
        unsigned char *grown = wanted > bytes->size ? realloc(bytes->data, wanted) : NULL;
        if (!grown)
            return false;
        bytes->data = grown;
        *room = wanted;
    }
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
    return true;
}

/* Where pixel (x, y) of the turned picture comes from, by orientation: the value of bit 0 says mirror x, bit 1 mirror
 * y, bit 2 swap x and y first (TIFF 6.0, section 8, Orientation). */
static const unsigned char turns[9] = {0, 0, 1, 3, 2, 4, 6, 7, 5};

Status image_orient(Image **image, int orientation) {
    if (orientation < 2 || orientation > 8)
        return STATUS_OK;
    const unsigned turn = turns[orientation];
    const ImageView from = (*image)->view;
    Shape shape = from.shape;
    if (turn & 4) {
        shape.width = from.shape.height;
        shape.height = from.shape.width;
    }
    Image *turned = NULL;
    TRY(image_create(shape, &turned));
    const size_t pixel = (size_t)shape.channels * pixel_type_size(shape.type);
    for (size_t y = 0; y < shape.height; y++) {
        char *to = view_row(turned->view, y);
        for (size_t x = 0; x < shape.width; x++) {
            size_t sx = turn & 4 ? y : x, sy = turn & 4 ? x : y;
            sx = turn & 1 ? from.shape.width - 1 - sx : sx;
            sy = turn & 2 ? from.shape.height - 1 - sy : sy;
            memcpy(to + x * pixel, (const char *)view_row(from, sy) + sx * pixel, pixel);
        }
    }
    turned->profile = (*image)->profile;
    turned->profile_size = (*image)->profile_size;
    (*image)->profile = NULL;
    image_destroy(image);
    *image = turned;
    return STATUS_OK;
}

Status image_drop_blank_alpha(Image **image) {
    const ImageView from = (*image)->view;
    const unsigned char *pixels = from.pixels;
    const size_t count = from.shape.width * from.shape.height;
    if (from.shape.channels != 4)
        return STATUS_OK;
    for (size_t i = 0; i < count; i++)
        if (pixels[4 * i + 3] != 0)
            return STATUS_OK;
    Shape shape = from.shape;
    Image *opaque = NULL;
    shape.channels = 3;
    TRY(image_create(shape, &opaque));
    for (size_t i = 0; i < count; i++)
        memcpy((unsigned char *)opaque->view.pixels + 3 * i, pixels + 4 * i, 3);
    image_destroy(image);
    *image = opaque;
    return STATUS_OK;
}

Status file_ends_early(const char *format) {
    return fail(STATUS_INPUT, "damaged %s: the file ends early", format);
}

const Format *format_by_name(const char *name) {
    for (size_t i = 0; i < format_count; i++) {
        const char *list = formats[i].extensions;
        while (*list) {
            const size_t length = strcspn(list, " ");
            if (strlen(name) == length && strncasecmp(list, name, length) == 0)
                return &formats[i];
            list += length + (list[length] == ' ');
        }
    }
    return NULL;
}

const Format *format_for_path(const char *path) {
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    return dot && (!slash || dot > slash) ? format_by_name(dot + 1) : NULL;
}

Status codec_decode(Bytes file, Image **image) {
    *image = NULL;
    if (file.size == 0)
        return fail(STATUS_INPUT, "the file is empty");
    for (size_t i = 0; i < format_count; i++)
        if (formats[i].recognize(file))
            return formats[i].load(file, image);
    return fail(STATUS_INPUT, "no known picture format; `glint list formats` shows what can be read");
}

/* "png, tga": the other formats that would take this picture, or at least its first pixel. */
static void formats_that_hold(const Image *image, const Format *but, char *names, size_t size) {
    names[0] = '\0';
    for (size_t i = 0; i < format_count; i++) {
        Bytes tried = {0};
        Image one = {.view = image->view};
        one.view.shape.width = one.view.shape.height = 1;
        one.view.stride = shape_row_bytes(one.view.shape);
        if (&formats[i] == but || !formats[i].save || formats[i].save(&one, (SaveOptions){0}, &tried) != STATUS_OK)
            continue;
        bytes_free(&tried);
        const size_t used = strlen(names);
        snprintf(names + used, size - used, "%s%s", used ? ", " : "", formats[i].name);
    }
}

Status codec_encode(const Format *format, const Image *image, SaveOptions options, Bytes *file) {
    *file = (Bytes){0};
    Status status =
        format->save ? format->save(image, options, file) : fail(STATUS_INPUT, "%s cannot be written", format->name);
    if (status == STATUS_INPUT) {
        char names[128], reason[256];
        const Shape shape = image->view.shape;
        snprintf(reason, sizeof reason, "%s", status_message());
        formats_that_hold(image, format, names, sizeof names);
        status = fail(STATUS_INPUT, "%s; not %sx%d; these can: %s", reason, pixel_type_name(shape.type), shape.channels,
                      names[0] ? names : "none");
    }
    return status;
}

Status codec_load(const char *path, Image **image) {
    Bytes file;
    *image = NULL;
    TRY(file_read(path, &file));
    Status status = codec_decode(file, image);
    bytes_free(&file);
    if (status != STATUS_OK)
        status = fail_within(status, "%s: ", strcmp(path, "-") == 0 ? "standard input" : path);
    return status;
}

static Status encode_for(const char *path, const Image *image, SaveOptions options, Bytes *file) {
    const Format *format = format_for_path(path);
    if (!format)
        return fail(STATUS_INPUT, "%s: the extension names no format; `glint list formats` shows them", path);
    const Status status = codec_encode(format, image, options, file);
    return status == STATUS_OK ? status : fail_within(status, "%s: ", path);
}

Status codec_save(const char *path, const Image *image, SaveOptions options, bool overwrite) {
    Bytes file;
    TRY(encode_for(path, image, options, &file));
    const Status status = file_write_atomic(path, file, overwrite);
    bytes_free(&file);
    return status;
}

Status codec_check(const char *path, Shape shape) {
    Image *one;
    Bytes file = {0};
    shape.width = shape.height = 1;
    TRY(image_create(shape, &one));
    const Status status = encode_for(path, one, (SaveOptions){0}, &file);
    bytes_free(&file);
    image_destroy(&one);
    return status;
}

/* In the order of recognizing: TGA has no signature and comes last. */
const Format formats[] = {
    {"png", "png", "loads and saves u8 and u16, 1 to 4 channels", png_recognize, png_load, png_save},
    {"jpg", "jpg jpeg jpe", "loads and saves u8, 1 and 3 channels", jpeg_recognize, jpeg_load, jpeg_save},
    {"gif", "gif", "loads the first frame as u8x4", gif_recognize, gif_load, NULL},
    {"bmp", "bmp dib", "loads and saves u8x3 and u8x4", bmp_recognize, bmp_load, bmp_save},
    {"hdr", "hdr pic rgbe", "loads and saves f32x3 with shared exponents, nothing below 0", hdr_recognize, hdr_load,
     hdr_save},
    {"pfm", "pfm", "loads and saves f32, 1 and 3 channels, exactly", pfm_recognize, pfm_load, pfm_save},
    {"ppm", "ppm pgm pbm pnm pam", "loads P1 to P7, saves u8 and u16: gray, RGB, and with alpha as PAM", pnm_recognize,
     pnm_load, pnm_save},
    {"tga", "tga", "loads and saves u8, 1, 3 and 4 channels", tga_recognize, tga_load, tga_save},
};
const size_t format_count = sizeof formats / sizeof formats[0];
