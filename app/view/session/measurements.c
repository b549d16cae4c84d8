/* measurements.c: figures of the job that is shown, each in bounded time. */
#include "app/view/session/aligned.h"
#include "app/view/session/flip_errors.h"
#include "app/view/session/structure.h"
#include "app/view/session/work.h"

#include "core/base/stop.h"
#include "core/device/added.h"

#include <math.h>

enum {
    DIFFERENCE_ROWS = 8,
    ROUNDS = 8,    /* of a race, at most */
    ESTIMATES = 3, /* of a time, in a race */
};
#define LANE_MS         200.0  /* for a level of a race */
#define SPREAD_MAX      0.02   /* of a time, that half its interval may be */
#define COMPARED_PIXELS 4096.0 /* of a level, with the reference */
#define AGAIN_MS        500.0  /* before a disturbed figure is measured again */

/* The traffic that the shown level reaches, to be compared with the ceilings. */
static double reached_bytes(const Session *session) {
    return session_figures(session).gigabytes * 1e9;
}

/* The highest dot of the roofline. */
static double reached_flops(const Session *session) {
    const Figures figures = session_figures(session);
    double min = figures.ms;
    for (size_t i = 0; level_at(session->device->backend, i) && i < LEVELS_MAX; i++)
        if (session->measured.level_times[i].known)
            min = fmin(min, session->measured.level_times[i].ms);
    return figures.flops / fmax(min, 1e-6) * 1e3;
}

static bool copies_due(const Session *session) {
    return ceiling_doubtful(&session->measured.yardsticks.copies, reached_bytes(session));
}

/* A figure that was measured while the machine was busy is measured again when that may have passed. */
static Status measured(Session *session, const Ceiling *ceiling, Status status) {
    if (ceiling->busy)
        session->measure_at = clock_ms() + AGAIN_MS;
    return status;
}

static Status measure_copies(Session *session) {
    Ceiling *copies = &session->measured.yardsticks.copies;
    const Status status =
        ceiling_measure_copies(pipeline_queue(session->pipeline), pipeline_result_shape(session->pipeline), copies);
    copies->tries = status == STATUS_OK ? copies->tries : CEILING_TRIES;
    return measured(session, copies, STATUS_OK);
}

static bool difference_due(const Session *session) {
    char why[160];
    unsigned serial;
    PlacedPart part;
    if (aligned_needed(session))
        return true;
    const bool can = session->wishes.compares && session->on_device && !session->stale &&
                     aligned_source(session, &serial, &part) && !aligned_why_not(session, why, sizeof why)[0];
    return can && (!session_difference(session) || session->difference.row < part.height);
}

/* Compares by sums, then as many rows as there is time for, until it is asked to stop. */
static Status compare_rows(Session *session) {
    unsigned serial;
    PlacedPart part;
    const Queue *queue = pipeline_queue(session->pipeline);
    const double start = clock_ms();
    if (aligned_needed(session))
        return aligned_make(session);
    TRY(session_fetch(session));
    const ImageView all = aligned_source(session, &serial, &part)->view;
    const ImageView source = view_crop(all, part.x, part.y, part.width, part.height);
    const ImageView result = view_crop(session->result->view, part.x, part.y, part.width, part.height);
    if (!session_difference(session)) {
        const Status status = likeness_of(pipeline_queue(session->pipeline), source, result, &session->likeness);
        if (status == STATUS_INTERRUPTED)
            return STATUS_OK; /* it is still due, and the result has not changed */
        if (status != STATUS_OK)
            session->likeness = (Likeness){NAN, NAN, NAN}; /* without these figures the others are still worth having */
        session->difference = (Difference){0};
    }
    session->difference_of_result = session->result_serial;
    session->difference_of_source = serial;
    session->compared = part;
    while (difference_go_on(&session->difference, source, result, DIFFERENCE_ROWS) &&
           clock_ms() - start < YARDSTICK_MS && !queue_stops(queue))
        continue;
    return STATUS_OK;
}

static Status measure_difference(Session *session) {
    Stop *stop = session->stop;
    atomic_store(&stop->gives_way, true);
    const Status status = compare_rows(session);
    atomic_store(&stop->gives_way, false);
    return status;
}

