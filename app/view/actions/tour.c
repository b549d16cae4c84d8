/* tour.c: the tour; its steps are at the bottom. */
#include "app/view/actions/tour.h"

#include "app/view/actions/dispatch.h"

#include <stdio.h>
#include <string.h>

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

/* A scene is to be seen as it is. */
static bool shows_no_difference(const Viewer *viewer) {
    return viewer->compare != COMPARE_DIFFERENCE;
}

static bool shows_scene(const Viewer *viewer) {
    return viewer_scene(viewer) != NULL;
}

const TourStep *tour_step(const Viewer *viewer) {
    const Tour *tour = &viewer->ui->tour;
    return tour->on && tour->step < tour_step_count ? &tour_steps[tour->step] : NULL;
}

/* Remembers the chain, the level and the rest as the step began. */
static void arrive(Viewer *viewer) {
    Tour *tour = &viewer->ui->tour;
    const TourStep *step = tour_step(viewer);
    chain_format(viewer->request->chain, tour->chain, sizeof tour->chain);
    tour->rung = rung_of(viewer);
    tour->was_done = step && step->done(viewer);
}

void tour_begin(Viewer *viewer) {
    viewer->ui->tour = (Tour){.on = true};
    viewer->ui->welcome = false;
    arrive(viewer);
}

void tour_leave(Viewer *viewer) {
    viewer->ui->tour.on = false;
}

void tour_go(Viewer *viewer, int steps) {
    Tour *tour = &viewer->ui->tour;
    if (steps < 0 && tour->step == 0)
        return;
    tour->step = steps < 0 ? tour->step - 1 : tour->step + 1;
    if (tour->step == tour_step_count)
        viewer_say(viewer, false, "that was the tour; h shows all keys, Ctrl+K finds everything by words");
    tour->on = tour->step < tour_step_count;
    arrive(viewer);
}

void tour_follow(Viewer *viewer) {
    Tour *tour = &viewer->ui->tour;
    const TourStep *step = tour_step(viewer);
    if (!step || viewer->ui->asked_count > 0 || viewer_asks(viewer))
        return;
    if (step->needs && !step->needs(viewer)) {
        if (!tour->provided)
            action_ask_line(viewer, step->provide);
        tour->provided = true; /* once: it may be that it cannot be had */
    } else if (tour->provided) {
        tour->provided = false;
        arrive(viewer);
    } else if (!tour->was_done && step->done(viewer)) {
        tour_go(viewer, 1);
    }
}

void tour_keys(const Viewer *viewer, char *buffer, size_t size) {
    const TourStep *step = tour_step(viewer);
    buffer[0] = '\0';
    for (const char *at = step ? step->actions : ""; *at; at += strspn(at, " ")) {
        char name[64], keys[ACTION_KEYS];
        const size_t length = strcspn(at, " "), used = strlen(buffer);
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        action_keys_here(viewer, action_by_name(name), keys);
        snprintf(buffer + used, size - used, "%s%.*s", used ? " or " : "", (int)strcspn(keys, " "), keys);
        at += length;
    }
}

const TourStep tour_steps[] = {
    {"A photograph",
     "Each step waits until you have done it. It begins with a picture: this one comes with glint, and File, Open "
     "takes "
     "any other.",
     "photograph open", NULL, NULL, has_picture},
    {"Blur it",
     "A filter makes a picture from a picture. Add one: type gaussian and press Return. Its sliders are at the left.",
     "add", has_picture, "photograph", has_filter},
    {"More of it", "Drag the slider sigma, or press the key: the picture follows.", "more", has_filter,
     "filter gaussian=2", is_changed},
    {"Before and after", "Left of the line is the photograph, right of it the result. Drag the line.", "split",
     has_filter, "filter gaussian=2", is_split},
    {"The lowest rung",
     "The same result can be had in many ways: the ladder of levels at the left. Press 1 for naive, which follows the "
     "definition, pixel by pixel, and look at TIME.",
     "level", has_filter, "filter gaussian=2", runs_naive},
    {"Climb the ladder",
     "Each rung has one idea more: its sentence stands below the ladder. Go up at least two rungs and watch the time "
     "fall.",
     "next-level", has_filter, "filter gaussian=2", has_climbed},
    {"Race them",
     "All levels do the same job, one after the other. The longest bar is the fastest; levels that cannot do the job "
     "say why.",
     "race", has_filter, "filter gaussian=2", is_racing},
    {"The device's limits",
     "The roofline: the slanted line is the limit of memory, the flat one that of arithmetic, both measured here. Each "
     "level is a dot; the nearer to the line, the less there is to gain.",
     "facts", has_filter, "filter gaussian=2", action_shows_facts},
    {"The changes", "The difference to the photograph, pixel by pixel; e makes it brighter.", "difference", has_filter,
     "filter gaussian=2", is_difference},
    {"A traced scene",
     "Rays have a ladder, too. Go over to the scene; drag it to turn it, n shows other looks of it, down to light that "
     "gathers. The filter goes along: it acts on the traced picture.",
     "picture-or-scene", shows_no_difference, "difference", shows_scene},
};
const size_t tour_step_count = sizeof tour_steps / sizeof tour_steps[0];
