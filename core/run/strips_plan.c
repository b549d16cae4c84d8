/* strips_plan.c: where pictures are cut, and the plans and pipelines of strips. */
#include "core/run/strips_plan.h"

#include "core/base/memory.h"
#include "core/device/backend.h"
#include "core/plan/frame_map.h"
#include "core/stage/op_parts.h"

#include <stdint.h>
#include <string.h>

enum { HALOS_MINIMUM = 18 /* in a strip: with its two halos, an eighth is done twice at most */ };

static size_t round_up(size_t value, size_t step) {
    return (value + step - 1) / step * step;
}

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

/* ---- bands ---- */

typedef struct Rows {
    size_t first, end;
} Rows;

/* The first rows of this band that `count` rows of the next one, from `first` on, need. */
static Rows rows_needed(const StripsReach *whole, size_t band, size_t first, size_t count) {
    const StripsBand *from = &whole->bands[band];
    const Stage *stage = &whole->bands[band + 1].from->stage;
    const Shape in[STAGE_INPUTS] = {stage->in[0].shape, stage->in[1].shape, stage->in[2].shape};
    const Region rows =
        stage->op->needs(stage->job, 0, (Region){0, (ptrdiff_t)first, stage->out.shape.width, count}, in);
    const size_t top = (size_t)rows.top, end = top + rows.height + from->rows;
    return (Rows){top > from->rows ? top - from->rows : 0, end < from->height ? end : from->height};
}

void strips_tops(const StripsReach *whole, const Strips *strips, size_t least, size_t top, size_t *tops) {
    size_t band = whole->count - 1;
    for (tops[band] = top; band-- > least;) {
        const size_t step = whole->bands[band].step, last = whole->bands[band].height - strips->bands[band];
        const size_t needed = rows_needed(whole, band, tops[band + 1], strips->bands[band + 1]).first;
        tops[band] = needed / step * step < last ? needed / step * step : last;
    }
}

/* Finds how many rows of each band make those of the last one; false if they come in another order, or all at once. */
static bool find_bands(const StripsReach *whole, Strips *strips) {
    const size_t advance = strips_advance(strips), last = strips->height - strips->made;
    for (size_t band = whole->count - 1; band-- > 0;) {
        const StripsBand *of = &whole->bands[band];
        const size_t odd = of->height % of->step;
        size_t most = odd, before = 0, tops[PLAN_BANDS + 1];
        for (size_t top = 0;; top = top + advance < last ? top + advance : last) {
            strips_tops(whole, strips, band + 1, top, tops);
            const Rows needed = rows_needed(whole, band, tops[band + 1], strips->bands[band + 1]);
            const size_t first = needed.first / of->step * of->step;
            if (first < before)
                return false;
            before = first;
            most = needed.end - first > most ? needed.end - first : most;
            if (top == last)
                break;
        }
        strips->bands[band] = round_up(most - odd, of->step) + odd;
        if (strips->bands[band] >= of->height)
            return false;
    }
    strips->rows = strips->bands[0];
    return true;
}

/* ---- cuts ---- */

/* A StripRoom, and a limit to the rows of the pipeline's input. */
typedef struct Room {
    size_t wanted, max, rows;
    const Device *device;
} Room;

/* Bytes of a strip as a linear function of its rows. */
typedef struct StripBytes {
    size_t tables;              /* of frames that every strip has whole */
    size_t row[PLAN_BANDS + 1]; /* of frames, for a row of each band */
    size_t work;                /* of levels, for a row of the picture */
} StripBytes;

/* Bands of the same height have the same frames, and count once. */
static Status find_bytes(const Plan *plan, const StripsReach *reach, const Device *device, StripBytes *bytes) {
    FrameMap map;
    TRY(frame_map_create(plan, &map));
    *bytes = (StripBytes){.tables = frame_map_bytes(&map),
                          .work = (device ? plan_workspace(plan, device) : 0) / reach->bands[0].height + 1};
    for (size_t band = 0; band < reach->count; band++) {
        const size_t height = reach->bands[band].height;
        bool counted = false;
        for (size_t before = 0; before < band; before++)
            counted |= reach->bands[before].height == height;
        bytes->row[band] = counted ? 0 : frame_map_row_bytes(&map, height);
        bytes->tables -= bytes->row[band] * height;
    }
    frame_map_free(&map);
    return STATUS_OK;
}

/* Bytes of the strip's frames, without the work of levels. */
static size_t strip_frames(const StripBytes *bytes, const StripsReach *reach, const Strips *strips) {
    size_t sum = bytes->tables;
    for (size_t band = 0; band < reach->count; band++) {
        size_t rows = strips->bands[band];
        for (size_t behind = band + 1; behind < reach->count; behind++)
            if (reach->bands[behind].height == reach->bands[band].height && strips->bands[behind] > rows)
                rows = strips->bands[behind];
        sum = memory_sum(sum, memory_product(bytes->row[band], rows));
    }
    return sum;
}

/* Whether the plan of a strip keeps within the room. Bands of one height may share a frame in the whole's plan, and
 * have several in a strip's. */
static bool keeps_within(const Plan *strip, Room room) {
    size_t bytes;
    return frames_bytes(strip, &bytes) == STATUS_OK &&
           memory_sum(bytes, room.device ? plan_workspace(strip, room.device) : 0) <= room.max;
}

/* Cuts a picture of one height. The last strip ends with the picture, and begins at a multiple of the step, too. Tables
 * of the picture, which every strip passes, take no more than its rows, unless there is no room. */
