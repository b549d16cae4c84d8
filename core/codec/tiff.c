/* tiff.c: TIFF through libtiff: classic and BigTIFF, strips and tiles, with every compression that the library knows. A
 * warning or error of libtiff while it decodes pixels refuses the file. About tags that pixels do not depend on it may
 * complain, unless their values lie beyond the file's end. */
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
#    include "core/base/memory.h"
#    include "core/codec/frames.h"
#    include "core/codec/notes.h"
#    include "core/codec/tiff_layout.h"
#    include "core/image/icc.h"
#    include "core/image/shape.h"

#    include <fcntl.h>
#    include <math.h>
#    include <stdio.h>
#    include <stdlib.h>
#    include <tiffio.h>

enum {
    BLOCK_MAX = 1 << 30, /* bytes of one allocation of the library: tables of strips, a tile */
    DECODER_BYTES = 1 << 20,
    PAGES_MAX = 1 << 16,
    STRIP_BYTES = 1 << 18, /* of a strip that is written */
    DEFLATE_LEVEL = 3      /* as PNG's */
};

typedef struct Handle {
    TIFF *tiff;
    Input *in;          /* the file to read */
    ByteSink *out;      /* the file to write */
    size_t written;     /* bytes */
    const Bytes *again; /* where these can be read again, or NULL */
    Status status;      /* of the last ones */
    size_t at;
    bool strict;        /* warnings count */
    bool guesses_extra; /* the file lacks ExtraSamples for this page; the library's are a guess */
    bool takes_reduced; /* pages that only show another in small, or mask it: there are no others */
    char reason[160];
} Handle;

/* ---- the library's callbacks ---- */

static void keep_reason(Handle *handle, const char *format, va_list values) {
    if (!handle->reason[0])
        vsnprintf(handle->reason, sizeof handle->reason, format, values);
}

/* Whether an error is about a tag that pixels do not depend on, and the library goes on without it. Such are a value
 * that no standard knows, and a private tag ("Tag 65302") of an unknown type. */
static bool is_harmless(const char *format, va_list values) {
    static const char *const tags[] = {
        "\"Orientation\"", "\"ResolutionUnit\"", "\"XResolution\"", "\"YResolution\"", "\"Tag ", "(Tag "};
    char message[160];
    bool harmless = false;
    vsnprintf(message, sizeof message, format, values);
    for (size_t i = 0; i < sizeof tags / sizeof *tags && !strstr(message, "emory"); i++)
        harmless |= strstr(message, tags[i]) != NULL;
    return harmless;
}

static int on_error(TIFF *tiff, void *user, const char *module, const char *format, va_list values) {
    (void)tiff, (void)module;
    va_list copy;
    va_copy(copy, values);
    if (!is_harmless(format, copy))
        keep_reason(user, format, values);
    va_end(copy);
    return 1;
}

/* Old files that are decoded all the same: LZW of before TIFF 6.0, and baseline JPEG whose scans end their spectrum at
 * 0. */
static bool is_old_way(const char *format, va_list values) {
    char message[160];
    vsnprintf(message, sizeof message, format, values);
    return strstr(message, "Old-style LZW codes") || strstr(message, "Invalid SOS parameters for sequential JPEG");
}

static int on_warning(TIFF *tiff, void *user, const char *module, const char *format, va_list values) {
    (void)tiff, (void)module;
    Handle *handle = user;
    if (strncmp(format, "IO error during reading of \"%s\"", 31) == 0) { /* the library would do without the tag */
        if (!handle->reason[0])
            snprintf(handle->reason, sizeof handle->reason, "the value of %.64s would lie behind the file's end",
                     va_arg(values, const char *));
    } else if (strncmp(format, "Sum of Photometric type-related", 31) == 0) {
        handle->guesses_extra = true;
    } else if (handle->strict) {
        va_list copy;
        va_copy(copy, values);
        if (!is_old_way(format, copy))
            keep_reason(handle, format, values);
        va_end(copy);
    }
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
    handle->status = handle->out->put(handle->out, handle->at, from, (size_t)size);
    if (handle->status != STATUS_OK)
        return -1;
    handle->at += (size_t)size;
    handle->written = handle->at > handle->written ? handle->at : handle->written;
    return size;
}

/* While several pages are written, the library reads the directory before. */
static tmsize_t read_again(thandle_t user, void *to, tmsize_t size) {
    const Handle *handle = user;
    if (!handle->again || handle->at + (size_t)size > handle->again->size)
        return -1;
    memcpy(to, handle->again->data + handle->at, (size_t)size);
    return size;
}

static tmsize_t no_write(thandle_t user, void *from, tmsize_t size) {
    (void)user, (void)from, (void)size;
    return -1;
}

