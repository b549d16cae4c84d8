/* packet.h: the packets of tev's protocol, by which renderers show pictures in a viewer while they make them.
 * Owns their layout (tev, github.com/Tom94/tev: Ipc.h and VectorGraphics.h, all versions of each packet up to
 * UpdateImageV3): bytes in, a struct out, and back. Knows no sockets and no window.
 *
 * A packet is its length in bytes, itself included, in 4 bytes; its type in one; and its members. Numbers are little
 * endian, texts end with a zero. */
#ifndef GLINT_APP_TEV_PACKET_H
#define GLINT_APP_TEV_PACKET_H

#include "core/base/bytes.h"

enum {
    TEV_HEAD = 4,             /* bytes of the length */
    TEV_PACKET_MAX = 1 << 30, /* bytes */
    TEV_NAME_MAX = 1023,      /* bytes of a name or a path, without the zero */
    TEV_CHANNELS_MAX = 256,
    TEV_SIDE_MAX = 1 << 20, /* pixels */
    TEV_NUMBERS_MAX = 8     /* of a drawing command */
};

#define TEV_PORT "14158"

typedef enum TevKind {
    TEV_OPEN,   /* a file of the viewer's machine */
    TEV_RELOAD, /* a picture that was opened */
    TEV_CLOSE,  /* a picture */
    TEV_CREATE, /* a picture without its values */
    TEV_UPDATE, /* values of a part of it, some channels */
    TEV_DRAW,   /* lines and texts over it */
    TEV_KINDS
} TevKind;

/* Texts, values and commands are borrowed: from the bytes that were read, or from the writer. */
typedef struct TevPacket {
    TevKind kind;
    bool focus;           /* the picture is to be shown; not of TEV_CLOSE */
    bool append;          /* TEV_DRAW: to what is drawn already */
    const char *name;     /* of the picture, or the path of its file */
    const char *selector; /* TEV_OPEN: the channels to be shown; "": all. The oldest type has them behind a colon of
                           * the name, and "" here */
    /* TEV_CREATE and TEV_UPDATE: */
    size_t x, y, width, height; /* pixels; x and y of TEV_UPDATE alone */
    int channel_count;
    const char *channels[TEV_CHANNELS_MAX];
    /* TEV_UPDATE: pixel i of channel c, row by row, is value number offsets[c] + i * strides[c]. */
    size_t offsets[TEV_CHANNELS_MAX], strides[TEV_CHANNELS_MAX];
    const unsigned char *values; /* f32, little endian, on any boundary */
    size_t value_count;
    /* TEV_DRAW: */
    Bytes commands;
    size_t command_count;
} TevPacket;

/* The length that a packet's first TEV_HEAD bytes state. STATUS_INPUT if no packet has it. */
Status tev_length(const unsigned char *head, size_t *length);
/* STATUS_INPUT if no packet has this type, the byte behind the length. Requests of a browser are known by it. */
Status tev_check_type(unsigned char type);
/* Reads a whole packet. STATUS_INPUT if its length is not that of the bytes, a member ends behind them, or a number is
 * out of range. Every value that an update names lies within `values`, every command within `commands`. */
Status tev_read(Bytes bytes, TevPacket *packet);
float tev_value(const TevPacket *packet, int channel, size_t pixel);

/* Writes the newest version of a packet over *bytes, whose memory holds *capacity and grows. STATUS_USAGE for members
 * that tev_read would refuse; STATUS_DEVICE if memory is short. */
Status tev_write(const TevPacket *packet, Bytes *bytes, size_t *capacity);

/* The commands of a drawing, those of NanoVG. Numbers are pixels of the picture. */
typedef enum TevVerb {
    TEV_SAVE,            /* fill, stroke and font */
    TEV_RESTORE,         /* those that were saved last */
    TEV_FILL_COLOUR,     /* red, green, blue, alpha, each from 0 to 1 */
    TEV_FILL,            /* the path */
    TEV_STROKE_COLOUR,   /* as TEV_FILL_COLOUR */
    TEV_STROKE,          /* the path */
    TEV_BEGIN_PATH,      /* an empty one */
    TEV_CLOSE_PATH,      /* its last part, by a line to where that begins */
    TEV_PATH_WINDING,    /* 1: the last part is solid, 2: it is a hole */
    TEV_DUMP,            /* nothing is drawn */
    TEV_MOVE_TO,         /* x, y: a new part begins */
    TEV_LINE_TO,         /* x, y */
    TEV_ARC_TO,          /* corner x, y, next x, y, radius */
    TEV_ARC,             /* centre x, y, radius, first angle, last angle, direction: 1 counter-clockwise, 2 clockwise */
    TEV_BEZIER_TO,       /* two control points, end */
    TEV_CIRCLE,          /* centre, radius */
    TEV_ELLIPSE,         /* centre, radii */
    TEV_QUAD_TO,         /* control point, end */
    TEV_RECT,            /* x, y, width, height */
    TEV_ROUNDED_RECT,    /* the same, radius */
    TEV_ROUNDED_CORNERS, /* x, y, width, height, radii: top left, top right, bottom right, bottom left */
    TEV_TEXT,            /* x, y, and a text */
    TEV_TEXT_ALIGN,      /* a sum of: left 1, centre 2, right 4, top 8, middle 16, bottom 32, baseline 64 */
    TEV_FONT_FACE,       /* a text */
    TEV_FONT_SIZE,       /* size, then 0: pixels of the picture, or 1: of the window */
    TEV_STROKE_WIDTH,    /* as TEV_FONT_SIZE */
    TEV_VERBS
} TevVerb;

typedef struct TevCommand {
    TevVerb verb;
    float numbers[TEV_NUMBERS_MAX];
    const char *text; /* of TEV_TEXT and TEV_FONT_FACE, borrowed; else "" */
} TevCommand;

/* The command at byte *at of a drawing that tev_read has read, or that several such make; *at goes behind it. False at
 * the end. */
bool tev_next_command(Bytes drawing, size_t *at, TevCommand *command);

#endif
