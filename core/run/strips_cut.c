/* strips_cut.c: where pictures are cut, and the plans and pipelines of strips. */
#include "core/run/strips_internal.h"

#include "core/base/memory.h"
#include "core/device/backend.h"
#include "core/plan/frame_map.h"

#include <string.h>

enum { HALOS_MINIMUM = 18 /* in a strip: with its two halos, an eighth is done twice at most */ };

static Strips one_strip(Shape picture) {
    return (Strips){.picture = picture,
                    .step = STRIP_STEP,
                    .rows = picture.height,
                    .height = picture.height,
                    .made = picture.height,
                    .passes = 1};
}

Shape strips_table_shape(const Strips *strips, Shape result) {
    const size_t left = strips->height - strips->made, advance = strips_advance(strips);
    result.height = ((left + advance - 1) / advance + 2) * result.height / 2;
    return result;
}

/* Bytes of the sum of the parts so far, and of another part. More than any memory if a table has more rows and columns
 * than can be numbered. */
static size_t gathered_bytes(const Plan *plan, const Strips *strips) {
    size_t tables = 0, max = 0;
    for (size_t i = 0; i < plan_stage_count(plan); i++) {
        const Stage *stage = &plan_stage(plan, i)->stage;
        const size_t bytes = stage_gathers(stage) ? shape_bytes(stage->out.shape) : 0;
        max = bytes > max ? bytes : max;
        if (!op_parts(stage->op)->stitch)
            continue;
        const Shape table = strips_table_shape(strips, stage->out.shape);
        tables = memory_sum(tables, table.height > STITCH_MAX / table.width ? SIZE_MAX : shape_bytes(table));
    }
    return memory_sum(tables, 2 * max);
}

size_t strips_workspace(const Plan *plan, StripRoom room) {
    return room.device ? plan_workspace(plan, room.device) : 0;
}

static Status frames_bytes(const Plan *plan, size_t *bytes) {
    FrameMap map;
    TRY(frame_map_create(plan, &map));
    *bytes = frame_map_bytes(&map);
    frame_map_free(&map);
    return STATUS_OK;
}

/* Rows of a strip; the last one ends with the picture and begins at a multiple, too. Tables of the picture, which every
 * strip passes, take no more than its rows, unless there is no room. */
static Status cut(const Plan *plan, const Reach *reach, StripRoom room, Strips *strips) {
    FrameMap map;
    const size_t height = strips->picture.height, step = reach->bands[0].step;
    TRY(frame_map_create(plan, &map));
    const size_t whole = frame_map_bytes(&map), row = frame_map_row_bytes(&map, height);
    const size_t tables = whole - row * height, halo = round_up(reach->bands[0].rows, step);
    frame_map_free(&map);
    if (row == 0 || halo > height)
        return STATUS_OK;
    room.wanted = room.wanted > 2 * tables ? room.wanted - tables : tables;
    room.max -= room.max < tables ? room.max : tables;
    const size_t around = reach->periodic ? halo : 0, all = height + 2 * around, odd = all % step;
    const size_t wanted = room.wanted / row, min = HALOS_MINIMUM * (halo > 0 ? halo : 1);
    const size_t most = room.max / (row + strips_workspace(plan, room) / height + 1);
    const size_t max = most > odd ? (most - odd) / step * step + odd : 0;
    size_t rows = round_up(wanted > min ? wanted : min, step) + odd;
    rows = rows < max ? rows : max;
    if (rows < all && rows >= 2 * halo + step) {
        *strips = (Strips){.picture = strips->picture,
                           .step = step,
                           .rows = rows,
                           .halo = halo,
                           .around = around,
                           .height = height,
                           .made = rows,
                           .bands = {rows},
                           .passes = reach->gathered + 1};
        strips->gathered = gathered_bytes(plan, strips);
    }
    return STATUS_OK;
}

PlanPart strips_part(const Strips *strips) {
    PlanPart part = {.cut = true, .height = strips->picture.height};
    memcpy(part.bands, strips->bands + 1, sizeof part.bands);
    return part;
}

/* The plan of a strip, if the chain does with it what it does with these rows of the picture: not where a filter names
 * the picture's height. */
static Plan *plan_strip(const Chain *chain, Plan *whole, const Strips *strips, PlanOptions options) {
    const PlanPart strip = strips_part(strips);
    Shape shape = strips->picture;
    Plan *plan = NULL;
    shape.height = strips->rows;
    options.part = &strip;
    if (chain_plan(chain, shape, options, &plan) != STATUS_OK)
        return NULL;
    const Reach all = strips_reach(whole), part = strips_reach(plan);
    bool alike = part.local && part.count == all.count;
    for (size_t band = 0; alike && band < all.count; band++)
        alike = part.bands[band].rows == all.bands[band].rows && part.bands[band].step == all.bands[band].step;
    if (plan_stage_count(plan) != plan_stage_count(whole) || !alike || part.gathered != all.gathered ||
        part.periodic != all.periodic) {
        plan_destroy(&plan);
        return NULL;
    }
    plan_share_own_images(plan, whole);
    plan_keep_whole(plan, whole);
    return plan;
}