static toff_t on_size(thandle_t user) {
    const Handle *handle = user;
    return handle->in ? handle->in->size : handle->written;
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

/* STATUS_DEVICE if memory was short; nothing else can go wrong in writing but the sink. Else the file is to blame, also
 * where the library does not say why. */
static Status failed(const Handle *handle) {
    if (handle->status != STATUS_OK)
        return handle->status;
    static const char *const signs[] = {"emory", "No space", "malloc", "Insertion"};
    const char *reason = handle->reason;
    bool memory = !handle->in;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        memory |= strstr(reason, signs[i]) != NULL;
    const bool limited = strstr(reason, "beyond") || strstr(reason, "requires too much") || /* BLOCK_MAX; Zstandard's */
                         strstr(reason, "(0 elements");                                     /* an empty directory */
    if (memory && !limited)
        return fail(STATUS_DEVICE, "no memory to %s TIFF", handle->in ? "decode" : "encode");
    if (!reason[0])
        return fail(STATUS_INPUT, "damaged TIFF: it cannot be decoded");
    if (strstr(reason, "not implemented") || strstr(reason, "not configured") ||
        strstr(reason, "would require libjpeg"))
        return fail(STATUS_INPUT, "a TIFF that libtiff cannot decode: %s", reason);
    return fail(STATUS_INPUT, "damaged TIFF: %s", reason + strspn(reason, ": "));
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

/* A file without a directory: the library refuses it, and says not why. */
static Status check_first_directory(Handle *handle) {
    unsigned char head[16] = {0}, where = 0;
    if (!input_peek(handle->in, 0, head, sizeof head))
        return file_ends_early("TIFF");
    const bool big = head[2] == 43 || head[3] == 43;
    for (size_t i = big ? 8 : 4; i < (big ? 16 : 8); i++)
        where |= head[i];
    return where ? STATUS_OK : fail(STATUS_INPUT, "damaged TIFF: there is no picture in it");
}

static Status open_tiff(Handle *handle, const char *mode) {
    if (handle->in)
        TRY(check_first_directory(handle));
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (!options)
        return failed(handle);
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, BLOCK_MAX);
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, handle);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, handle);
    handle->tiff =
        TIFFClientOpenExt("", mode, handle, handle->in ? on_read : read_again, handle->in ? no_write : on_write,
                          on_seek, on_close, on_size, on_map, on_unmap, options);
    TIFFOpenOptionsFree(options);
    if (!handle->tiff || handle->reason[0])
        return failed(handle);
    return handle->in ? check_directory(handle) : STATUS_OK;
}

/* All output was flushed before. */
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

/* How many further samples the file speaks of, and their kinds. Samples that the library adds are
 * EXTRASAMPLE_UNSPECIFIED. */
static unsigned extra_samples(TIFF *tiff, const uint16_t **kinds) {
    const Handle *handle = TIFFClientdata(tiff);
    uint16_t count = 0, *found = NULL;
    if (!TIFFGetField(tiff, TIFFTAG_EXTRASAMPLES, &count, &found))
        count = 0;
    while (handle->guesses_extra && count > 0 && found[count - 1] == EXTRASAMPLE_UNSPECIFIED)
        count--;
    *kinds = found;
    return count;
}

/* The meaning of the samples. A file without the tag is known by its others: fax is white at 0, all else is black. */
static unsigned photometric_of(TIFF *tiff, const TiffLayout *layout) {
    uint16_t value = 0, *maps[3];
    const uint16_t *kinds;
    if (TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &value))
        return value;
    const unsigned count = extra_samples(tiff, &kinds);
    const unsigned compression = tag(tiff, TIFFTAG_COMPRESSION), colours = layout->samples - count;
    const bool fax = compression == COMPRESSION_CCITTRLE || compression == COMPRESSION_CCITTRLEW ||
                     compression == COMPRESSION_CCITTFAX3 || compression == COMPRESSION_CCITTFAX4;
    return colours >= 3 && count < layout->samples ? PHOTOMETRIC_RGB
           : layout->bits <= 8 && TIFFGetField(tiff, TIFFTAG_COLORMAP, &maps[0], &maps[1], &maps[2])
               ? PHOTOMETRIC_PALETTE
           : fax ? PHOTOMETRIC_MINISWHITE
                 : PHOTOMETRIC_MINISBLACK;
}

