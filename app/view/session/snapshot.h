/* snapshot.h: a session as the window shows it while a worker has the session.
 * A snapshot owns its share of all that it shows: the request and its chain, pictures, spans and curves. The worker
 * makes new ones where it changes them. Members that the worker alone needs are NULL in a snapshot. */
#ifndef GLINT_APP_VIEW_SESSION_SNAPSHOT_H
#define GLINT_APP_VIEW_SESSION_SNAPSHOT_H

#include "app/view/session/session.h"

/* The pipeline may be asked for its plan and shapes; the device for what it is; `stop` and `partial` are for both
 * threads. The worker may write the next result of the same picture into the pixels of the result. */
void snapshot_take(const Session *session, Session *snapshot);
void snapshot_drop(Session *snapshot);

#endif
