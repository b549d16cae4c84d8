/* crew.c: a thread for each further device, which traces its rows and fetches them. */
#include "core/tracer/crew.h"

#include "core/base/thread.h"
#include "core/image/image.h"
#include "core/ops/keep.h"
#include "core/tracer/deal.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BANDS = 32,        /* that are timed before the rows are dealt out: parts of a picture take different times */
    SAMPLES_TIMED = 8, /* of a pixel, from which on that pays */
    PASSED = 2,        /* the frames that are gathered */
    DEALS = 4          /* times that rows are dealt out by the times of a pass */
};

#define STEP_MS 50.0
#define UNEVEN  1.2 /* times as long as others a device may take before rows are dealt out again */

static const Op *const passed[PASSED] = {&op_trace, &op_keep};

typedef struct Member {
    Crew *crew;
    Device *device;
    Pipeline *pipeline;
    Progressive progressive;
    pthread_t thread;
    double ms; /* of the pass under way */
    Status status;
    char message[512]; /* of a failure */
} Member;

struct Crew {
    size_t count;
    Member members[CREW_MAX];
    atomic_int stop;     /* a CrewStop */
    Image *rows[PASSED]; /* of the whole picture, where its members' rows come to; NULL: there is no such stage */
    size_t begin[CREW_MAX + 2]; /* where the rows of each device begin, the first's as well; and their end */
    /* of a picture that is looked at on its way: */
    Progressive own; /* the first's rows */
    double step_ms, own_ms;
    uint32_t target; /* samples behind the pass under way */
    int deals;
};

Status crew_create(Crew **crew) {
    *crew = calloc(1, sizeof **crew);
    return *crew ? STATUS_OK : fail(STATUS_DEVICE, "no memory for the devices of a trace");
}

Status crew_add(Crew *crew, Device *device) {
    if (crew->count == CREW_MAX) {
        device_close(&device);
        return fail(STATUS_USAGE, "at most %d devices", CREW_MAX + 1);
    }
    crew->members[crew->count++] = (Member){.crew = crew, .device = device};
    return STATUS_OK;
}

static Status plan_member(Member *member, CrewPlan *plan_of, const void *context, const char *level) {
    Plan *plan;
    TRY(plan_of(context, member->device, &plan));
    return member->pipeline ? pipeline_replace(&member->pipeline, plan, level)
                            : pipeline_create(member->device, plan, level, &member->pipeline);
}

Status crew_plan(Crew *crew, CrewPlan *plan_of, const void *context, const char *level) {
    for (size_t i = 0; i < crew->count; i++)
        TRY(plan_member(&crew->members[i], plan_of, context, level));
    return STATUS_OK;
}

size_t crew_count(const Crew *crew) {
    return crew->count;
}

/* ---- a member's thread ---- */

static bool goes_on(const Member *member) {
    const int stop = atomic_load(&member->crew->stop);
    return !progressive_complete(&member->progressive) && stop != CREW_STOP_AT_ONCE &&
           (stop == CREW_GO_ON || member->progressive.done == 0);
}

/* The frame of a stage that is gathered; without pixels where there is no such stage. */
static Frame frame_of(const Pipeline *pipeline, const Op *op) {
    const size_t index = pipeline_find_stage(pipeline, op);
    return index < pipeline_stage_count(pipeline) ? pipeline_stage(pipeline, index)->out : (Frame){.pixels = NULL};
}

/* Passes the member's rows on between a frame and an image of the same size. */
typedef Status Pass(Queue *queue, Frame frame, ImageView image);
static Status pass_rows(Queue *queue, Stripes stripes, Frame frame, ImageView image, Pass *pass) {
    const size_t height = image.shape.height, width = image.shape.width;
    for (size_t row = 0, left; row < stripes_rows(stripes, height); row += left) {
        const size_t top = stripes_find(stripes, height, row, &left);
        TRY(pass(queue, view_crop(frame, 0, top, width, left), view_crop(image, 0, top, width, left)));
    }
    return queue->device->backend->sync(queue);
}

static Status fetch(Queue *queue, Frame frame, ImageView image) {
    return queue->device->backend->download(queue, frame, image);
}
static Status put(Queue *queue, Frame frame, ImageView image) {
    return queue->device->backend->upload(queue, image, frame);
}