/* Finds which samples are colours, and their meaning. */
static Status read_colours(TIFF *tiff, TiffLayout *layout, int *colours) {
    const unsigned photometric = photometric_of(tiff, layout), compression = tag(tiff, TIFFTAG_COMPRESSION);
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

/* The first sample behind the colours that is alpha, as the file says; RGBA of before TIFF 6.0, which brought
 * ExtraSamples, says nothing. */
static void read_alpha(TIFF *tiff, TiffLayout *layout, int colours) {
    const uint16_t *kinds;
    const unsigned count = extra_samples(tiff, &kinds), further = layout->samples - (unsigned)colours;
    unsigned kind = count == 0 && colours == 3 && further == 1 ? EXTRASAMPLE_UNASSALPHA : EXTRASAMPLE_UNSPECIFIED;
    unsigned at = 0;
    for (unsigned i = 0; i < count && i < further && kind == EXTRASAMPLE_UNSPECIFIED; i++) {
        kind = kinds[i];
        at = i;
    }
    const bool alpha = kind != EXTRASAMPLE_UNSPECIFIED && colours != 4 && !layout->palette;
    layout->kept = colours + alpha;
    layout->alpha = alpha ? (unsigned)colours + at : (unsigned)layout->kept - 1;
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

/* Reads the layout of the page that is open. */
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
    layout->oriented = TIFFGetField(tiff, TIFFTAG_ORIENTATION, &(uint16_t){0}) == 1;
    TRY(read_colours(tiff, layout, &colours));
    read_alpha(tiff, layout, colours);
    TRY(read_type(tiff, layout));
    layout->premultiplied = layout->divide && layout->type == PIXEL_F32;
    layout->divide &= !layout->premultiplied;
    return shape_exists(tiff_picture_shape(layout));
}

/* Whether the library decoded without a word. */
static Status decoded(const Handle *handle, bool ok) {
    return ok && !handle->reason[0] ? STATUS_OK
           : handle->reason[0]      ? failed(handle)
                                    : fail(STATUS_INPUT, "damaged TIFF: its pixels cannot be decoded");
}

/* The bytes of a row, or of a tile; 0 if they are too many or cannot be said. */
static size_t block_bytes(TIFF *tiff, const TiffLayout *layout) {
    const tmsize_t bytes = layout->tiled ? TIFFTileSize(tiff) : TIFFScanlineSize(tiff);
    return bytes > 0 && bytes <= BLOCK_MAX ? (size_t)bytes : 0;
}

/* Rows that are decoded together: those of a row of tiles, or one. */
static size_t band_rows(TIFF *tiff, const TiffLayout *layout) {
    uint32_t high = 1;
    if (layout->tiled)
        TIFFGetField(tiff, TIFFTAG_TILELENGTH, &high);
    return high < layout->height ? high : layout->height;
}

static size_t band_bytes(TIFF *tiff, const TiffLayout *layout) {
    return memory_product(band_rows(tiff, layout), shape_row_bytes(tiff_sample_shape(layout)));
}

/* The rows of a page. */
typedef struct TiffSource {
    RowSource source; /* first, so that a RowSource is ours */
    TiffLayout layout;
    const uint16_t *maps[3]; /* of a palette */
    IccInks *inks;           /* by whose profile CMYK becomes RGB; or NULL */
    Handle own[4];           /* the first is not used where the page's handle is another's */
    Handle *planes[4];       /* one for each plane whose rows are in strips of their own; else the first alone */
    void *block;             /* a row, or a tile, as the library gives it */
    ImageView band;          /* of samples; its pixels are the source's */
    size_t next;             /* row */
} TiffSource;

static Status read_row(const TiffSource *from, size_t y, void *to) {
    const int planes = from->layout.separate ? from->layout.kept : 1;
    TRY(decoding_goes_on());
    for (int plane = 0; plane < planes; plane++) {
        Handle *handle = from->planes[plane];
        const unsigned sample = tiff_sample(&from->layout, plane);
        const int got = TIFFReadScanline(handle->tiff, from->block, (uint32_t)y, (uint16_t)sample);
        TRY(decoded(handle, got == 1));
        tiff_unpack(&from->layout, from->block, plane, from->layout.width, to);
    }
    return STATUS_OK;
}

static Status read_tile(const TiffSource *from, ImageView to, size_t x, size_t y, int plane) {
    Handle *handle = from->planes[0];
    uint32_t wide = 0;
    TRY(decoding_goes_on());
    TIFFGetField(handle->tiff, TIFFTAG_TILEWIDTH, &wide);
    const size_t stride = (size_t)TIFFTileRowSize(handle->tiff), left = from->layout.width - x;
    const unsigned sample = tiff_sample(&from->layout, plane);
    const tmsize_t got = TIFFReadTile(handle->tiff, from->block, (uint32_t)x, (uint32_t)y, 0, (uint16_t)sample);
    TRY(decoded(handle, got == TIFFTileSize(handle->tiff)));
    for (size_t row = 0; row < to.shape.height; row++) {
        const ImageView span = view_crop(to, x, row, left < wide ? left : wide, 1);
        tiff_unpack(&from->layout, (unsigned char *)from->block + row * stride, plane, span.shape.width, span.pixels);
    }
    return STATUS_OK;
}

static Status read_tiles(const TiffSource *from, size_t y, ImageView to) {
    const int planes = from->layout.separate ? from->layout.kept : 1;
    uint32_t wide = 0;
    TIFFGetField(from->planes[0]->tiff, TIFFTAG_TILEWIDTH, &wide);
    if (wide == 0)
        return fail(STATUS_INPUT, "damaged TIFF: tiles without a size");
    for (int plane = 0; plane < planes; plane++)
        for (size_t x = 0; x < from->layout.width; x += wide)
            TRY(read_tile(from, to, x, y, plane));
    return STATUS_OK;
}

/* Samples of the rows from `y` on, where a band begins. */
static Status read_band(const TiffSource *from, size_t y, ImageView to) {
    Handle *handle = from->planes[0];
    handle->strict = true;
    const Status status = from->layout.tiled ? read_tiles(from, y, to) : read_row(from, y, to.pixels);
    handle->strict = false;
    return status;
}

static void convert_inks(const IccInks *inks, ImageView samples, ImageView to) {
    for (size_t y = 0; y < to.shape.height; y++)
        icc_inks_convert(inks, view_row(samples, y), view_row(to, y), to.shape.width);
}

/* Bands go where their rows shall be, if they can; the others pass the source's own, which keeps the rest of it. */
static Status tiff_read(RowSource *source, ImageView rows) {
    TiffSource *from = (TiffSource *)source;
    const bool alike = shape_row_bytes(from->band.shape) == shape_row_bytes(rows.shape);
    for (size_t y = 0, count; y < rows.shape.height; y += count) {
        const size_t high = from->band.shape.height, within = from->next % high, first = from->next - within;
        const size_t there = source->shape.height - first, band = there < high ? there : high;
        const size_t left = rows.shape.height - y, rest = band - within;
        count = left < rest ? left : rest;
        const ImageView to = view_crop(rows, 0, y, rows.shape.width, count);
        const bool direct = alike && count == band;
        ImageView samples = direct ? to : view_crop(from->band, 0, 0, from->band.shape.width, band);
        if (within == 0)
            TRY(read_band(from, first, samples));
        samples = direct ? to : view_crop(from->band, 0, within, from->band.shape.width, count);
        if (alike && !direct)
            view_copy(samples, to);
        if (from->inks)
            convert_inks(from->inks, samples, to);
        else
            tiff_finish(&from->layout, from->maps, alike ? to : samples, to);
        from->next += count;
    }
    return STATUS_OK;
}

static Status tiff_rewind(RowSource *source) {
    ((TiffSource *)source)->next = 0;
    return STATUS_OK;
}

static void free_source(TiffSource *source) {
    for (size_t i = 0; i < 4; i++)
        close_tiff(&source->own[i]);
    icc_inks_close(&source->inks);
    free(source->block);
    free(source->band.pixels);
}

static void tiff_close(RowSource *source) {
    free_source((TiffSource *)source);
    free(source);
}

/* One more reader of the page that `handle` is at, for rows of another plane. */
static Status open_plane(const Handle *handle, Handle *plane) {
    TiffLayout layout;
    *plane = (Handle){.in = handle->in};
    TRY(open_tiff(plane, "r"));
    plane->guesses_extra = false;
    return TIFFSetSubDirectory(plane->tiff, TIFFCurrentDirOffset(handle->tiff)) ? read_layout(plane->tiff, &layout)
                                                                                : failed(plane);
}

static Status open_inks(TIFF *tiff, TiffSource *source) {
    uint32_t size = 0;
    void *profile = NULL;
    return source->layout.inks && TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &size, &profile) && size > 0
               ? icc_inks_open(profile, size, source->layout.type, false, &source->inks)
               : STATUS_OK;
}

