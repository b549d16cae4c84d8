/* heif_save.c: HEIF and AVIF written through libheif, whose encoders are x265 and libaom: 8, 10 or 12 bits, with loss
 * or without. */
#ifdef GLINT_WITH_HEIF
#    include "core/base/memory.h"
#    include "core/codec/encoding.h"
#    include "core/codec/formats.h"
#    include "core/codec/heif.h"
#    include "core/image/icc.h"

#    include <libheif/heif.h>

/* How a format's pictures are coded. */
typedef struct Coder {
    const Format *format;
    enum heif_compression_format compression;
    const char *missing;                                                       /* where there is no encoder */
    struct heif_error (*set_effort)(struct heif_encoder *encoder, int effort); /* 1 to 9 */
} Coder;

typedef struct Writer {
    const Coder *coder;
    const Image *image;
    const SaveOptions *options;
    bool lossless;
    int bits;
    struct heif_context *context;
    struct heif_encoder *encoder;
    struct heif_encoding_options *encoding;
    struct heif_color_profile_nclx *colours;
    struct heif_image *values;
    struct heif_image_handle *handle;
    size_t capacity;
    Bytes file;
} Writer;

static Status no_memory(const Writer *writer) {
    return fail(STATUS_DEVICE, "no memory to encode %s", writer->coder->format->title);
}

/* The library's errors as a status. */
static Status settle(const Writer *writer, struct heif_error error) {
    if (error.code == heif_error_Ok)
        return STATUS_OK;
    if (error.code == heif_error_Memory_allocation_error)
        return no_memory(writer);
    const char *message = error.message ? error.message : "its encoder failed";
    return fail(STATUS_INPUT, "%s: this picture cannot be encoded: %.*s", writer->coder->format->title,
                (int)strcspn(message, "\n"), message);
}

/* ---- bits ---- */

/* Whether every value of 16 bits is one of so many bits. */
static bool bits_keep(ImageView view, int bits) {
    for (size_t y = 0; y < view.shape.height; y++) {
        const uint16_t *row = view_row(view, y);
        for (size_t i = 0; i < view.shape.width * (size_t)view.shape.channels; i++)
            if (heif_widen(heif_narrow(row[i], bits), bits) != row[i])
                return false;
    }
    return true;
}

/* libheif before 1.15.2 asks libaom for 10 bits in a profile that has none, and libaom ends the program. */
static bool codes_tens(const Coder *coder) {
    return coder->compression != heif_compression_AV1 || heif_get_version_number() >= 0x010F0200;
}

/* The bits of a value: as option "depth" says. By itself as many as the picture has: 8, or 10, or 12 where only these
 * keep what has to be kept. */
static Status find_bits(Writer *writer) {
    static const int said[] = {0, 8, 10, 12};
    const ImageView view = writer->image->view;
    const char *title = writer->coder->format->title;
    const bool wide = view.shape.type == PIXEL_U16, tens = codes_tens(writer->coder);
    writer->bits = said[(int)save_value(writer->options, "depth")];
    if (writer->bits == 0)
        writer->bits = !wide ? 8 : tens && (!writer->lossless || bits_keep(view, 10)) ? 10 : 12;
    if (writer->bits == 10 && !tens)
        return fail(STATUS_INPUT, "%s: libheif %s does not write 10 bits; want 8 or 12, or libheif 1.15.2", title,
                    heif_get_version());
    if (writer->lossless && wide && !bits_keep(view, writer->bits))
        return fail(STATUS_INPUT,
                    "%s: %d bits do not keep every value of this picture of 16; jxl, png and tiff do, and --bits 8 "
                    "rounds them before",
                    title, writer->bits);
    return STATUS_OK;
}

/* The bits of a row of bytes are those of the file's values; wider values are of the machine's order, little-endian. */
static void put_row(const Writer *writer, size_t y, uint8_t *to) {
    const ImageView view = writer->image->view;
    const size_t count = view.shape.width * (size_t)view.shape.channels;
    const uint8_t *bytes = view_row(view, y);
    const uint16_t *wide = view_row(view, y);
    const bool is_wide = view.shape.type == PIXEL_U16;
    for (size_t i = 0; i < count; i++) {
        const unsigned value = is_wide ? wide[i] : bytes[i] * 257u;
        const unsigned narrow = heif_narrow(value, writer->bits);
        to[writer->bits > 8 ? 2 * i : i] = (uint8_t)narrow;
        if (writer->bits > 8)
            to[2 * i + 1] = (uint8_t)(narrow >> 8);
    }
}

