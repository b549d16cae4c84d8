/* pool.h: chains that were asked for, bound to the device, for the next picture of the same shape. */
#ifndef GLINT_APP_SERVE_POOL_H
#define GLINT_APP_SERVE_POOL_H

#include "core/chain/chain.h"
#include "core/image/image.h"
#include "core/run/strips.h"

typedef struct Pool Pool;

/* `device`, `level` and what the options borrow outlive the pool. STATUS_DEVICE without memory. */
Status pool_open(Device *device, PlanOptions plan, const char *level, Pool **pool);
void pool_close(Pool **pool); /* accepts NULL */
/* Filters a picture, and those behind it; any thread may call it. STATUS_USAGE if the chain makes no sense, or names
 * files; STATUS_INPUT if the picture does not suit it. */
Status pool_filter(Pool *pool, const char *chain, Image **image, Spans *spans);

#endif
