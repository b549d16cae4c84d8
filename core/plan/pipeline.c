/* pipeline.c: plans on devices. */
#include "core/plan/pipeline.h"

#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/device/added.h"
#include "core/device/backend.h"
#include "core/device/partial.h"
#include "core/device/partition.h"
#include "core/ops/move.h"
#include "core/plan/frame_map.h"
#include "core/plan/plan_part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Pipeline {
    Device *device;
    Queue *queue;
    Partial *partial; /* of the result, or NULL */
    Plan *plan;
    void **jobs; /* by stage of the plan: the pipeline's own, bit by bit those of the plan, which owns the data they
                    point to */
    size_t stage_count;
    FusedStage *stages;    /* as they run, frames bound */
    LaunchFacts *facts;    /* by stage as they run */
    bool facts_known;      /* of these levels */
    Partition *partitions; /* by stage as they run: of its last run */
    double started_at;     /* of pipeline_start, on clock_ms() */
    FrameMap map;
    Frame *frames;                 /* map.count; zeroed where not made yet */
    Frame own_picture, own_result; /* while others stand for them: pipeline_borrow */
    bool *uploaded;                /* by source: its frame has pixels */
};

/* The frame of a source, NULL if nothing reads it. */
static Frame *source_frame(const Pipeline *pipeline, size_t source) {
    const int frame = pipeline->map.frame_of[plan_source_value(pipeline->plan, source)];
    return frame >= 0 ? &pipeline->frames[frame] : NULL;
}

static Shape source_shape(const Pipeline *pipeline, size_t source) {
    return plan_value_shape(pipeline->plan, plan_source_value(pipeline->plan, source));
}

/* The source whose frame this is, or PLAN_NONE. */
static int source_of(const Pipeline *pipeline, size_t frame) {
    for (size_t i = 0; i < plan_source_count(pipeline->plan); i++)
        if (pipeline->map.frame_of[plan_source_value(pipeline->plan, i)] == (int)frame)
            return (int)i;
    return PLAN_NONE;
}

/* The stage of the plan that adds to this frame, or PLAN_NONE. */
static int adder_of(const Pipeline *pipeline, size_t frame) {
    for (size_t i = 0; i < plan_stage_count(pipeline->plan); i++)
        if (plan_stage(pipeline->plan, i)->stage.op->accumulates &&
            pipeline->map.frame_of[plan_stage(pipeline->plan, i)->to] == (int)frame)
            return (int)i;
    return PLAN_NONE;
}

/* Whether two frames may hold the same values. A source, with its pixels, only becomes the source of that number and
 * image. A frame that a stage adds to stays with that stage. */
static bool interchangeable(const Pipeline *from, size_t k, const Pipeline *to, size_t i) {
    const int old = source_of(from, k), new = source_of(to, i);
    return old == new &&adder_of(from, k) == adder_of(to, i) && shape_equal(to->map.shapes[i], from->map.shapes[k]) &&
           (new == PLAN_NONE ||
            plan_source_image(from->plan, (size_t)old) == plan_source_image(to->plan, (size_t) new));
}

/* Moves the frames of `from` that have a shape wanted here, each once. */
static void move_frames(Pipeline *from, Pipeline *to) {
    for (size_t i = 0; i < to->map.count; i++)
        for (size_t k = 0; k < from->map.count && !to->frames[i].pixels; k++) {
            if (!from->frames[k].pixels || !interchangeable(from, k, to, i))
                continue;
            to->frames[i] = from->frames[k];
            from->frames[k] = (Frame){0};
            if (source_of(to, i) != PLAN_NONE)
                to->uploaded[source_of(to, i)] = from->uploaded[source_of(to, i)];
        }
}

static void bind_stages(Pipeline *pipeline) {
    const FrameMap *map = &pipeline->map;
    for (size_t i = 0; i < pipeline->stage_count; i++) {
        const PlanStage *planned = &pipeline->stages[i].planned;
        Stage *stage = &pipeline->stages[i].planned.stage;
        stage->out = pipeline->frames[map->frame_of[planned->to]];
        for (int k = 0; k < STAGE_INPUTS; k++)
            if (planned->from[k] >= 0)
                stage->in[k] = pipeline->frames[map->frame_of[planned->from[k]]];
    }
}