/* At the page that `handle` (borrowed) is at. To be freed, also on failure. */
static Status begin_rows(Handle *handle, TiffSource *source) {
    TRY(read_layout(handle->tiff, &source->layout));
    const TiffLayout *layout = &source->layout;
    const size_t bytes = block_bytes(handle->tiff, layout), high = band_rows(handle->tiff, layout);
    uint16_t *maps[3] = {NULL, NULL, NULL};
    if (bytes == 0 || high == 0)
        return fail(STATUS_INPUT, "damaged TIFF: its rows or tiles have no size, or more than 1 GiB");
    if (layout->palette && !TIFFGetField(handle->tiff, TIFFTAG_COLORMAP, &maps[0], &maps[1], &maps[2]))
        return fail(STATUS_INPUT, "damaged TIFF: a palette without colours");
    memcpy(source->maps, maps, sizeof maps);
    source->layout.low_colours = layout->palette && tiff_colours_are_low(source->maps, 1u << layout->bits);
    TRY(open_inks(handle->tiff, source));
    source->source.shape = tiff_picture_shape(layout);
    source->planes[0] = handle;
    for (int plane = 1; plane < layout->kept && layout->separate && !layout->tiled; plane++) {
        source->planes[plane] = &source->own[plane];
        TRY(open_plane(handle, &source->own[plane]));
    }
    Shape band = tiff_sample_shape(layout);
    band.height = high;
    source->block = malloc(bytes);
    source->band = (ImageView){band, shape_row_bytes(band), calloc(high, shape_row_bytes(band))};
    return source->block && source->band.pixels ? STATUS_OK : fail(STATUS_DEVICE, "no memory to decode TIFF");
}

