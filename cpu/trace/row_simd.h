/* row_simd.h: tracing with the pixels of a row in the lanes of a vector.
 * Owns the line-up of a frame's spheres and the interface of row_simd.isa.c; the levels simd and sorted share both. */
#ifndef GLINT_CPU_TRACE_ROW_SIMD_H
#define GLINT_CPU_TRACE_ROW_SIMD_H

#include "core/device/backend.h"
#include "core/scene/scene.h"
#include "core/tracer/trace.h"

/* A sphere as a tile's row wants it. */
typedef struct Lined {
    float x, y, z;
    float square;   /* radius * radius */
    float slack;    /* sphere_slack() */
    uint32_t index; /* in the scene */
} Lined;

/* A sphere as a vector of a row's pixels wants it. */
typedef struct Across {
    float x, z;
    float discriminant; /* radius * radius - dy * dy */
    float doubt;        /* the smallest r^2 - d^2 whose sign f32 can tell */
    float slack;
    float nearest;  /* Lineup.nearest */
    uint32_t index; /* in the scene */
} Across;

/* The spheres in the order in which pixels look at them, made once a frame. */
typedef struct Lineup {
    size_t count;
    Lined *lined;
    /* Bounding squares, wide by more than the rounding of their sides. */
    float *left, *right, *bottom, *top;
    /* No sphere from here on comes nearer than this z; INFINITY where the order says nothing about it. */
    float *nearest;
} Lineup;

enum { BAND_HEIGHT = 32, LANES_MAX = 16 };

typedef struct RowJob {
    const Stage *stage;
    Part part; /* of the picture, that is wanted */
    Lineup lineup;
    float *xs; /* camera_x of each column, and LANES_MAX more */
} RowJob;

/* Lists of a thread, each long enough for all spheres. */
typedef struct RowScratch {
    uint32_t *band, *tile;
    Across *row;
} RowScratch;

/* The functions that row_simd.isa.c exports for each instruction set. */
typedef struct RowTable {
    /* Traces the part's rows from `top` on, at most BAND_HEIGHT. */
    void (*trace_band)(const RowJob *job, size_t top, RowScratch scratch);
} RowTable;

/* Carries out a trace stage; `front_to_back` sorts the spheres, so that a pixel stops at the first that hides the rest.
 */
Status row_simd_trace(Queue *queue, const Stage *stage, bool front_to_back);
size_t row_simd_workspace(const Device *device, const Stage *stage); /* for Level.workspace */

#endif
