/* contest.h: the time of additions by one thread while others add, too. */
#ifndef GLINT_CPU_COURSE_MACHINE_CONTEST_H
#define GLINT_CPU_COURSE_MACHINE_CONTEST_H

#include "core/device/experiment.h"

typedef struct Contest {
    void (*add)(const void *job, int thread, int times); /* so many additions of this thread, from 0 on */
    const void *job;
    int threads; /* with the one that is timed */
} Contest;

/* ns of an addition: the median over stretches in which all threads got on. NAN if there is none: other
 * programs had the processors. STATUS_INTERRUPTED once the queue is asked to stop; STATUS_DEVICE without threads. */
Status contest_time(Queue *queue, const Contest *contest, double *ns);

#endif
