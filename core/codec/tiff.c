/* tiff.c: TIFF through libtiff: classic and BigTIFF, strips and tiles, with every compression that the library knows.
 * What libtiff has to say while it decodes pixels, be it an error or a warning, refuses the file; about tags that it
 * does not know, it may say what it likes. */
#include "core/codec/formats.h"

static bool tiff_recognize(Bytes head) {
    static const char *const signatures[] = {"II*", "MM\0*", "II+",
                                             "MM\0+"}; /* the third byte of II has a zero behind */
    for (size_t i = 0; i < 4 && head.size >= 8; i++)
        if (memcmp(head.data, signatures[i], 4) == 0)
            return true;
    return false;
}

#ifdef GLINT_WITH_TIFF
#    include "core/codec/tiff_layout.h"
#    include "core/memory.h"

#    include <fcntl.h>
#    include <stdio.h>
#    include <stdlib.h>
#    include <tiffio.h>

enum {
    BLOCK_MAX = 1 << 30, /* bytes of one allocation of the library: tables of strips, a tile */
    DECODER_BYTES = 1 << 20,
    STRIP_BYTES = 1 << 18, /* of a strip that is written */
    DEFLATE_LEVEL = 3      /* as PNG's */
};

typedef struct Handle {
    TIFF *tiff;
    Input *in;       /* what is read */
    Bytes out;       /* what is written */
    size_t capacity; /* of `out` */
    size_t at;
    bool strict; /* warnings count */
    char reason[160];
} Handle;

/* ---- what the library calls ---- */

static void keep_reason(Handle *handle, const char *format, va_list values) {
    if (!handle->reason[0])
        vsnprintf(handle->reason, sizeof handle->reason, format, values);
}

static int on_error(TIFF *tiff, void *user, const char *module, const char *format, va_list values) {
    (void)tiff, (void)module;
    keep_reason(user, format, values);
    return 1;
}

static int on_warning(TIFF *tiff, void *user, const char *module, const char *format, va_list values) {
    (void)tiff, (void)module;
    if (((Handle *)user)->strict || strncmp(format, "IO error", 8) == 0) /* the library would do without the tag */
        keep_reason(user, format, values);
    return 1;
}

static tmsize_t on_read(thandle_t user, void *to, tmsize_t size) {
    Handle *handle = user;
    const Input *in = handle->in;
    const size_t left = handle->at < in->size ? in->size - handle->at : 0,
                 count = (size_t)size < left ? (size_t)size : left;
    if (!input_peek(handle->in, handle->at, to, count))
        return 0;
    handle->at += count;
    return (tmsize_t)count;
}

static tmsize_t on_write(thandle_t user, void *from, tmsize_t size) {
    Handle *handle = user;
    if (!bytes_put(&handle->out, &handle->capacity, handle->at, from, (size_t)size))
        return -1;
    handle->at += (size_t)size;
    return size;
}

static tmsize_t no_read(thandle_t user, void *to, tmsize_t size) {
    const Handle *handle = user;
    if (handle->at + (size_t)size > handle->out.size)
        return -1;
    memcpy(to, handle->out.data + handle->at, (size_t)size);
    return size;
}

static tmsize_t no_write(thandle_t user, void *from, tmsize_t size) {
    (void)user, (void)from, (void)size;
    return -1;
}

static toff_t on_size(thandle_t user) {
    const Handle *handle = user;
    return handle->in ? handle->in->size : handle->out.size;
}

static toff_t on_seek(thandle_t user, toff_t to, int whence) {
    Handle *handle = user;
    handle->at = to + (whence == SEEK_CUR ? handle->at : whence == SEEK_END ? on_size(user) : 0);
    return handle->at;
}

static int on_close(thandle_t user) {
    (void)user;
    return 0;
}

/* Bytes in memory are read where they are. */
static int on_map(thandle_t user, void **base, toff_t *size) {
    const Handle *handle = user;
    if (!handle->in || handle->in->descriptor >= 0)
        return 0;
    *base = handle->in->bytes.data;
    *size = handle->in->bytes.size;
    return 1;
}

static void on_unmap(thandle_t user, void *base, toff_t size) {
    (void)user, (void)base, (void)size;
}

