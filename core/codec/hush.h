/* hush.h: silences libraries that print messages which are none of the user's business. */
#ifndef GLINT_CORE_CODEC_HUSH_H
#define GLINT_CORE_CODEC_HUSH_H

#include "core/base/status.h"

/* Has a thread do the work for which standard error is closed, with this thread's source of pixels. Returns its status
 * with its message, and its errno. Where the system does not allow that, it is done here, and may print. */
Status hushed(Status (*work)(void *context), void *context);

#endif
