/* crew.c: a thread for each further device, which traces its rows and fetches them. */
#include "core/tracer/crew.h"

#include "core/image/image.h"
#include "core/ops/keep.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    BANDS = 32,        /* that are timed before the rows are dealt out: parts of a picture take different times */
    SAMPLES_TIMED = 8, /* of a pixel, from which on that pays */
    PASSED = 2         /* the frames that are gathered */
};

#define STEP_MS 50.0

static const Op *const passed[PASSED] = {&op_trace, &op_keep};

typedef struct Member {
    Crew *crew;
    Device *device;
    Pipeline *pipeline;
    Progressive progressive;
    pthread_t thread;
    Status status;
    char message[512]; /* of a failure */
} Member;

struct Crew {
    size_t count;
    Member members[CREW_MAX];
    atomic_int stop;     /* a CrewStop */
    Image *rows[PASSED]; /* of the whole picture, where its members' rows come to; NULL: there is no such stage */
};

Status crew_create(Crew **crew) {
    *crew = calloc(1, sizeof **crew);
    return *crew ? STATUS_OK : fail(STATUS_DEVICE, "no memory for the devices of a trace");
}

Status crew_add(Crew *crew, Device *device, Plan *plan, const char *level) {
    Member *member = &crew->members[crew->count];
    Status status = crew->count < CREW_MAX ? STATUS_OK : fail(STATUS_USAGE, "at most %d devices", CREW_MAX + 1);
    if (status == STATUS_OK)
        status = pipeline_create(device, plan, level, &member->pipeline);
    else
        plan_destroy(&plan);
    if (status != STATUS_OK) {
        device_close(&device);
        return status;
    }
    member->crew = crew;
    member->device = device;
    crew->count++;
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

static Status trace_rows(Member *member) {
    Spans spans = {0};
    const Stripes stripes = member->progressive.stripes;
    const size_t height = frame_of(member->pipeline, &op_trace).shape.height;
    while (stripes_rows(stripes, height) > 0 && goes_on(member))
        TRY(progressive_step(&member->progressive, STEP_MS, &spans));
    for (int i = 0; i < PASSED; i++)
        if (member->crew->rows[i])
            TRY(pass_rows(pipeline_queue(member->pipeline), stripes, frame_of(member->pipeline, passed[i]),
                          member->crew->rows[i]->view, fetch));
    return STATUS_OK;
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

/* The row before which a share of all work lies, 0 to 1. */
static size_t row_at(const double ms[BANDS], double share, size_t height) {
    double sum = 0, before = 0;
    for (int band = 0; band < BANDS; band++)
        sum += ms[band];
    for (int band = 0; band < BANDS; band++) {
        const double within = (share * sum - before) / ms[band];
        if (within < 1)
            return (size_t)(((double)band + fmax(within, 0)) * (double)height / BANDS);
        before += ms[band];
    }
    return height;
}

/* Where the rows of each device begin: one block each, since a device wants many pixels at once. */
static Status deal_rows(const Crew *crew, const Progressive *first, size_t begin[CREW_MAX + 2]) {
    const size_t height = frame_of(first->pipeline, &op_trace).shape.height, devices = crew->count + 1;
    double ms[BANDS];
    for (int band = 0; band < BANDS; band++)
        ms[band] = 1;
    if (first->samples >= SAMPLES_TIMED && height >= BANDS)
        TRY(time_bands(first, ms));
    for (size_t i = 0; i <= devices; i++)
        begin[i] = row_at(ms, (double)i / (double)devices, height);
    begin[1] = begin[1] > 0 ? begin[1] : 1; /* the first has the picture, and a row at least */
    begin[devices] = height;
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

Status crew_start(Crew *crew, Progressive *first) {
    size_t begin[CREW_MAX + 2];
    const TraceJob *job = pipeline_job(first->pipeline, pipeline_find_stage(first->pipeline, &op_trace));
    if (crew->count == 0)
        return STATUS_OK;
    TRY(deal_rows(crew, first, begin));
    first->stripes = (Stripes){.from = begin[0], .to = begin[1]};
    atomic_store(&crew->stop, CREW_GO_ON);
    Status status = make_rows(crew, first->pipeline);
    size_t started = 0;
    for (; status == STATUS_OK && started < crew->count; started++) {
        Member *member = &crew->members[started];
        progressive_set_camera(member->pipeline, job->camera);
        progressive_begin(&member->progressive, member->pipeline);
        member->progressive.stripes = (Stripes){.from = begin[started + 1], .to = begin[started + 2]};
        if (pthread_create(&member->thread, NULL, run_member, member) != 0) {
            status = fail(STATUS_DEVICE, "no thread for the device %s", member->device->name);
            break;
        }
    }
    if (status == STATUS_OK)
        return STATUS_OK;
    crew_stop(crew, CREW_STOP_AT_ONCE);
    join(crew, started);
    drop_rows(crew);
    return status;
}

void crew_stop(Crew *crew, CrewStop how) {
    atomic_store(&crew->stop, (int)how);
}

/* Into the first's frames; it counts what all have. */
static Status take_rows(const Crew *crew, const Member *member, Progressive *first) {
    for (int i = 0; i < PASSED; i++)
        if (crew->rows[i])
            TRY(pass_rows(pipeline_queue(first->pipeline), member->progressive.stripes,
                          frame_of(first->pipeline, passed[i]), crew->rows[i]->view, put));
    const size_t height = frame_of(first->pipeline, &op_trace).shape.height;
    if (stripes_rows(member->progressive.stripes, height) > 0 && member->progressive.done < first->done)
        first->done = member->progressive.done;
    return STATUS_OK;
}

Status crew_finish(Crew *crew, Progressive *first) {
    Status status = STATUS_OK;
    if (crew->count == 0)
        return STATUS_OK;
    join(crew, crew->count);
    for (size_t i = 0; i < crew->count && status == STATUS_OK; i++) {
        const Member *member = &crew->members[i];
        status =
            member->status == STATUS_OK ? take_rows(crew, member, first) : fail(member->status, "%s", member->message);
    }
    drop_rows(crew);
    first->stripes = (Stripes){0};
    return status;
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
