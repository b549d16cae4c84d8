/* film.h: the kinds of recordings, by the path that they go to. */
#ifndef GLINT_APP_VIEW_DATA_FILM_H
#define GLINT_APP_VIEW_DATA_FILM_H

#include "core/base/status.h"

#define FILM_FRAME "frame-%06u.png" /* the pictures in a folder, from 1 */

enum { RATE_DEFAULT = 25, RATE_MAX = 240 /* pictures a second */ };

typedef enum FilmKind { FILM_FOLDER, FILM_APNG, FILM_FFMPEG, FILM_KINDS } FilmKind;

/* The path's kind: "FOLDER/", or a file by its extension; FILM_KINDS if it names none. */
FilmKind film_kind(const char *path);
/* STATUS_USAGE, with the kinds there are, if the path names none or is too long. */
Status film_check(const char *path);

#endif
