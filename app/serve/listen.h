/* listen.h: the socket that `glint serve` listens on. */
#ifndef GLINT_APP_SERVE_LISTEN_H
#define GLINT_APP_SERVE_LISTEN_H

#include "core/base/status.h"

/* Makes a Unix socket at `path`, for this user alone. One that a server has left there, and nobody listens on, is
 * replaced. STATUS_USAGE if the path is longer than the system allows, or something else is there. STATUS_DEVICE. */
Status listen_on_path(const char *path, int *descriptor);
/* Listens on a port of the loopback interface; 0: one that is free, which *port becomes. STATUS_DEVICE. */
Status listen_on_port(int *port, int *descriptor);

#endif
