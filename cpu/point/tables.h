/* tables.h: the steps of a point program that tables stand for. */
#ifndef GLINT_CPU_POINT_TABLES_H
#define GLINT_CPU_POINT_TABLES_H

#include "cpu/point/rows.h"

typedef struct PointTables {
    PointTable by_step[POINT_STEPS];
    float *memory;  /* of all tables */
    Stairs *stairs; /* or NULL */
} PointTables;

/* How many steps from `index` on a table stands for: not if it has about as many entries as the picture has values. */
int point_table_steps(const Stage *stage, int index);
/* Whether stairs stand for step `index`: not for so few values that making them takes longer. */
bool point_has_stairs(const Stage *stage, int index);
/* A table for every run of such steps, and the stairs of the first that has some. Only the stage's shapes and its job
 * count. STATUS_DEVICE if memory is short. */
Status point_tables_create(Queue *queue, const Stage *stage, PointTables *tables);
void point_tables_free(PointTables *tables); /* accepts zeroed ones */

#endif
