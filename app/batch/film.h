/* film.h: films through pipes: frames of a y4m or Netpbm stream, as many as come, filtered and written in order.
 * Owns the stream that is read, and the order of the frames that are written; memory does not grow with the film. */
#ifndef GLINT_APP_BATCH_FILM_H
#define GLINT_APP_BATCH_FILM_H

#include "app/batch/executor.h"
#include "core/base/output.h"
#include "core/codec/y4m.h"

typedef struct Film Film;

/* How a film is written. */
typedef struct FilmRules {
    Output *output;
    const Format *format; /* Netpbm's; NULL: y4m */
    YuvMatrix matrix;     /* of y4m, read and written */
    SaveOptions save;
    Status (*planned)(void *context, const Pipeline *pipeline,
                      const Strips *cut); /* as ExecutorTasks.planned; or NULL */
    void *context;                        /* its */
} FilmRules;

/* Whether an input that begins so is a film: YUV4MPEG2, or one of the binary Netpbm formats. */
bool film_begins(Bytes head);
bool film_is_y4m(Bytes head); /* which is no picture */
/* Takes the input over, whatever happens. STATUS_INPUT if its header is damaged. */
Status film_create(Input *input, FilmRules rules, Film **film);
void film_destroy(Film **film); /* accepts NULL */

/* For an executor with the film as context, as many committers as works in flight, and `serial`. */
extern const ExecutorTasks film_tasks;
/* How it ended: the number of written frames, and STATUS_OK or the reason why the next frame failed.
 * STATUS_PARTIAL if that one is damaged, and there are others before it. */
Status film_end(const Film *film, size_t *frames);

#endif