static Status make_values(Writer *writer) {
    static const enum heif_chroma chromas[2][2] = {
        {heif_chroma_interleaved_RGB, heif_chroma_interleaved_RGBA},
        {heif_chroma_interleaved_RRGGBB_LE, heif_chroma_interleaved_RRGGBBAA_LE}};
    const Shape shape = writer->image->view.shape;
    const int width = (int)shape.width, height = (int)shape.height;
    int stride = 0;
    TRY(settle(writer, heif_image_create(width, height, heif_colorspace_RGB,
                                         chromas[writer->bits > 8][shape.channels == 4], &writer->values)));
    TRY(settle(writer, heif_image_add_plane(writer->values, heif_channel_interleaved, width, height, writer->bits)));
    uint8_t *plane = heif_image_get_plane(writer->values, heif_channel_interleaved, &stride);
    if (!plane)
        return no_memory(writer);
    for (size_t y = 0; y < shape.height; y++)
        put_row(writer, y, plane + y * (size_t)stride);
    return STATUS_OK;
}

/* ---- colours ---- */

/* sRGB's, or the profile's. Values are coded as luminance and chroma of BT.601; without loss as they are. The decoder
 * needs to know of it even where there is a profile. */
static Status set_colours(Writer *writer) {
    const Image *image = writer->image;
    writer->colours = heif_nclx_color_profile_alloc();
    if (!writer->colours)
        return no_memory(writer);
    writer->colours->color_primaries = heif_color_primaries_ITU_R_BT_709_5;
    writer->colours->transfer_characteristics = heif_transfer_characteristic_IEC_61966_2_1;
    writer->colours->matrix_coefficients =
        writer->lossless ? heif_matrix_coefficients_RGB_GBR : heif_matrix_coefficients_ITU_R_BT_601_6;
    writer->colours->full_range_flag = 1;
    TRY(settle(writer, heif_image_set_nclx_color_profile(writer->values, writer->colours)));
    writer->encoding->macOS_compatibility_workaround_no_nclx_profile = 0;
    writer->encoding->save_two_colr_boxes_when_ICC_and_nclx_available = 1;
    if (!image->profile)
        return STATUS_OK;
    if (icc_fits(image->profile, image->profile_size, image->view.shape))
        return settle(writer,
                      heif_image_set_raw_color_profile(writer->values, "prof", image->profile, image->profile_size));
    if (writer->options->lost)
        *writer->options->lost |= EXTRA_PROFILE;
    return STATUS_OK;
}

/* ---- encoding ---- */

static bool has_encoder(const Coder *coder) {
#    ifdef GLINT_WITHOUT_X265 /* which libheif was linked with, and expects */
    if (coder->compression == heif_compression_HEVC)
        return false;
#    endif
    return heif_have_encoder_for_format(coder->compression);
}

static Status open_encoder(Writer *writer) {
    static const char *const chromas[] = {[SAVE_444] = "444", [SAVE_422] = "422", [SAVE_420] = "420"};
    const Coder *coder = writer->coder;
    const SaveOptions *options = writer->options;
    const SaveChroma chroma = writer->lossless ? SAVE_444 : save_chroma(options);
    if (!has_encoder(coder))
        return fail(STATUS_INPUT, "%s cannot be written: %s", coder->format->title, coder->missing);
    writer->context = heif_context_alloc();
    writer->encoding = heif_encoding_options_alloc();
    if (!writer->context || !writer->encoding)
        return no_memory(writer);
    TRY(settle(writer, heif_context_get_encoder_for_format(writer->context, coder->compression, &writer->encoder)));
    TRY(settle(writer, heif_encoder_set_lossy_quality(writer->encoder, (int)save_value(options, "quality"))));
    TRY(settle(writer, heif_encoder_set_lossless(writer->encoder, writer->lossless)));
    TRY(settle(writer, heif_encoder_set_parameter_string(writer->encoder, "chroma", chromas[chroma])));
    return settle(writer, coder->set_effort(writer->encoder, (int)save_value(options, "effort")));
}

