/* wide.c: builds the BVHs if need be and shares the picture's rows out among the cores. */
#include "cpu/trace/wide.h"
#include "cpu/trace/lighting.h"
#include "cpu/trace/measured.h"

#include "core/device/backend.h"
#include "cpu/isa.h"
#include "cpu/team.h"

extern const WideTable trace_wide_portable, trace_wide_avx2, trace_wide_avx512;
extern const WideTable trace_wide_cylinders_portable, trace_wide_cylinders_avx2, trace_wide_cylinders_avx512;
extern const LightTable trace_light_portable, trace_light_avx2, trace_light_avx512;
extern const LightTable trace_light_cylinders_portable, trace_light_cylinders_avx2, trace_light_cylinders_avx512;

/* For scenes of spheres, and with cylinders. */
static const WideTable *const tables[2][ISA_LEVELS] = {
    {
        [ISA_LEVEL_PORTABLE] = &trace_wide_portable,
        [ISA_LEVEL_AVX2] = &trace_wide_avx2,
        [ISA_LEVEL_AVX512] = &trace_wide_avx512,
    },
    {
        [ISA_LEVEL_PORTABLE] = &trace_wide_cylinders_portable,
        [ISA_LEVEL_AVX2] = &trace_wide_cylinders_avx2,
        [ISA_LEVEL_AVX512] = &trace_wide_cylinders_avx512,
    },
};
static const LightTable *const light_tables[2][ISA_LEVELS] = {
    {
        [ISA_LEVEL_PORTABLE] = &trace_light_portable,
        [ISA_LEVEL_AVX2] = &trace_light_avx2,
        [ISA_LEVEL_AVX512] = &trace_light_avx512,
    },
    {
        [ISA_LEVEL_PORTABLE] = &trace_light_cylinders_portable,
        [ISA_LEVEL_AVX2] = &trace_light_cylinders_avx2,
        [ISA_LEVEL_AVX512] = &trace_light_cylinders_avx512,
    },
};

typedef struct Gathering {
    const WideJob *job;
    const LightTable *table;
    ShadingContext context;
} Gathering;

static void gather_row(const void *job, size_t row) {
    const Gathering *gathering = job;
    gathering->table->gather_row(gathering->job, &gathering->context, row);
}

/* In whole rows: the more paths side by side, the fuller their batches. */
static Status gather_light(Queue *queue, const WideJob *job) {
    Gathering gathering = {job, light_tables[job->cylinders != NULL][isa_detect()], {0}};
    TRY(cpu_lighting(queue, trace_job(job->stage)->scene, &gathering.context));
    cpu_share_result(queue, part_rows(job->part), gather_row, &gathering);
    return STATUS_OK;
}

static void trace_band(const void *shared, size_t left, size_t top, void *scratch) {
    const WideJob *job = shared;
    (void)left, (void)scratch;
    tables[job->cylinders != NULL][isa_detect()]->trace_rows(job, job->part.top + top);
}

/* Looks that do not ask for the level's work; scenes of spheres and cylinders. */
static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "it knows no triangles";
    if (trace_job(stage)->scene->triangle_count > 0)
        return false;
    *why_not = "it looks into the boxes of many rays at once; bvh counts those of each";
    return trace_job(stage)->look != LOOK_NODES;
}

/* BVHs are built if there are none. */
static size_t workspace(const Device *device, const Stage *stage) {
    return bvh16_workspace(device, trace_job(stage)->scene);
}

static Status run(Queue *queue, const Stage *stage) {
    const Part part = trace_part(stage);
    WideJob job = {stage, NULL, NULL, part};
    TRY(bvh16_over(queue, trace_job(stage)->scene, &job.bvh));
    TRY(bvh16_over_cylinders(queue, trace_job(stage)->scene, &job.cylinders));
    if (look_is_light(trace_job(stage)->look))
        return gather_light(queue, &job);
    cpu_share_tiles(queue, &(TeamTiles){part.width, part.height, part.width, WIDE_ROWS, NULL, 0}, trace_band, &job);
    return STATUS_OK;
}

const Level cpu_trace_wide = {
    .op = &op_trace,
    .name = "wide",
    .idea = "the rays of a tile traverse as a packet, or alone; the sixteen boxes of a node, or spheres of a leaf, are "
            "tried at once",
    .accepts = accepts,
    .workspace = workspace,
    .predictor = &cpu_trace_measured,
    .run = run,
};
