/* shown.c: the picture or scene that is shown, and the other side that it is compared with. */
#include "app/view/session/session.h"

#include "core/scene/look.h"

#include <math.h>

/* Marks serials of frames before the filters; those of pictures and of kept results have other first bits. */
#define UNFILTERED_SERIAL (1u << 29)

const Image *session_picture(const Session *session) {
    const Subject *subject = session->request.subject;
    return subject ? subject->picture : NULL;
}

const Scene *session_scene(const Session *session) {
    const Subject *subject = session->request.subject;
    return subject ? subject->scene : NULL;
}

Shape session_shape(const Session *session) {
    const Subject *subject = session->request.subject;
    return subject ? subject->kind->shape(subject, session->wishes.width, session->wishes.height) : (Shape){0};
}

Shape session_shown_shape(const Session *session) {
    return session->pipeline ? pipeline_result_shape(session->pipeline) : session_shape(session);
}

double session_exposure(const Session *session) {
    const Subject *subject = session->request.subject;
    return subject ? subject->exposure : 0;
}

const Level *session_level(const Session *session) {
    if (!session->pipeline || pipeline_stage_count(session->pipeline) == 0)
        return NULL;
    return pipeline_level(session->pipeline, pipeline_main_stage(session->pipeline));
}

bool session_gathers(const Session *session) {
    return session_scene(session) && look_is_light(session->request.look);
}

bool session_moves(const Session *session) {
    return session_scene(session) && session->motion.on;
}

Measurement session_measurement(const Session *session) {
    const Request *request = &session->request;
    const Subject *subject = request->subject;
    return (Measurement){.device = session->device,
                         .device_index = session->device->backend->host_frames ? 0 : request->device,
                         .chain = request->chain,
                         .set_aside = request->set_aside,
                         .options = request_options(request),
                         .picture = subject->picture ? subject->picture->view : (ImageView){.stride = 0},
                         .scene = subject->scene,
                         .camera = request->orbit_camera.camera,
                         .look = request->look,
                         .gathering = request->gathering,
                         .exposure = (float)exp2(subject->exposure),
                         .shape = session_shape(session)};
}

/* ---- the frame before the filters ---- */

static bool compares(const Session *session) {
    return session->wishes.other_side && !session->wishes.kept;
}

/* The serial of the oldest result whose frame suffices: a comparison needs the latest, thumbnails and curves any since
 * they were asked for. */
static unsigned since(const Session *session) {
    return compares(session) || session->wishes.since == 0 ? session->result_serial : session->wishes.since;
}

static bool wanted(const Session *session) {
    return compares(session) || session->wishes.unfiltered;
}

bool session_wants_unfiltered(const Session *session) {
    return session_scene(session) && wanted(session);
}

bool session_unfiltered_due(const Session *session) {
    return session->on_device && session_wants_unfiltered(session) &&
           (int)(session->unfiltered_of - since(session)) < 0;
}

/* A new image each time: others may look at the one before. Where that fails, it is not tried again. */
Status session_fetch_unfiltered(Session *session) {
    const Frame frame = pipeline_unfiltered(session->pipeline);
    image_destroy(&session->unfiltered);
    session->unfiltered_of = session->result_serial;
    TRY(image_create_unfilled(frame.shape, &session->unfiltered));
    const Status status =
        session->device->backend->download(pipeline_queue(session->pipeline), frame, session->unfiltered->view);
    if (status != STATUS_OK)
        image_destroy(&session->unfiltered);
    return status;
}

Image *session_unfiltered(const Session *session, unsigned *serial) {
    const Subject *subject = session->request.subject;
    *serial = subject && subject->picture ? subject->serial : UNFILTERED_SERIAL | session->unfiltered_of;
    if (!subject || subject->picture)
        return subject ? subject->picture : NULL;
    return wanted(session) && (int)(session->unfiltered_of - since(session)) >= 0 ? session->unfiltered : NULL;
}

/* ---- the other side ---- */

const Image *session_source(const Session *session, unsigned *serial) {
    const Wishes *wishes = &session->wishes;
    const Image *unfiltered = session_unfiltered(session, serial);
    *serial = wishes->kept ? wishes->kept_serial : *serial;
    return wishes->kept ? wishes->kept : unfiltered;
}

const Difference *session_difference(const Session *session) {
    unsigned serial;
    const bool current = session_source(session, &serial) && session->difference_of_source == serial &&
                         session->difference_of_result == session->result_serial;
    return current ? &session->difference : NULL;
}
