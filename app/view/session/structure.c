/* structure.c: counts instead of times. */
#include "app/view/session/structure.h"

#include "app/listing/listing.h"
#include "app/view/session/near.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HOLD_MS 1000.0 /* of this machine: a run that takes longer waits behind its visible part */

#define MACHINE_CODE 90 /* of Hopper, as `glint explain` has it */

#define TELLING_MS 40.0 /* of the part that tells how long a run takes */

enum { SMALL = 32, LARGE = 128 /* pixels a side of such parts */, AT_ONCE = 160 * 160 /* pixels */ };

static double job_pixels(const Session *session) {
    const Shape shape = pipeline_result_shape(session->pipeline);
    return (double)shape.width * (double)shape.height;
}

bool structure_holds(const Session *session) {
    const Near *near = near_shown(session);
    return !session_has_clock(session) && session->stale && session->pipeline && near &&
           near->of_job == session->job_serial && session->measured.pixel_ms * job_pixels(session) > HOLD_MS;
}

/* ---- how long runs take ---- */

static Status run_small(const Session *session, const Measurement *job, Shape shape) {
    Pipeline *pipeline;
    Spans unrecorded = {0};
    TRY(measurement_open(job, session->request->level, shape, &pipeline));
    pipeline_queue(pipeline)->stop = session->stop;
    const Status status = pipeline_run(pipeline, &unrecorded);
    pipeline_destroy(&pipeline);
    return status;
}

/* By ever larger parts, until one takes long enough to tell, whatever else this machine does. The first run may compile
 * the kernel, or start its process. 0: a run was stopped; below: one failed. */
static double small_pixel_ms(const Session *session) {
    const Measurement job = session_measurement(session);
    double ms = 0, pixels = 1;
    for (size_t side = SMALL; side <= LARGE && ms < TELLING_MS; side *= 2) {
        Shape shape = job.shape;
        shape.width = shape.width < side ? shape.width : side;
        shape.height = shape.height < side ? shape.height : side;
        pixels = (double)shape.width * (double)shape.height;
        Status status = side == SMALL ? run_small(session, &job, shape) : STATUS_OK;
        const double start = clock_ms();
        if (status == STATUS_OK)
            status = run_small(session, &job, shape);
        if (status != STATUS_OK)
            return status == STATUS_INTERRUPTED ? 0 : -1;
        ms = clock_ms() - start;
    }
    return ms / pixels;
}

double structure_expected_ms(Session *session) {
    double *known = &session->measured.pixel_ms;
    if (!session->pipeline || job_pixels(session) <= AT_ONCE)
        return 0;
    if (!(*known > 0) && !(*known < 0))
        *known = small_pixel_ms(session);
    return fmax(*known * job_pixels(session), 0);
}

void structure_stand_in(Session *session) {
    if (session_has_clock(session) || !session->stale || !session->pipeline || structure_holds(session))
        return;
    const Shape shape = pipeline_result_shape(session->pipeline);
    const Sight sight = {1, {0, 0, shape.width, shape.height}, structure_expected_ms(session), true};
    if (sight.expected_ms > HOLD_MS)
        (void)near_make(session, &sight);
}

/* ---- counts ---- */

static Structure *structure_of(Session *session, const Level *level) {
    for (size_t i = 0; i < RUNGS_MAX; i++) {
        Structure *structure = &session->measured.structures[i];
        if (!structure->level || structure->level == level)
            return structure;
    }
    return NULL;
}

const Structure *session_structure(const Session *session, const Level *level) {
    for (size_t i = 0; i < RUNGS_MAX && level; i++)
        if (session->measured.structures[i].level == level)
            return &session->measured.structures[i];
    return NULL;
}

void structure_forget(Session *session) {
    memset(session->measured.structures, 0, sizeof session->measured.structures);
    session->measured.pixel_ms = 0;
}

/* The words of a count by which figures are made. */
typedef double CountOf(const EmulatorCount *count);
static double threads(const EmulatorCount *count) {
    return (double)count->threads_on;
}
static double idle(const EmulatorCount *count) {
    return 32 * (double)count->warps - (double)count->threads_on;
}
static double lanes(const EmulatorCount *count) {
    return 32 * (double)count->warps;
}
static double sectors(const EmulatorCount *count) {
    return (double)count->global_sectors;
}
static double requests(const EmulatorCount *count) {
    return (double)count->global_requests;
}
static double conflicts(const EmulatorCount *count) {
    return (double)count->shared_conflicts;
}
static double shared_requests(const EmulatorCount *count) {
    return (double)count->shared_requests;
}
static double atomic_conflicts(const EmulatorCount *count) {
    return (double)count->atomic_conflicts;
}
static double atomics(const EmulatorCount *count) {
    return (double)count->atomic_lanes;
}
static double barriers(const EmulatorCount *count) {
    return (double)count->barriers;
}

/* A figure is a count by another one, or by pixels where there is some of the other; its line has most of `worst`. */
static const struct {
    CountOf *count, *by, *worst;
    bool a_pixel;
    double factor;
} rules[STRUCTURE_FIGURES] = {
    [FIGURE_INSTRUCTIONS] = {threads, threads, threads, true, 1},
    [FIGURE_LANES] = {threads, lanes, idle, false, 100},
    [FIGURE_SECTORS] = {sectors, requests, sectors, false, 1},
    [FIGURE_CONFLICTS] = {conflicts, shared_requests, conflicts, false, 1},
    [FIGURE_ATOMICS] = {atomic_conflicts, atomics, atomic_conflicts, true, 1},
    [FIGURE_BARRIERS] = {barriers, barriers, barriers, true, 1000},
};

