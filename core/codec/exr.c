/* exr.c: OpenEXR through its C library. The channels R, G, B and A are the picture, or Y and A, or one that is alone;
 * others are not kept. The picture is the data window. Its colours are multiplied by alpha. */
#include "core/codec/exr.h"
#include "core/codec/formats.h"

static bool exr_recognize(Bytes head) {
    return head.size >= 8 && memcmp(head.data, "\x76\x2F\x31\x01", 4) == 0;
}

#ifdef GLINT_WITH_EXR
#    include "core/base/memory.h"
#    include "core/codec/half.h"
#    include "core/image/opaque.h"

#    include <math.h>
#    include <openexr.h>
#    include <stdio.h>
#    include <stdlib.h>

enum {
    CHANNELS = 4,
    DECODER_BYTES = 1 << 20,
    ZIP_LEVEL = 4,
    NAME_MAX_BYTES = 255, /* OpenEXR File Layout, "Attribute Names" */
    CHANNELS_MAX = 1024,
    ATTRIBUTES_MAX = 1024, /* of a part */
    ALL_ATTRIBUTES_MAX = 1 << 14
};

typedef struct Exr {
    exr_context_t context;
    Input *in;       /* the file to read */
    Bytes out;       /* the file that is written */
    size_t capacity; /* of `out` */
    Shape shape;
    exr_attr_box2i_t window;
    const char *names[CHANNELS];                              /* the file's names of the picture's channels */
    bool tiled, half, premultiplied;                          /* premultiplied: of the values written */
    const ExrMore *more;                                      /* written besides the picture, or NULL */
    size_t row;                                               /* of the picture, where `block` begins */
    ImageView block;                                          /* where the values of a chunk go, or come from */
    exr_result_t (*compress)(exr_encode_pipeline_t *encoder); /* the library's */
    unsigned extras;                                          /* of enum Extra */
    char reason[160];
} Exr;

/* ---- the library's callbacks ---- */

/* The file that this thread saves: the library reports errors of writing while it holds the lock that exr_get_user_data
 * waits for. */
static _Thread_local Exr *saved;

/* Whether this thread had no memory for the library since a file was opened. The library's own error for that is also
 * its error for damaged pixels. */
static _Thread_local bool memory_short;

static void *on_allocation(size_t bytes) {
    void *memory = malloc(bytes);
    memory_short |= !memory && bytes > 0;
    return memory;
}

static void on_error(exr_const_context_t context, exr_result_t code, const char *message) {
    (void)code;
    void *user = saved;
    if (!user && (exr_get_user_data(context, &user) != EXR_ERR_SUCCESS || !user))
        return;
    Exr *exr = user;
    if (!exr->reason[0])
        snprintf(exr->reason, sizeof exr->reason, "%s", message);
}

static int64_t on_read(exr_const_context_t context, void *user, void *to, uint64_t size, uint64_t at,
                       exr_stream_error_func_ptr_t error) {
    (void)context, (void)error;
    Exr *exr = user;
    const uint64_t left = at < exr->in->size ? exr->in->size - at : 0, count = size < left ? size : left;
    return input_peek(exr->in, at, to, count) ? (int64_t)count : 0;
}

static int64_t on_write(exr_const_context_t context, void *user, const void *from, uint64_t size, uint64_t at,
                        exr_stream_error_func_ptr_t error) {
    (void)context, (void)error;
    Exr *exr = user;
    return bytes_put(&exr->out, &exr->capacity, at, from, size) ? (int64_t)size : -1;
}

static int64_t on_size(exr_const_context_t context, void *user) {
    (void)context;
    const Exr *exr = user;
    return exr->in->size < SIZE_MAX ? (int64_t)exr->in->size : -1;
}

/* STATUS_DEVICE if memory was short, which is all that can go wrong in writing; else the file is to blame. */
static Status failed(const Exr *exr) {
    if (memory_short || !exr->in)
        return fail(STATUS_DEVICE, "no memory to %s EXR", exr->in ? "decode" : "encode");
    if (strstr(exr->reason, "implemented"))
        return fail(STATUS_INPUT, "an EXR that OpenEXR's C library cannot decode: %s", exr->reason);
    return fail(STATUS_INPUT, "damaged EXR: %s", exr->reason[0] ? exr->reason : "it cannot be decoded");
}

