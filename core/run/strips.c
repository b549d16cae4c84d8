/* strips.c: where large pictures are cut, and the loop over their strips.
 * Strips overlap: at a cut, a convolution sees its border instead of the rows beyond, and gives wrong rows as far as
 * its mask reaches; the next one carries them on. The halo is as many rows as all of them together. */
#include "core/run/strips.h"

#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "core/device/backend.h"
#include "core/plan/frame_map.h"
#include "core/plan/plan_internal.h"
#include "core/stage/op_parts.h"

#include <string.h>

enum {
    HALOS_MINIMUM = 18, /* in a strip: with its two halos, an eighth is done twice at most */
    STEP_MAX = 1080     /* rows */
};

static size_t round_up(size_t value, size_t step) {
    return (value + step - 1) / step * step;
}

static size_t least_common_multiple(size_t a, size_t b) {
    size_t multiple = a;
    while (multiple % b > 0)
        multiple += a;
    return multiple;
}

/* Stages between two that change the picture's height. */
typedef struct Band {
    size_t height;
    size_t rows;           /* how far rows at its end are from rows at its beginning that they depend on */
    size_t step;           /* what all groups of rows begin at multiples of */
    const PlanStage *from; /* what makes its first rows; NULL: they are the picture's */
} Band;

typedef struct Reach {
    Band bands[PLAN_BANDS + 1];
    size_t count;    /* of these */
    size_t gathered; /* what parts come to together, that is asked for */
    bool bounded;    /* somewhere, what lies beyond the first and the last row is made up; */
    bool periodic;   /* somewhere, these are the neighbours of each other */
    bool placed;     /* somewhere, it matters which rows they are */
    bool local;      /* strips will do */
} Reach;

/* Of a stage and its input `k`, which has the picture's rows. */
static size_t stage_reach(const Stage *stage, int k, Reach *reach) {
    const Shape in[STAGE_INPUTS] = {stage->in[0].shape, stage->in[1].shape, stage->in[2].shape};
    const ptrdiff_t height = (ptrdiff_t)stage->out.shape.height, places[] = {0, height / 2, height - 1};
    ptrdiff_t most = 0;
    bool beyond = false;
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        const Region rows = stage->op->needs(stage->job, k, (Region){0, places[p], stage->out.shape.width, 1}, in);
        const ptrdiff_t end = rows.top + (ptrdiff_t)rows.height;
        const ptrdiff_t above = places[p] - rows.top, below = end - 1 - places[p];
        beyond |= rows.top < 0 || end > height;
        most = most > above ? most : above;
        most = most > below ? most : below;
    }
    reach->periodic |= beyond;
    reach->bounded |= most > 0 && !beyond;
    return (size_t)most;
}

/* The stage changes the picture's height: its result begins a band. */
static bool add_band(const PlanStage *planned, Reach *reach) {
    reach->local &= op_parts(planned->stage.op)->cut && reach->count <= PLAN_BANDS;
    if (reach->local)
        reach->bands[reach->count++] = (Band){planned->stage.out.shape.height, 0, 1, planned};
    return true;
}

/* Adds the reach of a stage whose inputs have the picture's rows as `has_rows` says, by value; says whether its output
 * has them, too: not what is gathered over the picture, nor what is made of that alone. */
