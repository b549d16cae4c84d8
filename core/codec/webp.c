/* webp.c: WebP through libwebp; of an animation, the first frame on its canvas. */
#include "core/codec/formats.h"

static bool webp_recognize(Bytes head) {
    return head.size >= 16 && memcmp(head.data, "RIFF", 4) == 0 && memcmp(head.data + 8, "WEBP", 4) == 0;
}

#ifdef GLINT_WITH_WEBP
#    include "core/memory.h"

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

static Status webp_measure(Input *file, Measure *measure) {
    WebPBitstreamFeatures features;
    const VP8StatusCode code = WebPGetFeatures(file->bytes.data, file->bytes.size, &features);
    if (code != VP8_STATUS_OK)
        return refused(code);
    measure->shape = (Shape){(size_t)features.width, (size_t)features.height, features.has_alpha ? 4 : 3, PIXEL_U8};
    if (features.has_animation) { /* whose frames lie on a canvas that may show through, held by the decoder twice */
        measure->shape.channels = 4;
        measure->extras = EXTRA_FRAMES;
    }
    measure->working = memory_sum(CODER_BYTES, 8 * (size_t)features.width * (size_t)features.height);
    return file_must_hold(file, 8 + u32_at(file->bytes, 4), "WebP");
}

static Status read_profile(const WebPDemuxer *demuxer, Image *image) {
    WebPChunkIterator chunk;
    if (!WebPDemuxGetChunk(demuxer, "ICCP", 1, &chunk))
        return STATUS_OK;
    image->profile = malloc(chunk.chunk.size);
    if (image->profile) {
        memcpy(image->profile, chunk.chunk.bytes, chunk.chunk.size);
        image->profile_size = chunk.chunk.size;
    }
    WebPDemuxReleaseChunkIterator(&chunk);
    return image->profile ? STATUS_OK : no_memory("decode");
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

static Status read_animation(Bytes file, Image *image) {
    const WebPData data = {file.data, file.size};
    WebPAnimDecoderOptions options;
    uint8_t *canvas;
    int ends;
    if (!WebPAnimDecoderOptionsInit(&options))
        return no_memory("decode");
    WebPAnimDecoder *decoder = WebPAnimDecoderNew(&data, &options);
    const bool decoded = decoder && WebPAnimDecoderGetNext(decoder, &canvas, &ends);
    if (decoded)
        memcpy(image->view.pixels, canvas, shape_bytes(image->view.shape));
    WebPAnimDecoderDelete(decoder);
    return decoded ? STATUS_OK : refused(VP8_STATUS_BITSTREAM_ERROR);
}

static Status webp_load(Bytes file, Image **image) {
    const WebPData data = {file.data, file.size};
    Input input = input_of(file);
    Measure measure = {0};
    *image = NULL;
    TRY(webp_measure(&input, &measure));
    WebPDemuxer *demuxer = WebPDemux(&data);
    if (!demuxer)
        return refused(VP8_STATUS_BITSTREAM_ERROR);
    Status status = image_create(measure.shape, image);
    if (status == STATUS_OK)
        status = measure.extras & EXTRA_FRAMES ? read_animation(file, *image) : read_still(demuxer, *image);
    if (status == STATUS_OK)
        status = read_profile(demuxer, *image);
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
static Status assemble(const Image *image, WebPData encoded, Bytes *file) {
    const WebPData profile = {image->profile, image->profile_size};
    WebPData whole = {0};
    size_t capacity = 0;
    WebPMux *mux = image->profile ? WebPMuxCreate(&encoded, 0) : NULL;
    bool done = !image->profile || (mux && WebPMuxSetChunk(mux, "ICCP", &profile, 0) == WEBP_MUX_OK &&
                                    WebPMuxAssemble(mux, &whole) == WEBP_MUX_OK);
    done = done && bytes_append(file, &capacity, mux ? whole.bytes : encoded.bytes, mux ? whole.size : encoded.size);
    WebPDataClear(&whole);
    WebPMuxDelete(mux);
    return done ? STATUS_OK : no_memory("encode");
}

static Status webp_save(const Image *image, SaveOptions options, Bytes *file) {
    WebPConfig config;
    WebPPicture picture;
    WebPMemoryWriter writer;
    TRY(configure(options, &config));
    WebPMemoryWriterInit(&writer);
    Status status = import_picture(image->view, options.lossless, &picture);
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &writer;
    if (status == STATUS_OK && !WebPEncode(&config, &picture))
        status = no_memory("encode");
    if (status == STATUS_OK)
        status = assemble(image, (WebPData){writer.mem, writer.size}, file);
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
    .remark = "lossy, or --lossless",
    .reads = U8X3 | U8X4,
    .writes = U8X3 | U8X4,
    .side_max = WEBP_MAX_DIMENSION,
    .holds = EXTRA_PROFILE,
    .measure = webp_measure,
    .load = webp_load,
    .save = webp_save,
#else
    .lacks = "libwebp",
#endif
};
