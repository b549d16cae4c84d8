/* figure_traced.h: figures of scenes that a device traces.
 * Owns the two halves of such a plan: the light, and the filters behind the figure. Owns also the masks and layers that
 * a figure takes besides its light, by the same samples. */
#ifndef GLINT_CORE_RUN_FIGURE_TRACED_H
#define GLINT_CORE_RUN_FIGURE_TRACED_H

#include "core/run/figure.h"
#include "core/tracer/progressive.h"

/* ---- plans ---- */

/* Appends a trace of light, f32x3, that no stage reads, and a source of the shape `made`. The caller makes the figure
 * for it of the light, and a chain goes on with that. The plan has no source before. Fails as plan_trace and
 * plan_source do. */
Status figure_plan(Plan *plan, TraceJob job, TraceOptions options, Shape made, int *figure);
/* Brings the light of the samples so far to the host, f32x3. Fails as progressive_show and downloads do. */
Status figure_light_shown(Progressive *progressive, ImageView light, Spans *spans);
/* Takes the figure for the source, and runs the filters behind it. Fails as pipeline_run does. */
Status figure_filtered(Pipeline *pipeline, ImageView figure, Spans *spans);

/* ---- what belongs to the light ---- */

/* The light that a figure is made of. */
typedef struct FigureTrace {
    Device *device;   /* borrowed, as the stop */
    TraceJob job;     /* with the samples that the light has */
    float exposure;   /* of the light */
    unsigned layers;  /* that are wanted, bits by LayerKind */
    bool shadow;      /* the ground is nothing but shadows */
    const Stop *stop; /* asks to end early; or NULL */
} FigureTrace;

/* Masks and layers of a picture's size. */
typedef struct FigureParts {
    Image *mask, *past; /* by the samples of the light; NULL: not traced yet */
    Layers layers;
} FigureParts;

/* Traces those that are not there, and layers again where a kind lacks. STATUS_INTERRUPTED after a signal, or if it was
 * stopped. Fails else as plan_trace, pipeline_create and layers_trace do. */
Status figure_parts_trace(const FigureTrace *trace, size_t width, size_t height, FigureParts *parts);
void figure_parts_free(FigureParts *parts); /* accepts a zeroed one */
/* figure_make of this light. The job's scene has the light of figures if `figure->shadow`. Fails as that does. */
Status figure_of_light(const FigureTrace *trace, const FigureParts *parts, const Figure *figure, ImageView light,
                       ImageView to);

/* A draft of the figure, without rays and without lines, fading and shadows. A pixel that has the very light of the
 * sky of figures is taken for it. STATUS_DEVICE if memory is short. */
Status figure_draft(const FigureTrace *trace, const Figure *figure, ImageView light, ImageView to);

#endif
