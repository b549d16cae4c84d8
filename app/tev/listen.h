/* listen.h: a thread that takes packets of tev's protocol for the table of live pictures.
 * Owns the sockets and the limits of programs that connect. There are so many connections, and a quarter of the memory
 * budget for packets under way. A token may be asked for. A connection that breaks a rule is closed, and the window
 * told why. Nothing is ever sent back. */
#ifndef GLINT_APP_TEV_LISTEN_H
#define GLINT_APP_TEV_LISTEN_H

#include "core/base/status.h"

#include <stddef.h>

enum { LISTEN_CONNECTIONS = 16, LISTEN_TOKEN_MIN = 8 /* bytes */ };

typedef struct Listener Listener;

/* Begins the table (live.h) and listens at an address (address.h), which `name` becomes in numbers. With a token, a
 * connection's first packet has to open the file "token", with the token as the channels to be shown. Or it opens the
 * file "token:TOKEN", as old clients can. Fails as live_begin and address_listen do; STATUS_USAGE for a token that is
 * short. */
Status listener_begin(const char *address, const char *token, char *name, size_t size, Listener **listener);
void listener_end(Listener **listener); /* with the table; accepts NULL */

#endif
