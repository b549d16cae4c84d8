/* formats.c: the list of formats, and functions that their files share. */
#include "core/codec/formats.h"

const Format *const formats[] = {
#define FORMAT(name) &format_##name,
#include "core/codec/formats.def"
#undef FORMAT
};
const size_t format_count = sizeof formats / sizeof formats[0];
const Format *const format_default = &format_png;

int save_deflate_level(const SaveOptions *options) {
    static const int levels[] = {1, 1, 2, 3 /* most of the size for a fraction of the time */, 5, 6, 7, 8, 9};
    return levels[(int)save_value(options, "effort") - 1];
}

Status file_ends_early(const char *format) {
    return fail(STATUS_INPUT, "damaged %s: the file ends early", format);
}

Status header_settle(Status status, const Input *file, size_t at, const char *format) {
    return status != STATUS_INPUT || at < file->bytes.size || file->size <= file->bytes.size
               ? status
               : fail(STATUS_INPUT, "a %s with a header of more than %zu KiB, which cannot be read", format,
                      file->bytes.size >> 10);
}

Status file_must_hold(const Input *file, size_t bytes, const char *format) {
    return bytes <= file->size ? STATUS_OK : file_ends_early(format);
}

Status file_has_page(size_t count, Pages pages, const char *format) {
    return pages.first < count
               ? STATUS_OK
               : fail(STATUS_INPUT, "no page %zu: this %s holds %zu, and the first is 0", pages.first, format, count);
}

Status pictures_alike(const Image *first, const Image *image, const char *format) {
    const Shape is = image->view.shape, want = first->view.shape;
    return is.width == want.width && is.height == want.height
               ? STATUS_OK
               : fail(STATUS_INPUT, "%s holds pictures of one size; here one is %zu x %zu, and the first %zu x %zu",
                      format, is.width, is.height, want.width, want.height);
}

Status format_load_rows_from(const Format *format, Input *input, Image **image) {
    RowSource *rows = NULL;
    Image *about;
    *image = NULL;
    TRY(image_create_about((Shape){0}, &about));
    Status status = format->read_rows(input, (Pages){0}, about, &rows);
    if (status == STATUS_OK)
        status = image_create_unfilled(rows->shape, image);
    if (status == STATUS_OK)
        status = rows->read(rows, (*image)->view);
    status = input_settle(input, status);
    if (status == STATUS_OK)
        image_pass_on(about, *image);
    row_source_close(&rows);
    image_destroy(&about);
    return status;
}

Status format_load_rows(const Format *format, Bytes bytes, Image **image) {
    Input input = input_of(bytes);
    return format_load_rows_from(format, &input, image);
}

static Status put_bytes(ByteSink *sink, size_t at, const void *data, size_t size) {
    BytesSink *to = (BytesSink *)sink;
    return bytes_put(to->bytes, &to->capacity, at, data, size)
               ? STATUS_OK
               : fail(STATUS_DEVICE, "no memory to encode %s", to->format);
}

BytesSink bytes_sink(Bytes *file, const char *format) {
    return (BytesSink){.sink = {.put = put_bytes, .seeks = true}, .bytes = file, .format = format};
}

Status format_write_picture(RowSink *rows, ImageView view, bool gives_up) {
    enum { PIECE = 256 }; /* rows, between which it looks for signals */
    for (size_t y = 0; y < view.shape.height; y += PIECE) {
        const size_t left = view.shape.height - y;
        TRY(encoding_goes_on(gives_up));
        TRY(rows->write(rows, view_crop(view, 0, y, view.shape.width, left < PIECE ? left : PIECE)));
    }
    return STATUS_OK;
}

Status format_save_rows_to(const Format *format, const Image *image, SaveOptions options, ByteSink *to) {
    RowSink *rows = NULL;
    Status status = format->write_rows(image, options, to, &rows);
    if (status == STATUS_OK)
        status = format_write_picture(rows, image->view, options.gives_up);
    if (status == STATUS_OK && rows->finish)
        status = rows->finish(rows);
    row_sink_close(&rows);
    return status;
}

Status format_save_rows(const Format *format, const Image *image, SaveOptions options, Bytes *file) {
    BytesSink to = bytes_sink(file, format->title);
    const Status status = format_save_rows_to(format, image, options, &to.sink);
    if (status != STATUS_OK)
        bytes_free(file);
    return status;
}