/* With as many frames of `old` (or NULL) as fit; if there is no memory for the others, those go back. */
static Status bind_frames(Pipeline *pipeline, Pipeline *old) {
    const FrameMap *map = &pipeline->map;
    Status status = STATUS_OK;
    pipeline->frames = calloc(map->count + 1, sizeof *pipeline->frames);
    if (!pipeline->frames)
        return fail(STATUS_DEVICE, "no memory for a pipeline");
    if (old)
        move_frames(old, pipeline);
    for (size_t i = 0; i < map->count && status == STATUS_OK; i++)
        if (!pipeline->frames[i].pixels)
            status = device_frame_create(pipeline->device, map->shapes[i], &pipeline->frames[i]);
    for (size_t i = 0; i < plan_source_count(pipeline->plan) && status == STATUS_OK; i++) {
        const Image *image = plan_source_image(pipeline->plan, i);
        if (image && !pipeline->uploaded[i])
            status = pipeline_upload(
                pipeline, i,
                view_crop(image->view, 0, 0, source_shape(pipeline, i).width, source_shape(pipeline, i).height));
    }
    if (status == STATUS_OK)
        bind_stages(pipeline);
    else if (old)
        move_frames(pipeline, old); /* each to its place: both walks are in the same order */
    return status;
}

/* Stages run one after the other, and share it. */
static size_t workspace(const Pipeline *pipeline) {
    size_t max = 0;
    for (size_t i = 0; i < pipeline->stage_count; i++) {
        const FusedStage *stage = &pipeline->stages[i];
        const size_t bytes = level_workspace(stage->level, pipeline->device, &stage->planned.stage);
        max = bytes > max ? bytes : max;
    }
    return max;
}

/* For a part of a picture the one that all of it would have: results are the same to the bit. */
static const Level *best_level(const Plan *plan, const Device *device, size_t index, const Stage *stage) {
    const Plan *whole = plan_whole(plan);
    const char *why_not;
    const Level *best = whole == plan ? NULL : level_best(device, &plan_stage(whole, index)->stage);
    return best && level_accepts(best, device, stage, &why_not) ? best : level_best(device, stage);
}

size_t plan_workspace(const Plan *plan, const Device *device) {
    size_t max = 0;
    for (size_t i = 0; i < plan_stage_count(plan); i++) {
        const Stage *stage = &plan_stage(plan, i)->stage;
        const Level *level = best_level(plan, device, i, stage);
        const size_t bytes = level ? level_workspace(level, device, stage) : 0;
        max = bytes > max ? bytes : max;
    }
    return max;
}

size_t pipeline_bytes(const Pipeline *pipeline) {
    return memory_sum(frame_map_bytes(&pipeline->map), workspace(pipeline));
}

size_t pipeline_memory(const Pipeline *pipeline) {
    return pipeline->device->backend->host_frames ? pipeline_bytes(pipeline) : 0;
}

/* Each stage of the plan gets a job of its own. */
static Status copy_jobs(Pipeline *pipeline) {
    for (size_t i = 0; i < plan_stage_count(pipeline->plan); i++) {
        const Stage *stage = &plan_stage(pipeline->plan, i)->stage;
        pipeline->jobs[i] = malloc(stage->op->job_bytes);
        if (!pipeline->jobs[i])
            return fail(STATUS_DEVICE, "no memory for a pipeline");
        memcpy(pipeline->jobs[i], stage->job, stage->op->job_bytes);
    }
    return STATUS_OK;
}

/* With the queue and frames of `old`, or NULL. */
static Status bind_device(Pipeline *pipeline, Pipeline *old) {
    if (old)
        pipeline->queue = old->queue;
    else
        TRY(queue_open(pipeline->device, &pipeline->queue));
    const Status status = bind_frames(pipeline, old);
    if (old && status == STATUS_OK)
        old->queue = NULL;
    else if (old)
        pipeline->queue = NULL;
    return status;
}