static bool lowest_due(const Session *session) {
    return !session->measured.yardsticks.unmeasurable && !session_lowest_time(session).known;
}

static Status measure_lowest(Session *session) {
    Yardsticks *yardsticks = &session->measured.yardsticks;
    const Measurement job = session_measurement(session);
    Timing timing;
    yardsticks->lowest_level = lowest_level(session->device, session->pipeline);
    yardsticks->unmeasurable = !yardsticks->lowest_level || measurement_time(&job, yardsticks->lowest_level->name,
                                                                             YARDSTICK_MS, 0, &timing) != STATUS_OK;
    if (!yardsticks->unmeasurable)
        session_note_level_time(session, yardsticks->lowest_level, timing);
    return STATUS_OK;
}

/* Without a figure the roofline has no roof, and that is all. */
static bool peak_due(const Session *session) {
    return ceiling_doubtful(&session->peak, reached_flops(session));
}

static Status measure_peak(Session *session) {
    const Status status = ceiling_measure_flops(pipeline_queue(session->pipeline), &session->peak);
    session->peak.tries = status == STATUS_OK ? session->peak.tries : CEILING_TRIES;
    return measured(session, &session->peak, STATUS_OK);
}

static bool trace_stats_due(const Session *session) {
    return session_scene(session) && !session->measured.trace_stats_tried && !session_moves(session);
}

static Status count_rays(Session *session) {
    const Measurement job = session_measurement(session);
    session->measured.trace_stats_tried = true;
    return measurement_count_rays(&job, YARDSTICK_MS, history_median(&session->totals), &session->measured.trace_stats,
                                  &session->measured.trace_stats_estimated);
}

/* Whether the time of a lane is known as well as can be. */
static bool lane_settled(const Session *session, const LevelRaceLane *lane) {
    const Timing known = session_level_time(session, lane->level);
    return lane->why_not || (known.known && known.estimated && lane->estimates >= ESTIMATES) ||
           trials_interval(&lane->trials) <= SPREAD_MAX * trials_mean(&lane->trials);
}

static bool race_due(const Session *session) {
    const LevelRace *race = &session->measured.race;
    bool settled = true;
    for (size_t i = 0; i < race->count; i++)
        settled &= lane_settled(session, &race->lanes[i]);
    settled |= !session_has_clock(session);
    return session->wishes.racing &&
           (race->count == 0 || race->next < race->count || (!settled && race->round + 1 < ROUNDS));
}

static void start_race(Session *session) {
    LevelRace *race = &session->measured.race;
    if (session->rungs_due)
        session_note_rungs(session);
    *race = (LevelRace){.count = session->rung_count};
    for (size_t i = 0; i < race->count; i++)
        race->lanes[i] =
            (LevelRaceLane){.level = session->rungs[i].level, .why_not = session->rungs[i].why_not, .error = -1};
}

/* The current rung may be the best for the main stage and still not be able to do another one. */
static const char *lane_level(const Session *session, const Level *level) {
    return level_why_not(session->device, session->pipeline, level) ? "best" : level->name;
}

/* The pixels that the reference has time for; 0 where that is not known, and of light, which is not the same twice. */
static double compared_pixels(const Session *session, const Measurement *job) {
    return session_gathers(session)
               ? 0
               : fmin(measurement_reference_pixels(job, session->wishes.comparison_ms), COMPARED_PIXELS);
}

/* Whether the level has time for so many of the job's pixels; a job that has fewer is compared as a whole. */
static bool has_time(const Session *session, const Level *level, const Measurement *job, double pixels) {
    const Timing known = session_level_time(session, level);
    const double all = (double)job->shape.width * (double)job->shape.height;
    if (!session_has_clock(session))
        return pixels >= 1;
    return pixels >= 1 && known.known && known.ms * fmin(pixels / all, 1) <= session->wishes.comparison_ms;
}

/* How far the level is from the reference, which is run once a job. Where that is not to be had, it stays unknown. */
static void compare_lane(Session *session, LevelRaceLane *lane) {
    const Measurement job = session_measurement(session);
    const double pixels = compared_pixels(session, &job);
    ReferencePart *part = &session->reference;
    lane->compared = true;
    if (lane->level == level_reference(lane->level->op)) {
        lane->error = 0;
        return;
    }
    if (!has_time(session, lane->level, &job, pixels) ||
        (part->of != session->job_serial && judge_reference(&job, session->job_serial, pixels, part) != STATUS_OK))
        return;
    (void)judge_error(&job, part, lane_level(session, lane->level), &lane->error);
}

