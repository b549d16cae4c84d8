/* trace_output.h: the names of the files that glint trace writes. */
#ifndef GLINT_APP_TRACE_OUTPUT_H
#define GLINT_APP_TRACE_OUTPUT_H

#include "core/base/status.h"

#include <limits.h>

/* The file of frame `frame`, from 0 on, of `frames`; 0 frames: `output` itself. Its number, from 1 on, stands where
 * `output` says {frame}, else behind a dash before the extension. STATUS_DEVICE if the path is too long. */
Status trace_output_name(const char *output, long frame, long frames, char path[static PATH_MAX]);

#endif
