/* inspector.c: which values a stage reads, and where they come from. */
#include "app/view/tools/inspector.h"

#include "app/view/session/viewer.h"

#include <stdio.h>
#include <string.h>

enum { OUT = STAGE_INPUTS }; /* the place of a stage's result, behind its inputs */

/* The facts that an inspection follows from. */
typedef struct Inspected {
    unsigned job, result; /* serials */
    size_t stage, x, y;
    int channel;
} Inspected;

typedef struct Inspector {
    InspectorView seen;
    size_t stage; /* that was picked; else one that is not there: that with the most arithmetic */
    /* facts about the chain, by the session's job_serial */
    unsigned of_job;
    bool needs_ahead; /* the shown stage reads or makes values that only Session.ahead has */
    Inspected of;     /* that the inspection was made for: it is not made again at each draw */
    double after[4];  /* room for the result, as stored, of this pixel: */
    size_t after_x, after_y;
    Shape after_shape;
} Inspector;

static Inspector *inspector_of(const Viewer *viewer) {
    return tool_of(viewer, &inspector_tool);
}

static const PlanStage *shown_stage(const Inspector *inspector) {
    const Plan *plan = inspector->seen.plan;
    return plan && inspector->seen.shown_stage < plan_stage_count(plan) ? plan_stage(plan, inspector->seen.shown_stage)
                                                                        : NULL;
}

/* The value of the plan at a place of the stage, or PLAN_NONE. */
static int value_at(const PlanStage *planned, int place) {
    return place == OUT ? planned->to : planned->from[place];
}

/* ---- the plan ---- */

/* A stage for each step: fused stages give the same values, but hide those between. */
static Status make_plan(const Session *session, Plan **plan) {
    PlanOptions options = request_options(session->request, session->subject);
    options.unfused = true;
    if (session->pipeline)
        options.choice = plan_options(pipeline_plan(session->pipeline))->choice;
    const Chain chain = session_carried(session);
    return chain_plan(&chain, session_picture(session)->view.shape, options, plan);
}

/* Whether the pixels of a value lie here anyway: the picture's, an image's that filters read, the result's. */
static bool is_here(const Plan *plan, int value) {
    const int source = value == PLAN_NONE ? PLAN_NONE : plan_value_source(plan, value);
    return value == PLAN_NONE || value == plan_result(plan) || source == PIPELINE_PICTURE ||
           (source != PLAN_NONE && plan_source_image(plan, (size_t)source));
}

static void choose_stage(Inspector *inspector) {
    const size_t count = plan_stage_count(inspector->seen.plan);
    inspector->seen.shown_stage = inspector->stage < count ? inspector->stage : plan_main_stage(inspector->seen.plan);
    const PlanStage *planned = shown_stage(inspector);
    inspector->needs_ahead = false;
    for (int place = 0; planned && inspect_knows(planned->stage.op) && place <= OUT; place++)
        inspector->needs_ahead |= !is_here(inspector->seen.plan, value_at(planned, place));
}

/* Follows the session's job. */
static void follow_job(Viewer *viewer) {
    Inspector *inspector = inspector_of(viewer);
    if (inspector->seen.plan && inspector->of_job == viewer->session->job_serial)
        return;
    plan_destroy(&inspector->seen.plan);
    inspector->of_job = viewer->session->job_serial;
    if (!viewer_picture(viewer) || make_plan(viewer->session, &inspector->seen.plan) != STATUS_OK)
        inspector->seen.plan = NULL;
    else
        choose_stage(inspector);
}

/* ---- values ---- */

/* By a run up to the stage that makes it. */
static Status compute_value(const Session *session, int value, Image **image) {
    Plan *plan;
    Pipeline *pipeline;
    Spans spans = {0};
    TRY(make_plan(session, &plan));
    const size_t last = (size_t)plan_value_stage(plan, value);
    plan_set_result(plan, value);
    TRY(pipeline_create(session->device, plan, "best", &pipeline));
    pipeline_queue(pipeline)->stop = session->stop;
    Status status = pipeline_upload(pipeline, PIPELINE_PICTURE, session_picture(session)->view);
    if (status == STATUS_OK)
        status = pipeline_run_stages(pipeline, 0, last + 1, &spans);
    if (status == STATUS_OK)
        status = image_create(pipeline_result_shape(pipeline), image);
    if (status == STATUS_OK)
        status = pipeline_download(pipeline, (*image)->view);
    if (status != STATUS_OK)
        image_destroy(image);
    pipeline_destroy(&pipeline);
    return status;
}

static bool is_of(const Session *session, size_t stage) {
    const Ahead *ahead = &session->ahead;
    return ahead->known && ahead->of_job == session->job_serial && ahead->stage == stage;
}

/* Whether the values that were computed ahead are of the stage that is shown. */
static bool is_ahead(const Viewer *viewer) {
    return is_of(viewer->session, inspector_of(viewer)->seen.shown_stage);
}