#    define CHECK(exr, call)                                                                                           \
        do {                                                                                                           \
            if ((call) != EXR_ERR_SUCCESS)                                                                             \
                return failed(exr);                                                                                    \
        } while (0)

/* ---- reading ---- */

/* The picture's channel of this name, or -1. */
static int channel_of(const Exr *exr, const char *name) {
    for (int c = 0; c < exr->shape.channels; c++)
        if (strcmp(name, exr->names[c]) == 0)
            return c;
    return -1;
}

/* Chooses the channels that are the picture. */
static Status choose_channels(Exr *exr, const exr_attr_chlist_t *list) {
    static const char *const wanted[] = {"R", "G", "B", "A", "Y"};
    const char *found[5] = {NULL};
    for (int i = 0; i < list->num_channels; i++) {
        const exr_attr_chlist_entry_t *entry = &list->entries[i];
        for (int k = 0; k < 5; k++)
            if (strcmp(entry->name.str, wanted[k]) == 0)
                found[k] = entry->name.str;
        if (strcmp(entry->name.str, "RY") == 0 || strcmp(entry->name.str, "BY") == 0)
            return fail(STATUS_INPUT, "an EXR of luminance and chroma; RGB and luminance alone can be read");
    }
    const bool colour = found[0] && found[1] && found[2];
    const char *gray = found[4] ? found[4] : list->num_channels == 1 ? list->entries[0].name.str : NULL;
    if (!colour && !gray)
        return fail(STATUS_INPUT, "an EXR without channels R, G, B, or Y, or one alone");
    int count = colour ? 3 : 1;
    memcpy(exr->names, colour ? found : &gray, (size_t)count * sizeof *found);
    if (found[3] && found[3] != gray)
        exr->names[count++] = found[3];
    exr->shape.channels = count;
    exr->extras = list->num_channels > count ? EXTRA_CHANNELS : 0;
    for (int i = 0; i < list->num_channels; i++)
        if (channel_of(exr, list->entries[i].name.str) >= 0 &&
            (list->entries[i].x_sampling != 1 || list->entries[i].y_sampling != 1))
            return fail(STATUS_INPUT, "an EXR with subsampled colours; full ones can be read");
    return STATUS_OK;
}

/* Version 3.1 of the library decodes B44 channels that are not half to wrong values, 3.5 to right ones. */
static Status check_compression(Exr *exr, const exr_attr_chlist_t *list) {
    exr_compression_t compression;
    int major, minor, patch;
    const char *suffix;
    exr_get_library_version(&major, &minor, &patch, &suffix);
    if (major > 3 || (major == 3 && minor >= 5))
        return STATUS_OK;
    CHECK(exr, exr_get_compression(exr->context, 0, &compression));
    for (int i = 0; i < list->num_channels; i++)
        if ((compression == EXR_COMPRESSION_B44 || compression == EXR_COMPRESSION_B44A) &&
            list->entries[i].pixel_type != EXR_PIXEL_HALF)
            return fail(STATUS_INPUT, "an EXR of B44 with channels of 32 bits, which OpenEXR's C library decodes "
                                      "wrongly; half ones can be read");
    return STATUS_OK;
}

/* The bits of enum Extra for the header: its primaries, unless they are EXR's default; its texts; and a canvas that
 * differs from the picture. */
static unsigned find_extras(const Exr *exr) {
    static const char *const texts[] = {"comments", "owner", "capDate"};
    static const float standard[] = {0.64F, 0.33F, 0.30F, 0.60F, 0.15F, 0.06F, 0.3127F, 0.3290F};
    exr_attr_chromaticities_t found;
    exr_attr_box2i_t canvas;
    const exr_attribute_t *attribute;
    unsigned extras = 0;
    if (exr_attr_get_chromaticities(exr->context, 0, "chromaticities", &found) == EXR_ERR_SUCCESS) {
        const float values[] = {found.red_x,  found.red_y,  found.green_x, found.green_y,
                                found.blue_x, found.blue_y, found.white_x, found.white_y};
        for (size_t i = 0; i < sizeof values / sizeof *values; i++)
            extras |= fabsf(values[i] - standard[i]) < 1e-4F ? 0u : EXTRA_GAMMA;
    }
    if (exr_get_display_window(exr->context, 0, &canvas) == EXR_ERR_SUCCESS &&
        memcmp(&canvas, &exr->window, sizeof canvas) != 0)
        extras |= EXTRA_PLACE;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (exr_get_attribute_by_name(exr->context, 0, texts[i], &attribute) == EXR_ERR_SUCCESS)
            extras |= EXTRA_TEXT;
    return extras;
}

