/* aligned.h: the source of a comparison, pixel by pixel as the result has it.
 * Owns the making of that picture where the source has another place, size or type. */
#ifndef GLINT_APP_VIEW_SESSION_ALIGNED_H
#define GLINT_APP_VIEW_SESSION_ALIGNED_H

#include "app/view/session/session.h"

/* The picture whose pixels lie as the result's do, which may be the source itself, and the part of the result that it
 * covers. NULL if there is none, or it is not made yet. No other pixels have its *serial. */
const Image *aligned_source(const Session *session, unsigned *serial, PlacedPart *part);
/* Why the differences of the sides cannot be counted, as session_why_apart has it. */
const char *aligned_why_not(const Session *session, char *buffer, size_t size);
/* Whether such a picture is to be made: for the difference that is to be seen; for figures. */
bool aligned_due(const Session *session);
bool aligned_needed(const Session *session);
/* Goes on making it for up to 50 ms. STATUS_DEVICE if memory is short; then it is not tried again. */
Status aligned_make(Session *session);

#endif
