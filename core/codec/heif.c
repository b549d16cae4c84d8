/* heif.c: HEIF and AVIF read through libheif: the primary picture, turned as its file says. */
#include "core/codec/formats.h"

#include "core/codec/boxes.h"

/* By the major brand, or one of those that the file is compatible with. */
static bool has_brand(Bytes head, const char *const *brands, size_t count) {
    Input input = input_of(head);
    Box box;
    if (!box_at(&input, 0, SIZE_MAX, &box) || memcmp(box.type, "ftyp", 4) != 0)
        return false;
    for (size_t at = box.data; at + 4 <= box.end && at + 4 <= head.size; at += at == box.data ? 8 : 4)
        for (size_t i = 0; i < count; i++)
            if (memcmp(head.data + at, brands[i], 4) == 0)
                return true;
    return false;
}

static bool avif_recognize(Bytes head) {
    static const char *const brands[] = {"avif", "avis"};
    return has_brand(head, brands, sizeof brands / sizeof *brands);
}

static bool heif_recognize(Bytes head) {
    static const char *const brands[] = {"heic", "heix", "hevc", "hevx", "heim",
                                         "heis", "mif1", "mif2", "msf1", "miaf"};
    return has_brand(head, brands, sizeof brands / sizeof *brands);
}

#ifdef GLINT_WITH_HEIF
#    include "core/base/memory.h"
#    include "core/codec/apple_gain_map.h"
#    include "core/codec/heif.h"
#    include "core/codec/heif_boxes.h"
#    include "core/codec/heif_sizes.h"
#    include "core/codec/hush.h"

#    include <libheif/heif.h>
#    include <stdlib.h>

enum { DECODER_BYTES = 16 << 20, COPIES = 4 /* of the picture that the library and its decoders hold */ };

typedef struct Reader {
    Input *file;
    size_t at;
    HeifBoxes boxes;
    struct heif_context *context;
    struct heif_image_handle *handle; /* of the primary picture */
    struct heif_image_handle *map;    /* of its gain map, or NULL */
    heif_item_id map_id;
    double headroom; /* of a map of Apple's; 0: it is one of ISO 21496-1 */
    bool is_listed;  /* the map, among the pictures that do not belong to others */
} Reader;

/* ---- the library's callbacks ---- */

static int64_t on_position(void *user) {
    return (int64_t)((Reader *)user)->at;
}

static int on_read(void *to, size_t size, void *user) {
    Reader *reader = user;
    if (size > 0 && !input_peek(reader->file, reader->at, to, size))
        return -1;
    for (size_t i = 0; i < reader->boxes.count; i++)
        if (reader->boxes.patches[i] - reader->at < size)
            ((unsigned char *)to)[reader->boxes.patches[i] - reader->at] = 0;
    reader->at += size;
    return 0;
}

static int on_seek(int64_t at, void *user) {
    ((Reader *)user)->at = (size_t)at;
    return 0;
}

static enum heif_reader_grow_status on_wait(int64_t size, void *user) {
    return (size_t)size <= ((Reader *)user)->file->size ? heif_reader_grow_status_size_reached
                                                        : heif_reader_grow_status_size_beyond_eof;
}

static const struct heif_reader functions = {1, on_position, on_read, on_seek, on_wait};

/* ---- reading ---- */

static Status refused(struct heif_error error) {
    if (error.code == heif_error_Memory_allocation_error && error.subcode != heif_suberror_Security_limit_exceeded)
        return fail(STATUS_DEVICE, "no memory to decode HEIF");
    if (error.subcode == heif_suberror_End_of_data)
        return file_ends_early("HEIF");
    const char *message = error.message ? error.message : "it cannot be decoded";
    return fail(STATUS_INPUT, "damaged HEIF: %.*s", (int)strcspn(message, "\n"), message);
}

static Shape shape_of(const struct heif_image_handle *handle) {
    const int width = heif_image_handle_get_width(handle), height = heif_image_handle_get_height(handle);
    const int bits = heif_image_handle_get_luma_bits_per_pixel(handle);
    const bool alpha = heif_image_handle_has_alpha_channel(handle);
    return (Shape){width > 0 ? (size_t)width : 0, height > 0 ? (size_t)height : 0, alpha ? 4 : 3,
                   bits > 8 ? PIXEL_U16 : PIXEL_U8};
}

