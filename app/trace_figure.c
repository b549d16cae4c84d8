/* trace_figure.c: options, and what is made by them. */
#include "app/trace_figure.h"

#include "core/base/memory.h"
#include "core/scene/figure_light.h"

static bool is_figure(const TraceSettings *options) {
    return options->scene_options.figure;
}

/* The layers that are traced, for whatever they are used. */
static unsigned kinds_of(const TraceSettings *options) {
    const FigureOptions *figure = &options->figure;
    return figure->layers | (trace_makes_figure(options) ? figure_layers(&figure->figure) : 0) |
           annotations_layers(&figure->annotations);
}

/* ---- before ---- */

Status trace_figure_light(const TraceSettings *options, Scene *scene, const Camera *camera) {
    if (options->figure.annotate)
        TRY(annotations_check(&options->figure.annotations, scene));
    if (!is_figure(options))
        return STATUS_OK;
    TRY(figure_light(scene, camera));
    if (options->figure.figure.shadow)
        figure_ground(scene);
    return STATUS_OK;
}

Shape trace_figure_made(const TraceSettings *options) {
    const Shape traced = options->shape;
    return (Shape){traced.width, traced.height, options->figure.figure.transparent ? 4 : 3,
                   trace_picture_type(options)};
}

Status trace_figure_check(const TraceSettings *options, Shape made) {
    const Shape traced = options->shape;
    const bool drawn = options->figure.layers || options->figure.annotate;
    return !drawn || (made.width == traced.width && made.height == traced.height)
               ? STATUS_OK
               : fail(STATUS_USAGE,
                      "--layers, --annotate: filters make %zu x %zu pixels of %zu x %zu; want ones that leave the size",
                      made.width, made.height, traced.width, traced.height);
}

size_t trace_figure_memory(const TraceSettings *options, const Scene *scene) {
    const Shape shape = options->shape;
    const size_t pixels = memory_product(shape.width, shape.height);
    size_t bytes = trace_makes_figure(options) ? memory_product(pixels, 4 * sizeof(float[4])) : 0;
    if (trace_makes_figure(options)) /* a copy for the masks */
        bytes = memory_sum(bytes, memory_product(scene->count, sizeof(Sphere)));
    if (kinds_of(options))
        bytes = memory_sum(bytes, layers_bytes(scene, shape.width, shape.height, kinds_of(options)));
    if (options->figure.layers) /* as much at most in the file */
        bytes = memory_sum(bytes, layers_bytes(scene, shape.width, shape.height, options->figure.layers));
    return bytes;
}

/* ---- the picture ---- */

static FigureTrace trace_of(const TraceSettings *options, Device *device, const TraceJob *job, uint32_t samples) {
    FigureTrace trace = {.device = device,
                         .job = *job,
                         .exposure = options->scene_options.exposure,
                         .layers = kinds_of(options),
                         .shadow = options->figure.figure.shadow};
    trace.job.sampling.samples = samples;
    return trace;
}

static Figure figure_of(const TraceSettings *options) {
    Figure figure = options->figure.figure;
    figure.film = !is_figure(options);
    if (!options->figure.has_background)
        for (int c = 0; c < 3; c++)
            figure.background[c] = 1;
    return figure;
}

static Status make_images(const TraceSettings *options, TraceFigure *figure) {
    const Shape made = trace_figure_made(options);
    if (!figure->light)
        TRY(image_create((Shape){made.width, made.height, 3, PIXEL_F32}, &figure->light));
    return figure->picture ? STATUS_OK : image_create(made, &figure->picture);
}

Status trace_figure_show(const TraceSettings *options, Device *device, const TraceJob *job, bool draft,
                         Progressive *progressive, TraceFigure *figure, Spans *spans) {
    const FigureTrace trace = trace_of(options, device, job, progressive->done);
    const Figure made = figure_of(options);
    TRY(make_images(options, figure));
    TRY(figure_light_shown(progressive, figure->light->view, spans));
    if (draft) {
        TRY(figure_draft(&trace, &made, figure->light->view, figure->picture->view));
    } else {
        figure_parts_free(&figure->parts);
        TRY(figure_parts_trace(&trace, options->shape.width, options->shape.height, &figure->parts));
        TRY(figure_of_light(&trace, &figure->parts, &made, figure->light->view, figure->picture->view));
    }
    return figure_filtered(progressive->pipeline, figure->picture->view, spans);
}

Status trace_figure_draw(const TraceSettings *options, Device *device, const TraceJob *job, TraceFigure *figure,
                         ImageView picture) {
    if (!trace_makes_figure(options)) {
        layers_free(&figure->parts.layers);
        if (kinds_of(options))
            TRY(layers_trace(device, job, options->shape.width, options->shape.height, kinds_of(options), NULL,
                             &figure->parts.layers));
    }
    return options->figure.annotate
               ? annotate(&options->figure.annotations, job->scene, &job->camera, &figure->parts.layers, picture)
               : STATUS_OK;
}

Status trace_figure_save(const TraceSettings *options, const TraceFigure *figure, const Image *picture,
                         Output *output) {
    Bytes file;
    TRY(layers_encode(&figure->parts.layers, options->figure.layers, picture, &file));
    const Status status = output_append(output, file);
    bytes_free(&file);
    return status;
}

void trace_figure_free(TraceFigure *figure) {
    image_destroy(&figure->light);
    image_destroy(&figure->picture);
    figure_parts_free(&figure->parts);
}
