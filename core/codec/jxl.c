/* jxl.c: JPEG XL through libjxl, as a codestream or in boxes; frames of an animation as they are seen, each a whole
 * canvas. Pictures of 8 bits are written with loss, unless they shall keep all; others always keep every value. */
#include "core/codec/formats.h"

static bool jxl_recognize(Bytes head) {
    return (head.size >= 2 && head.data[0] == 0xFF && head.data[1] == 0x0A) ||
           (head.size >= 12 && memcmp(head.data, "\0\0\0\x0CJXL \r\n\x87\n", 12) == 0);
}

#ifdef GLINT_WITH_JXL
#    include "core/base/memory.h"
#    include "core/codec/boxes.h"
#    include "core/codec/frames.h"
#    include "core/codec/hush.h"
#    include "core/codec/jxl.h"
#    include "core/codec/jxl_gain_map.h"
#    include "core/image/icc.h"
#    include "core/image/narrow.h"
#    include "core/image/opaque.h"

#    include <jxl/decode.h>
#    include <jxl/encode.h>
#    include <jxl/version.h>
#    include <math.h>
#    include <stdlib.h>

enum { CODER_BYTES = 8 << 20 };

static Status ends_early(void) {
    return file_ends_early("JPEG XL");
}

static Status damaged(void) {
    return fail(STATUS_INPUT, "damaged JPEG XL: it cannot be decoded");
}

Status jxl_no_memory(const char *task) {
    return fail(STATUS_DEVICE, "no memory to %s JPEG XL", task);
}

static Shape shape_of(const JxlBasicInfo *info) {
    const bool floating = info->exponent_bits_per_sample > 0;
    const PixelType type = floating ? PIXEL_F32 : info->bits_per_sample > 8 ? PIXEL_U16 : PIXEL_U8;
    return (Shape){info->xsize, info->ysize, (info->num_color_channels < 3 ? 1 : 3) + (info->alpha_bits > 0), type};
}

JxlPixelFormat jxl_format_of(Shape shape) {
    static const JxlDataType types[PIXEL_TYPES] = {JXL_TYPE_UINT8, JXL_TYPE_UINT16, JXL_TYPE_FLOAT};
    return (JxlPixelFormat){(uint32_t)shape.channels, types[shape.type], JXL_NATIVE_ENDIAN, 0};
}

/* The number of the extra channel that is the black of CMYK, whose other inks stand in those of RGB; -1 without one. */
static int find_black(const JxlDecoder *decoder, const JxlBasicInfo *info) {
    JxlExtraChannelInfo extra;
    for (uint32_t i = 0; info->num_color_channels == 3; i++) {
        if (JxlDecoderGetExtraChannelInfo(decoder, i, &extra) != JXL_DEC_SUCCESS)
            break;
        if (extra.type == JXL_CHANNEL_BLACK)
            return (int)i;
    }
    return -1;
}

JxlParallelRetCode jxl_run_until_signal(void *unused, void *work, JxlParallelRunInit init, JxlParallelRunFunction group,
                                        uint32_t start, uint32_t end) {
    (void)unused;
    JxlParallelRetCode code = init(work, 1);
    for (uint32_t at = start; at < end && code == 0; at++)
        if (interrupted())
            code = JXL_PARALLEL_RET_RUNNER_ERROR;
        else
            group(work, at, 0);
    return code;
}

/* ---- the header ---- */

/* Whether the first `size` bytes of a file have boxes that libjxl 0.7 misreads. The library takes boxes of 64-bit sizes
 * for others, and a box of metadata to the end for one without an end. */
static bool has_odd_boxes(Input *file, size_t size) {
    bool odd = false;
    Box box;
    if (box_number(file, 0, 4) != 12) /* a codestream alone */
        return false;
    for (size_t at = 0; at < size && box_at(file, at, file->size, &box); at = box.end) {
        odd |= !box.plain && strncmp(box.type, "jxl", 3) != 0;
        odd |= !box.plain && box.data - box.at > 8;
    }
    return odd;
}

