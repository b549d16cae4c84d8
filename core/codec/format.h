/* format.h: a format of picture files: the descriptor that its file in this folder fills in, and the list of all.
 * Owns the structs that pass between a format and its callers: the pages that are wanted, the facts of a header, how to
 * save. */
#ifndef GLINT_CORE_CODEC_FORMAT_H
#define GLINT_CORE_CODEC_FORMAT_H

#include "core/base/bytes.h"
#include "core/base/input.h"
#include "core/codec/raw_way.h"
#include "core/image/image.h"
#include "core/image/rows.h"
#include "core/param/option.h"

#include <stddef.h>

enum { SAVE_OPTIONS = 16 /* names of encoders' options at most */ };

/* How to save; all 0 takes the defaults. */
typedef struct SaveOptions {
    union {
        int whole;
        float number;
    } values[SAVE_OPTIONS]; /* by the place of the option's name in save_options_table */
    bool gives_up;          /* encoding a picture ends with STATUS_INTERRUPTED once a signal was caught */
    unsigned *lost;         /* or NULL; gets the bits of enum Extra for data of the image that the file does not hold */
} SaveOptions;

/* The options of all formats (Format.options), each name once, with the titles of its formats in the help. They set a
 * SaveOptions that lies `offset` bytes into a struct. */
OptionTable save_options_table(size_t offset);
/* The value of the option with this name: 0 without one, or where no format has it. */
double save_value(const SaveOptions *options, const char *name);
/* The chroma that a picture coded with loss holds: of each pixel, of two side by side, or of four. */
typedef enum SaveChroma { SAVE_444 = 1, SAVE_422, SAVE_420 } SaveChroma;
/* As option "sampling" says: by itself 4:4:4 from a quality of 90 on, and 4:2:0 below. */
SaveChroma save_chroma(const SaveOptions *options);
/* Gives the option with this name a value, if a format has it. */
void save_put(const char *name, double value, SaveOptions *options);
/* The defaults, but for this option. */
SaveOptions save_with(const char *name, double value);

/* A choice of a file's pictures: pages of a TIFF, frames of an animation. */
typedef struct Pages {
    size_t first; /* counted from 0 */
    size_t count; /* at most; 0: all that follow */
    bool partial; /* of a file that ends early, the rows that are there */
    RawWay raw;   /* of a RAW file */
} Pages;

/* The rows that are there of a picture whose file ends early: counted from the first, as the file stores them. */
typedef struct FilePart {
    size_t of;   /* all; 0: the file is whole */
    size_t rows; /* 1 at least; those behind are gray, or transparent */
    size_t fine; /* as the whole file has them; behind them details are missing */
} FilePart;

/* The header's facts, read from the first bytes of a picture's file. */
typedef struct Measure {
    Pages pages;     /* the wanted ones: set before */
    size_t count;    /* pictures that will be decoded */
    size_t further;  /* bytes of those behind the first, and that decoding a gain map takes */
    Shape gain_map;  /* of the picture's, if a channel; one that is damaged further on may turn out to be none */
    Shape shape;     /* of the decoded picture; a blank alpha channel may turn out to be none */
    int orientation; /* 1 to 8 (TIFF 6.0, Orientation): `shape` is before it is applied. 1 also where decoding turns
                        the picture; 0: the file says nothing */
    size_t working;  /* bytes that decoding takes at most, besides the file's and the picture's */
    size_t
        carried; /* bytes that a box may answer besides pixels (Image.profile and the like), of all pictures; else 0 */
    unsigned extras;    /* of enum Extra: data that the picture cannot carry */
    bool premultiplied; /* the decoded picture's colours are multiplied by alpha (Image.premultiplied) */
    size_t row_working; /* bytes that decoding row by row takes, besides the rows; 0: this file is decoded as a whole */
} Measure;

/* Shapes that a format holds: a bit for each type and number of channels. */
typedef enum ShapeSet {
    U8X1 = 0x001,
    U8X2 = 0x002,
    U8X3 = 0x004,
    U8X4 = 0x008,
    U8 = 0x00F,
    U16X1 = 0x010,
    U16X3 = 0x040,
    U16X4 = 0x080,
    U16 = 0x0F0,
    F32X1 = 0x100,
    F32X3 = 0x400,
    F32 = 0xF00
} ShapeSet;

/* A picture as its file has it, to be decoded by a device (core/device/device_codec.h), or as one has encoded it. */
typedef struct EncodedPicture {
    Bytes bytes;     /* owned; none: there is no such picture */
    Shape shape;     /* as it stands there */
    int orientation; /* how it is to be turned then */
} EncodedPicture;