static bool add_stage(const Plan *plan, const PlanStage *planned, const bool *has_rows, Reach *reach) {
    const Stage *stage = &planned->stage;
    const Op *op = stage->op;
    const OpParts *parts = op_parts(op);
    Band *band = &reach->bands[reach->count - 1];
    size_t most = 0, inputs = 0;
    for (int k = 0; k < STAGE_INPUTS; k++)
        if (planned->from[k] >= 0 && has_rows[planned->from[k]]) {
            inputs++;
            reach->local &= plan_value_band(plan, planned->from[k]) + 1 == reach->count;
        }
    if (stage_gathers(stage) || inputs == 0) {
        reach->placed |= parts->place != NULL;
        reach->gathered += stage_gathers(stage);
        reach->local &= !stage_gathers(stage) || inputs > 0;
        return false;
    }
    if (plan_value_band(plan, planned->to) == reach->count)
        return add_band(planned, reach);
    reach->local &= op->needs && !op->accumulates && stage->out.shape.height == band->height;
    for (int k = 0; k < STAGE_INPUTS && reach->local; k++)
        if (planned->from[k] >= 0 && has_rows[planned->from[k]]) {
            const size_t rows = stage_reach(stage, k, reach);
            most = most > rows ? most : rows;
        }
    const size_t together = parts->rows_together ? parts->rows_together(stage->job) : 1;
    band->step = least_common_multiple(band->step, together);
    if (most > 0 || together > 1)
        band->step = least_common_multiple(band->step, STRIP_STEP);
    reach->local &= band->step <= STEP_MAX;
    reach->placed |= parts->place && !parts->cut;
    band->rows += most + together - 1; /* a group that a cut spoils in one row is spoilt in all */
    return true;
}

/* Of the first `count` stages. */
static Reach reach_of(const Plan *plan, size_t count) {
    bool has_rows[PLAN_VALUES] = {false};
    const size_t height = plan_value_shape(plan, plan_source_value(plan, PIPELINE_PICTURE)).height;
    Reach reach = {.bands = {{height, 0, STRIP_STEP, NULL}}, .count = 1, .local = true};
    bool others = false;
    for (size_t i = 0; i < plan_source_count(plan); i++) {
        has_rows[plan_source_value(plan, i)] = !plan_source_is_table(plan, i);
        others |= i > PIPELINE_PICTURE && !plan_source_is_table(plan, i);
    }
    for (size_t i = 0; i < count && reach.local; i++) {
        const PlanStage *stage = plan_stage(plan, i);
        has_rows[stage->to] = add_stage(plan, stage, has_rows, &reach);
    }
    reach.local &= !reach.periodic || (!reach.bounded && !reach.placed && !others);
    reach.local &= reach.count == 1 || (!reach.periodic && !others && reach.gathered == 0);
    reach.local &= count < plan_stage_count(plan) || has_rows[plan_result(plan)];
    return reach;
}

static Reach find_reach(const Plan *plan) {
    return reach_of(plan, plan_stage_count(plan));
}

/* Rows at a cut that are wrong before a stage that is stitched, and so for those that read what comes of it. */
static size_t find_margin(const Plan *plan, const PlanStage *planned) {
    const int values[] = {planned->to, planned->from[0], planned->from[1], planned->from[2]};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const int stage = values[i] == PLAN_NONE ? PLAN_NONE : plan_value_stage(plan, values[i]);
        if (stage != PLAN_NONE && op_parts(plan_stage(plan, (size_t)stage)->stage.op)->stitch)
            return reach_of(plan, (size_t)stage).bands[0].rows;
    }
    return 0;
}

static Strips one_strip(Shape picture) {
    return (Strips){.picture = picture,
                    .step = STRIP_STEP,
                    .rows = picture.height,
                    .height = picture.height,
                    .made = picture.height,
                    .passes = 1};
}

/* From the beginning of one to that of the next, of the result. */
static size_t strip_advance(const Strips *strips) {
    return (strips->made - 2 * strips->halo) / strips->step * strips->step;
}

/* ---- bands ---- */

typedef struct Rows {
    size_t first, end;
} Rows;

/* What `count` rows from `first` on of the band behind this one need of the first rows of this one. */
static Rows rows_needed(const Reach *whole, size_t band, size_t first, size_t count) {
    const Band *from = &whole->bands[band];
    const Stage *stage = &whole->bands[band + 1].from->stage;
    const Shape in[STAGE_INPUTS] = {stage->in[0].shape, stage->in[1].shape, stage->in[2].shape};
    const Region rows =
        stage->op->needs(stage->job, 0, (Region){0, (ptrdiff_t)first, stage->out.shape.width, count}, in);
    const size_t top = (size_t)rows.top, end = top + rows.height + from->rows;
    return (Rows){top > from->rows ? top - from->rows : 0, end < from->height ? end : from->height};
}

