/* strips_plan.h: where large pictures are cut into strips of rows, and the plans of strips.
 * Owns the cuts: a chain's frames between picture and result are then as large as a strip, not as a picture. A filter
 * may need a result over the whole picture (a histogram, connected edges): the picture passes once more for each. */
#ifndef GLINT_CORE_RUN_STRIPS_PLAN_H
#define GLINT_CORE_RUN_STRIPS_PLAN_H

#include "core/chain/chain.h"
#include "core/plan/pipeline.h"
#include "core/plan/plan_part.h"
#include "core/run/strips_reach.h"

#define STRIP_BYTES ((size_t)256 << 20) /* of frames: in the host's memory, pictures that need less are one strip */

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

/* Rows of the result from the beginning of a strip to that of the next. */
static inline size_t strips_advance(const Strips *strips) {
    return (strips->made - 2 * strips->halo) / strips->step * strips->step;
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
/* The bytes that strips_run (core/run/strips.h) takes for rows on their way, and for gathered results, besides the
 * pipeline, if neither end lies in memory. */
size_t strips_rows_bytes(const Strips *strips, Shape strip);

/* Where the rows of each band, from number `least` on, begin if those of the last one begin at `top`. */
void strips_tops(const StripsReach *whole, const Strips *strips, size_t least, size_t top, size_t *tops);
/* The shape of the results of all strips that are stitched. */
Shape strips_table_shape(const Strips *strips, Shape result);

#endif