/* STATUS_DEVICE if memory was short, which is all that can go wrong in writing; else the file is to blame. */
static Status failed(const Handle *handle) {
    static const char *const signs[] = {"emory", "No space", "malloc", "Insertion"};
    const char *reason = handle->reason;
    bool memory = !reason[0] || !handle->in;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        memory |= strstr(reason, signs[i]) != NULL;
    const bool limited = strstr(reason, "beyond") || strstr(reason, "requires too much"); /* BLOCK_MAX; Zstandard's */
    return memory && !limited ? fail(STATUS_DEVICE, "no memory to %s TIFF", handle->in ? "decode" : "encode")
                              : fail(STATUS_INPUT, "damaged TIFF: %s", reason);
}

/* The library takes a directory without its last bytes, which say where the next one is, for the last one. */
static Status check_directory(Handle *handle) {
    unsigned char count[8] = {0};
    const size_t at = TIFFCurrentDirOffset(handle->tiff), wide = TIFFIsBigTIFF(handle->tiff) ? 8 : 2;
    const bool big_endian = TIFFIsBigEndian(handle->tiff), read = input_peek(handle->in, at, count, wide);
    size_t entries = 0;
    for (size_t i = 0; i < wide; i++)
        entries = entries << 8 | count[big_endian ? i : wide - 1 - i];
    const size_t end = memory_product(entries, wide == 8 ? 20 : 12) + wide + (wide == 8 ? 8 : 4);
    return read ? file_must_hold(handle->in, memory_sum(at, end), "TIFF") : file_ends_early("TIFF");
}

static Status open_tiff(Handle *handle, const char *mode) {
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (!options)
        return failed(handle);
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, BLOCK_MAX);
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, handle);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, handle);
    handle->tiff = TIFFClientOpenExt("", mode, handle, handle->in ? on_read : no_read, handle->in ? no_write : on_write,
                                     on_seek, on_close, on_size, on_map, on_unmap, options);
    TIFFOpenOptionsFree(options);
    if (!handle->tiff || handle->reason[0])
        return failed(handle);
    return handle->in ? check_directory(handle) : STATUS_OK;
}

/* What is to be written was flushed. */
static void close_tiff(Handle *handle) {
    if (handle->tiff) {
        TIFFSetMode(handle->tiff, O_RDONLY);
        TIFFClose(handle->tiff);
    }
    handle->tiff = NULL;
}

/* ---- reading ---- */

static unsigned tag(TIFF *tiff, uint32_t name) {
    uint16_t value = 0;
    return TIFFGetFieldDefaulted(tiff, name, &value) ? value : 0;
}

/* Which samples are colours, and what they mean. */
static Status read_colours(TIFF *tiff, TiffLayout *layout, int *colours) {
    const unsigned photometric = tag(tiff, TIFFTAG_PHOTOMETRIC), compression = tag(tiff, TIFFTAG_COMPRESSION);
    const bool jpeg = compression == COMPRESSION_JPEG && photometric == PHOTOMETRIC_YCBCR;
    layout->inverted = photometric == PHOTOMETRIC_MINISWHITE;
    layout->palette = photometric == PHOTOMETRIC_PALETTE;
    layout->inks = photometric == PHOTOMETRIC_SEPARATED && tag(tiff, TIFFTAG_INKSET) == INKSET_CMYK;
    if (jpeg)
        TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    *colours = photometric <= PHOTOMETRIC_MINISBLACK || layout->palette ? 1
               : photometric == PHOTOMETRIC_RGB || jpeg                 ? 3
               : layout->inks                                           ? 4
                                                                        : 0;
    if (*colours == 0)
        return fail(STATUS_INPUT,
                    "a TIFF of photometric kind %u; gray, RGB, palettes, CMYK and YCbCr as JPEG can be read",
                    photometric);
    return (unsigned)*colours <= layout->samples
               ? STATUS_OK
               : fail(STATUS_INPUT, "damaged TIFF: %u samples a pixel, want %d", layout->samples, *colours);
}

