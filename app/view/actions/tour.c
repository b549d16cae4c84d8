/* tour.c: the tour; its steps are at the bottom. */
#include "app/view/actions/tour.h"

#include "app/view/actions/dispatch.h"
#include "app/view/actions/menus/menus.h"
#include "app/view/session/tool.h"

#include <stdio.h>
#include <string.h>

#define TOUR_FILTER "gaussian=2"
#define SIGMA_MAX   6.0 /* pixels: beyond 8 the filter becomes another one, of other levels */

static bool has_picture(const Viewer *viewer) {
    return viewer_picture(viewer) != NULL;
}

static bool has_filter(const Viewer *viewer) {
    return has_picture(viewer) && viewer_level(viewer);
}

/* The chain, as it was when the step began, no more. */
static bool is_changed(const Viewer *viewer) {
    char chain[sizeof viewer->ui->tour.chain];
    chain_format(viewer->request->chain, chain, sizeof chain);
    return has_filter(viewer) && strcmp(chain, viewer->ui->tour.chain) != 0;
}

static bool is_split(const Viewer *viewer) {
    return has_filter(viewer) && viewer->compare == COMPARE_SPLIT;
}

static bool is_difference(const Viewer *viewer) {
    return has_filter(viewer) && viewer->compare == COMPARE_DIFFERENCE;
}

/* The place of the level that runs, from the lowest; 0 if there is none. */
static size_t rung_of(const Viewer *viewer) {
    LadderRow rungs[RUNGS_MAX];
    const size_t count = viewer_rungs(viewer, rungs);
    for (size_t i = 0; i < count; i++)
        if (rungs[i].current)
            return i;
    return 0;
}

static bool runs_naive(const Viewer *viewer) {
    const Level *level = viewer_level(viewer);
    return level && strcmp(level->name, "naive") == 0 && viewer->session->has_result && !viewer->session->stale;
}

static bool has_climbed(const Viewer *viewer) {
    return viewer_level(viewer) && rung_of(viewer) > viewer->ui->tour.rung + 1;
}

static bool is_racing(const Viewer *viewer) {
    return viewer->racing;
}

/* Without a GPU, its figures are there to be read. */
static bool knows_gpu(const Viewer *viewer) {
    return tour_shows_record(viewer) || strcmp(viewer->session->device->backend->name, "cuda") == 0;
}

static bool shows_scene(const Viewer *viewer) {
    return viewer_scene(viewer) != NULL;
}

const TourStep *tour_step(const Viewer *viewer) {
    const Tour *tour = &viewer->ui->tour;
    return tour->on && tour->step < tour_step_count ? &tour_steps[tour->step] : NULL;
}

bool tour_shows_record(const Viewer *viewer) {
    const TourStep *step = tour_step(viewer);
    bool cuda = false;
    for (size_t i = 0; i < backend_count(); i++)
        cuda |= strcmp(backend_at(i)->name, "cuda") == 0;
    return step && step->recorded && !cuda;
}

/* ---- the state that a step begins from ---- */

static Status begin_picture(Viewer *viewer) {
    if (has_picture(viewer))
        return STATUS_OK;
    return viewer->open[SUBJECT_PICTURE] ? viewer_show(viewer, SUBJECT_PICTURE) : help_open_photograph(viewer);
}

/* One gaussian of a small sigma, as the steps before have left it, or a new one. */
static bool has_gaussian(const Viewer *viewer) {
    const Chain *chain = viewer->request->chain;
    const ChainLink *link = &chain->links[0];
    return chain->count == 1 && !link->off && !chain_within(link) && strcmp(link->filter->name, "gaussian") == 0 &&
           param_number(&link->filter->table.params[0], link->values) <= SIGMA_MAX;
}

static Status begin_chain(Viewer *viewer, TourChain chain) {
    if (chain == TOUR_ANY_CHAIN || (chain == TOUR_GAUSSIAN && has_gaussian(viewer)))
        return STATUS_OK;
    if (chain == TOUR_NO_FILTER && viewer->request->chain->count == 0)
        return STATUS_OK;
    return viewer_set_chain(viewer, chain == TOUR_GAUSSIAN ? TOUR_FILTER : "", FALLBACK_BEST);
}

/* Sets what the step needs, and remembers the chain and the level. */
static Status arrive(Viewer *viewer) {
    Tour *tour = &viewer->ui->tour;
    const TourStep *step = tour_step(viewer);
    tour->actions = step->actions;
    viewer->compare = COMPARE_NONE;
    viewer->racing = viewer->editing = viewer->help = viewer->ui->welcome = false;
    (void)tools_close(viewer, true); /* a page would hide the step */
    if (step->picture)
        TRY(begin_picture(viewer));
    TRY(begin_chain(viewer, step->chain));
    if (step->level && (viewer_level(viewer) || strcmp(step->level, "best") == 0))
        TRY(viewer_set_level(viewer, step->level));
    chain_format(viewer->request->chain, tour->chain, sizeof tour->chain);
    tour->rung = rung_of(viewer);
    tour->was_done = tour->done = step->done(viewer);
    return STATUS_OK;
}

