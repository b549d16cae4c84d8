/* viewer_internal.h: what viewer.c, metrics.c, toast.c and scheduler.c share: the viewer's state from within. */
#ifndef GLINT_APP_VIEW_VIEWER_INTERNAL_H
#define GLINT_APP_VIEW_VIEWER_INTERNAL_H

#include "app/view/viewer.h"

/* What the pipeline is made for. */
Measurement viewer_measurement(const Viewer *viewer);

/* Adds to the history of a span; of a `stage`, it is work of the pipeline. */
void viewer_record_span(Viewer *viewer, const char *name, double ms, bool stage);
/* Forgets the spans, but for how the picture came here: in the order in which the overlay lists them. */
void viewer_clear_spans(Viewer *viewer);
/* What a level took; an estimate does not replace a measurement. */
void viewer_note_level_time(Viewer *viewer, const Level *level, Timing timing);
/* Notes the medians since the last change: of the level, and of its backend. */
void viewer_note_times(Viewer *viewer);
/* What a run takes at most, if the last runs had the same stages on the same levels; else 0. */
double viewer_paced_ms(const Viewer *viewer);

/* The result again, of the light that is gathered. */
Status viewer_show_light(Viewer *viewer, Spans *spans);

#endif