/* A sample behind the colours that is alpha; one of unknown meaning is, if it is alone. */
static void read_alpha(TIFF *tiff, TiffLayout *layout, int colours) {
    uint16_t count = 0, *kinds = NULL;
    const unsigned further = layout->samples - (unsigned)colours;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds);
    const unsigned kind = count > 0 ? kinds[0] : EXTRASAMPLE_UNSPECIFIED;
    const bool alpha =
        further > 0 && colours != 4 && !layout->palette && (kind != EXTRASAMPLE_UNSPECIFIED || further == 1);
    layout->kept = colours + alpha;
    layout->divide = alpha && kind == EXTRASAMPLE_ASSOCALPHA;
    layout->extras |= layout->samples > (unsigned)layout->kept ? EXTRA_CHANNELS : 0;
}

static Status read_type(TIFF *tiff, TiffLayout *layout) {
    const unsigned format = tag(tiff, TIFFTAG_SAMPLEFORMAT), bits = layout->bits;
    layout->floating = format == SAMPLEFORMAT_IEEEFP;
    const bool whole = (format == SAMPLEFORMAT_UINT || format == SAMPLEFORMAT_VOID) &&
                       (bits == 1 || bits == 2 || bits == 4 || bits == 8 || bits == 16 || bits == 32);
    if (!whole && !(layout->floating && (bits == 16 || bits == 32 || bits == 64)))
        return fail(
            STATUS_INPUT,
            "a TIFF of %u-bit %s samples; 1, 2, 4, 8, 16 and 32 bits without sign, and floating point of 16, 32 "
            "and 64 can be read",
            bits,
            format == SAMPLEFORMAT_INT ? "signed"
            : layout->floating         ? "floating point"
                                       : "unsigned");
    if (layout->palette && (bits > 8 || layout->floating))
        return fail(STATUS_INPUT, "a TIFF with a palette for %u bits; up to 8 can be read", bits);
    layout->type = layout->floating || bits == 32 ? PIXEL_F32 : bits == 16 ? PIXEL_U16 : PIXEL_U8;
    return STATUS_OK;
}

/* Of the page that is open. */
static Status read_layout(TIFF *tiff, TiffLayout *layout) {
    uint32_t width = 0, height = 0;
    int colours = 0;
    *layout = (TiffLayout){.samples = tag(tiff, TIFFTAG_SAMPLESPERPIXEL), .bits = tag(tiff, TIFFTAG_BITSPERSAMPLE)};
    if (!TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width) || !TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height))
        return fail(STATUS_INPUT, "damaged TIFF: no width or height");
    layout->width = width;
    layout->height = height;
    layout->tiled = TIFFIsTiled(tiff);
    layout->separate = tag(tiff, TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE && layout->samples > 1;
    layout->orientation = (int)tag(tiff, TIFFTAG_ORIENTATION);
    TRY(read_colours(tiff, layout, &colours));
    read_alpha(tiff, layout, colours);
    TRY(read_type(tiff, layout));
    return shape_check(tiff_picture_shape(layout));
}

/* Whether the library decoded without a word. */
static Status decoded(const Handle *handle, bool ok) {
    return ok && !handle->reason[0] ? STATUS_OK
           : handle->reason[0]      ? failed(handle)
                                    : fail(STATUS_INPUT, "damaged TIFF: its pixels cannot be decoded");
}

static Status read_rows(Handle *handle, const TiffLayout *layout, void *row, ImageView to) {
    const int planes = layout->separate ? layout->kept : 1;
    for (int plane = 0; plane < planes; plane++)
        for (size_t y = 0; y < layout->height; y++) {
            const int got = TIFFReadScanline(handle->tiff, row, (uint32_t)y, (uint16_t)plane);
            TRY(decoded(handle, got == 1));
            tiff_unpack(layout, row, plane, layout->width, view_row(to, y));
        }
    return STATUS_OK;
}

static Status read_tile(Handle *handle, const TiffLayout *layout, unsigned char *tile, ImageView to, size_t x, size_t y,
                        int plane) {
    uint32_t wide = 0, high = 0;
    TIFFGetField(handle->tiff, TIFFTAG_TILEWIDTH, &wide);
    TIFFGetField(handle->tiff, TIFFTAG_TILELENGTH, &high);
    const size_t stride = (size_t)TIFFTileRowSize(handle->tiff);
    const tmsize_t got = TIFFReadTile(handle->tiff, tile, (uint32_t)x, (uint32_t)y, 0, (uint16_t)plane);
    TRY(decoded(handle, got == TIFFTileSize(handle->tiff)));
    for (size_t row = 0; row < high && y + row < layout->height; row++) {
        const size_t left = layout->width - x;
        ImageView span = view_crop(to, x, y + row, left < wide ? left : wide, 1);
        tiff_unpack(layout, tile + row * stride, plane, span.shape.width, span.pixels);
    }
    return STATUS_OK;
}

