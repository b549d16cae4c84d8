/* dispatch.c: the time to have other threads do something, by how long they had nothing to do. */
#include "core/base/timing.h"
#include "core/device/backend.h"
#include "cpu/course/machine/machine.h"
#include "cpu/team.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>

enum { TIMES = 15 };

static void do_nothing(const void *job, size_t piece, size_t thread) {
    (void)job, (void)piece, (void)thread;
}

static void *return_at_once(void *argument) {
    return argument;
}

static Status start_thread(Queue *queue) {
    pthread_t thread;
    (void)queue;
    return pthread_create(&thread, NULL, return_at_once, NULL) == 0 && pthread_join(thread, NULL) == 0
               ? STATUS_OK
               : fail(STATUS_DEVICE, "no thread for an experiment");
}

static Status ask_team(Queue *queue) {
    cpu_share(queue, (size_t)queue->device->threads, do_nothing, NULL);
    return STATUS_OK;
}

static void pause_for(double us) {
    for (const double start = clock_ms(); clock_ms() - start < us / 1e3;)
        continue;
}

static Status measure(Queue *queue, double x, size_t series, double *y) {
    double us[TIMES];
    *y = NAN;
    if (queue->device->threads < 2)
        return STATUS_OK;
    for (int i = 0; i < TIMES; i++) {
        if (queue_stops(queue))
            return fail(STATUS_INTERRUPTED, "stopped");
        pause_for(x);
        const double start = clock_ms();
        TRY(series == 0 ? start_thread(queue) : ask_team(queue));
        us[i] = fmax((clock_ms() - start) * 1e3, 1e-3);
    }
    *y = quantile(us, TIMES, 0.5);
    return STATUS_OK;
}

static void tell(const Curve *curve, char *text, size_t size) {
    char words[3][32];
    const double figures[] = {curve_at(curve, 0, 10), curve_at(curve, 1, 10), curve_at(curve, 1, 1000)};
    for (size_t i = 0; i < 3; i++)
        axis_format(curve->experiment->y, figures[i], words[i], sizeof words[i]);
    snprintf(text, size, "a new thread takes %s, the team %s while it is awake and %s once it sleeps", words[0],
             words[1], words[2]);
}

const Experiment cpu_machine_dispatch = {
    .name = "dispatch",
    .title = "Threads for a job",
    .idea = "starts a thread and waits for its end, or asks the team of threads that glint keeps, after an idle pause; "
            "the median of 15",
    .advice = "Keep threads, and hand them pieces that take ten times as long as that: the system has to wake a thread "
              "that sleeps.",
    .x = {"pause before", "µs", false},
    .y = {"until done", "µs", false},
    .series = {"a new thread", "a team"},
    .points = {5, 10, 20, 50, 100, 200, 500, 1000},
    .measure = measure,
    .tell = tell,
};
