/* raw_library.h: the parts of LibRaw that its C interface lacks. */
#ifndef GLINT_CORE_CODEC_RAW_LIBRARY_H
#define GLINT_CORE_CODEC_RAW_LIBRARY_H

#include "core/base/input.h"

#include <libraw/libraw.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RawStream RawStream;

/* Opens a file that is read piece by piece (borrowed until the stream is closed). From now on *damaged becomes true
 * where the data are impossible. Returns LibRaw's error, 0 for none. */
int raw_stream_open(libraw_data_t *raw, Input *file, bool *damaged, RawStream **stream);
void raw_stream_close(RawStream *stream); /* behind libraw_close; accepts NULL */
/* Writes the developed picture, rows `stride` bytes apart. Returns LibRaw's error, 0 for none. */
int raw_copy(libraw_data_t *raw, void *rows, size_t stride);

#ifdef __cplusplus
}
#endif

#endif
