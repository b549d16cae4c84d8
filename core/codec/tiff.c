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
#    include "core/codec/tiff.h"
#    include "core/codec/tiff_layout.h"
#    include "core/image/icc.h"
#    include "core/image/shape.h"

#    include <math.h>
#    include <stdio.h>
#    include <stdlib.h>

enum { DECODER_BYTES = 1 << 20, PAGES_MAX = 1 << 16 };

static unsigned tag(TIFF *tiff, uint32_t name) {
    uint16_t value = 0;
    return TIFFGetFieldDefaulted(tiff, name, &value) ? value : 0;
}

/* How many further samples the file speaks of, and their kinds. Samples that the library adds are
 * EXTRASAMPLE_UNSPECIFIED. */
static unsigned extra_samples(TIFF *tiff, const uint16_t **kinds) {
    const TiffHandle *handle = TIFFClientdata(tiff);
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
static Status decoded(const TiffHandle *handle, bool ok) {
    return ok && !handle->reason[0] ? STATUS_OK
           : handle->reason[0]      ? tiff_failed(handle)
                                    : fail(STATUS_INPUT, "damaged TIFF: its pixels cannot be decoded");
}

/* The bytes of a row, or of a tile; 0 if they are too many or cannot be said. */
static size_t block_bytes(TIFF *tiff, const TiffLayout *layout) {
    const tmsize_t bytes = layout->tiled ? TIFFTileSize(tiff) : TIFFScanlineSize(tiff);
    return bytes > 0 && bytes <= TIFF_BLOCK_MAX ? (size_t)bytes : 0;
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
    TiffHandle own[4];       /* the first is not used where the page's handle is another's */
    TiffHandle *planes[4];   /* one for each plane whose rows are in strips of their own; else the first alone */
    void *block;             /* a row, or a tile, as the library gives it */
    ImageView band;          /* of samples; its pixels are the source's */
    size_t next;             /* row */
} TiffSource;

static Status read_row(const TiffSource *from, size_t y, void *to) {
    const int planes = from->layout.separate ? from->layout.kept : 1;
    TRY(decoding_goes_on());
    for (int plane = 0; plane < planes; plane++) {
        TiffHandle *handle = from->planes[plane];
        const unsigned sample = tiff_sample(&from->layout, plane);
        const int got = TIFFReadScanline(handle->tiff, from->block, (uint32_t)y, (uint16_t)sample);
        TRY(decoded(handle, got == 1));
        tiff_unpack(&from->layout, from->block, plane, from->layout.width, to);
    }
    return STATUS_OK;
}

static Status read_tile(const TiffSource *from, ImageView to, size_t x, size_t y, int plane) {
    TiffHandle *handle = from->planes[0];
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
    TiffHandle *handle = from->planes[0];
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
        tiff_end(&source->own[i]);
    icc_inks_close(&source->inks);
    free(source->block);
    free(source->band.pixels);
}

static void tiff_close(RowSource *source) {
    free_source((TiffSource *)source);
    free(source);
}

/* One more reader of the page that `handle` is at, for rows of another plane. */
static Status open_plane(const TiffHandle *handle, TiffHandle *plane) {
    TiffLayout layout;
    *plane = (TiffHandle){.in = handle->in};
    TRY(tiff_open(plane, "r"));
    plane->guesses_extra = false;
    return TIFFSetSubDirectory(plane->tiff, TIFFCurrentDirOffset(handle->tiff)) ? read_layout(plane->tiff, &layout)
                                                                                : tiff_failed(plane);
}

static Status open_inks(TIFF *tiff, TiffSource *source) {
    uint32_t size = 0;
    void *profile = NULL;
    return source->layout.inks && TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &size, &profile) && size > 0
               ? icc_inks_open(profile, size, source->layout.type, false, &source->inks)
               : STATUS_OK;
}

