/* trace_strips.h: a traced picture that is larger than memory: its rows pass the filters in strips, and go to the file.
 * Owns the two pipelines, of a band of the trace (core/run/traced_rows.h) and of a strip of the filters. */
#ifndef GLINT_APP_TRACE_STRIPS_H
#define GLINT_APP_TRACE_STRIPS_H

#include "core/base/output.h"
#include "core/codec/codec.h"
#include "core/run/traced_rows.h"

typedef struct TraceStrips {
    TracedRows rows;
    Pipeline *filters;
    Strips strips;
    Shape made; /* the filters' result */
} TraceStrips;

/* A trace, its picture's shape, and the filters behind it; all borrowed. */
typedef struct TraceWork {
    Device *device;
    TraceJob job;
    float exposure;
    Shape shape;
    PlanOptions options;
    const Chain *chain;
    const char *level;
} TraceWork;

/* STATUS_INPUT if the budget does not hold the strips, which are the whole picture where a filter needs all of it.
 * Fails as plans and pipelines do. */
Status trace_strips_open(const TraceWork *work, TraceStrips *strips);
/* How much of the work is done, 0 to 1. */
double trace_strips_share(const TraceStrips *strips);
/* All of a picture, from where the trace's camera is now. Fails as strips_run and the format do. */
Status trace_strips_write(TraceStrips *strips, const Format *format, Output *output, Spans *spans);
void trace_strips_close(TraceStrips *strips); /* accepts a zeroed one */

#endif
