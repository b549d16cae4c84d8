/* png.c: PNG through libpng. Every chunk has a checksum. A wrong one costs a chunk that pixels do not need, and else
 * the picture. libpng's errors jump out of the functions that call setjmp. Their memory lives in a Reader or Writer of
 * the caller, so that no local is looked at after a jump. */
#include "core/codec/formats.h"

#include "core/base/memory.h"
#include "core/codec/frames.h"
#include "core/codec/notes.h"

#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Chunks that say nothing about the pixels: libpng skips them, so that none of them can be a compressed bomb. The
 * orientation in eXIf is read by png_measure, text by keep_chunk. */
enum { CHUNK_NAME = 5, PROFILE_MAX = 8 << 20 };
#define XMP_KEY "XML:com.adobe.xmp"
static const png_byte unread[] = "tEXt\0zTXt\0iTXt\0sPLT\0hIST\0pCAL\0sCAL\0eXIf";

enum {
    DEFLATE_MAX = 1032, /* one compressed byte stands for no more (zlib, "Maximum Expansion Factor") */
    CHUNKS_MAX = 1 << 20,
    CHUNK_FRAME = 12, /* length, type and checksum of a chunk */
    IHDR_AT = 16,
    IHDR_SIZE = 13,
    INTERLACE_AT = 12,       /* of these */
    DECODER_BYTES = 1 << 18, /* libpng, zlib and two rows more take less */
    LAST_BYTES = 16          /* libpng takes so many at once of a file that ends early */
};

typedef struct Reader {
    RowSource source; /* first, so that a RowSource is ours */
    Input *file;
    size_t at;
    png_structp png;
    png_infop info;
    int passes;
    size_t next;    /* row */
    int pass;       /* that is read, */
    size_t in_pass; /* and its next row */
    bool out_of_memory, ended, partial;
    unsigned extras;
    char reason[160];
    jmp_buf out;
} Reader;

static void on_error(png_structp png, png_const_charp message) {
    Reader *reader = png_get_error_ptr(png);
    if (!reader->reason[0])
        snprintf(reader->reason, sizeof reader->reason, "%s", message);
    longjmp(reader->out, 1);
}

/* Chunks that a picture can do without, and their meaning. */
static const struct {
    const char *type;
    unsigned extra;
} spared[] = {{"eXIf", EXTRA_EXIF},  {"iCCP", EXTRA_PROFILE}, {"tEXt", EXTRA_TEXT},
              {"zTXt", EXTRA_TEXT},  {"iTXt", EXTRA_TEXT},    {"gAMA", EXTRA_GAMMA},
              {"cHRM", EXTRA_GAMMA}, {"cICP", EXTRA_CICP},    {"pHYs", EXTRA_RESOLUTION}};

static unsigned extra_of(const char *type) {
    for (size_t i = 0; i < sizeof spared / sizeof *spared; i++)
        if (strncmp(type, spared[i].type, 4) == 0)
            return spared[i].extra;
    return 0;
}

/* The extras that libpng leaves out with a warning, and a picture can do without. These are a profile that is damaged
 * or does not fit, and chunks whose checksum is wrong. */
static unsigned left_out(png_const_charp message) {
    if (strstr(message, "CRC error"))
        return extra_of(message);
    return strstr(message, "iCCP") || strstr(message, "profile") ? EXTRA_PROFILE
           : strstr(message, "keyword")                          ? EXTRA_TEXT
                                                                 : 0;
}

/* Whether libpng passes over transparency, for its length or its place: pixels would show that should not. Where there
 * is an alpha channel, none is touched. */
static bool is_transparency(png_const_charp message) {
    return strncmp(message, "tRNS", 4) == 0 && !strstr(message, "with alpha channel");
}

/* A chunk with a wrong checksum that is none of those to spare may be transparency, under that name or a damaged one.
 */
static void on_warning(png_structp png, png_const_charp message) {
    Reader *reader = png_get_error_ptr(png);
    const unsigned extra = left_out(message);
    if (extra == 0 && strstr(message, "CRC error"))
        on_error(png, message);
    if (is_transparency(message)) {
        snprintf(reader->reason, sizeof reader->reason, "its transparency does not fit the picture (%s)", message);
        on_error(png, message);
    }
    reader->extras |= extra;
}

