/* frames.h: where the frames of a file of particles lie.
 * Owns an index that is made in one pass over the file, and the file, from which a frame's text is read alone. */
#ifndef GLINT_CORE_SCENE_PARTICLES_FRAMES_H
#define GLINT_CORE_SCENE_PARTICLES_FRAMES_H

#include "core/base/input.h"
#include "core/scene/particles/lines.h"

typedef struct SceneFormat SceneFormat; /* core/scene/files/formats.h */

typedef struct FramePlace {
    size_t offset, line; /* in the file, from 0 on */
} FramePlace;

typedef struct Frames {
    const SceneFormat *format;
    const char *name; /* borrowed */
    Input input;
    FramePlace *places; /* of each frame, and behind the last one */
    size_t count, capacity;
    size_t head, head_lines; /* bytes at the beginning that all frames share, and their lines */
    bool damaged;            /* the last frame is, and none can be found behind it */
} Frames;

/* Finds the frames of a file, whose name stays borrowed. A damaged frame counts; reading it says how it is wrong. Where
 * none is found, there is one. A stream is kept in memory. STATUS_USAGE if the file's format has no frames.
 * STATUS_INPUT if the file cannot be read, or has a frame larger than memory_budget(), or is a stream larger than that.
 * STATUS_DEVICE if memory is short. STATUS_INTERRUPTED. */
Status frames_open(const char *path, Frames *frames);
/* The same through a window that has `first` bytes at first, at least 1, and grows to what the largest frame takes. */
Status frames_open_by(const char *path, size_t first, Frames *frames);
/* The text of a frame, from 1 on, with a zero behind its end; free it with bytes_free. Before it lies what all frames
 * share, and behind it what they share if the format has such (SceneFormat.tail). STATUS_INPUT if there is no such
 * frame, or the file has become shorter. Fails else as frames_open. */
Status frames_read(Frames *frames, size_t frame, Bytes *text, Extract *extract);
/* The same of an opened file, which it takes over and closes, or of bytes in memory, which stay. It looks no further
 * than it must. Files of formats without frames are one frame. */
Status frames_take(const SceneFormat *format, const Input *input, size_t frame, Bytes *text, Extract *extract);
void frames_close(Frames *frames); /* accepts a zeroed one */

#endif
