/* save.c: the channels that a format has, and the way straight into a file's draft where its format can. */
#include "core/codec/save.h"

#include "core/image/opaque.h"

static bool fits(const Format *format, const Image *image, bool without_alpha, bool as_rgb) {
    for (; image; image = image->next) {
        Shape shape = image->view.shape;
        shape.channels -= without_alpha && shape_has_alpha(shape);
        shape.channels += as_rgb && shape.channels <= 2 ? 2 : 0;
        if (!format_writes(format, shape))
            return false;
    }
    return true;
}

Status picture_fit_channels(const Format *format, Image **image) {
    for (int way = 0; format && way < 4; way++) {
        const bool without_alpha = way & 1, as_rgb = way & 2;
        if (!fits(format, *image, without_alpha, as_rgb) || (without_alpha && !image_is_opaque(*image)))
            continue;
        if (without_alpha)
            image_drop_alpha(*image);
        return as_rgb ? image_make_rgb(image) : STATUS_OK;
    }
    return STATUS_OK;
}

static Status append_directly(Output *output, const Format *format, const Image *image, SaveOptions how) {
    ByteSink *to;
    TRY(output_byte_sink(output, &to));
    return codec_encode_to(format, image, how, to);
}

Status output_append_picture(Output *output, const Format *format, const Image *image, SaveOptions how) {
    Bytes file;
    const Format *is = format ? format : format_for_path(output_path(output));
    if (is && codec_encodes_directly(is, image) &&
        (format || codec_check(output_path(output), image->view.shape) == STATUS_OK))
        return append_directly(output, is, image, how);
    TRY(format ? codec_encode(format, image, how, &file) : codec_encode_for(output_path(output), image, how, &file));
    const Status status = output_append(output, file);
    bytes_free(&file);
    return status;
}

Status output_save_picture(const char *path, OutputRules rules, const Image *image, SaveOptions how) {
    Output *output;
    TRY(output_claim(path, rules, &output));
    Status status = output_append_picture(output, NULL, image, how);
    if (status == STATUS_OK)
        status = output_finish(output, NULL);
    output_destroy(&output);
    return status;
}