static Status read_header(Exr *exr) {
    exr_storage_t storage;
    const exr_attr_chlist_t *list = NULL;
    int parts = 0;
    CHECK(exr, exr_get_storage(exr->context, 0, &storage));
    CHECK(exr, exr_get_data_window(exr->context, 0, &exr->window));
    CHECK(exr, exr_get_channels(exr->context, 0, &list));
    CHECK(exr, exr_get_count(exr->context, &parts));
    if (storage != EXR_STORAGE_SCANLINE && storage != EXR_STORAGE_TILED)
        return fail(STATUS_INPUT, "an EXR of deep pixels; flat ones can be read");
    const int64_t width = (int64_t)exr->window.max.x - exr->window.min.x + 1,
                  height = (int64_t)exr->window.max.y - exr->window.min.y + 1;
    if (width < 1 || height < 1)
        return fail(STATUS_INPUT, "damaged EXR: an empty data window");
    exr->tiled = storage == EXR_STORAGE_TILED;
    if ((size_t)width > INT32_MAX / (CHANNELS * sizeof(float))) /* the library's strides have 32 bits */
        return fail(STATUS_INPUT, "an EXR of %zu pixels a row, more than can be read", (size_t)width);
    exr->shape = (Shape){(size_t)width, (size_t)height, 1, PIXEL_F32};
    TRY(choose_channels(exr, list));
    TRY(check_compression(exr, list));
    exr->extras |= find_extras(exr) | (parts > 1 ? EXTRA_FRAMES : 0u);
    exr->reason[0] = '\0'; /* missing attributes are no fault */
    return shape_check(exr->shape);
}

/* Moves behind the zero that ends a name. *length is 0 also where the file ends. */
static Status skip_name(Input *in, size_t *at, size_t *length) {
    char byte = 1;
    for (*length = 0; input_peek(in, *at, &byte, 1); ++*length) {
        ++*at;
        if (byte == 0)
            return STATUS_OK;
        if (*length == NAME_MAX_BYTES)
            return fail(STATUS_INPUT, "damaged EXR: a name of more than %d bytes", NAME_MAX_BYTES);
    }
    *length = 0;
    return STATUS_OK;
}

static Status check_channel_count(Input *in, size_t at, size_t end) {
    enum { CHANNEL_BYTES = 16 }; /* behind its name */
    size_t length = 1;
    for (int count = 0; at < end; count++, at += CHANNEL_BYTES) {
        TRY(skip_name(in, &at, &length));
        if (length == 0)
            break;
        if (count == CHANNELS_MAX)
            return fail(STATUS_INPUT, "an EXR of more than %d channels, which is not read", CHANNELS_MAX);
    }
    return STATUS_OK;
}

/* The attribute whose name ends at *at, which moves behind it. */
static Status check_attribute(Input *in, size_t *at) {
    static const char list[] = "chlist";
    char type[sizeof list];
    unsigned char bytes[4] = {0};
    size_t length;
    const bool channels = input_peek(in, *at, type, sizeof type) && memcmp(type, list, sizeof type) == 0;
    TRY(skip_name(in, at, &length));
    const size_t size = input_peek(in, *at, bytes, sizeof bytes) ? u32_at((Bytes){bytes, 4}, 0) : 0;
    *at += sizeof bytes + size;
    return channels ? check_channel_count(in, *at - size, *at) : STATUS_OK;
}

/* The library sorts names into lists that it walks through from their beginnings: many of them take minutes. Damage is
 * its concern. */
