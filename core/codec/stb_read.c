/* stb_read.c: PSD (merged picture) and Softimage PIC through stb_image, behind a guard. The library reads on where a
 * file has ended, as if there were zeros, and takes as much memory as a header asks for. The guard therefore checks
 * headers before. Every byte that the library asks for and does not get refuses the file. The library's memory has a
 * quota and is zeroed; so are its automatic variables, by the compiler (CMakeLists.txt). */
#include "core/codec/formats.h"

#include "core/base/memory.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>

/* ---- memory ---- */

/* Before each block, on the boundary that malloc keeps. */
typedef union BlockHead {
    size_t size;
    max_align_t align;
} BlockHead;

static _Thread_local size_t quota;    /* bytes that are left of it */
static _Thread_local bool ran_out;    /* of memory: the file is not to blame */
static _Thread_local bool over_quota; /* the file needs more than a sound one */

static void *guarded_alloc(size_t size) {
    over_quota |= size > quota;
    BlockHead *head = size > quota ? NULL : calloc(1, sizeof *head + size);
    if (!head) {
        ran_out |= !over_quota;
        return NULL;
    }
    head->size = size;
    quota -= size;
    return head + 1;
}

static void guarded_free(void *memory) {
    if (!memory)
        return;
    BlockHead *head = (BlockHead *)memory - 1;
    quota += head->size;
    free(head);
}

#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PSD
#define STBI_ONLY_PIC
#define STBI_NO_STDIO
#define STBI_NO_SIMD
#define STBI_MALLOC(size)          guarded_alloc(size)
#define STBI_REALLOC(memory, size) NULL /* these two formats never do */
#define STBI_FREE(memory)          guarded_free(memory)
#include <stb_image.h>

/* ---- bytes ---- */

enum { REFILL = sizeof(((stbi__context *)0)->buffer_start) };

/* stb_image fills a buffer of its own ahead of need, by reads of REFILL bytes that may be short. All its other reads
 * want exactly the bytes that they ask for. */
typedef struct Guard {
    Bytes file;
    size_t at;
    const char *buffer; /* its own, which the first read goes to */
    bool missed;        /* it asked for bytes that the file does not have */
} Guard;

static int on_read(void *user, char *to, int size) {
    Guard *guard = user;
    const size_t left = interrupted() ? 0 : guard->file.size - guard->at; /* then the file has an end here */
    const size_t wanted = (size_t)size, count = wanted < left ? wanted : left;
    guard->buffer = guard->buffer ? guard->buffer : to;
    const bool refill = to == guard->buffer && wanted == REFILL;
    guard->missed |= refill ? left == 0 : left < wanted;
    if (count > 0)
        memcpy(to, guard->file.data + guard->at, count);
    guard->at += count;
    return (int)count;
}

static void on_skip(void *user, int size) {
    Guard *guard = user;
    const size_t left = guard->file.size - guard->at;
    guard->missed |= size < 0 || (size_t)size > left;
    guard->at += size > 0 && (size_t)size <= left ? (size_t)size : left;
}

static int on_eof(void *user) {
    const Guard *guard = user;
    return guard->at == guard->file.size;
}

static size_t be(Bytes file, size_t at, size_t count) {
    size_t value = 0;
    for (size_t i = 0; i < count; i++)
        value = value << 8 | file.data[at + i];
    return value;
}

/* The picture's channels are the first of those that come. */
static void take(ImageView to, const void *pixels, size_t channels) {
    const size_t value = pixel_type_size(to.shape.type), size = (size_t)to.shape.channels * value;
    for (size_t y = 0; y < to.shape.height; y++)
        for (size_t x = 0; x < to.shape.width; x++)
            memcpy((unsigned char *)view_row(to, y) + x * size,
                   (const unsigned char *)pixels + (y * to.shape.width + x) * channels * value, size);
}

