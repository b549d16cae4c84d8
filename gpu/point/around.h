/* around.h: the points that go along with another operation (Stage.points), as its kernels carry them out
 * (gpu/point/around.cuh). */
#ifndef GLINT_GPU_POINT_AROUND_H
#define GLINT_GPU_POINT_AROUND_H

#include "core/ops/point.h"
#include "gpu/gpu.h"

/* How a part of a program is carried out. */
typedef enum PointsWay {
    POINTS_STEP,          /* a step in double, as the reference does it */
    POINTS_TABLE,         /* functions of one u8: the result of each value; alpha stays as it is */
    POINTS_STAIRS,        /* a function of f32 that rises to u8; alpha is rounded */
    POINTS_PREMULTIPLY,   /* of u8, to f32, in f32 */
    POINTS_UNPREMULTIPLY, /* of f32, to u8, in f32 where that rounds as double does */
    POINTS_TIMES_ALPHA,   /* of f32, to f32, in double; an alpha of white changes nothing */
    POINTS_BY_ALPHA,      /* the same backwards */
} PointsWay;

enum { POINTS_TABLES = 4 };

typedef struct PointsPart {
    PointsWay way;
    int first, index; /* its first step; the same, or which table it is */
} PointsPart;

/* A program on the device. */
typedef struct PointsProgram {
    PointJob job;
    int count; /* of parts */
    PointsPart parts[POINT_STEPS];
    float tables[POINTS_TABLES][256];
    Stairs stairs;
} PointsProgram;

/* Whether kernels that compute in f32 carry them out. They do if pixels keep their channels, the operation reads no
 * u16, and all parts of the programs have shortcuts. */
bool gpu_takes_points(const Stage *stage);
/* How a program is carried out whose first input has this shape; returns the number of parts. */
int gpu_points_parts(const PointJob *job, Shape from, PointsPart parts[POINT_STEPS]);
/* The program in device memory, made if need be; stays for this call. */
Status gpu_points_program(Queue *queue, const PointJob *job, Shape from, const PointsProgram **program);
/* The stage's programs in device memory, NULL where there is none. */
Status gpu_points(Queue *queue, const Stage *stage, const PointsProgram **before, const PointsProgram **after);

#endif