static void free_arrangement(Pipeline *pipeline) {
    free(pipeline->frames);
    frame_map_free(&pipeline->map);
    free(pipeline->facts);
    free(pipeline->partitions);
    free(pipeline->uploaded);
    free(pipeline->stages);
}

/* Puts the stages together as these levels run them; frames are still to be bound. On failure free_arrangement is due.
 */
static Status arrange(Pipeline *pipeline, const Level *const *levels) {
    const Plan *plan = pipeline->plan;
    const size_t stages = plan_stage_count(plan);
    pipeline->stages = calloc(stages + 1, sizeof *pipeline->stages);
    pipeline->facts = calloc(stages + 1, sizeof *pipeline->facts);
    pipeline->partitions = calloc(stages + 1, sizeof *pipeline->partitions);
    pipeline->uploaded = calloc(plan_source_count(plan) + 1, sizeof *pipeline->uploaded);
    if (!pipeline->stages || !pipeline->facts || !pipeline->partitions || !pipeline->uploaded)
        return fail(STATUS_DEVICE, "no memory for a pipeline");
    pipeline->stage_count = fuse_around(plan, pipeline->device, levels, pipeline->stages);
    for (size_t i = 0; i < pipeline->stage_count; i++) {
        FusedStage *stage = &pipeline->stages[i];
        const bool before = stage->before != PLAN_NONE, after = stage->after != PLAN_NONE;
        stage->planned.stage.job = pipeline->jobs[stage->index];
        stage->points.before = before ? pipeline->jobs[stage->before] : NULL;
        stage->points.after = after ? pipeline->jobs[stage->after] : NULL;
        stage->planned.stage.points = before || after ? &stage->points : NULL;
    }
    return frame_map_create_fused(plan, pipeline->stages, pipeline->stage_count, &pipeline->map);
}

/* Whether the levels run the same stages together as now. */
static bool is_arranged(const Pipeline *pipeline, const FusedStage *stages, size_t count) {
    bool same = count == pipeline->stage_count;
    for (size_t i = 0; i < count && same; i++)
        same = stages[i].index == pipeline->stages[i].index && stages[i].before == pipeline->stages[i].before &&
               stages[i].after == pipeline->stages[i].after;
    return same;
}

static Status choose_levels(const Pipeline *pipeline, const char *name, const Level **chosen);

static Status create(Device *device, Plan *plan, const char *level, Pipeline *old, Pipeline **pipeline) {
    const size_t stages = plan_stage_count(plan);
    const Level **chosen = calloc(stages + 1, sizeof(const Level *));
    Pipeline *made = *pipeline = calloc(1, sizeof *made);
    if (made)
        *made = (Pipeline){.device = device, .plan = plan, .jobs = calloc(stages + 1, sizeof *made->jobs)};
    else
        plan_destroy(&plan);
    Status status = made && made->jobs && chosen ? copy_jobs(made) : fail(STATUS_DEVICE, "no memory for a pipeline");
    if (status == STATUS_OK)
        status = choose_levels(made, level, chosen); /* before memory is spent on a job that no level takes */
    if (status == STATUS_OK)
        status = arrange(made, chosen);
    if (status == STATUS_OK)
        status = memory_fits(pipeline_memory(made), "this work");
    if (status == STATUS_OK)
        status = bind_device(made, old);
    if (status != STATUS_OK)
        pipeline_destroy(pipeline);
    free(chosen);
    return status;
}

static void destroy_frames(Pipeline *pipeline) {
    for (size_t i = 0; pipeline->frames && i < pipeline->map.count; i++)
        device_frame_destroy(pipeline->device, &pipeline->frames[i]);
}

void pipeline_destroy(Pipeline **pipeline) {
    Pipeline *old = *pipeline;
    if (!old)
        return;
    queue_close(&old->queue); /* waits: nothing uses the frames any more */
    destroy_frames(old);
    free_arrangement(old);
    for (size_t i = 0; old->jobs && i < plan_stage_count(old->plan); i++)
        free(old->jobs[i]);
    free(old->jobs);
    plan_destroy(&old->plan);
    free(old);
    *pipeline = NULL;
}

Status pipeline_create(Device *device, Plan *plan, const char *level, Pipeline **pipeline) {
    return create(device, plan, level, NULL, pipeline);
}

