/* steps.c: tone to 8 bits has 255 steps: the light at which each begins is found once, and each value is looked up. */
#include "core/backend.h"
#include "core/ops/point.h"

#include <stdint.h>
#include <string.h>

enum {
    STEPS = 255,
    KEPT = 18,                  /* lower bits of a float that its place in the table does without */
    PLACES = 0x7F800000 >> KEPT /* of all positive floats that are finite */
};

typedef struct Steps {
    float from[STEPS + 1];    /* the lowest light that is shown as 1 to 255, then INFINITY */
    unsigned char at[PLACES]; /* what the smallest float of a place is shown as */
} Steps;

static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static int shown(float light) {
    const double gathered[4] = {(double)light, 0, 0, 1}, exposure = 1;
    double out[4];
    point_tone(&exposure, STEPS, 4, gathered, NULL, NULL, out);
    return (int)rint(out[0]);
}

/* Floats that are not negative order as their bits do. */
static void find_steps(Steps *steps) {
    for (int step = 0; step < STEPS; step++) {
        uint32_t below = 0, above = 0x7F800000;
        while (above - below > 1) {
            const uint32_t middle = below + (above - below) / 2;
            *(shown(float_of(middle)) > step ? &above : &below) = middle;
        }
        steps->from[step] = float_of(above);
    }
    steps->from[STEPS] = INFINITY;
    for (uint32_t place = 0, step = 0; place < PLACES; place++) {
        while (float_of(place << KEPT) >= steps->from[step])
            step++;
        steps->at[place] = (unsigned char)step;
    }
}

static unsigned char look_up(const Steps *steps, float light) {
    uint32_t bits;
    memcpy(&bits, &light, sizeof bits);
    if (!(light > 0))
        return 0;
    if (bits >> KEPT >= PLACES)
        return STEPS;
    int step = steps->at[bits >> KEPT];
    while (light >= steps->from[step])
        step++;
    return (unsigned char)step;
}

static void tone_row(const Stage *stage, const Steps *steps, size_t y) {
    const int channels = stage->out.shape.channels;
    const double exposure = point_job(stage)->pool[point_job(stage)->steps[0].parameters];
    const float *in = view_row(stage->in[0], y);
    unsigned char *out = view_row(stage->out, y);
    for (size_t x = 0; x < stage->out.shape.width; x++, in += 4, out += channels) {
        const double scale = in[3] > 0 ? exposure / (double)in[3] : 0;
        for (int c = 0; c < 3; c++)
            out[c] = look_up(steps, (float)(scale * (double)in[c]));
        if (channels == 4)
            out[3] = STEPS;
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

static Status run(Queue *queue, const Stage *stage) {
    const long height = (long)stage->out.shape.height;
    Steps steps;
    find_steps(&steps);
#pragma omp parallel for num_threads(queue->device->threads) schedule(static)
    for (long y = 0; y < height; y++)
        tone_row(stage, &steps, (size_t)y);
    return STATUS_OK;
}

const Level cpu_point_steps = {
    .op = &op_point,
    .name = "steps",
    .idea = "tone to 8 bits has 255 steps: where each begins is found once, and a value looked up among them",
    .accepts = accepts,
    .run = run,
};