/* libpng drops chunks that it has no memory for, with a warning that reads as if the file were damaged. */
static png_voidp on_malloc(png_structp png, png_alloc_size_t size) {
    void *memory = malloc(size);
    if (!memory)
        *(bool *)png_get_mem_ptr(png) = true;
    return memory;
}

static void on_free(png_structp png, png_voidp memory) {
    (void)png;
    free(memory);
}

static void on_read(png_structp png, png_bytep data, size_t size) {
    Reader *reader = png_get_io_ptr(png);
    if (!input_peek(reader->file, reader->at, data, size)) {
        reader->ended = true;
        snprintf(reader->reason, sizeof reader->reason, "the file ends early");
        png_error(png, "truncated");
    }
    reader->at += size;
}

static bool png_recognize(Bytes file) {
    return file.size >= 8 && png_sig_cmp(file.data, 0, 8) == 0;
}

/* Asks libpng to expand palettes, transparency and small depths, and to give 16-bit values in our byte order. */
static Shape expand(png_structp png, png_infop info) {
    const int depth = png_get_bit_depth(png, info);
    png_set_expand(png);
    if (depth == 16)
        png_set_swap(png);
    png_read_update_info(png, info);
    return (Shape){png_get_image_width(png, info), png_get_image_height(png, info), png_get_channels(png, info),
                   depth == 16 ? PIXEL_U16 : PIXEL_U8};
}

static Status keep_profile(png_structp png, png_infop info, Image *image) {
    png_charp name;
    int method;
    png_bytep profile;
    png_uint_32 size;
    if (!png_get_iCCP(png, info, &name, &method, &profile, &size))
        return STATUS_OK;
    image->profile = malloc(size);
    if (!image->profile)
        return fail(STATUS_DEVICE, "no memory to decode PNG");
    memcpy(image->profile, profile, size);
    image->profile_size = size;
    return STATUS_OK;
}

static size_t be32(const unsigned char *bytes) {
    return (size_t)bytes[0] << 24 | (size_t)bytes[1] << 16 | (size_t)bytes[2] << 8 | bytes[3];
}

/* Whether the chunk whose type stands at `at` has the checksum that it says. */
static bool is_intact(Input *file, size_t at, size_t length) {
    unsigned char block[1 << 12];
    uLong crc = crc32(0, NULL, 0);
    for (size_t end = at + 4 + length; at < end;) {
        const size_t size = end - at < sizeof block ? end - at : sizeof block;
        if (!input_peek(file, at, block, size))
            return false;
        crc = crc32(crc, block, (uInt)size);
        at += size;
    }
    return input_peek(file, at, block, 4) && be32(block) == crc;
}

/* Takes a chunk's facts into the measure; `at` is where its data begins. */
static void note_chunk(Input *file, const unsigned char *type, size_t at, size_t length, Measure *measure) {
    if (memcmp(type, "tRNS", 4) == 0 && (measure->shape.channels & 1)) /* one colour, or the map's, is transparent */
        measure->shape.channels++;
    if (memcmp(type, "eXIf", 4) != 0 || !is_intact(file, at - 4, length))
        return;
    unsigned char begin[6];
    const size_t skip = length >= 6 && input_peek(file, at, begin, 6) ? exif_prefix(begin, 6) : 0;
    measure->orientation = exif_orientation(file, at + skip, length - skip);
}

/* From chunk to chunk to the end, so that none claims more than the file has before memory is taken for it. Where a
 * part is wanted, *ended says that the file stops before its picture. */
static Status walk_chunks(Input *file, Measure *measure, bool *ended) {
    unsigned char frame[8] = "";
    size_t at = 8, count = 0;
    for (; memcmp(frame + 4, "IEND", 4) != 0; count++) {
        if (count == CHUNKS_MAX)
            return fail(STATUS_INPUT, "damaged PNG: more than %d chunks", CHUNKS_MAX);
        *ended = !input_peek(file, at, frame, sizeof frame);
        if (*ended)
            return measure->pages.partial ? STATUS_OK : file_ends_early("PNG");
        const size_t length = be32(frame);
        *ended = length > file->size - at || CHUNK_FRAME > file->size - at - length;
        if (*ended && measure->pages.partial)
            return STATUS_OK;
        if (*ended)
            return fail(STATUS_INPUT, "damaged PNG: its chunk %.4s claims %zu bytes, but the file ends early",
                        (const char *)frame + 4, length);
        note_chunk(file, frame + 4, at + 8, length, measure);
        at += CHUNK_FRAME + length;
    }
    return STATUS_OK;
}

