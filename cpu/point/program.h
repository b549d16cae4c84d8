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

typedef struct PointProgram {
    bool is_of_bytes; /* all parts lead from bytes to bytes, by tables, sums, or with one other picture */
    int count;        /* of parts */
    PointPart parts[POINT_STEPS];
    void *memory; /* of all tables */
} PointProgram;

/* The parts of a stage's job, without tables' results. Only the stage's shapes and its job count. `looks_up`: with
 * tables and stairs, where they do not have about as many entries as the picture has values. */
PointProgram point_program_divide(const Stage *stage, bool looks_up);
/* Whether bytes become light by the table `index`, and light bytes by the stairs behind it, with a matrix between. */
bool point_parts_are_light(const Stage *stage, const PointProgram *program, int index);
PixelType point_part_reads(const Stage *stage, const PointPart *part);
/* With all tables. STATUS_DEVICE if memory is short; free it all the same. */
Status point_program_create(Queue *queue, const Stage *stage, PointProgram *program);
void point_program_free(PointProgram *program); /* accepts a zeroed one */

#endif
