/* near.c: choosing a part, the input that it needs, and making it. */
#include "app/view/session/near.h"
#include "app/view/session/front.h"

#include "core/base/stop.h"
#include "core/ops/move.h"
#include "core/plan/plan_cut.h"
#include "core/plan/plan_part.h"
#include "core/stage/op_parts.h"

#include <math.h>
#include <stdint.h>

#define NEAR_MS   250.0 /* that the first part takes */
#define LARGEST   0.35  /* of the picture: a larger part waits for the run itself */
#define SMALLEST  32.0  /* pixels a side */
#define AT_ONCE   1.2   /* with the surroundings that it needs, the first part may take so many times as long; */
#define SMALL_ONE 1.6   /* the smallest one, */
#define LONGEST   4.0   /* and all that is seen behind it, so many times */
#define MOST      0.5   /* of the picture, with the surroundings */

#define PATIENCE 1.5 /* so many times as long, on a device without a clock */

enum { STEPS = 2 };

static double pixels_of(Region region) {
    return (double)region.width * (double)region.height;
}

static bool same_region(Region a, Region b) {
    return a.left == b.left && a.top == b.top && a.width == b.width && a.height == b.height;
}

/* ---- the input of a part ---- */

static Region join(Region a, Region b) {
    if (a.width == 0)
        return b;
    const ptrdiff_t left = a.left < b.left ? a.left : b.left, top = a.top < b.top ? a.top : b.top;
    const ptrdiff_t right_a = a.left + (ptrdiff_t)a.width, right_b = b.left + (ptrdiff_t)b.width;
    const ptrdiff_t end_a = a.top + (ptrdiff_t)a.height, end_b = b.top + (ptrdiff_t)b.height;
    return (Region){left, top, (size_t)((right_a > right_b ? right_a : right_b) - left),
                    (size_t)((end_a > end_b ? end_a : end_b) - top)};
}

/* The part that lies within a picture of this shape. */
static Region clip(Region region, Shape shape) {
    const ptrdiff_t left = region.left > 0 ? region.left : 0, top = region.top > 0 ? region.top : 0;
    const ptrdiff_t right = region.left + (ptrdiff_t)region.width, end = region.top + (ptrdiff_t)region.height;
    const ptrdiff_t wide = (ptrdiff_t)shape.width, high = (ptrdiff_t)shape.height;
    return (Region){left, top, (size_t)((right < wide ? right : wide) - left),
                    (size_t)((end < high ? end : high) - top)};
}

static bool same_size(Shape a, Shape b) {
    return a.width == b.width && a.height == b.height;
}

/* Whether a stage's pixels follow from their surroundings, wherever those lie. */
static bool is_local(const Stage *stage) {
    const OpParts *parts = op_parts(stage->op);
    return stage->op->needs && !stage->op->origin && !parts->join && !parts->stitch && !parts->cut && !parts->place;
}

/* Whether a value can be read in part: one that was made, the picture, and images of its size, as masks. */
static bool has_parts(const Plan *plan, int value, Shape picture) {
    const int source = plan_value_source(plan, value);
    const Image *image = source > 0 ? plan_source_image(plan, (size_t)source) : NULL;
    return same_size(plan_value_shape(plan, value), picture) && (!image || same_size(image->view.shape, picture));
}

/* Adds the part of a stage's inputs that this part of its result needs. False where its job knows places, or where it
 * reads pictures of other sizes. */
static bool add_needs(const Plan *plan, const PlanStage *planned, Shape picture, Region *regions) {
    const Stage *stage = &planned->stage;
    Shape in[STAGE_INPUTS];
    if (!is_local(stage) || !same_size(stage->out.shape, picture))
        return false;
    for (int k = 0; k < STAGE_INPUTS; k++)
        in[k] = stage->in[k].shape;
    for (int k = 0; k < STAGE_INPUTS && planned->from[k] != PLAN_NONE; k++) {
        const int value = planned->from[k], source = plan_value_source(plan, value);
        if (source > 0 && plan_source_is_table(plan, (size_t)source))
            continue;
        if (!has_parts(plan, value, picture))
            return false;
        const Region needed = stage->op->needs(stage->job, k, regions[planned->to], in);
        regions[value] = join(regions[value], clip(needed, picture));
    }
    return true;
}

/* The part of the picture that this part of the result needs; false if the plan cannot be carried out on it alone. */
static bool find_needs(const Plan *plan, Region part, Region *needed) {
    const int picture = plan_source_value(plan, 0), result = plan_result(plan);
    Region regions[PLAN_VALUES] = {0};
    bool local = plan_options(plan)->border.mode != BORDER_WRAP && plan_stage_count(plan) > 0;
    regions[result] = part;
    for (size_t i = plan_stage_count(plan); local && i-- > 0;)
        if (regions[plan_stage(plan, i)->to].width > 0)
            local = add_needs(plan, plan_stage(plan, i), plan_value_shape(plan, picture), regions);
    *needed = regions[picture];
    return local && needed->width > 0;
}

/* ---- crops ---- */