static void wish(const Viewer *viewer, Wishes *wishes) {
    const Inspector *inspector = inspector_of(viewer);
    wishes->ahead = inspector->seen.open;
    wishes->ahead_needed = inspector->seen.plan && inspector->needs_ahead;
    wishes->ahead_of_job = inspector->of_job;
    wishes->ahead_stage = inspector->seen.shown_stage;
}

/* Whether values are to be computed, or are not needed any more. */
static bool due(const Session *session) {
    const Wishes *wishes = &session->wishes;
    if (!wishes->ahead)
        return session->ahead.known;
    return wishes->ahead_needed && wishes->ahead_of_job == session->job_serial && !is_of(session, wishes->ahead_stage);
}

static Status compute_values(const Session *session, const Plan *plan, Ahead *ahead) {
    const PlanStage *planned = plan_stage(plan, ahead->stage);
    for (int place = 0; place <= OUT; place++)
        if (!is_here(plan, value_at(planned, place)))
            TRY(compute_value(session, value_at(planned, place), &ahead->values[place]));
    return STATUS_OK;
}

/* By a plan of its own: the inspector's is the window's. */
static Status measure(Session *session) {
    Ahead *ahead = &session->ahead;
    Plan *plan;
    ahead_free(ahead);
    if (!session->wishes.ahead)
        return STATUS_OK;
    ahead->of_job = session->job_serial;
    ahead->stage = session->wishes.ahead_stage;
    Status status = make_plan(session, &plan);
    if (status == STATUS_OK)
        status = compute_values(session, plan, ahead);
    plan_destroy(&plan);
    if (status == STATUS_INTERRUPTED)
        return status;
    ahead->known = true;
    if (status != STATUS_OK)
        snprintf(ahead->trouble, sizeof ahead->trouble, "%s", status_message());
    return STATUS_OK; /* the panel says it */
}

static void begin(void *tool) {
    ((Inspector *)tool)->stage = SIZE_MAX;
}

static void end(void *tool) {
    plan_destroy(&((Inspector *)tool)->seen.plan);
}

/* A click freezes the pixel, or thaws it. */
static bool take_event(Viewer *viewer, const ToolEvent *event) {
    if (event->kind != TOOL_CLICK)
        return false;
    inspector_point_at(viewer, event->result_x, event->y);
    if (inspector_of(viewer)->seen.open)
        (void)inspector_freeze(viewer);
    return inspector_of(viewer)->seen.open;
}

static bool close_inspector(Viewer *viewer) {
    const bool open = inspector_of(viewer)->seen.open;
    inspector_of(viewer)->seen.open = false;
    return open;
}

const ToolKind inspector_tool = {.name = "inspector",
                                 .begin = begin,
                                 .end = end,
                                 .size = sizeof(Inspector),
                                 .wish = wish,
                                 .due = due,
                                 .measure = measure,
                                 .late = true,
                                 .event = take_event,
                                 .close = close_inspector};

const char *inspector_trouble(const Viewer *viewer) {
    return inspector_of(viewer)->needs_ahead && !viewer->lent && is_ahead(viewer) ? viewer->session->ahead.trouble : "";
}

/* ---- the pixel ---- */

const InspectorView *inspector_view(const Viewer *viewer) {
    return &inspector_of(viewer)->seen;
}

void inspector_choose_channel(Viewer *viewer, int channel) {
    inspector_of(viewer)->seen.channel = channel;
}

void inspector_choose_cells(Viewer *viewer, InspectCells cells) {
    inspector_of(viewer)->seen.cells = cells;
}

void inspector_toggle(Viewer *viewer) {
    Inspector *inspector = inspector_of(viewer);
    inspector->seen.open = !inspector->seen.open;
    inspector->seen.frozen = false;
}

Status inspector_freeze(Viewer *viewer) {
    Inspector *inspector = inspector_of(viewer);
    if (!inspector->seen.open)
        return fail(STATUS_USAGE, "no pixel is inspected: x opens the inspector");
    if (!inspector->seen.has_pixel)
        return fail(STATUS_USAGE, "the pointer is on no pixel");
    inspector->seen.frozen = !inspector->seen.frozen;
    return STATUS_OK;
}

void inspector_look_at(Viewer *viewer, size_t x, size_t y, bool frozen) {
    Inspector *inspector = inspector_of(viewer);
    inspector->seen.x = x;
    inspector->seen.y = y;
    inspector->seen.open = inspector->seen.has_pixel = true;
    inspector->seen.frozen = frozen;
}

void inspector_point_at(Viewer *viewer, double x, double y) {
    Inspector *inspector = inspector_of(viewer);
    const Shape shape = viewer_shown_shape(viewer);
    if (!inspector->seen.frozen && viewer_picture(viewer))
        inspector->seen.has_pixel |= viewport_pixel(viewer_viewport(viewer), x, y, shape.width, shape.height,
                                                    &inspector->seen.x, &inspector->seen.y);
}