static Status cut(const Plan *plan, const StripsReach *reach, Room room, Strips *strips) {
    StripBytes bytes;
    const size_t height = strips->picture.height, step = reach->bands[0].step;
    TRY(find_bytes(plan, reach, room.device, &bytes));
    const size_t row = bytes.row[0], tables = bytes.tables, halo = round_up(reach->bands[0].rows, step);
    if (row == 0 || halo > height)
        return STATUS_OK;
    room.wanted = room.wanted > 2 * tables ? room.wanted - tables : tables;
    room.max -= room.max < tables ? room.max : tables;
    const size_t around = reach->periodic ? halo : 0, all = height + 2 * around, odd = all % step;
    const size_t wanted = room.wanted / row, min = HALOS_MINIMUM * (halo > 0 ? halo : 1);
    const size_t fit = room.max / (row + bytes.work), most = fit < room.rows ? fit : room.rows;
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

/* The plan of a strip, if the chain has the same effect on it as on these rows of the picture. A filter that names the
 * picture's height has another effect. */
static Plan *plan_strip(const Chain *chain, Plan *whole, const Strips *strips, PlanOptions options) {
    const PlanPart strip = strips_part(strips);
    Shape shape = strips->picture;
    Plan *plan = NULL;
    shape.height = strips->rows;
    options.part = &strip;
    if (chain_plan(chain, shape, options, &plan) != STATUS_OK)
        return NULL;
    const StripsReach all = strips_reach(whole), part = strips_reach(plan);
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
static Status cut_bands(const Chain *chain, Plan *whole, const StripsReach *reach, PlanOptions options, Room room,
                        Strips *strips, Plan **strip) {
    const StripsBand *last = &reach->bands[reach->count - 1];
    const size_t halo = round_up(last->rows, last->step), odd = last->height % last->step;
    const size_t min = 2 * halo + last->step + odd;
    StripBytes bytes;
    TRY(find_bytes(whole, reach, room.device, &bytes));
    for (size_t made = last->height;; made = made / 2 > min ? round_up(made / 2 - odd, last->step) + odd : min) {
        *strips = (Strips){.picture = strips->picture,
                           .step = last->step,
                           .halo = halo,
                           .height = last->height,
                           .made = made,
                           .passes = 1};
        strips->bands[reach->count - 1] = made;
        const bool cuts = find_bands(reach, strips) && strips->rows <= room.rows;
        const size_t frames = cuts ? strip_frames(&bytes, reach, strips) : 0;
        if (cuts && memory_sum(frames, memory_product(bytes.work, strips->rows)) <= room.max &&
            (frames <= room.wanted || made <= min))
            *strip = plan_strip(chain, whole, strips, options);
        if (*strip && !keeps_within(*strip, room)) {
            plan_keep_whole(*strip, NULL);
            plan_destroy(strip);
        }
        if (*strip || made <= min)
            return STATUS_OK;
    }
}

/* The plan of a strip, which owns the whole's then; NULL where no strips will do. */
static Status plan_cut(const Chain *chain, Plan *whole, PlanOptions options, Room room, Strips *strips, Plan **strip) {
    const StripsReach reach = strips_reach(whole);
    if (!reach.local)
        return STATUS_OK;
    if (reach.count > 1)
        return cut_bands(chain, whole, &reach, options, room, strips, strip);
    TRY(cut(whole, &reach, room, strips));
    if (strips_are_cut(strips))
        *strip = plan_strip(chain, whole, strips, options);
    return STATUS_OK;
}

static Status plan_within(const Chain *chain, Shape picture, PlanOptions options, Room room, Strips *strips,
                          Plan **plan) {
    size_t bytes;
    Plan *whole = NULL, *strip = NULL;
    *strips = one_strip(picture);
    options.device = room.device;
    TRY(chain_plan(chain, picture, options, plan));
    Status status = frames_bytes(*plan, &bytes);
    options.choice = plan_options(*plan)->choice;
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

Status strips_plan(const Chain *chain, Shape picture, PlanOptions options, StripRoom room, Strips *strips,
                   Plan **plan) {
    return plan_within(chain, picture, options, (Room){room.wanted, room.max, SIZE_MAX, room.device}, strips, plan);
}

/* Half of a device's memory is for frames and the levels' workspace. The other is for the cache from run to run, and
 * for other programs. */
Status strips_room(Device *device, size_t pipelines, StripRoom *room) {
    size_t available, total;
    *room = (StripRoom){STRIP_BYTES, SIZE_MAX, device};
    if (device->backend->host_frames)
        return STATUS_OK;
    TRY(device->backend->memory(device, &available, &total));
    room->wanted = room->max = total / 2 / pipelines;
    return STATUS_OK;
}

/* Levels are known once they are chosen. Where they take too much, bytes fall as rows do. One division then gives the
 * rows that there is room for, unless the pipeline also has large tables. */
Status strips_open(const Chain *chain, Shape picture, PlanOptions options, Device *device, const char *level,
                   StripRoom room, Strips *strips, Pipeline **pipeline) {
    const size_t max = room.max;
    size_t rows = SIZE_MAX;
    Status status = STATUS_OK;
    *pipeline = NULL;
    while (status == STATUS_OK) {
        Strips next;
        Plan *plan;
        status = plan_within(chain, picture, options, (Room){room.wanted, max, rows, room.device}, &next, &plan);
        if (status == STATUS_OK && *pipeline && next.rows >= strips->rows) { /* there is no smaller strip */
            plan_destroy(&plan);
            return STATUS_OK;
        }
        pipeline_destroy(pipeline);
        *strips = next;
        if (status == STATUS_OK)
            status = pipeline_create(device, plan, level, pipeline);
        const size_t bytes = status == STATUS_OK ? pipeline_bytes(*pipeline) : 0;
        if (bytes <= max)
            break;
        rows = (size_t)((double)strips->rows * (double)max / (double)bytes);
        room.wanted = room.wanted < max / 2 ? room.wanted : max / 2; /* else a picture that fits is not cut */
    }
    return status;
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