/* The first bytes of a file, its boxes with sizes of 32 bits. */
static Status with_plain_boxes(Bytes bytes, size_t file_size, Bytes *made) {
    Input file = input_of(bytes);
    size_t capacity = 0;
    Box box;
    *made = (Bytes){0};
    for (size_t at = 0; box_at(&file, at, file_size, &box); at = box.end) {
        const size_t size = box.end - box.data + 8, there = box.end < bytes.size ? box.end : bytes.size;
        const bool fits = size <= UINT32_MAX && box.end < SIZE_MAX; /* only the last one may not */
        const unsigned char head[4] = {(unsigned char)(size >> 24), (unsigned char)(size >> 16),
                                       (unsigned char)(size >> 8), (unsigned char)size};
        if (!bytes_append(made, &capacity, fits ? head : (const unsigned char[4]){0}, 4) ||
            !bytes_append(made, &capacity, box.type, 4) ||
            (there > box.data && !bytes_append(made, &capacity, bytes.data + box.data, there - box.data))) {
            bytes_free(made);
            return jxl_no_memory("decode");
        }
    }
    return STATUS_OK;
}

/* Reads on until the decoder has seen the event, or the file ends. `events` counts those of `event`, but of basic
 * information the first one is enough. */
static Status look(Bytes bytes, JxlDecoderStatus event, JxlBasicInfo *info, size_t *events, bool *more) {
    JxlDecoder *decoder = JxlDecoderCreate(NULL);
    *more = false;
    *events = 0;
    if (!decoder)
        return jxl_no_memory("decode");
    JxlDecoderStatus status = JXL_DEC_ERROR;
    if (JxlDecoderSubscribeEvents(decoder, (int)event) == JXL_DEC_SUCCESS &&
        JxlDecoderSetInput(decoder, bytes.data, bytes.size) == JXL_DEC_SUCCESS)
        status = JxlDecoderProcessInput(decoder);
    for (; status == event && !interrupted(); status = JxlDecoderProcessInput(decoder)) {
        ++*events;
        if (event != JXL_DEC_BASIC_INFO)
            continue;
        status = JxlDecoderGetBasicInfo(decoder, info) == JXL_DEC_SUCCESS ? JXL_DEC_SUCCESS : JXL_DEC_ERROR;
        if (status == JXL_DEC_SUCCESS && find_black(decoder, info) >= 0)
            info->num_extra_channels--; /* it is read, unlike others */
        break;
    }
    JxlDecoderDestroy(decoder);
    TRY(decoding_goes_on());
    *more = status == JXL_DEC_NEED_MORE_INPUT;
    return status == JXL_DEC_ERROR ? damaged() : STATUS_OK;
}

/* The first `size` bytes, which may be those that are there. */
static Status first_bytes(Input *file, size_t size, Bytes *bytes) {
    *bytes = (Bytes){malloc(size + 1), size};
    if (!bytes->data)
        return jxl_no_memory("decode");
    if (input_peek(file, 0, bytes->data, size))
        return STATUS_OK;
    bytes_free(bytes);
    return ends_early();
}

static Status look_at(Input *file, size_t size, JxlDecoderStatus event, JxlBasicInfo *info, size_t *events,
                      bool *more) {
    Bytes bytes = {file->bytes.data, size}, plain = {0};
    const bool reads = size > file->bytes.size;
    if (reads) { /* and once more with plain boxes */
        TRY(memory_fits(memory_product(2, size), "decoding"));
        TRY(first_bytes(file, size, &bytes));
    }
    Status status = has_odd_boxes(file, size) ? with_plain_boxes(bytes, file->size, &plain) : STATUS_OK;
    if (status == STATUS_OK)
        status = look(plain.data ? plain : bytes, event, info, events, more);
    bytes_free(&plain);
    if (reads)
        bytes_free(&bytes);
    return status;
}

