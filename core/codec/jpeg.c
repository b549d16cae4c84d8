/* jpeg.c: JPEG through libjpeg-turbo. Its warnings tell a damaged file from a whole one: but for those that leave every
 * pixel as it was written, they refuse it.
 * Its errors jump out of the functions that call setjmp. Their memory belongs to the caller, so that no local is looked
 * at after a jump. */
#include "core/codec/formats.h"

#include "core/base/memory.h"
#include "core/codec/jpeg.h"
#include "core/codec/jpeg_gain_map.h"
#include "core/codec/jpeg_plain.h"
#include "core/codec/jpeg_segments.h"
#include "core/codec/notes.h"
#include "core/image/icc.h"

#include <stdlib.h>
#include <string.h>

#include <jerror.h> /* numbers its messages by macros of jpeglib.h: it comes second */

enum {
    SCANS_MAX = 100, /* a small file of thousands of scans over a large picture would take minutes */
};

static void on_error(j_common_ptr common) {
    JpegErrors *errors = (JpegErrors *)common->err;
    common->err->format_message(common, errors->reason);
    longjmp(errors->out, 1);
}

/* Bytes that belong to nothing stand between two markers. Before a restart marker they are the rest of a damaged
 * interval; before any other, nothing that was decoded is in doubt. */
static bool outside_intervals(const struct jpeg_error_mgr *manager) {
    return manager->msg_code == JWRN_EXTRANEOUS_DATA &&
           (manager->msg_parm.i[1] < 0xD0 || manager->msg_parm.i[1] > 0xD7);
}

/* Whether a warning leaves every pixel as it was written. Samsung's phones end the spectrum of sequential scans at 0,
 * which means nothing there. In a progressive picture, frequencies may come before the mean: both are decoded. */
static bool is_harmless(j_common_ptr common) {
    const struct jpeg_decompress_struct *jpeg = (const struct jpeg_decompress_struct *)common;
    const struct jpeg_error_mgr *manager = common->err;
    switch (manager->msg_code) {
    case JWRN_JFIF_MAJOR:
    case JWRN_ADOBE_XFORM:
    case JWRN_NOT_SEQUENTIAL:
        return true;
    case JWRN_BOGUS_PROGRESSION:
        return jpeg->Ss > 0 && manager->msg_parm.i[1] == 0;
    default:
        return outside_intervals(manager);
    }
}

/* Level -1 is a warning: in general, the data is corrupt and the decoder would make something up. */
static void on_message(j_common_ptr common, int level) {
    JpegErrors *errors = (JpegErrors *)common->err;
    if (level >= 0)
        return;
    errors->ended |= common->err->msg_code == JWRN_JPEG_EOF;
    if (common->err->msg_code == JWRN_BOGUS_ICC)
        errors->extras |= EXTRA_PROFILE;
    else if (!is_harmless(common))
        on_error(common);
}

void jpeg_errors_install(JpegErrors *errors, j_common_ptr common) {
    common->err = jpeg_std_error(&errors->manager);
    errors->manager.error_exit = on_error;
    errors->manager.emit_message = on_message;
}

static bool jpeg_recognize(Bytes file) {
    return file.size >= 3 && file.data[0] == 0xFF && file.data[1] == 0xD8 && file.data[2] == 0xFF;
}

typedef struct Decoder {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_progress_mgr progress;
    JpegErrors errors;
    Image *image;
    IccInks *inks;  /* by whose profile CMYK becomes RGB; or NULL */
    FilePart *part; /* NULL: a file that ends early is refused */
    bool gives_end; /* behind the bytes that are there */
    size_t end;     /* of a whole picture in its file */
} Decoder;

static void on_progress(j_common_ptr common) {
    JpegErrors *errors = (JpegErrors *)common->err;
    if (interrupted())
        longjmp(errors->out, 1);
    if (((j_decompress_ptr)common)->input_scan_number <= SCANS_MAX)
        return;
    snprintf(errors->reason, sizeof errors->reason, "more than %d scans", SCANS_MAX);
    longjmp(errors->out, 1);
}

/* ---- the header ---- */

enum {
    MARKER_SOF0 = 0xC0,
    MARKER_SOF2 = 0xC2, /* progressive, Huffman */
    MARKER_SOF3 = 0xC3, /* lossless */
    MARKER_DHT = 0xC4,
    MARKER_JPG = 0xC8,
    MARKER_SOF9 = 0xC9, /* arithmetic from here */
    MARKER_DAC = 0xCC,
    MARKER_SOF15 = 0xCF,
    MARKER_APP13 = 0xED,
    FRAME_HEADER = 6 /* precision, height, width, components */
};

