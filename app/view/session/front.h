/* front.h: keeps the frame in front of the links that are edited, so that a change behind it runs those alone.
 * Owns the choice of the place where a chain is parted, and the test whether its parts make the whole chain's values.
 * Memory: a session keeps one frame of that place's size, only where memory_budget() has room for it besides the
 * pipeline. Only chains on the CPU, behind pictures, keep one. */
#ifndef GLINT_APP_VIEW_SESSION_FRONT_H
#define GLINT_APP_VIEW_SESSION_FRONT_H

#include "app/view/session/session.h"

void front_free(Front *front); /* accepts a zeroed one */

/* Parts the chain behind the last link, of those in front of the selected one, that takes long. If none does, the
 * place is behind the last one of all. The values of both parts are those of the whole chain, to the bit. The chain
 * is not parted if a link behind that place reads the picture as it was. */
void front_find(Session *session);
/* The ms that the frame spares the run that is due; 0 if it is not kept. */
double front_spares_ms(Session *session);
/* Whether the run that is due goes by parts. */
bool front_due(Session *session);
/* Makes the result by parts, and records the run with the times of both, as one of the whole chain. The part in front
 * runs only if its frame is not kept. Fails as pipeline_run. */
Status front_run(Session *session);
/* Whether the result itself is the frame in front of links to come, and is not kept yet; and keeping it. */
bool front_keep_due(const Session *session);
Status front_keep(Session *session);

/* The values that the run that is due begins with: the kept frame or the picture. */
ImageView front_input(Session *session);
/* The plan of what is to be done with them, each step a stage, for front_input of the same job. Fails as chain_plan
 * does. */
Status front_plan(const Session *session, Plan **plan);
/* The level that the plan's stages have in the session's pipeline: a name, or "best". */
const char *front_level(const Session *session, const Plan *plan);

#endif
