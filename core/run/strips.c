/* strips.c: the passage of a picture: source, strips, sink. A picture that is not cut is one strip.
 * Every strip is brought to the pipeline, filtered and delivered. Way says how: in strips, through pieces of memory
 * that the device copies by itself, or in place. */
#include "core/run/strips.h"

#include "core/base/interrupt.h"
#include "core/device/backend.h"
#include "core/run/periodic.h"
#include "core/stage/op_parts.h"

#include <string.h>

typedef struct Run Run;
typedef struct Strip Strip;

/* How a strip gets to the pipeline, through its stages, and to the sink. */
typedef struct Way {
    Status (*bring)(Run *run, const Strip *strip);
    Status (*filter)(Run *run, size_t pass, const Strip *strip);
    Status (*deliver)(Run *run, const Strip *strip);
} Way;

struct Run {
    const Way *way;
    const Strips *strips;
    Pipeline *pipeline;
    RowSource *from;
    RowSink *to;
    Spans *spans;
    Image *window;             /* rows of the picture, `begin` to before `end`; NULL if the picture lies in memory */
    size_t begin, end;         /* of these rows */
    Image *made;               /* rows of the result; NULL if the result lies in memory */
    bool gathers;              /* the pass under way gathers parts of all strips */
    Image *gathered[PLAN_MAX]; /* by pass: the sum of the parts so far; NULL: none yet */
};

/* A strip makes the rows `from` to before `to`. */
struct Strip {
    size_t number, from, to;
    size_t tops[PLAN_BANDS + 1]; /* the first of each band */
    ptrdiff_t before, after;     /* where the neighbours begin; negative: there is none */
};

/* ---- strips of a picture ---- */

/* Makes the window, unless it is there, and reads rows up to this one, which no strip needs. */
static Status pass_over(Run *run, size_t first) {
    const Shape whole = run->from->shape, strip = {whole.width, run->strips->rows, whole.channels, whole.type};
    if (!run->window)
        TRY(image_create_unfilled(strip, &run->window));
    const double start = clock_ms();
    const bool passes = run->end < first;
    while (run->end < first) {
        if (interrupted())
            return fail(STATUS_INTERRUPTED, "interrupted");
        const size_t left = first - run->end, most = run->window->view.shape.height, count = left < most ? left : most;
        TRY(run->from->read(run->from, view_crop(run->window->view, 0, 0, run->from->shape.width, count)));
        run->end += count;
    }
    if (passes && !run->from->timed)
        spans_add(run->spans, "decode", start, clock_ms());
    return STATUS_OK;
}

/* Gets the rows of the strip that begins at row `first`. The window has those that the strip before had, too. */
static Status fetch(Run *run, size_t first, ImageView *rows) {
    const size_t width = run->from->shape.width, count = run->strips->rows;
    if (run->from->all) {
        *rows = view_crop(*run->from->all, 0, first, width, count);
        return STATUS_OK;
    }
    TRY(pass_over(run, first));
    const size_t kept = run->end - first;
    *rows = run->window->view;
    if (kept > 0)
        memmove(rows->pixels, view_row(*rows, first - run->begin), kept * rows->stride);
    run->begin = first;
    run->end = first + count;
    const double start = clock_ms();
    if (kept < count) /* many rows may be made of the same few */
        TRY(run->from->read(run->from, view_crop(*rows, 0, kept, width, count - kept)));
    if (!run->from->timed)
        spans_add(run->spans, "decode", start, clock_ms());
    return STATUS_OK;
}

static Status upload(Run *run, const Strip *strip) {
    const size_t first = strip->tops[0];
    Pipeline *pipeline = run->pipeline;
    const Plan *plan = pipeline_plan(pipeline);
    ImageView rows;
    TRY(fetch(run, first, &rows));
    const double start = clock_ms();
    TRY(pipeline_upload(pipeline, PIPELINE_PICTURE, rows));
    for (size_t i = PIPELINE_PICTURE + 1; i < plan_source_count(plan); i++) {
        if (plan_source_is_table(plan, i)) /* it is there as a whole */
            continue;
        const ImageView image = plan_source_image(plan, i)->view;
        TRY(pipeline_upload(pipeline, i, view_crop(image, 0, first, image.shape.width, run->strips->rows)));
    }
    spans_add(run->spans, "upload", start, clock_ms());
    return STATUS_OK;
}