/* Passes the frames that the first has, too. */
static Status pass_member(const Member *member, Stripes stripes, Pass *pass) {
    for (int i = 0; i < PASSED; i++) {
        const Frame frame = frame_of(member->pipeline, passed[i]);
        if (member->crew->rows[i] && frame.pixels)
            TRY(pass_rows(pipeline_queue(member->pipeline), stripes, frame, member->crew->rows[i]->view, pass));
    }
    return STATUS_OK;
}

static Status fetch_rows(const Member *member) {
    return pass_member(member, member->progressive.stripes, fetch);
}

static Status trace_rows(Member *member) {
    Spans spans = {0};
    const Stripes stripes = member->progressive.stripes;
    const size_t height = frame_of(member->pipeline, &op_trace).shape.height;
    while (stripes_rows(stripes, height) > 0 && goes_on(member))
        TRY(progressive_step(&member->progressive, STEP_MS, &spans));
    return fetch_rows(member);
}

static void *run_member(void *argument) {
    Member *member = argument;
    member->status = trace_rows(member);
    if (member->status != STATUS_OK)
        snprintf(member->message, sizeof member->message, "%s: %s", member->device->name, status_message());
    return NULL;
}

/* ---- the crew ---- */

/* The ms that each band of rows takes with one sample a pixel, on the first device. The samples are thrown away: the
 * gathering begins again. The first band is traced twice, since the first run makes a BVH. */
static Status time_bands(const Progressive *first, double ms[BANDS]) {
    const size_t height = frame_of(first->pipeline, &op_trace).shape.height;
    Spans spans = {0};
    for (int run = -1; run < BANDS; run++) {
        const size_t band = run < 0 ? 0 : (size_t)run;
        Progressive trial = *first;
        trial.samples = 1;
        trial.cost = 1e-12; /* as good as none: a band is one step */
        trial.stripes = (Stripes){.from = band * height / BANDS, .to = (band + 1) * height / BANDS};
        const double start = clock_ms();
        while (!progressive_complete(&trial) && trial.stripes.to > trial.stripes.from)
            TRY(progressive_step(&trial, STEP_MS, &spans));
        ms[band] = clock_ms() - start;
    }
    return STATUS_OK;
}

/* Deals the rows out: one block for each device, since it wants many pixels at once. */
static void deal(Crew *crew, const double *ms, const size_t *blocks, size_t count) {
    size_t begin[CREW_MAX + 2] = {0};
    deal_rows(ms, blocks, count, crew->count + 1, begin);
    memcpy(crew->begin, begin, sizeof begin);
}

static Stripes rows_of(const Crew *crew, size_t device) {
    return (Stripes){.from = crew->begin[device], .to = crew->begin[device + 1]};
}

static void deal_evenly(Crew *crew, size_t height) {
    deal(crew, (double[]){1}, (size_t[]){0, height}, 1);
}

/* By the times of bands where that pays. */
static Status deal_by_bands(Crew *crew, const Progressive *first) {
    const size_t height = frame_of(first->pipeline, &op_trace).shape.height;
    double ms[BANDS];
    size_t begin[BANDS + 1];
    if (first->samples < SAMPLES_TIMED || height < BANDS) {
        deal_evenly(crew, height);
        return STATUS_OK;
    }
    TRY(time_bands(first, ms));
    for (size_t band = 0; band <= BANDS; band++)
        begin[band] = band * height / BANDS;
    deal(crew, ms, begin, BANDS);
    return STATUS_OK;
}

static void drop_rows(Crew *crew) {
    for (int i = 0; i < PASSED; i++)
        image_destroy(&crew->rows[i]);
}

static Status make_rows(Crew *crew, const Pipeline *pipeline) {
    for (int i = 0; i < PASSED; i++) {
        const Frame frame = frame_of(pipeline, passed[i]);
        if (frame.pixels)
            TRY(image_create_unfilled(frame.shape, &crew->rows[i]));
    }
    return STATUS_OK;
}

/* Joins the threads of the first `count` members. */
static void join(Crew *crew, size_t count) {
    for (size_t i = 0; i < count; i++)
        pthread_join(crew->members[i].thread, NULL);
}

/* Has a member trace its rows of the first's job. */
static void begin_member(Crew *crew, size_t index, const Progressive *first) {
    Member *member = &crew->members[index];
    const TraceJob *job = pipeline_job(first->pipeline, pipeline_find_stage(first->pipeline, &op_trace));
    progressive_set_camera(member->pipeline, job->camera);
    progressive_set_scene(member->pipeline, job->scene);
    progressive_begin(&member->progressive, member->pipeline);
    member->progressive.stripes = rows_of(crew, index + 1);
}

