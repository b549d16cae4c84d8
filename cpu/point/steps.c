/* steps.c: tone to 8 bits has 255 steps: the light at which each begins is found once, and each value is looked up. */
#include "core/device/backend.h"
#include "core/ops/point.h"
#include "core/stage/stairs.h"
#include "cpu/point/measured.h"
#include "cpu/team.h"

enum { WHITE = 255 };

static double shown(const void *context, double light) {
    const double gathered[4] = {light, 0, 0, 1}, exposure = 1;
    double out[4];
    (void)context;
    point_tone(&exposure, WHITE, 4, gathered, NULL, NULL, out);
    return out[0];
}

static void tone_row(const Stage *stage, const Stairs *stairs, size_t y) {
    const int channels = stage->out.shape.channels;
    const double exposure = point_job(stage)->pool[point_job(stage)->steps[0].parameters];
    const float *in = view_row(stage->in[0], y);
    unsigned char *out = view_row(stage->out, y);
    for (size_t x = 0; x < stage->out.shape.width; x++, in += 4, out += channels) {
        const double scale = in[3] > 0 ? exposure / (double)in[3] : 0;
        for (int c = 0; c < 3; c++)
            out[c] = (unsigned char)stairs_step(stairs, (float)(scale * (double)in[c]));
        if (channels == 4)
            out[3] = WHITE;
    }
}

/* Light becomes bytes. */
static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    const PointJob *job = point_job(stage);
    const Shape in = stage->in[0].shape;
    *why_not = "its steps are those of tone from gathered light to 8 bits";
    return job->count == 1 && job->steps[0].function == POINT_tone && in.type == PIXEL_F32 && in.channels == 4 &&
           stage->out.shape.type == PIXEL_U8 && stage->out.shape.channels >= 3 &&
           job->steps[0].white <= pixel_type_white(PIXEL_U8) && job->steps[0].white >= pixel_type_white(PIXEL_U8);
}

typedef struct Shared {
    const Stage *stage;
    Stairs stairs;
} Shared;

static void share_row(const void *job, size_t y) {
    const Shared *shared = job;
    tone_row(shared->stage, &shared->stairs, y);
}

static Status run(Queue *queue, const Stage *stage) {
    Shared shared = {.stage = stage};
    TRY(stairs_create(shown, NULL, &shared.stairs));
    cpu_share_result(queue, stage->out.shape.height, share_row, &shared);
    return STATUS_OK;
}

const Level cpu_point_steps = {
    .op = &op_point,
    .name = "steps",
    .idea = "tone to 8 bits has 255 steps: where each begins is found once, and a value looked up among them",
    .accepts = accepts,
    .predictor = &cpu_point_measured,
    .run = run,
};