Status pipeline_replace(Pipeline **pipeline, Plan *plan, const char *level) {
    Pipeline *made;
    TRY(create((*pipeline)->device, plan, level, *pipeline, &made));
    pipeline_destroy(pipeline);
    *pipeline = made;
    return STATUS_OK;
}

/* The message offers the ladder of the main stage, and the nearest name on any ladder that this plan climbs. The given
 * name is on none of them. */
static Status no_such_level(const Pipeline *pipeline, const char *name) {
    const Backend *backend = pipeline->device->backend;
    const Op *main_op = plan_stage(pipeline->plan, plan_main_stage(pipeline->plan))->stage.op;
    char ladder[512] = "";
    const char *close = NULL;
    const Level *level;
    size_t best = SIZE_MAX, length = 0;
    for (size_t i = 0; (level = ladder_level(backend, main_op, i)) && length < sizeof ladder; i++)
        length += (size_t)snprintf(ladder + length, sizeof ladder - length, "%s%s", i ? ", " : "", level->name);
    for (size_t s = 0; s < plan_stage_count(pipeline->plan); s++)
        for (size_t i = 0; (level = ladder_level(backend, plan_stage(pipeline->plan, s)->stage.op, i)); i++)
            if (text_closer(name, strlen(name), level->name, &best))
                close = level->name;
    return fail(STATUS_USAGE, "level \"%s\": %s on %s has no such level, only %s%s%s%s", name, main_op->name,
                backend->name, ladder, close ? "; did you mean \"" : "", close ? close : "", close ? "\"?" : "");
}

/* By stage of the plan. */
static Status choose_levels(const Pipeline *pipeline, const char *name, const Level **chosen) {
    const Backend *backend = pipeline->device->backend;
    const bool best = strcmp(name, "best") == 0;
    const size_t stages = plan_stage_count(pipeline->plan);
    bool known = best || stages == 0;
    for (size_t i = 0; i < stages; i++) {
        Stage stage = plan_stage(pipeline->plan, i)->stage;
        stage.job = pipeline->jobs[i];
        const Level *named = best ? NULL : level_by_name(backend, stage.op, name);
        const char *why_not = "";
        known |= named != NULL;
        chosen[i] = named ? named : best_level(pipeline->plan, pipeline->device, i, &stage);
        if (!chosen[i])
            return fail(STATUS_USAGE, "%s: the %s backend cannot %s", stage.label, backend->name, stage.op->name);
        if (named && !level_accepts(named, pipeline->device, &stage, &why_not))
            return fail(STATUS_USAGE, "level %s cannot do %s: %s", name, stage.label, why_not);
    }
    return known ? STATUS_OK : no_such_level(pipeline, name);
}

/* Other stages run together: other values need frames. Frames of shapes that both arrangements have stay, and so do the
 * sources. */
static Status rearrange(Pipeline *pipeline, const Level *const *levels) {
    Pipeline made = {
        .device = pipeline->device, .queue = pipeline->queue, .plan = pipeline->plan, .jobs = pipeline->jobs};
    Status status = arrange(&made, levels);
    if (status == STATUS_OK)
        status = memory_fits(pipeline_memory(&made), "this work");
    if (status == STATUS_OK)
        status = bind_frames(&made, pipeline);
    Pipeline *const dropped = status == STATUS_OK ? pipeline : &made;
    const Pipeline kept = status == STATUS_OK ? made : *pipeline;
    destroy_frames(dropped);
    free_arrangement(dropped);
    *pipeline = kept;
    return status;
}

Status pipeline_set_level(Pipeline *pipeline, const char *name) {
    const size_t stages = plan_stage_count(pipeline->plan);
    const Level **chosen = calloc(stages + 1, sizeof *chosen);
    FusedStage *fused = calloc(stages + 1, sizeof *fused);
    Status status =
        chosen && fused ? choose_levels(pipeline, name, chosen) : fail(STATUS_DEVICE, "no memory for a pipeline");
    const size_t count = status == STATUS_OK ? fuse_around(pipeline->plan, pipeline->device, chosen, fused) : 0;
    if (status == STATUS_OK && !is_arranged(pipeline, fused, count))
        status = rearrange(pipeline, chosen);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        pipeline->stages[i].level = fused[i].level;
    if (status == STATUS_OK)
        pipeline->facts_known = false;
    free(chosen);
    free(fused);
    return status;
}

