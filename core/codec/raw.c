/* raw.c: cameras' RAW files through LibRaw, for reading: developed with the camera's white balance and matrix, or the
 * JPEG within (Pages.raw). */
#include "core/codec/formats.h"

#include "core/codec/raw_signature.h"

#ifdef GLINT_WITH_RAW
#    include "core/base/memory.h"
#    include "core/base/stop.h"
#    include "core/codec/raw_library.h"

#    include <pthread.h>

/* LibRaw holds its own tables, the stored values, and four colours for each pixel. Demosaicing (DHT) adds three floats
 * and directions, a sensor that stands on its corner a second picture. */
enum { DECODER_BYTES = 8 << 20, STORED_PIXEL = 8, DEVELOPED_PIXEL = 8 + 16 + 8 };

typedef struct Reader {
    libraw_data_t *raw;
    RawStream *stream;
    bool damaged;        /* the library met data that cannot be */
    bool is_tiff;        /* with this: */
    TiffDirectory first; /* directory */
    int orientation;     /* as Measure has it */
} Reader;

/* ---- the library's callbacks ---- */

#    if !LIBRAW_COMPILE_CHECK_VERSION_NOTLESS(0, 21) /* newer ones print nothing */
static void on_no_memory(void *user, const char *file, const char *where) {
    (void)user;
    (void)file;
    (void)where;
}
#    endif

static int on_progress(void *user, enum LibRaw_progress stage, int iteration, int expected) {
    (void)user;
    (void)stage;
    (void)iteration;
    (void)expected;
    return interrupted() || stop_asked();
}

/* ---- reading ---- */

static Status refused(int error) {
    switch (error) {
    case LIBRAW_UNSUFFICIENT_MEMORY:
        return fail(STATUS_DEVICE, "no memory to decode RAW");
    case LIBRAW_CANCELLED_BY_CALLBACK:
        return fail(STATUS_INTERRUPTED, "interrupted");
    case LIBRAW_IO_ERROR:
        return file_ends_early("RAW");
    case LIBRAW_FILE_UNSUPPORTED:
        return fail(STATUS_INPUT, "RAW of a kind that LibRaw does not know");
    case LIBRAW_NO_THUMBNAIL:
    case LIBRAW_UNSUPPORTED_THUMBNAIL:
        return fail(STATUS_INPUT, "RAW without a JPEG within; want another --raw");
    default:
        return fail(STATUS_INPUT, "damaged RAW: %s", libraw_strerror(error));
    }
}

/* The status of a call of the library. */
static Status after(const Reader *reader, int error) {
    if (error != LIBRAW_SUCCESS)
        return refused(error);
    return reader->damaged ? fail(STATUS_INPUT, "damaged RAW: its data cannot be decoded") : STATUS_OK;
}

enum { VNG = 1, PPG = 2, DHT = 11 };

/* Demosaicing: "quality" is DHT, or three passes of Markesteijn's for X-Trans; "fast" is PPG, or one pass. */
static void set_way(libraw_output_params_t *params, RawWay way) {
    enum { SRGB = 1, CLIP = 0, BLEND = 2, RECONSTRUCT = 5 };
    static const int highlights[] = {CLIP, BLEND, RECONSTRUCT};
    params->user_qual = way.develop == RAW_QUALITY ? DHT : PPG;
    params->half_size = way.develop == RAW_HALF;
    params->highlight = highlights[way.highlights];
    params->gamm[0] = way.linear ? 1 : 1 / 2.4; /* IEC 61966-2-1: its exponent, and the slope of its straight part */
    params->gamm[1] = way.linear ? 1 : 12.92;
    params->use_camera_wb = 1;
    params->no_auto_bright = 1;
    params->output_color = SRGB;
    params->output_bps = 16;
}

/* LibRaw's turns, as dcraw has them, by those of TIFF 6.0. */
static int orientation_of(int flip) {
    switch (flip) {
    case 3:
        return 3;
    case 5:
        return 8;
    case 6:
        return 6;
    default:
        return 1;
    }
}

/* The file's turn is known then, and left to the caller: pictures stay as the sensor lies. */
static Status open_raw(Input *file, RawWay way, Reader *reader) {
    reader->raw = libraw_init(0);
    if (!reader->raw)
        return fail(STATUS_DEVICE, "no memory to decode RAW");
#    if !LIBRAW_COMPILE_CHECK_VERSION_NOTLESS(0, 21)
    libraw_set_memerror_handler(reader->raw, on_no_memory, NULL);
#    endif
    libraw_set_progress_handler(reader->raw, on_progress, NULL);
    set_way(&reader->raw->params, way);
    reader->is_tiff = raw_directory(file, &reader->first);
    if (reader->is_tiff)
        TRY(raw_check_directories(reader->first));
    TRY(after(reader, raw_stream_open(reader->raw, file, &reader->damaged, &reader->stream)));
    reader->orientation = orientation_of(reader->raw->sizes.flip);
    reader->raw->params.user_flip = 0;
    return STATUS_OK;
}

static void close_raw(Reader *reader) {
    if (reader->raw)
        libraw_close(reader->raw);
    raw_stream_close(reader->stream);
}

/* The JPEG within, as a file; it lies in the reader. */
static Status open_preview(Reader *reader, Bytes *jpeg) {
    TRY(after(reader, libraw_unpack_thumb(reader->raw)));
    const libraw_thumbnail_t *thumbnail = &reader->raw->thumbnail;
    *jpeg = (Bytes){(unsigned char *)thumbnail->thumb, thumbnail->tlength};
    return thumbnail->tformat == LIBRAW_THUMBNAIL_JPEG && format_jpeg.recognize(*jpeg)
               ? STATUS_OK
               : refused(LIBRAW_UNSUPPORTED_THUMBNAIL);
}

