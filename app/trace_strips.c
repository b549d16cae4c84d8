/* trace_strips.c: rows of a trace through filters into a file. */
#include "app/trace_strips.h"

#include "core/base/memory.h"

enum {
    SHARE = 8, /* a band's frames and rows, a strip's frames and rows on both ends come to five at most */
    ENCODER_BYTES = 2 << 20
};

/* For each of the two pipelines: of the host's budget, which rows are in anyway, and of the device. */
static Status find_room(Device *device, StripRoom *room) {
    const size_t part = memory_budget() / SHARE, wanted = part < STRIP_BYTES ? part : STRIP_BYTES;
    TRY(strips_room(device, 2, room));
    room->wanted = room->wanted < wanted ? room->wanted : wanted;
    if (device->backend->host_frames)
        room->max = part;
    return STATUS_OK;
}

static Status fits(const TraceStrips *strips) {
    const Shape strip = pipeline_result_shape(strips->filters);
    const size_t behind = memory_sum(pipeline_memory(strips->filters), strips_rows_bytes(&strips->strips, strip));
    const size_t bytes = memory_sum(memory_sum(traced_rows_memory(&strips->rows), behind), ENCODER_BYTES);
    return memory_fits(bytes, "tracing, also in strips,");
}

static bool has_level(const Backend *backend, const Plan *plan, const char *level) {
    bool has = false;
    for (size_t i = 0; i < plan_stage_count(plan) && !has; i++)
        has = level_by_name(backend, plan_stage(plan, i)->stage.op, level) != NULL;
    return has;
}

/* A level that only one of trace and filters has is that one's. The trace refuses a level that neither has. */
static Status share_level(const TraceWork *work, const char **trace, const char **behind) {
    const Backend *backend = work->device->backend;
    Plan *plan;
    PlanOptions options = work->options;
    options.device = work->device;
    TRY(chain_plan(work->chain, work->shape, options, &plan));
    const bool filtered = has_level(backend, plan, work->level);
    plan_destroy(&plan);
    *behind = filtered ? work->level : "best";
    *trace = filtered && !level_by_name(backend, &op_trace, work->level) ? "best" : work->level;
    return STATUS_OK;
}

Status trace_strips_open(const TraceWork *work, TraceStrips *strips) {
    StripRoom room;
    const char *trace, *behind;
    *strips = (TraceStrips){.filters = NULL};
    TRY(find_room(work->device, &room));
    TRY(share_level(work, &trace, &behind));
    TRY(traced_rows_open(work->device, work->job, work->exposure, work->shape, work->options, trace, room,
                         &strips->rows));
    const Status status = strips_open(work->chain, work->shape, work->options, work->device, behind, room,
                                      &strips->strips, &strips->filters);
    if (status != STATUS_OK)
        return status == STATUS_INPUT ? fail_within(status, "also in strips, ") : status;
    strips->made = strips_result(&strips->strips, pipeline_result_shape(strips->filters));
    return fits(strips);
}

double trace_strips_share(const TraceStrips *strips) {
    const Progressive *progressive = &strips->rows.progressive;
    const size_t height = strips->strips.picture.height, reads = strips->strips.passes + (strips->strips.around > 0);
    const double band = (double)(strips->rows.end - strips->rows.begin);
    return ((double)strips->rows.traced + progressive_share(progressive) * band) / (double)(reads * height);
}

Status trace_strips_write(TraceStrips *strips, const Format *format, Output *output, Spans *spans) {
    const Image about = {.view.shape = strips->made};
    ByteSink *bytes;
    RowSink *to = NULL;
    RowSource *from = &strips->rows.source;
    strips->rows.spans = spans;
    strips->rows.traced = 0;
    TRY(from->rewind(from));
    TRY(output_byte_sink(output, &bytes));
    TRY(codec_write_rows(format, &about, (SaveOptions){0}, bytes, &to));
    Status status = strips_run(&strips->strips, strips->filters, from, to, spans);
    if (status == STATUS_OK && to->finish)
        status = to->finish(to);
    row_sink_close(&to);
    return status;
}

void trace_strips_close(TraceStrips *strips) {
    traced_rows_close(&strips->rows);
    pipeline_destroy(&strips->filters);
}
