/* kernel_check.h: kernels of users held against the reference, in jobs of many kinds. */
#ifndef GLINT_APP_KERNEL_CHECK_H
#define GLINT_APP_KERNEL_CHECK_H

#include "app/common_options.h"

#include <jansson.h>

/* Checks all kernels that were added (kernel/rungs.h) on each backend that works here, or on the one that the options
 * name. Writes a line for each to `to`, which tells the first case that is wrong, and appends an entry to `list`.
 * STATUS_PARTIAL if a kernel is wrong. STATUS_DEVICE if no backend that runs them works here. */
Status kernel_check(const CommonOptions *common, FILE *to, json_t *list);

#endif