static Status check_header(Input *in) {
    unsigned char version[4] = {0};
    size_t at = 4, length = 1;
    int all = 0;
    if (!input_peek(in, at, version, sizeof version))
        return STATUS_OK;
    const bool parts = version[1] & 0x10;
    at += sizeof version;
    for (bool more = true; more;) { /* headers, of which an empty one is the last where there may be several */
        int count = 0;
        TRY(skip_name(in, &at, &length));
        for (; length > 0; count++, all++) {
            if (count == ATTRIBUTES_MAX || all == ALL_ATTRIBUTES_MAX)
                return fail(STATUS_INPUT, "an EXR of more than %d attributes%s, which is not read",
                            count == ATTRIBUTES_MAX ? count : all, count == ATTRIBUTES_MAX ? " in a part" : "");
            TRY(check_attribute(in, &at));
            TRY(skip_name(in, &at, &length));
        }
        more = parts && count > 0;
    }
    return STATUS_OK;
}

static Status open_exr(Exr *exr) {
    TRY(check_header(exr->in));
    exr_context_initializer_t initializer = EXR_DEFAULT_CONTEXT_INITIALIZER;
    memory_short = false;
    initializer.alloc_fn = on_allocation;
    initializer.free_fn = free;
    initializer.error_handler_fn = on_error;
    initializer.user_data = exr;
    initializer.read_fn = on_read;
    initializer.size_fn = on_size;
    CHECK(exr, exr_start_read(&exr->context, "picture", &initializer));
    return read_header(exr);
}

static float value_at(const unsigned char *at, const exr_coding_channel_info_t *channel) {
    const uint32_t low = (uint32_t)at[0] | (uint32_t)at[1] << 8;
    if (channel->data_type == EXR_PIXEL_HALF)
        return half_to_float((uint16_t)low);
    const uint32_t bits = low | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    float value;
    memcpy(&value, &bits, sizeof value);
    return channel->data_type == EXR_PIXEL_UINT ? (float)bits : value;
}

/* In the place of the library's, of whose ways one (3.1: four channels of half) takes a channel for another. In a
 * chunk, each row has its channels one behind the other, in little-endian values (OpenEXR File Layout). */
static exr_result_t unpack(exr_decode_pipeline_t *decoder) {
    const Exr *exr = decoder->decoding_user_data;
    const size_t channels = (size_t)exr->shape.channels;
    const unsigned char *from = decoder->unpacked_buffer, *const end = from + decoder->chunk.unpacked_size;
    for (int y = 0; y < decoder->chunk.height; y++)
        for (int i = 0; i < decoder->channel_count; i++) {
            const exr_coding_channel_info_t *channel = &decoder->channels[i];
            const int c = channel_of(exr, channel->channel_name);
            if ((decoder->chunk.start_y + y) % channel->y_samples != 0)
                continue;
            const size_t bytes = (size_t)channel->width * (size_t)channel->bytes_per_element;
            if (bytes > (size_t)(end - from)) /* the library counts rows of subsampled channels otherwise */
                return EXR_ERR_CORRUPT_CHUNK;
            float *to = (float *)view_row(exr->block, (size_t)y) + (c > 0 ? c : 0);
            for (int x = 0; c >= 0 && x < channel->width; x++)
                to[(size_t)x * channels] = value_at(from + (size_t)x * (size_t)channel->bytes_per_element, channel);
            from += bytes;
        }
    return EXR_ERR_SUCCESS;
}

/* Decodes a chunk to (x, y) of the picture. */
static Status read_chunk(Exr *exr, const exr_chunk_info_t *chunk, exr_decode_pipeline_t *decoder, ImageView to,
                         size_t x, size_t y) {
    TRY(decoding_goes_on());
    if (x + (size_t)chunk->width > exr->shape.width || y + (size_t)chunk->height > exr->shape.height)
        return fail(STATUS_INPUT, "damaged EXR: a block reaches beyond the picture");
    CHECK(exr, decoder->channels ? exr_decoding_update(exr->context, 0, chunk, decoder)
                                 : exr_decoding_initialize(exr->context, 0, chunk, decoder));
    exr->block = view_crop(to, x, y, (size_t)chunk->width, (size_t)chunk->height);
    for (int i = 0; i < decoder->channel_count; i++) {
        exr_coding_channel_info_t *channel = &decoder->channels[i];
        const int c = channel_of(exr, channel->channel_name);
        channel->decode_to_ptr = c >= 0 ? (uint8_t *)exr->block.pixels + (size_t)c * sizeof(float) : NULL;
        channel->user_bytes_per_element = sizeof(float);
        channel->user_data_type = EXR_PIXEL_FLOAT;
        channel->user_pixel_stride = (int32_t)(sizeof(float) * (size_t)exr->shape.channels);
        channel->user_line_stride = (int32_t)to.stride;
    }
    CHECK(exr, exr_decoding_choose_default_routines(exr->context, 0, decoder));
    decoder->decoding_user_data = exr;
    if (decoder->unpack_and_convert_fn) /* not where values are read to where they belong */
        decoder->unpack_and_convert_fn = unpack;
    CHECK(exr, exr_decoding_run(exr->context, 0, decoder));
    return STATUS_OK;
}