static size_t be16(const unsigned char *bytes) {
    return (size_t)bytes[0] << 8 | bytes[1];
}

static bool frame_begins(int marker) {
    return marker >= MARKER_SOF0 && marker <= MARKER_SOF15 && marker != MARKER_DHT && marker != MARKER_JPG &&
           marker != MARKER_DAC;
}

/* All coefficients are kept while a picture comes in several scans. They are blocks of 64 shorts, with four blocks more
 * along every side (a sampling factor of 2 each way). */
static size_t coefficient_bytes(Shape shape, size_t components) {
    return memory_product(memory_product(shape.width + 32, shape.height + 32), 2 * components);
}

/* The frame's header and how its first scan is interleaved tell how much memory decoding takes. */
static Status measure_frame(Input *file, const JpegSegment *frame, const JpegSegment *scan, Measure *measure) {
    const bool partial = measure->pages.partial;
    unsigned char header[FRAME_HEADER], in_scan;
    if (!input_peek(file, frame->at, header, sizeof header) || !input_peek(file, scan->at, &in_scan, 1))
        return file_ends_early("JPEG");
    if (header[0] != 8 || frame->marker == MARKER_SOF3)
        return fail(STATUS_INPUT, "a %sJPEG of %u bits a value; JPEGs of 8 bits that are lossy can be read",
                    frame->marker == MARKER_SOF3 ? "lossless " : "", header[0]);
    const size_t components = header[5], width = be16(header + 3), height = be16(header + 1);
    measure->shape = (Shape){width, height, components == 1 ? 1 : 3, PIXEL_U8};
    if (components != 1 && components != 3 && components != 4)
        return fail(STATUS_INPUT, "a JPEG of %zu colour components; want 1 (gray), 3 (colour) or 4 (CMYK)", components);
    const bool in_scans = frame->marker == MARKER_SOF2 || frame->marker == MARKER_SOF9 + 1 || in_scan < components;
    measure->working = in_scans ? coefficient_bytes(measure->shape, components) : 0;
    /* in Huffman's code a block of 8 x 8 values takes a bit or more. A component may have one for 4 x 4 such blocks */
    const size_t blocks = (width + 31) / 32 * ((height + 31) / 32);
    return frame->marker < MARKER_SOF9 && !partial ? file_must_hold(file, blocks / 8, "JPEG") : STATUS_OK;
}

static const char exif_tag[] = JPEG_EXIF_TAG, xmp_tag[] = JPEG_XMP_TAG, long_xmp_tag[] = JPEG_LONG_XMP_TAG,
                  jfif_tag[] = "JFIF";

static void note_segment(Input *file, const JpegSegment *segment, Measure *measure) {
    if (segment->marker == JPEG_MARKER_APP1 && measure->orientation == 0 &&
        jpeg_segment_begins(file, segment, exif_tag, sizeof exif_tag))
        measure->orientation = exif_orientation(file, segment->at + sizeof exif_tag, segment->size - sizeof exif_tag);
    if (segment->marker == JPEG_MARKER_APP1 && jpeg_segment_begins(file, segment, long_xmp_tag, sizeof long_xmp_tag))
        measure->extras |= EXTRA_XMP; /* 64 KiB did not hold all of it */
    if (segment->marker == JPEG_MARKER_APP2 && jpeg_segment_begins(file, segment, "MPF", 4))
        measure->extras |= EXTRA_FRAMES;
}

/* Measures the picture that begins at byte `at`. */
static Status measure_at(Input *file, size_t at, Measure *measure) {
    JpegSegment segment = {.at = at + 2}, frame = {0};
    *measure = (Measure){.pages = measure->pages};
    for (;;) {
        if (!jpeg_next_segment(file, segment.at + segment.size, &segment))
            return file_ends_early("JPEG");
        if (frame_begins(segment.marker))
            frame = segment;
        note_segment(file, &segment, measure);
        if (segment.marker == JPEG_MARKER_SOS)
            return frame.at ? measure_frame(file, &frame, &segment, measure)
                            : fail(STATUS_INPUT, "damaged JPEG: a scan without a frame");
    }
}

