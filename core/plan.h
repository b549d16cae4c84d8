/* plan.h: what a chain or a scene comes to: stages and the values that flow between them.
 * Owns the stages with their jobs; knows no backend. Value 0 is the input; each stage makes the next value. */
#ifndef GLINT_CORE_PLAN_H
#define GLINT_CORE_PLAN_H

#include "core/border.h"
#include "core/mask.h"
#include "core/ops/point.h"
#include "core/ops/trace.h"

typedef enum AlphaMode {
    ALPHA_PREMULTIPLY, /* filter premultiplied, store straight: no dark fringes */
    ALPHA_IGNORE,      /* alpha is a channel like the others */
} AlphaMode;

typedef struct PlanOptions {
    Border border;
    AlphaMode alpha;
    bool linear; /* filter in linear light (sRGB decoded before, encoded after) */
} PlanOptions;

typedef struct PlanStage {
    Stage stage;                /* shapes and job are set; pixels are bound by the pipeline */
    int from[STAGE_INPUTS], to; /* value numbers; from[1] is -1 for one input */
} PlanStage;

typedef struct Plan Plan;

/* A plan that starts from one image of shape `input`. */
Status plan_create(Shape input, PlanOptions options, Plan **plan);
void plan_destroy(Plan **plan);

size_t plan_stage_count(const Plan *plan);
const PlanStage *plan_stage(const Plan *plan, size_t index);
size_t plan_value_count(const Plan *plan);
Shape plan_value_shape(const Plan *plan, int value);
int plan_result(const Plan *plan); /* the value number of the final result */
void plan_set_result(Plan *plan, int value);

/* Labels the stages appended from now on (the filter's name); borrowed, static storage. */
void plan_label(Plan *plan, const char *label);

/* Appends a stage of any operation: `job` is copied, and what it owns taken over, also on failure. Inputs that it does
 * not have are -1. Fails as op->shape does. */
Status plan_append(Plan *plan, const Op *op, void *job, const int in[STAGE_INPUTS], PixelType type, int *out);
/* Appends a convolution of value `in` with `mask` (taken over by the plan, also on failure), stored as `type`.
 * Border, alpha and linear light follow the plan's options. STATUS_USAGE if a sum of weights times values, of any type
 * from black to white or the border's, could leave the range of f32. */
Status plan_convolve(Plan *plan, int in, Mask *mask, float bias, PixelType type, int *out);
/* Appends a point function of `in` (and `in2`, or -1), stored as `type`. */
Status plan_point(Plan *plan, PointFunction function, int in, int in2, PixelType type, int *out);
/* Appends a trace into a frame of `shape`; the plan's input is not read, the scene is borrowed. Looks of light gather
 * it and become `shape` by another stage: in linear light times `exposure` if that is f32, else as a screen shows it.
 * STATUS_USAGE unless the shape has 3 or 4 channels, and u8 but for looks of light. */
Status plan_trace(Plan *plan, TraceJob job, float exposure, Shape shape, int *out);

#endif