static Status read_tiles(Handle *handle, const TiffLayout *layout, void *tile, ImageView to) {
    const int planes = layout->separate ? layout->kept : 1;
    uint32_t wide = 0, high = 0;
    TIFFGetField(handle->tiff, TIFFTAG_TILEWIDTH, &wide);
    TIFFGetField(handle->tiff, TIFFTAG_TILELENGTH, &high);
    if (wide == 0 || high == 0)
        return fail(STATUS_INPUT, "damaged TIFF: tiles without a size");
    for (int plane = 0; plane < planes; plane++)
        for (size_t y = 0; y < layout->height; y += high)
            for (size_t x = 0; x < layout->width; x += wide)
                TRY(read_tile(handle, layout, tile, to, x, y, plane));
    return STATUS_OK;
}

/* The bytes of a row, or of a tile; 0 if they are too many or cannot be said. */
static size_t block_bytes(TIFF *tiff, const TiffLayout *layout) {
    const tmsize_t bytes = layout->tiled ? TIFFTileSize(tiff) : TIFFScanlineSize(tiff);
    return bytes > 0 && bytes <= BLOCK_MAX ? (size_t)bytes : 0;
}

static Status read_samples(Handle *handle, const TiffLayout *layout, Image *image) {
    const size_t bytes = block_bytes(handle->tiff, layout);
    if (bytes == 0)
        return fail(STATUS_INPUT, "damaged TIFF: its rows or tiles have no size, or more than 1 GiB");
    void *block = malloc(bytes);
    if (!block)
        return fail(STATUS_DEVICE, "no memory to decode TIFF");
    handle->strict = true;
    const Status status = (layout->tiled ? read_tiles : read_rows)(handle, layout, block, image->view);
    handle->strict = false;
    free(block);
    return status;
}

/* Indices to colours: the upper halves of the map's values of 16 bits. */
static Status look_up(Handle *handle, const TiffLayout *layout, Image **image) {
    uint16_t *maps[3];
    if (!TIFFGetField(handle->tiff, TIFFTAG_COLORMAP, &maps[0], &maps[1], &maps[2]))
        return fail(STATUS_INPUT, "damaged TIFF: a palette without colours");
    Image *looked = NULL;
    const ImageView from = (*image)->view;
    TRY(image_create(tiff_picture_shape(layout), &looked));
    for (size_t y = 0; y < from.shape.height; y++) {
        const unsigned char *index = view_row(from, y);
        unsigned char *to = view_row(looked->view, y);
        for (size_t x = 0; x < from.shape.width; x++)
            for (size_t c = 0; c < 3; c++)
                to[3 * x + c] = (unsigned char)(maps[c][index[x]] >> 8);
    }
    image_destroy(image);
    *image = looked;
    return STATUS_OK;
}

static Status read_profile(Handle *handle, const TiffLayout *layout, Image *image) {
    uint32_t size = 0;
    void *profile = NULL;
    if (!TIFFGetField(handle->tiff, TIFFTAG_ICCPROFILE, &size, &profile) || size == 0)
        return STATUS_OK;
    if (layout->inks) { /* it speaks of inks, and there are none any more */
        image->extras |= EXTRA_PROFILE;
        return STATUS_OK;
    }
    image->profile = malloc(size);
    if (!image->profile)
        return fail(STATUS_DEVICE, "no memory to decode TIFF");
    memcpy(image->profile, profile, size);
    image->profile_size = size;
    return STATUS_OK;
}