/* Cuts a picture whose height changes: a strip has as many rows of the result as there is room for all that makes them.
 */
static Status cut_bands(const Chain *chain, Plan *whole, const Reach *reach, PlanOptions options, StripRoom room,
                        Strips *strips, Plan **strip) {
    const Band *last = &reach->bands[reach->count - 1];
    const size_t halo = round_up(last->rows, last->step), odd = last->height % last->step;
    const size_t min = 2 * halo + last->step + odd;
    for (size_t made = last->height, bytes;;) {
        *strips = (Strips){.picture = strips->picture,
                           .step = last->step,
                           .halo = halo,
                           .height = last->height,
                           .made = made,
                           .passes = 1};
        strips->bands[reach->count - 1] = made;
        if (strips_bands(reach, strips))
            *strip = plan_strip(chain, whole, strips, options);
        if (*strip) {
            TRY(frames_bytes(*strip, &bytes));
            const bool fits = memory_sum(bytes, strips_workspace(*strip, room)) <= room.max;
            if (fits && (bytes <= room.wanted || made <= min))
                return STATUS_OK;
            plan_keep_whole(*strip, NULL);
            plan_destroy(strip);
        }
        if (made <= min)
            return STATUS_OK;
        made = made / 2 > min ? round_up(made / 2 - odd, last->step) + odd : min;
    }
}

/* The plan of a strip, which owns the whole's then; NULL where no strips will do. */
static Status plan_cut(const Chain *chain, Plan *whole, PlanOptions options, StripRoom room, Strips *strips,
                       Plan **strip) {
    const Reach reach = strips_reach(whole);
    if (!reach.local)
        return STATUS_OK;
    if (reach.count > 1)
        return cut_bands(chain, whole, &reach, options, room, strips, strip);
    TRY(cut(whole, &reach, room, strips));
    if (strips_are_cut(strips))
        *strip = plan_strip(chain, whole, strips, options);
    return STATUS_OK;
}

Status strips_plan(const Chain *chain, Shape picture, PlanOptions options, StripRoom room, Strips *strips,
                   Plan **plan) {
    size_t bytes;
    Plan *whole = NULL, *strip = NULL;
    *strips = one_strip(picture);
    TRY(chain_plan(chain, picture, options, plan));
    Status status = frames_bytes(*plan, &bytes);
    options.part = &(PlanPart){.height = picture.height};
    if (status == STATUS_OK && bytes > room.wanted && chain_plan(chain, picture, options, &whole) == STATUS_OK)
        status = plan_cut(chain, whole, options, room, strips, &strip);
    if (status == STATUS_OK && strip) {
        plan_destroy(plan);
        *plan = strip;
        return STATUS_OK;
    }
    *strips = one_strip(picture);
    plan_destroy(strip ? &strip : &whole);
    if (status != STATUS_OK)
        plan_destroy(plan);
    return status;
}

/* Half of a device's memory is for frames and what levels take beyond them; the other is for what is kept from run to
 * run, and for other programs. */
Status strips_room(Device *device, size_t pipelines, StripRoom *room) {
    size_t available, total;
    *room = (StripRoom){STRIP_BYTES, SIZE_MAX, device};
    if (device->backend->host_frames)
        return STATUS_OK;
    TRY(device->backend->memory(device, &available, &total));
    room->wanted = room->max = total / 2 / pipelines;
    return STATUS_OK;
}

/* Whether a strip can be smaller than now. */
static Status can_shrink(const Chain *chain, Shape picture, PlanOptions options, StripRoom room, bool *can) {
    Strips strips;
    Plan *plan;
    TRY(strips_plan(chain, picture, options, room, &strips, &plan));
    *can = strips_are_cut(&strips);
    plan_destroy(&plan);
    return STATUS_OK;
}

/* What levels take is known once they are chosen. */
Status strips_open(const Chain *chain, Shape picture, PlanOptions options, Device *device, const char *level,
                   StripRoom room, Strips *strips, Pipeline **pipeline) {
    const size_t max = room.max;
    for (bool shrinks = true;;) {
        Plan *plan;
        TRY(strips_plan(chain, picture, options, room, strips, &plan));
        TRY(pipeline_create(device, plan, level, pipeline));
        room.max /= 2;
        room.wanted = room.wanted < room.max ? room.wanted : room.max;
        if (pipeline_bytes(*pipeline) <= max)
            return STATUS_OK;
        const Status status = can_shrink(chain, picture, options, room, &shrinks);
        if (status == STATUS_OK && !shrinks)
            return STATUS_OK;
        pipeline_destroy(pipeline);
        TRY(status);
    }
}

Shape strips_result(const Strips *strips, Shape strip) {
    if (strip.height == strips->made)
        strip.height = strips->height;
    return strip;
}

size_t strips_rows_bytes(const Strips *strips, Shape strip) {
    const size_t rows = memory_sum(strips->rows, 2 * strips->around);
    const size_t both = memory_sum(memory_product(rows, shape_row_bytes(strips->picture)),
                                   memory_product(strip.height, shape_row_bytes(strip)));
    return memory_sum(both, strips->gathered);
}
