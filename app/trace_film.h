/* trace_film.h: a film in one file, picture by picture: an animated PNG, or YUV4MPEG2.
 * Owns the bytes between pictures. The file appears once it is complete; two pictures are in memory. */
#ifndef GLINT_APP_TRACE_FILM_H
#define GLINT_APP_TRACE_FILM_H

#include "core/base/output.h"
#include "core/image/image.h"

typedef struct TraceFilm TraceFilm;

enum { FILM_RATE = 25, FILM_RATE_MAX = 240 /* pictures a second */ };

/* Whether the path's extension is one of such films: png, apng, y4m. */
bool trace_film_takes(const char *path);
/* Begins a film of pictures of this shape, on an output that is borrowed. STATUS_USAGE for a shape that the format
 * lacks: Y4M has no alpha. STATUS_DEVICE if the file cannot be made. */
Status trace_film_begin(Output *output, Shape shape, long rate, TraceFilm **film);
/* Adds a picture, which may change afterwards. STATUS_DEVICE if it cannot be written, or memory is short. */
Status trace_film_add(TraceFilm *film, const Image *image);
/* Writes the end of a film that has a picture; output_finish has the file appear. Fails as the output does. */
Status trace_film_close(TraceFilm *film);
void trace_film_destroy(TraceFilm **film); /* accepts NULL, nulls the pointer */

#endif
