/* frame_map.h: which values of a plan share a frame.
 * Owns the lifetimes of values: a value whose last use is past lends its frame to a later one. */
#ifndef GLINT_CORE_PLAN_FRAME_MAP_H
#define GLINT_CORE_PLAN_FRAME_MAP_H

#include "core/plan/fuse.h"

typedef struct FrameMap {
    size_t count;  /* frames */
    Shape *shapes; /* by frame */
    int *frame_of; /* by value: its frame, or -1 if nothing reads or writes it */
} FrameMap;

/* For a plan whose stages run one by one, or fused: then it takes fewer frames. STATUS_DEVICE if memory is short. */
Status frame_map_create(const Plan *plan, FrameMap *map);
Status frame_map_create_fused(const Plan *plan, const FusedStage *stages, size_t count, FrameMap *map);
void frame_map_free(FrameMap *map); /* accepts a zeroed one */
/* The bytes that all frames take together, rows padded to cache lines. SIZE_MAX if that overflows. */
size_t frame_map_bytes(const FrameMap *map);
/* The bytes that a row takes, in all frames of this height together. */
size_t frame_map_row_bytes(const FrameMap *map, size_t height);

#endif