Status pipeline_upload(Pipeline *pipeline, size_t source, ImageView image) {
    const Frame *frame = source_frame(pipeline, source);
    pipeline->uploaded[source] = false;
    if (frame)
        TRY(pipeline->device->backend->upload(pipeline->queue, image, *frame));
    pipeline->uploaded[source] = frame != NULL;
    return STATUS_OK;
}

Frame pipeline_fill(Pipeline *pipeline, size_t source) {
    const Frame *frame = source_frame(pipeline, source);
    pipeline->uploaded[source] = frame != NULL;
    return frame ? *frame : (Frame){.shape = source_shape(pipeline, source)};
}

Status pipeline_take(Pipeline *pipeline, size_t source, Frame frame, int orientation) {
    Device *device = pipeline->device;
    const Frame *to = source_frame(pipeline, source);
    const MoveJob job = move_upright(frame.shape, orientation);
    const Stage turn = {.op = &op_move, .label = "turn", .job = &job, .in = {frame}, .out = to ? *to : frame};
    pipeline->uploaded[source] = to != NULL;
    if (!to)
        return STATUS_OK;
    if (orientation_turn(orientation) == 0)
        return device->backend->copy(pipeline->queue, frame, *to);
    return level_run(level_best(device, &turn), pipeline->queue, &turn);
}

bool pipeline_uploaded(const Pipeline *pipeline, size_t source) {
    return source < plan_source_count(pipeline->plan) && pipeline->uploaded[source];
}

/* From the first mark, at this time of the host's clock, on. */
static Status read_spans(const Pipeline *pipeline, size_t first, size_t end, double start, Spans *spans) {
    const Backend *backend = pipeline->device->backend;
    for (size_t i = first; i < end; i++) {
        const FusedStage *fused = &pipeline->stages[i];
        const Stage *stage = &fused->planned.stage;
        double ms;
        char how[96];
        TRY(queue_elapsed(pipeline->queue, (int)(i - first), (int)(i - first) + 1, &ms));
        snprintf(how, sizeof how, "%s, level %s on %s", stage->op->name, fused->level->name, backend->name);
        spans_add_queued(spans, stage->label, how, start, ms);
        start += ms;
    }
    return STATUS_OK;
}

/* The last one makes the result. */
static Status run_stage(Pipeline *pipeline, size_t index) {
    Queue *queue = pipeline->queue;
    const FusedStage *fused = &pipeline->stages[index];
    queue->partial = index + 1 == pipeline->stage_count ? pipeline->partial : NULL;
    if (queue->partial)
        partial_begin(queue->partial, fused->planned.stage.out);
    partition_begin();
    const Status status = level_run(fused->level, queue, &fused->planned.stage);
    pipeline->partitions[index] = partition_noted();
    queue->partial = NULL;
    return status;
}

void pipeline_tell(Pipeline *pipeline, Partial *partial) {
    pipeline->partial = partial;
}

/* Stages with a mark before and behind each; none behind one that was stopped, which await_work tells. */
static Status enqueue(Pipeline *pipeline, size_t first, size_t end, bool marked) {
    Queue *queue = pipeline->queue;
    const Telemetry *telemetry = backend_telemetry(pipeline->device->backend);
    const bool asks = telemetry->facts && !pipeline->facts_known;
    if (marked)
        TRY(queue_mark(queue, 0));
    for (size_t i = first; i < end; i++) {
        if (asks) /* so that they are of this stage alone */
            TRY(telemetry->facts(queue, &pipeline->facts[i]));
        TRY(run_stage(pipeline, i));
        if (asks) {
            TRY(telemetry->facts(queue, &pipeline->facts[i]));
            ladder_own_facts(pipeline->stages[i].level, &pipeline->facts[i]);
        }
        if (marked)
            TRY(queue_mark(queue, (int)(i - first) + 1));
        if (queue_stops(queue))
            return STATUS_OK;
    }
    pipeline->facts_known |= asks && end == pipeline->stage_count;
    return STATUS_OK;
}

