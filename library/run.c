/* run.c: pictures of the caller's through a lane of a plan. Levels read and write them where they lie, if they take
 * such places; else frames of the lane's own are filled and emptied. */
#include "library/carry.h"
#include "library/plan.h"

typedef struct Run {
    GlintPlan *plan;
    Pipeline *pipeline;
    Carrier carrier;
    Pictures in, out;
    bool overlap; /* of pictures and results */
    int planes;   /* of a picture that pass one by one; 1: it passes as it is */
} Run;

static const Backend *backend_of(const Run *run) {
    return run->carrier.device->backend;
}

/* Whether each result lies where its picture does, value by value. */
static bool are_alike(const Pictures *in, const Pictures *out) {
    return in->begin == out->begin && in->end == out->end && in->picture == out->picture &&
           in->first.first == out->first.first && in->first.row == out->first.row &&
           in->first.pixel == out->first.pixel && in->first.channel == out->first.channel;
}

/* A result that lies where its picture was takes a copy: the picture is read to its end before. Others would be spoilt
 * for those that come later. */
static Status check_overlap(Run *run) {
    const Pictures *in = &run->in, *out = &run->out;
    run->overlap = in->on_device == out->on_device && in->begin < out->end && out->begin < in->end;
    return !run->overlap || run->plan->pictures == 1 || are_alike(in, out)
               ? STATUS_OK
               : fail(STATUS_USAGE, "out: results of a batch overlap pictures that are yet to be read");
}

static bool are_planes(Shape shape, const Pictures *pictures) {
    const ptrdiff_t value = (ptrdiff_t)pixel_type_size(shape.type);
    return shape.channels == 3 && pictures->first.pixel == value &&
           pictures->first.row >= (ptrdiff_t)shape.width * value;
}

/* The plan of single planes, if both ends have planes and it filters these as they lie; else NULL. */
static GlintPlan *choose_planes(const Run *run) {
    const bool apart = !run->overlap || are_alike(&run->in, &run->out);
    return apart && are_planes(run->plan->shape, &run->in) && are_planes(run->plan->result, &run->out)
               ? plan_of_planes(run->plan)
               : NULL;
}

/* ---- pictures that pass whole ---- */

static Status bring(Run *run, Places from) {
    const Frame own = pipeline_fill(run->pipeline, PIPELINE_PICTURE);
    return own.pixels ? carry_in(&run->carrier, &run->in, from, own) : STATUS_OK; /* else no stage reads it */
}

static Status run_whole(Run *run, Places from, Places to) {
    const bool borrows = pipeline_borrows(run->pipeline);
    Carrier *carrier = &run->carrier;
    Frame picture = {0}, result = {0};
    if (!borrows || !carry_lends(carrier, run->plan->shape, &run->in, from, &picture))
        TRY(bring(run, from));
    const bool lent = borrows && !run->overlap && carry_lends(carrier, run->plan->result, &run->out, to, &result);
    pipeline_borrow(run->pipeline, picture, result);
    const Status status = pipeline_enqueue(run->pipeline);
    pipeline_settle(run->pipeline);
    TRY(status);
    return lent || queue_stops(carrier->queue) ? STATUS_OK
                                               : carry_out(carrier, pipeline_result(run->pipeline), &run->out, to);
}

/* ---- in strips ---- */

/* The places as a view, or a picture of them that is freed by the caller. */
static Status view_of(Run *run, Shape shape, Places places, bool copy, ImageView *view, Image **packed) {
    *packed = NULL;
    if (!copy && places_are_view(shape, places, view))
        return STATUS_OK;
    TRY(image_create_unfilled(shape, packed));
    *view = (*packed)->view;
    run->carrier.copied.rearranged += shape_bytes(shape);
    return STATUS_OK;
}

