/* metrics.c: figures and spans of the job that is shown. */
#include "app/view/session/session.h"

#include "app/view/data/shared.h"

#include <math.h>
#include <string.h>

#define BEST_APART 100 /* hardly more, in arithmetic a second: the best levels of two operations on one device */

/* In the order in which the overlay lists them; stages stand where the empty name does. */
static size_t rank_of(const char *name, bool stage) {
    static const char *const names[] = {"decode", "upload", "move",   "gravity", "",     "download", "map",
                                        "write",  "unmap",  "update", "present", "draw", "overlay",  "swap"};
    size_t rank = 0;
    while (rank < sizeof names / sizeof names[0] && strcmp(names[rank], stage ? "" : name) != 0)
        rank++;
    return rank;
}

static SpanHistory *add_span(Session *session, const char *name, bool stage) {
    size_t at = session->span_count;
    if (session->span_count == SPANS_MAX)
        return NULL;
    while (at > 0 && rank_of(session->spans[at - 1].name, session->spans[at - 1].stage) > rank_of(name, stage))
        at--;
    memmove(session->spans + at + 1, session->spans + at, (session->span_count++ - at) * sizeof session->spans[0]);
    session->spans[at] = (SpanHistory){.name = name, .stage = stage};
    return &session->spans[at];
}

static SpanHistory *span_named(Session *session, const char *name, bool stage) {
    for (size_t i = 0; i < session->span_count; i++)
        if (strcmp(session->spans[i].name, name) == 0)
            return &session->spans[i];
    return add_span(session, name, stage);
}

/* Before a change: a snapshot may show the spans as they are. False if memory is short. */
static bool own_spans(Session *session) {
    SpanHistory *own = shared_own(session->spans, session->span_count * sizeof *own);
    session->spans = own ? own : session->spans;
    return own != NULL;
}

void session_record_span(Session *session, const char *name, double ms, bool stage) {
    SpanHistory *span = own_spans(session) ? span_named(session, name, stage) : NULL;
    if (!span)
        return;
    span->stage = stage;
    span->at = clock_ms();
    history_add(&span->history, ms);
}

void session_record(Session *session, const char *name, double ms) {
    session_record_span(session, name, ms, false);
    profile_trace_add(session->wishes.profile_trace, TRACK_MAIN, name, NULL, clock_ms() - ms, ms);
}

static void forget_run(Session *session) {
    session->totals = (History){0};
    session->facts = (LaunchFacts){0};
    session->has_card = session->card_known = false;
    session->span_count = own_spans(session) ? session->span_count : 0;
    for (size_t i = 0; i < session->span_count; i++)
        session->spans[i].at = 0;
}

/* The profile has got them when they were. */
void session_clear_spans(Session *session) {
    const Subject *subject = session->subject;
    session->span_count = 0;
    if (subject && subject->picture)
        session_record_span(session, "decode", subject->decode_ms, false);
    if (subject && subject->picture && session->uploaded)
        session_record_span(session, "upload", session->upload_ms, false);
    forget_run(session);
}

void session_clear_stages(Session *session) {
    size_t kept = 0;
    session->span_count = own_spans(session) ? session->span_count : 0;
    for (size_t i = 0; i < session->span_count; i++)
        if (!session->spans[i].stage)
            session->spans[kept++] = session->spans[i];
    session->span_count = kept;
    forget_run(session);
}

Figures session_figures(const Session *session) {
    const Pipeline *pipeline = session->pipeline;
    const Yardsticks *yardsticks = &session->measured.yardsticks;
    Figures figures = {.ms = history_median(&session->totals)};
    const bool clock = session_has_clock(session);
    if (!session_level(session) || (session->totals.count == 0 && clock))
        return (Figures){0};
    const Shape shape = pipeline_result_shape(pipeline);
    const double ms = fmax(figures.ms, 1e-6);
    Cost cost = {0};
    for (size_t i = 0; i < pipeline_stage_count(pipeline); i++) {
        const Cost part = stage_cost(pipeline_stage(pipeline, i));
        cost.bytes += part.bytes;
        cost.flops += part.flops;
    }
    if (!clock)
        return (Figures){.bytes = cost.bytes, .flops = cost.flops};
    figures.mpixels = (double)shape.width * (double)shape.height / ms / 1e3;
    figures.gigabytes = cost.bytes / ms / 1e6;
    figures.bytes = cost.bytes;
    if (!session_gathers(session)) /* the ways of rays of light, and so their cost, show as they are traced */
        figures.flops = cost.flops;
    figures.gigaflops = figures.flops / ms / 1e6;
    figures.bandwidth = yardsticks->copies.rate / 1e9;
    figures.copies = ms * 1e6 * figures.bandwidth / cost.bytes;
    const Timing lowest = session_lowest_time(session);
    const bool is_lowest = yardsticks->lowest_level == session_level(session);
    if (lowest.known)
        figures.speedup = is_lowest ? 1 : lowest.ms / ms;
    figures.speedup_estimated = lowest.estimated && !is_lowest;
    figures.unsteady = runs_disagree(&session->measured.runs) || (lowest.unsteady && !is_lowest);
    return figures;
}

