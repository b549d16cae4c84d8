/* sandbox_answer.h: the answer of a decoder of the sandbox: a file format of its own, in memory that both sides share.
 * Owns that format, the decoder's writer of it, and the reader, which takes it for the word of a stranger. */
#ifndef GLINT_CORE_CODEC_SANDBOX_ANSWER_H
#define GLINT_CORE_CODEC_SANDBOX_ANSWER_H

#include "core/codec/codec.h"
#include "core/image/gain_map.h"

enum {
    ANSWER_HEAD = 1 << 12, /* bytes before the allocated ones; an answer without pictures has no more */
    ANSWER_COMPLETE = 0x746e6c67,
    ANSWER_WHY = 1024,
    ANSWER_BLOCKS = 4 /* of a picture: profile, Exif, XMP, text */
};

/* Offsets count from the answer's beginning; 0 is nothing. */
typedef struct AnswerBlock {
    uint64_t at, size;
} AnswerBlock;

typedef struct AnswerShape {
    uint64_t width, height;
    uint32_t channels, type;
} AnswerShape;

/* A gain map; without a channel, none. */
typedef struct AnswerGainMap {
    AnswerShape shape;
    uint64_t pixels;
    GainCurve curve;
} AnswerGainMap;

/* A picture. */
typedef struct AnswerParcel {
    AnswerShape shape;
    uint64_t pixels;
    AnswerBlock blocks[ANSWER_BLOCKS];
    AnswerGainMap gain_map;
    double resolution[2], seconds;
    uint32_t extras, plays;
    uint8_t premultiplied, has_gama, has_chrm, has_cicp; /* 0 or 1 */
    uint8_t gama[4], chrm[32], cicp[4];
    uint64_t next; /* parcel, which lies behind this one */
} AnswerParcel;

/* A header, as codec_measure reads it. */
typedef struct AnswerMeasure {
    AnswerShape shape, gain_map;
    uint64_t format, count, further, working;
    uint32_t orientation, extras, premultiplied, none; /* premultiplied: 0 or 1; none: 0 */
} AnswerMeasure;

/* A FilePart. */
typedef struct AnswerPart {
    uint64_t of, rows, fine;
} AnswerPart;

/* At the answer's beginning. */
typedef struct AnswerHead {
    uint32_t complete; /* ANSWER_COMPLETE: the decoder has come to its end */
    uint32_t status;   /* STATUS_OK, STATUS_INPUT, STATUS_DEVICE */
    char why[ANSWER_WHY];
    AnswerMeasure measure; /* if that was asked */
    uint64_t first;        /* parcel, if pictures were */
    AnswerPart part;       /* of the first */
} AnswerHead;

/* ---- the decoder ---- */

/* Hands out memory in its order. While it is the thread's source of pixels (image_source_set), pictures lie where they
 * are read from. */
typedef struct AnswerWriter {
    PixelSource source; /* first, so that a PixelSource is ours */
    unsigned char *base;
    size_t used, size;
} AnswerWriter;

/* `base`: `size` bytes of zeros, ANSWER_HEAD at least, on a page's boundary. */
AnswerWriter answer_begin(void *base, size_t size);
void answer_put_measure(const AnswerWriter *writer, size_t format, const Measure *measure);
/* Pictures whose pixels the writer has handed out, and the part of the first that its file has. STATUS_INPUT if there
 * is no room. */
Status answer_put_images(AnswerWriter *writer, const Image *first, FilePart part);
/* The last word: the status, and status_message() if that is none. */
void answer_end(const AnswerWriter *writer, Status status);

/* ---- the asking process ---- */

/* Reads from a file of `size` bytes that nobody writes to any more. All of it is checked before it is used. The status
 * is the decoder's if that is STATUS_OK, STATUS_INPUT or STATUS_DEVICE; an answer that breaks a rule above is
 * STATUS_INPUT. STATUS_DEVICE if memory is short. */
Status answer_measure(int file, size_t size, Pages pages, size_t *format, Measure *measure);
/* Reads pictures as answer_measure reads a measure, and no more than that said. The first has its shape, turned
 * upright, perhaps without a blank alpha channel. There are `count` at most; those behind the first, and gain maps,
 * take `further` bytes, and the data that go with all of them `carried`. *part is of the first, which is whole unless
 * its measure wants partial ones. Their pixels are freed in the answer once they are read, so that they do not take
 * memory twice.
 */
Status answer_images(int file, size_t size, const Measure *measure, FilePart *part, Image **image);

#endif