/* The pixels that a part is made of, and where the result's corner lies in them. */
typedef struct Input {
    ImageView from;
    ptrdiff_t left, top;
} Input;

static Region moved(Region region, ptrdiff_t right, ptrdiff_t down) {
    region.left += right;
    region.top += down;
    return region;
}

/* Whether the stages from `first` to before `end` look at no neighbours. */
static bool are_points(const Plan *plan, size_t first, size_t end) {
    bool all = true;
    for (size_t i = first; i < end; i++)
        all &= plan_stage(plan, i)->stage.op->of_points;
    return all;
}

static bool is_crop(const Stage *stage) {
    const MoveJob *job = stage->op == &op_move ? move_job(stage) : NULL;
    const Shape in = stage->in[0].shape;
    return job && !job->transpose && !job->mirror_x && !job->mirror_y && job->left >= 0 && job->top >= 0 &&
           (size_t)job->left + job->width <= in.width && (size_t)job->top + job->height <= in.height;
}

/* Leaves the first crop out. Where stages look at neighbours only behind it, the picture is cropped instead; where they
 * do so only in front of it, the result. Else the crop stays, and the plan has no parts. */
static Status leave_crop(Plan *plan, Input *input) {
    const size_t count = plan_stage_count(plan);
    size_t at = 0;
    while (at < count && !is_crop(&plan_stage(plan, at)->stage))
        at++;
    if (at == count || !(are_points(plan, 0, at) || are_points(plan, at + 1, count)))
        return STATUS_OK;
    const MoveJob job = *move_job(&plan_stage(plan, at)->stage);
    if (are_points(plan, 0, at)) {
        input->from = view_crop(input->from, (size_t)job.left, (size_t)job.top, job.width, job.height);
    } else {
        input->left = job.left;
        input->top = job.top;
    }
    plan_skip(plan, at);
    return plan_resize(plan, input->from.shape.width, input->from.shape.height);
}

/* The plan of what is to be done, each step a stage, and what with; for a session whose front was found. */
static Status plan_steps(const Session *session, ImageView from, Input *input, Plan **plan) {
    *input = (Input){.from = from};
    TRY(front_plan(session, plan));
    const Status status = leave_crop(*plan, input);
    if (status != STATUS_OK)
        plan_destroy(plan);
    return status;
}

/* ---- the choice ---- */

/* So many pixels of the region's middle, in its proportions. */
static Region middle_of(Region seen, double pixels) {
    const double share = sqrt(fmin(pixels / pixels_of(seen), 1));
    const size_t width = (size_t)fmin(fmax(share * (double)seen.width, SMALLEST), (double)seen.width);
    const size_t height = (size_t)fmin(fmax(share * (double)seen.height, SMALLEST), (double)seen.height);
    return (Region){seen.left + (ptrdiff_t)(seen.width - width) / 2, seen.top + (ptrdiff_t)(seen.height - height) / 2,
                    width, height};
}

/* The pixels that are made in NEAR_MS. */
static double pixels_at_once(const Near *near, const Sight *sight) {
    const double all = (double)near->result.width * (double)near->result.height;
    return all * NEAR_MS / fmax(sight->expected_ms, 1);
}

/* The next part; false if there is none. */
static bool choose(const Near *near, const Sight *sight, Region *part) {
    const double all = (double)near->result.width * (double)near->result.height;
    const double at_once = pixels_at_once(near, sight), seen = pixels_of(sight->seen);
    const bool whole = seen <= LARGEST * all;
    if (near->steps >= STEPS || sight->seen.width == 0 || (near->steps > 0 && !whole))
        return false;
    *part = sight->seen;
    if (near->steps == 0 && !(whole && seen <= AT_ONCE * at_once))
        *part = middle_of(sight->seen, fmin(at_once, LARGEST * all));
    return true;
}

/* The part's middle that takes so many pixels with its surroundings, which are as wide around it as around the part. */
static Region part_within(Region part, Region needed, double pixels) {
    const double across = (double)needed.width - (double)part.width, down = (double)needed.height - (double)part.height;
    const double half = ((double)part.width * down + (double)part.height * across) / 2;
    const double square = pixels_of(part), rest = across * down - pixels;
    const double scale = (sqrt(fmax(half * half - square * rest, 0)) - half) / square;
    return middle_of(part, square * fmax(scale, 0) * fmax(scale, 0));
}

/* Finds what the part needs. The first one becomes smaller where its surroundings take long. False if it takes too
 * long, or if the plan cannot be carried out on a part. */
static bool fit(const Near *near, const Sight *sight, const Plan *plan, Region *part, Region *needed) {
    const double all = (double)near->result.width * (double)near->result.height, most = MOST * all;
    const double at_once = pixels_at_once(near, sight);
    if (!find_needs(plan, *part, needed))
        return false;
    if (near->steps > 0)
        return pixels_of(*needed) <= fmin(most, LONGEST * at_once);
    if (pixels_of(*needed) > AT_ONCE * at_once) {
        *part = part_within(*part, *needed, at_once);
        (void)find_needs(plan, *part, needed);
    }
    return pixels_of(*needed) <= (sight->alone ? most : fmin(most, SMALL_ONE * at_once));
}

