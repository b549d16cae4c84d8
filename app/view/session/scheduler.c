/* scheduler.c: one piece of work after the other: runs, light that is gathered, measurements. */
#include "app/view/session/aligned.h"
#include "app/view/session/flip_errors.h"
#include "app/view/session/front.h"
#include "app/view/session/structure.h"
#include "app/view/session/tool.h"
#include "app/view/session/work.h"

#include "core/run/simulation.h"
#include "core/scene/look.h"

#include <math.h>
#include <string.h>

enum {
    SETTLING_RUNS = 15, /* after a change, so that medians mean something */
    MEDIAN_RUNS = 3,    /* the fewest that have one */
};
#define SETTLING_MS 400.0 /* runs that have taken this long together suffice if there are MEDIAN_RUNS */

/* ---- results ---- */

static bool staged(const Session *session) {
    return session->pipeline && pipeline_stage_count(session->pipeline) > 0;
}

/* Whether it is about a job with stages, which has run; without a clock, on its visible part at least. */
static bool has_run(const Session *session) {
    const bool shown = session_has_clock(session) ? session->totals.count > 0
                                                  : structure_holds(session) || (session->on_device && !session->stale);
    return staged(session) && shown;
}

/* Others look at bodies that have stopped. */
static bool bodies_due(const Session *session) {
    return !session_moves(session) && simulation_is_ahead(session->simulation);
}

static bool run_due(const Session *session) {
    return session->stale && !session->halted && !structure_holds(session);
}

static Status run_once(Session *session) {
    const Status status = session_run(session);
    session->settled = status != STATUS_OK;
    session_delay(session, REST_MS);
    return status;
}

/* The first sample behind a preview. */
static bool first_light_due(const Session *session) {
    return staged(session) && session_gathers(session) && !session_moves(session) && session->totals.count == 0 &&
           session_has_clock(session);
}

static bool rungs_due(const Session *session) {
    return session->rungs_due;
}

static Status note_rungs(Session *session) {
    session_note_rungs(session);
    return STATUS_OK;
}

/* Whether the median is one: of SETTLING_RUNS, of fewer that have taken long, or of none where a run takes very long.
 */
static bool has_median(const Session *session) {
    const History *totals = &session->totals;
    const double ms = history_median(totals);
    return totals->count >= SETTLING_RUNS || ms > SLOW_MS ||
           (totals->count >= MEDIAN_RUNS && ms * (double)totals->count > SETTLING_MS);
}

static bool runs_are_few(const Session *session) {
    return session_has_clock(session) && has_run(session) && !session->settled && !session->wishes.held &&
           !session->wishes.measuring && !session_moves(session) && !session_gathers(session) && !has_median(session);
}

/* Whether changes run a part of the chain alone. */
static bool is_parted(const Session *session) {
    return session->front.of_job == session->job_serial && session->front.cut > 0;
}

static bool median_due(const Session *session) {
    return !is_parted(session) && runs_are_few(session);
}

/* Runs of the whole chain would keep a change behind the kept frame waiting. */
static bool late_median_due(const Session *session) {
    return is_parted(session) && runs_are_few(session);
}

static Status run_again(Session *session) {
    const Status status = session_time_run(session);
    session->settled = status != STATUS_OK;
    return status;
}

static bool light_due(const Session *session) {
    return has_run(session) && session_gathers(session) && !session_moves(session) && !session->halted &&
           !progressive_complete(&session->progressive);
}

/* ---- tools ---- */

static const ToolKind *due_tool(const Session *session, bool late, bool soon) {
    for (size_t i = 0; i < tool_count; i++) {
        const ToolKind *tool = tool_kinds[i];
        bool (*const due)(const Session *) = soon ? tool->soon : tool->due;
        if (due && tool->late == late && due(session))
            return tool;
    }
    return NULL;
}

static bool tool_due_soon(const Session *session) {
    return due_tool(session, false, true) != NULL;
}

static Status serve_tool_soon(Session *session) {
    return due_tool(session, false, true)->measure(session);
}

static bool tool_due(const Session *session) {
    return due_tool(session, false, false) != NULL;
}

static Status serve_tool(Session *session) {
    return due_tool(session, false, false)->measure(session);
}

static bool late_tool_due(const Session *session) {
    return has_run(session) && due_tool(session, true, false);
}

static Status serve_late_tool(Session *session) {
    return due_tool(session, true, false)->measure(session);
}

/* ---- the order ---- */

static const Work *due_measurement(const Session *session) {
    const bool clock = session_has_clock(session);
    const bool ran = has_run(session);
    for (size_t i = 0; i < measurement_count; i++)
        if ((clock || !measurements[i].needs_clock) && (ran || measurements[i].of_sides) &&
            measurements[i].due(session))
            return &measurements[i];
    return NULL;
}

static bool measurement_due(const Session *session) {
    return due_measurement(session) != NULL;
}

static Status measure(Session *session) {
    return due_measurement(session)->run(session);
}

