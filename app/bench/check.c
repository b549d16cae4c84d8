/* check.c: every level's result against the float64 reference's. */
#include "app/bench/ladder.h"

/* Frames for one stage, filled with noise. */

void frames_free(Device *device, Stage *stage) {
    for (int k = 0; k < STAGE_INPUTS; k++)
        device->backend->frame_destroy(device, &stage->in[k]);
    device->backend->frame_destroy(device, &stage->out);
}

Status frames_bind(Device *device, Stage *stage) {
    const Backend *backend = device->backend;
    for (int k = 0; k < STAGE_INPUTS; k++) {
        if (stage->in[k].shape.width == 0)
            continue;
        Image *noise = NULL;
        TRY(image_create(stage->in[k].shape, &noise));
        view_fill_random(noise->view, 11 + (unsigned long)k);
        Status status = backend->frame_create(device, stage->in[k].shape, &stage->in[k]);
        if (status == STATUS_OK)
            status = backend->upload(device, noise->view, stage->in[k]);
        if (status == STATUS_OK)
            status = backend->sync(device);
        image_destroy(&noise);
        TRY(status);
    }
    return backend->frame_create(device, stage->out.shape, &stage->out);
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
    TRY(backend_open("cpu", 0, 0, &cpu, &ignored));
    Status status = frames_bind(cpu, &stage);
    if (status == STATUS_OK)
        status = run_level(cpu, level_reference(stage.operation), &stage, result);
    frames_free(cpu, &stage);
    device_close(&cpu);
    return status;
}

Status ladder_check(Ladder *ladder, const Stage *unbound) {
    Image *want = NULL;
    Stage stage = *unbound;
    const double max_in = stage.in[0].shape.width ? pixel_type_white(stage.in[0].shape.type) : 1;
    Status status = reference_result(unbound, &want);
    if (status == STATUS_OK)
        status = frames_bind(ladder->device, &stage);
    for (size_t i = 0; i < ladder->count && status == STATUS_OK; i++) {
        Image *got = NULL;
        if (ladder->rungs[i].why_not)
            continue;
        status = run_level(ladder->device, ladder->rungs[i].level, &stage, &got);
        if (status == STATUS_OK)
            ladder->rungs[i].verdict = stage_compare(&stage, max_in, want->view, got->view);
        image_destroy(&got);
    }
    frames_free(ladder->device, &stage);
    image_destroy(&want);
    return status;
}
