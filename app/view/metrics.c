/* metrics.c: what was measured of the job that is shown. */
#include "app/view/viewer_internal.h"
#include "core/look.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool viewer_awaits_result(const Viewer *viewer) {
    const Shape picture = viewer_shape(viewer), result = viewer_shown_shape(viewer);
    return viewer->stale && !viewer->has_result && !viewer->in_scene && picture.width == result.width &&
           picture.height == result.height;
}

size_t viewer_describe(const Viewer *viewer, bool all, char *buffer, size_t size) {
    const bool gathers = viewer_gathers(viewer), exposed = fabs(viewer->exposure) > 1e-9;
    const double scale = exp2(viewer->exposure);
    size_t length = 0;
    if (size > 0)
        buffer[0] = '\0';
#define ADD(...)                                                                                                       \
    (length += (size_t)snprintf(length < size ? buffer + length : NULL, length < size ? size - length : 0, __VA_ARGS__))
    const bool compares = !viewer->in_scene && viewer->picture;
    if (compares && viewer_awaits_result(viewer))
        ADD("unfiltered, until there is a result");
    else if (compares && viewer->unfiltered)
        ADD("unfiltered");
    else if (compares && viewer->compare == COMPARE_DIFFERENCE)
        ADD("difference × %.3g", scale);
    if (all && viewer->in_scene)
        ADD("%s", looks[viewer->look].name);
    if (all && gathers && viewer->look == LOOK_PATHS && viewer->progressive.done > 0)
        ADD(", %u sample%s", viewer->progressive.done, viewer->progressive.done == 1 ? "" : "s");
    if (exposed && (viewer->unfiltered || viewer->compare != COMPARE_DIFFERENCE || !compares))
        ADD("%sexposure %+.1f", length > 0 ? ", " : "", viewer->exposure);
#undef ADD
    return length;
}

static SpanHistory *span_named(Viewer *viewer, const char *name) {
    for (size_t i = 0; i < viewer->span_count; i++)
        if (strcmp(viewer->spans[i].name, name) == 0)
            return &viewer->spans[i];
    if (viewer->span_count == SPANS_MAX)
        return NULL;
    viewer->spans[viewer->span_count] = (SpanHistory){.name = name};
    return &viewer->spans[viewer->span_count++];
}

void viewer_record_span(Viewer *viewer, const char *name, double ms, bool stage) {
    SpanHistory *span = span_named(viewer, name);
    if (!span)
        return;
    span->stage = stage;
    history_add(&span->history, ms);
}

void viewer_record(Viewer *viewer, const char *name, double ms) {
    viewer_record_span(viewer, name, ms, false);
    profile_trace_add(viewer->profile_trace, TRACK_MAIN, name, NULL, clock_ms() - ms, ms);
}

const SpanHistory *viewer_span(const Viewer *viewer, const char *name) {
    for (size_t i = 0; i < viewer->span_count; i++)
        if (strcmp(viewer->spans[i].name, name) == 0)
            return &viewer->spans[i];
    return NULL;
}

/* In the order in which the overlay lists them. The profile has got them when they were. */
void viewer_clear_spans(Viewer *viewer) {
    viewer->span_count = 0;
    viewer->totals = (History){0};
    if (viewer->picture && !viewer->in_scene)
        viewer_record_span(viewer, "decode", viewer->decode_ms, false);
    if (viewer->uploaded && !viewer->in_scene && viewer->pipeline)
        viewer_record_span(viewer, "upload", viewer->upload_ms, false);
}

