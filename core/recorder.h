/* recorder.h: spans as a trace that Perfetto and chrome://tracing show.
 * Owns the events of one run of the program until they are written, in the Trace Event Format. */
#ifndef GLINT_CORE_RECORDER_H
#define GLINT_CORE_RECORDER_H

#include "core/status.h"

typedef struct Recorder Recorder;

/* Lanes of the trace. Worker n of a batch is track n; what its device does is track TRACK_QUEUE + n. */
enum { TRACK_MAIN = 0, TRACK_QUEUE = 1000 };

/* Begins a trace that recorder_close will write to `path`. STATUS_DEVICE if nothing can be written there,
 * STATUS_USAGE if a file is there that is no trace. */
Status recorder_open(const char *path, Recorder **recorder);
/* Adds an event that began at `start`, on clock_ms(), and took `ms`; `detail` may be NULL. With a NULL recorder, does
 * nothing. May be called from any thread. */
void recorder_add(Recorder *recorder, int track, const char *name, const char *detail, double start, double ms);
/* Writes the file, whole or not at all (core/file.h). STATUS_DEVICE if that fails. Accepts NULL. */
Status recorder_close(Recorder **recorder);

#endif
