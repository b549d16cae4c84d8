/* jxl_save.c: JPEG XL written through libjxl: with loss for pictures of 8 bits, unless they shall keep all. */
#ifdef GLINT_WITH_JXL
#    include "core/base/memory.h"
#    include "core/codec/encoding.h"
#    include "core/codec/formats.h"
#    include "core/codec/hush.h"
#    include "core/codec/jxl.h"
#    include "core/codec/jxl_gain_map.h"
#    include "core/image/icc.h"
#    include "core/image/narrow.h"
#    include "core/image/opaque.h"

#    include <jxl/encode.h>
#    include <math.h>
#    include <stdlib.h>

enum { TICKS = 1000 /* a second, in written files */ };

enum { PREDICTOR_DEFAULT = -1, PREDICTOR_ZERO = 0 };

/* Whether the picture's own colours are coded. Other colours are converted to XYB by the profile, and libjxl 0.7 ends
 * the program where that does not serve. */
static Status find_original(ImageBlock profile, Shape shape, bool lossless, bool *original) {
    bool converts = true;
    if (profile.data && !lossless)
        TRY(icc_converts(profile.data, profile.size, shape, &converts));
    *original = lossless || !converts;
    return STATUS_OK;
}

/* A profile that the library takes for none is left out. */
static bool set_colours(JxlEncoder *encoder, ImageBlock profile, bool gray, unsigned *lost) {
    JxlColorEncoding colour;
    JxlColorEncodingSetToSRGB(&colour, gray);
    if (profile.data && JxlEncoderSetICCProfile(encoder, profile.data, profile.size) == JXL_ENC_SUCCESS)
        return true;
    *lost |= profile.data ? EXTRA_PROFILE : 0;
    return JxlEncoderSetColorEncoding(encoder, &colour) == JXL_ENC_SUCCESS;
}

static bool set_info(JxlEncoder *encoder, const Image *image, bool original) {
    static const uint32_t bits[PIXEL_TYPES] = {8, 16, 32};
    const Shape shape = image->view.shape;
    const bool gray = shape.channels < 3, alpha = shape_has_alpha(shape);
    JxlBasicInfo info;
    JxlEncoderInitBasicInfo(&info);
    info.xsize = (uint32_t)shape.width;
    info.ysize = (uint32_t)shape.height;
    info.bits_per_sample = bits[shape.type];
    info.exponent_bits_per_sample = shape.type == PIXEL_F32 ? 8 : 0;
    info.num_color_channels = gray ? 1 : 3;
    info.num_extra_channels = alpha;
    info.alpha_bits = alpha ? info.bits_per_sample : 0;
    info.alpha_exponent_bits = alpha ? info.exponent_bits_per_sample : 0;
    info.uses_original_profile = original;
    info.have_animation = image->next != NULL;
    info.animation = (JxlAnimationHeader){TICKS, 1, image->plays, JXL_FALSE};
    if (JxlEncoderSetBasicInfo(encoder, &info) != JXL_ENC_SUCCESS)
        return false;
    return JxlEncoderGetRequiredCodestreamLevel(encoder) != 10 ||
           JxlEncoderSetCodestreamLevel(encoder, 10) == JXL_ENC_SUCCESS;
}

/* cjxl's mapping from qualities to distances. */
static float distance_of(double q) {
    return (float)(q >= 100 ? 0 : q >= 30 ? 0.1 + (100 - q) * 0.09 : 53.0 / 3000 * q * q - 23.0 / 20 * q + 25);
}

static bool add_exif(JxlEncoder *encoder, ImageBlock exif) {
    unsigned char *box = calloc(1, exif.size + 4);
    if (!box)
        return false;
    memcpy(box + 4, exif.data, exif.size);
    const bool done = JxlEncoderAddBox(encoder, "Exif", box, exif.size + 4, JXL_FALSE) == JXL_ENC_SUCCESS;
    free(box);
    return done;
}

static bool add_boxes(JxlEncoder *encoder, ImageBlock exif, ImageBlock xmp, Bytes map) {
    if (!exif.data && !xmp.data && !map.data)
        return true;
    bool done = JxlEncoderUseBoxes(encoder) == JXL_ENC_SUCCESS;
    if (done && exif.data)
        done = add_exif(encoder, exif);
    if (done && xmp.data)
        done = JxlEncoderAddBox(encoder, "xml ", xmp.data, xmp.size, JXL_FALSE) == JXL_ENC_SUCCESS;
    if (done && map.data)
        done = JxlEncoderAddBox(encoder, "jhgm", map.data, map.size, JXL_FALSE) == JXL_ENC_SUCCESS;
    JxlEncoderCloseBoxes(encoder);
    return done;
}