static Status read_lines(Exr *exr, exr_decode_pipeline_t *decoder, ImageView to) {
    int32_t lines = 1;
    CHECK(exr, exr_get_scanlines_per_chunk(exr->context, 0, &lines));
    for (size_t y = 0; y < exr->shape.height; y += (size_t)lines) {
        exr_chunk_info_t chunk;
        CHECK(exr, exr_read_scanline_chunk_info(exr->context, 0, exr->window.min.y + (int)y, &chunk));
        TRY(read_chunk(exr, &chunk, decoder, to, 0, y));
    }
    return STATUS_OK;
}

static Status read_tiles(Exr *exr, exr_decode_pipeline_t *decoder, ImageView to) {
    uint32_t wide = 0, high = 0;
    exr_tile_level_mode_t levels;
    exr_tile_round_mode_t rounding;
    CHECK(exr, exr_get_tile_descriptor(exr->context, 0, &wide, &high, &levels, &rounding));
    if (wide == 0 || high == 0)
        return fail(STATUS_INPUT, "damaged EXR: tiles without a size");
    for (size_t y = 0; y < exr->shape.height; y += high)
        for (size_t x = 0; x < exr->shape.width; x += wide) {
            exr_chunk_info_t chunk;
            CHECK(exr, exr_read_tile_chunk_info(exr->context, 0, (int)(x / wide), (int)(y / high), 0, 0, &chunk));
            TRY(read_chunk(exr, &chunk, decoder, to, x, y));
        }
    return STATUS_OK;
}

static Status exr_measure(Input *file, Measure *measure) {
    Exr exr = {.in = file};
    uint64_t block = 0;
    Status status = open_exr(&exr);
    if (status == STATUS_OK && exr_get_chunk_unpacked_size(exr.context, 0, &block) != EXR_ERR_SUCCESS)
        status = failed(&exr);
    if (status == STATUS_OK) {
        measure->shape = exr.shape;
        measure->premultiplied = shape_has_alpha(exr.shape);
        measure->working = memory_sum(DECODER_BYTES, memory_product(block, 4));
        measure->extras = exr.extras;
    }
    exr_finish(&exr.context);
    return status;
}

static Status exr_load(Bytes file, Image **image) {
    Input input = input_of(file);
    Exr exr = {.in = &input};
    exr_decode_pipeline_t decoder = EXR_DECODE_PIPELINE_INITIALIZER;
    *image = NULL;
    Status status = open_exr(&exr);
    if (status == STATUS_OK)
        status = image_create(exr.shape, image);
    if (status == STATUS_OK)
        status = (exr.tiled ? read_tiles : read_lines)(&exr, &decoder, (*image)->view);
    if (exr.context)
        exr_decoding_destroy(exr.context, &decoder);
    exr_finish(&exr.context);
    if (status == STATUS_OK)
        (*image)->premultiplied = shape_has_alpha(exr.shape);
    else
        image_destroy(image);
    return status;
}

/* ---- writing ---- */

static Status write_more(Exr *exr, int part) {
    for (size_t i = 0; i < exr->more->channel_count; i++)
        CHECK(exr, exr_add_channel(exr->context, part, exr->more->channels[i].name,
                                   exr->more->channels[i].whole ? EXR_PIXEL_UINT : EXR_PIXEL_FLOAT,
                                   EXR_PERCEPTUALLY_LINEAR, 1, 1));
    for (size_t i = 0; i < exr->more->text_count; i++)
        CHECK(exr, exr_attr_set_string(exr->context, part, exr->more->texts[i].name, exr->more->texts[i].text));
    return STATUS_OK;
}

