/* program.h: a point program as the CPU's rows carry it out, part by part.
 * Owns the division into parts, and their tables. */
#ifndef GLINT_CPU_POINT_PROGRAM_H
#define GLINT_CPU_POINT_PROGRAM_H

#include "core/device/backend.h"
#include "core/ops/point.h"
#include "core/stage/stairs.h"

/* How a part leads from stored values to stored values. */
typedef enum PointPartKind {
    POINT_PART_PLANES, /* any steps, in planes of doubles */
    POINT_PART_TABLE,  /* functions of one 8- or 16-bit value, looked up */
    POINT_PART_STAIRS, /* a function that rises from f32 to u8, looked up among its steps */
    POINT_PART_PREMULTIPLY,
    POINT_PART_UNPREMULTIPLY,
    POINT_PART_TIMES_ALPHA,
    POINT_PART_BY_ALPHA,   /* these four: loops for one step on pixels with alpha, of 8 bits at one end */
    POINT_PART_DIFFERENCE, /* how far u16 are apart, divided by alpha */
    POINT_PART_KINDS
} PointPartKind;

typedef struct PointPart {
    PointPartKind kind;
    int first, steps;    /* of the job */
    const void *colours; /* of a table: the results for 256 or 65536 values, as the last step stores them */
    const void *alphas;  /* as many, for the last channel of pixels that have an alpha; or NULL */
    const Stairs *stairs;
} PointPart;

/* Sums of the colours of bytes. Each value of a pixel weighs those around it in its pixel; alpha stays. */
enum {
    POINT_TAPS = 5,   /* from 2 values to the left to 2 to the right */
    POINT_LANES = 48, /* whole pixels of 3 and 4 values, and whole vectors */
};
typedef struct PointMatrix {
    double rows[12], divisor; /* (rows[4 c] r + rows[4 c + 1] g + rows[4 c + 2] b + rows[4 c + 3]) / divisor */
    bool is_whole;            /* all are whole numbers, and f32 holds the sums */
    float factors[POINT_TAPS][POINT_LANES], addends[POINT_LANES]; /* times the divisor, if they are whole */
    float sure; /* so far off its whole number another sum may be, that f32 rounds as double */
} PointMatrix;

typedef struct PointProgram {
    bool is_of_bytes; /* all parts lead from bytes to bytes, by tables, sums, or with one other picture */
    int count;        /* of parts */
    PointPart parts[POINT_STEPS];
    const PointMatrix *matrices[POINT_STEPS]; /* of those steps of a program of bytes that mix colours; or NULL */
    void *memory;                             /* of all tables and matrices */
} PointProgram;

/* The parts of a stage's job, without tables' results. Only the stage's shapes and its job count. `looks_up`: with
 * tables and stairs, where they do not have about as many entries as the picture has values. */
PointProgram point_program_divide(const Stage *stage, bool looks_up);
/* Whether bytes become light by the table `index`, and light bytes by the stairs behind it, with a matrix between. */
bool point_parts_are_light(const Stage *stage, const PointProgram *program, int index);
PixelType point_part_reads(const Stage *stage, const PointPart *part);
/* With all tables and matrices; the device keeps the last few. For this call of the queue (core/device/cache.h).
 * STATUS_DEVICE if memory is short. */
Status point_program(Queue *queue, const Stage *stage, bool looks_up, const PointProgram **program);

#endif