/* A canvas, which frames are painted on, and its earlier state; and each frame as a file of its own. */
static Status measure_frames(Input *file, ApngSurvey survey, Measure *measure) {
    TRY(file_has_page(survey.count, measure->pages, "PNG"));
    const size_t left = survey.count - measure->pages.first, wanted = measure->pages.count;
    measure->count = wanted > 0 && wanted < left ? wanted : left;
    measure->shape = apng_canvas(measure->shape, survey);
    measure->row_working = 0;
    measure->further = further_bytes(measure->count - 1, measure->shape);
    measure->working = memory_sum(4 * shape_bytes(measure->shape), file->size < SIZE_MAX ? 2 * file->size : 0);
    return STATUS_OK;
}

static Status png_measure(Input *file, Measure *measure) {
    static const int stored[8] = {1, 0, 3, 1, 2, 0, 4, 0}; /* channels in the file, by colour type */
    unsigned char header[IHDR_SIZE];
    if (!input_peek(file, IHDR_AT, header, sizeof header))
        return file_ends_early("PNG");
    const size_t width = be32(header), height = be32(header + 4), depth = header[8];
    const int channels = stored[header[9] & 7];
    const size_t row = (width * depth * (size_t)channels + 7) / 8 + 1; /* below 2^45 */
    const bool mapped = header[9] == PNG_COLOR_TYPE_PALETTE;
    const Pages pages = measure->pages;
    bool ended = false;
    *measure = (Measure){.pages = pages,
                         .count = 1,
                         .shape = {width, height, mapped ? 3 : channels, depth == 16 ? PIXEL_U16 : PIXEL_U8}};
    measure->row_working = header[INTERLACE_AT] == PNG_INTERLACE_NONE ? DECODER_BYTES + 16 * width : 0;
    if (!pages.partial)
        TRY(file_must_hold(file, memory_product(row, height) / DEFLATE_MAX, "PNG"));
    TRY(walk_chunks(file, measure, &ended));
    measure->row_working = ended ? 0 : measure->row_working; /* a part is decoded as a whole */
    const ApngSurvey survey = ended ? (ApngSurvey){0} : apng_survey(file, measure->shape);
    return survey.count > 0 ? measure_frames(file, survey, measure) : file_has_page(1, pages, "PNG");
}

/* The text behind a keyword: plain, or compressed, of which `max` bytes at most are taken. */
typedef struct Text {
    const unsigned char *data;
    size_t size;
    bool packed;
} Text;

/* Unpacks into `block`, and has nothing there if that is damaged or too long. */
static Status unpack(Text text, size_t max, ImageBlock *block) {
    const size_t grown = memory_product(text.size, DEFLATE_MAX);
    uLongf size = grown < max ? grown : max;
    if (!text.packed)
        return text.size <= max ? image_block_set(block, text.data, text.size) : STATUS_OK;
    block->data = malloc(size + 1);
    if (!block->data)
        return fail(STATUS_DEVICE, "no memory for the text of a PNG");
    const int result = uncompress(block->data, &size, text.data, text.size);
    if (result == Z_OK)
        block->size = size;
    else
        image_block_free(block);
    return result == Z_MEM_ERROR ? fail(STATUS_DEVICE, "no memory for the text of a PNG") : STATUS_OK;
}

static Status keep_text(const char *key, Text text, Image *image) {
    ImageBlock unpacked = {0};
    if (strcmp(key, XMP_KEY) == 0) {
        const Status status =
            image->xmp.data || image->extras & EXTRA_XMP ? STATUS_OK : unpack(text, PROFILE_MAX, &image->xmp);
        image->extras |= image->xmp.data ? 0u : EXTRA_XMP;
        return status;
    }
    if (image->extras & EXTRA_TEXT) /* there was too much of it, or it is damaged */
        return STATUS_OK;
    Status status = unpack(text, NOTES_MAX, &unpacked);
    if (status == STATUS_OK && unpacked.data)
        status = notes_add(image, key, unpacked.data, unpacked.size);
    else
        image->extras |= EXTRA_TEXT;
    image_block_free(&unpacked);
    return status;
}

/* Moves behind the next zero; false if there is none. */
static bool pass_zero(Text *text) {
    const unsigned char *zero = memchr(text->data, 0, text->size);
    if (!zero)
        return false;
    text->size -= (size_t)(zero + 1 - text->data);
    text->data = zero + 1;
    return true;
}

