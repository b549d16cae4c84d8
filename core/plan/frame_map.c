/* frame_map.c: which values of a plan share a frame. */
#include "core/plan/frame_map.h"

#include "core/base/memory.h"
#include "core/stage/op_parts.h"

#include <stdint.h>
#include <stdlib.h>

enum { ROW_ALIGNMENT = 64 };

/* The stages as they run, in their order. */
typedef struct Run {
    const Plan *plan;
    const PlanStage **stages;
    size_t count;
} Run;

static bool reads(const PlanStage *stage, int value) {
    for (int k = 0; k < STAGE_INPUTS; k++)
        if (stage->from[k] == value)
            return true;
    return false;
}

/* The last stage that reads `value`. The result, sources, the chain's first value and accumulated values are never
 * given up. Sums over a picture are not, either: its strips pass by them. */
static size_t last_use(const Run *run, int value) {
    const int stage = plan_value_stage(run->plan, value);
    size_t last = 0;
    if (stage == PLAN_NONE || value == plan_result(run->plan) || value == plan_unfiltered(run->plan) ||
        plan_stage(run->plan, (size_t)stage)->stage.op->accumulates ||
        stage_gathers(&plan_stage(run->plan, (size_t)stage)->stage))
        return SIZE_MAX;
    for (size_t i = 0; i < run->count; i++)
        last = reads(run->stages[i], value) ? i : last;
    return last;
}

/* A frame of this shape that no value needs any more when stage `index` writes, or -1. */
static int idle_frame(const FrameMap *map, const Run *run, size_t index, Shape shape) {
    for (size_t f = 0; f < map->count; f++) {
        bool idle = shape_equal(map->shapes[f], shape);
        for (size_t value = 0; idle && value < plan_value_count(run->plan); value++)
            idle = map->frame_of[value] != (int)f || last_use(run, (int)value) < index;
        if (idle)
            return (int)f;
    }
    return -1;
}

static void give_frame(FrameMap *map, const Run *run, int value, size_t index) {
    const Shape shape = plan_value_shape(run->plan, value);
    int frame = plan_value_source(run->plan, value) != PLAN_NONE ? -1 : idle_frame(map, run, index, shape);
    if (frame < 0) {
        frame = (int)map->count++;
        map->shapes[frame] = shape;
    }
    map->frame_of[value] = frame;
}

static bool is_read(const Run *run, int value) {
    bool read = plan_result(run->plan) == value;
    for (size_t i = 0; i < run->count; i++)
        read |= reads(run->stages[i], value);
    return read;
}

static Status create(const Run *run, FrameMap *map) {
    const size_t values = plan_value_count(run->plan);
    *map =
        (FrameMap){.shapes = calloc(values, sizeof *map->shapes), .frame_of = malloc(values * sizeof *map->frame_of)};
    if (!map->shapes || !map->frame_of) {
        frame_map_free(map);
        return fail(STATUS_DEVICE, "no memory for a pipeline");
    }
    for (size_t value = 0; value < values; value++)
        map->frame_of[value] = -1;
    for (size_t i = 0; i < plan_source_count(run->plan); i++)
        if (is_read(run, plan_source_value(run->plan, i)))
            give_frame(map, run, plan_source_value(run->plan, i), 0);
    for (size_t i = 0; i < run->count; i++)
        give_frame(map, run, run->stages[i]->to, i);
    return STATUS_OK;
}

/* Where `fused` is NULL, maps the frames of the plan's own stages. */
static Status create_of(const Plan *plan, const FusedStage *fused, size_t count, FrameMap *map) {
    Run run = {plan, calloc(count + 1, sizeof *run.stages), count};
    if (!run.stages)
        return fail(STATUS_DEVICE, "no memory for a pipeline");
    for (size_t i = 0; i < count; i++)
        run.stages[i] = fused ? &fused[i].planned : plan_stage(plan, i);
    const Status status = create(&run, map);
    free(run.stages);
    return status;
}

Status frame_map_create(const Plan *plan, FrameMap *map) {
    return create_of(plan, NULL, plan_stage_count(plan), map);
}

Status frame_map_create_fused(const Plan *plan, const FusedStage *stages, size_t count, FrameMap *map) {
    return create_of(plan, stages, count, map);
}

void frame_map_free(FrameMap *map) {
    free(map->shapes);
    free(map->frame_of);
    *map = (FrameMap){0};
}

static size_t row_bytes(Shape shape) {
    const size_t pixel = (size_t)shape.channels * pixel_type_size(shape.type);
    return memory_sum(memory_product(shape.width, pixel), ROW_ALIGNMENT);
}

size_t frame_map_bytes(const FrameMap *map) {
    size_t bytes = 0;
    for (size_t i = 0; i < map->count; i++)
        bytes = memory_sum(bytes, memory_product(row_bytes(map->shapes[i]), map->shapes[i].height));
    return bytes;
}

size_t frame_map_row_bytes(const FrameMap *map, size_t height) {
    size_t bytes = 0;
    for (size_t i = 0; i < map->count; i++)
        if (map->shapes[i].height == height)
            bytes = memory_sum(bytes, row_bytes(map->shapes[i]));
    return bytes;
}
