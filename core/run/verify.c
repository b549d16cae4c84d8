/* verify.c: guarded frames, and the comparison. */
#include "core/run/verify.h"

#include "core/device/op_frame.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GUARD_ROWS = 2, GUARD_COLUMNS = 19, GUARD_BYTE = 0xA5, FIRST_SEED = 3, EVERY = 457, WORKSPACE_MIN = 4096 };

/* A frame with room around the part that a stage sees. */
typedef struct Guarded {
    Frame whole, part;
    Image *around; /* the whole frame's contents before the stage ran */
} Guarded;

/* One value in EVERY, at most one pixel in a window of a common size. */
static void sprinkle(ImageView view) {
    static const float values[] = {NAN, INFINITY, -INFINITY};
    const size_t count = view.shape.width * (size_t)view.shape.channels;
    for (size_t y = 0, i = 0; y < view.shape.height; y++)
        for (size_t x = 0; x < count; x++, i++)
            if (i % EVERY == 0)
                ((float *)view_row(view, y))[x] = values[i / EVERY % 3];
}

/* Full of noise, or of the guard where `seed` is 0. */
static Status guarded_create(Queue *queue, const Op *op, Shape shape, unsigned long seed, VerifyInputs inputs,
                             Guarded *guarded) {
    Shape whole = shape;
    whole.width += GUARD_COLUMNS;
    whole.height += (size_t)2 * GUARD_ROWS;
    TRY(image_create(whole, &guarded->around));
    if (seed)
        view_fill_random(guarded->around->view, seed);
    else
        memset(guarded->around->view.pixels, GUARD_BYTE, shape_bytes(whole));
    if (seed && inputs == VERIFY_NOT_FINITE && shape.type == PIXEL_F32)
        sprinkle(guarded->around->view);
    TRY(op_frame_create(op, queue->device, whole, &guarded->whole));
    guarded->part = view_crop(guarded->whole, 0, GUARD_ROWS, shape.width, shape.height);
    return op_frame_upload(op, queue, guarded->around->view, guarded->whole);
}

static void guarded_destroy(Queue *queue, const Op *op, Guarded *guarded) {
    op_frame_destroy(op, queue->device, &guarded->whole);
    image_destroy(&guarded->around);
}

/* Whether nothing but the part has changed. */
static Status check_guard(const Guarded *guarded, ImageView after, const char *level) {
    const size_t inner = shape_row_bytes(guarded->part.shape), row = shape_row_bytes(after.shape);
    for (size_t y = 0; y < after.shape.height; y++) {
        const size_t from = y >= GUARD_ROWS && y < GUARD_ROWS + guarded->part.shape.height ? inner : 0;
        const unsigned char *was = view_row(guarded->around->view, y), *is = view_row(after, y);
        if (memcmp(was + from, is + from, row - from) != 0)
            return fail(STATUS_DEVICE, "level %s wrote outside its frame, in row %zd of it", level,
                        (ptrdiff_t)y - GUARD_ROWS);
    }
    return STATUS_OK;
}

/* The part of the frame as an image of its own. */
static Status fetch(Queue *queue, const Op *op, const Guarded *guarded, const char *level, Image **result) {
    Image *after = NULL;
    const Shape shape = guarded->part.shape;
    TRY(image_create(guarded->whole.shape, &after));
    Status status = op_frame_download(op, queue, guarded->whole, after->view);
    if (status == STATUS_OK)
        status = queue->device->backend->sync(queue);
    if (status == STATUS_OK)
        status = check_guard(guarded, after->view, level);
    if (status == STATUS_OK)
        status = image_clone(view_crop(after->view, 0, GUARD_ROWS, shape.width, shape.height), result);
    image_destroy(&after);
    return status;
}

/* Whether the run took no more than the level says. */
static Status check_workspace(const Level *level, const Queue *queue, const Stage *stage) {
    const size_t says = level_workspace(level, queue->device, stage);
    return queue->workspace <= says || queue->workspace < WORKSPACE_MIN
               ? STATUS_OK
               : fail(STATUS_DEVICE, "level %s took %zu bytes of workspace, and says %zu", level->name,
                      queue->workspace, says);
}

Status verify_run(Queue *queue, const Level *level, const Stage *unbound, VerifyInputs inputs, Image **result) {
    Stage stage = *unbound;
    Guarded in[STAGE_INPUTS] = {0}, out = {0};
    Status status = STATUS_OK;
    *result = NULL;
    for (int k = 0; k < STAGE_INPUTS && status == STATUS_OK; k++)
        if (stage.in[k].shape.width > 0) {
            status = guarded_create(queue, stage.op, stage.in[k].shape, FIRST_SEED + (unsigned long)k, inputs, &in[k]);
            stage.in[k] = in[k].part;
        }
    if (status == STATUS_OK)
        status = guarded_create(queue, stage.op, stage.out.shape, 0, inputs, &out);
    stage.out = out.part;
    if (status == STATUS_OK)
        status = level_run(level, queue, &stage);
    if (status == STATUS_OK)
        status = check_workspace(level, queue, &stage);
    if (status == STATUS_OK)
        status = queue->device->backend->sync(queue);
    if (status == STATUS_OK)
        status = fetch(queue, stage.op, &out, level->name, result);
    for (int k = 0; k < STAGE_INPUTS; k++)
        guarded_destroy(queue, stage.op, &in[k]);
    guarded_destroy(queue, stage.op, &out);
    return status;
}

Status verify_begin(Queue *cpu, const Stage *unbound, VerifyInputs inputs, Verification *verification) {
    *verification = (Verification){.stage = unbound, .inputs = inputs};
    return verify_run(cpu, level_reference(unbound->op), unbound, inputs, &verification->want);
}

Status verify_level(const Verification *verification, Queue *queue, const Level *level, Verdict *verdict) {
    const Stage *stage = verification->stage;
    const double max_in = stage->in[0].shape.width ? pixel_type_white(stage->in[0].shape.type) : 1; /* of the noise */
    Image *got;
    TRY(verify_run(queue, level, stage, verification->inputs, &got));
    *verdict = stage_compare(stage, max_in, verification->want->view, got->view);
    if (level->allows && level->allows(stage) > verdict->allowed) {
        verdict->allowed = level->allows(stage);
        verdict->agrees = verdict->worst <= verdict->allowed;
    }
    image_destroy(&got);
    return STATUS_OK;
}

void verify_end(Verification *verification) {
    image_destroy(&verification->want);
}

size_t verify_describe(const Stage *stage, const Level *level, const char *backend, char *buffer, size_t size) {
    char job[200];
    const Shape in = stage->in[0].shape, out = stage->out.shape;
    stage->op->describe(stage->job, job, sizeof job);
    return (size_t)snprintf(buffer, size, "%s/%s/%s %zux%zu %sx%d -> %s, %s", backend, stage->op->name, level->name,
                            out.width, out.height, pixel_type_name(in.type), out.channels, pixel_type_name(out.type),
                            job);
}
