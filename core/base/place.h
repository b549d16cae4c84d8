/* place.h: the folder that a run's outputs go to, held open.
 * Owns the rule that a path is looked up once. A process that renames the folder meanwhile, or puts a link in its
 * place, takes along its files, and leads no output elsewhere. */
#ifndef GLINT_CORE_BASE_PLACE_H
#define GLINT_CORE_BASE_PLACE_H

#include "core/base/status.h"

#include <stdbool.h>
#include <sys/stat.h>

typedef struct Place Place;

/* Holds the folder of outputs that `rule` (-o) names: all of it, if that is a folder. Else it is the part before the
 * last slash and before the first field ("{stem}"); without a slash, the working folder. Where the folder is yet to be
 * made, the deepest one above it is held until then. STATUS_DEVICE if it cannot be entered. */
Status place_hold(const char *rule, Place **place);
void place_release(Place **place); /* accepts NULL */

/* The folder as outputs begin with it: "out/", or "" for the working folder. */
const char *place_text(const Place *place);
/* A folder for *at() calls, and *below, the rest of `path` below it. Without a place (NULL), for a path elsewhere and
 * before the folder is made, these are AT_FDCWD and all of the path. Any thread may ask. */
int place_of(const Place *place, const char *path, const char **below);
/* Asks lstat() of a path below the place, if no folder on the way there is a link; false also if nothing is there.
 */
bool place_look(const Place *place, const char *path, struct stat *info);
/* Makes the folders above a path that are missing, the place among them, with these permissions but for the umask; the
 * place may be NULL. STATUS_DEVICE, with the folder's path in front, if one cannot be made. Any thread may call it. */
Status place_make_folders(Place *place, const char *path, unsigned permissions);

#endif
