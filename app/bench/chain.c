/* chain.c: whole chains, the ways of carrying them out in turns. */
#include "app/bench/chain.h"

#include "app/say.h"
#include "core/chain/chain.h"
#include "core/device/ceiling.h"
#include "core/stage/op.h"

#include <math.h>
#include <string.h>

static const char *const ways[CHAIN_WAYS] = {
    [CHAIN_FUSED] = "fused", [CHAIN_APART] = "apart", [CHAIN_TOGETHER] = "together"};

#define ALLOWED  1.05 /* times the fastest way that the chosen one may take */
#define LOOK_MS  15.0 /* runs that a verdict rests on take at least as long in all */
#define RUN_MS   8.0  /* of longer runs whose least time counts, fewer are enough: no more than take so long each */
#define SHORT_MS 1.0  /* in longer runs the host's share does not show */
enum { SECOND_LOOK = 4, COPIES_AHEAD = 2 };

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
    options.device = device;
    TRY(chain_plan(chain, shape, options, &plan));
    TRY(pipeline_create(device, plan, level, pipeline));
    return upload_noise(*pipeline, shape);
}

/* The ways in turns, `runs` times or for at least so long, whichever is more; no longer than `most_ms`, but once.
 * The first run also fills caches, and counts only if it is the last. */
static Status time_ways(Pipeline *const pipelines[CHAIN_WAYS], int runs, double least_ms, double most_ms,
                        ChainTimes *times) {
    History histories[CHAIN_WAYS] = {{0}}, computed[CHAIN_WAYS] = {{0}};
    const double start = clock_ms();
    double past = 0;
    int run = 0;
    for (; past < most_ms && (run <= runs || (run < HISTORY_MAX && past < least_ms)); run++) {
        for (int way = 0; way < CHAIN_WAYS; way++) {
            Spans spans = {0};
            if (!pipelines[way])
                continue;
            const double before = clock_process_ms();
            TRY(pipeline_run(pipelines[way], &spans));
            history_add(&computed[way], clock_process_ms() - before);
            history_add(&histories[way], spans_total(&spans));
        }
        past = clock_ms() - start;
        if (run == 0 && past < most_ms) {
            memset(histories, 0, sizeof histories);
            memset(computed, 0, sizeof computed);
        }
    }
    for (int way = 0; way < CHAIN_WAYS; way++) {
        times->ms[way] = history_median(&histories[way]);
        times->least[way] = history_least(&histories[way]);
        times->cpu_ms[way] = history_median(&computed[way]);
    }
    times->runs = run > 1 ? (size_t)run - 1 : 1;
    return STATUS_OK;
}

/* The device's time for so many runs behind each other. A copy keeps it busy until the host has enqueued them all. */
static Status time_row(Pipeline *pipeline, int count, Frame from, Frame to, double *ms) {
    const Backend *backend = pipeline_device(pipeline)->backend;
    Queue *queue = pipeline_queue(pipeline);
    for (int i = 0; i < COPIES_AHEAD; i++)
        TRY(backend->copy(queue, from, to));
    TRY(queue_mark(queue, 0));
    for (int i = 0; i < count; i++)
        TRY(pipeline_enqueue(pipeline));
    TRY(queue_mark(queue, 1));
    TRY(backend->sync(queue));
    return queue_elapsed(queue, 0, 1, ms);
}

/* A caller's time for a run, less its kernels': the difference between three runs and one, without what marks take. */
static Status time_overhead(Pipeline *pipeline, int runs, Frame from, Frame to, double *us) {
    History callers = {0}, ones = {0}, threes = {0};
    for (int run = 0; run < runs; run++) {
        double one = 0, three = 0;
        TRY(time_row(pipeline, 1, from, to, &one));
        TRY(time_row(pipeline, 3, from, to, &three));
        TRY(pipeline_run(pipeline, NULL));
        const double begin = clock_ms();
        TRY(pipeline_run(pipeline, NULL));
        history_add(&callers, clock_ms() - begin);
        history_add(&ones, one);
        history_add(&threes, three);
    }
    *us = 1e3 * (history_median(&callers) - (history_median(&threes) - history_median(&ones)) / 2);
    return STATUS_OK;
}

