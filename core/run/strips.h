/* strips.h: large pictures pass a pipeline in strips of rows.
 * Owns the cuts: a chain's frames between picture and result are then as large as a strip, not as a picture. A filter
 * may need a result over the whole picture (a histogram, connected edges): the picture passes once more for each. */
#ifndef GLINT_CORE_RUN_STRIPS_H
#define GLINT_CORE_RUN_STRIPS_H

#include "core/chain/chain.h"
#include "core/image/rows.h"
#include "core/plan/pipeline.h"
#include "core/plan/plan_part.h"

#define STRIP_BYTES ((size_t)256 << 20) /* of frames: in the host's memory, pictures that need less are one strip */

enum {
    STRIP_STEP = 12 /* rows: strips begin at multiples, so that levels that take rows in groups group them alike */
};

/* Bytes: `wanted` for frames, about; `max` for frames and the workspace of a device's best levels. */
typedef struct StripRoom {
    size_t wanted, max;
    const Device *device; /* borrowed; NULL: levels are not counted */
} StripRoom;

/* The room of a device for each of so many pipelines at once: the host's budget is others' concern. STATUS_DEVICE. */
Status strips_room(Device *device, size_t pipelines, StripRoom *room);

typedef struct Strips {
    Shape picture;
    size_t rows;         /* of the pipeline's input; the picture's height if it is not cut */
    size_t height, made; /* of the result, if the picture is cut, and of the pipeline's */
    size_t halo;         /* of the latter, those at an inner edge that are dropped: others would have told them */
    size_t step;         /* rows of the result: strips begin at multiples */
    size_t around; /* rows of its other end that follow above and below the picture, where it continues periodically */
    size_t bands[PLAN_BANDS + 1]; /* rows of a strip: `rows`, and behind each stage that makes more of them, or fewer */
    size_t passes;                /* of the picture through the pipeline */
    size_t gathered;              /* bytes of the host's memory for the results that are gathered over strips */
} Strips;

static inline bool strips_are_cut(const Strips *strips) {
    return strips->rows < strips->picture.height + 2 * strips->around;
}

/* The plan of a strip of pictures of this shape: its frames take about `wanted` bytes. The strip is the whole picture
 * if rows need others far away (a picture that is turned), or if no strip fits the room. Fails as chain_plan does. */
Status strips_plan(const Chain *chain, Shape picture, PlanOptions options, StripRoom room, Strips *strips, Plan **plan);
/* As strips_plan, and makes a pipeline of the plan; its levels find room for their work, too, where strips can be that
 * small. Fails as pipeline_create does. */
Status strips_open(const Chain *chain, Shape picture, PlanOptions options, Device *device, const char *level,
                   StripRoom room, Strips *strips, Pipeline **pipeline);
/* The part of the picture that a strip is, if that is cut: PlanOptions.part of the strip's plan. */
PlanPart strips_part(const Strips *strips);
/* Bytes that levels take for a plan besides its frames, if the room knows of a device. */
size_t strips_workspace(const Plan *plan, StripRoom room);
/* The result's shape for the whole picture, if that of a strip is `strip`. */
Shape strips_result(const Strips *strips, Shape strip);
/* Whether rows to the device, and rows of a picture like `result` back, pass through the queue's memory
 * (Backend.staging), if neither end is memory. Then strips_run takes no other memory. Not if the picture is cut. */
bool strips_pass_staged(const Strips *strips, const Backend *backend, Shape result);
/* The bytes that strips_run takes for rows on their way, and for gathered results, besides the pipeline, if neither end
 * lies in memory. */
size_t strips_rows_bytes(const Strips *strips, Shape strip);

/* Uploads, runs and downloads strip by strip, with the spans of pipeline_process. Spans "decode" and "encode" come in
 * where the ends are no memory, unless the source times itself. The pipeline is that of the plan. The result is the
 * same, bit for bit, as that of the whole picture. Fails as the ends do; STATUS_INTERRUPTED once a signal was caught,
 * unless the picture lies in memory. */
Status strips_run(const Strips *strips, Pipeline *pipeline, RowSource *from, RowSink *to, Spans *spans);
/* As strips_run, for a picture in memory. */
Status strips_process(const Strips *strips, Pipeline *pipeline, ImageView in, ImageView out, Spans *spans);

#endif
