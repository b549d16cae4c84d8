/* timeline.c: timelines as text and as events of the profile. */
#include "app/bench/timeline.h"

#include "core/stage/op_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double timeline_ms(const Timeline *timeline) {
    double end = 0;
    for (size_t i = 0; i < timeline->count; i++)
        end = fmax(end, timeline->steps[i].start + timeline->steps[i].ms);
    return end;
}

bool timeline_row(const Timeline *timeline, int row, double ms, char text[TIMELINE_COLUMNS + 1]) {
    const double scale = TIMELINE_COLUMNS / fmax(ms, 1e-9);
    bool any = false;
    memset(text, '.', TIMELINE_COLUMNS);
    text[TIMELINE_COLUMNS] = '\0';
    for (size_t i = 0; i < timeline->count; i++) {
        const TransferStep *step = &timeline->steps[i];
        if (step->row != row)
            continue;
        const int first = (int)fmin(fmax(step->start, 0) * scale, TIMELINE_COLUMNS - 1);
        const int end = (int)fmin(ceil((step->start + step->ms) * scale), TIMELINE_COLUMNS);
        memset(text + first, step->letter, (size_t)(end > first ? end - first : 1));
        any = true;
    }
    return any;
}

static void print(FILE *to, const char *level, const Timeline *timeline) {
    const double ms = timeline_ms(timeline);
    char text[TIMELINE_COLUMNS + 1], name[24] = "host";
    bool first = true;
    for (int row = 0; row <= TRANSFER_STREAMS; row++) {
        if (row > 0)
            snprintf(name, sizeof name, "stream %d", row);
        if (!timeline_row(timeline, row, ms, text))
            continue;
        fprintf(to, "%-12s %-9s %s", first ? level : "", name, text);
        if (first)
            fprintf(to, " %.3f ms", ms);
        fputc('\n', to);
        first = false;
    }
}

static void add_to_profile(ProfileTrace *profile, const char *level, const Timeline *timeline, double start) {
    for (size_t i = 0; i < timeline->count; i++) {
        const TransferStep *step = &timeline->steps[i];
        const char *name = step->letter == 'H'   ? "host to device"
                           : step->letter == 'D' ? "device to host"
                           : step->letter == 'K' ? "kernel"
                                                 : "host copies";
        profile_trace_add(profile, TRACK_QUEUE + step->row, name, level, start + step->start, step->ms);
    }
}

/* Each level once; its steps go to `timeline`. */
static Status run_levels(FILE *to, const Ladder *ladder, const Stage *stage, Timeline *timeline) {
    fputs("one run each: S the host copies, H host to device, K kernel, D device to host\n", to);
    for (size_t i = 0; i < ladder->count; i++) {
        const Level *level = ladder->results[i].level;
        if (ladder->results[i].why_not)
            continue;
        timeline->count = 0;
        const double start = clock_ms();
        TRY(level_run(level, ladder->queue, stage));
        TRY(ladder->queue->device->backend->sync(ladder->queue));
        print(to, level->name, timeline);
        add_to_profile(ladder->profile_trace, level->name, timeline, start);
    }
    return STATUS_OK;
}

Status timelines_print(FILE *to, const Ladder *ladder) {
    Timeline timeline = {0};
    Stage stage = *ladder->stage;
    const OpReport *report = op_report(stage.op);
    if (!report->note)
        return STATUS_OK;
    void *job = malloc(stage.op->job_bytes);
    if (!job)
        return fail(STATUS_DEVICE, "no memory for a job");
    memcpy(job, stage.job, stage.op->job_bytes);
    report->note(job, &timeline);
    stage.job = job;
    const Status status = run_levels(to, ladder, &stage, &timeline);
    free(job);
    return status;
}
