/* preview.h: makes a small version of a result that takes long. The chain, with lengths in pixels reduced alike,
 * filters the picture, reduced to about the window's resolution. */
#ifndef GLINT_APP_VIEW_SESSION_PREVIEW_H
#define GLINT_APP_VIEW_SESSION_PREVIEW_H

#include "app/view/session/session.h"

#define PREVIEW_MS 150.0 /* runs that take longer have one */

/* Whether the run that is due is of another job than the result that is there, and had no preview yet. Only chains on
 * the CPU have previews. */
bool preview_due(const Session *session);
/* Makes a preview, by the best levels, for a window that shows the result at this scale. There is none where a filter
 * cannot be reduced (own weights, a second picture, a homography), or where its proportions would differ. Then
 * preview_make succeeds all the same. STATUS_INTERRUPTED if it was stopped. */
Status preview_make(Session *session, double scale);
/* The preview in the place of the result that is still to come, or NULL. */
const Preview *preview_shown(const Session *session);

/* The chain for a picture that is `scale` (below 1) times as large. Lengths and places in pixels are reduced, and odd
 * sizes stay odd. Values with a meaning of their own (0, negative) stay. Filters that follow noise and
 * fine detail, which a reduced picture lacks, are switched off. *reduced is NULL if a filter cannot be reduced, or if
 * none is left. STATUS_DEVICE if memory is short. */
Status preview_chain(const Chain *chain, double scale, Chain **reduced);

#endif