static Status read_profile(Handle *handle, const TiffSource *source, Image *image) {
    uint32_t size = 0;
    void *profile = NULL;
    if (!TIFFGetField(handle->tiff, TIFFTAG_ICCPROFILE, &size, &profile) || size == 0)
        return STATUS_OK;
    if (source->layout.inks) { /* it speaks of inks, and there are none any more */
        image->extras |= source->inks ? 0u : EXTRA_PROFILE;
        return STATUS_OK;
    }
    image->profile = malloc(size);
    if (!image->profile)
        return fail(STATUS_DEVICE, "no memory to decode TIFF");
    memcpy(image->profile, profile, size);
    image->profile_size = size;
    return STATUS_OK;
}

/* Dots per inch or centimetre; unit 1 is none. */
static Resolution read_resolution(TIFF *tiff) {
    const unsigned unit = tag(tiff, TIFFTAG_RESOLUTIONUNIT);
    const double scale = unit == RESUNIT_INCH ? 1 / 0.0254 : unit == RESUNIT_CENTIMETER ? 100 : 0;
    float x = 0, y = 0;
    const bool known = TIFFGetField(tiff, TIFFTAG_XRESOLUTION, &x) && TIFFGetField(tiff, TIFFTAG_YRESOLUTION, &y) &&
                       isfinite(x) && isfinite(y) && x > 0 && y > 0;
    return known ? (Resolution){scale * (double)x, scale * (double)y} : (Resolution){0};
}

/* OGC GeoTIFF 1.1, 7.1: scale, tie points, a matrix, or keys. */
static bool is_on_earth(TIFF *tiff) {
    for (int i = 0; i < TIFFGetTagListCount(tiff); i++) {
        const uint32_t tag = TIFFGetTagListEntry(tiff, i);
        if (tag == 33550 || tag == 33922 || tag == 34264 || tag == 34735)
            return true;
    }
    return false;
}

static Status read_rest(Handle *handle, const TiffSource *source, Image *image) {
    TIFF *const tiff = handle->tiff;
    uint32_t size = 0;
    void *packet = NULL;
    const TiffDirectory directory = {handle->in, TIFFCurrentDirOffset(tiff), TIFFIsBigEndian(tiff),
                                     TIFFIsBigTIFF(tiff)};
    TRY(read_profile(handle, source, image));
    image->resolution = read_resolution(tiff);
    TRY(exif_of_tiff(directory, &image->exif, &image->extras));
    if (TIFFGetField(tiff, TIFFTAG_RICHTIFFIPTC, &size, &packet) ||
        (TIFFGetField(tiff, TIFFTAG_PHOTOSHOP, &size, &packet) && notes_of_iptc(packet, size)))
        image->extras |= EXTRA_TEXT;
    image->extras |= is_on_earth(tiff) ? EXTRA_PLACE : 0u;
    return TIFFGetField(tiff, TIFFTAG_XMLPACKET, &size, &packet) && size > 0
               ? image_block_set(&image->xmp, packet, size)
               : STATUS_OK;
}

/* The page that is open. */
static Status read_page(Handle *handle, Image **image) {
    TiffSource source = {.next = 0};
    Status status = begin_rows(handle, &source);
    if (status == STATUS_OK)
        status = image_create_unfilled(source.source.shape, image);
    if (status == STATUS_OK)
        status = tiff_read(&source.source, (*image)->view);
    if (status == STATUS_OK) {
        (*image)->extras = source.layout.extras;
        (*image)->premultiplied = source.layout.premultiplied;
        status = read_rest(handle, &source, *image);
    }
    if (status == STATUS_OK)
        status = image_orient(image, source.layout.orientation);
    free_source(&source);
    return status;
}

