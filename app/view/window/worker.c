/* worker.c: the thread, a condition that begins a task, and a flag that tells of its end, or a pipe where the window
 * sleeps. */
#include "app/view/window/worker.h"

#include "core/base/timing.h"

#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

enum { SENTENCE_MAX = 1024, NICENESS = 10, CORES_TO_SPIN = 4 };
#define SPIN_MS 0.2 /* a thread that sleeps is awake again after about 0.05 ms, which short tasks do not take */

typedef enum Progress { RUNS, LISTENED_TO, ENDED } Progress;

struct Worker {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t begins;
    bool spins;          /* there are cores to spare */
    atomic_int begun;    /* a task has; these two are looked at while a thread spins */
    atomic_int progress; /* of Progress */
    ViewerTask *task;    /* these: under the lock */
    Viewer *viewer;      /* borrowed */
    void *argument;
    bool quits;
    int ends[2]; /* a pipe: a byte for a task that has ended, if the window listens */
    Status status;
    char sentence[SENTENCE_MAX];
    bool busy, listens; /* these: of the window's thread */
    double since;
};

/* Looks for up to `ms` whether the flag has that value. */
static void spin(const Worker *worker, atomic_int *flag, int value, double ms) {
    const double end = clock_ms() + fmin(ms, SPIN_MS);
    while (worker->spins && atomic_load(flag) != value && clock_ms() < end)
        continue;
}

/* The next task, or NULL at the end. */
static ViewerTask *await_task(Worker *worker, Viewer **viewer, void **argument) {
    spin(worker, &worker->begun, true, SPIN_MS);
    pthread_mutex_lock(&worker->lock);
    while (!worker->task && !worker->quits) {
        pthread_cond_wait(&worker->begins, &worker->lock);
        if (worker->task || worker->quits)
            break;
        pthread_mutex_unlock(&worker->lock); /* roused */
        spin(worker, &worker->begun, true, SPIN_MS);
        pthread_mutex_lock(&worker->lock);
    }
    ViewerTask *task = worker->task;
    *viewer = worker->viewer;
    *argument = worker->argument;
    worker->task = NULL;
    atomic_store(&worker->begun, false);
    pthread_mutex_unlock(&worker->lock);
    return task;
}

/* Its threads, and those that it makes, give way to the window's draws at once. */
static void *work(void *argument) {
    Worker *worker = argument;
    Viewer *viewer;
    void *of_task;
    setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + NICENESS); /* Linux has one for each thread */
    for (ViewerTask *task; (task = await_task(worker, &viewer, &of_task));) {
        worker->status = task(viewer, of_task);
        if (worker->status != STATUS_OK)
            snprintf(worker->sentence, sizeof worker->sentence, "%s", status_message());
        const bool heard = atomic_exchange(&worker->progress, ENDED) == LISTENED_TO;
        while (heard && write(worker->ends[1], "", 1) != 1)
            continue; /* a signal came */
    }
    return NULL;
}

Status worker_create(Worker **worker) {
    Worker *made = *worker = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for a worker");
    if (pipe(made->ends) != 0) {
        free(made);
        *worker = NULL;
        return fail(STATUS_DEVICE, "no pipe for a worker: %m");
    }
    made->spins = sysconf(_SC_NPROCESSORS_ONLN) >= CORES_TO_SPIN;
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->begins, NULL);
    if (pthread_create(&made->thread, NULL, work, made) == 0)
        return STATUS_OK;
    close(made->ends[0]);
    close(made->ends[1]);
    pthread_mutex_destroy(&made->lock);
    pthread_cond_destroy(&made->begins);
    free(made);
    *worker = NULL;
    return fail(STATUS_DEVICE, "no thread for a worker");
}

void worker_destroy(Worker **worker) {
    Worker *old = *worker;
    if (!old)
        return;
    pthread_mutex_lock(&old->lock);
    old->quits = true;
    pthread_cond_signal(&old->begins);
    pthread_mutex_unlock(&old->lock);
    pthread_join(old->thread, NULL);
    pthread_mutex_destroy(&old->lock);
    pthread_cond_destroy(&old->begins);
    close(old->ends[0]);
    close(old->ends[1]);
    free(old);
    *worker = NULL;
}

void worker_begin(Worker *worker, Viewer *viewer, ViewerTask *task, void *argument) {
    worker->busy = true;
    worker->since = clock_ms();
    atomic_store(&worker->progress, RUNS);
    pthread_mutex_lock(&worker->lock);
    worker->task = task;
    worker->viewer = viewer;
    worker->argument = argument;
    atomic_store(&worker->begun, true);
    pthread_cond_signal(&worker->begins);
    pthread_mutex_unlock(&worker->lock);
}

void worker_rouse(Worker *worker) {
    if (!worker->busy && worker->spins)
        pthread_cond_signal(&worker->begins);
}

static bool has_ended(Worker *worker) {
    return atomic_load(&worker->progress) == ENDED;
}

/* Up to `ms`; below 0: without end. */
static void listen(Worker *worker, int ms) {
    int runs = RUNS;
    struct pollfd end = {worker->ends[0], POLLIN, 0};
    worker->listens |= atomic_compare_exchange_strong(&worker->progress, &runs, LISTENED_TO);
    if (worker->listens)
        (void)poll(&end, 1, ms);
}

void worker_await(Worker *worker) {
    while (worker && worker->busy && !has_ended(worker))
        listen(worker, -1);
}

bool worker_end(Worker *worker, double ms, Status *status) {
    char byte;
    if (ms > 0)
        spin(worker, &worker->progress, ENDED, ms);
    if (!has_ended(worker))
        listen(worker, (int)ms);
    if (ms < 0)
        worker_await(worker);
    if (!has_ended(worker))
        return false;
    while (worker->listens && read(worker->ends[0], &byte, 1) != 1)
        continue; /* a signal came */
    worker->busy = worker->listens = false;
    *status = worker->status == STATUS_OK ? STATUS_OK : fail(worker->status, "%s", worker->sentence);
    return true;
}

double worker_busy_ms(const Worker *worker) {
    return worker->busy ? clock_ms() - worker->since : 0;
}

int worker_descriptor(const Worker *worker) {
    return worker->ends[0];
}
