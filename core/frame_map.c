/* frame_map.c: which values of a plan share a frame. */
#include "core/frame_map.h"

#include "core/memory.h"

#include <stdint.h>
#include <stdlib.h>

enum { ROW_ALIGNMENT = 64 };

/* The last stage that reads `value`; the result, sources and what is added to are never given up. */
static size_t last_use(const Plan *plan, int value) {
    const int stage = plan_value_stage(plan, value);
    size_t last = 0;
    if (stage == PLAN_NONE || value == plan_result(plan) || plan_stage(plan, (size_t)stage)->stage.op->accumulates)
        return SIZE_MAX;
    for (size_t i = 0; i < plan_stage_count(plan); i++)
        for (int k = 0; k < STAGE_INPUTS; k++)
            last = plan_stage(plan, i)->from[k] == value ? i : last;
    return last;
}

/* A frame of this shape that no value needs any more when stage `index` writes, or -1. */
static int idle_frame(const FrameMap *map, const Plan *plan, size_t index, Shape shape) {
    for (size_t f = 0; f < map->count; f++) {
        bool idle = shape_equal(map->shapes[f], shape);
        for (size_t value = 0; idle && value < plan_value_count(plan); value++)
            idle = map->frame_of[value] != (int)f || last_use(plan, (int)value) < index;
        if (idle)
            return (int)f;
    }
    return -1;
}

static void give_frame(FrameMap *map, const Plan *plan, int value, size_t index) {
    const Shape shape = plan_value_shape(plan, value);
    int frame = plan_value_source(plan, value) != PLAN_NONE ? -1 : idle_frame(map, plan, index, shape);
    if (frame < 0) {
        frame = (int)map->count++;
        map->shapes[frame] = shape;
    }
    map->frame_of[value] = frame;
}

static bool is_read(const Plan *plan, int value) {
    bool read = plan_result(plan) == value;
    for (size_t i = 0; i < plan_stage_count(plan); i++)
        for (int k = 0; k < STAGE_INPUTS; k++)
            read |= plan_stage(plan, i)->from[k] == value;
    return read;
}

Status frame_map_create(const Plan *plan, FrameMap *map) {
    const size_t values = plan_value_count(plan);
    *map =
        (FrameMap){.shapes = calloc(values, sizeof *map->shapes), .frame_of = malloc(values * sizeof *map->frame_of)};
    if (!map->shapes || !map->frame_of) {
        frame_map_free(map);
        return fail(STATUS_DEVICE, "no memory for a pipeline");
    }
    for (size_t value = 0; value < values; value++)
        map->frame_of[value] = -1;
    for (size_t i = 0; i < plan_source_count(plan); i++)
        if (is_read(plan, plan_source_value(plan, i)))
            give_frame(map, plan, plan_source_value(plan, i), 0);
    for (size_t i = 0; i < plan_stage_count(plan); i++)
        give_frame(map, plan, plan_stage(plan, i)->to, i);
    return STATUS_OK;
}

void frame_map_free(FrameMap *map) {
    free(map->shapes);
    free(map->frame_of);
    *map = (FrameMap){0};
}

size_t frame_map_bytes(const FrameMap *map) {
    size_t bytes = 0;
    for (size_t i = 0; i < map->count; i++) {
        const Shape shape = map->shapes[i];
        const size_t pixel = (size_t)shape.channels * pixel_type_size(shape.type);
        const size_t row = memory_sum(memory_product(shape.width, pixel), ROW_ALIGNMENT);
        bytes = memory_sum(bytes, memory_product(row, shape.height));
    }
    return bytes;
}
