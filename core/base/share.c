/* share.c: threads that take pieces of one piece of work, and end with it. */
#include "core/base/share.h"

#include "core/base/thread.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

size_t share_cores(void) {
    long count = sysconf(_SC_NPROCESSORS_ONLN);
#if defined(__linux__)
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        count = CPU_COUNT(&allowed);
#endif
    return count < 1 ? 1 : count < SHARE_CORES_MAX ? (size_t)count : SHARE_CORES_MAX;
}

typedef struct Shared {
    ShareWork *work;
    const void *job;
    size_t pieces;
    atomic_size_t next; /* the first piece that no thread has taken */
} Shared;

static void *take_pieces(void *argument) {
    Shared *shared = argument;
    for (size_t i; (i = atomic_fetch_add(&shared->next, 1)) < shared->pieces;)
        shared->work(shared->job, i);
    return NULL;
}

void share_pieces(size_t pieces, ShareWork *work, const void *job) {
    Shared shared = {.work = work, .job = job, .pieces = pieces};
    pthread_t threads[SHARE_CORES_MAX];
    const size_t cores = pieces > 1 ? share_cores() : 1, wanted = pieces < cores ? pieces : cores;
    size_t started = 0;
    while (started + 1 < wanted && thread_begin(&threads[started], NULL, take_pieces, &shared))
        started++;
    take_pieces(&shared);
    while (started > 0)
        pthread_join(threads[--started], NULL);
}