/* A map that cannot be read counts as data behind the picture. */
static void measure_gain_map(Input *file, Measure *measure) {
    JpegGainMap found;
    Measure map = {.pages = measure->pages};
    if (!jpeg_gain_map_find(file, &found) || measure_at(file, found.at, &map) != STATUS_OK ||
        shape_check(map.shape) != STATUS_OK)
        return;
    const size_t pixels = shape_bytes(map.shape), turned = measure->orientation > 1 ? pixels : 0;
    measure->gain_map = map.shape;
    measure->further = memory_sum(measure->further, memory_sum(memory_sum(pixels, turned), map.working));
    measure->extras &= found.alone ? ~(unsigned)EXTRA_FRAMES : EXTRAS;
}

static Status jpeg_measure(Input *file, Measure *measure) {
    TRY(measure_at(file, 0, measure));
    measure_gain_map(file, measure);
    return STATUS_OK;
}

/* ---- the pixels ---- */

/* A file that ends early is decoded as one whose end is still to come. So nothing is made up. */
static boolean wait_for_more(j_decompress_ptr jpeg) {
    static const JOCTET end[] = {0xFF, JPEG_MARKER_EOI};
    if (!((const Decoder *)jpeg)->gives_end)
        return FALSE;
    jpeg->src->next_input_byte = end;
    jpeg->src->bytes_in_buffer = sizeof end;
    return TRUE;
}

static void skip_some(j_decompress_ptr jpeg, long count) {
    struct jpeg_source_mgr *from = jpeg->src;
    const size_t wanted = count > 0 ? (size_t)count : 0;
    const size_t skipped = wanted < from->bytes_in_buffer ? wanted : from->bytes_in_buffer;
    from->next_input_byte += skipped;
    from->bytes_in_buffer -= skipped;
}

static void wait_at_end(struct jpeg_source_mgr *from) {
    from->fill_input_buffer = wait_for_more;
    from->skip_input_data = skip_some;
}

static Status begin(Decoder *decoder, Bytes file, Shape *shape) {
    struct jpeg_decompress_struct *const jpeg = &decoder->jpeg;
    jpeg_mem_src(jpeg, file.data, file.size);
    if (decoder->part)
        wait_at_end(jpeg->src);
    jpeg_save_markers(jpeg, JPEG_APP0 + 2, 0xFFFF);
    if (jpeg_read_header(jpeg, TRUE) != JPEG_HEADER_OK)
        return file_ends_early("JPEG");
    const int components = jpeg->num_components;
    if (components != 1 && components != 3 && components != 4)
        return fail(STATUS_INPUT, "a JPEG of %d colour components; want 1 (gray), 3 (colour) or 4 (CMYK)", components);
    jpeg->out_color_space = components == 1 ? JCS_GRAYSCALE : components == 3 ? JCS_RGB : JCS_CMYK;
    *shape = (Shape){jpeg->image_width, jpeg->image_height, components == 1 ? 1 : 3, PIXEL_U8};
    return shape_check(*shape);
}

/* Inks to light: the light that the ink and black let through. Adobe's programs, and all others after them, store 255
 * for no ink (Pillow and libjpeg's wrbmp read it so, with or without their marker). The library has made CMYK of
 * YCCK. */
static void inks_to_rgb(const unsigned char *inks, unsigned char *rgb, size_t width) {
    for (size_t x = 0; x < width; x++)
        for (size_t c = 0; c < 3; c++)
            rgb[3 * x + c] = (unsigned char)((inks[4 * x + c] * inks[4 * x + 3] + 127) / 255);
}

static void keep_profile(struct jpeg_decompress_struct *jpeg, bool converted, Image *image) {
    JOCTET *profile;
    unsigned size;
    if (!jpeg_read_icc_profile(jpeg, &profile, &size))
        return;
    if (jpeg->out_color_space == JCS_CMYK) { /* it speaks of inks, and there are none any more */
        free(profile);
        image->extras |= converted ? 0u : EXTRA_PROFILE;
        return;
    }
    image->profile = profile; /* from malloc, as the library documents */
    image->profile_size = size;
}

/* Units 1 and 2 are dots per inch and per centimetre; 0 says only how wide a pixel is by its height. */
static void keep_density(const unsigned char *jfif, Image *image) {
    static const double per_metre[] = {0, 1 / 0.0254, 100};
    const double scale = per_metre[jfif[7] <= 2 ? jfif[7] : 0];
    image->resolution = (Resolution){scale * (double)be16(jfif + 8), scale * (double)be16(jfif + 10)};
}