/* Moves on to the next page; *more is false behind the last. A directory that only shows another page in small, or
 * masks it, is no page, unless there is nothing else. */
static Status next_page(Handle *handle, bool begun, bool *more) {
    enum { NO_PAGE = FILETYPE_REDUCEDIMAGE | FILETYPE_MASK };
    *more = true;
    for (bool moves = begun; *more; moves = true) {
        uint32_t kind = 0;
        TRY(decoding_goes_on());
        handle->guesses_extra &= !moves;
        *more = !moves || TIFFReadDirectory(handle->tiff);
        if (handle->reason[0])
            return failed(handle);
        if (!*more)
            break;
        TRY(check_directory(handle));
        if (handle->takes_reduced || !TIFFGetField(handle->tiff, TIFFTAG_SUBFILETYPE, &kind) || !(kind & NO_PAGE))
            return STATUS_OK;
    }
    if (begun)
        return STATUS_OK;
    handle->takes_reduced = *more = true;
    handle->guesses_extra = false;
    return TIFFSetDirectory(handle->tiff, 0) ? STATUS_OK : failed(handle);
}

/* Calls `visit` for the pages that are wanted. STATUS_INPUT if there is none. */
static Status visit_pages(Handle *handle, Pages pages, Status (*visit)(Handle *handle, void *context), void *context) {
    const size_t end = pages.count > 0 ? pages.first + pages.count : SIZE_MAX;
    size_t count = 0;
    bool more;
    TRY(next_page(handle, false, &more));
    for (; more && count < end; count++) {
        if (count == PAGES_MAX)
            return fail(STATUS_INPUT, "a TIFF of more than %d pages; the first ones can be read, each by its number",
                        PAGES_MAX);
        if (count >= pages.first)
            TRY(visit(handle, context));
        TRY(next_page(handle, true, &more));
    }
    return file_has_page(count, pages, "TIFF");
}

/* Bytes that the library holds of a file that is not in memory: compressed, a strip of each plane, or a tile. */
static size_t raw_bytes(TIFF *tiff, const TiffLayout *layout) {
    const tmsize_t bytes = layout->tiled ? TIFFTileSize(tiff) : TIFFStripSize(tiff);
    return memory_product(bytes > 0 ? (size_t)bytes : 0, layout->separate && !layout->tiled ? (size_t)layout->kept : 1);
}

static Status measure_page(Handle *handle, void *context) {
    Measure *measure = context;
    TiffLayout layout;
    TRY(read_layout(handle->tiff, &layout));
    const Shape shape = shape_oriented(tiff_picture_shape(&layout), layout.orientation);
    const size_t rows =
        memory_sum(DECODER_BYTES + block_bytes(handle->tiff, &layout), band_bytes(handle->tiff, &layout));
    const size_t working = memory_sum(rows, layout.orientation > 1 ? shape_bytes(shape) : 0);
    measure->working = working > measure->working ? working : measure->working;
    if (measure->count++ == 0) {
        measure->shape = shape;
        measure->orientation = layout.oriented;
        measure->premultiplied = layout.premultiplied;
        measure->row_working = layout.orientation > 1 ? 0 : memory_sum(rows, raw_bytes(handle->tiff, &layout));
    } else
        measure->further = memory_sum(measure->further, further_bytes(1, shape));
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

static Status go_to_page(Handle *handle, Pages pages) {
    bool more;
    TRY(next_page(handle, false, &more));
    for (size_t page = 0; more && page < pages.first; page++)
        TRY(next_page(handle, true, &more));
    return more ? STATUS_OK : fail(STATUS_INPUT, "damaged TIFF: the page is gone");
}

static Status open_source(Input *file, Pages pages, Image *about, RowSource **rows) {
    TiffSource *source = calloc(1, sizeof *source);
    if (!source)
        return fail(STATUS_DEVICE, "no memory to decode TIFF");
    source->source = (RowSource){.read = tiff_read, .rewind = tiff_rewind, .close = tiff_close};
    *rows = &source->source;
    Handle *handle = &source->own[0];
    handle->in = file;
    TRY(open_tiff(handle, "r"));
    TRY(go_to_page(handle, pages));
    TRY(begin_rows(handle, source));
    about->extras |= source->layout.extras;
    about->premultiplied = source->layout.premultiplied;
    return read_rest(handle, source, about);
}

/* ---- writing ---- */

static bool set_fields(TIFF *tiff, const Image *image) {
    const Shape shape = image->view.shape;
    const bool floating = shape.type == PIXEL_F32, deflate = TIFFIsCODECConfigured(COMPRESSION_ADOBE_DEFLATE);
    const size_t rows = STRIP_BYTES / shape_row_bytes(shape) + 1;
    uint16_t alpha = image->premultiplied ? EXTRASAMPLE_ASSOCALPHA : EXTRASAMPLE_UNASSALPHA;
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
    const bool known = image->resolution.x > 0; /* if not, TIFF 6.0 wants a ratio without a unit */
    set = set && TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, known ? RESUNIT_INCH : RESUNIT_NONE) &&
          TIFFSetField(tiff, TIFFTAG_XRESOLUTION, known ? image->resolution.x * 0.0254 : 1) &&
          TIFFSetField(tiff, TIFFTAG_YRESOLUTION, known ? image->resolution.y * 0.0254 : 1);
    return set;
}

