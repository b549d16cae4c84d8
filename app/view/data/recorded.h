/* recorded.h: a ladder that was measured on a GPU, for machines without one. The build makes it of the table in
 * docs/convolve.md. */
#ifndef GLINT_APP_VIEW_DATA_RECORDED_H
#define GLINT_APP_VIEW_DATA_RECORDED_H

#include <stddef.h>

/* Lines as the bench prints them: the job, the device, headings, and a line for each level. */
extern const char recorded_ladder[];

typedef struct RecordedLevel {
    char name[24];
    double ms, copies; /* copies: the time, in plain copies of the same bytes */
} RecordedLevel;

/* The job and the device, a line each; returns `buffer`. */
const char *recorded_job(char *buffer, size_t size);
/* The levels that could do the job, in the ladder's order; at most `max`. */
size_t recorded_levels(RecordedLevel *levels, size_t max);

#endif
