/* rows.h: a row of surfaces, for levels that define World, world_closest_hit and world_any_hit. */
#ifndef GLINT_CPU_SURFACES_ROWS_H
#define GLINT_CPU_SURFACES_ROWS_H

#include "core/math/surfaces.h"
#include "core/tracer/surfaces.h"
#include "cpu/team.h"
#include "cpu/trace/lighting.h"

/* Row `row` of those of which there are pixels to make. */
static inline void surfaces_row(const Stage *stage, const World *world, const ShadingContext *context, size_t row) {
    const SurfacesJob *job = surfaces_job(stage);
    const size_t step = surfaces_step(job), y = row * step;
    float *normals = view_row(stage->out, y), *albedo = view_row(stage->out, job->height + y);
    for (size_t x = 0; x < job->width; x += step)
        surfaces_pixel(world, context, job->camera, job->first, job->samples, job->seed, x, y, job->width, job->height,
                       normals + 4 * x, albedo + 4 * x);
}

typedef struct SurfacesRows {
    const Stage *stage;
    const World *world;
    ShadingContext context;
} SurfacesRows;

static inline void surfaces_make_row(const void *job, size_t row) {
    const SurfacesRows *rows = job;
    surfaces_row(rows->stage, rows->world, &rows->context, row);
}

/* All of them, shared out among the cores. */
static inline Status surfaces_make(Queue *queue, const Stage *stage, const World *world) {
    const SurfacesJob *job = surfaces_job(stage);
    const size_t step = surfaces_step(job);
    SurfacesRows rows = {.stage = stage, .world = world};
    TRY(cpu_lighting(queue, job->scene, &rows.context));
    cpu_share_rows(queue, (job->height + step - 1) / step, surfaces_make_row, &rows);
    return STATUS_OK;
}

#endif
