/* traced_rows.c: bands of a traced picture.
 * A band is a stripe of its own to core/tracer/progressive.h, in a frame that holds nothing else. */
#include "core/run/traced_rows.h"

#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "core/plan/frame_map.h"

enum { TOGETHER = 64 }; /* rows: bands begin at multiples, so that levels cut them into the tiles of the whole */

#define STEP_MS 50.0

static Status plan_rows(TraceJob job, float exposure, Shape shape, PlanOptions options, Plan **plan) {
    int picture;
    TRY(plan_create(options, plan));
    const Status status = plan_trace(*plan, job, (TraceOptions){.exposure = exposure}, shape, &picture);
    if (status != STATUS_OK)
        plan_destroy(plan);
    return status;
}

/* Counts the rows of a band, from a plan of the whole picture. */
static Status count_rows(const Plan *whole, StripRoom room, size_t *rows) {
    FrameMap map;
    const size_t height = plan_value_shape(whole, plan_result(whole)).height;
    TRY(frame_map_create(whole, &map));
    const size_t bytes = frame_map_bytes(&map) / height + 1, fit = room.wanted / bytes / TOGETHER * TOGETHER;
    frame_map_free(&map);
    *rows = fit > TOGETHER ? fit : TOGETHER;
    *rows = *rows < height ? *rows : height;
    return STATUS_OK;
}

static size_t trace_of(const TracedRows *rows) {
    return pipeline_find_stage(rows->pipeline, &op_trace);
}

/* The samples of rows `begin` on, as many as there are in a band. */
static Status gather(TracedRows *rows) {
    Progressive *progressive = &rows->progressive;
    const size_t height = rows->source.shape.height, band = rows->band->view.shape.height;
    pipeline_place(rows->pipeline, trace_of(rows), rows->begin, height);
    progressive_begin(progressive, rows->pipeline);
    progressive->stripes = (Stripes){.height = band, .index = rows->begin / band, .count = (height + band - 1) / band};
    while (!progressive_complete(progressive)) {
        if (interrupted())
            return fail(STATUS_INTERRUPTED, "interrupted");
        TRY(progressive_step(progressive, STEP_MS, rows->spans));
        if (rows->step)
            rows->step(rows->context, rows);
    }
    return progressive_show(progressive, rows->spans);
}

/* The band behind the last one. */
static Status trace_band(TracedRows *rows) {
    const size_t height = rows->source.shape.height, band = rows->band->view.shape.height;
    rows->begin = rows->end;
    TRY(gather(rows));
    rows->end = rows->begin + band < height ? rows->begin + band : height;
    rows->traced += rows->end - rows->begin;
    const double start = clock_ms();
    TRY(pipeline_download_rows(rows->pipeline, 0,
                               view_crop(rows->band->view, 0, 0, rows->source.shape.width, rows->end - rows->begin)));
    spans_add(rows->spans, "download", start, clock_ms());
    return STATUS_OK;
}

static Status read_rows(RowSource *source, ImageView to) {
    TracedRows *rows = (TracedRows *)source;
    for (size_t y = 0, count; y < to.shape.height; y += count) {
        if (rows->next == rows->end)
            TRY(trace_band(rows));
        const size_t here = rows->end - rows->next, wanted = to.shape.height - y;
        count = here < wanted ? here : wanted;
        view_copy(view_crop(rows->band->view, 0, rows->next - rows->begin, to.shape.width, count),
                  view_crop(to, 0, y, to.shape.width, count));
        rows->next += count;
    }
    return STATUS_OK;
}

static Status rewind_rows(RowSource *source) {
    TracedRows *rows = (TracedRows *)source;
    rows->begin = rows->end = rows->next = 0;
    return STATUS_OK;
}

static void close_source(RowSource *source) {
    traced_rows_close((TracedRows *)source);
}

/* The pipeline of a band, whose levels are those of the whole (taken over). */
static Status open_pipeline(Device *device, TraceJob job, float exposure, Shape band, const char *level, Plan *whole,
                            Pipeline **pipeline) {
    Plan *plan;
    const Status status = plan_rows(job, exposure, band, *plan_options(whole), &plan);
    if (status != STATUS_OK) {
        plan_destroy(&whole);
        return status;
    }
    plan_keep_whole(plan, whole);
    return pipeline_create(device, plan, level, pipeline);
}

Status traced_rows_open(Device *device, TraceJob job, float exposure, Shape shape, PlanOptions options,
                        const char *level, StripRoom room, TracedRows *rows) {
    Plan *whole;
    Shape band = shape;
    *rows = (TracedRows){
        .source = {.shape = shape, .timed = true, .read = read_rows, .rewind = rewind_rows, .close = close_source}};
    TRY(plan_rows(job, exposure, shape, options, &whole));
    Status status = count_rows(whole, room, &band.height);
    if (status == STATUS_OK)
        status = open_pipeline(device, job, exposure, band, level, whole, &rows->pipeline);
    else
        plan_destroy(&whole);
    if (status == STATUS_OK)
        status = image_create_unfilled(band, &rows->band);
    if (status != STATUS_OK)
        traced_rows_close(rows);
    return status;
}

size_t traced_rows_memory(const TracedRows *rows) {
    return memory_sum(pipeline_memory(rows->pipeline), shape_bytes(rows->band->view.shape));
}

void traced_rows_close(TracedRows *rows) {
    pipeline_destroy(&rows->pipeline);
    image_destroy(&rows->band);
}