/* Only ways that take less than a millisecond are timed, on devices that work by themselves. */
static Status time_overheads(Device *device, Pipeline *const pipelines[CHAIN_WAYS], int runs, ChainTimes *times) {
    const Backend *backend = device->backend;
    const Shape large = {8192, 4096, 4, PIXEL_U8};
    Frame from = {0}, to = {0};
    Status status = STATUS_OK;
    for (int way = 0; way < CHAIN_WAYS; way++) {
        if (backend->host_frames || !pipelines[way] || times->ms[way] > SHORT_MS)
            continue;
        if (!from.pixels)
            status = backend->frame_create(device, large, &from);
        if (status == STATUS_OK && !to.pixels)
            status = backend->frame_create(device, large, &to);
        if (status == STATUS_OK)
            status = time_overhead(pipelines[way], runs, from, to, &times->overhead_us[way]);
    }
    backend->frame_destroy(device, &from);
    backend->frame_destroy(device, &to);
    return status;
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

static void close_ways(Pipeline *pipelines[CHAIN_WAYS]) {
    for (int way = 0; way < CHAIN_WAYS; way++)
        pipeline_destroy(&pipelines[way]);
}

/* A pipeline for every way that `wanted` has a bit for; of ways with the same stages the first one. */
static Status open_ways(Device *device, const char *text, Shape shape, PlanOptions options, const char *level,
                        unsigned wanted, Pipeline *pipelines[CHAIN_WAYS], ChainTimes *times) {
    Chain *chain;
    Status status = chain_open(text, &chain);
    if (status != STATUS_OK)
        return status;
    for (int way = 0; way < CHAIN_WAYS && status == STATUS_OK; way++) {
        if (!(wanted >> way & 1))
            continue;
        options.unfused = way == CHAIN_APART;
        options.fused = way == CHAIN_TOGETHER;
        status = make(device, chain, shape, options, level, &pipelines[way]);
        if (status == STATUS_OK)
            times->stages[way] = pipeline_stage_count(pipelines[way]);
        for (int other = 0; other < way; other++)
            if (times->stages[other] == times->stages[way])
                pipeline_destroy(&pipelines[way]);
    }
    chain_destroy(&chain);
    return status;
}

Status chain_time(Device *device, const char *text, Shape shape, PlanOptions options, const char *level, bool top,
                  int runs, ChainTimes *times) {
    const unsigned fused = 1u << CHAIN_FUSED, apart = 1u << CHAIN_APART;
    const unsigned wanted = options.unfused ? apart : top ? fused : fused | apart;
    Pipeline *pipelines[CHAIN_WAYS] = {NULL};
    *times = (ChainTimes){.in = shape};
    Status status = open_ways(device, text, shape, options, level, wanted, pipelines, times);
    Pipeline *const any = pipelines[CHAIN_FUSED] ? pipelines[CHAIN_FUSED] : pipelines[CHAIN_APART];
    if (status == STATUS_OK) {
        times->out = pipeline_result_shape(any);
        status = time_ways(pipelines, runs, 0, INFINITY, times);
    }
    if (status == STATUS_OK)
        status = time_copy(pipeline_queue(any), times);
    if (status == STATUS_OK)
        status = time_overheads(device, pipelines, runs, times);
    close_ways(pipelines);
    return status;
}

static Cost cost_of(const Plan *plan) {
    Cost cost = {0};
    for (size_t i = 0; i < plan_stage_count(plan); i++) {
        const Cost more = stage_cost(&plan_stage(plan, i)->stage);
        cost.bytes += more.bytes;
        cost.flops += more.flops;
    }
    return cost;
}

Status chain_least(Device *device, const char *text, Shape shape, PlanOptions options, int runs, double *ms,
                   Cost *cost) {
    Pipeline *pipelines[CHAIN_WAYS] = {NULL};
    ChainTimes times = {.in = shape};
    Status status = open_ways(device, text, shape, options, "best", 1u << CHAIN_FUSED, pipelines, &times);
    if (status == STATUS_OK)
        status = time_ways(pipelines, runs, LOOK_MS, RUN_MS * runs, &times);
    if (status == STATUS_OK)
        *cost = cost_of(pipeline_plan(pipelines[CHAIN_FUSED]));
    close_ways(pipelines);
    *ms = times.least[CHAIN_FUSED];
    return status;
}

/* The fastest way that was timed: each at its best, as other work only adds to times. */
static int fastest_way(const ChainTimes *times) {
    int fastest = CHAIN_FUSED;
    for (int way = 0; way < CHAIN_WAYS; way++)
        if (times->least[way] > 0 && times->least[way] < times->least[fastest])
            fastest = way;
    return fastest;
}

static bool is_slow(const ChainTimes *times) {
    return times->least[CHAIN_FUSED] > ALLOWED * times->least[fastest_way(times)];
}

Status chain_check_best(Device *device, const char *text, Shape shape, PlanOptions options, int runs, FILE *to,
                        json_t *list) {
    const unsigned wanted = (1u << CHAIN_WAYS) - 1;
    Pipeline *pipelines[CHAIN_WAYS] = {NULL};
    ChainTimes times = {.in = shape};
    Status status = open_ways(device, text, shape, options, "best", wanted, pipelines, &times);
    if (status == STATUS_OK) {
        times.out = pipeline_result_shape(pipelines[CHAIN_FUSED]);
        status = time_ways(pipelines, runs, LOOK_MS, INFINITY, &times);
    }
    if (status == STATUS_OK && is_slow(&times)) /* look again before saying so */
        status = time_ways(pipelines, SECOND_LOOK * runs, SECOND_LOOK * LOOK_MS, INFINITY, &times);
    close_ways(pipelines);
    TRY(status);
    const int fastest = fastest_way(&times);
    const char *type = pixel_type_name(shape.type);
    say(to, "%s, %sx%d: %zu stages, %.3f ms; the fastest way, %s, has %zu, %.3f ms", text, type, shape.channels,
        times.stages[CHAIN_FUSED], times.least[CHAIN_FUSED], ways[fastest], times.stages[fastest],
        times.least[fastest]);
    fflush(to);
    chain_add_json(list, device, text, &times);
    return is_slow(&times) ? fail(STATUS_PARTIAL, "%s, %sx%d: as %zu stages it takes %.2f times as long as %s", text,
                                  type, shape.channels, times.stages[CHAIN_FUSED],
                                  times.least[CHAIN_FUSED] / times.least[fastest], ways[fastest])
                           : STATUS_OK;
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
    fprintf(to, "%-12s %10s %10s %8s %10s\n", "way", "stages", "ms", "copies", "overhead");
    for (int way = CHAIN_WAYS; way-- > 0;) {
        if (times->ms[way] <= 0)
            continue;
        fprintf(to, "%-12s %10zu %10.3f %8.1f", ways[way], times->stages[way], times->ms[way], copies_of(times, way));
        if (times->overhead_us[way] <= 0)
            fprintf(to, " %10s\n", "n/a");
        else
            fprintf(to, " %10.1f\n", times->overhead_us[way]);
    }
    chain_print_saved(to, times);
}

void chain_add_json(json_t *list, const Device *device, const char *chain, const ChainTimes *times) {
    char text[400], name[64];
    describe(chain, times, text, sizeof text);
    for (int way = CHAIN_WAYS; way-- > 0;) {
        if (times->ms[way] <= 0)
            continue;
        snprintf(name, sizeof name, "chain/%s/%s", device->backend->name, ways[way]);
        json_t *entry =
            json_pack("{s:s, s:s, s:o, s:I, s:f, s:f, s:s, s:f, s:f, s:I}", "name", name, "run_type", "iteration",
                      "label", json_text(text), "iterations", (json_int_t)times->runs, "real_time", times->ms[way],
                      "cpu_time", times->cpu_ms[way], "time_unit", "ms", "copy_ms", times->copy_ms, "copies",
                      copies_of(times, way), "stages", (json_int_t)times->stages[way]);
        if (times->overhead_us[way] > 0)
            json_object_set_new(entry, "overhead_us", json_real(times->overhead_us[way]));
        json_array_append_new(list, entry);
    }
}
