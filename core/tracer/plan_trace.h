/* plan_trace.h: a scene as stages of a plan.
 * Owns the order of the stages that trace it, free light of noise and make a picture of it. Owns the names of
 * parameters that may change between runs (core/tracer/progressive.h runs them). */
#ifndef GLINT_CORE_TRACER_PLAN_TRACE_H
#define GLINT_CORE_TRACER_PLAN_TRACE_H

#include "core/plan/plan.h"
#include "core/tracer/trace.h"

/* Parameters by name (pipeline_set): a Camera, a const Scene *, and, of looks of light, the exposure as a double. */
#define TRACE_CAMERA   "camera"
#define TRACE_SCENE    "scene"
#define TRACE_EXPOSURE "exposure"

/* Options of looks of light alone: how gathered light becomes a picture. */
typedef struct TraceOptions {
    float exposure; /* a factor on light */
    bool denoise;   /* paths lose their noise before they become a picture; other looks have none */
} TraceOptions;

/* Appends a trace into a frame of `shape`; the plan's input is not read, the scene is borrowed. Looks of light gather
 * it and become `shape` by another stage. The result is in linear light times the exposure if `shape` is f32, else as a
 * screen shows it. Paths pass op_surfaces, op_keep and op_denoise before, if the options say so. STATUS_USAGE unless
 * the shape has 3 or 4 channels, and u8 but for looks of light. */
Status plan_trace(Plan *plan, TraceJob job, TraceOptions options, Shape shape, int *out);

#endif