static bool judgement_lacks(const Session *session) {
    return session->measured.judgement.level != session_level(session);
}

bool judgement_of_kernel_due(const Session *session) {
    const Level *level = session_level(session);
    return level && ladder_added(level) && judgement_lacks(session);
}

static bool judgement_due(const Session *session) {
    return (session->wishes.compares || !session_has_clock(session)) && judgement_lacks(session);
}

static void judge(Session *session, const Level *level, Judgement *judgement) {
    const Measurement job = session_measurement(session);
    const double pixels = compared_pixels(session, &job);
    *judgement = (Judgement){.level = level};
    if (has_time(session, level, &job, pixels))
        (void)judge_job(&job, lane_level(session, level), pixels, judgement);
    if (!session_has_clock(session))
        structure_note(session, level, judgement);
}

/* Where a level fails at it, it is not judged, and that is all. */
Status judge_level(Session *session) {
    judge(session, session_level(session), &session->measured.judgement);
    return STATUS_OK;
}

static Status time_lane(Session *session, LevelRaceLane *lane) {
    const Measurement job = session_measurement(session);
    const Timing before = session_level_time(session, lane->level);
    Timing timing;
    TRY(measurement_time(&job, lane_level(session, lane->level), LANE_MS, 0, &timing));
    if (timing.estimated) {
        timing.ms = lane->estimates++ > 0 && before.estimated ? fmin(timing.ms, before.ms) : timing.ms;
    } else {
        trials_add(&lane->trials, timing.ms);
        timing.ms = trials_mean(&lane->trials);
    }
    if (lane->level != session_level(session) || session->measured.race.round == 0) /* the headline's stays */
        session_note_level_time(session, lane->level, timing);
    return STATUS_OK;
}

/* Each rung is judged and counted once. */
static Status count_lane(Session *session) {
    LevelRace *race = &session->measured.race;
    LevelRaceLane *lane = &race->lanes[race->count - 1 - race->next++];
    Judgement judgement;
    if (!lane->why_not && !session_structure(session, lane->level))
        judge(session, lane->level, &judgement);
    if (structure_lacks_counts(session, lane->level))
        TRY(structure_count(session, lane->level));
    const Structure *structure = session_structure(session, lane->level);
    lane->compared = true;
    lane->error = structure && structure->judged ? structure->verdict.worst : -1;
    return STATUS_OK;
}

/* The fastest rungs first: people wait for them. Every rung has a time after the first round. Rungs that it measured in
 * full are not measured again. */
static Status run_lane(Session *session) {
    LevelRace *race = &session->measured.race;
    if (race->count == 0)
        start_race(session);
    if (race->count == 0)
        return fail(STATUS_USAGE, "nothing here has levels to race");
    if (!session_has_clock(session))
        return count_lane(session);
    if (race->next == race->count) {
        race->next = 0;
        race->round++;
    }
    LevelRaceLane *lane = &race->lanes[race->count - 1 - race->next++];
    const Timing known = session_level_time(session, lane->level);
    const bool enough = race->round == 0 ? known.known && !known.estimated : lane_settled(session, lane);
    if (!lane->why_not && !enough)
        TRY(time_lane(session, lane));
    if (!lane->why_not && !lane->compared)
        compare_lane(session, lane);
    return STATUS_OK;
}
static bool counts_due(const Session *session) {
    return structure_lacks_counts(session, session_level(session));
}

static Status count_level(Session *session) {
    return structure_count(session, session_level(session));
}

const Work measurements[] = {
    {difference_due, measure_difference, true, false, true},
    {flip_errors_needed, flip_errors_make, true, false, true},
    {judgement_due, judge_level, true, false, false},
    {counts_due, count_level, false, false, false},
    {copies_due, measure_copies, true, true, false},
    {lowest_due, measure_lowest, true, true, false},
    {peak_due, measure_peak, true, true, false},
    {trace_stats_due, count_rays, true, true, false},
    {race_due, run_lane, true, false, false},
};
const size_t measurement_count = sizeof measurements / sizeof measurements[0];