static Status read_rest(Handle *handle, const TiffLayout *layout, Image *image) {
    uint32_t size = 0;
    uint64_t exif = 0;
    void *packet = NULL;
    TRY(read_profile(handle, layout, image));
    if (TIFFGetField(handle->tiff, TIFFTAG_EXIFIFD, &exif)) /* its directories point into this file */
        image->extras |= EXTRA_EXIF;
    return TIFFGetField(handle->tiff, TIFFTAG_XMLPACKET, &size, &packet) && size > 0
               ? image_block_set(&image->xmp, packet, size)
               : STATUS_OK;
}

/* The page that is open. */
static Status read_page(Handle *handle, Image **image) {
    TiffLayout layout;
    TRY(read_layout(handle->tiff, &layout));
    TRY(image_create(tiff_sample_shape(&layout), image));
    (*image)->extras = layout.extras;
    TRY(read_samples(handle, &layout, *image));
    tiff_finish(&layout, *image);
    if (layout.palette)
        TRY(look_up(handle, &layout, image));
    TRY(read_rest(handle, &layout, *image));
    return image_orient(image, layout.orientation);
}

/* Moves on to the next page; *more is false behind the last. What only shows another page in small, or masks it, is
 * none. */
static Status next_page(Handle *handle, bool begun, bool *more) {
    enum { NO_PAGE = FILETYPE_REDUCEDIMAGE | FILETYPE_MASK };
    *more = true;
    for (bool moves = begun; *more; moves = true) {
        uint32_t kind = 0;
        *more = !moves || TIFFReadDirectory(handle->tiff);
        if (handle->reason[0])
            return failed(handle);
        if (!*more)
            return STATUS_OK;
        TRY(check_directory(handle));
        if (!TIFFGetField(handle->tiff, TIFFTAG_SUBFILETYPE, &kind) || !(kind & NO_PAGE))
            return STATUS_OK;
    }
    return STATUS_OK;
}

/* Calls `visit` for the pages that are wanted. STATUS_INPUT if there is none. */
static Status visit_pages(Handle *handle, Pages pages, Status (*visit)(Handle *handle, void *context), void *context) {
    const size_t end = pages.count > 0 ? pages.first + pages.count : SIZE_MAX;
    size_t count = 0;
    bool more;
    TRY(next_page(handle, false, &more));
    for (; more && count < end; count++) {
        if (count >= pages.first)
            TRY(visit(handle, context));
        TRY(next_page(handle, true, &more));
    }
    return file_has_page(count, pages, "TIFF");
}

static Status measure_page(Handle *handle, void *context) {
    Measure *measure = context;
    TiffLayout layout;
    TRY(read_layout(handle->tiff, &layout));
    const Shape shape = shape_oriented(tiff_picture_shape(&layout), layout.orientation);
    size_t working = DECODER_BYTES + block_bytes(handle->tiff, &layout);
    working += layout.palette ? layout.width * layout.height : 0;
    working += layout.inks ? shape_bytes(tiff_sample_shape(&layout)) - shape_bytes(shape) : 0;
    working += layout.orientation > 1 ? shape_bytes(shape) : 0;
    measure->working = working > measure->working ? working : measure->working;
    if (measure->count++ == 0)
        measure->shape = shape;
    else
        measure->further = memory_sum(measure->further, shape_bytes(shape));
    return STATUS_OK;
}

static Status tiff_measure(Input *file, Measure *measure) {
    Handle handle = {.in = file};
    measure->count = 0;
    Status status = open_tiff(&handle, "r");
    if (status == STATUS_OK)
        status = visit_pages(&handle, measure->pages, measure_page, measure);
    close_tiff(&handle);
    return status;
}

/* `context` is where the next picture goes. */
static Status load_page(Handle *handle, void *context) {
    Image ***end = context;
    TRY(read_page(handle, *end));
    *end = &(**end)->next;
    return STATUS_OK;
}

static Status tiff_load(Bytes file, Pages pages, Image **image) {
    Input input = input_of(file);
    Handle handle = {.in = &input};
    Image **end = image;
    *image = NULL;
    Status status = open_tiff(&handle, "r");
    if (status == STATUS_OK)
        status = visit_pages(&handle, pages, load_page, &end);
    close_tiff(&handle);
    if (status != STATUS_OK)
        image_destroy(image);
    return status;
}

/* ---- writing ---- */

