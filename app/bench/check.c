/* check.c: every level's result against the float64 reference's. */
#include "app/bench/ladder.h"

#include <math.h>

#define CHECK_FLOPS 4e9 /* the reference checks pictures up to this much work, else smaller ones */

void frames_free(Device *device, Frames *frames) {
    for (int k = 0; k < STAGE_INPUTS; k++)
        device->backend->frame_destroy(device, &frames->in[k]);
    device->backend->frame_destroy(device, &frames->out);
}

/* A frame of this shape full of noise; the one that is there if it fits. */
static Status frame_bind(Device *device, int input, Shape shape, Frame *frame) {
    const Backend *backend = device->backend;
    if (frame->pixels && shape_equal(frame->shape, shape))
        return STATUS_OK;
    backend->frame_destroy(device, frame);
    Image *noise = NULL;
    TRY(image_create(shape, &noise));
    view_fill_random(noise->view, 11 + (unsigned long)input);
    Status status = backend->frame_create(device, shape, frame);
    if (status == STATUS_OK)
        status = backend->upload(device, noise->view, *frame);
    if (status == STATUS_OK)
        status = backend->sync(device);
    image_destroy(&noise);
    return status;
}

Status frames_bind(Device *device, Frames *frames, Stage *stage) {
    const Backend *backend = device->backend;
    for (int k = 0; k < STAGE_INPUTS; k++)
        if (stage->in[k].shape.width > 0) {
            TRY(frame_bind(device, k, stage->in[k].shape, &frames->in[k]));
            stage->in[k] = frames->in[k];
        }
    if (!frames->out.pixels || !shape_equal(frames->out.shape, stage->out.shape)) {
        backend->frame_destroy(device, &frames->out);
        TRY(backend->frame_create(device, stage->out.shape, &frames->out));
    }
    stage->out = frames->out;
    return STATUS_OK;
}

static Status run_level(Device *device, const Level *level, const Stage *stage, Image **result) {
    TRY(level->run(device, stage));
    TRY(device->backend->sync(device));
    TRY(image_create(stage->out.shape, result));
    const Status status = device->backend->download(device, stage->out, (*result)->view);
    return status == STATUS_OK ? device->backend->sync(device) : status;
}

/* The reference's result for this stage, computed on the CPU. */
static Status reference_result(const Stage *unbound, Image **result) {
    Device *cpu = NULL;
    const char *ignored;
    Stage stage = *unbound;
    Frames frames = {0};
    TRY(backend_open("cpu", 0, 0, &cpu, &ignored));
    Status status = frames_bind(cpu, &frames, &stage);
    if (status == STATUS_OK)
        status = run_level(cpu, level_reference(stage.op), &stage, result);
    frames_free(cpu, &frames);
    device_close(&cpu);
    return status;
}

Shape check_shape(Shape shape, Cost cost) {
    const double scale = cost.flops > CHECK_FLOPS ? sqrt(CHECK_FLOPS / cost.flops) : 1;
    shape.width = (size_t)fmax(1, (double)shape.width * scale);
    shape.height = (size_t)fmax(1, (double)shape.height * scale);
    return shape;
}

Status ladder_check(Ladder *ladder, const Stage *unbound) {
    Image *want = NULL;
    Stage stage = *unbound;
    Frames frames = {0};
    const double max_in = stage.in[0].shape.width ? pixel_type_white(stage.in[0].shape.type) : 1;
    Status status = reference_result(unbound, &want);
    if (status == STATUS_OK)
        status = frames_bind(ladder->device, &frames, &stage);
    for (size_t i = 0; i < ladder->count && status == STATUS_OK; i++) {
        Image *got = NULL;
        if (ladder->rungs[i].why_not)
            continue;
        status = run_level(ladder->device, ladder->rungs[i].level, &stage, &got);
        if (status == STATUS_OK)
            ladder->rungs[i].verdict = stage_compare(&stage, max_in, want->view, got->view);
        image_destroy(&got);
    }
    frames_free(ladder->device, &frames);
    image_destroy(&want);
    return status;
}
