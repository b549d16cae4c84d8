/* chain.c: whole chains, the ways of carrying them out in turns. */
#include "app/bench/chain.h"

#include "app/say.h"
#include "core/chain/chain.h"
#include "core/device/ceiling.h"

#include <math.h>

static const char *const ways[CHAIN_WAYS] = {[CHAIN_FUSED] = "fused", [CHAIN_APART] = "apart"};

static Status upload_noise(Pipeline *pipeline, Shape shape) {
    Image *noise = NULL;
    TRY(image_create(shape, &noise));
    view_fill_random(noise->view, 3);
    const Status status = pipeline_upload(pipeline, PIPELINE_PICTURE, noise->view);
    image_destroy(&noise);
    return status;
}

static Status make(Device *device, const Chain *chain, Shape shape, PlanOptions options, const char *level,
                   Pipeline **pipeline) {
    Plan *plan;
    TRY(chain_plan(chain, shape, options, &plan));
    TRY(pipeline_create(device, plan, level, pipeline));
    return upload_noise(*pipeline, shape);
}

static Status time_ways(Pipeline *const pipelines[CHAIN_WAYS], int runs, ChainTimes *times) {
    History histories[CHAIN_WAYS] = {{0}};
    for (int run = 0; run <= runs; run++)
        for (int way = 0; way < CHAIN_WAYS; way++) {
            Spans spans = {0};
            if (!pipelines[way])
                continue;
            TRY(pipeline_run(pipelines[way], &spans));
            if (run > 0) /* the first run also fills caches */
                history_add(&histories[way], spans_total(&spans));
        }
    for (int way = 0; way < CHAIN_WAYS; way++)
        times->ms[way] = history_median(&histories[way]);
    times->runs = (size_t)runs;
    return STATUS_OK;
}

static Status time_copy(Queue *queue, ChainTimes *times) {
    Ceiling copies = {0};
    while (ceiling_doubtful(&copies, 0))
        TRY(ceiling_measure_copies(queue, times->in, &copies));
    if (copies.rate > 0)
        times->copy_ms = (double)(shape_bytes(times->in) + shape_bytes(times->out)) / copies.rate * 1e3;
    return STATUS_OK;
}

Status chain_fuses(const char *text, Shape shape, PlanOptions options, bool *fuses) {
    Plan *plans[CHAIN_WAYS] = {NULL};
    Chain *chain;
    *fuses = false;
    if (options.unfused)
        return STATUS_OK;
    TRY(chain_open(text, &chain));
    Status status = STATUS_OK;
    for (int way = CHAIN_FUSED; way < CHAIN_WAYS && status == STATUS_OK; way++) {
        options.unfused = way == CHAIN_APART;
        status = chain_plan(chain, shape, options, &plans[way]);
    }
    if (status == STATUS_OK)
        *fuses = plan_stage_count(plans[CHAIN_FUSED]) != plan_stage_count(plans[CHAIN_APART]);
    for (int way = 0; way < CHAIN_WAYS; way++)
        plan_destroy(&plans[way]);
    chain_destroy(&chain);
    return status;
}

Status chain_time(Device *device, const char *text, Shape shape, PlanOptions options, const char *level, bool top,
                  int runs, ChainTimes *times) {
    Pipeline *pipelines[CHAIN_WAYS] = {NULL};
    Chain *chain;
    *times = (ChainTimes){.in = shape};
    TRY(chain_open(text, &chain));
    Status status = STATUS_OK;
    const int last = top && !options.unfused ? CHAIN_FUSED : CHAIN_APART;
    for (int way = options.unfused ? CHAIN_APART : CHAIN_FUSED; way <= last && status == STATUS_OK; way++) {
        options.unfused = way == CHAIN_APART;
        status = make(device, chain, shape, options, level, &pipelines[way]);
        if (status == STATUS_OK)
            times->stages[way] = pipeline_stage_count(pipelines[way]);
    }
    if (status == STATUS_OK && last == CHAIN_APART && times->stages[CHAIN_FUSED] == times->stages[CHAIN_APART])
        pipeline_destroy(&pipelines[CHAIN_APART]);
    Pipeline *const any = pipelines[CHAIN_FUSED] ? pipelines[CHAIN_FUSED] : pipelines[CHAIN_APART];
    if (status == STATUS_OK) {
        times->out = pipeline_result_shape(any);
        status = time_ways(pipelines, runs, times);
    }
    if (status == STATUS_OK)
        status = time_copy(pipeline_queue(any), times);
    for (int way = 0; way < CHAIN_WAYS; way++)
        pipeline_destroy(&pipelines[way]);
    chain_destroy(&chain);
    return status;
}

void chain_print_saved(FILE *to, const ChainTimes *times) {
    const double fused = times->ms[CHAIN_FUSED], apart = times->ms[CHAIN_APART];
    if (fused > 0 && apart > 0)
        fprintf(to, "the whole chain: %zu stage%s, %.3f ms; with --no-fuse %zu stages, %.3f ms: fusing %s %.0f %%\n",
                times->stages[CHAIN_FUSED], times->stages[CHAIN_FUSED] == 1 ? "" : "s", fused,
                times->stages[CHAIN_APART], apart, fused > apart ? "costs" : "saves", 100 * fabs(1 - fused / apart));
    fflush(to);
}

static void describe(const char *chain, const ChainTimes *times, char *text, size_t size) {
    snprintf(text, size, "chain, %s, %sx%d, %zux%zu", chain, pixel_type_name(times->in.type), times->in.channels,
             times->in.width, times->in.height);
}

static double copies_of(const ChainTimes *times, int way) {
    return times->copy_ms > 0 ? times->ms[way] / times->copy_ms : 0;
}

void chain_print(FILE *to, const Device *device, const char *chain, const ChainTimes *times) {
    char text[400];
    describe(chain, times, text, sizeof text);
    say(to, "%s", text);
    fprintf(to, "%s: %s; a copy takes %.3f ms\n", device->backend->name, device->name, times->copy_ms);
    fprintf(to, "%-12s %10s %10s %8s\n", "way", "stages", "ms", "copies");
    for (int way = CHAIN_WAYS; way-- > 0;)
        if (times->ms[way] > 0)
            fprintf(to, "%-12s %10zu %10.3f %8.1f\n", ways[way], times->stages[way], times->ms[way],
                    copies_of(times, way));
    chain_print_saved(to, times);
}

void chain_add_json(json_t *list, const Device *device, const char *chain, const ChainTimes *times) {
    char text[400], name[64];
    describe(chain, times, text, sizeof text);
    for (int way = CHAIN_WAYS; way-- > 0;) {
        if (times->ms[way] <= 0)
            continue;
        snprintf(name, sizeof name, "chain/%s/%s", device->backend->name, ways[way]);
        json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:I, s:f, s:f, s:s, s:f, s:f, s:I}", "name", name,
                                              "run_type", "iteration", "label", json_text(text), "iterations",
                                              (json_int_t)times->runs, "real_time", times->ms[way], "cpu_time",
                                              times->ms[way], "time_unit", "ms", "copy_ms", times->copy_ms, "copies",
                                              copies_of(times, way), "stages", (json_int_t)times->stages[way]));
    }
}
