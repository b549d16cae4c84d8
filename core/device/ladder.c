/* ladder.c: the levels of an operation on a backend: by name, by measured times, and run. */
#include "core/base/stop.h"
#include "core/device/added.h"
#include "core/device/cache.h"
#include "core/device/tuned.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* Rungs that the program was given while it runs, behind those that backends are built with. Other threads read the
 * list while one appends. */
static struct {
    const Backend *backend;
    const Level *level;
    LaunchFacts facts;
} added[LEVELS_ADDED];
static atomic_size_t added_count;

Status ladder_add(const Backend *backend, const Level *level) {
    const size_t count = atomic_load(&added_count);
    if (level_by_name(backend, level->op, level->name))
        return fail(STATUS_USAGE, "level %s of %s on %s: there is one of that name", level->name, level->op->name,
                    backend->name);
    if (count == LEVELS_ADDED)
        return fail(STATUS_USAGE, "level %s: no more than %d can be added", level->name, LEVELS_ADDED);
    added[count].backend = backend;
    added[count].level = level;
    atomic_store(&added_count, count + 1);
    return STATUS_OK;
}

/* The place of an added level; LEVELS_ADDED: it is none. */
static size_t place_of(const Level *level) {
    const size_t count = atomic_load(&added_count);
    size_t i = 0;
    while (i < count && added[i].level != level)
        i++;
    return i < count ? i : LEVELS_ADDED;
}

bool ladder_added(const Level *level) {
    return place_of(level) < LEVELS_ADDED;
}

void ladder_note_facts(const Level *level, const LaunchFacts *facts) {
    const size_t place = place_of(level);
    if (place < LEVELS_ADDED)
        added[place].facts = *facts;
}

void ladder_own_facts(const Level *level, LaunchFacts *facts) {
    const size_t place = place_of(level);
    if (place < LEVELS_ADDED)
        *facts = added[place].facts;
}

const Level *level_at(const Backend *backend, size_t place) {
    if (place < backend->level_count)
        return backend->levels[place];
    place -= backend->level_count;
    for (size_t i = 0; i < atomic_load(&added_count); i++)
        if (added[i].backend == backend && place-- == 0)
            return added[i].level;
    return NULL;
}

const Level *ladder_level(const Backend *backend, const Op *op, size_t index) {
    const Level *level;
    for (size_t i = 0; (level = level_at(backend, i)); i++)
        if (level->op == op && index-- == 0)
            return level;
    return NULL;
}

size_t ladder_count(const Backend *backend, const Op *op) {
    size_t count = 0;
    while (ladder_level(backend, op, count))
        count++;
    return count;
}

const Level *level_by_name(const Backend *backend, const Op *op, const char *name) {
    const Level *level;
    for (size_t i = 0; (level = ladder_level(backend, op, i)); i++)
        if (strcmp(level->name, name) == 0)
            return level;
    return NULL;
}

bool ladder_knows(const Backend *backend, const char *name) {
    const Level *level;
    for (size_t i = 0; (level = level_at(backend, i)); i++)
        if (strcmp(level->name, name) == 0)
            return true;
    return false;
}

bool level_accepts(const Level *level, const Device *device, const Stage *stage, const char **why_not) {
    const Stage alone = stage_alone(stage);
    *why_not = NULL;
    return !level->accepts || level->accepts(device, &alone, why_not);
}

size_t level_workspace(const Level *level, const Device *device, const Stage *stage) {
    return level->workspace ? level->workspace(device, stage) : 0;
}

bool queue_stops(const Queue *queue) {
    return queue->stop && atomic_load_explicit(&queue->stop->asked, memory_order_relaxed);
}

/* A level that was asked to stop may have failed for that reason. */
Status level_run(const Level *level, Queue *queue, const Stage *stage) {
    const Stop *before = stop_heed(queue->stop);
    queue->workspace = 0;
    queue->level = level;
    queue->told.runs++;
    cache_begin(queue);
    const Status status = level->run(queue, stage);
    cache_end(queue);
    stop_heed(before);
    return status != STATUS_OK && queue_stops(queue) ? fail(STATUS_INTERRUPTED, "the run was stopped") : status;
}

/* Whether best may take it. */
static bool is_candidate(const Level *level, const Device *device, const Stage *stage) {
    const char *why_not;
    return !level->raced && level_accepts(level, device, stage, &why_not);
}

/* By times measured on the device, or by the levels' predictions; NULL where there are none. */
static const Level *level_fastest(const Device *device, const Stage *stage, const Tuned *tuned) {
    const Level *fastest = NULL, *level;
    double least = INFINITY;
    const Features features = tuned ? stage_features(stage) : (Features){.kind = ""};
    for (size_t i = 0; (level = ladder_level(device->backend, stage->op, i)); i++) {
        const double time = tuned              ? tuned_estimate(tuned, level, &features)
                            : level->predictor ? level->predictor->predict(level, stage)
                                               : INFINITY;
        /* of equals, the higher rung */
        if (time >= 0 && time < INFINITY && time <= least && is_candidate(level, device, stage)) {
            fastest = level;
            least = time;
        }
    }
    return fastest;
}

/* Where nothing else can do it, the last level that the user wrote. */
static const Level *only_added(const Device *device, const Stage *stage) {
    const Level *level;
    const char *why_not;
    for (size_t i = ladder_count(device->backend, stage->op); i-- > 0;) {
        level = ladder_level(device->backend, stage->op, i);
        if (ladder_added(level) && level_accepts(level, device, stage, &why_not))
            return level;
    }
    return NULL;
}

const Level *level_best(const Device *device, const Stage *stage) {
    const Stage alone = stage_alone(stage);
    const Level *best = device->tuned ? level_fastest(device, &alone, device->tuned) : NULL, *level;
    best = best ? best : level_fastest(device, &alone, NULL);
    for (size_t i = ladder_count(device->backend, stage->op); !best && i-- > 0;) {
        level = ladder_level(device->backend, stage->op, i);
        best = is_candidate(level, device, stage) ? level : NULL;
    }
    return best ? best : only_added(device, stage);
}

double level_best_ms(const Device *device, const Stage *stage) {
    const Stage alone = stage_alone(stage);
    const Level *best = level_fastest(device, &alone, NULL);
    const double ms = best ? best->predictor->predict(best, &alone) : INFINITY;
    return ms >= 0 ? ms : INFINITY;
}

const Backend *backend_of_reference(const Op *op) {
    for (size_t i = 0; i < backend_count(); i++)
        if (level_by_name(backend_at(i), op, "reference"))
            return backend_at(i);
    return NULL;
}

const Level *level_reference(const Op *op) {
    const Backend *backend = backend_of_reference(op);
    return backend ? level_by_name(backend, op, "reference") : NULL;
}
