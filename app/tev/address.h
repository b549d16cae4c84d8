/* address.h: "HOST:PORT" as sockets: to listen on, or connected.
 * Owns its spelling: HOST, HOST:PORT, :PORT, PORT, [IPV6]:PORT; without a host 127.0.0.1, without a port 14158, that of
 * tev. */
#ifndef GLINT_APP_TEV_ADDRESS_H
#define GLINT_APP_TEV_ADDRESS_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Listens, for `option` in messages. `guarded`: whoever connects needs a token, without which the address has to be of
 * the loopback interface. `name` becomes the address as numbers, with the port that port 0 became. STATUS_USAGE for
 * a wrong spelling, or an unguarded address of another interface; STATUS_DEVICE if it cannot be listened on. */
Status address_listen(const char *option, const char *text, bool guarded, char *name, size_t size, int *descriptor);
/* Connects; waits at most 5 s. Writes never wait. STATUS_USAGE for a wrong spelling; STATUS_DEVICE if nobody listens
 * there. */
Status address_connect(const char *option, const char *text, int *descriptor);

#endif
