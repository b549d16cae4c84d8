/* profile_trace.h: spans as a trace that Perfetto and chrome://tracing show.
 * Owns the events of one run of the program until they are written, in the Trace Event Format. */
#ifndef GLINT_CORE_BASE_PROFILE_TRACE_H
#define GLINT_CORE_BASE_PROFILE_TRACE_H

#include "core/base/status.h"

#include <stdbool.h>

typedef struct ProfileTrace ProfileTrace;

/* Lanes of the trace. Track TRACK_QUEUE + n shows the device's work for track n. */
enum { TRACK_MAIN = 0, TRACK_QUEUE = 1000 };

/* Begins a trace that profile_trace_close will let appear at `path`. Fails as output_claim and output_begin do: a file
 * that is there must be an earlier trace, unless `overwrite`. */
Status profile_trace_open(const char *path, bool overwrite, ProfileTrace **profile_trace);
/* Adds an event that began at `start`, on clock_ms(), and took `ms`; `detail` may be NULL. With a NULL trace, does
 * nothing. May be called from any thread. */
void profile_trace_add(ProfileTrace *profile_trace, int track, const char *name, const char *detail, double start,
                       double ms);
/* Names a track, less than TRACK_QUEUE, and that of its device, before anything is added there. NULL as above. */
void profile_trace_name(ProfileTrace *profile_trace, int track, const char *name);
/* Ends it; with `keep` the file appears, whole or not at all. Fails as output_finish does. Accepts NULL. */
Status profile_trace_close(ProfileTrace **profile_trace, bool keep);

#endif