/* Rows on their way into strips. */
typedef struct TiffSink {
    RowSink sink; /* first, so that a RowSink is ours */
    Handle handle;
    size_t strip_rows, next; /* next: row */
    unsigned char *strip;    /* the one being filled */
    unsigned lost;           /* of enum Extra */
} TiffSink;

enum { CLASSIC_MAX = 0x70000000 }; /* bytes: offsets have 32 bits, and noise grows by deflating */

static bool write_strip(const TiffSink *sink, size_t first, size_t rows, void *pixels) {
    return TIFFWriteEncodedStrip(sink->handle.tiff, (uint32_t)(first / sink->strip_rows), pixels,
                                 (tmsize_t)(rows * shape_row_bytes(sink->sink.shape))) >= 0;
}

/* A strip that comes whole is written from where it is. */
static Status tiff_write(RowSink *sink, ImageView rows) {
    TiffSink *to = (TiffSink *)sink;
    const size_t row = shape_row_bytes(sink->shape);
    if (!to->strip || to->strip_rows == 0)
        return fail(STATUS_DEVICE, "no memory to encode TIFF");
    for (size_t y = 0, count; y < rows.shape.height; y += count) {
        const size_t within = to->next % to->strip_rows, first = to->next - within;
        const size_t there = sink->shape.height - first, strip = there < to->strip_rows ? there : to->strip_rows;
        const size_t left = rows.shape.height - y, rest = strip - within;
        count = left < rest ? left : rest;
        const bool direct = count == strip && rows.stride == row;
        for (size_t i = 0; i < count && !direct; i++)
            memcpy(to->strip + (within + i) * row, view_row(rows, y + i), row);
        to->next += count;
        if (within + count == strip && !write_strip(to, first, strip, direct ? view_row(rows, y) : to->strip))
            return failed(&to->handle);
    }
    return STATUS_OK;
}

static Status tiff_finish_sink(RowSink *sink) {
    Handle *handle = &((TiffSink *)sink)->handle;
    return TIFFWriteDirectory(handle->tiff) && TIFFFlush(handle->tiff) && !handle->reason[0] ? STATUS_OK
                                                                                             : failed(handle);
}

static void free_sink(TiffSink *sink) {
    close_tiff(&sink->handle);
    free(sink->strip);
}

static void tiff_close_sink(RowSink *sink) {
    free_sink((TiffSink *)sink);
    free(sink);
}

/* The directory's own tags: PNG's keywords that mean the same, and Exif's fields that TIFF has, too. */
static unsigned write_texts(TIFF *tiff, const Image *image) {
    static const struct {
        uint32_t tag;
        const char *key;
    } keys[] = {{TIFFTAG_DOCUMENTNAME, "Title"}, {TIFFTAG_IMAGEDESCRIPTION, "Description"},
                {TIFFTAG_ARTIST, "Author"},      {TIFFTAG_IMAGEDESCRIPTION, "Comment"},
                {TIFFTAG_MAKE, "Source"},        {TIFFTAG_COPYRIGHT, "Copyright"},
                {TIFFTAG_SOFTWARE, "Software"}};
    unsigned lost = 0;
    Note note;
    for (const unsigned *name = exif_text_tags; *name; name++) {
        const char *text = exif_text(image->exif, *name);
        if (text && !TIFFSetField(tiff, *name, text))
            lost |= EXTRA_EXIF;
    }
    for (size_t at = 0; notes_next(image, &at, &note);) {
        const char *there;
        size_t i = 0;
        while (i < sizeof keys / sizeof *keys && strcmp(keys[i].key, note.key) != 0)
            i++;
        if (i == sizeof keys / sizeof *keys || TIFFGetField(tiff, keys[i].tag, &there) ||
            !TIFFSetField(tiff, keys[i].tag, note.text))
            lost |= EXTRA_TEXT;
    }
    return lost;
}

