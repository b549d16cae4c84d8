/* tables.c: the results of steps of functions of one 8- or 16-bit value, for every value. */
#include "cpu/point/tables.h"

#include "cpu/team.h"

#include <stdlib.h>

enum { WORTHWHILE = 2 * 65536 /* u16 values */, SOME = 256 /* made by a thread at a time */ };

/* The type that step `index` reads its value in. */
static PixelType type_before(const Stage *stage, int index) {
    return index == 0 ? stage->in[0].shape.type : point_job(stage)->steps[index - 1].type;
}

int point_table_steps(const Stage *stage, int index) {
    const PixelType type = type_before(stage, index);
    const Shape shape = stage->in[0].shape;
    if (type == PIXEL_F32 || (type == PIXEL_U16 && shape.width * shape.height * (size_t)shape.channels < WORTHWHILE))
        return 0;
    return point_value_steps(point_job(stage), index, shape.channels);
}

bool point_has_stairs(const Stage *stage, int index) {
    const Shape shape = stage->in[0].shape;
    return point_rises(point_job(stage), index, type_before(stage, index)) &&
           shape.width * shape.height * (size_t)shape.channels >= WORTHWHILE;
}

static Status make_stairs(const Stage *stage, PointTables *tables) {
    const PointJob *job = point_job(stage);
    int index = 0;
    while (index < job->count && !point_has_stairs(stage, index))
        index++;
    if (index == job->count)
        return STATUS_OK;
    tables->stairs = malloc(sizeof *tables->stairs);
    if (!tables->stairs)
        return fail(STATUS_DEVICE, "no memory for a table");
    TRY(point_stairs(job, index, tables->stairs));
    tables->by_step[index] = (PointTable){1, NULL, tables->stairs};
    return STATUS_OK;
}

static size_t table_values(const Stage *stage, int index) {
    return type_before(stage, index) == PIXEL_U8 ? 256 : 65536;
}

typedef struct Making {
    const PointJob *job;
    int first, steps;
    float *after;
    size_t values;
} Making;

static void make_some(const void *work, size_t piece, size_t thread) {
    const Making *making = work;
    const size_t begin = piece * SOME, end = begin + SOME;
    (void)thread;
    for (size_t v = begin; v < end && v < making->values; v++)
        making->after[v] = (float)point_value(making->job, making->first, making->steps, (double)v);
}

Status point_tables_create(Queue *queue, const Stage *stage, PointTables *tables) {
    const PointJob *job = point_job(stage);
    size_t count = 0;
    int i = 0;
    *tables = (PointTables){.memory = NULL};
    while (i < job->count) {
        const int steps = tables->by_step[i].steps = point_table_steps(stage, i);
        count += steps > 0 ? table_values(stage, i) : 0;
        i += steps > 0 ? steps : 1;
    }
    float *next = tables->memory = malloc((count + 1) * sizeof *next);
    if (!next)
        return fail(STATUS_DEVICE, "no memory for a table");
    for (i = 0; i < job->count; i++) {
        const int steps = tables->by_step[i].steps;
        const size_t values = steps > 0 ? table_values(stage, i) : 0;
        tables->by_step[i].after = next;
        cpu_share(queue, (values + SOME - 1) / SOME, make_some, &(Making){job, i, steps, next, values});
        next += values;
    }
    return make_stairs(stage, tables);
}

void point_tables_free(PointTables *tables) {
    free(tables->memory);
    free(tables->stairs);
    *tables = (PointTables){.memory = NULL};
}