static bool kernel_due(const Session *session) {
    return has_run(session) && judgement_of_kernel_due(session);
}

static const Work works[] = {
    {bodies_due, session_settle_bodies, false, false, false},
    {run_due, run_once, false, false, false},
    {kernel_due, judge_level, false, false, false},
    {first_light_due, session_run, false, false, false},
    {rungs_due, note_rungs, false, false, false},
    {session_unfiltered_due, session_fetch_unfiltered, false, false, false},
    {aligned_due, aligned_make, false, false, false},
    {flip_errors_due, flip_errors_make, false, false, false},
    {tool_due_soon, serve_tool_soon, false, false, false},
    {tool_due, serve_tool, true, false, false},
    {median_due, run_again, false, false, false},
    {late_median_due, run_again, true, false, false},
    {measurement_due, measure, true, false, false},
    {front_keep_due, front_keep, true, false, false},
    {late_tool_due, serve_late_tool, true, false, false},
    {light_due, session_run, false, false, false},
};
enum { WORKS = sizeof works / sizeof works[0] };

/* Does one piece of the work that is due, besides endless measuring and moving; false if none is. Measurements `wait`
 * until the user's hands rest. */
static bool do_due(Session *session, bool wait, Status *status) {
    *status = session_end_run(session);
    if (!session->pipeline || *status != STATUS_OK)
        return *status != STATUS_OK;
    const bool rested = !wait || clock_ms() >= session->measure_at;
    for (size_t i = 0; i < WORKS; i++)
        if ((rested || !works[i].needs_rest) && works[i].due(session)) {
            *status = works[i].run(session);
            return true;
        }
    return false;
}

void session_delay(Session *session, double ms) {
    session->measure_at = fmax(session->measure_at, clock_ms() + ms);
}

double session_waits_ms(const Session *session) {
    for (size_t i = 0; i < WORKS && session->pipeline; i++)
        if (works[i].needs_rest && works[i].due(session))
            return fmax(session->measure_at - clock_ms(), 0);
    return -1;
}

Status session_work(Session *session, bool *worked) {
    Status status;
    session_aim(session);
    const bool stale = session->stale;
    *worked = do_due(session, true, &status);
    const bool endless = session_moves(session) ? !stale
                                                : session->wishes.measuring && !*worked &&
                                                      session_has_clock(session); /* measurements stop no motion */
    if (status == STATUS_OK && endless && session->pipeline) {
        status = session_run(session);
        *worked = true;
    }
    if (status == STATUS_INTERRUPTED) { /* the device's frames are worth nothing */
        session->stale = true;
        session->on_device = false;
        *worked = true;
    } else if (status != STATUS_OK) {
        session->motion.on = false;
    }
    return status;
}

double session_expected_ms(Session *session) {
    const Level *level = session_level(session);
    if (!session->stale || session->halted || !level || session_gathers(session))
        return 0;
    if (!session_has_clock(session))
        return structure_expected_ms(session);
    const Timing known = session_level_time(session, level);
    const double spared = front_spares_ms(session);
    if (known.known)
        return fmax(known.ms - spared, 0);
    double max;
    const double paced = session_paced_ms(session, &max);
    if ((paced > 0 && paced - spared < SLOW_MS / 2) || (max > 0 && max - spared < SLOW_MS / 2))
        return fmax(paced - spared, 0);
    const Measurement job = session_measurement(session);
    Timing timing;
    if (measurement_time(&job, session->request->level, YARDSTICK_MS, SLOW_MS / 2, &timing) != STATUS_OK)
        return paced; /* the run itself will say why */
    session_note_level_time(session, level, timing);
    return fmax(timing.ms - spared, 0);
}

/* ---- to the end ---- */

/* The samples that a save waits for, or that were asked for, or else as many as suit the look. */
static uint32_t enough_samples(const Session *session) {
    if (session->wishes.samples > 0)
        return session->wishes.samples;
    const uint32_t asked = (uint32_t)session->request->gathering.samples;
    return asked != (uint32_t)gathering_default().samples ? asked : looks[session->request->look].samples;
}

Status session_finish(Session *session) {
    Status status = STATUS_OK;
    session->halted = false;
    session->samples = session->progressive.samples = enough_samples(session);
    structure_stand_in(session);
    while (status == STATUS_OK && do_due(session, false, &status))
        continue;
    session->samples = session->progressive.samples = (uint32_t)session->request->gathering.samples;
    return status;
}

Status session_gather_enough(Session *session) {
    Spans unrecorded = {0};
    session->samples = session->progressive.samples = enough_samples(session);
    Status status = session->stale || !session->has_result ? session_run(session) : STATUS_OK;
    while (status == STATUS_OK && !progressive_complete(&session->progressive))
        status = session_run(session);
    session->samples = session->progressive.samples = (uint32_t)session->request->gathering.samples;
    return status == STATUS_OK && !session->shown ? session_show_light(session, &unrecorded) : status;
}