static Status load(Bytes file, const char *title, const Measure *measure, Image **image) {
    static const stbi_io_callbacks callbacks = {on_read, on_skip, on_eof};
    const Shape shape = measure->shape;
    Guard guard = {.file = file};
    int width = 0, height = 0, channels = 0;
    quota = measure->working;
    ran_out = over_quota = false;
    void *pixels = shape.type == PIXEL_U16
                       ? (void *)stbi_load_16_from_callbacks(&callbacks, &guard, &width, &height, &channels, 4)
                       : (void *)stbi_load_from_callbacks(&callbacks, &guard, &width, &height, &channels, 4);
    Status status = STATUS_OK;
    if (interrupted())
        status = decoding_goes_on();
    else if (guard.missed)
        status = file_ends_early(title);
    else if (ran_out)
        status = fail(STATUS_DEVICE, "no memory to decode %s", title);
    else if (!pixels || (size_t)width != shape.width || (size_t)height != shape.height)
        status = fail(STATUS_INPUT, "damaged %s: %s", title, pixels ? "its headers differ" : stbi_failure_reason());
    if (status == STATUS_OK)
        status = image_create_unfilled(shape, image);
    if (status == STATUS_OK)
        take((*image)->view, pixels, 4);
    stbi_image_free(pixels);
    return status;
}

/* The most memory that stb_image takes: the picture in four channels, once more where it converts, and rows. */
static size_t working(Shape shape) {
    enum { ROWS = 1 << 16 };
    shape.channels = 4;
    return memory_sum(memory_product(shape_bytes(shape), 3), ROWS);
}

static Status check_size(const char *title, Shape shape) {
    return shape.width <= STBI_MAX_DIMENSIONS && shape.height <= STBI_MAX_DIMENSIONS &&
                   memory_product(shape.width, shape.height) <= INT_MAX / 16
               ? STATUS_OK
               : fail(STATUS_INPUT, "a %s of %zu x %zu pixels; up to 128 megapixels can be read", title, shape.width,
                      shape.height);
}

/* ---- PSD (Adobe Photoshop File Formats Specification) ---- */

enum { PSD_HEADER = 26, PSD_RGB = 3 };

static bool psd_recognize(Bytes head) {
    return head.size >= 6 && memcmp(head.data, "8BPS\0\1", 6) == 0;
}

/* Where a section behind the header begins: colours, resources, layers, the picture; each has its length before it. */
static bool find_section(Input *file, int number, size_t *at) {
    unsigned char length[4];
    *at = PSD_HEADER;
    for (int i = 0; i < number; i++) {
        if (!input_peek(file, *at, length, sizeof length))
            return false;
        *at += 4 + be((Bytes){length, 4}, 0, 4);
    }
    return true;
}

/* The bytes of all rows packed by PackBits: each has its number in the table at `at`. False if that ends early. */
static bool add_up_rows(Input *file, size_t at, size_t rows, size_t *bytes) {
    enum { AT_ONCE = 512 };
    unsigned char lengths[2 * AT_ONCE];
    *bytes = 2 * rows;
    for (size_t row = 0; row < rows; row += AT_ONCE) {
        const size_t count = rows - row < AT_ONCE ? rows - row : AT_ONCE;
        if (!input_peek(file, at + 2 * row, lengths, 2 * count))
            return false;
        for (size_t i = 0; i < count; i++)
            *bytes += be((Bytes){lengths, sizeof lengths}, 2 * i, 2);
    }
    return true;
}

/* All channels, also those that are not kept: a file without some of them has lost its end. */
static Status measure_values(Input *file, Shape shape, size_t channels) {
    unsigned char kind[2];
    size_t at, bytes = memory_product(shape_bytes((Shape){shape.width, shape.height, 1, shape.type}), channels);
    if (!find_section(file, 3, &at) || at > INT_MAX || !input_peek(file, at, kind, sizeof kind))
        return file_ends_early("PSD");
    if (kind[0] != 0 || kind[1] > 1)
        return fail(STATUS_INPUT, "a PSD whose merged picture is packed by kind %u; as it is and PackBits can be read",
                    kind[0] * 256u + kind[1]);
    if (kind[1] == 1 && shape.type == PIXEL_U16)
        return fail(STATUS_INPUT, "a PSD of 16 bits packed by PackBits; as it is it can be read");
    if (kind[1] == 1 && !add_up_rows(file, at + 2, shape.height * channels, &bytes))
        return file_ends_early("PSD");
    return file_must_hold(file, memory_sum(at + 2, bytes), "PSD");
}

/* Whether the number of layers at `at` is negative: then the first channel behind the colours is the picture's alpha.
 */
static bool counts_alpha(Input *file, size_t at, size_t size) {
    unsigned char count[2];
    return size >= sizeof count && input_peek(file, at, count, sizeof count) && count[0] & 0x80;
}

/* Whether a block among those that end the layers' section says that the merged picture has alpha. It says so by name,
 * or, for values of more than 8 bits, by the number of the layers that it holds. */
