/* recorder.h: pictures of one size in sequence, at a fixed rate, into files: a folder of PNGs, an animated PNG, or a
 * film by ffmpeg.
 * Owns the thread that encodes, and the pictures that wait for it. */
#ifndef GLINT_APP_VIEW_WINDOW_RECORDER_H
#define GLINT_APP_VIEW_WINDOW_RECORDER_H

#include "core/base/output.h"
#include "core/image/image.h"

#include <stdbool.h>

typedef struct Recorder Recorder;

/* u8 pictures with 3 channels of this size, into files by these rules, whose `writer` and `place` are the recorder's.
 * STATUS_USAGE for a path as film_check (app/view/data/film.h), or that output_claim refuses; STATUS_DEVICE if the
 * system has no thread or folder left, or no ffmpeg. */
Status recorder_begin(const char *path, Shape shape, int rate, OutputRules rules, Recorder **recorder);
/* Takes the picture over, which stands for `times` pictures of the rate, and nulls it. If too many wait to be encoded:
 * waits for that, or returns false. */
bool recorder_add(Recorder *recorder, Image **image, unsigned times, bool waits);
/* Why writing has failed, as soon as it has. */
Status recorder_state(Recorder *recorder);
/* Waits until all are encoded; the file or folder appears. Fails as writing did, and nulls the pointer in any case. */
Status recorder_end(Recorder **recorder);

#endif
