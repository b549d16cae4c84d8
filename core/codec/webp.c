/* webp.c: WebP through libwebp; the frames of an animation as they are seen, each a whole canvas. */
#include "core/codec/formats.h"

static bool webp_recognize(Bytes head) {
    return head.size >= 16 && memcmp(head.data, "RIFF", 4) == 0 && memcmp(head.data + 8, "WEBP", 4) == 0;
}

#ifdef GLINT_WITH_WEBP
#    include "core/base/memory.h"
#    include "core/codec/encoding.h"
#    include "core/codec/frames.h"
#    include "core/image/opaque.h"

#    include <math.h>
#    include <stdlib.h>
#    include <webp/decode.h>
#    include <webp/demux.h>
#    include <webp/encode.h>
#    include <webp/mux.h>

enum { CODER_BYTES = 1 << 20 };

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

/* A frame of an animation: its part of the canvas, how long it is seen, and the bytes for its decoder. */
typedef struct Frame {
    Area area;
    unsigned milliseconds;
    bool put, clears; /* put: not blended; clears: its part is transparent afterwards */
    Bytes coded;
} Frame;

enum { FRAME_HEADER = 16 };

static size_t u24_at(Bytes bytes, size_t at) {
    return u16_at(bytes, at) | (size_t)bytes.data[at + 2] << 16;
}

/* A chunk ANMF (WebP Container Specification, "Animation") without its coded picture. */
static Frame frame_of(Bytes header) {
    const unsigned flags = header.data[FRAME_HEADER - 1];
    return (Frame){.area = {2 * u24_at(header, 0), 2 * u24_at(header, 3), u24_at(header, 6) + 1, u24_at(header, 9) + 1},
                   .milliseconds = (unsigned)u24_at(header, 12),
                   .put = flags & 2,
                   .clears = flags & 1};
}

/* The chunks of a file, read. */
typedef struct Survey {
    size_t count; /* frames */
    Area blank;   /* of the canvas, once the frames so far are painted */
    bool opaque;  /* no frame shows a blank part */
} Survey;

static void survey_frame(Bytes header, Survey *survey) {
    const Frame frame = frame_of(header);
    survey->count++;
    survey->opaque = survey->opaque && area_covers(frame.area, survey->blank);
    survey->blank = frame.clears ? frame.area : (Area){0};
}

/* Counts the frames, and finds which way up they are. */
static Status walk_chunks(Input *file, Measure *measure, Survey *survey) {
    unsigned char head[8], prefix[6], header[FRAME_HEADER];
    size_t at = 12;
    const size_t end = 8 + u32_at(file->bytes, 4);
    while (at < end && input_peek(file, at, head, sizeof head)) {
        const size_t size = u32_at((Bytes){head, 8}, 4), data = at + 8;
        if (memcmp(head, "ANMF", 4) == 0 && size >= FRAME_HEADER && input_peek(file, data, header, sizeof header))
            survey_frame((Bytes){header, FRAME_HEADER}, survey);
        if (memcmp(head, "EXIF", 4) == 0 && input_peek(file, data, prefix, sizeof prefix) && size >= sizeof prefix) {
            const size_t skip = exif_prefix(prefix, sizeof prefix);
            measure->orientation = exif_orientation(file, data + skip, size - skip);
        }
        at = data + (size + 1) / 2 * 2;
    }
    return STATUS_OK;
}

/* Frames lie on a canvas that may show through. */
static Status measure_animation(const Survey *survey, Measure *measure) {
    const size_t count = survey->count;
    if (count == 0)
        return fail(STATUS_INPUT, "damaged WebP: an animation without a frame");
    TRY(file_has_page(count, measure->pages, "WebP"));
    measure->shape.channels = measure->shape.channels == 3 && survey->opaque ? 3 : 4;
    measure->count = big_min(count - measure->pages.first, measure->pages.count ? measure->pages.count : SIZE_MAX);
    measure->further = further_bytes(measure->count - 1, measure->shape);
    return STATUS_OK;
}