static Status read_info(Input *file, JxlBasicInfo *info) {
    bool more = true;
    size_t events = 0;
    for (size_t size = INPUT_HEAD; more; size *= 4) { /* a profile, or metadata, may come first */
        const bool all = size >= file->size;
        TRY(look_at(file, all ? file->size : size, JXL_DEC_BASIC_INFO, info, &events, &more));
        if (more && all)
            return ends_early();
    }
    return events > 0 ? STATUS_OK : damaged();
}

static Status count_frames(Input *file, size_t *count) {
    bool more;
    JxlBasicInfo info;
    if (file->size == SIZE_MAX)
        return fail(STATUS_INPUT, "an animated JPEG XL from a stream; it must be a file");
    TRY(look_at(file, file->size, JXL_DEC_FRAME, &info, count, &more));
    return more ? ends_early() : *count > 0 ? STATUS_OK : damaged();
}

static Status measure_info(Input *file, Measure *measure, JxlBasicInfo *info) {
    size_t count = 1;
    TRY(read_info(file, info));
    measure->shape = shape_of(info);
    measure->premultiplied = info->alpha_premultiplied && measure->shape.type == PIXEL_F32;
    measure->orientation = 1; /* the library turns */
    if (info->have_animation)
        TRY(count_frames(file, &count));
    TRY(file_has_page(count, measure->pages, "JPEG XL"));
    const size_t left = count - measure->pages.first, wanted = measure->pages.count;
    measure->count = wanted > 0 && wanted < left ? wanted : left;
    measure->further = further_bytes(measure->count - 1, measure->shape);
    const Shape floats = shape_with_type(measure->shape, PIXEL_F32);
    measure->working = memory_sum(CODER_BYTES, memory_product(4, shape_bytes(floats)));
    measure->extras = info->num_extra_channels > (info->alpha_bits > 0) ? EXTRA_CHANNELS : 0;
    if (file->size < SIZE_MAX && has_odd_boxes(file, file->size))
        measure->working = memory_sum(measure->working, file->size);
    return STATUS_OK;
}

/* Measures the codestream of a gain map, whose bytes are read. One that cannot be used counts as lost (EXTRA_BESIDE).
 */
static Status measure_gain_map(Input *file, Measure *measure) {
    JxlGainMap found;
    JxlBasicInfo info;
    Measure map = {.count = 0};
    if (!jxl_gain_map_find(file, &found))
        return STATUS_OK;
    Bytes stream = {0};
    if (found.size > 0) {
        TRY(memory_fits(found.size, "decoding"));
        stream = (Bytes){malloc(found.size), found.size};
        if (!stream.data)
            return jxl_no_memory("decode");
    }
    Input input = input_of(stream);
    const bool usable = stream.data && input_peek(file, found.at, stream.data, found.size) &&
                        measure_info(&input, &map, &info) == STATUS_OK && map.count == 1 &&
                        shape_check(map.shape) == STATUS_OK && gain_map_shape(map.shape).channels > 0;
    bytes_free(&stream);
    if (!usable) {
        measure->extras |= EXTRA_BESIDE;
        return STATUS_OK;
    }
    measure->gain_map = gain_map_shape(map.shape);
    const size_t pixels = memory_sum(shape_bytes(map.shape), shape_bytes(measure->gain_map));
    measure->further = memory_sum(measure->further, pixels);
    if (map.working > measure->working) /* one decoder ends before the other begins */
        measure->working = map.working;
    return STATUS_OK;
}

/* The arguments of measuring and loading, for a thread of its own: the library prints where it finds damage. */
typedef struct Call {
    Input *file;
    Measure *measure;
    Bytes bytes;
    Pages pages;
    Image **image;
} Call;

