/* plan_view.h: the plan of the picture or scene that is shown, with its filters. */
#ifndef GLINT_APP_VIEW_SESSION_PLAN_VIEW_H
#define GLINT_APP_VIEW_SESSION_PLAN_VIEW_H

#include "core/chain/chain.h"
#include "core/device/backend.h"
#include "core/scene/camera.h"
#include "core/scene/gathering.h"
#include "core/scene/scene.h"

/* A job that pipelines are made for; they gather light by one sample a run. */
typedef struct Measurement {
    Device *device;
    int device_index;
    const Chain *chain; /* behind the picture, or the view of the scene */
    size_t set_aside;   /* as a request has it */
    size_t misfit;      /* as a session has it */
    PlanOptions options;
    ImageView picture;
    const Scene *scene; /* or of a scene */
    Camera camera;
    Look look;
    Gathering gathering; /* of light, as is the exposure */
    float exposure;
    bool figure; /* the chain goes on with a figure of its light (core/run/figure_traced.h) */
    Shape shape;
    bool scales; /* its result is larger or smaller: parts have the picture's proportions, other ones may be rows */
} Measurement;

/* Plans the job for a picture of `width` x `height`: a crop of a picture, or the same view of a scene, coarser.
 * Rectangles that filters count in pixels become the same shares of that part's sides. plan_unfiltered is the chain's
 * input. */
Status view_plan(const Measurement *job, size_t width, size_t height, Plan **plan);
/* Plans the view of the scene alone, for another device. */
Status view_plan_trace(const Measurement *job, Device *device, Plan **plan);

#endif