static Status webp_measure(Input *file, Measure *measure) {
    WebPBitstreamFeatures features;
    const VP8StatusCode code = WebPGetFeatures(file->bytes.data, file->bytes.size, &features);
    if (code != VP8_STATUS_OK)
        return refused(code);
    measure->shape = (Shape){(size_t)features.width, (size_t)features.height, features.has_alpha ? 4 : 3, PIXEL_U8};
    measure->working = memory_sum(CODER_BYTES, 12 * (size_t)features.width * (size_t)features.height);
    TRY(file_must_hold(file, 8 + u32_at(file->bytes, 4), "WebP"));
    Survey survey = {.blank = area_of(measure->shape), .opaque = true};
    TRY(walk_chunks(file, measure, &survey));
    return features.has_animation ? measure_animation(&survey, measure) : file_has_page(1, measure->pages, "WebP");
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
    TRY(decoding_goes_on());
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

/* ---- frames ---- */

/* The canvas that frames are painted on, always with alpha. */
typedef struct Canvas {
    ImageView view;
    Area blank; /* is transparent: no frame was painted there, or the last one was cleared away */
} Canvas;

static bool area_has(Area area, size_t x, size_t y) {
    return x - area.left < area.width && y - area.top < area.height;
}

/* As libwebp does, to the last bit: in whole numbers, which are cut. */
static void blend_pixel(const unsigned char *from, unsigned char *to) {
    const uint32_t alpha = from[3], behind = to[3] * (256 - alpha) >> 8, sum = alpha + behind;
    for (int c = 0; c < 3 && alpha > 0; c++)
        to[c] = (unsigned char)((from[c] * alpha + to[c] * behind) * ((1u << 24) / sum) >> 24);
    to[3] = alpha > 0 ? (unsigned char)sum : to[3];
}

/* Only the frame's part of the canvas is touched: a file may have many small frames on a vast one. Where the canvas is
 * blank, also transparent pixels keep their colours. */
static void paint(const Frame *frame, ImageView from, Canvas *canvas) {
    const Area area = frame->area;
    for (size_t y = 0; y < area.height; y++) {
        const unsigned char *pixel = view_row(from, y);
        unsigned char *to = (unsigned char *)view_row(canvas->view, area.top + y) + 4 * area.left;
        for (size_t x = 0; x < area.width; x++, pixel += 4, to += 4)
            if (frame->put || pixel[3] == 255 || area_has(canvas->blank, area.left + x, area.top + y))
                memcpy(to, pixel, 4);
            else
                blend_pixel(pixel, to);
    }
}

/* Behind a picture that was painted on nothing, nothing is left once it is cleared away. */
static void clear_away(const Frame *frame, Canvas *canvas) {
    const ImageView view = canvas->view;
    const Area whole = area_of(view.shape), area = frame->area;
    for (size_t y = 0; y < area.height && frame->clears; y++)
        memset((unsigned char *)view_row(view, area.top + y) + 4 * area.left, 0, 4 * area.width);
    canvas->blank = !frame->clears ? (Area){0} : area_covers(canvas->blank, whole) ? whole : area;
}

static Status paint_frame(const Frame *frame, Canvas *canvas) {
    Image *decoded = NULL;
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config))
        return no_memory("decode");
    VP8StatusCode code = WebPGetFeatures(frame->coded.data, frame->coded.size, &config.input);
    if (code == VP8_STATUS_OK &&
        ((size_t)config.input.width != frame->area.width || (size_t)config.input.height != frame->area.height))
        code = VP8_STATUS_BITSTREAM_ERROR;
    if (code != VP8_STATUS_OK)
        return refused(code);
    TRY(image_create_unfilled((Shape){frame->area.width, frame->area.height, 4, PIXEL_U8}, &decoded));
    const ImageView view = decoded->view;
    config.output.colorspace = MODE_RGBA;
    config.output.is_external_memory = 1;
    config.output.u.RGBA = (WebPRGBABuffer){view.pixels, (int)view.stride, view.stride * view.shape.height};
    code = WebPDecode(frame->coded.data, frame->coded.size, &config);
    if (code == VP8_STATUS_OK)
        paint(frame, view, canvas);
    image_destroy(&decoded);
    return code == VP8_STATUS_OK ? STATUS_OK : refused(code);
}