static Status measure_call(void *context) {
    const Call *call = context;
    JxlBasicInfo info;
    TRY(measure_info(call->file, call->measure, &info));
    return measure_gain_map(call->file, call->measure);
}

static Status jxl_measure(Input *file, Measure *measure) {
    return hushed(measure_call, &(Call){.file = file, .measure = measure});
}

/* ---- reading ---- */

typedef struct Reader {
    JxlDecoder *decoder;
    JxlBasicInfo info;
    Measure measure;
    JxlPixelFormat format;
    Shape shape;         /* of the decoder's output: of the picture, or, if it is converted, f32 */
    bool converts;       /* from linear light to the profile of `about` */
    Image **frame;       /* the one being decoded, if it is wanted */
    size_t number;       /* of the next frame */
    Image *first, **end; /* the pictures read so far */
    Image *skipped;      /* takes frames that are not wanted */
    Image *about;        /* blocks that go with the first */
    ImageBlock box;      /* the one being read */
    char box_type[5];    /* "" if it is none that is kept */
    int black;           /* the number of this extra channel, or -1 */
    ImageBlock ink;      /* its values in this frame */
    IccInks *inks;       /* by whose profile CMYK becomes RGB; or NULL */
    bool last, complete; /* the frame is the last one, which was decoded */
    bool closed;         /* the decoder knows that the file ends */
    double seconds;      /* of the frame */
} Reader;

/* A parameter of three functions that libjxl never used, and dropped in 0.9. */
#    if JPEGXL_NUMERIC_VERSION < JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
#        define NO_FORMAT NULL,
#    else
#        define NO_FORMAT
#    endif

static bool is_srgb(const JxlColorEncoding *colour) {
    return colour->white_point == JXL_WHITE_POINT_D65 && colour->transfer_function == JXL_TRANSFER_FUNCTION_SRGB &&
           (colour->color_space == JXL_COLOR_SPACE_GRAY || colour->primaries == JXL_PRIMARIES_SRGB);
}

/* A copy of a profile; *profile stays empty if there is none. */
static Status copy_profile(const Reader *reader, JxlColorProfileTarget target, ImageBlock *profile) {
    size_t size = 0;
    if (JxlDecoderGetICCProfileSize(reader->decoder, NO_FORMAT target, &size) != JXL_DEC_SUCCESS || size == 0)
        return STATUS_OK;
    *profile = (ImageBlock){malloc(size), size};
    if (!profile->data)
        return jxl_no_memory("decode");
    if (JxlDecoderGetColorAsICCProfile(reader->decoder, NO_FORMAT target, profile->data, size) == JXL_DEC_SUCCESS)
        return STATUS_OK;
    image_block_free(profile);
    return damaged();
}

/* libjxl 0.7 converts XYB to colours that it has a name for, but not by a profile. It gives linear light in the
 * picture's type, for which 8 bits are too few, and cuts it off at sRGB's gamut. Such a picture is decoded as f32, and
 * converted to the profile's values; where these are not to be had, to sRGB. */
static Status find_conversion(Reader *reader) {
    JxlColorEncoding colour;
    const Shape shape = reader->measure.shape;
    ImageBlock profile = {0};
    if (reader->info.uses_original_profile ||
        JxlDecoderGetColorAsEncodedProfile(reader->decoder, NO_FORMAT JXL_COLOR_PROFILE_TARGET_ORIGINAL, NULL) ==
            JXL_DEC_SUCCESS)
        return STATUS_OK;
    TRY(copy_profile(reader, JXL_COLOR_PROFILE_TARGET_ORIGINAL, &profile));
    const Status status = profile.data ? icc_converts(profile.data, profile.size, shape, &reader->converts) : STATUS_OK;
    if (reader->converts)
        JxlColorEncodingSetToLinearSRGB(&colour, shape.channels < 3);
    else
        JxlColorEncodingSetToSRGB(&colour, shape.channels < 3);
    const bool set = JxlDecoderSetPreferredColorProfile(reader->decoder, &colour) == JXL_DEC_SUCCESS;
    if (status != STATUS_OK || !set || !reader->converts) {
        image_block_free(&profile);
        return status != STATUS_OK || set ? status : damaged();
    }
    reader->shape = shape_with_type(shape, PIXEL_F32);
    reader->format = jxl_format_of(reader->shape);
    reader->about->profile = profile.data;
    reader->about->profile_size = profile.size;
    return STATUS_OK;
}

