/* stages.c: a row an operation: which of its jobs kernels can do, and how these become parameters. */
#include "kernel/stages.h"

#include "core/ops/blend.h"
#include "core/ops/convolve.h"
#include "core/ops/dot.h"
#include "core/ops/histogram.h"
#include "core/ops/move.h"
#include "core/ops/multiply.h"
#include "core/ops/point.h"
#include "core/ops/reduce.h"
#include "core/scene/scene.h"
#include "core/tracer/trace.h"
#include "kernel/parameters.h"

#include <math.h>
#include <string.h>

enum { SUMS = 512, PARTS = 256 }; /* places for parts' sums at least; parts that counts are made of at most */

/* A part of an operation that a kernel does not do, and its phrase. */
#define REFUSE(when, phrase)                                                                                           \
    do {                                                                                                               \
        if (when) {                                                                                                    \
            *why_not = phrase;                                                                                         \
            return false;                                                                                              \
        }                                                                                                              \
    } while (0)

static bool is_count(size_t n) {
    return n <= INT32_MAX;
}

/* ---- convolve ---- */

static bool convolve_accepts(const Stage *stage, const char **why_not) {
    REFUSE(stage->in[0].shape.type != stage->out.shape.type, "it stores other values than it reads");
    return true;
}

/* ---- point ---- */

static bool is_float(double value) {
    return !((double)(float)value < value) && !((double)(float)value > value);
}

static bool point_accepts(const Stage *stage, const char **why_not) {
    const PointJob *job = stage->job;
    REFUSE(job->count != 1 || job->steps[0].function != POINT_linear, "it is no factor and offset alone");
    REFUSE(shape_has_alpha(stage->in[0].shape), "it leaves alpha as it is");
    REFUSE(!is_float(job->pool[job->steps[0].parameters]) ||
               !is_float(job->pool[job->steps[0].parameters + 1] * job->steps[0].white),
           "its factor or offset is no float: results would round differently");
    REFUSE(stage->in[0].shape.type != stage->out.shape.type, "it stores other values than it reads");
    return true;
}

/* ---- reduce, dot, histogram ---- */

static bool is_vector(Shape shape) {
    return shape.type == PIXEL_F32 && shape.channels == 1 && is_count(shape.width * shape.height);
}

static bool reduce_accepts(const Stage *stage, const char **why_not) {
    const ReduceJob *job = stage->job;
    REFUSE(job->what != REDUCE_SUM || job->difference, "it asks for more than a sum");
    REFUSE(!is_vector(stage->in[0].shape), "it adds up other values than f32x1");
    return true;
}

static bool dot_accepts(const Stage *stage, const char **why_not) {
    REFUSE(!is_vector(stage->in[0].shape), "it multiplies other values than f32x1");
    return true;
}

static bool histogram_accepts(const Stage *stage, const char **why_not) {
    const HistogramJob *job = stage->job;
    REFUSE(stage->in[0].shape.type != PIXEL_U8, "it counts other values than u8");
    REFUSE(job->luma || job->visible || shape_has_alpha(stage->in[0].shape), "it counts luma, or what is visible");
    return true;
}

/* ---- blend ---- */

static bool blend_accepts(const Stage *stage, const char **why_not) {
    const BlendJob *job = stage->job;
    REFUSE(job->mode != BLEND_normal || job->masked, "it blends by a mode or a mask");
    REFUSE(shape_has_alpha(stage->in[0].shape) || shape_has_alpha(stage->in[1].shape), "it blends by alpha");
    REFUSE(!shape_equal(stage->in[0].shape, stage->in[1].shape) || !shape_equal(stage->in[0].shape, stage->out.shape),
           "its pictures are of different types");
    return true;
}

/* ---- multiply, move ---- */

static bool multiply_accepts(const Stage *stage, const char **why_not) {
    REFUSE(multiply_job(stage)->precision != PRECISION_F32, "it multiplies by less than f32");
    return true;
}

static bool move_accepts(const Stage *stage, const char **why_not) {
    const MoveJob *job = move_job(stage);
    REFUSE(!job->transpose || job->left || job->top || job->part || job->width != stage->in[0].shape.height ||
               job->height != stage->in[0].shape.width,
           "it does something else than transpose");
    return true;
}

/* The transposed picture's columns are the picture's rows, and its rows are the result's. */
bool kernel_stage_flips(const Stage *stage, const Frame *frame) {
    return stage->op == &op_move && (frame == &stage->out ? move_job(stage)->mirror_y : move_job(stage)->mirror_x);
}

/* ---- trace ---- */

static bool trace_accepts(const Stage *stage, const char **why_not) {
    const TraceJob *job = trace_job(stage);
    const Part part = trace_part(stage);
    REFUSE(job->look != LOOK_CLASSIC, "it shows another look than classic");
    REFUSE(!scene_is_of_spheres(job->scene) || job->scene->has_ground, "its scene has more than spheres");
    REFUSE(job->camera.kind == CAMERA_RANDOM, "its rays are random");
    REFUSE(part.width != job->width || part.height != job->height || part.coarseness > 1, "it traces a part");
    return true;
}

