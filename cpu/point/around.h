/* around.h: the points that go along with another operation (Stage.points), row by row of a tile. They apply as its
 * pixels are read, and as its results are written. */
#ifndef GLINT_CPU_POINT_AROUND_H
#define GLINT_CPU_POINT_AROUND_H

#include "cpu/point/rows.h"

/* The programs that all tiles of a stage share. */
typedef struct PointsAround {
    Stage before, after; /* point stages; of `after`, the input that the operation made has no pixels yet */
    int made;            /* the number of that input */
    const PointProgram *before_program, *after_program;
    PointRow *row;
} PointsAround;

/* For a stage that has points, and for this call of the queue. STATUS_DEVICE if memory is short. */
Status points_around_create(Queue *queue, const Stage *stage, PointsAround *around);

/* The pixels x to x + count - 1 of row y, as the operation reads them: where they lie, which may be `room`, which holds
 * so many. */
const void *points_around_read(const PointsAround *around, size_t x, size_t y, size_t count, void *room);
/* Writes such pixels of the operation's result. For a stage that has points behind it. */
void points_around_write(const PointsAround *around, size_t x, size_t y, size_t count, void *made);

#endif