/* tEXt: keyword; zTXt: keyword, method; iTXt: keyword, whether it is packed, method, language, keyword in that. */
static bool find_text(char kind, Text *text) {
    if (!pass_zero(text) || (kind != 't' && text->size < (kind == 'z' ? 1 : 2)))
        return false;
    text->packed = kind == 'z' || (kind == 'i' && text->data[0] != 0);
    const size_t flags = kind == 't' ? 0 : kind == 'z' ? 1 : 2;
    text->data += flags;
    text->size -= flags;
    for (int i = 0; i < 2 && kind == 'i'; i++)
        if (!pass_zero(text))
            return false;
    return true;
}

/* The chunks of Image.colours: where their data is, and whether it is there. */
enum { COLOUR_CHUNKS = 3 };
typedef struct ColourChunk {
    const char *type;
    unsigned char *data;
    size_t size;
    bool *has;
} ColourChunk;

static void list_colours(ColourChunks *colours, ColourChunk list[static COLOUR_CHUNKS]) {
    list[0] = (ColourChunk){"gAMA", colours->gama, sizeof colours->gama, &colours->has_gama};
    list[1] = (ColourChunk){"cHRM", colours->chrm, sizeof colours->chrm, &colours->has_chrm};
    list[2] = (ColourChunk){"cICP", colours->cicp, sizeof colours->cicp, &colours->has_cicp};
}

static void keep_colours(const char *name, const unsigned char *data, size_t size, Image *image) {
    ColourChunk list[COLOUR_CHUNKS];
    list_colours(&image->colours, list);
    for (int i = 0; i < COLOUR_CHUNKS; i++)
        if (strcmp(name, list[i].type) == 0 && size == list[i].size) {
            memcpy(list[i].data, data, size);
            *list[i].has = true;
        } else if (strcmp(name, list[i].type) == 0) {
            image->extras |= extra_of(name);
        }
}

/* Pixels per metre. Without a unit, how much longer they are than wide counts as lost, if they are. */
static void keep_resolution(const unsigned char *data, size_t size, Image *image) {
    enum { UNKNOWN, METRE, SIZE = 9 };
    if (size == SIZE && data[8] == METRE)
        image->resolution = (Resolution){(double)be32(data), (double)be32(data + 4)};
    else if (size != SIZE || data[8] != UNKNOWN || be32(data) != be32(data + 4))
        image->extras |= EXTRA_RESOLUTION;
}

/* Exif, resolution, the meaning of colours, and text; XMP is text. */
static Status keep_chunk(const unsigned char *type, const unsigned char *data, size_t size, Image *image) {
    enum { KEY_MAX = 80 }; /* with its zero */
    const char name[CHUNK_NAME] = {(char)type[0], (char)type[1], (char)type[2], (char)type[3]};
    Text text = {data, size, false};
    keep_colours(name, data, size, image);
    if (strcmp(name, "eXIf") == 0)
        return image_block_set(&image->exif, data + exif_prefix(data, size), size - exif_prefix(data, size));
    if (strcmp(name, "pHYs") == 0)
        keep_resolution(data, size, image);
    if (!strstr("tEXt zTXt iTXt", name))
        return STATUS_OK;
    if (!find_text(name[0], &text) || strlen((const char *)data) >= KEY_MAX) {
        image->extras |= EXTRA_TEXT;
        return STATUS_OK;
    }
    return keep_text((const char *)data, text, image);
}

static bool is_kept(const unsigned char *type) {
    const char name[CHUNK_NAME] = {(char)type[0], (char)type[1], (char)type[2], (char)type[3]};
    return strstr("eXIf pHYs tEXt zTXt iTXt gAMA cHRM cICP", name) != NULL;
}

/* The chunks that are kept are small: they are read whole. */
static Status keep_chunks(Input *file, Image *image) {
    unsigned char frame[8] = "";
    Status status = STATUS_OK;
    for (size_t at = 8; status == STATUS_OK && memcmp(frame + 4, "IEND", 4) != 0;) {
        if (!input_peek(file, at, frame, sizeof frame)) /* png_measure has looked at all; a part has no more */
            return STATUS_OK;
        const size_t length = be32(frame);
        if (is_kept(frame + 4) && length <= PROFILE_MAX && is_intact(file, at + 4, length)) {
            unsigned char *data = malloc(length + 1);
            status = !data                                    ? fail(STATUS_DEVICE, "no memory to decode PNG")
                     : input_peek(file, at + 8, data, length) ? keep_chunk(frame + 4, data, length, image)
                                                              : file_ends_early("PNG");
            free(data);
        }
        at += CHUNK_FRAME + length;
    }
    return status;
}

