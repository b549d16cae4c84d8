/* admission.c: what a job of a batch takes of the process's budget of memory.
 * A worker holds its pipeline's frames all the time, and besides them in turn: the file and what decoding takes; the
 * picture and its result; the result and the file made of it. The largest of the three counts. */
#include "app/admission.h"

#include "core/frame_map.h"
#include "core/strips.h"

#include <stdint.h>

static Status estimate(Admission *admission, Shape shape, const Chain *chain, PlanOptions options,
                       const Backend *backend) {
    Strips strips;
    Plan *plan;
    FrameMap map;
    if (shape_equal(admission->shape, shape))
        return STATUS_OK;
    TRY(strips_plan(chain, shape, options, backend, STRIP_BYTES, &strips, &plan));
    const Status status = frame_map_create(plan, &map);
    if (status == STATUS_OK) {
        admission->shape = shape;
        admission->frames = backend->host_frames ? frame_map_bytes(&map) : 0;
        const Shape result = strips_result(&strips, plan_value_shape(plan, plan_result(plan)));
        admission->filter = memory_sum(shape_bytes(shape), shape_bytes(result));
        admission->encode = memory_sum(shape_bytes(result), codec_encoding_memory(result));
        frame_map_free(&map);
    }
    plan_destroy(&plan);
    return status;
}

/* A stream's length is unknown: it takes all there is, and codec_read sees whether that is enough. */
static size_t need(const Admission *admission, const CodecFile *file) {
    size_t max = codec_memory(file);
    if (max == SIZE_MAX)
        return admission->budget->total;
    max = max > admission->filter ? max : admission->filter;
    max = max > admission->encode ? max : admission->encode;
    return memory_sum(admission->frames, max);
}

Status admission_try(Admission *admission, const CodecFile *file, const Chain *chain, PlanOptions options,
                     const Backend *backend, bool *admitted) {
    *admitted = false;
    TRY(estimate(admission, codec_shape(file), chain, options, backend));
    const size_t bytes = need(admission, file);
    if (bytes > admission->budget->total)
        return memory_lacks(bytes, admission->budget->total, "filtering it");
    *admitted = budget_try(admission->budget, &admission->share, bytes);
    return STATUS_OK;
}

Status admission_wait(Admission *admission, const CodecFile *file) {
    return budget_wait(admission->budget, &admission->share, need(admission, file));
}

size_t admission_decoding(const Admission *admission) {
    return admission->share > admission->frames ? admission->share - admission->frames : 0;
}

void admission_end(Admission *admission) {
    budget_return(admission->budget, &admission->share);
}