Figures viewer_figures(const Viewer *viewer) {
    Figures figures = {.ms = history_median(&viewer->totals)};
    if (!viewer->pipeline || viewer->totals.count == 0 || pipeline_stage_count(viewer->pipeline) == 0)
        return (Figures){0};
    const Shape shape = pipeline_result_shape(viewer->pipeline);
    const double ms = fmax(figures.ms, 1e-6);
    Cost cost = {0};
    for (size_t i = 0; i < pipeline_stage_count(viewer->pipeline); i++) {
        const Cost part = stage_cost(pipeline_stage(viewer->pipeline, i));
        cost.bytes += part.bytes;
        cost.flops += part.flops;
    }
    figures.mpixels = (double)shape.width * (double)shape.height / ms / 1e3;
    figures.gigabytes = cost.bytes / ms / 1e6;
    figures.bytes = cost.bytes;
    if (!viewer_gathers(viewer)) /* where rays of light go, and so what they cost, shows as they are traced */
        figures.flops = cost.flops;
    figures.gigaflops = figures.flops / ms / 1e6;
    figures.bandwidth = viewer->yardsticks.copies.rate / 1e9;
    figures.copies = ms * 1e6 * figures.bandwidth / cost.bytes;
    const Timing lowest = viewer_lowest_time(viewer);
    const bool is_lowest = viewer->yardsticks.lowest_level == viewer_level(viewer);
    if (lowest.known)
        figures.speedup = is_lowest ? 1 : lowest.ms / ms;
    figures.speedup_estimated = lowest.estimated && !is_lowest;
    return figures;
}

/* Where what is known of a level is kept; LEVELS_MAX: nowhere. */
static size_t level_place(const Viewer *viewer, const Level *level) {
    const Backend *backend = viewer->device->backend;
    size_t place = 0;
    while (place < LEVELS_MAX && place < backend->level_count && backend->levels[place] != level)
        place++;
    return place < backend->level_count ? place : LEVELS_MAX;
}

Timing viewer_level_time(const Viewer *viewer, const Level *level) {
    const size_t place = level_place(viewer, level);
    return place < LEVELS_MAX ? viewer->level_times[place] : (Timing){0};
}

Timing viewer_lowest_time(const Viewer *viewer) {
    const Level *level = viewer->yardsticks.lowest_level;
    return level ? viewer_level_time(viewer, level) : (Timing){0};
}

void viewer_note_level_time(Viewer *viewer, const Level *level, Timing timing) {
    const size_t place = level_place(viewer, level);
    Timing *known = place < LEVELS_MAX ? &viewer->level_times[place] : NULL;
    if (known && timing.known && (!timing.estimated || !known->known || known->estimated))
        *known = timing;
}

static double pipeline_flops(const Pipeline *pipeline) {
    double flops = 0;
    for (size_t i = 0; i < pipeline_stage_count(pipeline); i++)
        flops += stage_cost(pipeline_stage(pipeline, i)).flops;
    return flops;
}

static void note_pace(Viewer *viewer, double ms) {
    const Pipeline *pipeline = viewer->pipeline;
    Pace *pace = &viewer->pace;
    *pace = (Pace){.ms = ms, .shape = pipeline_result_shape(pipeline), .flops = pipeline_flops(pipeline)};
    for (size_t i = 0; i < pipeline_stage_count(pipeline) && i < PACE_MAX; i++)
        pace->levels[pace->count++] = pipeline_level(pipeline, i);
}

double viewer_paced_ms(const Viewer *viewer) {
    const Pipeline *pipeline = viewer->pipeline;
    const Pace *pace = &viewer->pace;
    bool alike = pace->flops > 0 && pace->count == pipeline_stage_count(pipeline) &&
                 shape_equal(pace->shape, pipeline_result_shape(pipeline));
    for (size_t i = 0; i < pace->count && alike; i++)
        alike = pace->levels[i] == pipeline_level(pipeline, i);
    return alike ? pace->ms * fmax(pipeline_flops(pipeline) / pace->flops, 1) : 0;
}

/* The medians since the last change: of the level, and of its backend. */
void viewer_note_times(Viewer *viewer) {
    const Level *level = viewer_level(viewer);
    if (!level)
        return;
    const double ms = history_median(&viewer->totals);
    note_pace(viewer, ms);
    viewer_note_level_time(viewer, level, (Timing){.known = true, .ms = ms});
    for (size_t i = 0; i < backend_count() && i < BACKENDS_MAX; i++)
        if (backend_at(i) == viewer->device->backend)
            viewer->sides[i] = (BackendTime){level, ms};
}
