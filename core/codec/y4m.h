/* y4m.h: frames of films as YUV4MPEG2 has them (mjpegtools, yuv4mpeg(5)), to pictures and back.
 * Owns the header, where chroma lies, and the arithmetic between Y'CbCr and R'G'B'.
 *
 * The format says neither matrix nor range. As others do, glint assumes BT.601 and limited range (of 8 bits: luma 16 to
 * 235, chroma 16 to 240). `matrix` may be set to BT.709, and the tag XCOLORRANGE=FULL, which ffmpeg writes, is
 * honoured. A sample of chroma lies, with 420jpeg and 420, amid four samples of luma. With 420mpeg2 it lies left amid
 * two, and with 422 on every second one. In between, chroma is interpolated linearly; on the way back, a filter of one
 * or two samples to each side gives it. */
#ifndef GLINT_CORE_CODEC_Y4M_H
#define GLINT_CORE_CODEC_Y4M_H

#include "core/image/image.h"

enum { Y4M_LINE = 512 /* bytes of the longest header, its line break included */ };

typedef enum YuvMatrix { YUV_601, YUV_709 } YuvMatrix;

/* Where chroma lies, and how much of it there is. */
typedef struct Chroma {
    const char *name;     /* "420jpeg" */
    size_t columns, rows; /* of luma for one of chroma; 0: there is none */
    bool left;            /* on the left one of two columns, not between them */
    int bits;             /* of a sample: 8 to 16; more than 8 take two bytes, the lower one first */
} Chroma;

typedef struct Y4m {
    size_t width, height;
    const Chroma *chroma;
    YuvMatrix matrix;
    bool full;           /* range */
    char rest[Y4M_LINE]; /* rate, interlacing, aspect and the header's other fields, each behind a blank */
} Y4m;

/* Reads the first line, without its line break. STATUS_INPUT if it is damaged, or has a field that is not known
 * here. */
Status y4m_parse(const char *line, Y4m *film);
/* Writes it, with its line break; returns the length as snprintf does. */
size_t y4m_format(const Y4m *film, char *buffer, size_t size);
/* The chroma of that name ("444"), or NULL. */
const Chroma *y4m_chroma(const char *name);

/* The bytes of one frame, without its line. */
size_t y4m_frame_bytes(const Y4m *film);
/* The picture of a frame: 1 or 3 channels, u8, or u16 for more than 8 bits. */
Shape y4m_shape(const Y4m *film);
/* Fails as image_create. */
Status y4m_decode(const Y4m *film, const unsigned char *frame, Image **image);
/* Writes y4m_frame_bytes. The view has the film's width and height and 1 or 3 channels; gray has no chroma.
 * STATUS_INPUT for alpha, and STATUS_DEVICE without memory. */
Status y4m_encode(const Y4m *film, ImageView view, unsigned char *frame);

#endif
