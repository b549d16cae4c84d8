/* apng.h: animated PNGs (PNG, third edition, chapter 11.3.6) written frame by frame.
 * Bytes go to a sink at once: a film takes no more memory than a frame. */
#ifndef GLINT_CORE_CODEC_APNG_H
#define GLINT_CORE_CODEC_APNG_H

#include "core/base/bytes.h"
#include "core/base/status.h"
#include "core/image/image.h"

enum { APNG_TICKS_MAX = 65535 };

/* Set `to` and `plays`; all else is zero at first. */
typedef struct ApngWriter {
    ByteSink *to; /* borrowed; seeks */
    size_t plays; /* how often the animation runs; 0: for ever */
    size_t at, control_at, frames, sequence;
} ApngWriter;

/* The place of a frame, and its time: ticks / rate seconds, both up to APNG_TICKS_MAX. */
typedef struct ApngFrame {
    size_t left, top;
    unsigned ticks, rate;
} ApngFrame;

/* Adds a frame that is encoded as PNG, all of them in one format. The first one is the canvas; others replace the part
 * of it where they lie. Fails as the sink does. */
Status apng_add(ApngWriter *writer, Bytes png, ApngFrame frame);
/* Adds a picture for ticks / rate seconds, by the smallest part of it that differs from the one `before`. NULL: it is
 * the first. All have one shape, which PNG has. STATUS_DEVICE if memory is short; fails else as apng_add. */
Status apng_add_changed(ApngWriter *writer, ImageView now, const ImageView *before, unsigned ticks, unsigned rate);
/* Ends the file; there was a frame. Fails as the sink does. */
Status apng_end(ApngWriter *writer);

#endif