/* The ray of a pixel as core/math/camera.h has it, as one at the middle and its change. */
static KernelCamera camera_of(const TraceJob *job) {
    const Camera *camera = &job->camera;
    const float wide = (float)(uint32_t)job->width, high = (float)(uint32_t)job->height;
    if (camera->kind == CAMERA_ORTHOGRAPHIC)
        return (KernelCamera){(float)(uint32_t)(job->width / 2),
                              (float)(uint32_t)(job->height / 2),
                              {camera->centre_x, camera->centre_y, 0},
                              {0, 0, -1},
                              {camera->unit, 0, 0},
                              {0, camera->unit, 0},
                              1,
                              -INFINITY};
    const float pixel = camera_pixel(*camera, job->height);
    const Vec right = vec_times(camera->right, pixel), up = vec_times(camera->up, pixel);
    return (KernelCamera){0.5f * wide - 0.5f,
                          0.5f * high - 0.5f,
                          {camera->from.x, camera->from.y, camera->from.z},
                          {camera->forward.x, camera->forward.y, camera->forward.z},
                          {right.x, right.y, right.z},
                          {up.x, up.y, up.z},
                          0,
                          ray_from(camera->from, camera->forward).t_min};
}

/* ---- all ---- */

static const struct {
    const Op *op;
    bool (*accepts)(const Stage *stage, const char **why_not);
} rows[GLINT_OPERATIONS] = {
    [GLINT_convolve] = {&op_convolve, convolve_accepts},
    [GLINT_point] = {&op_point, point_accepts},
    [GLINT_reduce] = {&op_reduce, reduce_accepts},
    [GLINT_dot] = {&op_dot, dot_accepts},
    [GLINT_blend] = {&op_blend, blend_accepts},
    [GLINT_multiply] = {&op_multiply, multiply_accepts},
    [GLINT_move] = {&op_move, move_accepts},
    [GLINT_histogram] = {&op_histogram, histogram_accepts},
    [GLINT_trace] = {&op_trace, trace_accepts},
};

const Op *kernel_op(int operation) {
    return rows[operation].op;
}

bool kernel_stage_accepts(const Stage *stage, const char **why_not) {
    const Shape shape = kernel_stage_shape(stage);
    REFUSE(shape.type == PIXEL_U32, "kernels have no type for counts");
    REFUSE(!is_count(shape.width) || !is_count(shape.height) || !is_count(shape_row_bytes(shape)),
           "the picture is too large for 32 bits");
    for (int i = 0; i < GLINT_OPERATIONS; i++)
        if (rows[i].op == stage->op)
            return rows[i].accepts(stage, why_not);
    return false;
}

double kernel_stage_allows(const Stage *stage) {
    const Shape in = stage->in[0].shape;
    const bool sum = stage->op == &op_reduce || stage->op == &op_dot;
    return sum ? 0x1p-24 * (8 + sqrt((double)in.width * (double)in.height)) : 0;
}

Shape kernel_stage_shape(const Stage *stage) {
    return stage->op == &op_trace ? stage->out.shape : stage->in[0].shape;
}

const Frame *kernel_stage_frame(const Stage *stage, const KernelTask *task, int parameter) {
    const KernelParameter *list = kernel_parameters[task->kernel.operation].parameters, *row = &list[parameter];
    int input = 0;
    if (row->kind != PARAMETER_PICTURE && row->kind != PARAMETER_VECTOR && row->kind != PARAMETER_MATRIX)
        return NULL;
    if (row->result)
        return &stage->out;
    for (int i = 0; i < parameter; i++)
        input += list[i].kind == row->kind && !list[i].result;
    return &stage->in[input];
}

ImageView kernel_stage_view(const Stage *stage, const KernelTask *task, int parameter, unsigned char *memory) {
    const Shape shape = kernel_stage_frame(stage, task, parameter)->shape;
    return (ImageView){shape, shape_row_bytes(shape), memory + task->parameters[parameter].offset};
}

static KernelPicture picture_of(const Stage *stage, Shape shape) {
    KernelPicture picture = {NULL, (int)shape.width, (int)shape.height, (int)shape.width * shape.channels, 0, 0};
    if (stage && stage->op == &op_convolve) {
        picture.border = (int)convolve_job(stage)->border.mode;
        picture.outside = convolve_job(stage)->border.value;
    }
    return picture;
}

static KernelMask mask_of(const ConvolveJob *job) {
    return (KernelMask){.width = job->mask->width,
                        .height = job->mask->height,
                        .divisor = job->mask->divisor,
                        .bias = job->bias,
                        .separable = mask_separable(job->mask)};
}

static KernelPoint point_of(const Stage *stage) {
    const PointJob *job = stage->job;
    const PointStep *step = &job->steps[0];
    const double *p = &job->pool[step->parameters];
    return (KernelPoint){(float)p[0], (float)(p[1] * step->white)};
}

