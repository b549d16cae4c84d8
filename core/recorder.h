/* recorder.h: spans as a trace that Perfetto and chrome://tracing show.
 * Owns the events of one run of the program until they are written, in the Trace Event Format. */
#ifndef GLINT_CORE_RECORDER_H
#define GLINT_CORE_RECORDER_H

#include "core/status.h"

#include <stdbool.h>

typedef struct Recorder Recorder;

/* Lanes of the trace. Worker n of a batch is track n; what its device does is track TRACK_QUEUE + n. */
enum { TRACK_MAIN = 0, TRACK_QUEUE = 1000 };

/* Begins a trace that recorder_close will let appear at `path`. Fails as output_claim and output_begin do: a file that
 * is there must be an earlier trace, unless `overwrite`. */
Status recorder_open(const char *path, bool overwrite, Recorder **recorder);
/* Adds an event that began at `start`, on clock_ms(), and took `ms`; `detail` may be NULL. With a NULL recorder, does
 * nothing. May be called from any thread. */
void recorder_add(Recorder *recorder, int track, const char *name, const char *detail, double start, double ms);
/* Ends it; with `keep` the file appears, whole or not at all. Fails as output_finish does. Accepts NULL. */
Status recorder_close(Recorder **recorder, bool keep);

#endif