/* Copies and levels that were stopped leave rows as they were. */
static Status check_stopped(const Run *run) {
    return queue_stops(pipeline_queue(run->pipeline)) ? fail(STATUS_INTERRUPTED, "interrupted") : STATUS_OK;
}

/* Tells the stage where its rows lie in the picture. */
static void place(Run *run, size_t index, const Strip *strip) {
    const Plan *plan = pipeline_plan(run->pipeline);
    const PlanStage *planned = &pipeline_stages(run->pipeline)[index].planned;
    const OpParts *parts = op_parts(planned->stage.op);
    if (!parts->place)
        return;
    const size_t to = plan_value_band(plan, planned->to);
    const size_t from = planned->from[0] == PLAN_NONE ? to : plan_value_band(plan, planned->from[0]);
    const PartPlace part = {.top = strip->tops[to],
                            .rows = run->strips->bands[to],
                            .from = strip->tops[from],
                            .before = strip->before,
                            .after = strip->after,
                            .margin = strips_margin(plan, planned)};
    if (!parts->cut || from != to)
        parts->place(pipeline_job(run->pipeline, index), &part);
}

/* The stage for the rows alone that the strip makes, so that no row is gathered twice. */
static Stage crop_stage(Run *run, size_t index, const Strip *strip) {
    Stage stage = *pipeline_stage(run->pipeline, index);
    const size_t above = strip->from - strip->tops[0], rows = strip->to - strip->from;
    const PartPlace part = {.top = strip->from, .rows = rows, .from = strip->from, .before = -1, .after = -1};
    for (int k = 0; k < STAGE_INPUTS; k++)
        if (stage.in[k].pixels)
            stage.in[k] = view_crop(stage.in[k], 0, above, stage.in[k].shape.width, rows);
    if (op_parts(stage.op)->place)
        op_parts(stage.op)->place(pipeline_job(run->pipeline, index), &part);
    return stage;
}

static Status add_part(Run *run, const OpParts *parts, const Strip *strip, Image *part, Image **gathered) {
    if (parts->stitch && !*gathered)
        TRY(image_create(strips_table_shape(run->strips, part->view.shape), gathered));
    if (parts->stitch)
        parts->stitch((*gathered)->view, strip->number, part->view);
    else if (*gathered)
        parts->join((*gathered)->view, part->view);
    else
        *gathered = image_retain(part);
    return STATUS_OK;
}

/* Gathers the strip's part by a stage whose inputs are there. */
static Status gather(Run *run, size_t pass, size_t index, const Strip *strip) {
    const Stage stage = op_parts(pipeline_stage(run->pipeline, index)->op)->stitch
                            ? *pipeline_stage(run->pipeline, index)
                            : crop_stage(run, index, strip);
    Queue *queue = pipeline_queue(run->pipeline);
    Image *part = NULL;
    TRY(image_create_unfilled(stage.out.shape, &part));
    Status status = level_run(pipeline_level(run->pipeline, index), queue, &stage);
    if (status == STATUS_OK)
        status = queue->device->backend->download(queue, stage.out, part->view);
    if (status == STATUS_OK)
        status = check_stopped(run);
    if (status == STATUS_OK)
        status = add_part(run, op_parts(stage.op), strip, part, &run->gathered[pass]);
    image_destroy(&part);
    return status;
}

/* Uploads this strip's rows of the gathered result into the stage's output frame. */
static Status give_back(Run *run, size_t pass, size_t index, const Strip *strip) {
    const Stage *stage = pipeline_stage(run->pipeline, index);
    const Shape out = stage->out.shape;
    if (!op_parts(stage->op)->stitch)
        return STATUS_OK;
    const ImageView rows =
        view_crop(run->gathered[pass]->view, 0, strip->number * out.height / 2, out.width, out.height);
    return pipeline_device(run->pipeline)->backend->upload(pipeline_queue(run->pipeline), rows, stage->out);
}

