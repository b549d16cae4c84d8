/* trace_stats.c: the costs of a trace's rays, and its time with all the steps around it. */
#include "app/bench/ladder.h"
#include "core/scene/scene.h"
#include "core/tracer/trace.h"

enum { BUILDS = 9 };
#define GOAL_MS 20000 /* bench does not wait for longer ones */

const uint32_t sample_goals[GOALS] = {1, 16, 256};

/* Gathers a picture's light until every pixel has as many samples as each goal wants. */
static Status time_goals(const Ladder *ladder, LevelResult *result) {
    const Backend *backend = ladder->queue->device->backend;
    Stage stage = *ladder->stage;
    TraceJob job = *trace_job(&stage);
    uint32_t done = 0;
    double ms = 0;
    stage.job = &job;
    for (int i = 0; i < GOALS; i++) {
        job.sampling.first = done;
        job.sampling.samples = sample_goals[i] - done;
        if (done > 0 && ms / done * sample_goals[i] > GOAL_MS)
            return STATUS_OK;
        double more;
        TRY(backend->mark(ladder->queue, 0));
        TRY(level_run(result->level, ladder->queue, &stage));
        TRY(backend->mark(ladder->queue, 1));
        TRY(backend->sync(ladder->queue));
        TRY(backend->elapsed(ladder->queue, 0, 1, &more));
        result->goals[i] = ms += more;
        done = sample_goals[i];
    }
    return STATUS_OK;
}

/* The course's measure: all that lies between spheres in the host's memory and a picture there. */
static Status time_whole(const Ladder *ladder, LevelResult *result) {
    enum { RUNS = 9 };
    double ms[RUNS];
    Image *image = NULL;
    TRY(image_create(ladder->stage->out.shape, &image));
    Status status = STATUS_OK;
    for (int i = 0; i < RUNS && status == STATUS_OK; i++) {
        status = scene_move(ladder->scene, 0); /* which makes devices upload them again */
        const double start = clock_ms();
        if (status == STATUS_OK)
            status = level_run(result->level, ladder->queue, ladder->stage);
        if (status == STATUS_OK)
            status = ladder->queue->device->backend->download(ladder->queue, ladder->stage->out, image->view);
        ms[i] = clock_ms() - start;
    }
    result->whole = quantile(ms, RUNS, 0.5);
    image_destroy(&image);
    return status;
}

Status ladder_count_rays(Ladder *ladder) {
    if (!ladder->scene)
        return STATUS_OK;
    TRY(trace_stats_measure(ladder->queue, ladder->stage, BUILDS, &ladder->trace_stats));
    const bool light = look_is_light(trace_job(ladder->stage)->look);
    for (size_t i = 0; i < ladder->count && !(light && ladder->times); i++)
        if (!ladder->results[i].why_not && ladder->results[i].median < GOAL_MS / 10.0)
            TRY(light ? time_goals(ladder, &ladder->results[i]) : time_whole(ladder, &ladder->results[i]));
    return STATUS_OK;
}
