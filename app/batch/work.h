/* work.h: a picture on its way through a batch: the stage that it is in, and the road that it takes.
 *
 *   OPENING -> PENDING -> DECODING -> READY -> FILTERING -> FILTERED -> ENCODING -> WRITTEN -> DONE
 *                            |        ^  ^ |                                           ^
 *                            v        |  | '-> PASSING --------------------------------'
 *                          PACKED ----'  |     (ROAD_ROWS, ROAD_SPILLED: from file to file)
 *                            |           |
 *                            '-> REFUSED-'     (a device decodes `encoded`; else the host does)
 *
 * From any stage a work that fails goes to DONE. work.c has a row for each stage: the stages before it, its roads, and
 * what the work holds there. */
#ifndef GLINT_APP_BATCH_WORK_H
#define GLINT_APP_BATCH_WORK_H

#include "app/batch/need.h"
#include "core/base/timing.h"
#include "core/device/device_codec.h"

typedef struct Executor Executor;
typedef struct Work Work;

typedef enum WorkStage {
    WORK_OPENING,   /* a codec thread reads its header */
    WORK_PENDING,   /* waits for memory */
    WORK_DECODING,  /* a codec thread has it */
    WORK_PACKED,    /* waits for a device's decoder, or is there */
    WORK_REFUSED,   /* the device did not decode it: waits for a codec thread, or is there */
    WORK_READY,     /* waits for a worker */
    WORK_FILTERING, /* a worker has it */
    WORK_PASSING,   /* a worker has it, and passes its rows from file to file */
    WORK_FILTERED,  /* waits for a codec thread */
    WORK_ENCODING,  /* a codec thread has it */
    WORK_WRITTEN,   /* waits for the disk, or is there */
    WORK_DONE,
    WORK_STAGES
} WorkStage;

/* How a picture passes; known once it is opened. */
typedef enum Road {
    ROAD_WHOLE,   /* its pixels lie in memory */
    ROAD_ROWS,    /* row by row, since it is larger than memory, or WISH_ROWS */
    ROAD_SPILLED, /* row by row, its pipeline's frames in files: memory has no room for strips either */
    ROADS
} Road;

enum Wish {
    WISH_ROWS = 1, /* to pass row by row: the picture gains nothing by lying in memory */
    WISH_DEVICE_DECODE =
        2, /* to stay encoded until a device decodes it; the executor takes this back where devices refuse */
    WISH_DEVICE_ENCODE = 4, /* to be encoded by the device */
    WISH_RENDERING = 8,     /* the picture, or the result, becomes its HDR rendering by its gain map */
};

/* The owner's own struct begins with this. One thread at a time has it. */
struct Work {
    Executor *executor; /* all up to `spans` belong to the executor */
    Work *next;
    size_t number; /* of the call of `open` */
    size_t share;  /* bytes of the budget */
    Need need;
    WorkStage stage;
    Road road;
    Frame frame; /* with the pixels that the device has decoded, or without any */
    Spans spans;
    ChainPrecision precision; /* of the pipeline that the picture has passed */
    PrecisionChoice choice;   /* of that pipeline, where it was one of PRECISION_AUTO */
    const char *name;         /* messages begin with it; `open` sets this, and all up to `wishes` */
    Shape shape;              /* of the picture */
    Shape gain_map;           /* of its; no channel: it has none */
    Encoding as;              /* of the result */
    size_t further;           /* pictures behind the first, as a rule of its shape */
    size_t decoding;          /* bytes that decoding holds at most, the picture included; SIZE_MAX: unknown */
    size_t carried;           /* bytes of them, besides pixels, that stay until the result is encoded */
    size_t by_rows;           /* bytes that decoding and encoding row by row hold, besides the rows; 0: they cannot */
    unsigned wishes;          /* of enum Wish */
    bool too_large;           /* it was refused as the budget seems too small: the executor sets this */
    Image *image;             /* from `decode` to the filter: the picture; from there to `encode`: the result */
    /* If `encoded` is set, `image` has no pixels. Before the filter, a device will decode `encoded`; after it,
     * `encoded` is the device's encoding of the result. */
    EncodedPicture encoded;
};

/* Whether a work of that stage may go to the other. */
bool work_may_move(WorkStage from, WorkStage to);
/* Whether road and holdings go with the stage. */
bool work_check(const Work *work);
/* Moves on; asserts that the work may, and that it is as the stage wants it. */
void work_move(Work *work, WorkStage to);
/* Bytes of the picture's pixels in memory, before and after it is decoded; 0 if they never are there as a whole. */
size_t work_picture_bytes(const Work *work);

#endif
