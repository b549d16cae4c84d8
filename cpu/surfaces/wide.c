/* wide.c: surfaces through the BVH of sixteen boxes a node. */
#include "cpu/surfaces/wide.h"

#include "core/device/backend.h"
#include "core/tracer/surfaces.h"
#include "cpu/isa.h"
#include "cpu/team.h"
#include "cpu/trace/lighting.h"

typedef struct Rows {
    const Stage *stage;
    const Bvh16 *bvh;
    ShadingContext context;
    SurfacesRow *make;
} Rows;

static void make_row(const void *job, size_t y) {
    const Rows *rows = job;
    rows->make(rows->stage, rows->bvh, &rows->context, y);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "it knows only spheres";
    return scene_is_of_spheres(surfaces_job(stage)->scene);
}

static size_t workspace(const Device *device, const Stage *stage) {
    return bvh16_workspace(device, surfaces_job(stage)->scene);
}

static Status run(Queue *queue, const Stage *stage) {
    static SurfacesRow *const *const rows_of[ISA_LEVELS] = {
        [ISA_LEVEL_PORTABLE] = &surfaces_row_portable,
        [ISA_LEVEL_AVX2] = &surfaces_row_avx2,
        [ISA_LEVEL_AVX512] = &surfaces_row_avx512,
    };
    const SurfacesJob *job = surfaces_job(stage);
    const size_t step = surfaces_step(job);
    Rows rows = {.stage = stage, .make = *rows_of[isa_detect()]};
    TRY(bvh16_over(queue, job->scene, &rows.bvh));
    TRY(cpu_lighting(queue, job->scene, &rows.context));
    cpu_share_rows(queue, (job->height + step - 1) / step, make_row, &rows);
    return STATUS_OK;
}

const Level cpu_surfaces_wide = {
    .op = &op_surfaces,
    .name = "wide",
    .idea = "a ray tries the sixteen boxes of a node, or spheres of a leaf, at once",
    .accepts = accepts,
    .workspace = workspace,
    .run = run,
};
