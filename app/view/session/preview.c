/* preview.c: reducing the picture and the chain. */
#include "app/view/session/preview.h"

#include "core/chain/detail.h"
#include "core/chain/within.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LARGEST_SCALE  0.5 /* a larger one is not worth its time */
#define SMALLEST_SCALE 0.02
#define SLACK          0.03 /* of a side, by which the result may miss its proportions */

/* ---- the chain ---- */

/* Units of lengths and places begin with these. So does the list of a choice between units, which is none. */
static bool in_pixels(const Param *param) {
    static const char *const units[] = {"pixels", PARAM_COLUMNS, PARAM_ROWS};
    if (param->kind == PARAM_CHOICE)
        return false;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strncmp(param->unit, units[i], strlen(units[i])) == 0)
            return true;
    return false;
}

static double reduced_number(const Param *param, double number, double scale) {
    if (param->kind != PARAM_WHOLE)
        return number * scale;
    if (param_counts_lines(param)) /* so that a part ends with the picture at the latest */
        return floor(number * scale);
    return fmod(number, 2) > 0 ? 2 * floor(number * scale / 2) + 1 : floor(number * scale);
}

/* False if its value cannot be reduced. */
static bool reduce_param(const Param *param, double scale, void *values) {
    if (param_is_text(param)) {
        const bool scales =
            param->kind == PARAM_CUBE || strcmp(param->unit, PARAM_CURVE) == 0 || strcmp(param->unit, "percent") == 0;
        const char *text = param_text(param, values);
        return scales || !text || !text[0];
    }
    const double number = param_number(param, values);
    if (in_pixels(param) && number > 0)
        param_set_number(param, values, reduced_number(param, number, scale));
    return true;
}

static bool reduce_place(ChainLink *link, double scale) {
    char text[96];
    Region part;
    if (!chain_within(link) || !within_in_pixels(chain_within(link), &part))
        return true; /* shares stay as they are, those of a mask, too */
    const double right = (double)part.left + (double)part.width, bottom = (double)part.top + (double)part.height;
    part.left = (ptrdiff_t)round((double)part.left * scale);
    part.top = (ptrdiff_t)round((double)part.top * scale);
    part.width = (size_t)fmax(round(right * scale) - (double)part.left, 1);
    part.height = (size_t)fmax(round(bottom * scale) - (double)part.top, 1);
    within_format(part, text, sizeof text);
    return param_set_text(&chain_place.params[0], link->place, text) == STATUS_OK;
}

static bool reduce_link(ChainLink *link, double scale) {
    const ParamTable table = link->filter->table;
    bool reduces = true;
    for (size_t i = 0; i < table.count; i++) {
        const Param param = param_for_size(table, &table.params[i], link->values, SIZE_MAX, SIZE_MAX);
        reduces &= reduce_param(&param, scale, link->values); /* shares of a side stay as they are */
    }
    return reduces && reduce_place(link, scale);
}

Status preview_chain(const Chain *chain, double scale, Chain **reduced) {
    TRY(chain_copy(chain, reduced));
    bool reduces = true, acts = false;
    for (size_t i = 0; i < (*reduced)->count; i++) {
        ChainLink *link = &(*reduced)->links[i];
        link->off |= filter_follows_detail(link->filter);
        reduces &= link->off || reduce_link(link, scale);
        acts |= !link->off;
    }
    if (!reduces || !acts)
        chain_destroy(reduced);
    return STATUS_OK;
}

/* The first filter that the preview of a chain is without, or NULL. */
static const char *left_out(const Chain *chain) {
    for (size_t i = 0; i < chain->count; i++)
        if (!chain->links[i].off && filter_follows_detail(chain->links[i].filter))
            return chain->links[i].filter->name;
    return NULL;
}

/* ---- the pictures ---- */

/* Makes a chain's result for a picture; *made stays NULL where it makes none. */
static Status filter(const Session *session, const Chain *chain, ImageView picture, Image **made) {
    Spans unrecorded = {0};
    Pipeline *pipeline;
    Plan *plan;
    *made = NULL;
    PlanOptions options = request_options(session->request, session->subject);
    options.device = session->device;
    TRY(chain_plan(chain, picture.shape, options, &plan));
    TRY(pipeline_create(session->device, plan, "best", &pipeline));
    pipeline_queue(pipeline)->stop = session->stop;
    Status status = image_create(pipeline_result_shape(pipeline), made);
    if (status == STATUS_OK)
        status = pipeline_process(pipeline, picture, (*made)->view, &unrecorded);
    pipeline_destroy(&pipeline);
    if (status != STATUS_OK)
        image_destroy(made);
    return status;
}

static Status provide_small(const Session *session, Preview *preview) {
    const Subject *subject = session->subject;
    const bool same = !(preview->scale < preview->small_scale || preview->scale > preview->small_scale);
    char text[64];
    Chain *resize;
    if (preview->small && preview->small_of == subject->serial && same)
        return STATUS_OK;
    image_destroy(&preview->small);
    snprintf(text, sizeof text, "resize=scale=%.9g:by=box", preview->scale);
    TRY(chain_parse(text, &resize));
    const Status status = filter(session, resize, subject->picture->view, &preview->small);
    chain_destroy(&resize);
    preview->small_of = subject->serial;
    preview->small_scale = preview->scale;
    return status;
}

static bool in_proportion(size_t got, size_t whole, double scale) {
    return fabs((double)got - (double)whole * scale) <= 1 + SLACK * (double)whole * scale;
}

static Status make(const Session *session, Preview *preview) {
    const Chain carried_out = session_carried(session);
    Chain *chain;
    TRY(preview_chain(&carried_out, preview->scale, &chain));
    if (!chain)
        return STATUS_OK;
    preview->without = left_out(&carried_out);
    chain_share_images(chain, session->chain);
    Status status = chain_read_images(chain);
    if (status == STATUS_OK)
        status = provide_small(session, preview);
    if (status == STATUS_OK)
        status = filter(session, chain, preview->small->view, &preview->image);
    chain_destroy(&chain);
    const Shape made = preview->image ? preview->image->view.shape : (Shape){0};
    if (preview->image && !(in_proportion(made.width, preview->result.width, preview->scale) &&
                            in_proportion(made.height, preview->result.height, preview->scale)))
        image_destroy(&preview->image);
    return status;
}

bool preview_due(const Session *session) {
    const Subject *subject = session->subject;
    return session->stale && session->pipeline && subject && subject->picture && session->chain->count > 0 &&
           session->device->backend->host_frames && session_has_clock(session) &&
           session->result_job != session->job_serial && session->preview.of_job != session->job_serial;
}

Status preview_make(Session *session, double scale) {
    Preview *preview = &session->preview;
    image_destroy(&preview->image);
    preview->of_job = session->job_serial;
    preview->serial++;
    preview->scale = fmin(fmax(scale, SMALLEST_SCALE), LARGEST_SCALE);
    preview->result = pipeline_result_shape(session->pipeline);
    const Status status = make(session, preview);
    return status == STATUS_INTERRUPTED ? status : STATUS_OK; /* the run itself will say why */
}

const Preview *preview_shown(const Session *session) {
    const Preview *preview = &session->preview;
    return session->stale && preview->image && preview->of_job > session->result_job ? preview : NULL;
}
