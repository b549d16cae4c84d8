/* admission.h: what a job of a batch takes of the process's budget of memory, and when it may begin.
 * Owns the estimate, from a file's header and the chain, of what a worker holds at once. */
#ifndef GLINT_APP_ADMISSION_H
#define GLINT_APP_ADMISSION_H

#include "core/backend.h"
#include "core/chain.h"
#include "core/codec.h"
#include "core/memory.h"

/* A worker's share of the budget, and the estimate for pictures of one shape. */
typedef struct Admission {
    Budget *budget; /* shared among workers */
    size_t share;   /* bytes that this worker holds of it */
    Shape shape;    /* of the pictures that the next three are for; width 0: none yet */
    size_t frames;  /* bytes in host memory that the pipeline keeps */
    size_t filter;  /* bytes besides, while a picture is filtered */
    size_t encode;  /* bytes besides, while a result is encoded */
} Admission;

/* Takes the share that `file` needs, if that is possible at once: then what the worker keeps from its last job may
 * stay. STATUS_INPUT if the file can never fit, or the chain refuses its shape. *admitted says whether. */
Status admission_try(Admission *admission, const CodecFile *file, const Chain *chain, PlanOptions options,
                     const Backend *backend, bool *admitted);
/* Waits for it instead, in the order of arrival. The worker has freed what its last job left. */
Status admission_wait(Admission *admission, const CodecFile *file);
/* What of the share decoding may hold, while the pipeline is there. */
size_t admission_decoding(const Admission *admission);
void admission_end(Admission *admission); /* the worker holds nothing any more */

#endif
