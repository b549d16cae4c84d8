/* report.h: the viewer's timings as JSON.
 * Owns the record that the script's `timings` writes. */
#ifndef GLINT_APP_VIEW_REPORT_H
#define GLINT_APP_VIEW_REPORT_H

#include "app/view/viewer.h"

/* Writes medians over the last runs; replaces `path` ("-": standard output). */
Status report_save(const Viewer *viewer, const char *path);

#endif