static Status run_strips(Run *run, Places from, Places to) {
    const GlintPlan *plan = run->plan;
    Image *in_packed, *out_packed = NULL;
    ImageView in, out;
    Spans spans = {0};
    if (run->in.on_device || run->out.on_device)
        return fail(STATUS_DEVICE,
                    "%zu x %zu pixels pass %s in parts: they are more than half of its memory holds at "
                    "once; want pixels in the host's memory",
                    plan->shape.width, plan->shape.height, run->carrier.device->name);
    TRY(view_of(run, plan->shape, from, false, &in, &in_packed));
    if (in_packed)
        places_copy(plan->shape, from, places_of(in));
    Status status = view_of(run, plan->result, to, run->overlap, &out, &out_packed);
    if (status == STATUS_OK)
        status = strips_process(&plan->strips, run->pipeline, in, out, &spans);
    if (status == STATUS_OK && out_packed)
        places_copy(plan->result, places_of(out), to);
    if (!backend_of(run)->host_frames) {
        run->carrier.copied.to_device += plan->strips.passes * shape_bytes(plan->shape);
        run->carrier.copied.from_device += shape_bytes(plan->result);
    }
    image_destroy(&in_packed);
    image_destroy(&out_packed);
    return status;
}

/* ---- all pictures ---- */

/* A plane, or a picture, after the other. */
static Status run_planes(Run *run, Places from, Places to) {
    Status status = STATUS_OK;
    for (int c = 0; c < run->planes && status == STATUS_OK; c++)
        status = run_whole(run, places_settle(run->plan->shape, places_from(from, 0, c)),
                           places_settle(run->plan->result, places_from(to, 0, c)));
    return status;
}

static Status run_pictures(Run *run, size_t pictures, const GlintStream *stream) {
    const Guests *guests = backend_of(run)->guests;
    Status status = stream         ? guests->join(run->carrier.queue, stream->stream)
                    : guests->stay ? guests->stay(run->carrier.queue)
                                   : STATUS_OK;
    for (size_t i = 0; i < pictures && status == STATUS_OK && !queue_stops(run->carrier.queue); i++) {
        const Places from = library_picture(&run->in, i), to = library_picture(&run->out, i);
        status = strips_are_cut(&run->plan->strips) ? run_strips(run, from, to) : run_planes(run, from, to);
    }
    if (stream) {
        const Status parted = guests->part(run->carrier.queue);
        if (status == STATUS_OK)
            return parted;
    }
    /* Pixels are the caller's again, also after a failure. */
    const Status ended = backend_of(run)->sync(run->carrier.queue);
    status = status == STATUS_OK ? ended : status;
    return status == STATUS_OK && queue_stops(run->carrier.queue) ? fail(STATUS_INTERRUPTED, "the run was stopped")
                                                                  : status;
}

static Status run_plan(GlintPlan *plan, Run *run, const GlintStream *stream) {
    Lane *lane;
    run->plan = plan;
    run->carrier.device = plan->device->device;
    const Guests *guests = backend_of(run)->guests;
    if (stream && (!guests || !guests->join))
        return fail(STATUS_USAGE, "stream: the %s backend has no streams; want NULL", backend_of(run)->name);
    TRY(carry_check(&run->carrier, "in", &run->in));
    TRY(carry_check(&run->carrier, "out", &run->out));
    TRY(check_overlap(run));
    GlintPlan *planes = choose_planes(run);
    run->planes = planes ? plan->shape.channels : 1;
    run->plan = planes ? planes : plan;
    run->carrier.copied.runs = 1;
    TRY(plan_take(run->plan, &lane));
    run->pipeline = lane->pipeline;
    run->carrier.queue = pipeline_queue(lane->pipeline);
    const Status status = run_pictures(run, plan->pictures, stream);
    plan_leave(run->plan, lane);
    plan_count(plan, &run->carrier.copied);
    return status;
}

static Status run_pixels(GlintPlan *plan, const GlintPixels *in, const GlintPixels *out, const GlintStream *stream) {
    Run made = {0};
    const Status alive = library_alive("plan", plan, plan ? plan->life : 0);
    if (!plan || alive != STATUS_OK)
        return alive;
    TRY(library_pictures("in", plan->shape, plan->pictures, in, false, &made.in));
    TRY(library_pictures("out", plan->result, plan->pictures, out, true, &made.out));
    const Entered entered = library_enter(plan->device);
    const Status status = run_plan(plan, &made, stream);
    library_leave(entered);
    return status;
}

GlintStatus glint_run(GlintPlan *plan, const GlintPixels *in, const GlintPixels *out, const GlintStream *stream,
                      GlintError *error) {
    return library_settle(run_pixels(plan, in, out, stream), error);
}

Status plan_run_views(GlintPlan *plan, ImageView in, ImageView out) {
    Run made = {.in = {.first = places_of(in)}, .out = {.first = places_of(out)}};
    return run_plan(plan, &made, NULL);
}
