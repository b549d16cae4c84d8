/* fusing.c: a chain with fused stages and without, in turns. */
#include "app/bench/fusing.h"

#include "core/chain.h"

enum { FUSED, APART, WAYS };

static Status make(Device *device, const Chain *chain, Shape shape, PlanOptions options, int way, Pipeline **pipeline) {
    Plan *plan;
    options.unfused = way == APART;
    TRY(chain_plan(chain, shape, options, &plan));
    return pipeline_create(device, plan, "best", pipeline);
}

static Status upload_noise(Pipeline *pipeline, Shape shape) {
    Image *noise = NULL;
    TRY(image_create(shape, &noise));
    view_fill_random(noise->view, 3);
    const Status status = pipeline_upload(pipeline, PIPELINE_PICTURE, noise->view);
    image_destroy(&noise);
    return status;
}

static Status time_ways(Pipeline *const pipelines[WAYS], int runs, History histories[WAYS]) {
    for (int run = 0; run <= runs; run++)
        for (int way = 0; way < WAYS; way++) {
            Spans spans = {0};
            TRY(pipeline_run(pipelines[way], &spans));
            if (run > 0) /* the first makes what is kept */
                history_add(&histories[way], spans_total(&spans));
        }
    return STATUS_OK;
}

static void print(FILE *to, Pipeline *const pipelines[WAYS], const History histories[WAYS]) {
    const double fused = history_median(&histories[FUSED]), apart = history_median(&histories[APART]);
    fprintf(to, "the whole chain: %zu stages, %.3f ms; with --no-fuse %zu stages, %.3f ms: fusing saves %.0f %%\n",
            pipeline_stage_count(pipelines[FUSED]), fused, pipeline_stage_count(pipelines[APART]), apart,
            apart > 0 ? 100 * (1 - fused / apart) : 0);
    fflush(to);
}

Status fusing_print(FILE *to, Device *device, const char *text, Shape shape, PlanOptions options, int runs) {
    Pipeline *pipelines[WAYS] = {NULL};
    History histories[WAYS] = {{0}};
    Chain *chain;
    TRY(chain_open(text, &chain));
    Status status = STATUS_OK;
    for (int way = 0; way < WAYS && status == STATUS_OK; way++)
        status = make(device, chain, shape, options, way, &pipelines[way]);
    if (status == STATUS_OK && pipeline_stage_count(pipelines[FUSED]) != pipeline_stage_count(pipelines[APART])) {
        for (int way = 0; way < WAYS && status == STATUS_OK; way++)
            status = upload_noise(pipelines[way], shape);
        if (status == STATUS_OK)
            status = time_ways(pipelines, runs, histories);
        if (status == STATUS_OK)
            print(to, pipelines, histories);
    }
    for (int way = 0; way < WAYS; way++)
        pipeline_destroy(&pipelines[way]);
    chain_destroy(&chain);
    return status;
}
