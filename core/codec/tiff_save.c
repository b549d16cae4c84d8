/* tiff_save.c: TIFF written through libtiff: strips, deflated. */
#ifdef GLINT_WITH_TIFF
#    include "core/base/memory.h"
#    include "core/codec/formats.h"
#    include "core/codec/notes.h"
#    include "core/codec/tiff.h"

#    include <stdlib.h>

enum { STRIP_BYTES = 1 << 18 /* of a strip that is written */ };

static bool set_fields(TIFF *tiff, const Image *image, int level) {
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
        set = set && TIFFSetField(tiff, TIFFTAG_ZIPQUALITY, level);
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
    TiffHandle handle;
    size_t strip_rows, next; /* next: row */
    unsigned char *strip;    /* the one being filled */
    int level;               /* of zlib */
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
            return tiff_failed(&to->handle);
    }
    return STATUS_OK;
}

static Status tiff_finish_sink(RowSink *sink) {
    TiffHandle *handle = &((TiffSink *)sink)->handle;
    return TIFFWriteDirectory(handle->tiff) && TIFFFlush(handle->tiff) && !handle->reason[0] ? STATUS_OK
                                                                                             : tiff_failed(handle);
}

static void free_sink(TiffSink *sink) {
    tiff_end(&sink->handle);
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
    TiffHandle *const handle = &sink->handle;
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
               : tiff_failed(handle);
}

/* A page of a file that is open; `sink` is to be freed, also on failure. */
static Status begin_page(TiffSink *sink, const Image *image) {
    uint32_t rows = 1;
    sink->sink.shape = image->view.shape;
    sink->next = 0;
    free(sink->strip);
    sink->strip = NULL;
    if (!set_fields(sink->handle.tiff, image, sink->level) ||
        !TIFFGetField(sink->handle.tiff, TIFFTAG_ROWSPERSTRIP, &rows))
        return tiff_failed(&sink->handle);
    sink->lost |= write_texts(sink->handle.tiff, image);
    TRY(write_exif(sink, image->exif));
    sink->strip_rows = rows > 0 ? rows : 1;
    sink->strip = malloc(sink->strip_rows * shape_row_bytes(image->view.shape) + 1);
    if (!sink->strip)
        return fail(STATUS_DEVICE, "no memory to encode TIFF");
    return STATUS_OK;
}

Status tiff_open_sink(const Image *about, SaveOptions options, ByteSink *to, RowSink **rows) {
    TiffSink *sink = calloc(1, sizeof *sink);
    if (!sink)
        return fail(STATUS_DEVICE, "no memory to encode TIFF");
    sink->sink = (RowSink){.write = tiff_write, .finish = tiff_finish_sink, .close = tiff_close_sink};
    sink->handle.out = to;
    sink->level = save_deflate_level(&options);
    *rows = &sink->sink;
    TRY(tiff_open(&sink->handle, shape_bytes(about->view.shape) > CLASSIC_MAX ? "w8" : "w"));
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
        return tiff_failed(&sink->handle);
    TRY(begin_page(sink, image));
    TRY(format_write_picture(&sink->sink, image->view, gives_up));
    return TIFFWriteDirectory(tiff) ? STATUS_OK : tiff_failed(&sink->handle);
}

Status tiff_save(const Image *image, SaveOptions options, Bytes *file) {
    BytesSink bytes = bytes_sink(file, "TIFF");
    TiffSink sink = {
        .sink.write = tiff_write, .handle = {.out = &bytes.sink, .again = file}, .level = save_deflate_level(&options)};
    const size_t count = image_count(image);
    size_t all = 0, number = 0;
    for (const Image *each = image; each; each = each->next)
        all = memory_sum(all, shape_bytes(each->view.shape));
    Status status = tiff_open(&sink.handle, all > CLASSIC_MAX ? "w8" : "w");
    for (const Image *each = image; each && status == STATUS_OK; each = each->next)
        status = write_page(&sink, each, number++, count, options.gives_up);
    if (status == STATUS_OK && (!TIFFFlush(sink.handle.tiff) || sink.handle.reason[0]))
        status = tiff_failed(&sink.handle);
    free_sink(&sink);
    if (status != STATUS_OK)
        bytes_free(file);
    else if (options.lost)
        *options.lost |= sink.lost;
    return status;
}
#endif