static Status await_work(const Pipeline *pipeline) {
    TRY(pipeline->device->backend->sync(pipeline->queue));
    return queue_stops(pipeline->queue) ? fail(STATUS_INTERRUPTED, "the run was stopped") : STATUS_OK;
}

/* No more stages than there are marks between. The device has just become idle: its last mark is now. */
static Status run_marked(Pipeline *pipeline, size_t first, size_t end, Spans *spans) {
    double ms;
    TRY(enqueue(pipeline, first, end, true));
    TRY(await_work(pipeline));
    const double now = clock_ms();
    TRY(queue_elapsed(pipeline->queue, 0, (int)(end - first), &ms));
    return read_spans(pipeline, first, end, now - ms, spans);
}

Status pipeline_run_stages(Pipeline *pipeline, size_t first, size_t end, Spans *spans) {
    for (size_t next; spans && first < end; first = next) {
        next = end - first < BACKEND_MARKS ? end : first + BACKEND_MARKS - 1;
        TRY(run_marked(pipeline, first, next, spans));
    }
    if (first == end)
        return STATUS_OK;
    TRY(enqueue(pipeline, first, end, false));
    return await_work(pipeline);
}

Status pipeline_enqueue(Pipeline *pipeline) {
    return enqueue(pipeline, 0, pipeline->stage_count, false);
}

bool pipeline_can_start(const Pipeline *pipeline) {
    return pipeline->stage_count < BACKEND_MARKS;
}

Status pipeline_start(Pipeline *pipeline) {
    pipeline->started_at = clock_ms();
    return enqueue(pipeline, 0, pipeline->stage_count, true);
}

Status pipeline_end(Pipeline *pipeline, Spans *spans) {
    TRY(await_work(pipeline));
    return read_spans(pipeline, 0, pipeline->stage_count, pipeline->started_at, spans);
}

Status pipeline_run(Pipeline *pipeline, Spans *spans) {
    return pipeline_run_stages(pipeline, 0, pipeline->stage_count, spans);
}

void pipeline_place(Pipeline *pipeline, size_t index, size_t top, size_t height) {
    const PlanStage *planned = &pipeline->stages[index].planned;
    const Frame rows = pipeline->frames[pipeline->map.frame_of[planned->to]];
    pipeline->stages[index].planned.stage.out = frame_around(rows, top, height);
}

void *pipeline_job(Pipeline *pipeline, size_t index) {
    return pipeline->jobs[pipeline->stages[index].index];
}

void pipeline_set(Pipeline *pipeline, const char *name, const void *bytes) {
    for (size_t i = 0; i < plan_parameter_count(pipeline->plan); i++) {
        const PlanParameter *parameter = plan_parameter(pipeline->plan, i);
        const int stage = plan_value_stage(pipeline->plan, parameter->value);
        if (strcmp(parameter->name, name) == 0)
            memcpy((char *)pipeline->jobs[stage] + parameter->offset, bytes, parameter->size);
    }
}

Status pipeline_download(Pipeline *pipeline, ImageView image) {
    return pipeline_download_rows(pipeline, 0, image);
}

Status pipeline_download_rows(Pipeline *pipeline, size_t first, ImageView image) {
    const Frame rows = view_crop(pipeline_result(pipeline), 0, first, image.shape.width, image.shape.height);
    return pipeline->device->backend->download(pipeline->queue, rows, image);
}

Shape pipeline_result_shape(const Pipeline *pipeline) {
    return plan_value_shape(pipeline->plan, plan_result(pipeline->plan));
}

Frame pipeline_result(const Pipeline *pipeline) {
    return pipeline->frames[pipeline->map.frame_of[plan_result(pipeline->plan)]];
}

Shape pipeline_unfiltered_shape(const Pipeline *pipeline) {
    const int value = plan_unfiltered(pipeline->plan);
    return value == PLAN_NONE ? (Shape){0} : plan_value_shape(pipeline->plan, value);
}