/* At the page that `handle` (borrowed) is at. To be freed, also on failure. */
static Status begin_rows(TiffHandle *handle, TiffSource *source) {
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

static Status read_profile(TiffHandle *handle, const TiffSource *source, Image *image) {
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

static Status read_rest(TiffHandle *handle, const TiffSource *source, Image *image) {
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
static Status read_page(TiffHandle *handle, Image **image) {
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
static Status next_page(TiffHandle *handle, bool begun, bool *more) {
    enum { NO_PAGE = FILETYPE_REDUCEDIMAGE | FILETYPE_MASK };
    *more = true;
    for (bool moves = begun; *more; moves = true) {
        uint32_t kind = 0;
        TRY(decoding_goes_on());
        handle->guesses_extra &= !moves;
        *more = !moves || TIFFReadDirectory(handle->tiff);
        if (handle->reason[0])
            return tiff_failed(handle);
        if (!*more)
            break;
        TRY(tiff_check_directory(handle));
        if (handle->takes_reduced || !TIFFGetField(handle->tiff, TIFFTAG_SUBFILETYPE, &kind) || !(kind & NO_PAGE))
            return STATUS_OK;
    }
    if (begun)
        return STATUS_OK;
    handle->takes_reduced = *more = true;
    handle->guesses_extra = false;
    return TIFFSetDirectory(handle->tiff, 0) ? STATUS_OK : tiff_failed(handle);
}

/* Calls `visit` for the pages that are wanted. STATUS_INPUT if there is none. */
static Status visit_pages(TiffHandle *handle, Pages pages, Status (*visit)(TiffHandle *handle, void *context),
                          void *context) {
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

static Status measure_page(TiffHandle *handle, void *context) {
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
    TiffHandle handle = {.in = file};
    measure->count = 0;
    Status status = tiff_open(&handle, "r");
    if (status == STATUS_OK)
        status = visit_pages(&handle, measure->pages, measure_page, measure);
    tiff_end(&handle);
    return status;
}

/* `context` is where the next picture goes. */
static Status load_page(TiffHandle *handle, void *context) {
    Image ***end = context;
    TRY(read_page(handle, *end));
    *end = &(**end)->next;
    return STATUS_OK;
}

static Status tiff_load(Bytes file, Pages pages, Image **image) {
    Input input = input_of(file);
    TiffHandle handle = {.in = &input};
    Image **end = image;
    *image = NULL;
    Status status = tiff_open(&handle, "r");
    if (status == STATUS_OK)
        status = visit_pages(&handle, pages, load_page, &end);
    tiff_end(&handle);
    if (status != STATUS_OK)
        image_destroy(image);
    return status;
}

/* ---- files that end early ---- */

/* The rows from the first on of which all strips, or tiles, lie within so many bytes. */
static size_t rows_there(TIFF *tiff, const TiffLayout *layout, size_t size) {
    const bool tiled = layout->tiled;
    const uint32_t count = tiled ? TIFFNumberOfTiles(tiff) : TIFFNumberOfStrips(tiff);
    const uint32_t planes = layout->separate ? layout->samples : 1, of_plane = planes > 0 ? count / planes : 0;
    uint32_t high = 0, wide = 0;
    size_t rows = layout->height;
    TIFFGetFieldDefaulted(tiff, tiled ? TIFFTAG_TILELENGTH : TIFFTAG_ROWSPERSTRIP, &high);
    if (tiled)
        TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &wide);
    if (of_plane == 0 || high == 0 || (tiled && wide == 0))
        return 0;
    const size_t across = tiled ? (layout->width + wide - 1) / wide : 1;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t at = TIFFGetStrileOffset(tiff, i), bytes = TIFFGetStrileByteCount(tiff, i);
        const size_t first = i % of_plane / across * high;
        if ((at > size || bytes > size - at) && first < rows)
            rows = first;
    }
    return rows;
}

/* Fails as decoding of the whole file has where it does not end early, or the first row is gone. */
static Status read_rows_there(TiffHandle *handle, Bytes file, FilePart *part, Image **image) {
    TiffSource source = {.next = 0};
    Status status = begin_rows(handle, &source);
    const size_t all = source.layout.height;
    const size_t rows = status == STATUS_OK ? rows_there(handle->tiff, &source.layout, file.size) : 0;
    if (status == STATUS_OK && (rows == 0 || rows == all || source.layout.orientation > 1))
        status = fail(STATUS_INPUT, "damaged TIFF: its pixels cannot be decoded");
    if (status == STATUS_OK)
        status = image_create_unfilled(source.source.shape, image);
    if (status == STATUS_OK)
        status = tiff_read(&source.source, view_crop((*image)->view, 0, 0, source.layout.width, rows));
    if (status == STATUS_OK) {
        *part = (FilePart){.of = all, .rows = rows, .fine = rows};
        (*image)->extras = source.layout.extras;
        (*image)->premultiplied = source.layout.premultiplied;
        status = read_rest(handle, &source, *image);
    }
    free_source(&source);
    return status;
}

/* The first page alone; one that is turned has no rows from the first on. */
static Status tiff_load_part(Bytes file, FilePart *part, Image **image) {
    Input input = input_of(file);
    TiffHandle handle = {.in = &input};
    bool more;
    *image = NULL;
    Status status = tiff_open(&handle, "r");
    if (status == STATUS_OK)
        status = next_page(&handle, false, &more);
    if (status == STATUS_OK)
        status = read_rows_there(&handle, file, part, image);
    tiff_end(&handle);
    if (status != STATUS_OK)
        image_destroy(image);
    return status;
}

static Status go_to_page(TiffHandle *handle, Pages pages) {
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
    TiffHandle *handle = &source->own[0];
    handle->in = file;
    TRY(tiff_open(handle, "r"));
    TRY(go_to_page(handle, pages));
    TRY(begin_rows(handle, source));
    about->extras |= source->layout.extras;
    about->premultiplied = source->layout.premultiplied;
    return read_rest(handle, source, about);
}

#endif

static const Option own_options[] = {SAVE_EFFORT};

const Format format_tiff = {
    .name = "tiff",
    .title = "TIFF",
    .extensions = "tiff tif",
    .options = {OPTION_ROWS(own_options)},
    .recognize = tiff_recognize,
#ifdef GLINT_WITH_TIFF
    .remark = "pages, strips, tiles, BigTIFF; palettes and CMYK become RGB",
    .reads = U8 | U16 | F32,
    .writes = U8 | U16 | F32,
    .side_max = UINT32_MAX,
    .holds = EXTRA_PROFILE | EXTRA_EXIF | EXTRA_XMP | EXTRA_RESOLUTION | EXTRA_TEXT,
    .measure = tiff_measure,
    .load_pages = tiff_load,
    .load_part = tiff_load_part,
    .read_rows = open_source,
    .saves_several = true,
    .save = tiff_save,
    .write_rows = tiff_open_sink,
    .seeks = true,
#else
    .lacks = "libtiff",
#endif
};
