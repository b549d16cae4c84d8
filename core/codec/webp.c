/* webp.c: WebP through libwebp; the frames of an animation as they are seen, each a whole canvas. */
#include "core/codec/formats.h"

static bool webp_recognize(Bytes head) {
    return head.size >= 16 && memcmp(head.data, "RIFF", 4) == 0 && memcmp(head.data + 8, "WEBP", 4) == 0;
}

#ifdef GLINT_WITH_WEBP
#    include "core/memory.h"

#    include <limits.h>
#    include <math.h>
#    include <stdlib.h>
#    include <webp/decode.h>
#    include <webp/demux.h>
#    include <webp/encode.h>
#    include <webp/mux.h>

enum { QUALITY_DEFAULT = 92, CODER_BYTES = 1 << 20 };

static Status no_memory(const char *task) {
    return fail(STATUS_DEVICE, "no memory to %s WebP", task);
}

/* "damaged WebP", or why not. */
static Status refused(VP8StatusCode code) {
    static const char *const reasons[] = {
        [VP8_STATUS_INVALID_PARAM] = "a header that contradicts itself",
        [VP8_STATUS_BITSTREAM_ERROR] = "its bits make no picture",
        [VP8_STATUS_UNSUPPORTED_FEATURE] = "a feature that no decoder knows",
        [VP8_STATUS_SUSPENDED] = "the file ends early",
        [VP8_STATUS_NOT_ENOUGH_DATA] = "the file ends early",
    };
    const size_t count = sizeof reasons / sizeof *reasons;
    if (code == VP8_STATUS_OUT_OF_MEMORY)
        return no_memory("decode");
    return fail(STATUS_INPUT, "damaged WebP: %s",
                (size_t)code < count && reasons[code] ? reasons[code] : "it cannot be decoded");
}

static size_t big_min(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Counts the frames, and finds which way up they are. */
static size_t walk_chunks(Input *file, Measure *measure) {
    unsigned char head[8], prefix[6];
    size_t count = 0, at = 12;
    const size_t end = 8 + u32_at(file->bytes, 4);
    while (at < end && input_peek(file, at, head, sizeof head)) {
        const size_t size = u32_at((Bytes){head, 8}, 4), data = at + 8;
        count += memcmp(head, "ANMF", 4) == 0;
        if (memcmp(head, "EXIF", 4) == 0 && input_peek(file, data, prefix, sizeof prefix) && size >= sizeof prefix) {
            const size_t skip = exif_prefix(prefix, sizeof prefix);
            measure->orientation = exif_orientation(file, data + skip, size - skip);
        }
        at = data + (size + 1) / 2 * 2;
    }
    return count;
}

/* They lie on a canvas that may show through, which the decoder holds twice. */
static Status measure_animation(size_t count, Measure *measure) {
    if (count == 0)
        return fail(STATUS_INPUT, "damaged WebP: an animation without a frame");
    TRY(file_has_page(count, measure->pages, "WebP"));
    measure->shape.channels = 4;
    measure->count = big_min(count - measure->pages.first, measure->pages.count ? measure->pages.count : SIZE_MAX);
    measure->further = memory_product(measure->count - 1, shape_bytes(measure->shape));
    return STATUS_OK;
}

static Status webp_measure(Input *file, Measure *measure) {
    WebPBitstreamFeatures features;
    const VP8StatusCode code = WebPGetFeatures(file->bytes.data, file->bytes.size, &features);
    if (code != VP8_STATUS_OK)
        return refused(code);
    measure->shape = (Shape){(size_t)features.width, (size_t)features.height, features.has_alpha ? 4 : 3, PIXEL_U8};
    measure->working = memory_sum(CODER_BYTES, 8 * (size_t)features.width * (size_t)features.height);
    TRY(file_must_hold(file, 8 + u32_at(file->bytes, 4), "WebP"));
    const size_t count = walk_chunks(file, measure);
    return features.has_animation ? measure_animation(count, measure) : file_has_page(1, measure->pages, "WebP");
}

static Status read_block(const WebPDemuxer *demuxer, const char *name, ImageBlock *block) {
    WebPChunkIterator chunk;
    if (!WebPDemuxGetChunk(demuxer, name, 1, &chunk))
        return STATUS_OK;
    const size_t skip = exif_prefix(chunk.chunk.bytes, chunk.chunk.size);
    const Status status = image_block_set(block, chunk.chunk.bytes + skip, chunk.chunk.size - skip);
    WebPDemuxReleaseChunkIterator(&chunk);
    return status;
}

static Status read_rest(const WebPDemuxer *demuxer, Image *image) {
    ImageBlock profile = {0};
    TRY(read_block(demuxer, "ICCP", &profile));
    image->profile = profile.data;
    image->profile_size = profile.size;
    TRY(read_block(demuxer, "EXIF", &image->exif));
    return read_block(demuxer, "XMP ", &image->xmp);
}

static Status read_still(const WebPDemuxer *demuxer, Image *image) {
    WebPIterator frame;
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config) || !WebPDemuxGetFrame(demuxer, 1, &frame))
        return refused(VP8_STATUS_BITSTREAM_ERROR);
    const ImageView view = image->view;
    config.output.colorspace = view.shape.channels == 4 ? MODE_RGBA : MODE_RGB;
    config.output.is_external_memory = 1;
    config.output.u.RGBA = (WebPRGBABuffer){view.pixels, (int)view.stride, view.stride * view.shape.height};
    VP8StatusCode code = WebPGetFeatures(frame.fragment.bytes, frame.fragment.size, &config.input);
    const bool fits = config.input.width == (int)view.shape.width && config.input.height == (int)view.shape.height;
    if (code == VP8_STATUS_OK)
        code = frame.complete && fits ? WebPDecode(frame.fragment.bytes, frame.fragment.size, &config)
                                      : VP8_STATUS_BITSTREAM_ERROR;
    WebPDemuxReleaseIterator(&frame);
    return code == VP8_STATUS_OK ? STATUS_OK : refused(code);
}