static Status save(const Image *image, SaveOptions options, int predictor, Bytes *file);

/* The contents of the box for a picture's gain map, if it has one: a codestream without boxes. Its bytes are kept,
 * since XYB, the colours of eyes, spends its bits elsewhere than a map needs them. */
static Status encode_map(const Image *image, SaveOptions options, Bytes *box) {
    Image *bytes;
    Bytes stream = {0};
    *box = (Bytes){0};
    if (!image->gain_map)
        return STATUS_OK;
    save_put("lossless", 1, &options);
    options.lost = NULL;
    TRY(image_clone(image->gain_map->view, &bytes));
    Status status = image_narrow(&bytes, PIXEL_U8);
    if (status == STATUS_OK)
        status = save(bytes, options, PREDICTOR_DEFAULT, &stream);
    if (status == STATUS_OK)
        status = jxl_gain_map_box(&image->gain_curve, stream, box);
    image_destroy(&bytes);
    bytes_free(&stream);
    return status;
}

static Status add_metadata(JxlEncoder *encoder, const Image *image, SaveOptions options) {
    ImageBlock made, exif;
    Bytes map;
    unsigned lost = 0;
    TRY(encode_map(image, options, &map));
    const Status status = exif_with_resolution(image, &made, &exif, &lost);
    const bool done = status == STATUS_OK && add_boxes(encoder, exif, image->xmp, map);
    if (status == STATUS_OK)
        image_block_free(&made);
    bytes_free(&map);
    TRY(status);
    if (options.lost)
        *options.lost |= lost | extras_apart(image);
    return done ? STATUS_OK : jxl_no_memory("encode");
}

/* The values that are written: straight, for libjxl 0.7 ends the program where it shall write premultiplied ones. *copy
 * holds them (to be destroyed) if the picture does not. */
static Status straight_values(const Image *image, Image **copy, ImageView *values) {
    *copy = NULL;
    *values = image->view;
    if (!image->premultiplied)
        return STATUS_OK;
    TRY(image_clone(image->view, copy));
    *values = (*copy)->view;
    view_scale_by_alpha(*values, true);
    return STATUS_OK;
}

static bool add_frame(JxlEncoder *encoder, JxlEncoderFrameSettings *settings, const Image *image, bool moves) {
    const JxlPixelFormat format = jxl_format_of(image->view.shape);
    Image *copy;
    ImageView values;
    JxlFrameHeader header;
    JxlEncoderInitFrameHeader(&header);
    const double ticks = TICKS * (image->seconds > 0 ? image->seconds : 1) + 0.5;
    header.duration = moves ? (uint32_t)fmin(ticks, UINT32_MAX) : 0;
    if (moves && JxlEncoderSetFrameHeader(settings, &header) != JXL_ENC_SUCCESS)
        return false;
    (void)encoder;
    if (straight_values(image, &copy, &values) != STATUS_OK)
        return false;
    const bool added =
        JxlEncoderAddImageFrame(settings, &format, values.pixels, shape_bytes(values.shape)) == JXL_ENC_SUCCESS;
    image_destroy(&copy);
    return added;
}

/* Writes the encoder's output. */
static Status write_out(JxlEncoder *encoder, Bytes *file, size_t *capacity) {
    enum { BLOCK = 1 << 16 };
    unsigned char *block = malloc(BLOCK);
    JxlEncoderStatus status = JXL_ENC_NEED_MORE_OUTPUT;
    bool written = block != NULL;
    while (written && status == JXL_ENC_NEED_MORE_OUTPUT) {
        uint8_t *next = block;
        size_t left = BLOCK;
        status = JxlEncoderProcessOutput(encoder, &next, &left);
        written = status != JXL_ENC_ERROR && bytes_append(file, capacity, block, BLOCK - left);
    }
    free(block);
    return written ? STATUS_OK : jxl_no_memory("encode");
}