/* Starts a thread for each member; where one is not to be had, those before it are stopped. */
static Status start_threads(Crew *crew, void *(*run)(void *)) {
    atomic_store(&crew->stop, CREW_GO_ON);
    for (size_t i = 0; i < crew->count; i++) {
        Member *member = &crew->members[i];
        if (thread_begin(&member->thread, NULL, run, member))
            continue;
        crew_stop(crew, CREW_STOP_AT_ONCE);
        join(crew, i);
        return fail(STATUS_DEVICE, "no thread for the device %s", member->device->name);
    }
    return STATUS_OK;
}

Status crew_start(Crew *crew, Progressive *first) {
    if (crew->count == 0)
        return STATUS_OK;
    TRY(deal_by_bands(crew, first));
    first->stripes = rows_of(crew, 0);
    Status status = make_rows(crew, first->pipeline);
    for (size_t i = 0; i < crew->count; i++)
        begin_member(crew, i, first);
    if (status == STATUS_OK)
        status = start_threads(crew, run_member);
    if (status != STATUS_OK)
        drop_rows(crew);
    return status;
}

void crew_stop(Crew *crew, CrewStop how) {
    atomic_store(&crew->stop, (int)how);
}

/* Into the first's frames. */
static Status take_rows(const Crew *crew, const Member *member, const Progressive *first) {
    for (int i = 0; i < PASSED; i++)
        if (crew->rows[i] && frame_of(member->pipeline, passed[i]).pixels)
            TRY(pass_rows(pipeline_queue(first->pipeline), member->progressive.stripes,
                          frame_of(first->pipeline, passed[i]), crew->rows[i]->view, put));
    return STATUS_OK;
}

static Status outcome(const Member *member) {
    return member->status == STATUS_OK ? STATUS_OK : fail(member->status, "%s", member->message);
}

Status crew_finish(Crew *crew, Progressive *first) {
    Status status = STATUS_OK;
    if (crew->count == 0)
        return STATUS_OK;
    join(crew, crew->count);
    for (size_t i = 0; i < crew->count && status == STATUS_OK; i++) {
        const Progressive *others = &crew->members[i].progressive;
        status = outcome(&crew->members[i]);
        if (status == STATUS_OK)
            status = take_rows(crew, &crew->members[i], first);
        if (others->stripes.to > others->stripes.from && others->done < first->done) /* it counts what all have */
            first->done = others->done;
    }
    drop_rows(crew);
    first->stripes = (Stripes){0};
    return status;
}

/* ---- a picture that is looked at on its way ---- */

/* The samples so far of the others' rows: from the first, by way of the host. */
static Status give_rows(Crew *crew, const Progressive *first) {
    Status status = first->done > 0 ? make_rows(crew, first->pipeline) : STATUS_OK;
    const Stripes others = {.from = crew->begin[1], .to = crew->begin[crew->count + 1]};
    for (int i = 0; i < PASSED && status == STATUS_OK; i++)
        if (crew->rows[i] && others.to > others.from)
            status = pass_rows(pipeline_queue(first->pipeline), others, frame_of(first->pipeline, passed[i]),
                               crew->rows[i]->view, fetch);
    for (size_t i = 0; i < crew->count && status == STATUS_OK; i++)
        status = pass_member(&crew->members[i], rows_of(crew, i + 1), put);
    drop_rows(crew);
    return status;
}

/* Everybody has the first's samples, and goes on with rows of its own. */
static Status share_out(Crew *crew, const Progressive *first) {
    crew->own = *first;
    crew->own.stripes = rows_of(crew, 0);
    for (size_t i = 0; i < crew->count; i++) {
        begin_member(crew, i, first);
        crew->members[i].progressive.done = first->done;
    }
    return give_rows(crew, first);
}

Status crew_join(Crew *crew, const Progressive *first) {
    deal_evenly(crew, frame_of(first->pipeline, &op_trace).shape.height);
    crew->deals = 0;
    return share_out(crew, first);
}

/* A device's part of a step; *ms grows by the time that it took. */
static Status step_rows(Progressive *progressive, uint32_t target, double for_ms, double *ms, Spans *spans) {
    const double start = clock_ms();
    Status status = STATUS_OK;
    progressive->samples = target;
    if (stripes_rows(progressive->stripes, 0) == 0)
        progressive->done = target;
    while (status == STATUS_OK && !progressive_complete(progressive)) {
        status = progressive_step(progressive, for_ms, spans);
        if (clock_ms() - start >= for_ms)
            break;
    }
    *ms += clock_ms() - start;
    return status;
}