static Status open_heif(Reader *reader) {
    reader->boxes = heif_boxes(reader->file);
    if (!reader->boxes.still && reader->boxes.extras & EXTRA_FRAMES)
        return fail(STATUS_INPUT, "a sequence of HEIF or AVIF without a still picture; want one with it");
    reader->context = heif_context_alloc();
    if (!reader->context)
        return fail(STATUS_DEVICE, "no memory to decode HEIF");
    struct heif_error error = heif_context_read_from_reader(reader->context, &functions, reader, NULL);
    if (error.code == heif_error_Ok)
        error = heif_context_get_primary_image_handle(reader->context, &reader->handle);
    return error.code == heif_error_Ok ? STATUS_OK : refused(error);
}

static void close_heif(Reader *reader) {
    if (reader->map)
        heif_image_handle_release(reader->map);
    if (reader->handle)
        heif_image_handle_release(reader->handle);
    if (reader->context)
        heif_context_free(reader->context);
}

/* Further pictures; gain maps, depths and others that belong to the primary one, but for its alpha. */
static unsigned find_others(const Reader *reader) {
    const int listed = heif_context_get_number_of_top_level_images(reader->context);
    const int auxiliary =
        heif_image_handle_get_number_of_auxiliary_images(reader->handle, LIBHEIF_AUX_IMAGE_FILTER_OMIT_ALPHA);
    const bool told = reader->map && !reader->is_listed, lost = reader->boxes.map.id > 0 && !reader->map;
    return (listed > 1 + reader->is_listed ? EXTRA_FRAMES : 0u) | (auxiliary > told || lost ? EXTRA_BESIDE : 0u);
}

/* ---- the gain map ---- */

static Status read_block(const struct heif_image_handle *handle, const char *type,
                         Status (*set)(ImageBlock *block, const unsigned char *data, size_t size), ImageBlock *block);

static Status set_xmp(ImageBlock *block, const unsigned char *data, size_t size) {
    return image_block_set(block, data, size);
}

/* By the map's own XMP, or by the maker's notes of the picture; 0 where neither says it. */
static Status find_headroom(const Reader *reader, const struct heif_image_handle *map, double *headroom) {
    ImageBlock exif = {0}, xmp = {0};
    Status status = read_block(map, "mime", set_xmp, &xmp);
    if (status == STATUS_OK)
        status = read_block(reader->handle, "Exif", exif_set, &exif);
    *headroom = apple_headroom_of_xmp(xmp);
    if (!apple_headroom_is_sound(*headroom))
        *headroom = apple_headroom_of_exif(exif);
    image_block_free(&exif);
    image_block_free(&xmp);
    return status;
}

static bool is_apples(const struct heif_image_handle *handle) {
    const char *type = NULL;
    if (heif_image_handle_get_auxiliary_type(handle, &type).code != heif_error_Ok || !type)
        return false;
    const bool is = strcmp(type, APPLE_GAIN_MAP) == 0;
    heif_image_handle_free_auxiliary_types(handle, &type);
    return is;
}

/* Takes the auxiliary picture for the map, if ISO 21496-1 says so. Where the file says nothing by it, the map is one of
 * Apple's whose headroom is known. */
static Status try_auxiliary(Reader *reader, heif_item_id id) {
    struct heif_image_handle *handle;
    double headroom = 0;
    Status status = STATUS_OK;
    if (heif_image_handle_get_auxiliary_image_handle(reader->handle, id, &handle).code != heif_error_Ok)
        return STATUS_OK;
    bool is_map = reader->boxes.map.id == id;
    if (reader->boxes.map.id == 0 && is_apples(handle)) {
        status = find_headroom(reader, handle, &headroom);
        is_map = apple_headroom_is_sound(headroom);
    }
    if (status != STATUS_OK || !is_map) {
        heif_image_handle_release(handle);
        return status;
    }
    reader->map = handle;
    reader->map_id = id;
    reader->headroom = headroom;
    return STATUS_OK;
}