void inspector_step(Viewer *viewer, int steps) {
    Inspector *inspector = inspector_of(viewer);
    const size_t count = inspector->seen.plan ? plan_stage_count(inspector->seen.plan) : 0;
    if (count == 0)
        return;
    inspector->stage = (inspector->seen.shown_stage + (steps > 0 ? 1 : count - 1)) % count;
    choose_stage(inspector);
}

void inspector_place(const Viewer *viewer, size_t *x, size_t *y) {
    const Inspector *inspector = inspector_of(viewer);
    const Shape result = viewer_shown_shape(viewer), stage = shown_stage(inspector)->stage.out.shape;
    *x = inspector->seen.x * stage.width / result.width;
    *y = inspector->seen.y * stage.height / result.height;
}

/* The stage's own result at a place of it. */
static bool read_result(const Viewer *viewer, size_t x, size_t y, double *value) {
    const Inspector *inspector = inspector_of(viewer);
    const PlanStage *planned = shown_stage(inspector);
    double room[4];
    ImageView pixel = {planned->stage.out.shape, sizeof room, room};
    pixel.shape.width = pixel.shape.height = 1;
    const Image *ahead = inspector->needs_ahead ? viewer->session->ahead.values[OUT] : NULL;
    if (ahead)
        *value = view_value(ahead->view, x, y, inspector->seen.channel);
    else if (planned->to == plan_result(inspector->seen.plan) && viewer_pixels(viewer, x, y, pixel))
        *value = view_value(pixel, 0, 0, inspector->seen.channel);
    else
        return false;
    return true;
}

/* The stage with its inputs in host memory. */
static Stage with_inputs(const Viewer *viewer) {
    const Inspector *inspector = inspector_of(viewer);
    const PlanStage *planned = shown_stage(inspector);
    Stage stage = planned->stage;
    for (int k = 0; k < STAGE_INPUTS; k++) {
        const int source =
            planned->from[k] == PLAN_NONE ? PLAN_NONE : plan_value_source(inspector->seen.plan, planned->from[k]);
        if (inspector->needs_ahead && viewer->session->ahead.values[k])
            stage.in[k] = viewer->session->ahead.values[k]->view;
        else if (source == PIPELINE_PICTURE)
            stage.in[k] = viewer_picture(viewer)->view;
        else if (source != PLAN_NONE)
            stage.in[k] = plan_source_image(inspector->seen.plan, (size_t)source)->view;
    }
    return stage;
}

static bool same(const Inspected *a, const Inspected *b) {
    return a->job == b->job && a->result == b->result && a->stage == b->stage && a->x == b->x && a->y == b->y &&
           a->channel == b->channel;
}

static void inspect(Viewer *viewer, Inspected of) {
    Inspector *inspector = inspector_of(viewer);
    const Stage stage = with_inputs(viewer);
    size_t x, y;
    inspector_place(viewer, &x, &y);
    inspector->seen.current =
        inspect_stage(&stage, x, y, inspector->seen.channel, &inspector->seen.inspection) == STATUS_OK;
    inspector->seen.has_result = read_result(viewer, x, y, &inspector->seen.stage_value);
    inspector->of = inspector->seen.has_result ? of : (Inspected){0}; /* else it may come yet */
}

bool inspector_read_result(Viewer *viewer, ImageView *pixel) {
    Inspector *inspector = inspector_of(viewer);
    const size_t x = inspector->seen.x, y = inspector->seen.y;
    if (!viewer->session->pipeline)
        return false;
    *pixel = (ImageView){pipeline_result_shape(viewer->session->pipeline), sizeof inspector->after, inspector->after};
    pixel->shape.width = pixel->shape.height = 1;
    if (viewer_pixels(viewer, x, y, *pixel)) {
        inspector->after_x = x;
        inspector->after_y = y;
        inspector->after_shape = pixel->shape;
    }
    return inspector->after_x == x && inspector->after_y == y && shape_equal(inspector->after_shape, pixel->shape);
}

void inspector_update(Viewer *viewer) {
    Inspector *inspector = inspector_of(viewer);
    const Session *session = viewer->session;
    follow_job(viewer);
    const PlanStage *planned = shown_stage(inspector);
    const Shape shape = viewer_shown_shape(viewer);
    inspector->seen.has_pixel &= inspector->seen.x < shape.width && inspector->seen.y < shape.height;
    inspector->seen.frozen &= inspector->seen.has_pixel;
    if (!planned || !inspector->seen.has_pixel ||
        (inspector->needs_ahead && (viewer->lent || !is_ahead(viewer) || session->ahead.trouble[0]))) {
        inspector->seen.current = inspector->seen.has_result = false;
        inspector->of = (Inspected){0};
        return;
    }
    const int channels = planned->stage.out.shape.channels;
    inspector->seen.channel = inspector->seen.channel < channels ? inspector->seen.channel : channels - 1;
    const Inspected of = {inspector->of_job, session->result_serial, inspector->seen.shown_stage,
                          inspector->seen.x, inspector->seen.y,      inspector->seen.channel};
    if (!same(&of, &inspector->of))
        inspect(viewer, of);
}