static Status refused(const Reader *reader) {
    return reader->out_of_memory ? fail(STATUS_DEVICE, "no memory to decode PNG")
                                 : fail(STATUS_INPUT, "damaged PNG: %s", reader->reason);
}

static void destroy_reader(Reader *reader) {
    png_destroy_read_struct(&reader->png, &reader->info, NULL);
}

enum { FEW_FILTERS = 4 /* up to this effort, the two that are chosen fastest */ };

/* Up to the first row. */
static Status begin_reading(Reader *reader) {
    *reader = (Reader){.source = reader->source, .file = reader->file, .partial = reader->partial};
    reader->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, reader, on_error, on_warning, &reader->out_of_memory,
                                           on_malloc, on_free);
    reader->info = reader->png ? png_create_info_struct(reader->png) : NULL;
    if (!reader->info)
        return fail(STATUS_DEVICE, "no memory to decode PNG");
    if (setjmp(reader->out))
        return refused(reader);
    png_structp const png = reader->png;
    png_set_read_fn(png, reader, on_read);
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_WARN_DISCARD);
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX); /* image_create has the say */
    png_set_chunk_malloc_max(png, PROFILE_MAX);
    if (reader->partial)
        png_set_compression_buffer_size(png, LAST_BYTES);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, unread, sizeof unread / CHUNK_NAME);
    png_read_info(png, reader->info);
    reader->passes = png_set_interlace_handling(png);
    reader->source.shape = expand(png, reader->info);
    return reader->out_of_memory ? refused(reader) : STATUS_OK;
}

static Status png_read(RowSource *source, ImageView rows) {
    Reader *reader = (Reader *)source;
    if (setjmp(reader->out))
        return refused(reader);
    for (reader->pass = 0; reader->pass < reader->passes; reader->pass++) /* of all rows, if they are several */
        for (reader->in_pass = 0; reader->in_pass < rows.shape.height; reader->in_pass++) {
            png_bytep row = view_row(rows, reader->in_pass);
            TRY(decoding_goes_on());
            png_read_row(reader->png, reader->partial ? NULL : row, reader->partial ? row : NULL);
        }
    reader->next += rows.shape.height;
    if (reader->next == source->shape.height)
        png_read_end(reader->png, reader->info);
    return reader->out_of_memory ? refused(reader) : STATUS_OK;
}

static Status png_rewind(RowSource *source) {
    Reader *reader = (Reader *)source;
    destroy_reader(reader);
    return begin_reading(reader);
}

static void png_close(RowSource *source) {
    destroy_reader((Reader *)source);
    free(source);
}

static Status open_source(Input *file, Pages pages, Image *about, RowSource **rows) {
    Reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return fail(STATUS_DEVICE, "no memory to decode PNG");
    *reader = (Reader){
        .source = {.read = png_read, .rewind = png_rewind, .close = png_close}, .file = file, .partial = pages.partial};
    *rows = &reader->source;
    TRY(begin_reading(reader));
    TRY(keep_profile(reader->png, reader->info, about));
    TRY(keep_chunks(file, about));
    about->extras |= reader->extras;
    return STATUS_OK;
}

/* How far the passes have come. The first gives all rows coarse values; only the last one ends all. */
static FilePart part_of(const Reader *reader) {
    const size_t height = reader->source.shape.height;
    const bool first = reader->pass == 0, last = reader->pass >= reader->passes - 1;
    const size_t come_to = reader->pass < reader->passes ? reader->in_pass : height;
    return (FilePart){.of = height, .rows = first ? come_to : height, .fine = last ? come_to : 0};
}

/* libpng asks for a few bytes at a time, so that it gets nearly all that there are. */
static Status read_part(Input *file, Image *about, RowSource **rows, FilePart *part, Image **image) {
    TRY(open_source(file, (Pages){.partial = true}, about, rows));
    TRY(image_create((*rows)->shape, image));
    const Status status = (*rows)->read(*rows, (*image)->view);
    const Reader *reader = (const Reader *)*rows;
    *part = part_of(reader);
    return status == STATUS_INPUT && reader->ended && part->rows > 0 ? STATUS_OK : status;
}