static Status add_metadata(Writer *writer) {
    const Image *image = writer->image;
    ImageBlock made, exif;
    unsigned lost = 0;
    Status status = STATUS_OK;
    TRY(exif_with_resolution(image, &made, &exif, &lost));
    if (exif.data)
        status =
            settle(writer, heif_context_add_exif_metadata(writer->context, writer->handle, exif.data, (int)exif.size));
    image_block_free(&made);
    if (status == STATUS_OK && image->xmp.data)
        status = settle(writer, heif_context_add_XMP_metadata(writer->context, writer->handle, image->xmp.data,
                                                              (int)image->xmp.size));
    if (writer->options->lost)
        *writer->options->lost |= lost;
    return status;
}

static struct heif_error on_write(struct heif_context *context, const void *data, size_t size, void *user) {
    static const struct heif_error good = {heif_error_Ok, heif_suberror_Unspecified, ""},
                                   full = {heif_error_Memory_allocation_error, heif_suberror_Unspecified, ""};
    Writer *writer = user;
    (void)context;
    return bytes_append(&writer->file, &writer->capacity, data, size) ? good : full;
}

static Status write_file(Writer *writer) {
    struct heif_writer to = {1, on_write};
    TRY(find_bits(writer));
    TRY(open_encoder(writer));
    TRY(make_values(writer));
    TRY(set_colours(writer));
    TRY(encoding_goes_on(writer->options->gives_up));
    TRY(settle(writer, heif_context_encode_image(writer->context, writer->values, writer->encoder, writer->encoding,
                                                 &writer->handle)));
    TRY(encoding_goes_on(writer->options->gives_up));
    TRY(add_metadata(writer));
    return settle(writer, heif_context_write(writer->context, &to, writer));
}

static void close_writer(Writer *writer) {
    if (writer->handle)
        heif_image_handle_release(writer->handle);
    if (writer->values)
        heif_image_release(writer->values);
    if (writer->encoder)
        heif_encoder_release(writer->encoder);
    if (writer->encoding)
        heif_encoding_options_free(writer->encoding);
    if (writer->colours)
        heif_nclx_color_profile_free(writer->colours);
    if (writer->context)
        heif_context_free(writer->context);
}

/* Encoders end the program, or fail without a reason, where they find no memory. */
static Status save(const Coder *coder, const Image *image, SaveOptions options, Bytes *file) {
    Writer writer = {.coder = coder, .image = image, .options = &options, .lossless = encoding_keeps(&options)};
    const Shape shape = image->view.shape;
    TRY(encoding_probe(coder->format,
                       memory_sum(codec_encoding_memory(shape, 1), encoding_working(coder->format, shape, &options))));
    const Status status = write_file(&writer);
    close_writer(&writer);
    if (status != STATUS_OK)
        bytes_free(&writer.file);
    *file = writer.file;
    return status;
}

static struct heif_error set_preset(struct heif_encoder *encoder, int effort) {
    static const char *const presets[] = {"ultrafast", "superfast", "veryfast", "faster",  "fast",
                                          "medium",    "slow",      "slower",   "veryslow"};
    return heif_encoder_set_parameter_string(encoder, "preset", presets[effort - 1]);
}

static struct heif_error set_speed(struct heif_encoder *encoder, int effort) {
    return heif_encoder_set_parameter_integer(encoder, "speed", 10 - effort);
}

Status heif_save(const Image *image, SaveOptions options, Bytes *file) {
    static const Coder coder = {&format_heif, heif_compression_HEVC,
                                "libheif has no encoder of HEVC here; its plugin for x265 is one", set_preset};
    return save(&coder, image, options, file);
}

Status avif_save(const Image *image, SaveOptions options, Bytes *file) {
    static const Coder coder = {&format_avif, heif_compression_AV1,
                                "libheif has no encoder of AV1 here; its plugin for libaom is one", set_speed};
    return save(&coder, image, options, file);
}
#endif