static void *step_member(void *argument) {
    Member *member = argument;
    Spans unrecorded = {0};
    member->status =
        step_rows(&member->progressive, member->crew->target, member->crew->step_ms, &member->ms, &unrecorded);
    if (member->status != STATUS_OK)
        snprintf(member->message, sizeof member->message, "%s: %s", member->device->name, status_message());
    return NULL;
}

/* The samples that the next pass adds: one, or as many as take about this long. */
static uint32_t samples_of_pass(const Crew *crew, const Progressive *first, double ms) {
    const double width = (double)frame_of(first->pipeline, &op_trace).shape.width;
    const double sample = crew->own.cost * width * (double)(crew->begin[1] - crew->begin[0]);
    const double rest = (double)(first->samples - first->done);
    return (uint32_t)fmin(sample > 0 ? fmax(ms / sample, 1) : 1, rest);
}

static void begin_pass(Crew *crew, Progressive *first, double ms) {
    first->pass = samples_of_pass(crew, first, ms);
    crew->target = first->done + first->pass;
    crew->own_ms = 0;
    for (size_t i = 0; i < crew->count; i++) {
        crew->members[i].ms = 0;
        pipeline_queue(crew->members[i].pipeline)->stop = pipeline_queue(first->pipeline)->stop;
    }
}

/* Where devices took times that differ, the next pass has rows dealt out by these. */
static Status deal_again(Crew *crew, const Progressive *first) {
    const size_t devices = crew->count + 1;
    double ms[CREW_MAX + 1], sum = 0, longest = 0;
    size_t blocks[CREW_MAX + 2];
    if (crew->deals == DEALS)
        return STATUS_OK;
    crew->deals++;
    for (size_t i = 0; i < devices; i++) {
        ms[i] = fmax(i == 0 ? crew->own_ms : crew->members[i - 1].ms, 1e-3);
        sum += ms[i];
        longest = fmax(longest, ms[i]);
    }
    if (longest * (double)devices <= UNEVEN * sum)
        return STATUS_OK;
    memcpy(blocks, crew->begin, sizeof blocks);
    deal(crew, ms, blocks, devices);
    return share_out(crew, first);
}

/* Brings all rows to the first, once all have their samples. */
static Status end_pass(Crew *crew, Progressive *first) {
    Status status = make_rows(crew, first->pipeline);
    for (size_t i = 0; i < crew->count && status == STATUS_OK; i++) {
        status = fetch_rows(&crew->members[i]);
        if (status == STATUS_OK)
            status = take_rows(crew, &crew->members[i], first);
    }
    drop_rows(crew);
    TRY(status);
    first->done = crew->target;
    first->row = 0;
    return deal_again(crew, first);
}

Status crew_step(Crew *crew, Progressive *first, double ms, Spans *spans) {
    const Shape shape = frame_of(first->pipeline, &op_trace).shape;
    if (first->row == 0)
        begin_pass(crew, first, ms);
    crew->own.pipeline = first->pipeline; /* filters behind the trace may have changed */
    crew->step_ms = ms;
    TRY(start_threads(crew, step_member));
    const Status status = step_rows(&crew->own, crew->target, ms, &crew->own_ms, spans);
    join(crew, crew->count);
    TRY(status);
    bool all = progressive_complete(&crew->own);
    double longest = crew->own_ms;
    for (size_t i = 0; i < crew->count; i++) {
        TRY(outcome(&crew->members[i]));
        all &= progressive_complete(&crew->members[i].progressive);
        longest = fmax(longest, crew->members[i].ms);
    }
    if (all) {
        first->cost = longest / ((double)shape.width * (double)shape.height * (double)first->pass);
        return end_pass(crew, first);
    }
    const double gathered = progressive_share(&crew->own) * crew->target - first->done;
    first->row = (size_t)fmin(fmax(gathered / first->pass * (double)shape.height, 1), (double)shape.height - 1);
    return STATUS_OK;
}

void crew_destroy(Crew **crew) {
    Crew *old = *crew;
    if (!old)
        return;
    for (size_t i = 0; i < old->count; i++) {
        pipeline_destroy(&old->members[i].pipeline);
        device_close(&old->members[i].device);
    }
    free(old);
    *crew = NULL;
}
