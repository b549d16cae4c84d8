/* judge.c: parts of jobs, run by levels and by the reference. */
#include "app/view/session/judge.h"

#include "core/image/difference.h"

#include <math.h>

static Shape part_of(const Measurement *job, double pixels) {
    const double side = fmax(floor(sqrt(pixels)), 1);
    Shape shape = job->shape;
    shape.width = (size_t)fmin(side, (double)shape.width);
    shape.height = (size_t)fmin(side, (double)shape.height);
    return shape;
}

static Status run_part(const Measurement *job, const char *level, Shape shape, Image **result) {
    Pipeline *pipeline;
    Spans spans = {0};
    TRY(measurement_open(job, level, shape, &pipeline));
    Status status = pipeline_run(pipeline, &spans);
    if (status == STATUS_OK)
        status = image_create(pipeline_result_shape(pipeline), result);
    if (status == STATUS_OK)
        status = pipeline_download(pipeline, (*result)->view);
    pipeline_destroy(&pipeline);
    return status;
}

void reference_part_free(ReferencePart *part) {
    image_destroy(&part->want);
    *part = (ReferencePart){0};
}

/* By the backend that has these levels. */
Status judge_reference(const Measurement *job, unsigned serial, double pixels, ReferencePart *part) {
    const char *passed_over;
    Measurement own = *job;
    reference_part_free(part);
    TRY(backend_open("cpu", 0, 0, &own.device, &passed_over));
    const Status status = run_part(&own, "reference", part_of(job, pixels), &part->want);
    device_close(&own.device);
    if (status != STATUS_OK)
        reference_part_free(part);
    else
        *part = (ReferencePart){serial, part_of(job, pixels), part->want};
    return status;
}

Status judge_error(const Measurement *job, const ReferencePart *part, const char *level, double *error) {
    Image *got = NULL;
    const Status status = run_part(job, level, part->shape, &got);
    if (status == STATUS_OK) {
        Difference difference = {0};
        (void)difference_go_on(&difference, part->want->view, got->view, got->view.shape.height);
        *error = difference.max;
    }
    image_destroy(&got);
    return status;
}

/* ---- stage by stage ---- */

static double largest(ImageView view) {
    double most = 0;
    for (size_t y = 0; y < view.shape.height; y++)
        for (size_t x = 0; x < view.shape.width; x++)
            for (int c = 0; c < view.shape.channels; c++)
                most = fmax(most, fabs(view_value(view, x, y, c)));
    return most;
}

static Status fetch(Queue *queue, Frame frame, Image **image) {
    TRY(image_create(frame.shape, image));
    TRY(queue->device->backend->download(queue, frame, (*image)->view));
    return queue->device->backend->sync(queue);
}

/* Compares the stage's result with the reference's, for the inputs that are still there. */
static Status judge_stage(Queue *queue, const Stage *ran, Queue *cpu, Verdict *verdict) {
    Image *in[STAGE_INPUTS] = {NULL}, *got = NULL, *want = NULL;
    Stage stage = *ran;
    double max_in = ran->in[0].shape.width ? 0 : 1;
    Status status = fetch(queue, ran->out, &got);
    for (int k = 0; k < STAGE_INPUTS && status == STATUS_OK; k++)
        if (ran->in[k].shape.width > 0) {
            status = fetch(queue, ran->in[k], &in[k]);
            stage.in[k] = in[k] ? in[k]->view : stage.in[k];
            max_in = status == STATUS_OK ? fmax(max_in, largest(stage.in[k])) : max_in;
        }
    if (status == STATUS_OK)
        status = image_create(ran->out.shape, &want);
    if (status == STATUS_OK) {
        stage.out = want->view;
        status = level_run(level_reference(stage.op), cpu, &stage);
    }
    if (status == STATUS_OK)
        *verdict = stage_compare(&stage, max_in, want->view, got->view);
    for (int k = 0; k < STAGE_INPUTS; k++)
        image_destroy(&in[k]);
    image_destroy(&got);
    image_destroy(&want);
    return status;
}

/* Whether a verdict tells more than the judgement's. */
static bool tells_more(const Judgement *judgement, Verdict verdict) {
    const Verdict *so_far = &judgement->verdict;
    return judgement->stages == 0 ||
           (so_far->agrees && (!verdict.agrees || verdict.worst * so_far->allowed > so_far->worst * verdict.allowed));
}

static Status judge_stages(Pipeline *pipeline, Queue *cpu, Judgement *judgement) {
    for (size_t i = 0; i < pipeline_stage_count(pipeline); i++) {
        const Stage *stage = pipeline_stage(pipeline, i);
        Spans spans = {0};
        Verdict verdict;
        TRY(pipeline_run_stages(pipeline, i, i + 1, &spans));
        TRY(judge_stage(pipeline_queue(pipeline), stage, cpu, &verdict));
        if (tells_more(judgement, verdict)) {
            judgement->verdict = verdict;
            judgement->stage = stage->op->name;
        }
        judgement->stages++;
    }
    return STATUS_OK;
}

Status judge_job(const Measurement *job, const char *level, double pixels, Judgement *judgement) {
    const char *passed_over;
    const Shape shape = part_of(job, pixels);
    Measurement apart = *job;
    Pipeline *pipeline;
    Device *device = NULL;
    Queue *cpu = NULL;
    apart.options.unfused = true; /* which makes the same, bit for bit (tests/levels/fused.c) */
    TRY(measurement_open(&apart, level, shape, &pipeline));
    Status status = backend_open("cpu", 0, 0, &device, &passed_over);
    if (status == STATUS_OK)
        status = queue_open(device, &cpu);
    if (status == STATUS_OK)
        status = judge_stages(pipeline, cpu, judgement);
    judgement->known = status == STATUS_OK;
    judgement->width = shape.width;
    judgement->height = shape.height;
    queue_close(&cpu);
    device_close(&device);
    pipeline_destroy(&pipeline);
    return status;
}
