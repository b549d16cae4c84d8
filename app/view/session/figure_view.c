/* figure_view.c: light, then a figure or a draft of it, then filters, then words. */
#include "app/view/session/figure_view.h"

#include "app/view/session/session.h"

#include "core/run/annotate.h"
#include "core/run/figure_traced.h"
#include "core/run/simulation.h"
#include "core/scene/figure_light.h"
#include "core/scene/particles/legend.h"
#include "core/scene/scene_parts.h"

#include <math.h>
#include <stdlib.h>

struct FigureView {
    Scene *lit;             /* of the session's scene, in this light; NULL: none yet */
    uint64_t of, moves;     /* that scene's serial, and its moves */
    OrbitCamera from;       /* that the key follows */
    bool ground;            /* it has one for shadows */
    FigureParts parts;      /* of light with these: */
    uint32_t samples;       /* samples, */
    float exposure;         /* and exposure */
    Image *light, *picture; /* f32x3; the figure before filters */
    bool draft;             /* the one that was shown last */
};

bool session_makes_figure(const Session *session) {
    return session_scene(session) && session->request->figure;
}

bool figure_view_is_draft(const Session *session) {
    return session_makes_figure(session) && session->figure && session->figure->draft;
}

void figure_view_free(FigureView **view) {
    FigureView *old = *view;
    if (!old)
        return;
    figure_parts_free(&old->parts);
    image_destroy(&old->light);
    image_destroy(&old->picture);
    scene_destroy(&old->lit);
    free(old);
    *view = NULL;
}

/* ---- the scene ---- */

static Status light_scene(const Scene *scene, const Camera *camera, bool ground, Scene **lit) {
    TRY(scene_copy(scene, lit));
    TRY(scene_copy_detach(scene, lit));
    const Status status = figure_light(*lit, camera);
    if (status == STATUS_OK && ground)
        figure_ground(*lit);
    if (status != STATUS_OK)
        scene_destroy(lit);
    return status;
}

static void place_spheres(const Scene *scene, Scene *lit) {
    for (size_t i = 0; i < lit->count; i++) {
        lit->spheres[i].x = scene->spheres[i].x;
        lit->spheres[i].y = scene->spheres[i].y;
        lit->spheres[i].z = scene->spheres[i].z;
    }
    lit->moves = scene->moves;
}

Status figure_view_follow(Session *session) {
    const Scene *scene = session_scene(session);
    const OrbitCamera *camera = &session->request->orbit_camera;
    const bool ground = session->request->style.shadow > 0;
    if (!session_makes_figure(session)) {
        figure_view_free(&session->figure); /* the pipeline has the scene's own light again */
        return STATUS_OK;
    }
    FigureView *view = session->figure = session->figure ? session->figure : calloc(1, sizeof *view);
    if (!view)
        return fail(STATUS_DEVICE, "no memory for a figure");
    if (simulation_is_ahead(session->simulation))
        TRY(session_settle_bodies(session));
    const bool changed = !view->lit || view->of != scene->serial || view->ground != ground;
    const bool moved = !changed && view->moves != scene->moves;
    const bool same = !changed && (!moved || session_moves(session)); /* frames move radii and colours, too */
    const bool turned = same && orbit_camera_moved(&view->from, camera);
    if (!same) {
        Scene *lit;
        TRY(light_scene(scene, &camera->camera, ground, &lit));
        scene_destroy(&view->lit);
        view->lit = lit;
    }
    if (same && moved)
        place_spheres(scene, view->lit);
    if (turned) {
        figure_turn(view->lit, &camera->camera);
        scene_copy_changed(view->lit);
    }
    if (!same || moved || turned)
        figure_parts_free(&view->parts);
    view->of = scene->serial;
    view->moves = scene->moves;
    view->from = *camera;
    view->ground = ground;
    progressive_set_scene(session->pipeline, view->lit);
    return STATUS_OK;
}

/* ---- the picture ---- */

static Status fit_image(Shape shape, Image **image) {
    if (*image && shape_equal((*image)->view.shape, shape))
        return STATUS_OK;
    image_destroy(image);
    return image_create_unfilled(shape, image);
}

/* Has this thread know how the particles of a scene, of which `scene` may be a copy, were made. */
static void pass_legend(const Subject *subject, const Scene *scene) {
    const ParticleLegend *kept = subject_base(subject)->legend;
    ParticleLegend legend = kept ? *kept : (ParticleLegend){.scene = 0};
    legend.scene = kept ? scene->serial : 0;
    particles_legend_keep(&legend);
}

static double kept(double wanted, Annotations annotation, const Scene *scene) {
    return wanted > 0 && annotations_check(&annotation, scene) == STATUS_OK;
}