/* The line of the listing's first file that has most of a count; 0: none has any. */
static int worst_line(const Listing *listing, CountOf *count) {
    double most = 0;
    int worst = 0;
    for (int i = 0; listing->file_count > 0 && i < listing->files[0].count; i++) {
        const ListingLine *line = &listing->files[0].lines[i];
        const double here = count(&line->count) + count(&line->called);
        worst = here > most ? i + 1 : worst;
        most = fmax(most, here);
    }
    return worst;
}

static void read_counts(Structure *structure, const Listing *listing) {
    const double pixels = (double)structure->width * (double)structure->height;
    for (int i = 0; i < STRUCTURE_FIGURES; i++) {
        const double by = rules[i].by(&listing->sum);
        structure->figures[i] =
            by > 0 ? rules[i].factor * rules[i].count(&listing->sum) / (rules[i].a_pixel ? pixels : by) : -1;
        structure->lines[i] = worst_line(listing, rules[i].worst);
    }
    structure->counted = true;
}

void structure_note(Session *session, const Level *level, const Judgement *judgement) {
    Structure *structure = structure_of(session, level);
    if (structure)
        *structure = (Structure){.level = level,
                                 .judged = judgement->known,
                                 .verdict = judgement->verdict,
                                 .width = judgement->width,
                                 .height = judgement->height};
}

/* All warps of the first block, so that its shared memory is seen as it fills. */
static const EmulatorWatch watch = {{0, 0, 0}, 32, 8};

/* A listing of the main stage of a small part. */
static Status list_part(const Session *session, const Level *level, Shape shape, Listing **listing) {
    const Measurement job = session_measurement(session);
    Pipeline *pipeline;
    Spans unrecorded = {0};
    TRY(measurement_open(&job, level->name, shape, &pipeline));
    pipeline_queue(pipeline)->stop = session->stop;
    const size_t main = pipeline_main_stage(pipeline);
    Status status = main > 0 ? pipeline_run_stages(pipeline, 0, main, &unrecorded) : STATUS_OK;
    if (status == STATUS_OK)
        status = listing_of_level(level, pipeline_queue(pipeline), pipeline_stage(pipeline, main), &watch, listing);
    pipeline_destroy(&pipeline);
    return status;
}

/* A window that draws the listing before has it until the next one is made. */
static void keep_listing(Session *session, const Level *level, Listing *listing) {
    listing_free(&session->listing_before);
    session->listing_before = session->listing;
    session->listing = listing;
    session->listing_of = level;
    session->listing_job = session->job_serial;
}

/* Whether the machine code of the shown level is to be seen, and nobody has asked for it yet. */
static bool lacks_code(const Session *session, const Level *level) {
    return session->wishes.machine_code && level == session_level(session) && session->code_job != session->job_serial;
}

bool structure_lacks_counts(const Session *session, const Level *level) {
    const Structure *structure = session_structure(session, level);
    return structure && structure->judged && (!structure->tried || lacks_code(session, level));
}

/* A listing without it is as good; the panel says why there is none. */
static void add_code(Session *session, Listing *listing) {
    session->code_job = session->job_serial;
    session->no_code[0] = '\0';
    if (listing_disassemble(listing, MACHINE_CODE) != STATUS_OK)
        snprintf(session->no_code, sizeof session->no_code, "%s", status_message());
}

Status structure_count(Session *session, const Level *level) {
    Structure *structure = structure_of(session, level);
    Shape shape = session_measurement(session).shape;
    Listing *listing = NULL;
    if (!structure)
        return STATUS_OK;
    shape.width = structure->width;
    shape.height = structure->height;
    const Status status = list_part(session, level, shape, &listing);
    structure->tried = status != STATUS_INTERRUPTED;
    if (status != STATUS_OK)
        return status == STATUS_INTERRUPTED ? status : STATUS_OK; /* it has no counts, and that is all */
    read_counts(structure, listing);
    if (lacks_code(session, level))
        add_code(session, listing);
    if (level == session_level(session))
        keep_listing(session, level, listing);
    else
        listing_free(&listing);
    return STATUS_OK;
}

/* ---- words ---- */

const char *const structure_names[STRUCTURE_FIGURES] = {
    [FIGURE_INSTRUCTIONS] = "instructions a pixel", [FIGURE_LANES] = "active lanes",
    [FIGURE_SECTORS] = "sectors a request",         [FIGURE_CONFLICTS] = "bank conflicts a request",
    [FIGURE_ATOMICS] = "atomic conflicts a pixel",  [FIGURE_BARRIERS] = "barriers a thousand pixels",
};

const char *structure_words(const Structure *structure, char *buffer, size_t size) {
    static const struct {
        StructureFigure figure;
        const char *format;
    } told[] = {{FIGURE_INSTRUCTIONS, "%.0f instr./pixel"},
                {FIGURE_SECTORS, " · %.3g sectors"},
                {FIGURE_CONFLICTS, " · %.2g conflicts"}};
    size_t length = 0;
    buffer[0] = '\0';
    for (size_t i = 0; structure && structure->counted && i < sizeof told / sizeof told[0] && length < size; i++) {
        const double value = structure->figures[told[i].figure];
        if (value > 0)
            length += (size_t)snprintf(buffer + length, size - length, told[i].format, value);
    }
    return buffer;
}