/* The place of a level's times; LEVELS_MAX: it has none. */
static size_t level_place(const Session *session, const Level *level) {
    const Backend *backend = session->device->backend;
    size_t place = 0;
    while (place < LEVELS_MAX && level_at(backend, place) && level_at(backend, place) != level)
        place++;
    return level_at(backend, place) ? place : LEVELS_MAX;
}

Timing session_level_time(const Session *session, const Level *level) {
    const size_t place = level_place(session, level);
    return place < LEVELS_MAX ? session->measured.level_times[place] : (Timing){0};
}

Timing session_lowest_time(const Session *session) {
    const Level *level = session->measured.yardsticks.lowest_level;
    return level ? session_level_time(session, level) : (Timing){0};
}

void session_note_level_time(Session *session, const Level *level, Timing timing) {
    const size_t place = level_place(session, level);
    Timing *known = place < LEVELS_MAX ? &session->measured.level_times[place] : NULL;
    if (known && timing.known && (!timing.estimated || !known->known || known->estimated))
        *known = timing;
}

static double pipeline_flops(const Pipeline *pipeline) {
    double flops = 0;
    for (size_t i = 0; i < pipeline_stage_count(pipeline); i++)
        flops += stage_cost(pipeline_stage(pipeline, i)).flops;
    return flops;
}

static bool takes_best(const Session *session) {
    return strcmp(session->request->level, "best") == 0;
}

static bool same_levels(const Pace *a, const Pace *b) {
    return a->count == b->count && memcmp(a->levels, b->levels, a->count * sizeof a->levels[0]) == 0;
}

static bool same_operations(const Pace *a, const Pace *b) {
    bool same = a->count == b->count;
    for (size_t i = 0; i < a->count && same; i++)
        same = a->levels[i]->op == b->levels[i]->op;
    return same;
}

static Pace pace_of(const Session *session, double ms) {
    const Pipeline *pipeline = session->pipeline;
    Pace pace = {.ms = ms,
                 .backend = session->device->backend,
                 .shape = pipeline_result_shape(pipeline),
                 .flops = pipeline_stage_count(pipeline) <= PACE_MAX ? pipeline_flops(pipeline) : 0,
                 .best = takes_best(session)};
    for (size_t i = 0; i < pipeline_stage_count(pipeline) && i < PACE_MAX; i++)
        pace.levels[pace.count++] = pipeline_level(pipeline, i);
    return pace;
}

static void note_pace(Session *session, double ms) {
    Pace *paces = session->paces;
    const Pace pace = pace_of(session, ms);
    size_t at = 0;
    while (at + 1 < PACES && !same_levels(&paces[at], &pace))
        at++;
    memmove(paces + 1, paces, at * sizeof *paces);
    paces[0] = pace;
}

double session_paced_ms(const Session *session, double *max) {
    const Pace now = pace_of(session, 0);
    *max = 0;
    for (size_t i = 0; i < PACES; i++) {
        const Pace *pace = &session->paces[i];
        if (!(pace->flops > 0 && now.flops > 0) || pace->backend != now.backend || !shape_equal(pace->shape, now.shape))
            continue;
        const double ms = pace->ms * fmax(now.flops / pace->flops, 1);
        const bool best = pace->best && now.best;
        if (same_levels(pace, &now) || (best && same_operations(pace, &now))) {
            *max = ms;
            return ms;
        }
        *max = *max > 0 || !best ? *max : BEST_APART * ms;
    }
    return 0;
}

void session_note_times(Session *session) {
    const Level *level = session_level(session);
    if (!level)
        return;
    const double ms = history_median(&session->totals);
    note_pace(session, ms);
    session_note_level_time(session, level,
                            (Timing){.known = true, .ms = ms, .unsteady = runs_disagree(&session->measured.runs)});
    for (size_t i = 0; i < backend_count() && i < BACKENDS_MAX; i++)
        if (backend_at(i) == session->device->backend)
            session->measured.sides[i] = (BackendTime){level, ms};
}
