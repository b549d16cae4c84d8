/* structure.h: levels on a device without a clock, an emulated GPU: counts take the place of times.
 * Owns the counts of a part of the job, and the rule that a large picture's visible part (near.h) stands for all of it.
 * The rest waits until the result is saved. */
#ifndef GLINT_APP_VIEW_SESSION_STRUCTURE_H
#define GLINT_APP_VIEW_SESSION_STRUCTURE_H

#include "app/view/session/session.h"

/* Whether the run that is due waits, since the visible part stands for its result. Only without a clock. */
bool structure_holds(const Session *session);
/* Makes a part of a large result that is due, from its middle, where the window has made none yet. */
void structure_stand_in(Session *session);
/* The milliseconds of this machine, not of a GPU, that the due run takes: by a small part of the job. 0 where that is
 * short or not to be had. */
double structure_expected_ms(Session *session);

/* The structure of a level, where it was judged on this job; else NULL. */
const Structure *session_structure(const Session *session, const Level *level);
/* Notes the verdict on a level, of a part of the job. */
void structure_note(Session *session, const Level *level, const Judgement *judgement);
/* Whether the level was judged, and its instructions were not counted yet; counting them, on that part. The listing of
 * the shown level stays in the session. STATUS_INTERRUPTED if it was stopped; a level without counts is no failure. */
bool structure_lacks_counts(const Session *session, const Level *level);
Status structure_count(Session *session, const Level *level);
/* Forgets all, as after a kernel was changed. */
void structure_forget(Session *session);

extern const char *const structure_names[STRUCTURE_FIGURES]; /* "sectors a request" */
/* "912 instr./pixel · 1.25 sectors" of the most telling; "" where nothing was counted. Returns `buffer`. */
const char *structure_words(const Structure *structure, char *buffer, size_t size);

#endif
