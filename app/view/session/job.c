/* job.c: the job that a session shows: its subject, its shape and its level. */
#include "app/view/session/session.h"

#include "app/view/session/figure_view.h"
#include "core/scene/look.h"

#include <math.h>

const Image *session_picture(const Session *session) {
    const Subject *subject = session->subject;
    return subject ? subject->picture : NULL;
}

const Scene *session_scene(const Session *session) {
    const Subject *subject = session->subject;
    return subject ? subject->scene : NULL;
}

Shape session_shape(const Session *session) {
    const Subject *subject = session->subject;
    Shape shape = subject ? subject->kind->shape(subject, session->wishes.width, session->wishes.height) : (Shape){0};
    if (session_makes_figure(session) && figure_style_is_clear(&session->request->style))
        shape.channels = 4;
    return shape;
}

Shape session_shown_shape(const Session *session) {
    return session->pipeline ? pipeline_result_shape(session->pipeline) : session_shape(session);
}

double session_exposure(const Session *session) {
    const Subject *subject = session->subject;
    return subject ? subject->exposure : 0;
}

const Level *session_level(const Session *session) {
    if (!session->pipeline || pipeline_stage_count(session->pipeline) == 0)
        return NULL;
    return pipeline_level(session->pipeline, pipeline_main_stage(session->pipeline));
}

bool session_gathers(const Session *session) {
    return session_scene(session) && look_is_light(session->request->look);
}

bool session_has_clock(const Session *session) {
    return !session->device->backend->timeless;
}

bool session_moves(const Session *session) {
    return session_scene(session) && session->motion.on;
}

Chain session_carried(const Session *session) {
    Chain carried = chain_without(session->chain, session->request->set_aside);
    carried.count = session->misfit > 0 ? session->misfit - 1 : carried.count;
    return carried;
}

Measurement session_measurement(const Session *session) {
    const Request *request = session->request;
    const Subject *subject = session->subject;
    const Shape shape = session_shape(session), shown = session_shown_shape(session);
    PlanOptions options = request_options(request, subject);
    options.device = session->device;
    return (Measurement){.device = session->device,
                         .device_index = session->device->backend->host_frames ? 0 : request->device,
                         .chain = session->chain,
                         .set_aside = request->set_aside,
                         .misfit = session->misfit,
                         .options = options,
                         .picture = subject->picture ? subject->picture->view : (ImageView){.stride = 0},
                         .scene = subject->scene,
                         .camera = request->orbit_camera.camera,
                         .look = request->look,
                         .gathering = request->gathering,
                         .exposure = (float)exp2(subject->exposure),
                         .shape = shape,
                         .scales = shown.width != shape.width || shown.height != shape.height};
}
