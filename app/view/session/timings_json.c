/* timings_json.c: timings as JSON. */
#include "app/view/session/timings_json.h"

#include "app/say.h"
#include "app/view/session/structure.h"
#include "core/base/output.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *spans_json(const Viewer *viewer) {
    json_t *spans = json_array();
    for (size_t i = 0; i < viewer->session->span_count; i++) {
        const SpanHistory *span = &viewer->session->spans[i];
        json_array_append_new(spans, json_pack("{s:s, s:f, s:I, s:b}", "name", span->name, "ms",
                                               history_median(&span->history), "values",
                                               (json_int_t)span->history.count, "stage", span->stage));
    }
    return spans;
}

static json_t *runs_json(const Viewer *viewer) {
    json_t *runs = json_array();
    for (size_t age = viewer->session->totals.count; age-- > 0;)
        json_array_append_new(runs, json_real(history_value(&viewer->session->totals, age)));
    return runs;
}

/* A figure that is not known is null, not 0. */
static json_t *figure(double value) {
    return value > 0 ? json_real(value) : json_null();
}

static json_t *routes_json(const Viewer *viewer) {
    RouteRung rungs[ROUTES_MAX];
    const size_t count = present_rungs(viewer->present, viewer->session->device->backend, rungs);
    json_t *routes = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(routes, json_pack("{s:s, s:o, s:s?}", "name", rungs[i].route->name, "ms",
                                                figure(rungs[i].ms), "why_not", rungs[i].why_not));
    return routes;
}

static json_t *spread_json(const Spread *spread) {
    const SpreadFigures figures = spread_figures(spread);
    return json_pack("{s:I, s:f, s:f, s:f, s:f}", "count", (json_int_t)spread->all, "median_ms", figures.median,
                     "p95_ms", figures.p95, "p99_ms", figures.p99, "worst_ms", figures.worst);
}

/* The counts of the shown level on a device without a clock; null: there are none. */
static json_t *counts_json(const Viewer *viewer) {
    const Structure *structure = session_structure(viewer->session, viewer_level(viewer));
    if (!structure || !structure->judged)
        return json_null();
    json_t *counts = json_pack("{s:I, s:I, s:b}", "width", (json_int_t)structure->width, "height",
                               (json_int_t)structure->height, "agrees", structure->verdict.agrees);
    for (int i = 0; counts && structure->counted && i < STRUCTURE_FIGURES; i++)
        json_object_set_new(counts, structure_names[i],
                            structure->figures[i] >= 0 ? json_real(structure->figures[i]) : json_null());
    return counts;
}

/* How far the shown sides are apart, as `glint compare` names it; null: nothing is compared, or not as a whole yet. */
static json_t *comparison_json(const Viewer *viewer) {
    const Difference *difference = viewer_difference(viewer);
    const FlipErrors *errors = viewer_flip(viewer);
    const Likeness *likeness = &viewer->session->likeness;
    if (!difference || !errors || difference->row < viewer->session->compared.height)
        return json_null();
    const FlipFigures *flip = &errors->figures;
    return json_pack("{s:o, s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:o}", "psnr", json_figure(likeness->psnr), "ssim",
                     json_figure(difference_ssim(difference)), "ncc", json_figure(likeness->ncc), "max",
                     json_figure(difference->max), "differing", (json_int_t)difference->differing, "flip",
                     json_figure(flip->mean), "flip_median", json_figure(flip->median), "flip_p95",
                     json_figure(flip->p95), "flip_max", json_figure(flip->max));
}

static json_t *report(const Viewer *viewer) {
    char chain[PATH_CAPACITY], border[64];
    const Figures figures = viewer_figures(viewer);
    const Level *level = viewer_level(viewer);
    const Shape shape = viewer_shape(viewer);
    const Timing lowest = viewer_lowest_time(viewer);
    chain_format(viewer->request->chain, chain, sizeof chain);
    json_t *root = json_pack(
        "{s:s, s:o, s:I, s:I, s:i, s:s, s:o, s:s, s:s, s:s, s:s?, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
        "glint", "timings", "file", json_text(viewer_title(viewer)), "width", (json_int_t)shape.width, "height",
        (json_int_t)shape.height, "channels", shape.channels, "type", pixel_type_name(shape.type), "chain",
        json_text(chain), "border", border_format(viewer->request->options.border, border, sizeof border), "backend",
        viewer->session->device->backend->name, "device", viewer->session->device->name, "level",
        level ? level->name : NULL, "runs", (int)viewer->session->totals.count, "spans", spans_json(viewer), "run_ms",
        runs_json(viewer), "ms", figure(figures.ms), "Mpixel/s", figure(figures.mpixels), "GB/s",
        figure(figures.gigabytes), "GFLOP/s", figure(figures.gigaflops), "copies", figure(figures.copies), "speedup",
        figure(figures.speedup));
    if (root)
        json_object_update_new(root, json_pack("{s:o, s:s, s:s, s:o, s:o, s:o}", "counts", counts_json(viewer), "route",
                                               present_route(viewer->present, viewer->session->device->backend)->name,
                                               "renderer", viewer->renderer, "routes", routes_json(viewer),
                                               "peak_GFLOP/s", figure(viewer->session->peak.rate / 1e9), "watts",
                                               figure(viewer->power.watts)));
    if (root)
        json_object_update_new(root, json_pack("{s:o, s:o, s:o}", "input_to_swap", spread_json(&viewer->pacing->input),
                                               "of_it_own", spread_json(&viewer->pacing->own), "swap_to_swap",
                                               spread_json(&viewer->pacing->between)));
    if (root)
        json_object_set_new(root, "comparison", comparison_json(viewer));
    if (root && lowest.known)
        json_object_set_new(root, "lowest",
                            json_pack("{s:s, s:f, s:b}", "level",
                                      viewer->session->measured.yardsticks.lowest_level->name, "ms", lowest.ms,
                                      "estimated", lowest.estimated));
    return root;
}

Status timings_json_write(const Viewer *viewer, FILE *stream) {
    json_t *root = report(viewer);
    return json_put(stream, root, JSON_INDENT(2)) ? STATUS_OK : fail(STATUS_DEVICE, "no memory for the timings");
}

Status timings_json_save(const Viewer *viewer, const char *path) {
    const OutputRules rules = {
        .writer = "timings", .opening = "{\"glint\":\"timings\",", .overwrite = viewer->overwrite};
    Output *output;
    FILE *stream;
    TRY(output_claim(path, rules, &output));
    Status status = output_stream(output, &stream);
    if (status == STATUS_OK)
        status = timings_json_write(viewer, stream);
    if (status == STATUS_OK)
        status = output_finish(output, NULL);
    output_destroy(&output);
    return status;
}
