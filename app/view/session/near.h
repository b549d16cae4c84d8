/* near.h: the visible part of a result that takes long, made first, at 1:1 and with the true parameters.
 * Owns the choice of the part, and the rule which chains have one: those whose pixels depend on their surroundings
 * alone. */
#ifndef GLINT_APP_VIEW_SESSION_NEAR_H
#define GLINT_APP_VIEW_SESSION_NEAR_H

#include "app/view/session/session.h"

/* Makes the next part that is due; false if none is. The first is as much of the middle as takes NEAR_MS. The second is
 * all that is seen, if that is a small share of the picture. A failure makes none: the run itself will say why. Only
 * chains on the CPU and on devices without a clock have parts. */
bool near_make(Session *session, const Sight *sight);
/* The part that may be shown over the result before, or NULL. */
const Near *near_shown(const Session *session);
/* Its pixels as the whole result's: no others may be read. */
ImageView near_view(const Near *near);

#endif