/* The profile speaks of inks, and there are none any more once they are converted. */
static Status open_inks(Reader *reader) {
    ImageBlock profile = {0};
    TRY(copy_profile(reader, JXL_COLOR_PROFILE_TARGET_DATA, &profile));
    const Status status =
        profile.data ? icc_inks_open(profile.data, profile.size, reader->shape.type, true, &reader->inks) : STATUS_OK;
    reader->about->extras |= profile.data && !reader->inks ? EXTRA_PROFILE : 0u;
    image_block_free(&profile);
    return status;
}

static Status read_profile(Reader *reader) {
    JxlColorEncoding colour;
    ImageBlock profile = {0};
    const JxlColorProfileTarget target = JXL_COLOR_PROFILE_TARGET_DATA;
    reader->black = find_black(reader->decoder, &reader->info);
    if (reader->black >= 0)
        return open_inks(reader);
    TRY(find_conversion(reader));
    if (reader->converts ||
        (JxlDecoderGetColorAsEncodedProfile(reader->decoder, NO_FORMAT target, &colour) == JXL_DEC_SUCCESS &&
         is_srgb(&colour)))
        return STATUS_OK;
    TRY(copy_profile(reader, target, &profile));
    reader->about->profile = profile.data;
    reader->about->profile_size = profile.size;
    reader->about->extras |= profile.data ? 0 : EXTRA_PROFILE;
    return STATUS_OK;
}

static Status begin_frame(Reader *reader) {
    JxlFrameHeader header;
    const JxlAnimationHeader *animation = &reader->info.animation;
    if (JxlDecoderGetFrameHeader(reader->decoder, &header) != JXL_DEC_SUCCESS)
        return damaged();
    reader->last = header.is_last;
    const double ticks = animation->tps_denominator > 0 && animation->tps_numerator > 0
                             ? (double)animation->tps_numerator / animation->tps_denominator
                             : 100;
    reader->seconds = !reader->info.have_animation ? 0 : header.duration > 0 ? header.duration / ticks : 0.1;
    return STATUS_OK;
}

/* Where its black goes. */
static Status give_ink_room(Reader *reader) {
    Shape shape = reader->shape;
    shape.channels = 1;
    const JxlPixelFormat format = jxl_format_of(shape);
    if (reader->black < 0)
        return STATUS_OK;
    if (!reader->ink.data)
        reader->ink = (ImageBlock){malloc(shape_bytes(shape)), shape_bytes(shape)};
    if (!reader->ink.data)
        return jxl_no_memory("decode");
    return JxlDecoderSetExtraChannelBuffer(reader->decoder, &format, reader->ink.data, reader->ink.size,
                                           (uint32_t)reader->black) == JXL_DEC_SUCCESS
               ? STATUS_OK
               : damaged();
}

/* A row of inks, of which the highest values let all light through, to the light that they let through. */
static void ink_row(const Reader *reader, ImageView inks, ImageView row) {
    const double white = pixel_type_white(row.shape.type);
    if (reader->inks) {
        icc_inks_convert(reader->inks, inks.pixels, inks.pixels, inks.shape.width);
        inks.shape.channels = 3;
    }
    for (size_t x = 0; x < row.shape.width; x++)
        for (int c = 0; c < 3; c++) {
            const double value = view_value(inks, x, 0, c);
            view_set_value(row, x, 0, c, reader->inks ? value : value * view_value(inks, x, 0, 3) / white);
        }
}