/* ---- making ---- */

/* The plan of a part, whose levels are those of the whole picture. */
static Status plan_of_part(const Session *session, ImageView from, Region needed, Input *input, Plan **plan) {
    Plan *whole;
    TRY(plan_steps(session, from, input, &whole));
    Status status = plan_steps(session, from, input, plan);
    if (status == STATUS_OK)
        status = plan_resize(*plan, needed.width, needed.height);
    if (status != STATUS_OK) {
        plan_destroy(&whole);
        plan_destroy(plan);
        return status;
    }
    plan_fuse(whole);
    plan_fuse(*plan);
    plan_keep_whole(*plan, whole);
    return STATUS_OK;
}

/* The parts of images that filters read besides. */
static Status upload_others(Pipeline *pipeline, Shape whole, Region needed) {
    const Plan *plan = pipeline_plan(pipeline);
    for (size_t i = PIPELINE_PICTURE + 1; i < plan_source_count(plan); i++) {
        const Image *image = plan_source_image(plan, i);
        if (image && !plan_source_is_table(plan, i) && same_size(image->view.shape, whole))
            TRY(pipeline_upload(
                pipeline, i,
                view_crop(image->view, (size_t)needed.left, (size_t)needed.top, needed.width, needed.height)));
    }
    return STATUS_OK;
}

static Status carry_out(const Session *session, ImageView from, Region needed, Image **made) {
    Spans unrecorded = {0};
    Pipeline *pipeline;
    Plan *plan = NULL;
    Input input;
    TRY(plan_of_part(session, from, needed, &input, &plan));
    TRY(pipeline_create(session->device, plan, front_level(session, plan), &pipeline));
    pipeline_queue(pipeline)->stop = session->stop;
    Status status = upload_others(pipeline, input.from.shape, needed);
    if (status == STATUS_OK)
        status = image_create_unfilled(pipeline_result_shape(pipeline), made);
    if (status == STATUS_OK)
        status = pipeline_process(
            pipeline, view_crop(input.from, (size_t)needed.left, (size_t)needed.top, needed.width, needed.height),
            (*made)->view, &unrecorded);
    pipeline_destroy(&pipeline);
    if (status != STATUS_OK)
        image_destroy(made);
    return status;
}

/* False if the chain has no parts, or if this one needs surroundings that are too large. */
static bool make(Session *session, const Sight *sight, Region *part) {
    Near *near = &session->near;
    const ImageView from = front_input(session);
    Region needed = {0};
    Image *made = NULL;
    Input input;
    Plan *plan;
    if (plan_steps(session, from, &input, &plan) != STATUS_OK)
        return false;
    *part = moved(*part, input.left, input.top);
    const bool fits = fit(near, sight, plan, part, &needed);
    plan_destroy(&plan);
    *part = moved(*part, -input.left, -input.top);
    if (!fits || carry_out(session, from, needed, &made) != STATUS_OK)
        return false;
    image_destroy(&near->image);
    near->image = made;
    near->made = moved(needed, -input.left, -input.top);
    near->part = *part;
    near->serial++;
    return true;
}

static bool near_possible(const Session *session) {
    const Subject *subject = session->subject;
    return session->stale && session->pipeline && subject && subject->picture && session->chain->count > 0 &&
           (session->device->backend->host_frames || !session_has_clock(session)) &&
           session->result_job != session->job_serial;
}

bool near_make(Session *session, const Sight *seen_at) {
    Near *near = &session->near;
    Sight at = *seen_at;
    const Sight *sight = &at;
    Region part;
    at.alone = !session_has_clock(session);
    if (at.alone)
        at.expected_ms /= PATIENCE;
    if (!near_possible(session))
        return false;
    if (near->of_job != session->job_serial)
        image_destroy(&near->image);
    if (near->of_job != session->job_serial || !same_region(near->seen, sight->seen)) {
        near->of_job = session->job_serial;
        near->seen = sight->seen;
        near->steps = 0;
        near->result = pipeline_result_shape(session->pipeline);
    }
    if (!choose(near, sight, &part))
        return false;
    const bool made = make(session, sight, &part);
    near->steps = made && !same_region(part, sight->seen) ? near->steps + 1 : STEPS;
    if (made)
        return true;
    if (atomic_load(&session->stop->asked))
        near->seen = (Region){0}; /* stopped, and due another time */
    return false;
}

const Near *near_shown(const Session *session) {
    const Near *near = &session->near;
    return session->stale && near->image && near->of_job > session->result_job ? near : NULL;
}

ImageView near_view(const Near *near) {
    ImageView view = near->image->view;
    const size_t pixel = shape_row_bytes((Shape){1, 1, view.shape.channels, view.shape.type});
    view.pixels = (void *)((uintptr_t)view.pixels - (uintptr_t)near->made.top * view.stride -
                           (uintptr_t)near->made.left * pixel); /* also where they are negative */
    view.shape = near->result;
    return view;
}