/* The next frame of a file whose chunks webp_measure has walked through; false behind the last. */
static bool next_frame(Bytes file, size_t *at, Frame *frame) {
    while (*at + 8 <= file.size) {
        const size_t chunk = *at, size = u32_at(file, chunk + 4), data = chunk + 8;
        if (size > file.size - data)
            return false;
        *at = data + (size + 1) / 2 * 2;
        if (memcmp(file.data + chunk, "ANMF", 4) != 0 || size < FRAME_HEADER)
            continue;
        *frame = frame_of((Bytes){file.data + data, FRAME_HEADER});
        frame->coded = (Bytes){file.data + data + FRAME_HEADER, size - FRAME_HEADER};
        return true;
    }
    return false;
}

static Status keep_picture(ImageView canvas, Shape shape, const Frame *frame, Image **image) {
    TRY(image_create_unfilled((Shape){shape.width, shape.height, 4, PIXEL_U8}, image));
    view_copy(canvas, (*image)->view);
    (*image)->seconds = frame->milliseconds / 1e3;
    if (shape.channels == 3)
        image_drop_alpha(*image);
    return STATUS_OK;
}

/* From the first on, up to the last that is wanted: each is painted over the one before. */
static Status read_frames(Bytes file, const Measure *measure, Canvas *canvas, Image **image) {
    Frame frame;
    Image **next = image;
    size_t at = 12;
    for (size_t number = 0; number < measure->pages.first + measure->count; number++) {
        TRY(decoding_goes_on());
        if (!next_frame(file, &at, &frame))
            return refused(VP8_STATUS_NOT_ENOUGH_DATA);
        if (!area_covers(area_of(canvas->view.shape), frame.area))
            return refused(VP8_STATUS_INVALID_PARAM);
        TRY(paint_frame(&frame, canvas));
        if (number >= measure->pages.first) {
            TRY(keep_picture(canvas->view, measure->shape, &frame, next));
            next = &(*next)->next;
        }
        clear_away(&frame, canvas);
    }
    return STATUS_OK;
}