static Status measure_preview(Reader *reader, Measure *measure) {
    Bytes jpeg;
    TRY(open_preview(reader, &jpeg));
    Input input = input_of(jpeg);
    TRY(format_jpeg.measure(&input, measure));
    measure->working = memory_sum(measure->working, jpeg.size);
    measure->row_working = 0;
    if (measure->orientation < 1) /* makers leave it to the file around */
        measure->orientation = reader->orientation;
    return STATUS_OK;
}

/* The developed picture's shape, once the library knows its size. */
static Shape shape_of(const libraw_data_t *raw, RawWay way) {
    return (Shape){raw->sizes.iwidth, raw->sizes.iheight, raw->idata.colors == 1 ? 1 : 3,
                   way.linear ? PIXEL_F32 : PIXEL_U16};
}

static Status measure_developed(Reader *reader, Measure *measure) {
    const libraw_data_t *raw = reader->raw;
    const size_t stored = memory_product(raw->sizes.raw_width, raw->sizes.raw_height);
    TRY(after(reader, libraw_adjust_sizes_info_only(reader->raw)));
    measure->shape = shape_of(raw, measure->pages.raw);
    measure->orientation = reader->orientation;
    measure->working = memory_sum(
        DECODER_BYTES,
        memory_sum(memory_product(stored, STORED_PIXEL),
                   memory_product(memory_product(measure->shape.width, measure->shape.height), DEVELOPED_PIXEL)));
    return STATUS_OK;
}

static Status raw_measure(Input *file, Measure *measure) {
    Reader reader = {0};
    Status status = open_raw(file, measure->pages.raw, &reader);
    if (status == STATUS_OK)
        status = measure->pages.raw.develop == RAW_PREVIEW ? measure_preview(&reader, measure)
                                                           : measure_developed(&reader, measure);
    close_raw(&reader);
    return status;
}

/* Values of u16 that lie in the first half of each row become f32, from the last one on. */
static void widen(ImageView view) {
    for (size_t y = 0; y < view.shape.height; y++) {
        float *row = view_row(view, y);
        for (size_t i = view.shape.width * (size_t)view.shape.channels; i-- > 0;) {
            uint16_t value;
            memcpy(&value, (const uint16_t *)(const void *)row + i, sizeof value);
            row[i] = (float)value / 65535;
        }
    }
}

/* Markesteijn's wants this many pixels a side. */
static bool is_small_xtrans(const libraw_data_t *raw) {
    enum { XTRANS = 9, SIDE_MIN = 512 };
    return raw->idata.filters == XTRANS && (raw->sizes.width < SIDE_MIN || raw->sizes.height < SIDE_MIN);
}

/* By VNG, whose place in its table of terms LibRaw keeps for all threads. */
static int process_small_xtrans(libraw_data_t *raw) {
    static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
    raw->params.user_qual = VNG;
    pthread_mutex_lock(&one);
    const int error = libraw_dcraw_process(raw);
    pthread_mutex_unlock(&one);
    return error;
}

static Status develop(Reader *reader, RawWay way, Image **image) {
    libraw_data_t *raw = reader->raw;
    TRY(after(reader, libraw_unpack(raw)));
    TRY(after(reader, is_small_xtrans(raw) ? process_small_xtrans(raw) : libraw_dcraw_process(raw)));
    const Shape shape = shape_of(raw, way);
    TRY(image_create_unfilled(shape, image));
    TRY(after(reader, raw_copy(raw, (*image)->view.pixels, shape_row_bytes(shape))));
    if (way.linear)
        widen((*image)->view);
    return STATUS_OK;
}

static Status load(Bytes file, RawWay way, Reader *reader, Image **image) {
    Input input = input_of(file);
    Bytes jpeg;
    TRY(open_raw(&input, way, reader));
    if (way.develop == RAW_PREVIEW) {
        TRY(open_preview(reader, &jpeg));
        return format_jpeg.load(jpeg, image);
    }
    TRY(develop(reader, way, image));
    const libraw_iparams_t *about = &reader->raw->idata;
    if (about->xmplen > 0)
        TRY(image_block_set(&(*image)->xmp, about->xmpdata, about->xmplen));
    if (reader->is_tiff)
        return exif_of_tiff(reader->first, &(*image)->exif, &(*image)->extras);
    (*image)->extras |= EXTRA_EXIF; /* in ways of the makers */
    return STATUS_OK;
}

static Status raw_load(Bytes file, Pages pages, Image **image) {
    Reader reader = {0};
    *image = NULL;
    Status status = file_has_page(1, pages, "RAW");
    if (status == STATUS_OK)
        status = load(file, pages.raw, &reader, image);
    close_raw(&reader);
    if (status != STATUS_OK)
        image_destroy(image);
    return status;
}
#endif

const Format format_raw = {
    .name = "raw",
    .title = "RAW",
    .extensions = "raw dng cr2 cr3 crw nef nrw arw srf sr2 raf orf rw2 rwl pef srw 3fr fff iiq mos mrw erf mef kdc dcr "
                  "x3f gpr",
    .recognize_in = raw_recognize,
    .develops = true,
#ifdef GLINT_WITH_RAW
    .remark = "cameras' files that LibRaw knows; --raw says how they are developed",
    /* previews are u8 */
    .reads = U8X3 | U16X1 | U16X3 | F32X1 | F32X3,
    .measure = raw_measure,
    .load_pages = raw_load,
#else
    .lacks = "LibRaw",
#endif
};