static Status mix_inks(const Reader *reader, ImageView view) {
    Image *inks = NULL;
    const size_t width = view.shape.width, size = pixel_type_size(view.shape.type);
    TRY(image_create((Shape){width, 1, 4, view.shape.type}, &inks));
    for (size_t y = 0; y < view.shape.height; y++) {
        const ImageView row = view_crop(view, 0, y, width, 1);
        for (size_t x = 0; x < width; x++) {
            char *four = (char *)inks->view.pixels + 4 * size * x;
            memcpy(four, (const char *)row.pixels + (size_t)view.shape.channels * size * x, 3 * size);
            memcpy(four + 3 * size, reader->ink.data + (y * width + x) * size, size);
        }
        ink_row(reader, inks->view, row);
    }
    image_destroy(&inks);
    return STATUS_OK;
}

/* Where the frame's pixels go. */
static Status give_room(Reader *reader) {
    const Pages pages = reader->measure.pages;
    const size_t number = reader->number++;
    const bool wanted = number >= pages.first && number - pages.first < reader->measure.count;
    size_t size;
    if (number >= pages.first && !wanted) { /* behind the last one that is */
        reader->complete = reader->last;
        return JxlDecoderSkipCurrentFrame(reader->decoder) == JXL_DEC_SUCCESS ? STATUS_OK : damaged();
    }
    Image **to = wanted ? reader->end : &reader->skipped;
    reader->frame = wanted ? to : NULL;
    if (!*to)
        TRY(image_create(reader->shape, to));
    if (wanted) {
        (*to)->seconds = reader->seconds;
        reader->end = &(*to)->next;
    }
    TRY(give_ink_room(reader));
    return JxlDecoderImageOutBufferSize(reader->decoder, &reader->format, &size) == JXL_DEC_SUCCESS &&
                   size == shape_bytes(reader->shape) &&
                   JxlDecoderSetImageOutBuffer(reader->decoder, &reader->format, (*to)->view.pixels, size) ==
                       JXL_DEC_SUCCESS
               ? STATUS_OK
               : damaged();
}

/* Premultiplied floats stay as they are: the library would make light where alpha is 0 millions of times as bright. */
static bool stays_premultiplied(const Reader *reader) {
    return reader->info.alpha_premultiplied && reader->shape.type == PIXEL_F32;
}

static Status end_frame(Reader *reader) {
    Image **const frame = reader->frame, *about = reader->about;
    reader->complete = reader->last;
    if (frame && reader->black >= 0)
        return mix_inks(reader, (*frame)->view);
    if (!frame || !reader->converts)
        return STATUS_OK;
    if (stays_premultiplied(reader))
        view_scale_by_alpha((*frame)->view, true);
    TRY(icc_from_linear((*frame)->view, about->profile, about->profile_size));
    if (stays_premultiplied(reader))
        view_scale_by_alpha((*frame)->view, false);
    const Status status = image_narrow(frame, reader->measure.shape.type);
    reader->end = &(*frame)->next;
    return status;
}

/* ---- boxes ---- */

enum { BOX_MAX = 8 << 20 };

static Status keep_box(Reader *reader) {
    Image *about = reader->about;
    const size_t left = reader->box.data ? JxlDecoderReleaseBoxBuffer(reader->decoder) : 0;
    const size_t size = reader->box.size - left;
    Status status = STATUS_OK;
    if (strcmp(reader->box_type, "xml ") == 0 && !about->xmp.data)
        status = image_block_set(&about->xmp, reader->box.data, size);
    if (strcmp(reader->box_type, "Exif") == 0 && !about->exif.data)
        status = exif_set(&about->exif, reader->box.data, size);
    image_block_free(&reader->box);
    reader->box_type[0] = '\0';
    return status;
}