static Status read_animation(Bytes file, const WebPDemuxer *demuxer, const Measure *measure, Image **image) {
    Image *painted = NULL;
    TRY(image_create((Shape){measure->shape.width, measure->shape.height, 4, PIXEL_U8}, &painted));
    Canvas canvas = {painted->view, area_of(painted->view.shape)};
    Status status = read_frames(file, measure, &canvas, image);
    if (status == STATUS_OK && *image)
        (*image)->plays = WebPDemuxGetI(demuxer, WEBP_FF_LOOP_COUNT);
    else if (status == STATUS_OK)
        status = refused(VP8_STATUS_NOT_ENOUGH_DATA);
    image_destroy(&painted);
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
    static const int methods[] = {0, 1, 2, 4 /* libwebp's own choice */, 4, 5, 5, 6, 6}; /* by effort */
    if (!WebPConfigInit(config))
        return no_memory("encode");
    config->quality = (float)save_value(&options, "quality");
    config->method = methods[(int)save_value(&options, "effort") - 1];
    config->lossless = encoding_keeps(&options);
    config->exact = config->lossless; /* also the colours that transparent pixels hide */
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

/* Puts the blocks that go with a picture to the frames of `mux`. Where that is NULL, they go to the encoded data, which
 * is a file already. */
static Status join(const Image *image, ImageBlock exif, WebPMux *mux, WebPData encoded, Bytes *file) {
    const struct {
        const char *name;
        WebPData data;
    } blocks[] = {{"ICCP", {image->profile, image->profile_size}},
                  {"EXIF", {exif.data, exif.size}},
                  {"XMP ", {image->xmp.data, image->xmp.size}}};
    WebPData whole = {0};
    size_t capacity = 0;
    const bool plain = !mux && !image->profile && !exif.data && !image->xmp.data;
    WebPMux *still = mux || plain ? NULL : WebPMuxCreate(&encoded, 0), *to = mux ? mux : still;
    bool done = plain || to;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (done && blocks[i].data.bytes)
            done = WebPMuxSetChunk(to, blocks[i].name, &blocks[i].data, 0) == WEBP_MUX_OK;
    done = done && (plain || WebPMuxAssemble(to, &whole) == WEBP_MUX_OK);
    done =
        done && bytes_append(file, &capacity, plain ? encoded.bytes : whole.bytes, plain ? encoded.size : whole.size);
    WebPDataClear(&whole);
    WebPMuxDelete(still);
    return done ? STATUS_OK : no_memory("encode");
}

static Status assemble(const Image *image, SaveOptions options, WebPMux *mux, WebPData encoded, Bytes *file) {
    ImageBlock made, exif;
    unsigned lost = 0;
    TRY(exif_with_resolution(image, &made, &exif, &lost));
    const Status status = join(image, exif, mux, encoded, file);
    image_block_free(&made);
    if (options.lost)
        *options.lost |= lost | extras_apart(image);
    return status;
}

static int goes_on(int percent, const WebPPicture *picture) {
    (void)percent, (void)picture;
    return !interrupted();
}

static Status encode(ImageView view, const WebPConfig *config, bool gives_up, WebPMemoryWriter *writer) {
    WebPPicture picture;
    WebPMemoryWriterInit(writer);
    Status status = import_picture(view, config->lossless, &picture);
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = writer;
    picture.progress_hook = gives_up ? goes_on : NULL;
    if (status == STATUS_OK && !WebPEncode(config, &picture))
        status = picture.error_code == VP8_ENC_ERROR_USER_ABORT ? decoding_goes_on() : no_memory("encode");
    WebPPictureFree(&picture);
    return status;
}

/* ---- frames ---- */

static bool rows_differ(ImageView before, ImageView view, size_t y) {
    return memcmp(view_row(before, y), view_row(view, y), shape_row_bytes(view.shape)) != 0;
}

/* The first byte in which rows differ, if that is below `most`, and the last one, if that is above `least`. */
static void widen(const unsigned char *before, const unsigned char *row, size_t bytes, size_t *most, size_t *least) {
    for (size_t i = 0; i < *most; i++)
        if (before[i] != row[i])
            *most = i;
    for (size_t i = bytes; i > *least; i--)
        if (before[i - 1] != row[i - 1])
            *least = i;
}

/* The part that a picture changes of the one before, from even columns and rows on, as frames lie; a pixel at least. */
static Area changed(ImageView before, ImageView view) {
    const size_t bytes = shape_row_bytes(view.shape), pixel = (size_t)view.shape.channels;
    size_t top = 0, bottom = view.shape.height, most = bytes, least = 0;
    while (top < bottom && !rows_differ(before, view, top))
        top++;
    while (bottom > top && !rows_differ(before, view, bottom - 1))
        bottom--;
    if (top == bottom)
        return (Area){0, 0, 1, 1};
    for (size_t y = top; y < bottom; y++)
        widen(view_row(before, y), view_row(view, y), bytes, &most, &least);
    const size_t left = most / pixel / 2 * 2, first = top / 2 * 2;
    return (Area){left, first, (least + pixel - 1) / pixel - left, bottom - first};
}

/* Each is a frame of its own, also one that equals the one before. A frame that has no time is shown for a second. */
static Status add_frame(WebPMux *mux, const Image *before, const Image *image, const WebPConfig *config, bool gives_up,
                        double *ends) {
    static const double longest = 16777.215; /* s: 24 bits of milliseconds */
    const ImageView view = image->view;
    const Area area = before ? changed(before->view, view) : area_of(view.shape);
    const double begins = floor(1e3 * *ends + 0.5);
    *ends += image->seconds > 0 ? fmin(image->seconds, longest) : 1;
    WebPMemoryWriter writer;
    const Status status =
        encode(view_crop(view, area.left, area.top, area.width, area.height), config, gives_up, &writer);
    const WebPMuxFrameInfo frame = {.bitstream = {writer.mem, writer.size},
                                    .x_offset = (int)area.left,
                                    .y_offset = (int)area.top,
                                    .duration = (int)fmin(floor(1e3 * *ends + 0.5) - begins, 1e3 * longest),
                                    .id = WEBP_CHUNK_ANMF,
                                    .dispose_method = WEBP_MUX_DISPOSE_NONE,
                                    .blend_method = WEBP_MUX_NO_BLEND};
    const bool pushed = status == STATUS_OK && WebPMuxPushFrame(mux, &frame, 1) == WEBP_MUX_OK;
    WebPMemoryWriterClear(&writer);
    return pushed || status != STATUS_OK ? status : no_memory("encode");
}

/* All of one size and type. */
static Status add_frames(WebPMux *mux, const Image *image, const WebPConfig *config, bool gives_up) {
    double ends = 0;
    const WebPMuxAnimParams animation = {UINT32_MAX, (int)big_min(image->plays, 65535)};
    const Shape shape = image->view.shape;
    if (WebPMuxSetCanvasSize(mux, (int)shape.width, (int)shape.height) != WEBP_MUX_OK ||
        WebPMuxSetAnimationParams(mux, &animation) != WEBP_MUX_OK)
        return no_memory("encode");
    const Image *before = NULL;
    for (const Image *each = image; each; before = each, each = each->next) {
        TRY(encoding_goes_on(gives_up));
        TRY(pictures_alike(image, each, "WebP"));
        const bool alike = before && shape_equal(before->view.shape, each->view.shape);
        TRY(add_frame(mux, alike ? before : NULL, each, config, gives_up, &ends));
    }
    return STATUS_OK;
}

static Status save_animation(const Image *image, SaveOptions options, const WebPConfig *config, Bytes *file) {
    WebPMux *mux = WebPMuxNew();
    Status status = mux ? add_frames(mux, image, config, options.gives_up) : no_memory("encode");
    if (status == STATUS_OK)
        status = assemble(image, options, mux, (WebPData){0}, file);
    WebPMuxDelete(mux);
    return status;
}

static Status webp_save(const Image *image, SaveOptions options, Bytes *file) {
    WebPConfig config;
    WebPMemoryWriter writer;
    TRY(configure(options, &config));
    if (image->next)
        return save_animation(image, options, &config, file);
    Status status = encode(image->view, &config, options.gives_up, &writer);
    if (status == STATUS_OK)
        status = assemble(image, options, NULL, (WebPData){writer.mem, writer.size}, file);
    WebPMemoryWriterClear(&writer);
    return status;
}
#endif

static const Option own_options[] = {SAVE_QUALITY, SAVE_LOSSLESS, SAVE_EFFORT, SAVE_BYTES};

const Format format_webp = {
    .name = "webp",
    .title = "WebP",
    .extensions = "webp",
    .options = {OPTION_ROWS(own_options)},
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
    /* libwebp 1.2 holds noise in a form of its own, twice as large as that of photographs. */
    .working = {30, {0, 0, 0}, 10},
    .working_exact = {64, {0, 0, 0}, 0},
#else
    .lacks = "libwebp",
#endif
};