static Status png_load_part(Bytes bytes, FilePart *part, Image **image) {
    Input file = input_of(bytes);
    RowSource *rows = NULL;
    Image *about;
    *image = NULL;
    TRY(image_create_about((Shape){0}, &about));
    const Status status = read_part(&file, about, &rows, part, image);
    if (status == STATUS_OK)
        image_pass_on(about, *image);
    else
        image_destroy(image);
    row_source_close(&rows);
    image_destroy(&about);
    return status;
}

typedef struct Writer {
    RowSink sink; /* first, so that a RowSink is ours */
    ByteSink *to;
    size_t at;
    Status status; /* of the last bytes */
    png_structp png;
    png_infop info;
    bool out_of_memory;
    unsigned lost; /* of enum Extra */
    char *text;    /* XMP with a zero behind it, or a note in Latin-1 and its keyword */
    jmp_buf out;
} Writer;

static void on_write_warning(png_structp png, png_const_charp message) {
    ((Writer *)png_get_error_ptr(png))->lost |= left_out(message);
}

static void on_write_error(png_structp png, png_const_charp message) {
    (void)message;
    longjmp(((Writer *)png_get_error_ptr(png))->out, 1);
}

static void on_write(png_structp png, png_bytep data, size_t size) {
    Writer *writer = png_get_io_ptr(png);
    writer->status = writer->to->put(writer->to, writer->at, data, size);
    if (writer->status != STATUS_OK)
        png_error(png, "");
    writer->at += size;
}

static void on_flush(png_structp png) {
    (void)png;
}

static Status not_written(const Writer *writer) {
    return writer->status != STATUS_OK ? writer->status : fail(STATUS_DEVICE, "no memory to encode PNG");
}

/* Latin-1 as PNG's older chunks have it, compressed if it is long; text that it cannot hold in UTF-8. */
static void write_note(Writer *writer, Note note) {
    enum { LONG = 1 << 10 };
    char *const key = writer->text, *const latin = key + strlen(note.key) + 1;
    const bool is_latin = notes_latin(note.text, latin), is_long = strlen(note.text) > LONG;
    png_text text = {.compression = is_latin ? (is_long ? PNG_TEXT_COMPRESSION_zTXt : PNG_TEXT_COMPRESSION_NONE)
                                             : (is_long ? PNG_ITXT_COMPRESSION_zTXt : PNG_ITXT_COMPRESSION_NONE),
                     .key = key,
                     .text = is_latin ? latin : (png_charp)note.text,
                     .lang = (png_charp) "",
                     .lang_key = (png_charp) ""};
    if (notes_latin(note.key, key))
        png_set_text(writer->png, writer->info, &text, 1);
    else
        writer->lost |= EXTRA_TEXT;
}

/* A keyword that is none is left out with a warning. libpng copies its table of notes for each few that are added. */
static void write_extras(Writer *writer, const Image *image) {
    enum { NOTES = 1 << 12 };
    png_structp const png = writer->png;
    const Resolution resolution = image->resolution;
    Note note;
    if (image->xmp.data) {
        memcpy(writer->text, image->xmp.data, image->xmp.size);
        writer->text[image->xmp.size] = '\0';
        png_text text = {.compression = PNG_ITXT_COMPRESSION_NONE,
                         .key = (png_charp)XMP_KEY,
                         .text = (png_charp)writer->text,
                         .lang = (png_charp) "",
                         .lang_key = (png_charp) ""};
        png_set_text(png, writer->info, &text, 1);
    }
    size_t at = 0;
    for (int i = 0; i < NOTES && notes_next(image, &at, &note); i++)
        write_note(writer, note);
    writer->lost |= at < image->text.size ? EXTRA_TEXT : 0u;
    if (resolution.x > 0 && fmax(resolution.x, resolution.y) < PNG_UINT_31_MAX)
        png_set_pHYs(png, writer->info, (png_uint_32)(resolution.x + 0.5), (png_uint_32)(resolution.y + 0.5),
                     PNG_RESOLUTION_METER);
}

/* As they stood: libpng would weigh them against each other. They come before the pixels. */
static void write_colours(png_structp png, ColourChunks colours) {
    ColourChunk list[COLOUR_CHUNKS];
    list_colours(&colours, list);
    for (int i = 0; i < COLOUR_CHUNKS; i++)
        if (*list[i].has)
            png_write_chunk(png, (png_const_bytep)list[i].type, list[i].data, list[i].size);
}