/* The stage whose result pass number `pass` gathers, or the end of all stages. */
static size_t find_gathering(const Pipeline *pipeline, size_t pass) {
    size_t index = 0;
    for (; index < pipeline_stage_count(pipeline); index++)
        if (stage_gathers(pipeline_stage(pipeline, index)) && pass-- == 0)
            break;
    return index;
}

/* Runs the stages up to the one of this pass, by one strip; the results that earlier passes gathered are there. */
static Status run_stages(Run *run, size_t pass, const Strip *strip) {
    size_t next = 0;
    if (!strips_are_cut(run->strips))
        return pipeline_run(run->pipeline, run->spans);
    for (size_t index = 0; index < pipeline_stage_count(run->pipeline); index++)
        place(run, index, strip);
    for (size_t before = 0; before <= pass; before++) {
        const size_t end = find_gathering(run->pipeline, before);
        TRY(pipeline_run_stages(run->pipeline, next, end, run->spans));
        if (before < pass)
            TRY(give_back(run, before, end, strip));
        next = end + 1;
    }
    return STATUS_OK;
}

/* Delivers the rows of the result that the strip makes. */
static Status deliver(Run *run, const Strip *strip) {
    const Plan *plan = pipeline_plan(run->pipeline);
    const size_t from = strip->from, to = strip->to, first = strip->tops[plan_value_band(plan, plan_result(plan))];
    if (!run->to->all && !run->made)
        TRY(image_create_unfilled(pipeline_result_shape(run->pipeline), &run->made));
    const ImageView all = run->to->all ? *run->to->all : run->made->view;
    const ImageView rows = view_crop(all, 0, run->to->all ? from - run->strips->around : 0, all.shape.width, to - from);
    const double start = clock_ms();
    TRY(pipeline_download_rows(run->pipeline, from - first, rows));
    TRY(check_stopped(run));
    const double downloaded = clock_ms();
    spans_add(run->spans, "download", start, downloaded);
    if (run->to->all)
        return STATUS_OK;
    TRY(run->to->write(run->to, rows));
    spans_add(run->spans, "encode", downloaded, clock_ms());
    return STATUS_OK;
}

static const Way in_strips = {upload, run_stages, deliver};

/* ---- a whole picture through pieces of memory that the device copies by itself ---- */

static const Staging *staging_of(const Run *run) {
    return pipeline_device(run->pipeline)->backend->staging;
}

/* How many rows from `y` on a piece holds. */
static size_t rows_at_once(const Run *run, Shape shape, size_t y) {
    const size_t most = staging_of(run)->bytes / shape_row_bytes(shape), left = shape.height - y;
    return left < most ? left : most;
}

/* Rows as they lie in a piece. */
static ImageView packed(Shape shape, size_t count, void *memory) {
    shape.height = count;
    return (ImageView){shape, shape_row_bytes(shape), memory};
}

bool strips_pass_staged(const Strips *strips, const Backend *backend, Shape result) {
    const Staging *staging = backend->staging;
    return staging && !strips_are_cut(strips) && shape_row_bytes(strips->picture) <= staging->bytes &&
           shape_row_bytes(result) <= staging->bytes;
}

/* While the device copies a piece, the next is read. */
static Status send_rows(Run *run, const Strip *strip) {
    (void)strip;
    const Staging *staging = staging_of(run);
    Queue *queue = pipeline_queue(run->pipeline);
    const Frame frame = pipeline_fill(run->pipeline, PIPELINE_PICTURE);
    int turn = 0;
    for (size_t y = 0, count; y < frame.shape.height; turn ^= 1, y += count) {
        void *memory;
        count = rows_at_once(run, frame.shape, y);
        if (interrupted())
            return fail(STATUS_INTERRUPTED, "interrupted");
        const double start = clock_ms();
        TRY(staging->take(queue, turn, &memory));
        const double taken = clock_ms();
        TRY(run->from->read(run->from, packed(frame.shape, count, memory)));
        const double read = clock_ms();
        if (frame.pixels)
            TRY(staging->send(queue, turn, view_crop(frame, 0, y, frame.shape.width, count)));
        spans_add(run->spans, "upload", start, taken);
        if (!run->from->timed)
            spans_add(run->spans, "decode", taken, read);
        spans_add(run->spans, "upload", read, clock_ms());
    }
    return STATUS_OK;
}