static bool block_has_alpha(Input *file, size_t at, const unsigned char head[12], size_t size) {
    static const char *const says[] = {"Mtrn", "Mt16", "Mt32"}, *const layers[] = {"Layr", "Lr16", "Lr32"};
    bool alpha = false;
    for (size_t i = 0; i < 3; i++)
        alpha |= memcmp(head + 4, says[i], 4) == 0 ||
                 (memcmp(head + 4, layers[i], 4) == 0 && counts_alpha(file, at + 12, size));
    return alpha;
}

/* Whether the fourth channel is alpha; any other is a saved selection. */
static bool has_alpha(Input *file) {
    unsigned char head[12];
    size_t at, end;
    if (!find_section(file, 2, &at) || !find_section(file, 3, &end) || at + 8 > end ||
        !input_peek(file, at + 4, head, 4))
        return false;
    if (counts_alpha(file, at + 8, be((Bytes){head, 4}, 0, 4)))
        return true;
    at += 8 + be((Bytes){head, 4}, 0, 4);
    if (at + 4 > end || !input_peek(file, at, head, 4)) /* a mask for all layers */
        return false;
    at += 4 + be((Bytes){head, 4}, 0, 4);
    size_t fill = 0; /* blocks are filled up to four bytes */
    while (at + sizeof head <= end && input_peek(file, at, head, sizeof head)) {
        const size_t size = be((Bytes){head, sizeof head}, 8, 4);
        const bool block = memcmp(head, "8BIM", 4) == 0 || memcmp(head, "8B64", 4) == 0;
        fill = block ? 0 : fill + 1;
        if (!block && (head[0] != 0 || fill > 3))
            return false;
        if (block && block_has_alpha(file, at, head, size))
            return true;
        at += block ? sizeof head + size : 1;
    }
    return false;
}

static Status psd_measure(Input *file, Measure *measure) {
    unsigned char head[PSD_HEADER];
    if (!input_peek(file, 0, head, sizeof head))
        return file_ends_early("PSD");
    const Bytes bytes = {head, sizeof head};
    const size_t channels = be(bytes, 12, 2), depth = be(bytes, 22, 2), mode = be(bytes, 24, 2);
    measure->shape = (Shape){be(bytes, 18, 4), be(bytes, 14, 4), channels > 3 && has_alpha(file) ? 4 : 3,
                             depth == 16 ? PIXEL_U16 : PIXEL_U8};
    if (mode != PSD_RGB || (depth != 8 && depth != 16) || channels < 3 || channels > 16)
        return fail(STATUS_INPUT,
                    "a PSD of colour mode %zu, %zu channels and %zu bits; RGB of 8 and 16 bits can be read", mode,
                    channels, depth);
    TRY(check_size("PSD", measure->shape));
    const bool hides = measure->shape.channels < 4 && channels > 3;
    measure->working = memory_sum(working(measure->shape), hides && file->size < SIZE_MAX ? file->size : 0);
    measure->extras = channels > (size_t)measure->shape.channels ? EXTRA_CHANNELS : 0;
    return measure_values(file, measure->shape, channels);
}

/* A resource: "8BIM", its number, a name of even length, its size, and data of even length. */
static Status keep_resource(Bytes file, size_t kind, size_t at, size_t size, Image *image) {
    enum { RESOLUTION = 1005, PROFILE = 1039, EXIF = 1058, XMP = 1060 };
    if (kind == RESOLUTION && size >= 16) /* dots per inch, 16 bits behind the point */
        image->resolution =
            (Resolution){(double)be(file, at, 4) / 65536 / 0.0254, (double)be(file, at + 8, 4) / 65536 / 0.0254};
    if (kind == EXIF)
        return image_block_set(&image->exif, file.data + at, size);
    if (kind == XMP)
        return image_block_set(&image->xmp, file.data + at, size);
    if (kind != PROFILE || image->profile)
        return STATUS_OK;
    ImageBlock profile = {0};
    TRY(image_block_set(&profile, file.data + at, size));
    image->profile = profile.data;
    image->profile_size = size;
    return STATUS_OK;
}

static Status keep_resources(Bytes file, Image *image) {
    Input input = input_of(file);
    size_t at, end;
    if (!find_section(&input, 1, &at) || !find_section(&input, 2, &end) || end > file.size)
        return STATUS_OK;
    for (at += 4; at + 12 <= end && memcmp(file.data + at, "8BIM", 4) == 0;) {
        const size_t kind = be(file, at + 4, 2), name = (file.data[at + 6] + 2u) & ~1u;
        if (at + 6 + name + 4 > end)
            break;
        const size_t size = be(file, at + 6 + name, 4), data = at + 10 + name;
        if (size > end - data)
            break;
        TRY(keep_resource(file, kind, data, size, image));
        at = data + (size + 1) / 2 * 2;
    }
    return STATUS_OK;
}