static Status write_header(Exr *exr) {
    static const char *const names[CHANNELS + 1][CHANNELS] = {
        {NULL}, {"Y"}, {"Y", "A"}, {"R", "G", "B"}, {"R", "G", "B", "A"}};
    exr_context_initializer_t initializer = EXR_DEFAULT_CONTEXT_INITIALIZER;
    int part;
    initializer.error_handler_fn = on_error;
    initializer.user_data = exr;
    initializer.write_fn = on_write;
    initializer.zip_level = ZIP_LEVEL;
    CHECK(exr, exr_start_write(&exr->context, "picture", EXR_WRITE_FILE_DIRECTLY, &initializer));
    CHECK(exr, exr_add_part(exr->context, "picture", EXR_STORAGE_SCANLINE, &part));
    CHECK(exr, exr_initialize_required_attr_simple(exr->context, part, (int32_t)exr->shape.width,
                                                   (int32_t)exr->shape.height, EXR_COMPRESSION_ZIP));
    for (int c = 0; c < exr->shape.channels; c++) {
        exr->names[c] = names[exr->shape.channels][c];
        CHECK(exr, exr_add_channel(exr->context, part, exr->names[c], exr->half ? EXR_PIXEL_HALF : EXR_PIXEL_FLOAT,
                                   EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1));
    }
    if (exr->more)
        TRY(write_more(exr, part));
    CHECK(exr, exr_write_header(exr->context));
    return STATUS_OK;
}

/* Readers take a block with as many bytes as its values need for one that is not compressed. OpenEXR 3.1 also writes a
 * compressed one, if that happens to be as long. */
static exr_result_t compress(exr_encode_pipeline_t *encoder) {
    const Exr *exr = encoder->encoding_user_data;
    const exr_result_t result = exr->compress(encoder);
    if (result == EXR_ERR_SUCCESS && encoder->compressed_bytes == encoder->packed_bytes)
        memcpy(encoder->compressed_buffer, encoder->packed_buffer, encoder->packed_bytes);
    return result;
}

static void put_bits(unsigned char *to, uint32_t bits, size_t size) {
    for (size_t i = 0; i < size; i++)
        to[i] = (unsigned char)(bits >> 8 * i);
}

/* A row of the picture's channel c. */
static unsigned char *pack_colours(const Exr *exr, size_t y, int c, unsigned char *to) {
    const size_t channels = (size_t)exr->shape.channels, size = exr->half ? 2 : 4;
    const float *from = (const float *)view_row(exr->block, y) + c;
    for (size_t x = 0; x < exr->shape.width; x++, to += size) {
        uint32_t bits;
        memcpy(&bits, &from[x * channels], sizeof bits);
        put_bits(to, exr->half ? half_of_float(from[x * channels]) : bits, size);
    }
    return to;
}

/* A row of a channel besides the picture. */
static unsigned char *pack_more(const Exr *exr, size_t y, const char *name, unsigned char *to) {
    const ExrChannel *channel = exr->more->channels;
    while (strcmp(channel->name, name) != 0)
        channel++;
    const uint32_t *from = (const uint32_t *)channel->values + (exr->row + y) * exr->shape.width;
    for (size_t x = 0; x < exr->shape.width; x++, to += sizeof *from)
        put_bits(to, from[x], sizeof *from);
    return to;
}

/* Packs in the place of the library's function, as `unpack` unpacks. */
static exr_result_t pack(exr_encode_pipeline_t *encoder) {
    const Exr *exr = encoder->encoding_user_data;
    unsigned char *to = encoder->packed_buffer;
    for (size_t y = 0; y < exr->block.shape.height; y++)
        for (int i = 0; i < encoder->channel_count; i++) {
            const char *name = encoder->channels[i].channel_name;
            const int c = channel_of(exr, name);
            to = c >= 0 ? pack_colours(exr, y, c, to) : pack_more(exr, y, name, to);
        }
    encoder->packed_bytes = (size_t)(to - (unsigned char *)encoder->packed_buffer);
    return EXR_ERR_SUCCESS;
}