Frame pipeline_unfiltered(const Pipeline *pipeline) {
    const int value = plan_unfiltered(pipeline->plan), frame = value == PLAN_NONE ? -1 : pipeline->map.frame_of[value];
    return frame >= 0 ? pipeline->frames[frame] : (Frame){.shape = pipeline_unfiltered_shape(pipeline)};
}

const Device *pipeline_device(const Pipeline *pipeline) {
    return pipeline->device;
}
Queue *pipeline_queue(const Pipeline *pipeline) {
    return pipeline->queue;
}
const Plan *pipeline_plan(const Pipeline *pipeline) {
    return pipeline->plan;
}
size_t pipeline_stage_count(const Pipeline *pipeline) {
    return pipeline->stage_count;
}
const FusedStage *pipeline_stages(const Pipeline *pipeline) {
    return pipeline->stages;
}
const Stage *pipeline_stage(const Pipeline *pipeline, size_t index) {
    return &pipeline->stages[index].planned.stage;
}
const Level *pipeline_level(const Pipeline *pipeline, size_t index) {
    return pipeline->stages[index].level;
}

const LaunchFacts *pipeline_facts(const Pipeline *pipeline, size_t index) {
    return pipeline->facts_known && pipeline->facts[index].threads > 0 ? &pipeline->facts[index] : NULL;
}

Partition pipeline_partition(const Pipeline *pipeline, size_t index) {
    return pipeline->partitions[index];
}

size_t pipeline_find_stage(const Pipeline *pipeline, const Op *op) {
    size_t index = 0;
    while (index < pipeline->stage_count && pipeline->stages[index].planned.stage.op != op)
        index++;
    return index;
}

size_t pipeline_main_stage(const Pipeline *pipeline) {
    const size_t main = plan_main_stage(pipeline->plan);
    size_t index = 0;
    while (index + 1 < pipeline->stage_count && pipeline->stages[index].index != main &&
           pipeline->stages[index].before != (int)main && pipeline->stages[index].after != (int)main)
        index++;
    return index;
}

bool pipeline_borrows(const Pipeline *pipeline) {
    const int stage = plan_value_stage(pipeline->plan, plan_result(pipeline->plan));
    return stage != PLAN_NONE && !plan_stage(pipeline->plan, (size_t)stage)->stage.op->accumulates;
}

static Frame *result_frame(const Pipeline *pipeline) {
    return &pipeline->frames[pipeline->map.frame_of[plan_result(pipeline->plan)]];
}

/* The pipeline's own frames stay for other ways to run it. */
void pipeline_borrow(Pipeline *pipeline, Frame picture, Frame result) {
    Frame *from = source_frame(pipeline, PIPELINE_PICTURE), *to = result_frame(pipeline);
    pipeline->own_picture = from ? *from : (Frame){0};
    pipeline->own_result = *to;
    if (from && picture.pixels)
        *from = picture;
    if (result.pixels)
        *to = result;
    bind_stages(pipeline);
}

void pipeline_settle(Pipeline *pipeline) {
    Frame *from = source_frame(pipeline, PIPELINE_PICTURE);
    if (from)
        *from = pipeline->own_picture;
    *result_frame(pipeline) = pipeline->own_result;
    bind_stages(pipeline);
    pipeline->uploaded[PIPELINE_PICTURE] = false;
}

/* Where the host's memory is the device's, levels read and write the images themselves. */
static Status process_there(Pipeline *pipeline, ImageView in, ImageView out, Spans *spans) {
    pipeline_borrow(pipeline, in, out);
    const Status status = pipeline_run(pipeline, spans);
    pipeline_settle(pipeline);
    return status;
}

Status pipeline_process(Pipeline *pipeline, ImageView in, ImageView out, Spans *spans) {
    if (pipeline->device->backend->host_frames && pipeline_borrows(pipeline))
        return process_there(pipeline, in, out, spans);
    const double start = clock_ms();
    TRY(pipeline_upload(pipeline, PIPELINE_PICTURE, in));
    spans_add(spans, "upload", start, clock_ms());
    TRY(pipeline_run(pipeline, spans));
    const double ran = clock_ms();
    TRY(pipeline_download(pipeline, out));
    spans_add(spans, "download", ran, clock_ms());
    return STATUS_OK;
}