/* While a piece is written, the device copies the next. */
static Status receive_rows(Run *run, const Strip *strip) {
    (void)strip;
    const Staging *staging = staging_of(run);
    Queue *queue = pipeline_queue(run->pipeline);
    const Frame frame = pipeline_result(run->pipeline);
    const size_t width = frame.shape.width, height = frame.shape.height;
    size_t count = rows_at_once(run, frame.shape, 0), next = 0;
    int turn = 0;
    TRY(staging->receive(queue, view_crop(frame, 0, 0, width, count), turn));
    for (size_t y = 0; y < height; turn ^= 1, y += count, count = next) {
        const size_t end = y + count;
        void *memory;
        const double start = clock_ms();
        next = rows_at_once(run, frame.shape, end);
        if (next > 0)
            TRY(staging->receive(queue, view_crop(frame, 0, end, width, next), turn ^ 1));
        TRY(staging->take(queue, turn, &memory));
        const double taken = clock_ms();
        TRY(run->to->write(run->to, packed(frame.shape, count, memory)));
        spans_add(run->spans, "download", start, taken);
        spans_add(run->spans, "encode", taken, clock_ms());
    }
    return STATUS_OK;
}

static const Way in_pieces = {send_rows, run_stages, receive_rows};

/* ---- a whole picture where it lies in memory ---- */

enum { ROWS_AT_ONCE = 256 }; /* between looks for a signal */

static Status read_rows(Run *run, ImageView rows) {
    return run->from->read(run->from, rows);
}

static Status write_rows(Run *run, ImageView rows) {
    return run->to->write(run->to, rows);
}

/* All rows of `view`, as the span `name`, or without one. */
static Status pass_all(Run *run, ImageView view, Status (*pass)(Run *run, ImageView rows), const char *name) {
    const size_t height = view.shape.height;
    const double start = clock_ms();
    for (size_t y = 0, count; y < height; y += count) {
        count = height - y < ROWS_AT_ONCE ? height - y : ROWS_AT_ONCE;
        if (interrupted())
            return fail(STATUS_INTERRUPTED, "interrupted");
        TRY(pass(run, view_crop(view, 0, y, view.shape.width, count)));
    }
    if (name)
        spans_add(run->spans, name, start, clock_ms());
    return STATUS_OK;
}

static Status read_whole(Run *run, const Strip *strip) {
    (void)strip;
    if (run->from->all)
        return STATUS_OK;
    TRY(image_create_unfilled(run->from->shape, &run->window));
    return pass_all(run, run->window->view, read_rows, run->from->timed ? NULL : "decode");
}

/* On the host, levels read and write the pictures where they lie. */
static Status process_whole(Run *run, size_t pass, const Strip *strip) {
    (void)pass, (void)strip;
    if (!run->to->all)
        TRY(image_create_unfilled(pipeline_result_shape(run->pipeline), &run->made));
    TRY(pipeline_process(run->pipeline, run->window ? run->window->view : *run->from->all,
                         run->made ? run->made->view : *run->to->all, run->spans));
    image_destroy(&run->window);
    return STATUS_OK;
}

static Status write_whole(Run *run, const Strip *strip) {
    (void)strip;
    return run->made ? pass_all(run, run->made->view, write_rows, "encode") : STATUS_OK;
}

static const Way in_place = {read_whole, process_whole, write_whole};

/* ---- the passage ---- */

