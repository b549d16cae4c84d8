/* execution.c: running the pipeline, and bringing its result home. */
#include "app/view/session/front.h"
#include "app/view/session/session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define QUICK_RUN_MS 4.0 /* the window waits for these, as for the change that they follow */

Status session_upload(Session *session) {
    const Image *picture = session_picture(session);
    const double start = clock_ms();
    if (session->uploaded)
        return STATUS_OK;
    if (picture)
        TRY(pipeline_upload(session->pipeline, PIPELINE_PICTURE, picture->view));
    session->uploaded = true;
    session->upload_ms = clock_ms() - start;
    if (picture)
        session_record(session, "upload", session->upload_ms);
    return STATUS_OK;
}

void session_record_run(Session *session, const Spans *spans) {
    const size_t main = pipeline_main_stage(session->pipeline);
    const LaunchFacts *facts = pipeline_facts(session->pipeline, main);
    session->run_count++;
    session->facts = facts ? *facts : (LaunchFacts){0};
    if (!session_has_clock(session))
        return;
    for (size_t i = 0; i < spans->count; i++)
        session_record_span(session, spans->spans[i].name, spans->spans[i].ms, true);
    runs_add(&session->measured.runs, spans_total(spans), session->totals.count == 0);
    history_add(&session->totals, spans_total(spans));
    session_note_times(session);
}

void session_note_card(Session *session, Partition partition) {
    const Pipeline *pipeline = session->pipeline;
    if (session->card_known || pipeline_stage_count(pipeline) == 0)
        return;
    session->partition = partition;
    session->has_card = card_of(pipeline_stage(pipeline, pipeline_main_stage(pipeline)), partition, &session->card);
    session->card_known = true;
}

/* After a run of the pipeline. */
static void note_card(Session *session) {
    const Pipeline *pipeline = session->pipeline;
    if (pipeline_stage_count(pipeline) > 0)
        session_note_card(session, pipeline_partition(pipeline, pipeline_main_stage(pipeline)));
}

Status session_time_run(Session *session) {
    Spans spans = {.profile_trace = session->wishes.profile_trace};
    TRY(session_upload(session));
    pipeline_tell(session->pipeline, session->tells ? session->partial : NULL);
    const Status status = pipeline_run(session->pipeline, &spans);
    pipeline_tell(session->pipeline, NULL);
    TRY(status);
    note_card(session);
    session_record_run(session, &spans);
    return STATUS_OK;
}

static Status make_result(Session *session, Shape shape) {
    image_destroy(&session->result);
    return image_create_unfilled(shape, &session->result);
}

Status session_fetch(Session *session) {
    TRY(session_end_run(session));
    if (session->result && session->result_fetched == session->result_serial)
        return STATUS_OK;
    if (!session->on_device)
        return fail(STATUS_USAGE, "there is no result yet");
    const Shape shape = pipeline_result_shape(session->pipeline);
    const bool fits = session->result && session->result != session->wishes.kept &&
                      shape_equal(session->result->view.shape, shape) && session->result_of == session->subject->serial;
    if (!fits)
        TRY(make_result(session, shape));
    session->result_of = session->subject->serial;
    const double start = clock_ms();
    TRY(pipeline_download(session->pipeline, session->result->view));
    session_record(session, "download", clock_ms() - start);
    session->result_fetched = session->result_serial;
    return STATUS_OK;
}

static void note_result(Session *session) {
    session->has_result = session->on_device = true;
    session->result_job = session->job_serial;
}

/* Notes that a run failed: its result is lost. */
static void lose_result(Session *session, Status status) {
    session->on_device = false;
    if (status == STATUS_INTERRUPTED) {
        session->stale = true;
        return;
    }
    session->has_result = false;
    image_destroy(&session->result); /* it is of another job */
}

/* Whether the run that is due takes no longer than handing it over to another thread would, as far as is known. */
static bool is_quick(const Session *session) {
    const Level *level = session_level(session);
    if (!session->stale || session->halted || !level || session_gathers(session) || session_moves(session))
        return false;
    const Timing known = session_level_time(session, level);
    double max;
    const double ms = known.known ? known.ms : session_paced_ms(session, &max);
    return ms > 0 && ms < QUICK_RUN_MS;
}

bool session_start(Session *session) {
    if (!session->pipeline || !is_quick(session) || !pipeline_can_start(session->pipeline) || !session->uploaded ||
        session->wishes.through_host || session_wants_unfiltered(session) || session_end_run(session) != STATUS_OK)
        return false; /* session_work fails there, too, and says why */
    if (pipeline_start(session->pipeline) != STATUS_OK)
        return false;
    note_result(session);
    session->result_serial++;
    session->runs = true;
    session->stale = session->keeps_light = session->settled = false;
    session_delay(session, REST_MS);
    return true;
}

Status session_end_run(Session *session) {
    Spans spans = {.profile_trace = session->wishes.profile_trace};
    if (!session->runs)
        return STATUS_OK;
    session->runs = false;
    const Status status = pipeline_end(session->pipeline, &spans);
    if (status != STATUS_OK) {
        lose_result(session, status);
        return status;
    }
    note_card(session);
    session_record_run(session, &spans);
    return STATUS_OK;
}

Status session_run(Session *session) {
    if (!session->pipeline)
        return STATUS_OK;
    TRY(session_end_run(session));
    session->on_device = false;
    Status status = session_moves(session) ? session_move_on(session) : session_settle_frames(session);
    const double start = clock_ms();
    if (status == STATUS_OK)
        status = session_gathers(session) ? session_gather(session)
                 : front_due(session)     ? front_run(session)
                                          : session_time_run(session);
    session->refits.samples = session_gathers(session) ? fmax(session->progressive.done, 1) : 1;
    session->refits.sample_ms = (clock_ms() - start) / session->refits.samples;
    session->stale = session->halted = false;
    session->interrupted = status == STATUS_INTERRUPTED;
    session->keeps_light &= session->interrupted;
    if (status == STATUS_OK) {
        note_result(session);
        session->result_serial += !session_gathers(session);
    }
    if (status == STATUS_OK && session->wishes.through_host)
        status = session_fetch(session);
    if (status == STATUS_OK && session_unfiltered_due(session))
        status = session_fetch_unfiltered(session);
    if (status != STATUS_OK)
        lose_result(session, status);
    return status;
}