/* Up to the first row. */
static Status begin_writing(Writer *writer, const Image *image, const SaveOptions *options) {
    static const int colours[5] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                   PNG_COLOR_TYPE_RGB_ALPHA};
    const Shape shape = image->view.shape;
    png_structp const png = writer->png;
    if (setjmp(writer->out))
        return not_written(writer);
    png_set_write_fn(png, writer, on_write, on_flush);
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_benign_errors(png, 1); /* a profile that does not fit the picture is left out */
    png_set_IHDR(png, writer->info, (png_uint_32)shape.width, (png_uint_32)shape.height,
                 shape.type == PIXEL_U16 ? 16 : 8, colours[shape.channels], PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (image->profile)
        png_set_iCCP(png, writer->info, "icc", PNG_COMPRESSION_TYPE_BASE, image->profile,
                     (png_uint_32)image->profile_size);
    if (image->exif.data)
        png_set_eXIf_1(png, writer->info, (png_uint_32)image->exif.size, image->exif.data);
    write_extras(writer, image);
    png_set_compression_level(png, save_deflate_level(options));
    png_set_filter(png, PNG_FILTER_TYPE_BASE,
                   save_value(options, "effort") > FEW_FILTERS ? PNG_ALL_FILTERS : PNG_FILTER_SUB | PNG_FILTER_UP);
    png_write_info(png, writer->info);
    write_colours(png, image->colours);
    if (shape.type == PIXEL_U16)
        png_set_swap(png);
    return writer->out_of_memory ? not_written(writer) : STATUS_OK;
}

static Status png_write(RowSink *sink, ImageView rows) {
    Writer *writer = (Writer *)sink;
    if (setjmp(writer->out))
        return not_written(writer);
    for (size_t y = 0; y < rows.shape.height; y++)
        png_write_row(writer->png, view_row(rows, y));
    return writer->out_of_memory ? not_written(writer) : STATUS_OK;
}

static Status png_finish(RowSink *sink) {
    Writer *writer = (Writer *)sink;
    if (setjmp(writer->out))
        return not_written(writer);
    png_write_end(writer->png, NULL); /* all information stands before the pixels: libpng would write Exif once more */
    return writer->out_of_memory ? not_written(writer) : STATUS_OK;
}

static void png_close_sink(RowSink *sink) {
    Writer *writer = (Writer *)sink;
    png_destroy_write_struct(&writer->png, &writer->info);
    free(writer->text);
    free(writer);
}

static Status open_sink(const Image *about, SaveOptions options, ByteSink *to, RowSink **rows) {
    Writer *writer = calloc(1, sizeof *writer);
    if (!writer)
        return fail(STATUS_DEVICE, "no memory to encode PNG");
    *writer = (Writer){
        .sink = {.shape = about->view.shape, .write = png_write, .finish = png_finish, .close = png_close_sink},
        .to = to};
    *rows = &writer->sink;
    writer->png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, writer, on_write_error, on_write_warning,
                                            &writer->out_of_memory, on_malloc, on_free);
    writer->info = writer->png ? png_create_info_struct(writer->png) : NULL;
    writer->text = malloc(about->xmp.size + about->text.size + 1);
    if (!writer->info || !writer->text)
        return not_written(writer);
    TRY(begin_writing(writer, about, &options));
    if (options.lost)
        *options.lost |= writer->lost;
    return STATUS_OK;
}

static const Option own_options[] = {SAVE_EFFORT};

const Format format_png = {
    .name = "png",
    .title = "PNG",
    .extensions = "png apng",
    .options = {OPTION_ROWS(own_options)},
    .remark = "frames",
    .reads = U8 | U16,
    .writes = U8 | U16,
    .holds =
        EXTRA_PROFILE | EXTRA_EXIF | EXTRA_XMP | EXTRA_RESOLUTION | EXTRA_TEXT | EXTRA_GAMMA | EXTRA_CICP | EXTRA_TIMES,
    .recognize = png_recognize,
    .measure = png_measure,
    .load_pages = apng_load,
    .load_part = png_load_part,
    .read_rows = open_source,
    .saves_several = true,
    .save = apng_save,
    .write_rows = open_sink,
};