static bool set_fields(TIFF *tiff, const Image *image) {
    const Shape shape = image->view.shape;
    const bool floating = shape.type == PIXEL_F32, deflate = TIFFIsCODECConfigured(COMPRESSION_ADOBE_DEFLATE);
    const size_t rows = STRIP_BYTES / shape_row_bytes(shape) + 1;
    uint16_t alpha = EXTRASAMPLE_UNASSALPHA;
    bool set = TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)shape.width) &&
               TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, (uint32_t)shape.height) &&
               TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, (unsigned)shape.channels) &&
               TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, (unsigned)(8 * pixel_type_size(shape.type))) &&
               TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, floating ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT) &&
               TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, shape.channels < 3 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB) &&
               TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) &&
               TIFFSetField(tiff, TIFFTAG_COMPRESSION, deflate ? COMPRESSION_ADOBE_DEFLATE : COMPRESSION_LZW) &&
               TIFFSetField(tiff, TIFFTAG_PREDICTOR, floating ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL) &&
               TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, (uint32_t)(rows < shape.height ? rows : shape.height));
    if (deflate)
        set = set && TIFFSetField(tiff, TIFFTAG_ZIPQUALITY, DEFLATE_LEVEL);
    if (shape_has_alpha(shape))
        set = set && TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &alpha);
    if (image->profile)
        set = set && TIFFSetField(tiff, TIFFTAG_ICCPROFILE, (uint32_t)image->profile_size, image->profile);
    if (image->xmp.data)
        set = set && TIFFSetField(tiff, TIFFTAG_XMLPACKET, (uint32_t)image->xmp.size, image->xmp.data);
    return set;
}

static bool write_strips(TIFF *tiff, const Image *image) {
    const ImageView view = image->view;
    uint32_t rows = 1;
    bool written = TIFFGetField(tiff, TIFFTAG_ROWSPERSTRIP, &rows);
    for (size_t y = 0; y < view.shape.height && written; y += rows) {
        const size_t left = view.shape.height - y, count = left < rows ? left : rows;
        written = TIFFWriteEncodedStrip(tiff, (uint32_t)(y / rows), view_row(view, y),
                                        (tmsize_t)(count * shape_row_bytes(view.shape))) >= 0;
    }
    return written;
}

static bool write_page(TIFF *tiff, const Image *image, size_t number, size_t count) {
    const bool named = count == 1 || (TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, FILETYPE_PAGE) &&
                                      TIFFSetField(tiff, TIFFTAG_PAGENUMBER, (unsigned)number, (unsigned)count));
    return named && set_fields(tiff, image) && write_strips(tiff, image) && TIFFWriteDirectory(tiff);
}

static Status tiff_save(const Image *image, SaveOptions options, Bytes *file) {
    enum { CLASSIC_MAX = 0x70000000 }; /* bytes: offsets have 32 bits, and noise grows by deflating */
    (void)options;
    Handle handle = {.in = NULL};
    const size_t count = image_count(image);
    size_t bytes = 0, number = 0;
    for (const Image *each = image; each; each = each->next)
        bytes = memory_sum(bytes, shape_bytes(each->view.shape));
    Status status = open_tiff(&handle, bytes > CLASSIC_MAX ? "w8" : "w");
    for (const Image *each = image; each && status == STATUS_OK; each = each->next)
        if (!write_page(handle.tiff, each, number++, count))
            status = failed(&handle);
    if (status == STATUS_OK && (!TIFFFlush(handle.tiff) || handle.reason[0]))
        status = failed(&handle);
    close_tiff(&handle);
    if (status != STATUS_OK)
        bytes_free(&handle.out);
    *file = handle.out;
    return status;
}
#endif

const Format format_tiff = {
    .name = "tiff",
    .title = "TIFF",
    .extensions = "tiff tif",
    .recognize = tiff_recognize,
#ifdef GLINT_WITH_TIFF
    .remark = "pages, strips, tiles, BigTIFF; palettes and CMYK become RGB",
    .reads = U8 | U16 | F32,
    .writes = U8 | U16 | F32,
    .side_max = UINT32_MAX,
    .holds = EXTRA_PROFILE | EXTRA_XMP,
    .measure = tiff_measure,
    .load_pages = tiff_load,
    .saves_several = true,
    .save = tiff_save,
#else
    .lacks = "libtiff",
#endif
};