/* stb_image takes a fourth channel for alpha, and the colours for mixed with white by it. A copy of a file without
 * alpha therefore has three channels. Further channels lie behind its end, and the lengths of their rows are left
 * out. */
static Status hide_channels(Bytes file, Bytes *copy) {
    Input input = input_of(file);
    const size_t channels = be(file, 12, 2), rows = be(file, 14, 4);
    size_t at;
    if (!find_section(&input, 3, &at))
        return file_ends_early("PSD");
    *copy = (Bytes){malloc(file.size), file.size};
    if (!copy->data)
        return fail(STATUS_DEVICE, "no memory to decode PSD");
    memcpy(copy->data, file.data, file.size);
    copy->data[12] = 0;
    copy->data[13] = 3;
    if (file.data[at + 1] == 1) { /* psd_measure has seen all lengths */
        const size_t kept = at + 2 + 2 * rows * 3, from = at + 2 + 2 * rows * channels;
        memmove(copy->data + kept, copy->data + from, file.size - from);
    }
    return STATUS_OK;
}

static Status psd_load(Bytes file, Image **image) {
    Input input = input_of(file);
    Measure measure = {0};
    Bytes copy = {0};
    *image = NULL;
    TRY(psd_measure(&input, &measure));
    const bool hides = measure.shape.channels < 4 && be(file, 12, 2) > 3;
    if (hides)
        TRY(hide_channels(file, &copy));
    Status status = load(hides ? copy : file, "PSD", &measure, image);
    bytes_free(&copy);
    if (status == STATUS_OK)
        status = keep_resources(file, *image);
    if (status != STATUS_OK)
        image_destroy(image);
    return status;
}

const Format format_psd = {
    .name = "psd",
    .title = "PSD",
    .extensions = "psd",
    .remark = "the merged picture",
    .reads = U8X3 | U8X4 | U16X3 | U16X4,
    .recognize = psd_recognize,
    .measure = psd_measure,
    .load = psd_load,
};

/* ---- Softimage PIC ---- */

enum { PIC_HEADER = 104, PIC_PACKET = 4, PIC_ALPHA = 0x10, PIC_PACKETS = 10 };

static bool pic_recognize(Bytes head) {
    return head.size >= PIC_HEADER && memcmp(head.data, "\x53\x80\xF6\x34", 4) == 0 &&
           memcmp(head.data + 88, "PICT", 4) == 0;
}

/* Packets say which channels come together, up to one that says that it is the last. */
static Status pic_measure(Input *file, Measure *measure) {
    unsigned char head[PIC_HEADER], packet[PIC_PACKET] = {1};
    unsigned channels = 0;
    if (!input_peek(file, 0, head, sizeof head))
        return file_ends_early("Softimage PIC");
    for (size_t i = 0; packet[0]; i++) {
        if (i == PIC_PACKETS)
            return fail(STATUS_INPUT, "damaged Softimage PIC: more than %d packets", PIC_PACKETS);
        if (!input_peek(file, PIC_HEADER + i * PIC_PACKET, packet, sizeof packet))
            return file_ends_early("Softimage PIC");
        channels |= packet[3];
    }
    const Bytes bytes = {head, sizeof head};
    measure->shape = (Shape){be(bytes, 92, 2), be(bytes, 94, 2), channels & PIC_ALPHA ? 4 : 3, PIXEL_U8};
    TRY(check_size("Softimage PIC", measure->shape));
    measure->working = working(measure->shape);
    return file_must_hold(file, memory_product(measure->shape.width, measure->shape.height) / 32768, "Softimage PIC");
}

static Status pic_load(Bytes file, Image **image) {
    Input input = input_of(file);
    Measure measure = {0};
    *image = NULL;
    TRY(pic_measure(&input, &measure));
    return load(file, "Softimage PIC", &measure, image);
}

const Format format_pic = {
    .name = "spic", /* .pic is Radiance's, too: contents decide */
    .title = "Softimage PIC",
    .extensions = "spic",
    .reads = U8X3 | U8X4,
    .recognize = pic_recognize,
    .measure = pic_measure,
    .load = pic_load,
};
