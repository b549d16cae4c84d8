/* memory.h: one budget of memory for the process, and the shares that jobs take of it.
 * Owns the meaning of GLINT_MEMORY and GLINT_DEVICE_MEMORY, and the order in which threads go ahead while memory is
 * scarce. */
#ifndef GLINT_CORE_BASE_MEMORY_H
#define GLINT_CORE_BASE_MEMORY_H

#include "core/base/status.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* STATUS_USAGE unless both environment variables, if they are set, say "512M", "0.5G", "1T" or a number of bytes;
 * suffixes (either case) are powers of 1024. More than a size_t holds is SIZE_MAX. */
Status memory_check(void);

/* The bytes that the process should hold at most: GLINT_MEMORY, else half of the memory that machine, control group and
 * limits (ulimit -v) give. */
size_t memory_budget(void);
/* The most bytes of each device's own memory: GLINT_DEVICE_MEMORY, else SIZE_MAX. */
size_t memory_of_device(void);

/* From now on large blocks that this thread asks for (core/base/pages.h) lie in files without a name in `folder`
 * (borrowed). memory_fits lets it have them. NULL: in memory, as at first. */
void memory_spill(const char *folder);
const char *memory_spill_folder(void); /* or NULL */

/* STATUS_INPUT, naming `what` ("decoding", "this chain"), if `bytes` exceed the budget. */
Status memory_fits(size_t bytes, const char *what);

/* STATUS_INPUT: `what` needs `bytes`, and there are no more than `max`. */
Status memory_lacks(size_t bytes, size_t max, const char *what);

/* a + b and a * b, SIZE_MAX where they overflow: estimates never wrap. */
static inline size_t memory_sum(size_t a, size_t b) {
    return a > (size_t)-1 - b ? (size_t)-1 : a + b;
}
static inline size_t memory_product(size_t a, size_t b) {
    return b != 0 && a > (size_t)-1 / b ? (size_t)-1 : a * b;
}

/* Shares of the budget among jobs that run at once. Jobs that wait are served in the order of arrival, so that small
 * ones do not overtake a large one for ever. */
typedef struct Budget {
    size_t total, taken;                /* bytes */
    unsigned long next_ticket, serving; /* of the threads that wait */
    pthread_mutex_t lock;               /* guards all of these but `total` */
    pthread_cond_t changed;
} Budget;

void budget_init(Budget *budget, size_t total);
void budget_destroy(Budget *budget);
/* Makes *share (0, or left by an earlier call) `bytes`, if that is possible at once and nobody waits. */
bool budget_try(Budget *budget, size_t *share, size_t bytes);
/* Gives *share back, then waits until `bytes` are free and takes them. The caller holds nothing of its old share any
 * more. STATUS_INPUT if they are more than there is in all; *share is 0 then. */
Status budget_wait(Budget *budget, size_t *share, size_t bytes);
void budget_return(Budget *budget, size_t *share);

#endif