/* Frames are decoded from the first on: each is painted over the one before. */
static Status read_frames(WebPAnimDecoder *decoder, const WebPDemuxer *demuxer, const Measure *measure, Image **image) {
    int shown = 0, ends = 0;
    Image **next = image;
    *image = NULL;
    for (size_t number = 0; number < measure->pages.first + measure->count; number++) {
        uint8_t *canvas;
        shown = ends;
        if (!WebPAnimDecoderGetNext(decoder, &canvas, &ends))
            return refused(VP8_STATUS_BITSTREAM_ERROR);
        if (number < measure->pages.first)
            continue;
        TRY(image_create(measure->shape, next));
        memcpy((*next)->view.pixels, canvas, shape_bytes(measure->shape));
        (*next)->seconds = (ends - shown) / 1e3;
        next = &(*next)->next;
    }
    if (!*image)
        return refused(VP8_STATUS_NOT_ENOUGH_DATA);
    (*image)->plays = WebPDemuxGetI(demuxer, WEBP_FF_LOOP_COUNT);
    return STATUS_OK;
}

static Status read_animation(Bytes file, const WebPDemuxer *demuxer, const Measure *measure, Image **image) {
    const WebPData data = {file.data, file.size};
    WebPAnimDecoderOptions options;
    if (!WebPAnimDecoderOptionsInit(&options))
        return no_memory("decode");
    WebPAnimDecoder *decoder = WebPAnimDecoderNew(&data, &options);
    const Status status = decoder ? read_frames(decoder, demuxer, measure, image) : refused(VP8_STATUS_BITSTREAM_ERROR);
    WebPAnimDecoderDelete(decoder);
    return status;
}

static Status webp_load(Bytes file, Pages pages, Image **image) {
    const WebPData data = {file.data, file.size};
    Input input = input_of(file);
    Measure measure = {.pages = pages, .count = 1};
    *image = NULL;
    TRY(webp_measure(&input, &measure));
    WebPDemuxer *demuxer = WebPDemux(&data);
    if (!demuxer)
        return refused(VP8_STATUS_BITSTREAM_ERROR);
    const bool moves = WebPDemuxGetI(demuxer, WEBP_FF_FORMAT_FLAGS) & ANIMATION_FLAG;
    Status status = moves ? read_animation(file, demuxer, &measure, image) : image_create(measure.shape, image);
    if (status == STATUS_OK && !moves)
        status = read_still(demuxer, *image);
    if (status == STATUS_OK)
        status = read_rest(demuxer, *image);
    WebPDemuxDelete(demuxer);
    if (status != STATUS_OK)
        image_destroy(image);
    return status;
}

/* ---- writing ---- */

static Status configure(SaveOptions options, WebPConfig *config) {
    if (!WebPConfigInit(config))
        return no_memory("encode");
    config->quality = (float)(options.quality > 0 ? options.quality : QUALITY_DEFAULT);
    config->lossless = options.lossless;
    config->exact = options.lossless; /* also what transparent pixels hide */
    return STATUS_OK;
}

static Status import_picture(ImageView view, bool lossless, WebPPicture *picture) {
    if (!WebPPictureInit(picture))
        return no_memory("encode");
    picture->use_argb = lossless;
    picture->width = (int)view.shape.width;
    picture->height = (int)view.shape.height;
    const bool imported = view.shape.channels == 4 ? WebPPictureImportRGBA(picture, view.pixels, (int)view.stride)
                                                   : WebPPictureImportRGB(picture, view.pixels, (int)view.stride);
    return imported ? STATUS_OK : no_memory("encode");
}