Status tour_go(Viewer *viewer, size_t step) {
    Tour *tour = &viewer->ui->tour;
    tour->on = step < tour_step_count;
    tour->step = tour->on ? step : 0;
    if (tour->on)
        return arrive(viewer);
    viewer->compare = COMPARE_NONE;
    viewer->racing = false;
    viewer_say(viewer, false, "The tour is over. Press h for all keys, Ctrl+K to find anything by words");
    TRY(begin_chain(viewer, TOUR_NO_FILTER));
    return viewer_set_level(viewer, "best");
}

void tour_leave(Viewer *viewer) {
    viewer->ui->tour.on = false;
}

void tour_follow(Viewer *viewer) {
    const TourStep *step = tour_step(viewer);
    if (step && viewer->ui->asked_count == 0 && !viewer_asks(viewer))
        viewer->ui->tour.done |= step->done(viewer);
}

void tour_keys(const Viewer *viewer, char *buffer, size_t size) {
    const TourStep *step = tour_step(viewer);
    buffer[0] = '\0';
    for (const char *at = step ? step->actions : ""; *at; at += strspn(at, " ")) {
        char name[64], keys[ACTION_KEYS];
        const size_t length = strcspn(at, " "), used = strlen(buffer);
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        action_key_here(viewer, action_by_name(name), keys);
        snprintf(buffer + used, size - used, "%s%s", used ? " or " : "", keys);
        at += length;
    }
}

const char *const tour_chapters[TOUR_CHAPTERS] = {"A photograph", "The ladder", "The GPU", "A scene"};

size_t tour_chapter_begin(TourChapter chapter) {
    size_t step = 0;
    while (step < tour_step_count && tour_steps[step].chapter != chapter)
        step++;
    return step;
}

const TourStep tour_steps[] = {
    {CHAPTER_PHOTOGRAPH, "A photograph",
     "This photograph comes with glint; File, Open takes any other. Do the task of each step, look, and press Next.",
     "photograph open", .done = has_picture},
    {CHAPTER_PHOTOGRAPH, "Blur it",
     "Press Shift+A, type gaussian and press Return. The filter's sliders stand at the left.", "add", .picture = true,
     .chain = TOUR_NO_FILTER, .done = has_filter},
    {CHAPTER_PHOTOGRAPH, "More of it", "Drag the slider sigma, or press the key: the picture follows.", "more",
     .picture = true, .chain = TOUR_GAUSSIAN, .done = is_changed},
    {CHAPTER_PHOTOGRAPH, "Before and after",
     "Left of the line is the photograph, right of it the result. Drag the line.", "split", .picture = true,
     .chain = TOUR_GAUSSIAN, .done = is_split},
    {CHAPTER_LADDER, "The lowest rung",
     "The ladder at the left lists ways to the same result. Press 1 for naive, which follows the definition pixel by "
     "pixel, and look at Time.",
     "level", .picture = true, .chain = TOUR_GAUSSIAN, .level = "best", .done = runs_naive},
    {CHAPTER_LADDER, "Climb the ladder",
     "Each rung adds one idea, which stands below the ladder. Climb two rungs or more, and watch the time fall.",
     "next-level", .picture = true, .chain = TOUR_GAUSSIAN, .level = "naive", .done = has_climbed},
    {CHAPTER_LADDER, "Race them",
     "All levels do the same job in turns. The longest bar is the fastest; levels that cannot do the job say why.",
     "race", .picture = true, .chain = TOUR_GAUSSIAN, .level = "best", .done = is_racing},
    {CHAPTER_LADDER, "The device's limits",
     "The roofline: the slanted line is the limit of memory, the flat one that of arithmetic, both measured here. Each "
     "level is a dot; the nearer to the line, the less there is to gain.",
     "facts", .picture = true, .chain = TOUR_GAUSSIAN, .level = "best", .done = action_shows_facts},
    {CHAPTER_LADDER, "The changes", "The difference to the photograph, pixel by pixel; e makes it brighter.",
     "difference", .picture = true, .chain = TOUR_GAUSSIAN, .level = "best", .done = is_difference},
    {CHAPTER_GPU, "The GPU's ladder",
     "A GPU runs thousands of threads. naive gives each one a pixel. shared first loads a tile into fast memory, and "
     "is "
     "slower: the caches did as much, and threads now wait. halo loads the tile's rim, too; march keeps rows in "
     "registers.",
     "next-backend", .picture = true, .chain = TOUR_GAUSSIAN, .level = "best", .recorded = true, .done = knows_gpu},
    {CHAPTER_SCENE, "A traced scene",
     "Rays have a ladder, too. Switch to the scene; drag it to turn it, n shows other looks of it, down to light that "
     "gathers. Filters act on the traced picture as well.",
     "picture-or-scene", .picture = true, .chain = TOUR_NO_FILTER, .level = "best", .done = shows_scene},
};
const size_t tour_step_count = sizeof tour_steps / sizeof tour_steps[0];