/* The host's part of the work where a device decodes and encodes a format's pictures. */
typedef struct FormatShell {
    /* Whether a decoder that knows the plainest files can decode this one, and `load` would, to the last value; then
     * *end is behind the picture. */
    bool (*is_plain)(Bytes file, size_t *end);
    /* Reads all that `load` reads besides pixels, of a picture that ends at `end`; `about` is an image without them. */
    Status (*load_about)(Bytes file, size_t end, Image *about);
    /* Makes the file that `save` would make of an image like `about`, whose pixels are not read, from a device's
     * encoded data. */
    Status (*save_about)(const Image *about, Bytes encoded, SaveOptions options, Bytes *file);
    /* Whether a device encodes as these options ask; else the host does. */
    bool (*takes)(const SaveOptions *options);
} FormatShell;

/* Bytes that an encoder holds of a picture of noise: for each pixel, for each of its channels, and for alpha. */
typedef struct EncodingCost {
    unsigned pixel, channel[PIXEL_TYPES], alpha;
} EncodingCost;

/* One file format, described in its file in core/codec/. */
typedef struct Format {
    const char *name;       /* "png": also the first extension */
    const char *title;      /* "PNG": how sentences call it */
    const char *extensions; /* space-separated, lower case, without dots: "jpg jpeg jpe" */
    const char *remark;     /* further words of `glint list formats`, or NULL */
    const char *lacks; /* the library that this build lacks: it is only recognized, neither read nor written; or NULL */
    unsigned reads, writes; /* of ShapeSet */
    size_t side_max;        /* pixels of width and height that can be written; 0: no limit */
    unsigned holds;         /* of enum Extra: data written besides the pixels */
    bool (*recognize)(Bytes head);
    bool (*recognize_in)(Input *file); /* in its place, where the first bytes do not tell */
    /* Reads the header. STATUS_INPUT if it is damaged, or says more than a file of this size can hold. */
    Status (*measure)(Input *file, Measure *measure);
    /* Decodes a file that `measure` has accepted; the orientation is left to the caller. */
    Status (*load)(Bytes file, Image **image);
    /* Loads the rows of a file that ends early, at least one; others have any values. NULL: such files are refused. */
    Status (*load_part)(Bytes file, FilePart *part, Image **image);
    /* Takes the place of `load` where a file may hold several pictures: loads the wanted ones, one behind the other.
     * `measure` goes by measure->pages and says how many these are. STATUS_INPUT if there is no such page. */
    Status (*load_pages)(Bytes file, Pages pages, Image **image);
    bool saves_several; /* `save` takes the pictures behind the first, too */
    /* Takes the place of `load`, or of `load_pages` for files of one picture: gives its rows, one after the other. A
     * file that cannot be read by rows gives all of them in one call. `about`, an image without pixels, gets the file's
     * other data. */
    Status (*read_rows)(Input *file, Pages pages, Image *about, RowSource **rows);
    /* Encodes a picture of a shape that `writes` and `side_max` allow. */
    Status (*save)(const Image *image, SaveOptions options, Bytes *file);
    /* Instead of `save`, or besides it for one picture: takes the rows of one like `about`, whose pixels are not read.
     * Unless it `seeks`, bytes are written in their order. */
    Status (*write_rows)(const Image *about, SaveOptions options, ByteSink *to, RowSink **rows);
    /* The encoder's own options: switches, choices and numbers, without places. Formats share the value of a name, and
     * so have equal rows but for the help. No number may be 0: that is none, and takes `otherwise`. */
    OptionTable options;
    EncodingCost working, working_exact; /* of `save`, as measured; exact: where every value is kept */
    unsigned coefficient; /* further bytes for a value where options "progressive" or "optimize" are on */
    bool seeks;
    bool streams;             /* pictures may follow each other in a stream, as a film's frames */
    bool develops;            /* Pages.raw says how files become pictures */
    bool raw;                 /* values stand in files as they do in memory: rows pass with no file between */
    const FormatShell *shell; /* NULL: no device is asked */
} Format;

extern const Format *const formats[];
extern const size_t format_count;
extern const Format *const format_default; /* of pictures, where nobody names one: PNG */

/* "u8x1-4 u16x1,3": a set of shapes in words; returns the length. */
size_t format_shapes(unsigned shapes, char *buffer, size_t size);
/* "loads u8x1-4 u16x1-4, saves u8x1,3; CMYK becomes RGB", or the library that the build lacks; returns the length. */
size_t format_describe(const Format *format, char *buffer, size_t size);

/* Whether a picture of this shape can be written: by type, channels and size. */
bool format_writes(const Format *format, Shape shape);

/* Whether a file is of this format, by its first bytes, or where these do not tell, by what they point to. */
bool format_recognizes(const Format *format, Input *file);

/* By a file name's extension (any case), or by name; NULL if none fits. */
const Format *format_for_path(const char *path);
const Format *format_by_name(const char *name);

#endif
