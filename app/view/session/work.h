/* work.h: pieces of work that may be due. */
#ifndef GLINT_APP_VIEW_SESSION_WORK_H
#define GLINT_APP_VIEW_SESSION_WORK_H

#include "app/view/session/session.h"

typedef struct Work {
    bool (*due)(const Session *session);
    Status (*run)(Session *session);
    bool needs_rest;  /* it waits until the user's hands rest */
    bool needs_clock; /* it is about times, and never due without a clock */
    bool of_sides;    /* it is about pixels, and due without stages as well: two files are compared as they are */
} Work;

/* The figures of a job that has run, in this order. */
extern const Work measurements[];
extern const size_t measurement_count;

/* Whether the shown level is a kernel of the user, and was not judged on this job yet: that waits for no rest. */
bool judgement_of_kernel_due(const Session *session);
Status judge_level(Session *session);

#endif
