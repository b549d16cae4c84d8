/* predict.c: plans' times, by rows of measurements. */
#include "core/plan/predict.h"

#include "core/stage/op.h"

#include <math.h>
#include <string.h>

enum { PROCESSOR, GPU, KINDS };
enum {
    WIDENS_U8 = PIXEL_TYPES,
    WIDENS_U16,
    WAYS
}; /* behind the types that are kept: from u8 to f32, from u16 to f32 */

/* The times of an operation, for jobs of one size. */
typedef struct Row {
    const char *op, *job;   /* a word of its features' kind; "": every job */
    double size;            /* the other size that its features know: a mask's side */
    double ns[KINDS][WAYS]; /* a value */
} Row;

#define ROW(op, job, size, ...) {#op, job, size, {__VA_ARGS__}},
static const Row rows[] = {
#include "core/plan/predict.def"
};
#undef ROW

enum { ROWS = sizeof rows / sizeof rows[0] };

/* The longest word that rows of the operation have in the kind, or NULL. */
static const char *word_of(const Op *op, const Features *features) {
    const char *word = NULL;
    for (size_t i = 0; i < ROWS; i++)
        if (strcmp(rows[i].op, op->name) == 0 && strstr(features->kind, rows[i].job) &&
            (!word || strlen(rows[i].job) > strlen(word)))
            word = rows[i].job;
    return word;
}

/* A value's ns, on a line between the sizes that were measured, or as at the nearest. */
static double value_ns(const Op *op, const Features *features, int kind, int way) {
    const char *word = word_of(op, features);
    const Row *below = NULL, *above = NULL;
    for (size_t i = 0; word && i < ROWS; i++) {
        const Row *row = &rows[i];
        if (strcmp(row->op, op->name) != 0 || strcmp(row->job, word) != 0)
            continue;
        if (log2(row->size) <= features->axes[1] && (!below || row->size > below->size))
            below = row;
        if (log2(row->size) >= features->axes[1] && (!above || row->size < above->size))
            above = row;
    }
    if (!below || !above)
        return below ? below->ns[kind][way] : above ? above->ns[kind][way] : INFINITY;
    const double first = log2(below->size), span = log2(above->size) - first;
    const double share = span > 0 ? (features->axes[1] - first) / span : 0;
    return below->ns[kind][way] + share * (above->ns[kind][way] - below->ns[kind][way]);
}

/* Counts are as many for all pictures: they do not count. */
static double values_of(Shape shape) {
    return shape.type < PIXEL_TYPES ? (double)shape.width * (double)shape.height * shape.channels : 0;
}

/* Points have predictions of ms by level, which are taken of a picture of the size that they were measured with. */
static double points_ns(const Stage *stage, const Device *device) {
    Stage measured = *stage;
    for (int k = 0; k < STAGE_INPUTS; k++)
        if (stage->in[k].shape.width == stage->in[0].shape.width) {
            measured.in[k].shape.width = 1920;
            measured.in[k].shape.height = 1080;
        }
    measured.out.shape.width = 1920;
    measured.out.shape.height = 1080;
    return level_best_ms(device, &measured) * 1e6 * values_of(stage->out.shape) / values_of(measured.out.shape);
}

/* The type that a stage keeps, or how it widens. It narrows in the time of the type that it reads. Counts are no
 * pictures. */
static int way_of(const Stage *stage) {
    const PixelType in = stage->in[0].shape.type, out = stage->out.shape.type;
    if (in < PIXEL_F32 && out == PIXEL_F32)
        return in == PIXEL_U8 ? WIDENS_U8 : WIDENS_U16;
    return in < PIXEL_TYPES ? (int)in : out < PIXEL_TYPES ? (int)out : PIXEL_F32;
}

static double stage_ns(const Stage *stage, const Device *device) {
    const int kind = device->backend->host_frames ? PROCESSOR : GPU;
    const Features features = stage_features(stage);
    if (stage->op->of_points)
        return points_ns(stage, device);
    return value_ns(stage->op, &features, kind, way_of(stage)) *
           fmax(values_of(stage->in[0].shape), values_of(stage->out.shape));
}

double stage_seconds(const Stage *stage, const Device *device) {
    return stage_ns(stage, device) * 1e-9;
}

double plan_seconds(const Plan *plan, const Device *device) {
    double seconds = 0;
    for (size_t i = 0; i < plan_stage_count(plan); i++)
        seconds += stage_seconds(&plan_stage(plan, i)->stage, device);
    return seconds;
}
