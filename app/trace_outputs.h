/* trace_outputs.h: the files of a trace: a picture, one for each frame of a film, or the film in one file.
 * Owns their claims, and how a film that broke off goes on: by the journal in the folder of its outputs. A film in one
 * file then has its pictures in the folder NAME.frames, which goes when it is complete. */
#ifndef GLINT_APP_TRACE_OUTPUTS_H
#define GLINT_APP_TRACE_OUTPUTS_H

#include "app/batch/journal.h"
#include "app/trace_film.h"
#include "app/trace_settings.h"
#include "core/scene/scene_text.h"

typedef struct TraceOutputs {
    const TraceSettings *settings;
    char source[SCENE_TEXT_MAX]; /* the scene's file */
    Place *place;                /* of the outputs, or NULL */
    Journal *journal;            /* NULL: nothing goes on */
    Output **list;               /* of pictures; NULL: the film has them */
    bool *there;                 /* which of them have files; of a film that goes on */
    long count;
    Output *whole; /* the film in one file, or NULL */
    TraceFilm *film;
    bool complete; /* an earlier run has made that film */
} TraceOutputs;

/* Claims them; nothing is written yet. Fails as output_claim and journal_open do. */
Status trace_outputs_claim(const TraceSettings *settings, TraceOutputs *outputs);
/* Whether the folder and the format can take pictures of this shape. */
Status trace_outputs_check(TraceOutputs *outputs, Shape made);
/* The file that a picture, counted from 0, is written to: its own, or the film's. */
Output *trace_outputs_at(const TraceOutputs *outputs, long picture);
/* The file that has the picture in the end: the film in one file, also where its pictures come into a folder first. */
const Output *trace_outputs_result(const TraceOutputs *outputs, long picture);
/* Whether the picture's file is there, by an earlier run with the same options. */
bool trace_outputs_has(const TraceOutputs *outputs, long picture);
/* The picture's bytes are there: its file appears. Fails as journal_add and output_finish do. */
Status trace_outputs_finish(TraceOutputs *outputs, long picture);
/* Behind the last picture: the film appears. STATUS_INTERRUPTED, without a sentence, after a signal; fails else as its
 * pictures are read and written. */
Status trace_outputs_end(TraceOutputs *outputs);
void trace_outputs_free(TraceOutputs *outputs); /* accepts a zeroed one; files that are not finished leave nothing */

#endif