/* Puts the encoded picture and what goes with it into one file. */
static Status join(const Image *image, ImageBlock exif, WebPData encoded, Bytes *file) {
    const struct {
        const char *name;
        WebPData data;
    } blocks[] = {{"ICCP", {image->profile, image->profile_size}},
                  {"EXIF", {exif.data, exif.size}},
                  {"XMP ", {image->xmp.data, image->xmp.size}}};
    WebPData whole = {0};
    size_t capacity = 0;
    const bool plain = !image->profile && !exif.data && !image->xmp.data;
    WebPMux *mux = plain ? NULL : WebPMuxCreate(&encoded, 0);
    bool done = plain || mux;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (done && blocks[i].data.bytes)
            done = WebPMuxSetChunk(mux, blocks[i].name, &blocks[i].data, 0) == WEBP_MUX_OK;
    done = done && (plain || WebPMuxAssemble(mux, &whole) == WEBP_MUX_OK);
    done = done && bytes_append(file, &capacity, mux ? whole.bytes : encoded.bytes, mux ? whole.size : encoded.size);
    WebPDataClear(&whole);
    WebPMuxDelete(mux);
    return done ? STATUS_OK : no_memory("encode");
}

static Status assemble(const Image *image, SaveOptions options, WebPData encoded, Bytes *file) {
    ImageBlock made, exif;
    unsigned lost = 0;
    TRY(exif_with_resolution(image, &made, &exif, &lost));
    const Status status = join(image, exif, encoded, file);
    image_block_free(&made);
    if (options.lost)
        *options.lost |= lost | extras_apart(image);
    return status;
}

/* The library counts them in an int: up to 24 days. */
static int milliseconds(double seconds) {
    return (int)fmin(1e3 * seconds + 0.5, INT_MAX);
}

/* All of one size; a frame without a time is shown for a second. */
static Status add_frames(WebPAnimEncoder *encoder, const Image *image, const WebPConfig *config) {
    static const double longest = 16777.215; /* s: 24 bits of milliseconds */
    double ends = 0;
    for (const Image *each = image; each; each = each->next) {
        WebPPicture picture;
        TRY(pictures_alike(image, each, "WebP"));
        Status status = import_picture(each->view, true, &picture);
        if (status == STATUS_OK && !WebPAnimEncoderAdd(encoder, &picture, milliseconds(ends), config))
            status = no_memory("encode");
        WebPPictureFree(&picture);
        TRY(status);
        ends += each->seconds > 0 ? fmin(each->seconds, longest) : 1;
    }
    return WebPAnimEncoderAdd(encoder, NULL, milliseconds(ends), NULL) ? STATUS_OK : no_memory("encode");
}

static Status save_animation(const Image *image, SaveOptions options, const WebPConfig *config, Bytes *file) {
    WebPAnimEncoderOptions animation;
    WebPData encoded = {0};
    if (!WebPAnimEncoderOptionsInit(&animation))
        return no_memory("encode");
    animation.anim_params.loop_count = (int)big_min(image->plays, 65535);
    WebPAnimEncoder *encoder =
        WebPAnimEncoderNew((int)image->view.shape.width, (int)image->view.shape.height, &animation);
    Status status = encoder ? add_frames(encoder, image, config) : no_memory("encode");
    if (status == STATUS_OK && !WebPAnimEncoderAssemble(encoder, &encoded))
        status = no_memory("encode");
    if (status == STATUS_OK)
        status = assemble(image, options, encoded, file);
    WebPDataClear(&encoded);
    WebPAnimEncoderDelete(encoder);
    return status;
}

static Status webp_save(const Image *image, SaveOptions options, Bytes *file) {
    WebPConfig config;
    WebPPicture picture;
    WebPMemoryWriter writer;
    TRY(configure(options, &config));
    if (image->next)
        return save_animation(image, options, &config, file);
    WebPMemoryWriterInit(&writer);
    Status status = import_picture(image->view, options.lossless, &picture);
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &writer;
    if (status == STATUS_OK && !WebPEncode(&config, &picture))
        status = no_memory("encode");
    if (status == STATUS_OK)
        status = assemble(image, options, (WebPData){writer.mem, writer.size}, file);
    WebPPictureFree(&picture);
    WebPMemoryWriterClear(&writer);
    return status;
}
#endif

const Format format_webp = {
    .name = "webp",
    .title = "WebP",
    .extensions = "webp",
    .recognize = webp_recognize,
#ifdef GLINT_WITH_WEBP
    .remark = "frames; lossy, or --lossless",
    .reads = U8X3 | U8X4,
    .writes = U8X3 | U8X4,
    .side_max = WEBP_MAX_DIMENSION,
    .holds = EXTRA_PROFILE | EXTRA_EXIF | EXTRA_XMP | EXTRA_TIMES | EXTRA_RESOLUTION,
    .measure = webp_measure,
    .load_pages = webp_load,
    .saves_several = true,
    .save = webp_save,
#else
    .lacks = "libwebp",
#endif
};
