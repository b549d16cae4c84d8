/* flip_errors.c: FLIP of the shown sides, on the part where both are. */
#include "app/view/session/flip_errors.h"

#include "app/view/session/aligned.h"
#include "core/base/memory.h"
#include "core/base/stop.h"

#define LIGHT_SHARE 0.2 /* of the time, that errors take while light gathers */

/* The sides that errors are to be made of now. NULL: there are none, or they have no pixel in common. */
static const Image *sides(const Session *session, FlipOf *of) {
    const bool shown = session->on_device && session->result_job == session->job_serial && !session_moves(session);
    char why[160];
    *of = (FlipOf){.result = session->result_serial,
                   .kept = session->wishes.kept_serial,
                   .request = session->request,
                   .samples = session->progressive.done};
    const Image *source = shown ? aligned_source(session, &of->source, &of->part) : NULL;
    return source && of->part.width > 0 && !aligned_why_not(session, why, sizeof why)[0] ? source : NULL;
}

static bool same(const FlipOf *a, const FlipOf *b) {
    return a->source == b->source && a->result == b->result;
}

const FlipErrors *flip_errors_known(const Session *session) {
    const FlipErrors *errors = &session->flip;
    const FlipOf *known = &errors->of;
    FlipOf of;
    if (!errors->map || !sides(session, &of))
        return NULL;
    const bool of_less_light = session_gathers(session) && known->request == of.request && known->kept == of.kept &&
                               known->samples <= of.samples;
    return same(known, &of) || of_less_light ? errors : NULL;
}

/* Whether there is something to make, and it was not found impossible. */
static bool is_missing(const Session *session) {
    const FlipErrors *errors = &session->flip;
    FlipOf of;
    return sides(session, &of) && !(errors->map && same(&errors->of, &of)) &&
           !(errors->refused && same(&errors->making, &of));
}

static bool light_goes_on(const Session *session) {
    return session_gathers(session) && !progressive_complete(&session->progressive);
}

/* Light gathers most of the time. */
bool flip_errors_due(const Session *session) {
    const FlipErrors *errors = &session->flip;
    const bool rests = errors->work || clock_ms() - errors->ended > errors->took_ms / LIGHT_SHARE;
    return session->wishes.flip && is_missing(session) && (rests || !light_goes_on(session));
}

bool flip_errors_needed(const Session *session) {
    return session->wishes.compares && is_missing(session) && !light_goes_on(session);
}

double flip_errors_progress(const Session *session) {
    const FlipErrors *errors = &session->flip;
    FlipOf of;
    if (!sides(session, &of) || !same(&errors->making, &of))
        return 0;
    return errors->refused ? -1 : errors->progress;
}

static void drop_work(FlipErrors *errors) {
    flip_end(&errors->work);
    image_destroy(&errors->made);
    errors->progress = 0;
}

void flip_errors_free(FlipErrors *errors) {
    drop_work(errors);
    image_destroy(&errors->map);
}

static ImageView part_of(ImageView view, PlacedPart part) {
    return view_crop(view, part.x, part.y, part.width, part.height);
}

static Status begin(Session *session, ImageView source, const FlipOf *of) {
    FlipErrors *errors = &session->flip;
    const Shape result = session->result->view.shape, shape = {result.width, result.height, 1, PIXEL_F32};
    const FlipView view = {.ppd = FLIP_PPD, .premultiplied = session->subject->tone.premultiplied};
    drop_work(errors);
    errors->making = *of;
    errors->refused = true;
    errors->took_ms = 0;
    if (!light_goes_on(session)) /* else it is seen until there is another one */
        image_destroy(&errors->map);
    if (memory_fits(memory_product(2, shape_bytes(shape)), "FLIP") != STATUS_OK ||
        image_create(shape, &errors->made) != STATUS_OK ||
        flip_begin(part_of(source, of->part), part_of(session->result->view, of->part), &view,
                   part_of(errors->made->view, of->part), &errors->work) != STATUS_OK)
        drop_work(errors);
    else
        errors->refused = false;
    return STATUS_OK; /* without these figures the others are still worth having */
}

static void finish(FlipErrors *errors) {
    flip_end(&errors->work);
    image_destroy(&errors->map);
    errors->map = errors->made;
    errors->made = NULL;
    errors->of = errors->making;
    errors->figures = flip_figures(part_of(errors->map->view, errors->of.part));
    errors->serial = (errors->serial + 1) | FLIP_SERIAL;
}

static Status make_some(Session *session) {
    FlipErrors *errors = &session->flip;
    const Queue *queue = pipeline_queue(session->pipeline);
    const double start = clock_ms();
    FlipOf of;
    TRY(session_fetch(session));
    const Image *source = sides(session, &of);
    if (!source)
        return STATUS_OK;
    if (!errors->work || !same(&errors->making, &of))
        TRY(begin(session, source->view, &of));
    bool more = errors->work != NULL;
    while (more && (more = flip_go_on(errors->work)) && clock_ms() - start < YARDSTICK_MS && !queue_stops(queue))
        continue;
    if (errors->work) {
        errors->progress = flip_progress(errors->work);
        if (!more)
            finish(errors);
    }
    errors->ended = clock_ms();
    errors->took_ms += errors->ended - start;
    return STATUS_OK;
}

Status flip_errors_make(Session *session) {
    Stop *stop = session->stop;
    atomic_store(&stop->gives_way, true);
    const Status status = make_some(session);
    atomic_store(&stop->gives_way, false);
    return status;
}