static Status begin_box(Reader *reader) {
    enum { BOX_BYTES = 1 << 16 };
    TRY(keep_box(reader));
    if (JxlDecoderGetBoxType(reader->decoder, reader->box_type, JXL_TRUE) != JXL_DEC_SUCCESS)
        return damaged();
    if (strcmp(reader->box_type, "Exif") != 0 && strcmp(reader->box_type, "xml ") != 0) {
        reader->box_type[0] = '\0';
        return STATUS_OK;
    }
    reader->box = (ImageBlock){malloc(BOX_BYTES), BOX_BYTES};
    if (!reader->box.data)
        return jxl_no_memory("decode");
    return JxlDecoderSetBoxBuffer(reader->decoder, reader->box.data, reader->box.size) == JXL_DEC_SUCCESS ? STATUS_OK
                                                                                                          : damaged();
}

static Status grow_box(Reader *reader) {
    const size_t left = JxlDecoderReleaseBoxBuffer(reader->decoder), used = reader->box.size - left;
    if (reader->box.size >= BOX_MAX)
        return fail(STATUS_INPUT, "a JPEG XL with metadata of more than 8 MiB");
    unsigned char *grown = realloc(reader->box.data, 2 * reader->box.size);
    if (!grown)
        return jxl_no_memory("decode");
    reader->box = (ImageBlock){grown, 2 * reader->box.size};
    return JxlDecoderSetBoxBuffer(reader->decoder, grown + used, reader->box.size - used) == JXL_DEC_SUCCESS
               ? STATUS_OK
               : damaged();
}

/* ---- events ---- */

/* Behind the last frame the decoder wants to be told that the file ends, since the last box may have no end. Told so
 * before, it calls a file that ends early damaged. */
static Status end_input(Reader *reader) {
    if (!reader->complete || reader->closed)
        return ends_early();
    reader->closed = true;
    JxlDecoderCloseInput(reader->decoder);
    return STATUS_OK;
}

static Status step(Reader *reader, JxlDecoderStatus event) {
    TRY(decoding_goes_on());
    switch ((int)event) {
    case JXL_DEC_COLOR_ENCODING:
        return read_profile(reader);
    case JXL_DEC_FRAME:
        return begin_frame(reader);
    case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
        return give_room(reader);
    case JXL_DEC_BOX:
        return begin_box(reader);
    case JXL_DEC_BOX_NEED_MORE_OUTPUT:
        return grow_box(reader);
    case JXL_DEC_FULL_IMAGE:
        return end_frame(reader);
    case JXL_DEC_NEED_MORE_INPUT:
        return end_input(reader);
    default:
        return reader->closed ? ends_early() : damaged();
    }
}

static Status read_all(Reader *reader, Bytes file) {
    const int events = JXL_DEC_COLOR_ENCODING | JXL_DEC_FRAME | JXL_DEC_FULL_IMAGE | JXL_DEC_BOX;
    JxlDecoderStatus event;
    reader->decoder = JxlDecoderCreate(NULL);
    if (!reader->decoder)
        return jxl_no_memory("decode");
    TRY(image_create((Shape){1, 1, 1, PIXEL_U8}, &reader->about));
    if (JxlDecoderSubscribeEvents(reader->decoder, events) != JXL_DEC_SUCCESS ||
        JxlDecoderSetParallelRunner(reader->decoder, jxl_run_until_signal, NULL) != JXL_DEC_SUCCESS ||
        JxlDecoderSetDecompressBoxes(reader->decoder, JXL_TRUE) != JXL_DEC_SUCCESS ||
        JxlDecoderSetUnpremultiplyAlpha(reader->decoder, stays_premultiplied(reader) ? JXL_FALSE : JXL_TRUE) !=
            JXL_DEC_SUCCESS ||
        JxlDecoderSetInput(reader->decoder, file.data, file.size) != JXL_DEC_SUCCESS)
        return damaged();
    while ((event = JxlDecoderProcessInput(reader->decoder)) != JXL_DEC_SUCCESS &&
           !(reader->closed && !reader->box_type[0])) /* behind the picture only boxes that are kept must be whole */
        TRY(step(reader, event));
    TRY(keep_box(reader));
    if (!reader->first || image_count(reader->first) != reader->measure.count)
        return damaged();
    const double seconds = reader->first->seconds;
    image_pass_on(reader->about, reader->first);
    for (Image *image = reader->first; image; image = image->next)
        image->premultiplied = stays_premultiplied(reader);
    reader->first->seconds = seconds;
    reader->first->plays = reader->info.have_animation ? reader->info.animation.num_loops : 0;
    return STATUS_OK;
}

