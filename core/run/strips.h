/* strips.h: the passage of a picture through a pipeline. It passes whole, in strips of rows (core/run/strips_plan.h),
 * or through pieces of memory that a device copies by itself. */
#ifndef GLINT_CORE_RUN_STRIPS_H
#define GLINT_CORE_RUN_STRIPS_H

#include "core/image/rows.h"
#include "core/run/strips_plan.h"

/* Whether rows to the device, and rows of a picture like `result` back, pass through the queue's memory
 * (Backend.staging), if neither end is memory. Then strips_run takes no other memory. Not if the picture is cut. */
bool strips_pass_staged(const Strips *strips, const Backend *backend, Shape result);
/* Uploads, runs and downloads strip by strip, with the spans of pipeline_process. Spans "decode" and "encode" come in
 * where the ends are no memory, unless the source times itself. The pipeline is that of the plan. The result is the
 * same, bit for bit, as that of the whole picture. Fails as the ends do; STATUS_INTERRUPTED once a signal was caught,
 * unless the picture lies in memory. */
Status strips_run(const Strips *strips, Pipeline *pipeline, RowSource *from, RowSink *to, Spans *spans);
/* As strips_run, for a picture in memory. */
Status strips_process(const Strips *strips, Pipeline *pipeline, ImageView in, ImageView out, Spans *spans);

#endif
