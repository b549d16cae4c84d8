/* need.c: the memory that a picture of a batch takes of the process's budget.
 * On its way a picture takes, in turn, three amounts. The first is the file and the decoder's memory, the second the
 * picture, its result, and the frames of a pipeline. The third is the result and the file made of it. A work sets
 * memory for its later steps aside at once. Otherwise works could wait for memory that other waiting works hold. */
#include "app/batch/need.h"

#include "core/base/memory.h"
#include "core/codec/encoding.h"
#include "core/plan/frame_map.h"
#include "core/run/strips.h"

#include <stdint.h>

void needs_init(Needs *needs, const Chain *chain, PlanOptions options, StripRoom room, const Backend *backend) {
    *needs = (Needs){.chain = chain, .options = options, .room = room, .backend = backend};
    pthread_mutex_init(&needs->lock, NULL);
}

void needs_free(Needs *needs) {
    pthread_mutex_destroy(&needs->lock);
}

static bool find(Needs *needs, Shape shape, Need *need) {
    bool found = false;
    pthread_mutex_lock(&needs->lock);
    for (size_t i = 0; i < NEEDS_MAX && !found; i++)
        if ((found = shape_equal(needs->known[i].shape, shape)))
            *need = needs->known[i].need;
    pthread_mutex_unlock(&needs->lock);
    return found;
}

static void remember(Needs *needs, Shape shape, const Need *need) {
    pthread_mutex_lock(&needs->lock);
    needs->known[needs->next].shape = shape;
    needs->known[needs->next].need = *need;
    needs->next = (needs->next + 1) % NEEDS_MAX;
    pthread_mutex_unlock(&needs->lock);
}

/* Frames, and the levels' workspace besides them. */
static size_t pipeline_needs(const Plan *plan, const FrameMap *map, StripRoom room) {
    return memory_sum(frame_map_bytes(map), strips_workspace(plan, room));
}

Status needs_estimate(Needs *needs, Shape shape, Need *need) {
    Strips strips;
    Plan *plan;
    FrameMap map;
    *need = (Need){0};
    if (find(needs, shape, need))
        return STATUS_OK;
    TRY(strips_plan(needs->chain, shape, needs->options, needs->room, &strips, &plan));
    const Status status = frame_map_create(plan, &map);
    if (status == STATUS_OK) {
        const Shape result = strips_result(&strips, plan_value_shape(plan, plan_result(plan)));
        need->frames = needs->backend->host_frames ? pipeline_needs(plan, &map, needs->room) : 0;
        need->filter = memory_sum(memory_sum(shape_bytes(shape), shape_bytes(result)), strips.gathered);
        need->made = result;
        remember(needs, shape, need);
        frame_map_free(&map);
    }
    plan_destroy(&plan);
    return status;
}

void need_to_encode_as(Need *need, Encoding as, size_t pictures) {
    Shape kept = need->made;
    size_t bytes = shape_bytes(kept); /* with the pictures that it is made before */
    if (kept.type > as.type_max) {
        kept.type = as.type_max;
        bytes = memory_sum(bytes, shape_bytes(kept));
    }
    for (int way = 1; as.format && !format_writes(as.format, kept) && way < 4; way++) { /* as fit_channels does */
        kept.channels = need->made.channels - (way & 1 && shape_has_alpha(need->made)) +
                        (way & 2 && need->made.channels <= 2 ? 2 : 0);
        bytes = memory_sum(bytes, way == 2 ? shape_bytes(kept) : 0);
    }
    need->encode = memory_sum(memory_sum(memory_product(bytes, pictures), codec_encoding_memory(kept, pictures)),
                              encoding_working(as.format, kept, &as.options));
}

Status need_of_strips(const Needs *needs, Shape shape, StripRoom room, Need *need) {
    Strips strips;
    Plan *plan;
    FrameMap map;
    *need = (Need){0};
    TRY(strips_plan(needs->chain, shape, needs->options, room, &strips, &plan));
    const Status status = frame_map_create(plan, &map);
    if (status == STATUS_OK) {
        const Shape result = plan_value_shape(plan, plan_result(plan));
        *(needs->backend->host_frames ? &need->frames : &need->on_device) = pipeline_needs(plan, &map, room);
        need->filter = strips_pass_staged(&strips, needs->backend, result) ? 0 : strips_rows_bytes(&strips, result);
        frame_map_free(&map);
    }
    plan_destroy(&plan);
    return status;
}

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

size_t need_to_encode(const Need *need) {
    enum { COPIES = 3 }; /* the picture's, and in the file while it grows */
    return memory_sum(need->encode, memory_product(need->carried, COPIES));
}

/* For the filter or for encoding, whichever is more, with the data that go with the picture. */
static size_t carry(const Need *need) {
    return larger(memory_sum(need->filter, need->carried), need_to_encode(need));
}

size_t need_to_decode(const Need *need, size_t total) {
    return need->decode == SIZE_MAX ? total : memory_sum(need->frames, larger(need->decode, carry(need)));
}

size_t need_to_filter(const Need *need) {
    return memory_sum(need->frames, carry(need));
}
