/* drop.h: files that are dragged here from other programs: the target's side of the XDND protocol, version 5.
 * Owns the files that have arrived. freeglut takes all events of its window and hands on none of these, so drop.c takes
 * them from its connection before it sees them. */
#ifndef GLINT_APP_VIEW_WINDOW_DROP_H
#define GLINT_APP_VIEW_WINDOW_DROP_H

#include "core/base/status.h"

#include <stdbool.h>

typedef struct Drop Drop;

/* The window of the current OpenGL context takes files from now on. STATUS_DEVICE without memory. */
Status drop_create(Drop **drop);
void drop_destroy(Drop **drop); /* before the window goes; accepts NULL */
/* Whether something has arrived that drop_serve has not answered. */
bool drop_due(const Drop *drop);
/* Answers the other program: it waits for that. */
void drop_serve(Drop *drop);
/* The list of files (text/uri-list) that was dropped, once it has come (free with free); else NULL. */
char *drop_take(Drop *drop);

#endif