/* Opens the gain map, if there is one whose values mean something. */
static Status open_map(Reader *reader) {
    enum { MOST = 16 };
    heif_item_id ids[MOST];
    reader->map_id = (heif_item_id)reader->boxes.map.id;
    if (reader->map_id > 0)
        reader->is_listed =
            heif_context_get_image_handle(reader->context, reader->map_id, &reader->map).code == heif_error_Ok;
    if (!reader->is_listed)
        reader->map = NULL;
    const int count = heif_image_handle_get_list_of_auxiliary_image_IDs(reader->handle,
                                                                        LIBHEIF_AUX_IMAGE_FILTER_OMIT_ALPHA, ids, MOST);
    for (int i = 0; i < count && !reader->map; i++)
        TRY(try_auxiliary(reader, ids[i]));
    return STATUS_OK;
}

/* The shape that the map's pixels are decoded to, from RGB: gray where the item says that it is. */
static Shape map_shape(const Reader *reader) {
    Shape shape = shape_of(reader->map);
    shape.channels = reader->headroom > 0 || heif_item_channels(reader->file, reader->map_id) == 1 ? 1 : 3;
    return shape;
}

/* A map that cannot be used counts as lost (EXTRA_BESIDE). */
static void measure_map(const Reader *reader, Measure *measure) {
    if (!reader->map || shape_check(shape_of(reader->map)) != STATUS_OK)
        return;
    const Shape shape = map_shape(reader);
    measure->gain_map = reader->headroom > 0 ? shape_with_type(shape, PIXEL_F32) : gain_map_shape(shape);
    const size_t pixels = memory_sum(shape_bytes(shape_of(reader->map)), shape_bytes(shape));
    measure->further =
        memory_sum(measure->further, memory_sum(pixels, memory_product(2, shape_bytes(measure->gain_map))));
}

/* ---- the header ---- */

/* By the larger of the boxes' size and the coded one. */
static size_t decoder_bytes(Input *file, Shape shape) {
    const size_t said = memory_product(shape.width, shape.height), coded = heif_coded_pixels(file);
    const size_t pixel = 4 * pixel_type_size(shape.type);
    return memory_sum(DECODER_BYTES, memory_product(COPIES * pixel, said > coded ? said : coded));
}

static Status heif_measure(Input *file, Measure *measure) {
    Reader reader = {.file = file};
    Status status = open_heif(&reader);
    if (status == STATUS_OK)
        status = open_map(&reader);
    if (status == STATUS_OK) {
        measure->shape = shape_of(reader.handle);
        measure->orientation = reader.boxes.orientation; /* Exif and XMP tell of the changes made to the picture */
        measure->working = decoder_bytes(file, measure->shape);
        measure->extras = reader.boxes.extras | find_others(&reader);
        measure_map(&reader, measure);
    }
    close_heif(&reader);
    return status;
}

/* The first block of metadata of a type. */
static Status read_block(const struct heif_image_handle *handle, const char *type,
                         Status (*set)(ImageBlock *block, const unsigned char *data, size_t size), ImageBlock *block) {
    heif_item_id id;
    if (heif_image_handle_get_list_of_metadata_block_IDs(handle, type, &id, 1) < 1)
        return STATUS_OK;
    const size_t size = heif_image_handle_get_metadata_size(handle, id);
    unsigned char *data = malloc(size + 1);
    if (!data)
        return fail(STATUS_DEVICE, "no memory to decode HEIF");
    Status status = STATUS_OK;
    if (size > 0 && heif_image_handle_get_metadata(handle, id, data).code == heif_error_Ok)
        status = set(block, data, size);
    free(data);
    return status;
}