/* Exif and XMP, of the header: a segment each; resolution; comments. IPTC's captions are not carried on. */
static Status keep_segment(Input *file, const JpegSegment *segment, Image *image) {
    enum { DENSITY_END = 12 };
    const unsigned char *data = file->bytes.data + segment->at;
    if (segment->marker == JPEG_APP0 && segment->size >= DENSITY_END &&
        jpeg_segment_begins(file, segment, jfif_tag, sizeof jfif_tag))
        keep_density(data, image);
    if (segment->marker == JPEG_MARKER_COM)
        return notes_add(image, JPEG_COMMENT, data, segment->size);
    if (segment->marker == MARKER_APP13)
        image->extras |= notes_of_iptc(data, segment->size) ? EXTRA_TEXT : 0u;
    if (segment->marker != JPEG_MARKER_APP1)
        return STATUS_OK;
    if (!image->exif.data && jpeg_segment_begins(file, segment, exif_tag, sizeof exif_tag))
        return image_block_set(&image->exif, data + sizeof exif_tag, segment->size - sizeof exif_tag);
    if (!image->xmp.data && jpeg_segment_begins(file, segment, xmp_tag, sizeof xmp_tag))
        return image_block_set(&image->xmp, data + sizeof xmp_tag, segment->size - sizeof xmp_tag);
    return STATUS_OK;
}

static Status keep_segments(Bytes bytes, Image *image) {
    Input file = input_of(bytes);
    JpegSegment segment = {.at = 2};
    while (jpeg_next_segment(&file, segment.at + segment.size, &segment) && segment.marker != JPEG_MARKER_SOS)
        if (segment.size <= bytes.size - segment.at)
            TRY(keep_segment(&file, &segment, image));
    return STATUS_OK;
}

/* Opens the conversion of CMYK with a profile. */
static Status open_inks(struct jpeg_decompress_struct *jpeg, IccInks **inks) {
    JOCTET *profile;
    unsigned size;
    if (jpeg->out_color_space != JCS_CMYK || !jpeg_read_icc_profile(jpeg, &profile, &size))
        return STATUS_OK;
    const Status status = icc_inks_open(profile, size, PIXEL_U8, true, inks);
    free(profile);
    return status;
}

/* Whether more than padding lies behind the picture: films, gain maps and other pictures do, in files of phones. */
static bool is_followed(const unsigned char *behind, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (behind[i] != 0 && behind[i] != 0xFF)
            return true;
    return false;
}

/* Stops before the first row that is not there, if the library waits for it. */
static void read_rows(struct jpeg_decompress_struct *jpeg, const IccInks *profiled, Image *image) {
    const bool inks = jpeg->out_color_space == JCS_CMYK;
    JSAMPARRAY ink_row =
        inks ? jpeg->mem->alloc_sarray((j_common_ptr)jpeg, JPOOL_IMAGE, 4 * jpeg->output_width, 1) : NULL;
    while (jpeg->output_scanline < jpeg->output_height) {
        JSAMPROW to = view_row(image->view, jpeg->output_scanline), row = inks ? ink_row[0] : to;
        if (jpeg_read_scanlines(jpeg, &row, 1) == 0)
            break;
        if (inks && profiled)
            icc_inks_convert(profiled, row, to, jpeg->output_width);
        else if (inks)
            inks_to_rgb(row, to, jpeg->output_width);
    }
}

/* jpeg_finish_decompress reads to the end-of-image marker: a file without one is refused there. */
static void read_whole(struct jpeg_decompress_struct *jpeg, const IccInks *profiled, Image *image) {
    jpeg_start_decompress(jpeg);
    read_rows(jpeg, profiled, image);
    keep_profile(jpeg, profiled != NULL, image);
    jpeg_finish_decompress(jpeg);
}

/* Whether every component has a scan, and all bits of its coefficients are in those that have begun. */
static bool has_last_scan(const struct jpeg_decompress_struct *jpeg) {
    for (int i = 0; i < jpeg->num_components; i++) {
        if (!jpeg->comp_info[i].quant_table)
            return false;
        for (int k = 0; jpeg->progressive_mode && k < DCTSIZE2; k++)
            if (jpeg->coef_bits[i][k] != 0)
                return false;
    }
    return true;
}

