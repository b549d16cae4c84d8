/* recorder.h: pictures of one size in sequence, at a fixed rate, into files: a folder of PNGs, an animated PNG, or what
 * ffmpeg makes of them.
 * Owns the thread that encodes, and the pictures that wait for it. */
#ifndef GLINT_APP_VIEW_RECORDER_H
#define GLINT_APP_VIEW_RECORDER_H

#include "core/image/image.h"

#include <stdbool.h>

enum { RATE_DEFAULT = 25, RATE_MAX = 240 /* pictures a second */ };

typedef struct Recorder Recorder;

/* Whether the path says what to make: "FOLDER/", or a file's extension. STATUS_USAGE with what there is. */
Status recorder_check(const char *path);
/* u8 pictures with 3 channels of this size. STATUS_USAGE for a path as recorder_check, or that output_claim refuses;
 * STATUS_DEVICE if the system has no thread or folder left, or no ffmpeg. */
Status recorder_begin(const char *path, Shape shape, int rate, bool overwrite, Recorder **recorder);
/* Takes the picture over, which stands for `times` pictures of the rate, and nulls it. If too many wait to be encoded:
 * waits for that, or returns false. */
bool recorder_add(Recorder *recorder, Image **image, unsigned times, bool waits);
/* Why writing has failed, as soon as it has. */
Status recorder_state(Recorder *recorder);
/* Waits until all are encoded; what is made appears. Fails as writing did, and nulls the pointer in any case. */
Status recorder_end(Recorder **recorder);

#endif