static Status write_chunk(Exr *exr, exr_encode_pipeline_t *encoder, ImageView rows, size_t y) {
    exr_chunk_info_t chunk;
    CHECK(exr, exr_write_scanline_chunk_info(exr->context, 0, (int)y, &chunk));
    CHECK(exr, encoder->channels ? exr_encoding_update(exr->context, 0, &chunk, encoder)
                                 : exr_encoding_initialize(exr->context, 0, &chunk, encoder));
    exr->block = rows;
    exr->row = y;
    for (int i = 0; i < encoder->channel_count; i++) { /* the library asks for these */
        exr_coding_channel_info_t *channel = &encoder->channels[i];
        channel->encode_from_ptr = rows.pixels;
        channel->user_bytes_per_element = sizeof(float);
        channel->user_data_type = EXR_PIXEL_FLOAT;
    }
    CHECK(exr, exr_encoding_choose_default_routines(exr->context, 0, encoder));
    exr->compress = encoder->compress_fn;
    encoder->encoding_user_data = exr;
    encoder->convert_and_pack_fn = pack;
    encoder->compress_fn = compress;
    CHECK(exr, exr_encoding_run(exr->context, 0, encoder));
    return STATUS_OK;
}

static Status write_rows(Exr *exr, exr_encode_pipeline_t *encoder, ImageView from, bool gives_up) {
    int32_t lines = 1;
    Image *rows = NULL;
    CHECK(exr, exr_get_scanlines_per_chunk(exr->context, 0, &lines));
    Shape shape = exr->shape;
    shape.height = (size_t)lines < shape.height ? (size_t)lines : shape.height;
    TRY(image_create(shape, &rows));
    Status status = STATUS_OK;
    for (size_t y = 0; y < from.shape.height && status == STATUS_OK; y += shape.height) {
        const size_t left = from.shape.height - y, count = left < shape.height ? left : shape.height;
        ImageView part = view_crop(rows->view, 0, 0, shape.width, count);
        view_copy(view_crop(from, 0, y, shape.width, count), part);
        if (!exr->premultiplied)
            view_premultiply(part);
        status = encoding_goes_on(gives_up);
        if (status == STATUS_OK)
            status = write_chunk(exr, encoder, part, y);
    }
    image_destroy(&rows);
    return status;
}

Status exr_save_with(const Image *image, const ExrMore *more, SaveOptions options, Bytes *file) {
    Exr exr = {.shape = image->view.shape,
               .half = save_value(&options, "half") != 0,
               .premultiplied = image->premultiplied,
               .more = more};
    exr_encode_pipeline_t encoder = EXR_ENCODE_PIPELINE_INITIALIZER;
    saved = &exr;
    Status status = write_header(&exr);
    if (status == STATUS_OK)
        status = write_rows(&exr, &encoder, image->view, options.gives_up);
    if (exr.context)
        exr_encoding_destroy(exr.context, &encoder);
    if (exr_finish(&exr.context) != EXR_ERR_SUCCESS && status == STATUS_OK)
        status = failed(&exr);
    saved = NULL;
    if (status != STATUS_OK)
        bytes_free(&exr.out);
    *file = exr.out;
    return status;
}

static Status exr_save(const Image *image, SaveOptions options, Bytes *file) {
    return exr_save_with(image, NULL, options, file);
}
#else
Status exr_save_with(const Image *image, const ExrMore *more, SaveOptions options, Bytes *file) {
    (void)image, (void)more, (void)options;
    *file = (Bytes){0};
    return fail(STATUS_USAGE, "this build lacks OpenEXR, which writes layers");
}
#endif

static const Option own_options[] = {{.name = "half", .help = "16 bits a value, not 32", .kind = OPTION_SWITCH}};

const Format format_exr = {
    .name = "exr",
    .title = "OpenEXR",
    .extensions = "exr",
    .options = {OPTION_ROWS(own_options)},
    .recognize = exr_recognize,
#ifdef GLINT_WITH_EXR
    .remark = "float, or --half; channels R G B A, Y A; not DWA",
    .reads = F32,
    .writes = F32,
    .side_max = INT32_MAX / 64,
    .measure = exr_measure,
    .load = exr_load,
    .save = exr_save,
#else
    .lacks = "OpenEXR",
#endif
};