/* Exif's directories lie before the pixels; in BigTIFF they would be others. */
static Status write_exif(TiffSink *sink, ImageBlock block) {
    Handle *const handle = &sink->handle;
    size_t exif = 0, gps = 0;
    Bytes made = {0};
    if (!block.data)
        return STATUS_OK;
    if (TIFFIsBigTIFF(handle->tiff)) {
        sink->lost |= EXTRA_EXIF;
        return STATUS_OK;
    }
    const size_t at = handle->written;
    Status status = exif_directories(block, at, &made, &exif, &gps);
    if (status == STATUS_INPUT) {
        sink->lost |= EXTRA_EXIF;
        bytes_free(&made);
        return STATUS_OK;
    }
    if (status == STATUS_OK && made.size > 0)
        status = handle->out->put(handle->out, at, made.data, made.size);
    handle->written += made.size;
    bytes_free(&made);
    TRY(status);
    return (exif == 0 || TIFFSetField(handle->tiff, TIFFTAG_EXIFIFD, (uint64_t)exif)) &&
                   (gps == 0 || TIFFSetField(handle->tiff, TIFFTAG_GPSIFD, (uint64_t)gps))
               ? STATUS_OK
               : failed(handle);
}

/* A page of a file that is open; `sink` is to be freed, also on failure. */
static Status begin_page(TiffSink *sink, const Image *image) {
    uint32_t rows = 1;
    sink->sink.shape = image->view.shape;
    sink->next = 0;
    free(sink->strip);
    sink->strip = NULL;
    if (!set_fields(sink->handle.tiff, image) || !TIFFGetField(sink->handle.tiff, TIFFTAG_ROWSPERSTRIP, &rows))
        return failed(&sink->handle);
    sink->lost |= write_texts(sink->handle.tiff, image);
    TRY(write_exif(sink, image->exif));
    sink->strip_rows = rows > 0 ? rows : 1;
    sink->strip = malloc(sink->strip_rows * shape_row_bytes(image->view.shape) + 1);
    if (!sink->strip)
        return fail(STATUS_DEVICE, "no memory to encode TIFF");
    return STATUS_OK;
}

static Status open_sink(const Image *about, SaveOptions options, ByteSink *to, RowSink **rows) {
    TiffSink *sink = calloc(1, sizeof *sink);
    if (!sink)
        return fail(STATUS_DEVICE, "no memory to encode TIFF");
    sink->sink = (RowSink){.write = tiff_write, .finish = tiff_finish_sink, .close = tiff_close_sink};
    sink->handle.out = to;
    *rows = &sink->sink;
    TRY(open_tiff(&sink->handle, shape_bytes(about->view.shape) > CLASSIC_MAX ? "w8" : "w"));
    TRY(begin_page(sink, about));
    if (options.lost)
        *options.lost |= sink->lost;
    return STATUS_OK;
}

static Status write_page(TiffSink *sink, const Image *image, size_t number, size_t count, bool gives_up) {
    TIFF *tiff = sink->handle.tiff;
    const bool named = count == 1 || (TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, FILETYPE_PAGE) &&
                                      TIFFSetField(tiff, TIFFTAG_PAGENUMBER, (unsigned)number, (unsigned)count));
    if (!named)
        return failed(&sink->handle);
    TRY(begin_page(sink, image));
    TRY(format_write_picture(&sink->sink, image->view, gives_up));
    return TIFFWriteDirectory(tiff) ? STATUS_OK : failed(&sink->handle);
}

static Status tiff_save(const Image *image, SaveOptions options, Bytes *file) {
    BytesSink bytes = bytes_sink(file, "TIFF");
    TiffSink sink = {.sink.write = tiff_write, .handle = {.out = &bytes.sink, .again = file}};
    const size_t count = image_count(image);
    size_t all = 0, number = 0;
    for (const Image *each = image; each; each = each->next)
        all = memory_sum(all, shape_bytes(each->view.shape));
    Status status = open_tiff(&sink.handle, all > CLASSIC_MAX ? "w8" : "w");
    for (const Image *each = image; each && status == STATUS_OK; each = each->next)
        status = write_page(&sink, each, number++, count, options.gives_up);
    if (status == STATUS_OK && (!TIFFFlush(sink.handle.tiff) || sink.handle.reason[0]))
        status = failed(&sink.handle);
    free_sink(&sink);
    if (status != STATUS_OK)
        bytes_free(file);
    else if (options.lost)
        *options.lost |= sink.lost;
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
    .holds = EXTRA_PROFILE | EXTRA_EXIF | EXTRA_XMP | EXTRA_RESOLUTION | EXTRA_TEXT,
    .measure = tiff_measure,
    .load_pages = tiff_load,
    .read_rows = open_source,
    .saves_several = true,
    .save = tiff_save,
    .write_rows = open_sink,
    .seeks = true,
#else
    .lacks = "libtiff",
#endif
};