/* The rows that the last scan has come to. Where chroma has fewer rows, the last of them takes some of the next. */
static size_t rows_scanned(const struct jpeg_decompress_struct *jpeg) {
    const size_t down = (size_t)jpeg->max_v_samp_factor, rows = jpeg->input_iMCU_row * down * DCTSIZE;
    return jpeg->input_iMCU_row >= jpeg->total_iMCU_rows ? jpeg->output_height : rows > 0 && down > 1 ? rows - 1 : rows;
}

static void note_rows(const Decoder *decoder, size_t fine) {
    const size_t rows = decoder->jpeg.output_scanline;
    *decoder->part = (FilePart){decoder->jpeg.output_height, rows, fine < rows ? fine : rows};
}

/* One scan gives its rows as they come. Huffman's decoder waits for bytes that the last codes may not need. Given the
 * end, it goes on to the first code that lacks bits, and jumps. */
static bool read_scan(Decoder *decoder) {
    struct jpeg_decompress_struct *const jpeg = &decoder->jpeg;
    jpeg_start_decompress(jpeg);
    read_rows(jpeg, decoder->inks, decoder->image);
    decoder->gives_end = jpeg->output_scanline < jpeg->output_height && !jpeg->arith_code;
    if (decoder->gives_end)
        read_rows(jpeg, decoder->inks, decoder->image);
    note_rows(decoder, jpeg->output_scanline);
    return decoder->gives_end || jpeg->output_scanline < jpeg->output_height || !jpeg_finish_decompress(jpeg);
}

/* Several scans are read as far as they go. Then the picture of one that is whole has all that is known. */
static bool read_scans(Decoder *decoder) {
    struct jpeg_decompress_struct *const jpeg = &decoder->jpeg;
    int got = JPEG_ROW_COMPLETED;
    jpeg->buffered_image = TRUE;
    jpeg_start_decompress(jpeg);
    for (; got != JPEG_SUSPENDED && got != JPEG_REACHED_EOI; got = jpeg_consume_input(jpeg))
        on_progress((j_common_ptr)jpeg);
    const size_t fine = has_last_scan(jpeg) ? rows_scanned(jpeg) : 0;
    jpeg_start_output(jpeg, jpeg->input_scan_number - (jpeg->input_scan_number > 1));
    read_rows(jpeg, decoder->inks, decoder->image);
    note_rows(decoder, fine);
    return got == JPEG_SUSPENDED;
}

static Status read_part(Decoder *decoder) {
    keep_profile(&decoder->jpeg, decoder->inks != NULL, decoder->image);
    const bool ended = jpeg_has_multiple_scans(&decoder->jpeg) ? read_scans(decoder) : read_scan(decoder);
    return ended && decoder->part->rows > 0 ? STATUS_OK : file_ends_early("JPEG");
}

Status jpeg_failed(const JpegErrors *errors, const char *task, const char *what) {
    TRY(decoding_goes_on());
    if (errors->ended)
        return file_ends_early("JPEG");
    return errors->manager.msg_code == JERR_OUT_OF_MEMORY ? fail(STATUS_DEVICE, "no memory to %s JPEG", task)
                                                          : fail(STATUS_INPUT, "%s: %s", what, errors->reason);
}

static Status decode(Decoder *decoder, Bytes file) {
    Shape shape = {0};
    if (setjmp(decoder->errors.out)) {
        if (!decoder->gives_end || interrupted())
            return jpeg_failed(&decoder->errors, "decode", "damaged JPEG");
        note_rows(decoder, decoder->jpeg.output_scanline);
        return decoder->part->rows > 0 ? STATUS_OK : file_ends_early("JPEG");
    }
    jpeg_create_decompress(&decoder->jpeg);
    decoder->progress.progress_monitor = on_progress;
    decoder->jpeg.progress = &decoder->progress;
    TRY(begin(decoder, file, &shape));
    TRY(image_create_unfilled(shape, &decoder->image));
    TRY(open_inks(&decoder->jpeg, &decoder->inks));
    if (decoder->part)
        return read_part(decoder);
    read_whole(&decoder->jpeg, decoder->inks, decoder->image);
    decoder->end = file.size - decoder->jpeg.src->bytes_in_buffer;
    return STATUS_OK;
}