static Status encode(JxlEncoder *encoder, const Image *image, SaveOptions options, int predictor, Bytes *file) {
    const bool lossless = encoding_keeps(&options) || image->view.shape.type != PIXEL_U8;
    const Shape shape = image->view.shape;
    const bool fits = image->profile && icc_fits(image->profile, image->profile_size, shape);
    const ImageBlock profile = fits ? (ImageBlock){image->profile, image->profile_size} : (ImageBlock){0};
    unsigned lost = image->profile && !fits ? EXTRA_PROFILE : 0;
    bool original;
    TRY(encoding_probe(&format_jxl,
                       memory_sum(codec_encoding_memory(shape, 1), encoding_working(&format_jxl, shape, &options))));
    TRY(find_original(profile, shape, lossless, &original));
    if ((options.gives_up && JxlEncoderSetParallelRunner(encoder, jxl_run_until_signal, NULL) != JXL_ENC_SUCCESS) ||
        !set_info(encoder, image, original) || !set_colours(encoder, profile, shape.channels < 3, &lost))
        return fail(STATUS_INPUT, "JPEG XL: this picture cannot be encoded");
    if (options.lost)
        *options.lost |= lost;
    JxlEncoderFrameSettings *settings = JxlEncoderFrameSettingsCreate(encoder, NULL);
    if (!settings ||
        JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_EFFORT, (int)save_value(&options, "effort")) !=
            JXL_ENC_SUCCESS ||
        JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_MODULAR_PREDICTOR, predictor) !=
            JXL_ENC_SUCCESS ||
        (lossless
             ? JxlEncoderSetFrameLossless(settings, JXL_TRUE)
             : JxlEncoderSetFrameDistance(settings, distance_of(save_value(&options, "quality")))) != JXL_ENC_SUCCESS)
        return jxl_no_memory("encode");
    TRY(add_metadata(encoder, image, options));
    size_t capacity = 0;
    for (const Image *each = image; each; each = each->next) { /* one at a time: the encoder holds each as floats */
        TRY(pictures_alike(image, each, "JPEG XL"));
        if (!shape_equal(each->view.shape, image->view.shape) ||
            !add_frame(encoder, settings, each, image->next != NULL))
            return fail(STATUS_INPUT, "JPEG XL: a frame that cannot be encoded as the first one");
        if (!each->next)
            JxlEncoderCloseInput(encoder);
        TRY(write_out(encoder, file, &capacity));
    }
    return STATUS_OK;
}

static Status save(const Image *image, SaveOptions options, int predictor, Bytes *file) {
    JxlEncoder *encoder = JxlEncoderCreate(NULL);
    Status status = encoder ? encode(encoder, image, options, predictor, file) : jxl_no_memory("encode");
    if (status != STATUS_OK && options.gives_up && interrupted())
        status = decoding_goes_on();
    JxlEncoderDestroy(encoder);
    if (status != STATUS_OK)
        bytes_free(file);
    return status;
}

/* By the bits of a float (IEEE 754). */
static bool is_nan(uint32_t bits) {
    return (bits & 0x7FFFFFFF) > 0x7F800000;
}

static bool same_values(ImageView a, ImageView b) {
    if (!shape_equal(a.shape, b.shape))
        return false;
    for (size_t y = 0; y < a.shape.height; y++) {
        const uint32_t *p = view_row(a, y), *q = view_row(b, y);
        for (size_t i = 0; i < a.shape.width * (size_t)a.shape.channels; i++)
            if (p[i] != q[i] && !(is_nan(p[i]) && is_nan(q[i])))
                return false;
    }
    return true;
}

/* Whether a file just written is read as the image that it was made of. */
static Status find_kept(const Image *image, Bytes file, bool *kept) {
    Image *back = NULL;
    const Status status = jxl_load(file, (Pages){0}, &back);
    const Image *now = back;
    *kept = status == STATUS_OK;
    for (; *kept && image && now; image = image->next, now = now->next) {
        Image *copy;
        ImageView values;
        *kept = straight_values(image, &copy, &values) == STATUS_OK && same_values(values, now->view);
        image_destroy(&copy);
    }
    *kept = *kept && !image && !now;
    image_destroy(&back);
    return status == STATUS_DEVICE ? status : STATUS_OK;
}

/* libjxl 0.7 loses bits of floats that are far apart, which it codes as 32 bits: most by guessing from neighbours, some
 * also without. */
static Status save_any(const Image *image, SaveOptions options, Bytes *file) {
    static const int predictors[] = {PREDICTOR_DEFAULT, PREDICTOR_ZERO};
    if (image->view.shape.type != PIXEL_F32)
        return save(image, options, PREDICTOR_DEFAULT, file);
    for (size_t i = 0; i < sizeof predictors / sizeof *predictors; i++) {
        bool kept = false;
        TRY(save(image, options, predictors[i], file));
        const Status status = find_kept(image, *file, &kept);
        if (status == STATUS_OK && kept)
            return STATUS_OK;
        bytes_free(file);
        TRY(status);
    }
    return fail(STATUS_INPUT, "JPEG XL: this libjxl does not keep floats that are so far apart; exr, pfm and tiff do");
}

typedef struct Call {
    const Image *saved;
    SaveOptions options;
    Bytes *to;
} Call;

static Status save_call(void *context) {
    const Call *call = context;
    return save_any(call->saved, call->options, call->to);
}

Status jxl_save(const Image *image, SaveOptions options, Bytes *file) {
    return hushed(save_call, &(Call){.saved = image, .options = options, .to = file});
}
#endif
