/* contest.c: threads that add until they are told to end, and one whose stretches are timed. Threads of OpenMP would
 * wait for each other at the end of every region. Where other programs run, that takes a hundred times as long as the
 * additions. */
#include "cpu/course/machine/contest.h"

#include "core/base/timing.h"
#include "core/device/backend.h"
#include "cpu/course/machine/machine.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>

enum {
    STRETCH = 1000,     /* additions that are timed together */
    STEP = STRETCH / 8, /* the others count in these */
    GOT_ON = 1,         /* step of each of the others, at least, during such a stretch */
    STRETCHES = 101
};
#define CONTEST_MS 250.0 /* for as many stretches, where other programs run */

/* A thread that competes, in cache lines of its own. */
typedef struct Other {
    _Alignas(2 * LINE_BYTES) atomic_size_t steps; /* so far */
    atomic_bool *ends;
    const Contest *contest;
    int thread;
    pthread_t id;
    cpu_set_t processors; /* all of the machine; none: not known */
} Other;

/* On a processor of its own, as long as there are some: systems take their time to part threads. */
static void pin(int thread, const cpu_set_t *processors) {
    const int count = CPU_COUNT(processors);
    int left = count > 0 ? thread % count : 0;
    for (size_t i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, processors) && left-- == 0) {
            cpu_set_t own;
            CPU_ZERO(&own);
            CPU_SET(i, &own);
            (void)sched_setaffinity(0, sizeof own, &own);
        }
}

static void *go_on(void *other) {
    Other *own = other;
    pin(own->thread, &own->processors);
    while (!atomic_load_explicit(own->ends, memory_order_relaxed)) {
        own->contest->add(own->contest->job, own->thread, STEP);
        atomic_fetch_add_explicit(&own->steps, 1, memory_order_relaxed);
    }
    return NULL;
}

/* Notes how far the others are; whether each got on by so many steps since the last time. */
static bool all_got_on(const Other *others, size_t count, size_t *before) {
    bool all = true;
    for (size_t i = 0; i < count; i++) {
        const size_t steps = atomic_load_explicit(&others[i].steps, memory_order_relaxed);
        all &= steps >= before[i] + GOT_ON;
        before[i] = steps;
    }
    return all;
}

/* How often the system has taken the processor from this thread. */
static long switches(void) {
    struct rusage usage = {.ru_nvcsw = 0};
    (void)getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw + usage.ru_nivcsw;
}

static Status time_stretches(Queue *queue, const Contest *contest, const Other *others, size_t count, double *ns) {
    size_t *before = calloc(count + 1, sizeof *before), valid = 0;
    double times[STRETCHES];
    Status status = before ? STATUS_OK : fail(STATUS_DEVICE, "no memory for an experiment");
    for (const double start = clock_ms();
         status == STATUS_OK && valid < STRETCHES && clock_ms() - start < CONTEST_MS;) {
        const long switched = switches();
        (void)all_got_on(others, count, before);
        const double began = clock_ms();
        contest->add(contest->job, 0, STRETCH);
        const double ended = clock_ms();
        if (all_got_on(others, count, before) && switches() == switched)
            times[valid++] = fmax((ended - began) * 1e6 / STRETCH, 1e-3);
        if (queue_stops(queue))
            status = fail(STATUS_INTERRUPTED, "stopped");
    }
    free(before);
    *ns = valid > 0 ? quantile(times, valid, 0.5) : NAN;
    return status;
}

Status contest_time(Queue *queue, const Contest *contest, double *ns) {
    const size_t count = (size_t)contest->threads - 1;
    size_t begun = 0;
    atomic_bool ends = false;
    void *memory = NULL;
    TRY(machine_memory((count + 1) * sizeof(Other), &memory));
    Other *others = memory;
    Status status = STATUS_OK;
    cpu_set_t processors;
    CPU_ZERO(&processors);
    if (count > 0 && sched_getaffinity(0, sizeof processors, &processors) == 0)
        pin(0, &processors);
    for (; begun < count && status == STATUS_OK; begun += status == STATUS_OK) {
        others[begun] = (Other){.ends = &ends, .contest = contest, .thread = (int)begun + 1, .processors = processors};
        if (pthread_create(&others[begun].id, NULL, go_on, &others[begun]) != 0)
            status = fail(STATUS_DEVICE, "no thread for an experiment");
    }
    if (status == STATUS_OK)
        status = time_stretches(queue, contest, others, count, ns);
    atomic_store(&ends, true);
    for (size_t i = 0; i < begun; i++)
        pthread_join(others[i].id, NULL);
    if (CPU_COUNT(&processors) > 0)
        (void)sched_setaffinity(0, sizeof processors, &processors);
    free(memory);
    return status;
}