static Status load_picture(Bytes file, FilePart *part, size_t *end, Image **image) {
    Decoder decoder = {.part = part};
    jpeg_errors_install(&decoder.errors, (j_common_ptr)&decoder.jpeg);
    Status status = decode(&decoder, file);
    jpeg_destroy_decompress(&decoder.jpeg);
    icc_inks_close(&decoder.inks);
    if (status == STATUS_OK)
        status = keep_segments(file, decoder.image);
    if (status == STATUS_OK)
        decoder.image->extras |= decoder.errors.extras;
    else
        image_destroy(&decoder.image);
    *end = decoder.end;
    *image = decoder.image;
    return status;
}

/* Reads the gain map of a picture that ends at byte `end`, and tells whether anything else is behind. One that is
 * damaged counts as such. STATUS_DEVICE without memory. */
static Status load_behind(Bytes file, size_t end, Image *image) {
    Input input = input_of(file);
    JpegGainMap found = {.at = file.size};
    Image *map = NULL;
    size_t map_end = file.size;
    const bool has_map = jpeg_gain_map_find(&input, &found) && found.at >= end;
    const Bytes rest = {file.data + found.at, file.size - found.at};
    const Status status = has_map ? load_picture(rest, NULL, &map_end, &map) : STATUS_INPUT;
    if (status == STATUS_DEVICE || status == STATUS_INTERRUPTED)
        return status;
    const size_t until = map ? found.at : file.size, from = map ? found.at + map_end : file.size;
    const bool others = is_followed(file.data + end, until - end) || is_followed(file.data + from, file.size - from);
    image->extras |= others ? EXTRA_BESIDE : 0u;
    return map ? gain_map_give(&map, &found.curve, image) : STATUS_OK;
}

static Status jpeg_load_part(Bytes file, FilePart *part, Image **image) {
    size_t end;
    TRY(load_picture(file, part, &end, image));
    const Status status = part ? STATUS_OK : load_behind(file, end, *image);
    if (status != STATUS_OK)
        image_destroy(image);
    return status;
}

static Status jpeg_load(Bytes file, Image **image) {
    return jpeg_load_part(file, NULL, image);
}

/* ---- pictures that a device decodes and encodes ---- */

static Status read_about(Decoder *decoder, Bytes file) {
    Shape shape = {0};
    if (setjmp(decoder->errors.out))
        return jpeg_failed(&decoder->errors, "decode", "damaged JPEG");
    jpeg_create_decompress(&decoder->jpeg);
    TRY(begin(decoder, file, &shape));
    keep_profile(&decoder->jpeg, false, decoder->image); /* of CMYK the processor makes pictures */
    return STATUS_OK;
}

static Status jpeg_load_about(Bytes file, size_t end, Image *about) {
    Decoder decoder = {.image = about};
    jpeg_errors_install(&decoder.errors, (j_common_ptr)&decoder.jpeg);
    const Status status = read_about(&decoder, file);
    jpeg_destroy_decompress(&decoder.jpeg);
    about->extras |= decoder.errors.extras;
    TRY(status);
    TRY(keep_segments(file, about));
    return load_behind(file, end, about);
}

static const FormatShell shell = {.is_plain = jpeg_is_plain,
                                  .load_about = jpeg_load_about,
                                  .save_about = jpeg_save_about,
                                  .takes = jpeg_device_takes};

static const Option own_options[] = {
    SAVE_QUALITY,
    SAVE_SAMPLING,
    {.name = "progressive", .help = "several scans, each finer; smaller", .kind = OPTION_SWITCH},
    {.name = "optimize", .help = "codes made for this picture: smaller, the same pixels", .kind = OPTION_SWITCH},
    SAVE_BYTES,
};

const Format format_jpeg = {
    .name = "jpg",
    .title = "JPEG",
    .extensions = "jpg jpeg jpe",
    .remark = "CMYK and YCCK become RGB; 8 bits",
    .reads = U8X1 | U8X3,
    .writes = U8X1 | U8X3,
    .side_max = JPEG_MAX_DIMENSION,
    .holds = EXTRA_PROFILE | EXTRA_EXIF | EXTRA_XMP | EXTRA_RESOLUTION | EXTRA_TEXT | EXTRA_GAIN_MAP,
    .options = {OPTION_ROWS(own_options)},
    .recognize = jpeg_recognize,
    .measure = jpeg_measure,
    .load = jpeg_load,
    .load_part = jpeg_load_part,
    .save = jpeg_save,
    /* At quality 100, up to two bytes for a value. */
    .working = {0, {1, 0, 0}, 0},
    .working_exact = {0, {1, 0, 0}, 0},
    .coefficient = sizeof(JCOEF),
    .shell = &shell,
};
