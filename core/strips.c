/* strips.c: where large pictures are cut, and the loop over their strips.
 * Strips overlap: at a cut, a convolution sees its border instead of the rows beyond, and gives wrong rows as far as
 * its mask reaches; the next one carries them on. The halo is as many rows as all of them together. */
#include "core/strips.h"

#include "core/frame_map.h"
#include "core/memory.h"

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

/* Whether rows depend on none but their neighbours; `reach` is how far, over all stages, and `step` what all groups of
 * rows begin at multiples of. */
static bool rows_are_local(const Plan *plan, size_t *reach, size_t *step) {
    const Shape picture = plan_value_shape(plan, plan_source_value(plan, PIPELINE_PICTURE));
    const ptrdiff_t middle = (ptrdiff_t)(picture.height / 2);
    *reach = 0;
    *step = STRIP_STEP;
    for (size_t i = 0; i < plan_stage_count(plan); i++) {
        const Stage *stage = &plan_stage(plan, i)->stage;
        const Shape in[STAGE_INPUTS] = {stage->in[0].shape, stage->in[1].shape, stage->in[2].shape};
        if (!stage->op->needs || stage->op->accumulates || stage->out.shape.height != picture.height)
            return false;
        ptrdiff_t reaches = 0;
        const size_t places[] = {0, (size_t)middle, picture.height - 1};
        for (size_t p = 0; p < sizeof places / sizeof places[0]; p++) {
            const ptrdiff_t row = (ptrdiff_t)places[p];
            const Region rows = stage->op->needs(stage->job, 0, (Region){0, row, stage->out.shape.width, 1}, in);
            const ptrdiff_t above = row - rows.top, below = rows.top + (ptrdiff_t)rows.height - 1 - row;
            if (rows.top < 0) /* continued periodically: the last rows are the first ones' neighbours */
                return false;
            reaches = reaches > above ? reaches : above;
            reaches = reaches > below ? reaches : below;
        }
        const size_t together = stage->op->rows_together ? stage->op->rows_together(stage->job) : 1;
        *step = least_common_multiple(*step, together);
        if (*step > STEP_MAX)
            return false;
        *reach += (size_t)reaches + together - 1; /* a group that a cut spoils in one row is spoilt in all */
    }
    return true;
}

/* Rows of a strip whose frames take `bytes`; the last strip ends with the picture and begins at a multiple, too. */
static Status cut(const Plan *plan, size_t bytes, Strips *strips) {
    FrameMap map;
    size_t reach, step;
    const size_t height = strips->picture.height;
    if (!rows_are_local(plan, &reach, &step))
        return STATUS_OK;
    TRY(frame_map_create(plan, &map));
    const size_t whole = frame_map_bytes(&map), halo = round_up(reach, step);
    frame_map_free(&map);
    if (whole <= bytes)
        return STATUS_OK;
    const size_t wanted = bytes / (whole / height), min = HALOS_MINIMUM * (halo > 0 ? halo : 1);
    const size_t rows = round_up(wanted > min ? wanted : min, step) + height % step;
    if (rows < height)
        *strips = (Strips){strips->picture, step, rows, halo};
    return STATUS_OK;
}

/* The plan of a strip, if the chain does with it what it does with these rows of the picture: not where a filter names
 * the picture's height. */
static Plan *plan_strip(const Chain *chain, const Plan *whole, const Strips *strips, PlanOptions options) {
    Shape shape = strips->picture;
    Plan *plan = NULL;
    size_t reach, strip_reach, step, strip_step;
    shape.height = strips->rows;
    options.part = true;
    if (chain_plan(chain, shape, options, &plan) != STATUS_OK)
        return NULL;
    if (plan_stage_count(plan) != plan_stage_count(whole) || !rows_are_local(plan, &strip_reach, &strip_step) ||
        !rows_are_local(whole, &reach, &step) || reach != strip_reach || step != strip_step)
        plan_destroy(&plan);
    else
        plan_share_own_images(plan, whole);
    return plan;
}

Status strips_plan(const Chain *chain, Shape picture, PlanOptions options, const Backend *backend, size_t bytes,
                   Strips *strips, Plan **plan) {
    *strips = (Strips){picture, STRIP_STEP, picture.height, 0};
    TRY(chain_plan(chain, picture, options, plan));
    const Status status = backend->host_frames ? cut(*plan, bytes, strips) : STATUS_OK;
    if (status != STATUS_OK)
        plan_destroy(plan);
    if (status != STATUS_OK || strips->rows == picture.height)
        return status;
    Plan *strip = plan_strip(chain, *plan, strips, options);
    if (!strip) {
        *strips = (Strips){picture, STRIP_STEP, picture.height, 0};
        return STATUS_OK;
    }
    plan_destroy(plan);
    *plan = strip;
    return STATUS_OK;
}

Shape strips_result(const Strips *strips, Shape strip) {
    if (strip.height == strips->rows)
        strip.height = strips->picture.height;
    return strip;
}

/* Rows `from` to before `to` of the result, by the strip that begins at row `first`. */
static Status process_strip(const Strips *strips, Pipeline *pipeline, ImageView in, ImageView out, size_t first,
                            size_t from, size_t to, Spans *spans) {
    const Plan *plan = pipeline_plan(pipeline);
    const double start = clock_ms();
    TRY(pipeline_upload(pipeline, PIPELINE_PICTURE, view_crop(in, 0, first, in.shape.width, strips->rows)));
    for (size_t i = PIPELINE_PICTURE + 1; i < plan_source_count(plan); i++) {
        if (plan_source_is_table(plan, i)) /* it is there as a whole */
            continue;
        const ImageView image = plan_source_image(plan, i)->view;
        TRY(pipeline_upload(pipeline, i, view_crop(image, 0, first, image.shape.width, strips->rows)));
    }
    spans_add(spans, "upload", start, clock_ms());
    TRY(pipeline_run(pipeline, spans));
    const double ran = clock_ms();
    TRY(pipeline_download_rows(pipeline, from - first, view_crop(out, 0, from, out.shape.width, to - from)));
    spans_add(spans, "download", ran, clock_ms());
    return STATUS_OK;
}

Status strips_process(const Strips *strips, Pipeline *pipeline, ImageView in, ImageView out, Spans *spans) {
    const size_t height = strips->picture.height, last = height - strips->rows;
    if (last == 0)
        return pipeline_process(pipeline, in, out, spans);
    const size_t step = (strips->rows - 2 * strips->halo) / strips->step * strips->step;
    for (size_t first = 0, done = 0, end; done < height;
         first = first + step < last ? first + step : last, done = end) {
        end = first == last ? height : first + strips->rows - strips->halo;
        TRY(process_strip(strips, pipeline, in, out, first, done, end, spans));
    }
    return STATUS_OK;
}
