/* flip_errors.h: how far the result and its source are apart to an eye, by FLIP (cpu/flip/flip.h).
 * Owns the map of errors and its figures, and their making: piece by piece, for results and sources as they come. */
#ifndef GLINT_APP_VIEW_SESSION_FLIP_ERRORS_H
#define GLINT_APP_VIEW_SESSION_FLIP_ERRORS_H

#include "app/view/session/session.h"

/* Errors of the shown result and its source, or NULL where none are known. While light gathers, the last ones stay
 * until those of more samples are there. */
const FlipErrors *flip_errors_known(const Session *session);
/* Whether errors are to be made: for the map that is to be seen; for figures, which more light makes worthless. */
bool flip_errors_due(const Session *session);
bool flip_errors_needed(const Session *session);
/* The share of the errors to come that is made, 0 to 1; negative: they were refused for want of memory. */
double flip_errors_progress(const Session *session);
/* Goes on making them for up to 50 ms, until it is asked to stop; errors of other pictures are dropped. */
Status flip_errors_make(Session *session);
void flip_errors_free(FlipErrors *errors);

#endif
