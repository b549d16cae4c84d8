/* trace_figure.h: a figure of a traced picture.
 * Owns what happens between the light and the file: layers, backgrounds, lines, words. */
#ifndef GLINT_APP_TRACE_FIGURE_H
#define GLINT_APP_TRACE_FIGURE_H

#include "app/trace_settings.h"
#include "core/base/output.h"
#include "core/run/figure_traced.h"

/* Gives the scene the light of the look figure, and its ground. STATUS_USAGE for annotations that it has nothing for;
 * fails as figure_light does. */
Status trace_figure_light(const TraceSettings *options, Scene *scene, const Camera *camera);
/* The shape of a figure, which filters may change. */
Shape trace_figure_made(const TraceSettings *options);
/* STATUS_USAGE if layers or annotations are of another size than the picture `made` by the filters. */
Status trace_figure_check(const TraceSettings *options, Shape made);
/* The host's memory that all of it takes. */
size_t trace_figure_memory(const TraceSettings *options, const Scene *scene);

/* Parts of a picture on its way from the light to the file; zeroed at first. */
typedef struct TraceFigure {
    Image *light, *picture; /* f32x3; the figure before the filters */
    FigureParts parts;
} TraceFigure;

/* Makes the pipeline's result of the light of these settings' figure. A draft takes no rays. Fails as
 * figure_parts_trace and runs do. */
Status trace_figure_show(const TraceSettings *options, Device *device, const TraceJob *job, bool draft,
                         Progressive *progressive, TraceFigure *figure, Spans *spans);
/* Draws on the filtered picture, and traces the file's layers. Fails as layers_trace and annotate do. */
Status trace_figure_draw(const TraceSettings *options, Device *device, const TraceJob *job, TraceFigure *figure,
                         ImageView picture);
/* Adds an EXR of the picture with those layers to the output. */
Status trace_figure_save(const TraceSettings *options, const TraceFigure *figure, const Image *picture, Output *output);
void trace_figure_free(TraceFigure *figure);

#endif