static Status run_strip(Run *run, size_t pass, const Strip *strip) {
    if (!run->from->all && interrupted())
        return fail(STATUS_INTERRUPTED, "interrupted");
    TRY(run->way->bring(run, strip));
    TRY(run->way->filter(run, pass, strip));
    return run->gathers ? gather(run, pass, find_gathering(run->pipeline, pass), strip) : run->way->deliver(run, strip);
}

static Status run_strips(Run *run, size_t pass) {
    const Strips *strips = run->strips;
    if (!strips_are_cut(strips))
        return run_strip(run, 0, &(Strip){.to = pipeline_result_shape(run->pipeline).height});
    const size_t around = strips->around, height = strips->height + around;
    const size_t last = height + around - strips->made, advance = strips_advance(strips);
    const StripsReach reach = strips_reach(plan_whole(pipeline_plan(run->pipeline)));
    Strip strip = {.from = around, .before = -1};
    for (size_t top = 0, next; strip.from < height; strip.number++, strip.from = strip.to, top = next) {
        const size_t end = top == last ? height : top + strips->made - strips->halo;
        next = top + advance < last ? top + advance : last;
        strips_tops(&reach, strips, 0, top, strip.tops);
        strip.to = end < height ? end : height;
        strip.after = top == last ? -1 : (ptrdiff_t)next;
        TRY(run_strip(run, pass, &strip));
        strip.before = (ptrdiff_t)top;
    }
    return run->from->all ? STATUS_OK : pass_over(run, run->from->shape.height); /* its end tells whether it is whole */
}

/* All parts have been gathered: uploads their sum into the output frame of its stage. */
static Status settle(Run *run, size_t index, Image **gathered) {
    const Stage *stage = pipeline_stage(run->pipeline, index);
    Queue *queue = pipeline_queue(run->pipeline);
    if (!*gathered)
        return STATUS_OK;
    if (op_parts(stage->op)->stitch) {
        op_parts(stage->op)->settle((*gathered)->view);
        return STATUS_OK;
    }
    Status status = queue->device->backend->upload(queue, (*gathered)->view, stage->out);
    if (status == STATUS_OK)
        status = queue->device->backend->sync(queue);
    image_destroy(gathered);
    return status;
}

static Status run_pass(Run *run, size_t pass) {
    if (pass > 0)
        TRY(run->from->rewind(run->from));
    run->begin = run->end = 0;
    run->gathers = pass + 1 < run->strips->passes;
    TRY(run_strips(run, pass));
    return run->gathers ? settle(run, find_gathering(run->pipeline, pass), &run->gathered[pass]) : STATUS_OK;
}

static const Way *choose_way(const Run *run) {
    const Backend *backend = pipeline_device(run->pipeline)->backend;
    const bool streams = !run->from->all && !run->to->all, memory = run->from->all && run->to->all;
    if (streams && strips_pass_staged(run->strips, backend, pipeline_result_shape(run->pipeline)))
        return &in_pieces;
    return !strips_are_cut(run->strips) && (memory || (streams && backend->host_frames)) ? &in_place : &in_strips;
}

Status strips_run(const Strips *strips, Pipeline *pipeline, RowSource *from, RowSink *to, Spans *spans) {
    Periodic periodic = {.once = NULL};
    Run run = {.strips = strips, .pipeline = pipeline, .from = from, .to = to, .spans = spans};
    Status status = STATUS_OK;
    run.way = choose_way(&run);
    if (strips->around > 0) {
        status = periodic_begin(&periodic, from, strips->around);
        run.from = &periodic.source;
    }
    for (size_t pass = 0; pass < strips->passes && status == STATUS_OK; pass++)
        status = run_pass(&run, pass);
    image_destroy(&run.window);
    image_destroy(&run.made);
    for (size_t pass = 0; pass < strips->passes; pass++)
        image_destroy(&run.gathered[pass]);
    periodic_end(&periodic);
    return status;
}

Status strips_process(const Strips *strips, Pipeline *pipeline, ImageView in, ImageView out, Spans *spans) {
    ViewSource from;
    RowSink to = {.shape = out.shape, .all = &out};
    view_source_init(&from, in);
    return strips_run(strips, pipeline, &from.source, &to, spans);
}
