/* timings_json.h: the viewer's timings as JSON.
 * Owns the record that the script's `timings` writes. */
#ifndef GLINT_APP_VIEW_SESSION_TIMINGS_JSON_H
#define GLINT_APP_VIEW_SESSION_TIMINGS_JSON_H

#include "app/view/session/viewer.h"

#include <stdio.h>

/* Writes medians over the last runs. STATUS_DEVICE if memory is short. */
Status timings_json_write(const Viewer *viewer, FILE *stream);
/* Writes medians to a file; fails as output_claim, output_stream and output_finish do. */
Status timings_json_save(const Viewer *viewer, const char *path);

#endif
