/* progressive.h: a scene's picture in steps.
 * Owns the order in which light is gathered: pass after pass over the picture. A pass that takes long goes in bands of
 * rows, so that it can be shown, waited for, and left off at any time. The picture does not depend on the steps. Where
 * even the first pass takes long, coarser ones may come before it: blocks of 8 x 8 pixels, 4 x 4, 2 x 2.
 * With denoising, the film is kept whenever a pass begins with 1, 2, 4, ... samples: its difference from the film later
 * tells the noise that is left. */
#ifndef GLINT_CORE_TRACER_PROGRESSIVE_H
#define GLINT_CORE_TRACER_PROGRESSIVE_H

#include "core/plan/pipeline.h"
#include "core/tracer/plan_trace.h"

typedef struct Scene Scene; /* core/scene/scene.h */

/* A share of a picture's rows: stripes of `height` rows are dealt in turn to `count` processes, with numbers from 0 on.
 * Or the rows from `from` to before `to`, with the others 0. All 0: all rows. */
typedef struct Stripes {
    size_t height, index, count;
    size_t from, to;
} Stripes;

bool stripes_are_all(Stripes stripes);

/* How many rows of so many are one's own. */
size_t stripes_rows(Stripes stripes, size_t height);
/* Where the row-th of one's own lies in the picture; *left is how many follow it there, itself included. */
size_t stripes_find(Stripes stripes, size_t height, size_t row, size_t *left);

typedef struct Progressive {
    Pipeline *pipeline; /* borrowed; its first stage is a trace */
    Stripes stripes;    /* that are traced; to be set behind progressive_begin, previews know none */
    uint32_t samples;   /* that every pixel shall get; 1 for looks without light */
    uint32_t done;      /* that every pixel has */
    uint32_t pass;      /* that the pass under way adds */
    size_t row;    /* of those that are traced, where that goes on; 0: no pass is under way, so that all pixels have as
                      many */
    size_t coarse; /* the side of the blocks that the picture has; 1: pixels of their own */
    double cost;   /* ms a pixel and sample, by the last step; 0: not known */
    uint32_t seen; /* for denoising: samples of a pixel whose surfaces are known, */
    size_t seen_side; /* and the side of the blocks that they are of */
    bool bare;        /* the denoiser came when the film was there: it has no film of fewer samples yet */
} Progressive;

/* Restarts, with the samples that the plan's job asks for. */
void progressive_begin(Progressive *progressive, Pipeline *pipeline);
bool progressive_complete(const Progressive *progressive);
/* Whether no seam runs through the picture: it is as fine, and has as many samples, everywhere. */
bool progressive_even(const Progressive *progressive);
/* How much of the work is done, 0 to 1. */
double progressive_share(const Progressive *progressive);
/* Gathers for about `ms` milliseconds, but no fewer rows than the device has threads, so that none is idle. The first
 * step, whose cost is not known, takes as many rows as threads. Waits. Spans get the trace and, with denoising, the
 * surfaces at the end of a pass. Looks without light are traced whole. */
Status progressive_step(Progressive *progressive, double ms, Spans *spans);
/* A picture in about `ms` milliseconds, in blocks as coarse as that takes; the steps restart, and go through the finer
 * blocks first. For looks of light. */
Status progressive_preview(Progressive *progressive, double ms, Spans *spans);
/* Makes the pipeline's result of the light that is gathered so far. Spans get the stages behind the trace. */
Status progressive_show(Progressive *progressive, Spans *spans);
/* The same up to before stage `end`, which is behind the one that makes light or pixels of the film. */
Status progressive_show_until(Progressive *progressive, size_t end, Spans *spans);
/* All steps, then shows. */
Status progressive_all(Progressive *progressive, Spans *spans);

/* Sets the camera of the pipeline's trace from the next run on. It has the kind of the camera before, so that the
 * trace's level can do it. */
void progressive_set_camera(Pipeline *pipeline, Camera camera);
/* Another scene with the same geometry, in the place of the trace's. */
void progressive_set_scene(Pipeline *pipeline, const Scene *scene);
/* The factor on light before it becomes a picture, for the runs that follow. */
void progressive_set_exposure(Pipeline *pipeline, float exposure);

#endif