/* Where the rows of each band, from number `least` on, begin if those of the last one begin at `top`. */
static void find_tops(const Reach *whole, const Strips *strips, size_t least, size_t top, size_t *tops) {
    size_t band = whole->count - 1;
    for (tops[band] = top; band-- > least;) {
        const size_t step = whole->bands[band].step, last = whole->bands[band].height - strips->bands[band];
        const size_t needed = rows_needed(whole, band, tops[band + 1], strips->bands[band + 1]).first;
        tops[band] = needed / step * step < last ? needed / step * step : last;
    }
}

/* How many rows of each band make those of the last one; false if they come in another order, or all at once. */
static bool find_bands(const Reach *whole, Strips *strips) {
    const size_t advance = strip_advance(strips), last = strips->height - strips->made;
    for (size_t band = whole->count - 1; band-- > 0;) {
        const Band *of = &whole->bands[band];
        const size_t odd = of->height % of->step;
        size_t most = odd, before = 0, tops[PLAN_BANDS + 1];
        for (size_t top = 0;; top = top + advance < last ? top + advance : last) {
            find_tops(whole, strips, band + 1, top, tops);
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

/* Of the results of all strips that are stitched. */
static Shape table_shape(const Strips *strips, Shape result) {
    const size_t left = strips->height - strips->made, advance = strip_advance(strips);
    result.height = ((left + advance - 1) / advance + 2) * result.height / 2;
    return result;
}

/* What the parts so far come to, and another part. More than any memory if a table has more rows and columns than can
 * be numbered. */
static size_t gathered_bytes(const Plan *plan, const Strips *strips) {
    size_t tables = 0, max = 0;
    for (size_t i = 0; i < plan_stage_count(plan); i++) {
        const Stage *stage = &plan_stage(plan, i)->stage;
        const size_t bytes = stage_gathers(stage) ? shape_bytes(stage->out.shape) : 0;
        max = bytes > max ? bytes : max;
        if (!op_parts(stage->op)->stitch)
            continue;
        const Shape table = table_shape(strips, stage->out.shape);
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
    const Reach all = find_reach(whole), part = find_reach(plan);
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

/* A picture whose height changes: as many rows of the result at once as there is room for what makes them; all of them,
 * where they are made of a part of it. */
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
        if (find_bands(reach, strips))
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
    const Reach reach = find_reach(whole);
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

/* ---- a picture that continues periodically ---- */

/* Its last rows, all of them, and its first ones. */
typedef struct Periodic {
    RowSource source; /* first, so that a RowSource is ours */
    RowSource *once;
    size_t around, next;
    Image *head, *tail;
} Periodic;

/* The last rows are behind all others. */
static Status find_tail(Periodic *periodic) {
    const size_t height = periodic->once->shape.height, around = periodic->around;
    for (size_t left = height, count; left > 0; left -= count) {
        count = left >= 2 * around || left == around ? around : left - around;
        const ImageView rows = view_crop(periodic->tail->view, 0, 0, periodic->once->shape.width, count);
        TRY(periodic->once->read(periodic->once, rows));
    }
    return periodic->once->rewind(periodic->once);
}

/* Rows that lie in one of the three, as many as `rows` has at most; *count of them. */
static Status read_piece(Periodic *periodic, ImageView rows, size_t *count) {
    const size_t around = periodic->around, height = periodic->once->shape.height, at = periodic->next;
    const size_t begin = at < around ? 0 : at < around + height ? around : around + height;
    const size_t end = at < around ? around : at < around + height ? around + height : 2 * around + height;
    *count = end - at < rows.shape.height ? end - at : rows.shape.height;
    rows.shape.height = *count;
    periodic->next += *count;
    if (begin != around) {
        const Image *edge = begin == 0 ? periodic->tail : periodic->head;
        view_copy(view_crop(edge->view, 0, at - begin, rows.shape.width, *count), rows);
        return STATUS_OK;
    }
    TRY(periodic->once->read(periodic->once, rows));
    for (size_t y = 0; y < *count && at - begin + y < around; y++)
        memcpy(view_row(periodic->head->view, at - begin + y), view_row(rows, y), shape_row_bytes(rows.shape));
    return STATUS_OK;
}

static Status read_periodic(RowSource *source, ImageView rows) {
    for (size_t y = 0, count; y < rows.shape.height; y += count)
        TRY(read_piece((Periodic *)source, view_crop(rows, 0, y, rows.shape.width, rows.shape.height - y), &count));
    return STATUS_OK;
}

static Status rewind_periodic(RowSource *source) {
    Periodic *periodic = (Periodic *)source;
    periodic->next = 0;
    return periodic->once->rewind(periodic->once);
}

static Status periodic_begin(Periodic *periodic, RowSource *once, size_t around) {
    Shape shape = once->shape;
    *periodic =
        (Periodic){.source = {.shape = shape, .timed = once->timed, .read = read_periodic, .rewind = rewind_periodic},
                   .once = once,
                   .around = around};
    periodic->source.shape.height += 2 * around;
    shape.height = around;
    TRY(image_create_unfilled(shape, &periodic->head));
    TRY(image_create_unfilled(shape, &periodic->tail));
    return find_tail(periodic);
}

static void periodic_end(Periodic *periodic) {
    image_destroy(&periodic->head);
    image_destroy(&periodic->tail);
}

/* ---- the loop ---- */

typedef struct Run {
    const Strips *strips;
    Pipeline *pipeline;
    RowSource *from;
    RowSink *to;
    Spans *spans;
    Image *window;             /* rows of the picture, `begin` to before `end`; unless it lies in memory */
    size_t begin, end;         /* of these rows */
    Image *made;               /* rows of the result, unless that does */
    bool gathers;              /* the pass under way looks for what parts come to */
    Image *gathered[PLAN_MAX]; /* by the pass: of the parts that it has seen; NULL: of none */
} Run;

/* Rows of the picture: of those that lie in the strip the ones that it makes, `from` to before `to`. */
typedef struct Strip {
    size_t number, from, to;
    size_t tops[PLAN_BANDS + 1]; /* the first of each band */
    ptrdiff_t before, after;     /* where its neighbours' begin; negative: there is none */
} Strip;

/* Rows up to this one that no strip needs. */
static Status pass_over(Run *run, size_t first) {
    const double start = clock_ms();
    const bool passes = run->end < first;
    while (run->end < first) {
        if (interrupted())
            return fail(STATUS_INTERRUPTED, "interrupted");
        const size_t left = first - run->end, most = run->window->view.shape.height, count = left < most ? left : most;
        TRY(run->from->read(run->from, view_crop(run->window->view, 0, 0, run->from->shape.width, count)));
        run->end += count;
    }
    if (passes && !run->from->timed)
        spans_add(run->spans, "decode", start, clock_ms());
    return STATUS_OK;
}

/* The strip that begins at row `first`: what the one before it had, too, is there. */
static Status fetch(Run *run, size_t first, ImageView *rows) {
    const size_t width = run->from->shape.width, count = run->strips->rows;
    if (run->from->all) {
        *rows = view_crop(*run->from->all, 0, first, width, count);
        return STATUS_OK;
    }
    TRY(pass_over(run, first));
    const size_t kept = run->end - first;
    *rows = run->window->view;
    if (kept > 0)
        memmove(rows->pixels, view_row(*rows, first - run->begin), kept * rows->stride);
    run->begin = first;
    run->end = first + count;
    const double start = clock_ms();
    if (kept < count) /* many rows may be made of the same few */
        TRY(run->from->read(run->from, view_crop(*rows, 0, kept, width, count - kept)));
    if (!run->from->timed)
        spans_add(run->spans, "decode", start, clock_ms());
    return STATUS_OK;
}

static Status upload(Run *run, size_t first) {
    Pipeline *pipeline = run->pipeline;
    const Plan *plan = pipeline_plan(pipeline);
    ImageView rows;
    TRY(fetch(run, first, &rows));
    const double start = clock_ms();
    TRY(pipeline_upload(pipeline, PIPELINE_PICTURE, rows));
    for (size_t i = PIPELINE_PICTURE + 1; i < plan_source_count(plan); i++) {
        if (plan_source_is_table(plan, i)) /* it is there as a whole */
            continue;
        const ImageView image = plan_source_image(plan, i)->view;
        TRY(pipeline_upload(pipeline, i, view_crop(image, 0, first, image.shape.width, run->strips->rows)));
    }
    spans_add(run->spans, "upload", start, clock_ms());
    return STATUS_OK;
}

/* Copies and levels that somebody stopped leave rows as they were. */
static Status check_stopped(const Run *run) {
    return queue_stops(pipeline_queue(run->pipeline)) ? fail(STATUS_INTERRUPTED, "interrupted") : STATUS_OK;
}

/* Where what the stage is given lies in the picture. */
static void place(Run *run, size_t index, const Strip *strip) {
    const Plan *plan = pipeline_plan(run->pipeline);
    const PlanStage *planned = &pipeline_stages(run->pipeline)[index].planned;
    const OpParts *parts = op_parts(planned->stage.op);
    if (!parts->place)
        return;
    const size_t to = plan_value_band(plan, planned->to);
    const size_t from = planned->from[0] == PLAN_NONE ? to : plan_value_band(plan, planned->from[0]);
    const PartPlace part = {.top = strip->tops[to],
                            .rows = run->strips->bands[to],
                            .from = strip->tops[from],
                            .before = strip->before,
                            .after = strip->after,
                            .margin = find_margin(plan, planned)};
    if (!parts->cut || from != to)
        parts->place(pipeline_job(run->pipeline, index), &part);
}

/* What parts are added to has only the rows that each part makes. */
static Stage crop_stage(Run *run, size_t index, const Strip *strip) {
    Stage stage = *pipeline_stage(run->pipeline, index);
    const size_t above = strip->from - strip->tops[0], rows = strip->to - strip->from;
    const PartPlace part = {.top = strip->from, .rows = rows, .from = strip->from, .before = -1, .after = -1};
    for (int k = 0; k < STAGE_INPUTS; k++)
        if (stage.in[k].pixels)
            stage.in[k] = view_crop(stage.in[k], 0, above, stage.in[k].shape.width, rows);
    if (op_parts(stage.op)->place)
        op_parts(stage.op)->place(pipeline_job(run->pipeline, index), &part);
    return stage;
}

static Status add_part(Run *run, const OpParts *parts, const Strip *strip, Image *part, Image **gathered) {
    if (parts->stitch && !*gathered)
        TRY(image_create(table_shape(run->strips, part->view.shape), gathered));
    if (parts->stitch)
        parts->stitch((*gathered)->view, strip->number, part->view);
    else if (*gathered)
        parts->join((*gathered)->view, part->view);
    else
        *gathered = image_retain(part);
    return STATUS_OK;
}

/* What the strip tells of the picture, by a stage whose inputs are there. */
static Status gather(Run *run, size_t pass, size_t index, const Strip *strip) {
    const Stage stage = op_parts(pipeline_stage(run->pipeline, index)->op)->stitch
                            ? *pipeline_stage(run->pipeline, index)
                            : crop_stage(run, index, strip);
    Queue *queue = pipeline_queue(run->pipeline);
    Image *part = NULL;
    TRY(image_create_unfilled(stage.out.shape, &part));
    Status status = level_run(pipeline_level(run->pipeline, index), queue, &stage);
    if (status == STATUS_OK)
        status = queue->device->backend->download(queue, stage.out, part->view);
    if (status == STATUS_OK)
        status = check_stopped(run);
    if (status == STATUS_OK)
        status = add_part(run, op_parts(stage.op), strip, part, &run->gathered[pass]);
    image_destroy(&part);
    return status;
}

/* What all parts came to in a pass goes where the stage would put it: that which is of this strip. */
static Status give_back(Run *run, size_t pass, size_t index, const Strip *strip) {
    const Stage *stage = pipeline_stage(run->pipeline, index);
    const Shape out = stage->out.shape;
    if (!op_parts(stage->op)->stitch)
        return STATUS_OK;
    const ImageView rows =
        view_crop(run->gathered[pass]->view, 0, strip->number * out.height / 2, out.width, out.height);
    return pipeline_device(run->pipeline)->backend->upload(pipeline_queue(run->pipeline), rows, stage->out);
}

/* The stage that makes what pass number `pass` gathers, or the end of all stages. */
static size_t find_gathering(const Pipeline *pipeline, size_t pass) {
    size_t index = 0;
    for (; index < pipeline_stage_count(pipeline); index++)
        if (stage_gathers(pipeline_stage(pipeline, index)) && pass-- == 0)
            break;
    return index;
}

/* The stages up to the one of this pass, by one strip; what passes before it have gathered is known. */
static Status run_stages(Run *run, size_t pass, const Strip *strip) {
    size_t next = 0;
    if (!strips_are_cut(run->strips))
        return pipeline_run(run->pipeline, run->spans);
    for (size_t index = 0; index < pipeline_stage_count(run->pipeline); index++)
        place(run, index, strip);
    for (size_t before = 0; before <= pass; before++) {
        const size_t end = find_gathering(run->pipeline, before);
        TRY(pipeline_run_stages(run->pipeline, next, end, run->spans));
        if (before < pass)
            TRY(give_back(run, before, end, strip));
        next = end + 1;
    }
    return STATUS_OK;
}

/* Rows of the result behind those that are there already. */
static Status deliver(Run *run, const Strip *strip) {
    const Plan *plan = pipeline_plan(run->pipeline);
    const size_t from = strip->from, to = strip->to, first = strip->tops[plan_value_band(plan, plan_result(plan))];
    const ImageView all = run->to->all ? *run->to->all : run->made->view;
    const ImageView rows = view_crop(all, 0, run->to->all ? from - run->strips->around : 0, all.shape.width, to - from);
    const double start = clock_ms();
    TRY(pipeline_download_rows(run->pipeline, from - first, rows));
    TRY(check_stopped(run));
    const double downloaded = clock_ms();
    spans_add(run->spans, "download", start, downloaded);
    if (run->to->all)
        return STATUS_OK;
    TRY(run->to->write(run->to, rows));
    spans_add(run->spans, "encode", downloaded, clock_ms());
    return STATUS_OK;
}

static Status run_strip(Run *run, size_t pass, const Strip *strip) {
    if (!run->from->all && interrupted())
        return fail(STATUS_INTERRUPTED, "interrupted");
    TRY(upload(run, strip->tops[0]));
    TRY(run_stages(run, pass, strip));
    return run->gathers ? gather(run, pass, find_gathering(run->pipeline, pass), strip) : deliver(run, strip);
}

static Status run_strips(Run *run, size_t pass) {
    const Strips *strips = run->strips;
    if (!strips_are_cut(strips))
        return run_strip(run, 0, &(Strip){.to = pipeline_result_shape(run->pipeline).height});
    const size_t around = strips->around, height = strips->height + around;
    const size_t last = height + around - strips->made, advance = strip_advance(strips);
    const Reach reach = find_reach(plan_whole(pipeline_plan(run->pipeline)));
    Strip strip = {.from = around, .before = -1};
    for (size_t top = 0, next; strip.from < height; strip.number++, strip.from = strip.to, top = next) {
        const size_t end = top == last ? height : top + strips->made - strips->halo;
        next = top + advance < last ? top + advance : last;
        find_tops(&reach, strips, 0, top, strip.tops);
        strip.to = end < height ? end : height;
        strip.after = top == last ? -1 : (ptrdiff_t)next;
        TRY(run_strip(run, pass, &strip));
        strip.before = (ptrdiff_t)top;
    }
    return run->from->all ? STATUS_OK : pass_over(run, run->from->shape.height); /* its end tells whether it is whole */
}

/* All parts have been gathered: what they come to as one goes where its stage would put it. */
static Status settle(Run *run, size_t index, Image **gathered) {
    const Stage *stage = pipeline_stage(run->pipeline, index);
    Queue *queue = pipeline_queue(run->pipeline);
    if (!*gathered)
        return STATUS_OK;
    if (op_parts(stage->op)->stitch) {
        op_parts(stage->op)->settle((*gathered)->view);
        return STATUS_OK;
    }
    Status status = queue->device->backend->upload(queue, (*gathered)->view, stage->out);
    if (status == STATUS_OK)
        status = queue->device->backend->sync(queue);
    image_destroy(gathered);
    return status;
}

static Status run_pass(Run *run, size_t pass) {
    if (pass > 0)
        TRY(run->from->rewind(run->from));
    run->begin = run->end = 0;
    run->gathers = pass + 1 < run->strips->passes;
    TRY(run_strips(run, pass));
    return run->gathers ? settle(run, find_gathering(run->pipeline, pass), &run->gathered[pass]) : STATUS_OK;
}

/* ---- a picture that is not cut, through memory that the device copies by itself ---- */

static const Staging *staging_of(const Run *run) {
    return pipeline_device(run->pipeline)->backend->staging;
}

/* How many rows from `y` on a piece holds. */
static size_t rows_at_once(const Run *run, Shape shape, size_t y) {
    const size_t most = staging_of(run)->bytes / shape_row_bytes(shape), left = shape.height - y;
    return left < most ? left : most;
}

/* Rows as they lie in a piece. */
static ImageView packed(Shape shape, size_t count, void *memory) {
    shape.height = count;
    return (ImageView){shape, shape_row_bytes(shape), memory};
}

bool strips_pass_staged(const Strips *strips, const Backend *backend, Shape result) {
    const Staging *staging = backend->staging;
    return staging && !strips_are_cut(strips) && shape_row_bytes(strips->picture) <= staging->bytes &&
           shape_row_bytes(result) <= staging->bytes;
}

/* While the device copies a piece, the next is read. */
static Status send_rows(Run *run) {
    const Staging *staging = staging_of(run);
    Queue *queue = pipeline_queue(run->pipeline);
    const Frame frame = pipeline_fill(run->pipeline, PIPELINE_PICTURE);
    int turn = 0;
    for (size_t y = 0, count; y < frame.shape.height; turn ^= 1, y += count) {
        void *memory;
        count = rows_at_once(run, frame.shape, y);
        if (interrupted())
            return fail(STATUS_INTERRUPTED, "interrupted");
        const double start = clock_ms();
        TRY(staging->take(queue, turn, &memory));
        const double taken = clock_ms();
        TRY(run->from->read(run->from, packed(frame.shape, count, memory)));
        const double read = clock_ms();
        if (frame.pixels)
            TRY(staging->send(queue, turn, view_crop(frame, 0, y, frame.shape.width, count)));
        spans_add(run->spans, "upload", start, taken);
        if (!run->from->timed)
            spans_add(run->spans, "decode", taken, read);
        spans_add(run->spans, "upload", read, clock_ms());
    }
    return STATUS_OK;
}

/* While a piece is written, the device copies the next. */
static Status receive_rows(Run *run) {
    const Staging *staging = staging_of(run);
    Queue *queue = pipeline_queue(run->pipeline);
    const Frame frame = pipeline_result(run->pipeline);
    const size_t width = frame.shape.width, height = frame.shape.height;
    size_t count = rows_at_once(run, frame.shape, 0), next = 0;
    int turn = 0;
    TRY(staging->receive(queue, view_crop(frame, 0, 0, width, count), turn));
    for (size_t y = 0; y < height; turn ^= 1, y += count, count = next) {
        const size_t end = y + count;
        void *memory;
        const double start = clock_ms();
        next = rows_at_once(run, frame.shape, end);
        if (next > 0)
            TRY(staging->receive(queue, view_crop(frame, 0, end, width, next), turn ^ 1));
        TRY(staging->take(queue, turn, &memory));
        const double taken = clock_ms();
        TRY(run->to->write(run->to, packed(frame.shape, count, memory)));
        spans_add(run->spans, "download", start, taken);
        spans_add(run->spans, "encode", taken, clock_ms());
    }
    return STATUS_OK;
}

static Status run_staged(Run *run) {
    TRY(send_rows(run));
    TRY(pipeline_run(run->pipeline, run->spans));
    return receive_rows(run);
}

/* ---- a picture that is not cut, on the host ---- */

enum { ROWS_AT_ONCE = 256 }; /* between looks for a signal */

static Status read_rows(Run *run, ImageView rows) {
    return run->from->read(run->from, rows);
}

static Status write_rows(Run *run, ImageView rows) {
    return run->to->write(run->to, rows);
}

/* All rows of `view`, as the span `name`, or without one. */
static Status pass_all(Run *run, ImageView view, Status (*pass)(Run *run, ImageView rows), const char *name) {
    const size_t height = view.shape.height;
    const double start = clock_ms();
    for (size_t y = 0, count; y < height; y += count) {
        count = height - y < ROWS_AT_ONCE ? height - y : ROWS_AT_ONCE;
        if (interrupted())
            return fail(STATUS_INTERRUPTED, "interrupted");
        TRY(pass(run, view_crop(view, 0, y, view.shape.width, count)));
    }
    if (name)
        spans_add(run->spans, name, start, clock_ms());
    return STATUS_OK;
}

/* Levels read and write it where it lies. */
static Status run_whole(Run *run) {
    TRY(image_create_unfilled(run->from->shape, &run->window));
    TRY(pass_all(run, run->window->view, read_rows, run->from->timed ? NULL : "decode"));
    TRY(image_create_unfilled(pipeline_result_shape(run->pipeline), &run->made));
    TRY(pipeline_process(run->pipeline, run->window->view, run->made->view, run->spans));
    image_destroy(&run->window);
    return pass_all(run, run->made->view, write_rows, "encode");
}

/* ---- all passes ---- */

static Status run_passes(Run *run) {
    Shape strip = run->from->shape, made = pipeline_result_shape(run->pipeline);
    strip.height = run->strips->rows;
    if (!run->from->all)
        TRY(image_create_unfilled(strip, &run->window));
    if (!run->to->all)
        TRY(image_create_unfilled(made, &run->made));
    for (size_t pass = 0; pass < run->strips->passes; pass++)
        TRY(run_pass(run, pass));
    return STATUS_OK;
}

Status strips_run(const Strips *strips, Pipeline *pipeline, RowSource *from, RowSink *to, Spans *spans) {
    Periodic periodic = {.once = NULL};
    Run run = {.strips = strips, .pipeline = pipeline, .from = from, .to = to, .spans = spans};
    Status status = STATUS_OK;
    if (!from->all && !to->all &&
        strips_pass_staged(strips, pipeline_device(pipeline)->backend, pipeline_result_shape(pipeline)))
        return run_staged(&run);
    if (strips->around > 0) {
        status = periodic_begin(&periodic, from, strips->around);
        run.from = &periodic.source;
    }
    const bool whole = !from->all && !to->all && !strips_are_cut(strips) && strips->around == 0 &&
                       pipeline_device(pipeline)->backend->host_frames;
    if (status == STATUS_OK)
        status = whole ? run_whole(&run) : run_passes(&run);
    image_destroy(&run.window);
    image_destroy(&run.made);
    for (size_t pass = 0; pass < strips->passes; pass++)
        image_destroy(&run.gathered[pass]);
    periodic_end(&periodic);
    return status;
}

Status strips_process(const Strips *strips, Pipeline *pipeline, ImageView in, ImageView out, Spans *spans) {
    ViewSource from;
    RowSink to = {.shape = out.shape, .all = &out};
    if (!strips_are_cut(strips))
        return pipeline_process(pipeline, in, out, spans);
    view_source_init(&from, in);
    return strips_run(strips, pipeline, &from.source, &to, spans);
}
