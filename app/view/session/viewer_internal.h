/* viewer_internal.h: what the viewer's own files share: its state from within. */
#ifndef GLINT_APP_VIEW_SESSION_VIEWER_INTERNAL_H
#define GLINT_APP_VIEW_SESSION_VIEWER_INTERNAL_H

#include "app/view/session/viewer.h"

/* What the pipeline is made for. */
Measurement viewer_measurement(const Viewer *viewer);
const Level *session_level(const Session *session); /* the main stage's, or NULL */

/* Adds to the history of a span; of a `stage`, it is work of the pipeline. */
void session_record_span(Session *session, const char *name, double ms, bool stage);
/* Asks each level of the main stage whether it can do the job. */
void session_note_rungs(Session *session);
/* Forgets the spans, but for how the picture came here: in the order in which the overlay lists them. */
void session_clear_spans(Session *session);
/* The same of stages alone: what the window does with their results goes on as before, and keeps its place. */
void session_clear_stages(Session *session);
/* What a level took; an estimate does not replace a measurement. */
void session_note_level_time(Session *session, const Level *level, Timing timing);
/* Notes the medians since the last change: of the level, and of its backend. */
void session_note_times(Session *session);
/* What the run that is due takes at most, if one before had the same operations on the same levels, or both the best;
 * else 0. *max: also of other operations on their best levels, by the arithmetic of the latest; 0: not known. */
double session_paced_ms(const Session *session, double *max);

/* The result again, of the light that is gathered. */
Status viewer_show_light(Viewer *viewer, Spans *spans);

#endif