static Status read_profile(const Reader *reader, Image *image) {
    const enum heif_color_profile_type type = heif_image_handle_get_color_profile_type(reader->handle);
    struct heif_color_profile_nclx *nclx = NULL;
    const bool known = type == heif_color_profile_type_nclx &&
                       heif_image_handle_get_nclx_color_profile(reader->handle, &nclx).code == heif_error_Ok && nclx;
    if (known && (nclx->color_primaries > heif_color_primaries_unspecified || /* wider than BT.709 */
                  nclx->transfer_characteristics >= heif_transfer_characteristic_ITU_R_BT_2100_0_PQ))
        image->extras |= EXTRA_CICP;
    if (nclx) /* also where its values are unknown */
        heif_nclx_color_profile_free(nclx);
    const size_t size = heif_image_handle_get_raw_color_profile_size(reader->handle);
    if (size == 0)
        return STATUS_OK;
    image->profile = malloc(size);
    if (!image->profile)
        return fail(STATUS_DEVICE, "no memory to decode HEIF");
    image->profile_size = size;
    const struct heif_error error = heif_image_handle_get_raw_color_profile(reader->handle, image->profile);
    return error.code == heif_error_Ok ? STATUS_OK : refused(error);
}

/* Values of `bits` bits to all of 16. */
static void widen(ImageView view, int bits) {
    for (size_t y = 0; y < view.shape.height; y++) {
        uint16_t *row = view_row(view, y);
        for (size_t i = 0; i < view.shape.width * (size_t)view.shape.channels; i++)
            row[i] = heif_widen(row[i], bits);
    }
}

/* Divides colours by alpha, by which the file has multiplied them. Where it is 0 they stay. */
static void divide(ImageView view) {
    const double white = pixel_type_white(view.shape.type);
    for (size_t y = 0; y < view.shape.height; y++)
        for (size_t x = 0; x < view.shape.width; x++) {
            const double alpha = view_value(view, x, y, 3);
            for (int c = 0; c < 3 && alpha > 0; c++)
                view_set_value(view, x, y, c, view_value(view, x, y, c) * white / alpha);
        }
}

static Status take(const struct heif_image *from, Image *image) {
    int stride = 0;
    const uint8_t *plane = heif_image_get_plane_readonly(from, heif_channel_interleaved, &stride);
    const Shape shape = image->view.shape;
    if (!plane || heif_image_get_width(from, heif_channel_interleaved) != (int)shape.width ||
        heif_image_get_height(from, heif_channel_interleaved) != (int)shape.height)
        return fail(STATUS_INPUT, "damaged HEIF: its picture is not as large as it says");
    for (size_t y = 0; y < shape.height; y++)
        memcpy(view_row(image->view, y), plane + y * (size_t)stride, shape_row_bytes(shape));
    const int bits = heif_image_get_bits_per_pixel_range(from, heif_channel_interleaved);
    if (shape.type == PIXEL_U16 && bits > 8 && bits < 16)
        widen(image->view, bits);
    return STATUS_OK;
}

static Status decode_pixels(const struct heif_image_handle *handle, Image *image) {
    static const enum heif_chroma chromas[2][2] = {
        {heif_chroma_interleaved_RGB, heif_chroma_interleaved_RGBA},
        {heif_chroma_interleaved_RRGGBB_LE, heif_chroma_interleaved_RRGGBBAA_LE}};
    const Shape shape = image->view.shape;
    struct heif_image *decoded = NULL;
    TRY(decoding_goes_on());
    struct heif_decoding_options *options = heif_decoding_options_alloc();
    if (!options)
        return fail(STATUS_DEVICE, "no memory to decode HEIF");
    options->strict_decoding = 1;
    const struct heif_error error = heif_decode_image(handle, &decoded, heif_colorspace_RGB,
                                                      chromas[shape.type == PIXEL_U16][shape.channels == 4], options);
    heif_decoding_options_free(options);
    if (error.code != heif_error_Ok)
        return refused(error);
    const Status status = take(decoded, image);
    heif_image_release(decoded);
    return status;
}

/* Without all that is not pixels, in RGB. */
static Status decode_map(const Reader *reader, Image **map) {
    const Shape wanted = map_shape(reader);
    Image *gray;
    Shape shape = wanted;
    shape.channels = shape_of(reader->map).channels;
    TRY(image_create(shape, map));
    const Status status = decode_pixels(reader->map, *map);
    if (status != STATUS_OK || wanted.channels > 1)
        return status;
    TRY(image_create_unfilled(wanted, &gray));
    for (size_t y = 0; y < wanted.height; y++)
        for (size_t x = 0; x < wanted.width; x++)
            view_set_value(gray->view, x, y, 0, view_value((*map)->view, x, y, 0));
    image_destroy(map);
    *map = gray;
    return STATUS_OK;
}

