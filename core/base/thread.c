/* thread.c: threads that help with a call. */
#include "core/base/thread.h"

#include <signal.h>

/* Faults of the thread itself and the ticks of profilers stay: none of them is another thread's. */
bool thread_begin(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *of) {
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF};
    sigset_t blocked, before;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        sigdelset(&blocked, own[i]);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    const bool begun = pthread_create(thread, attributes, work, of) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return begun;
}
