/* timing.c: times, caches and energy.
 * The levels alternate in one process after a warm-up, so that a clock that changes changes all of them. The ceilings
 * they are held against are the best of several measurements. */
#include "app/bench/ladder.h"
#include "core/device/added.h"

#include <math.h>
#include <stdarg.h>

#define LONG_MS     200 /* a first run of so much is a level's own, whatever it loads besides */
#define ENERGY_MS   400 /* a level runs at least as long for its energy: the counter moves in steps of up to 100 ms */
#define ENERGY_MAX  300 /* a level that takes longer a run is not asked for its energy */
#define FLUSH_BYTES (256 << 20) /* a copy of so much leaves nothing of a picture in the caches */

void ladder_tell(const Ladder *ladder, bool at_once, const char *format, ...) {
    char text[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (ladder->progress)
        progress_tell(ladder->progress, at_once, "%s: %s", ladder->stage->op->name, text);
}

Status ladder_run(const Ladder *ladder, const Level *level, double *ms) {
    Queue *queue = ladder->queue;
    const Backend *backend = queue->device->backend;
    const Stage *stage = ladder->stage;
    TRY(queue_mark(queue, 0));
    TRY(level_run(level, queue, stage));
    TRY(queue_mark(queue, 1));
    TRY(backend->sync(queue));
    TRY(queue_elapsed(queue, 0, 1, ms));
    profile_trace_add(ladder->profile_trace, TRACK_QUEUE, level->name, backend->name, clock_ms() - *ms, *ms);
    return STATUS_OK;
}

Status ladder_try(const Ladder *ladder, const Level *level, double *ms) {
    TRY(ladder_run(ladder, level, ms));
    return *ms > LONG_MS ? STATUS_OK : ladder_run(ladder, level, ms);
}

static bool is_run(const LevelResult *result) {
    return !result->why_not && !result->estimated;
}

Status ladder_time(Ladder *ladder, int runs, double max_ms) {
    Queue *queue = ladder->queue;
    const Telemetry *telemetry = backend_telemetry(queue->device->backend);
    Status status = STATUS_OK;
    for (size_t i = 0; i < ladder->count; i++) {
        ladder->results[i].runs = 0;
        ladder->results[i].total = 0;
    }
    for (int run = -1; run < runs && status == STATUS_OK; run++) { /* run -1 warms up */
        double ms = 0;
        for (size_t i = 0; i < ladder->count && status == STATUS_OK; i++) {
            LevelResult *result = &ladder->results[i];
            if (!is_run(result) || (result->runs > 0 && result->total > max_ms))
                continue;
            if (run < 0)
                ladder_tell(ladder, true, "%s runs for the first time", result->level->name);
            else
                ladder_tell(ladder, false, "run %d of %d", run + 1, runs);
            const double before = clock_process_ms();
            status = ladder_run(ladder, result->level, &ms);
            if (run < 0 && ms < max_ms)
                continue;
            result->cpu_ms[result->runs] = clock_process_ms() - before;
            result->ms[result->runs++] = ms;
            result->total += ms;
        }
    }
    for (size_t i = 0; i < ladder->count && status == STATUS_OK && telemetry->facts; i++)
        if (is_run(&ladder->results[i])) {
            double ms = 0;
            status = telemetry->facts(queue, &ladder->results[i].facts); /* the next are of this level alone */
            if (status == STATUS_OK)
                status = ladder_run(ladder, ladder->results[i].level, &ms);
            if (status == STATUS_OK)
                status = telemetry->facts(queue, &ladder->results[i].facts);
            ladder_own_facts(ladder->results[i].level, &ladder->results[i].facts);
        }
    for (size_t i = 0; i < ladder->count; i++) {
        if (ladder->results[i].estimated)
            continue;
        ladder->results[i].median = quantile(ladder->results[i].ms, ladder->results[i].runs, 0.5);
        ladder->results[i].cpu_median = quantile(ladder->results[i].cpu_ms, ladder->results[i].runs, 0.5);
        ladder->results[i].p95 = quantile(ladder->results[i].ms, ladder->results[i].runs, 0.95);
    }
    return status;
}

/* Until nothing speaks against the measurement: other programs, or a level that reached more. */
static Status measure_ceilings(Ladder *ladder) {
    double min = INFINITY;
    for (size_t i = 0; i < ladder->count; i++)
        if (!ladder->results[i].why_not)
            min = fmin(min, fmax(ladder->results[i].median, 1e-6));
    while (ceiling_doubtful(&ladder->copies, ladder->cost.bytes / min * 1e3))
        TRY(ceiling_measure_copies(ladder->queue, stage_picture(ladder->stage), &ladder->copies));
    while (ceiling_doubtful(&ladder->peak, ladder->cost.flops / min * 1e3))
        TRY(ceiling_measure_flops(ladder->queue, &ladder->peak));
    return STATUS_OK;
}

/* Medians of runs one after the other, and of runs that each follow a copy of more than the caches hold. */
static Status time_caches(Ladder *ladder, LevelResult *result, Frame from, Frame to) {
    enum { RUNS = 5 };
    double hot[RUNS], cold[RUNS];
    Queue *queue = ladder->queue;
    for (int i = 0; i < RUNS; i++) {
        TRY(queue->device->backend->copy(queue, from, to));
        TRY(ladder_run(ladder, result->level, &cold[i]));
        TRY(ladder_run(ladder, result->level, &hot[i]));
    }
    result->hot = quantile(hot, RUNS, 0.5);
    result->cold = quantile(cold, RUNS, 0.5);
    return STATUS_OK;
}

/* Runs the level long enough for the device's counter of energy, or multiplies power by time where there is none. */
static Status measure_energy(Ladder *ladder, LevelResult *result) {
    Queue *queue = ladder->queue;
    Power (*const power)(Device *) = queue->device->backend->telemetry->power;
    const double start = clock_ms();
    const Power before = power(queue->device);
    const int batch = (int)fmax(1, fmin(256, 20 / fmax(result->median, 1e-3))); /* some 20 ms without waiting */
    int runs = 0;
    double ms = 0;
    if (before.watts < 0 && before.joules < 0)
        return STATUS_OK;
    for (; ms < ENERGY_MS; ms = clock_ms() - start) {
        for (int i = 0; i < batch; i++, runs++)
            TRY(level_run(result->level, queue, ladder->stage));
        TRY(queue->device->backend->sync(queue));
    }
    const Power after = power(queue->device);
    const double joules = before.joules >= 0 ? after.joules - before.joules : after.watts * ms / 1e3;
    result->watts = joules / ms * 1e3;
    result->joules = joules / runs;
    return STATUS_OK;
}

Status ladder_measure(Ladder *ladder) {
    Queue *queue = ladder->queue;
    const Telemetry *telemetry = backend_telemetry(queue->device->backend);
    const Shape flush = {8192, FLUSH_BYTES / 8192 / 4, 4, PIXEL_U8};
    Frame from = {0}, to = {0};
    Status status = measure_ceilings(ladder);
    if (ladder->times)
        return status;
    if (telemetry->facts && status == STATUS_OK) {
        status = queue->device->backend->frame_create(queue->device, flush, &from);
        if (status == STATUS_OK)
            status = queue->device->backend->frame_create(queue->device, flush, &to);
    }
    for (size_t i = 0; i < ladder->count && status == STATUS_OK; i++) {
        LevelResult *result = &ladder->results[i];
        if (!is_run(result) || result->median > ENERGY_MAX || ladder_added(result->level))
            continue; /* an added level's run is mostly the way to its process */
        ladder_tell(ladder, true, "%s: caches and energy", result->level->name);
        if (telemetry->facts)
            status = time_caches(ladder, result, from, to);
        if (status == STATUS_OK && telemetry->power)
            status = measure_energy(ladder, result);
    }
    queue->device->backend->frame_destroy(queue->device, &from);
    queue->device->backend->frame_destroy(queue->device, &to);
    return status;
}