static Status load_map(const Reader *reader, Image *image) {
    GainCurve curve = reader->boxes.map.curve;
    Image *map = NULL;
    if (!reader->map)
        return STATUS_OK;
    Status status = decode_map(reader, &map);
    if (status == STATUS_OK && reader->headroom > 0)
        status = apple_gain_map_make(reader->headroom, &map, &curve);
    if (status != STATUS_OK)
        image_destroy(&map);
    if (status == STATUS_DEVICE || status == STATUS_INTERRUPTED)
        return status;
    return gain_map_give(&map, &curve, image);
}

static Status decode(const Reader *reader, Image *image) {
    const Shape shape = image->view.shape;
    TRY(decode_pixels(reader->handle, image));
    if (shape.channels == 4 && heif_image_handle_is_premultiplied_alpha(reader->handle))
        divide(image->view);
    TRY(read_profile(reader, image));
    TRY(read_block(reader->handle, "Exif", exif_set, &image->exif));
    TRY(read_block(reader->handle, "mime", set_xmp, &image->xmp));
    return load_map(reader, image);
}

typedef struct Call {
    Bytes file;
    Image **image;
} Call;

static Status load_call(void *context) {
    const Call *call = context;
    Image **image = call->image;
    Input input = input_of(call->file);
    Reader reader = {.file = &input};
    *image = NULL;
    Status status = open_heif(&reader);
    if (status == STATUS_OK)
        status = open_map(&reader);
    if (status == STATUS_OK)
        status = image_create(shape_of(reader.handle), image);
    if (status == STATUS_OK)
        status = decode(&reader, *image);
    close_heif(&reader);
    if (status != STATUS_OK)
        image_destroy(image);
    return status;
}

/* Decoders of both kinds print where they find damage. */
static Status heif_load(Bytes file, Image **image) {
    return hushed(load_call, &(Call){file, image});
}
#endif

static const Option own_options[] = {
    SAVE_QUALITY,
    SAVE_SAMPLING,
    SAVE_LOSSLESS,
    {.name = "depth",
     .value = "auto|8|10|12",
     .help = "bits of a value (auto: 8; of u16 10, or 12)",
     .kind = OPTION_CHOICE},
    SAVE_EFFORT,
    SAVE_BYTES,
};

#ifdef GLINT_WITH_HEIF
enum { HEIF_SIDE = 16384, AVIF_SIDE = 32768 /* as libheif reads them */ };
#    define HOLDS  (EXTRA_PROFILE | EXTRA_EXIF | EXTRA_XMP | EXTRA_RESOLUTION)
#    define SHAPES (U8X3 | U8X4 | U16X3 | U16X4)
#endif

const Format format_heif = {
    .name = "heic",
    .title = "HEIF",
    .extensions = "heic heif",
    .options = {OPTION_ROWS(own_options)},
    .recognize = heif_recognize,
#ifdef GLINT_WITH_HEIF
    .remark = "the primary picture; of u16 10 or 12 bits",
    .reads = SHAPES,
    .writes = SHAPES,
    .side_max = HEIF_SIDE,
    .holds = HOLDS,
    .measure = heif_measure,
    .load = heif_load,
    .save = heif_save,
    .working = {60, {4, 14, 0}, 8}, /* x265 3.5 */
    .working_exact = {72, {4, 14, 0}, 8},
#else
    .lacks = "libheif",
#endif
};

const Format format_avif = {
    .name = "avif",
    .title = "AVIF",
    .extensions = "avif",
    .options = {OPTION_ROWS(own_options)},
    .recognize = avif_recognize,
#ifdef GLINT_WITH_HEIF
    .remark = "the primary picture; of u16 10 or 12 bits",
    .reads = SHAPES,
    .writes = SHAPES,
    .side_max = AVIF_SIDE,
    .holds = HOLDS,
    .measure = heif_measure,
    .load = heif_load,
    .save = avif_save,
    .working = {72, {4, 14, 0}, 8}, /* libaom 3.6 */
    .working_exact = {72, {4, 14, 0}, 8},
#else
    .lacks = "libheif",
#endif
};