FigureStyle figure_view_style(const Subject *subject, FigureStyle style) {
    pass_legend(subject, subject->scene);
    style.box = kept(style.box, (Annotations){.box = true}, subject->scene);
    style.axes = kept(style.axes, (Annotations){.axes = true}, subject->scene);
    style.bar = kept(style.bar, (Annotations){.bar = true}, subject->scene);
    return style;
}

Status figure_view_check(const Subject *subject, const FigureStyle *style) {
    const Annotations wanted = annotations_of_style(style);
    pass_legend(subject, subject->scene);
    return wanted.box || wanted.axes || wanted.bar ? annotations_check(&wanted, subject->scene) : STATUS_OK;
}

static FigureTrace trace_of(const Session *session, unsigned layers) {
    const Request *request = session->request;
    const Stage *stage = pipeline_stage(session->pipeline, pipeline_find_stage(session->pipeline, &op_trace));
    FigureTrace trace = {.device = session->device,
                         .job = *trace_job(stage),
                         .exposure = (float)exp2(session_exposure(session)),
                         .layers = layers,
                         .shadow = request->style.shadow > 0,
                         .stop = session->stop};
    trace.job.scene = session->figure->lit;
    trace.job.camera = request->orbit_camera.camera;
    trace.job.part = (Part){0};
    trace.job.owned = NULL;
    trace.job.sampling.first = 0;
    trace.job.sampling.samples = session->progressive.done;
    return trace;
}

/* The masks of other samples, or of another exposure, go. */
static Status trace_parts(Session *session, const FigureTrace *trace) {
    FigureView *view = session->figure;
    const Shape shape = view->light->view.shape;
    const bool same_light = view->samples == trace->job.sampling.samples && !(view->exposure < trace->exposure) &&
                            !(view->exposure > trace->exposure);
    if (view->parts.mask && !shape_equal(view->parts.mask->view.shape, shape))
        figure_parts_free(&view->parts);
    if (!same_light) {
        image_destroy(&view->parts.mask);
        image_destroy(&view->parts.past);
    }
    view->samples = trace->job.sampling.samples;
    view->exposure = trace->exposure;
    return figure_parts_trace(trace, shape.width, shape.height, &view->parts);
}

static Status make_figure(Session *session, const FigureTrace *trace, const Figure *figure) {
    const FigureView *view = session->figure;
    TRY(trace_parts(session, trace));
    return figure_of_light(trace, &view->parts, figure, view->light->view, view->picture->view);
}

/* Words go on the result, behind the filters. */
static Status draw_words(Session *session, const Annotations *wanted) {
    const Backend *backend = session->device->backend;
    const Frame result = pipeline_result(session->pipeline);
    const Shape light = session->figure->light->view.shape;
    Queue *queue = pipeline_queue(session->pipeline);
    Image *image;
    if (!(wanted->box || wanted->axes || wanted->bar) || result.shape.width != light.width ||
        result.shape.height != light.height)
        return STATUS_OK;
    TRY(image_create_unfilled(result.shape, &image));
    Status status = pipeline_download(session->pipeline, image->view);
    pass_legend(session->subject, session->figure->lit);
    if (status == STATUS_OK)
        status = annotate(wanted, session->figure->lit, &session->request->orbit_camera.camera,
                          &session->figure->parts.layers, image->view);
    if (status == STATUS_OK)
        status = backend->upload(queue, image->view, result);
    if (status == STATUS_OK)
        status = backend->sync(queue);
    image_destroy(&image);
    return status;
}

/* Whether a draft will do: the figure comes once hands rest. */
static bool drafts(const Session *session) {
    const Progressive *progressive = &session->progressive;
    return progressive->coarse > 1 || progressive->done == 0 || session_moves(session) ||
           (!progressive_complete(progressive) && clock_ms() < session->measure_at);
}

Status figure_view_show(Session *session, Spans *spans) {
    FigureView *view = session->figure;
    const FigureStyle style = figure_view_style(session->subject, session->request->style);
    const Annotations words = annotations_of_style(&style);
    const Figure figure = figure_of_style(&session->request->style);
    const FigureTrace trace = trace_of(session, figure_layers(&figure) | annotations_layers(&words));
    const Shape shape = pipeline_unfiltered_shape(session->pipeline);
    TRY(fit_image((Shape){shape.width, shape.height, 3, PIXEL_F32}, &view->light));
    TRY(fit_image(shape, &view->picture));
    TRY(figure_light_shown(&session->progressive, view->light->view, spans));
    view->draft = drafts(session);
    const double start = clock_ms();
    TRY(view->draft ? figure_draft(&trace, &figure, view->light->view, view->picture->view)
                    : make_figure(session, &trace, &figure));
    spans_add(spans, "figure", start, clock_ms());
    TRY(figure_filtered(session->pipeline, view->picture->view, spans));
    return view->draft ? STATUS_OK : draw_words(session, &words);
}
