/* thread.h: threads that help with a call. */
#ifndef GLINT_CORE_BASE_THREAD_H
#define GLINT_CORE_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Begins a thread, which no signal of the process interrupts: handlers run in other threads. `attributes` may be NULL.
 * False if the system gives no thread. */
bool thread_begin(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *of);

#endif
