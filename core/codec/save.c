/* save.c: encodes a picture straight into a file's draft where its format can. */
#include "core/codec/save.h"

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