static Status load_stream(Bytes file, Pages pages, Image **image) {
    Input input = input_of(file);
    Reader reader = {.black = -1, .measure = {.pages = pages, .count = 1}};
    *image = NULL;
    reader.end = &reader.first;
    TRY(measure_info(&input, &reader.measure, &reader.info));
    reader.shape = reader.measure.shape;
    reader.format = jxl_format_of(reader.shape);
    Bytes plain = {0};
    Status status = has_odd_boxes(&input, file.size) ? with_plain_boxes(file, file.size, &plain) : STATUS_OK;
    if (status == STATUS_OK)
        status = read_all(&reader, plain.data ? plain : file);
    JxlDecoderDestroy(reader.decoder);
    bytes_free(&plain);
    image_block_free(&reader.box);
    image_block_free(&reader.ink);
    icc_inks_close(&reader.inks);
    image_destroy(&reader.skipped);
    image_destroy(&reader.about);
    if (status != STATUS_OK)
        image_destroy(&reader.first);
    *image = reader.first;
    return status;
}

static Status load_gain_map(Bytes file, Image *image) {
    Input input = input_of(file);
    JxlGainMap found;
    Image *map = NULL;
    if (!jxl_gain_map_find(&input, &found))
        return STATUS_OK;
    const Bytes stream = {file.data + found.at, found.size};
    const Status status = found.size > 0 ? load_stream(stream, (Pages){.count = 1}, &map) : STATUS_INPUT;
    if (status == STATUS_DEVICE || status == STATUS_INTERRUPTED)
        return status;
    return gain_map_give(&map, &found.curve, image);
}

static Status load_call(void *context) {
    const Call *call = context;
    TRY(load_stream(call->bytes, call->pages, call->image));
    const Status status = load_gain_map(call->bytes, *call->image);
    if (status != STATUS_OK)
        image_destroy(call->image);
    return status;
}

Status jxl_load(Bytes file, Pages pages, Image **image) {
    return hushed(load_call, &(Call){.bytes = file, .pages = pages, .image = image});
}
#endif

static const Option own_options[] = {SAVE_QUALITY, SAVE_LOSSLESS, SAVE_EFFORT, SAVE_BYTES};

const Format format_jxl = {
    .name = "jxl",
    .title = "JPEG XL",
    .extensions = "jxl",
    .options = {OPTION_ROWS(own_options)},
    .recognize = jxl_recognize,
#ifdef GLINT_WITH_JXL
    .remark = "frames; u8 lossy, or --lossless",
    .reads = U8 | U16 | F32,
    .writes = U8 | U16 | F32,
    .side_max = 1 << 30,
    .holds = EXTRA_PROFILE | EXTRA_EXIF | EXTRA_XMP | EXTRA_TIMES | EXTRA_RESOLUTION | EXTRA_GAIN_MAP,
    .measure = jxl_measure,
    .load_pages = jxl_load,
    .saves_several = true,
    .save = jxl_save,
    /* libjxl 0.7 holds noise in a form of its own, twice as large as that of photographs. It reads floats back, too. */
    .working = {52, {8, 0, 0}, 12},
    .working_exact = {30, {15, 19, 22}, 8},
#else
    .lacks = "libjxl",
#endif
};