/* A value without its pointers, and how many bytes it points to. */
static void describe(const Stage *stage, const KernelTask *task, int index, TaskParameter *parameter) {
    const Frame *frame = kernel_stage_frame(stage, task, index);
    const Shape shape = frame ? frame->shape : (Shape){0};
    ParameterValue *value = &parameter->value;
    parameter->bytes = frame ? shape_bytes(shape) : 0;
    switch (parameter->kind) {
    case PARAMETER_PICTURE:
        value->picture = picture_of(stage, shape);
        break;
    case PARAMETER_VECTOR:
        value->vector.count = (int)(shape.width * shape.height);
        break;
    case PARAMETER_MATRIX:
        value->matrix = (KernelMatrix){NULL, (int)shape.width, (int)shape.height, (int)shape.width};
        break;
    case PARAMETER_MASK:
        value->mask = mask_of(convolve_job(stage));
        parameter->bytes =
            sizeof(float) * (size_t)(value->mask.width * value->mask.height +
                                     (value->mask.separable ? value->mask.width + value->mask.height : 0));
        break;
    case PARAMETER_POINT:
        value->point = point_of(stage);
        break;
    case PARAMETER_NUMBER:
        value->number = (float)blend_job(stage)->opacity;
        break;
    case PARAMETER_SUMS: /* twice as many as blocks, and at least so many as parts */
        parameter->bytes = sizeof(float) * (SUMS + 2 * stage->in[0].shape.width * stage->in[0].shape.height /
                                                       (size_t)(task->kernel.block[0] * task->kernel.pixels[0]));
        break;
    case PARAMETER_COUNTS:
        parameter->bytes = sizeof(unsigned) * 256 * (size_t)task->channels * PARTS;
        break;
    case PARAMETER_SPHERES:
        value->spheres.count = (int)trace_job(stage)->scene->count;
        parameter->bytes = sizeof(Sphere) * trace_job(stage)->scene->count;
        break;
    case PARAMETER_CAMERA:
        value->camera = camera_of(trace_job(stage));
        break;
    case PARAMETER_NONE:
        break;
    }
}

size_t kernel_stage_describe(const Stage *stage, KernelTask *task, size_t used) {
    const KernelParameter *list = kernel_parameters[task->kernel.operation].parameters;
    for (task->count = 0; task->count < TASK_PARAMETERS && list[task->count].kind != PARAMETER_NONE; task->count++) {
        TaskParameter *parameter = &task->parameters[task->count];
        parameter->kind = list[task->count].kind;
        describe(stage, task, task->count, parameter);
        parameter->offset = task_place(used);
        used = parameter->offset + parameter->bytes;
    }
    return used;
}

static Status fill_mask(const Mask *mask, bool separable, float *weights) {
    const size_t taps = (size_t)mask->width * (size_t)mask->height;
    float *across = weights + taps, *down = across + mask->width;
    MaskTerms terms;
    memcpy(weights, mask->weights, taps * sizeof *weights);
    if (!separable)
        return STATUS_OK;
    TRY(mask_factor(mask, 1, &terms));
    for (int i = 0; i < mask->width; i++)
        across[i] = terms.count > 0 ? (float)terms.rows[i] : 0;
    for (int j = 0; j < mask->height; j++)
        down[j] = terms.count > 0 ? (float)terms.columns[j] : 0;
    mask_terms_free(&terms);
    return STATUS_OK;
}

Status kernel_stage_fill(const Stage *stage, const KernelTask *task, unsigned char *memory) {
    for (int i = 0; i < task->count; i++) {
        const TaskParameter *parameter = &task->parameters[i];
        void *values = memory + parameter->offset;
        if (parameter->kind == PARAMETER_MASK)
            TRY(fill_mask(convolve_job(stage)->mask, parameter->value.mask.separable, values));
        else if (parameter->kind == PARAMETER_SPHERES && parameter->bytes > 0)
            memcpy(values, trace_job(stage)->scene->spheres, parameter->bytes);
        else if (parameter->kind == PARAMETER_SUMS || parameter->kind == PARAMETER_COUNTS)
            memset(values, 0, parameter->bytes);
    }
    return STATUS_OK;
}

void kernel_stage_read(const Stage *stage, const KernelTask *task, const unsigned char *memory, ImageView result) {
    const TaskParameter *last = &task->parameters[task->count - 1];
    const float *sums = (const float *)(const void *)(memory + last->offset);
    const unsigned *counts = (const unsigned *)(const void *)(memory + last->offset);
    if (task->kernel.operation == GLINT_reduce)
        reduction_store(result, 0, (Reduction){.sum = (double)sums[0]});
    if (task->kernel.operation == GLINT_dot) {
        double sum = 0;
        for (size_t i = 0; i < last->bytes / sizeof *sums; i++)
            sum += (double)sums[i];
        dot_store(result, 0, sum);
    }
    if (task->kernel.operation == GLINT_histogram)
        for (int c = 0; c < task->channels; c++)
            memcpy(view_row(result, (size_t)c), counts + 256 * (size_t)c, 256 * sizeof *counts);
    (void)stage;
}
