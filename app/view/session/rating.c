/* rating.c: the functions of strip.h about ratings, the pictures that the strip shows for them, and whether it is open.
 */
#include "app/view/session/strip.h"

#include "app/view/session/keep.h"
#include "app/view/session/viewer.h"
#include "core/chain/sidecar.h"

#include <stdio.h>
#include <string.h>

bool strip_is_open(const Viewer *viewer) {
    if (viewer->strip != STRIP_UNDECIDED)
        return viewer->strip == STRIP_OPENED;
    return viewer->pictures.count > 1 && viewer->mode != MODE_SPEED && viewer_shows_listed(viewer);
}

void strip_toggle(Viewer *viewer) {
    viewer->strip = strip_is_open(viewer) ? STRIP_CLOSED : STRIP_OPENED;
}

void strip_reveal(Viewer *viewer) {
    viewer->strip = strip_is_open(viewer) ? viewer->strip : STRIP_OPENED;
}

const RatingRule rating_rules[RATING_RULES] = {{"all", "all pictures"},   {"unrejected", "all but rejected ones"},
                                               {"1", "1 star and more"},  {"2", "2 stars and more"},
                                               {"3", "3 stars and more"}, {"4", "4 stars and more"},
                                               {"5", "5 stars"}};

int strip_rating(const Viewer *viewer, size_t index) {
    FileMark *mark = &viewer->pictures.marks[index];
    if (!mark->rated)
        mark->rating = (signed char)keep_rating(viewer, viewer->pictures.paths[index]);
    mark->rated = true;
    return mark->rating;
}

const char *strip_name_rating(int rating, char words[RATING_WORDS]) {
    if (rating > 0)
        snprintf(words, RATING_WORDS, "%d star%s", rating, rating == 1 ? "" : "s");
    else
        snprintf(words, RATING_WORDS, "%s", rating == 0 ? "not rated" : "rejected");
    return words;
}

bool strip_fits(const Viewer *viewer, size_t index, int rule) {
    return rule == 0 || strip_rating(viewer, index) >= rule - RULE_UNREJECTED;
}

bool strip_shows(const Viewer *viewer, size_t index) {
    return strip_fits(viewer, index, viewer->pictures.hidden);
}

const char *strip_showing(const Viewer *viewer) {
    return rating_rules[viewer->pictures.hidden].word;
}

static void take_hidden_off(Viewer *viewer) {
    for (size_t i = 0; i < viewer->pictures.count; i++)
        viewer->pictures.marks[i].selected &= strip_shows(viewer, i);
}

Status strip_show(Viewer *viewer, const char *text) {
    int hidden = 0;
    while (hidden < RATING_RULES && strcmp(rating_rules[hidden].word, text) != 0)
        hidden++;
    if (hidden == RATING_RULES)
        return fail(STATUS_USAGE, "pictures \"%.60s\", want all, unrejected, or a number of stars from 1 to %d", text,
                    RATING_MAX);
    viewer->pictures.hidden = hidden;
    take_hidden_off(viewer);
    return STATUS_OK;
}

void strip_note_rating(Viewer *viewer, const char *path, int rating) {
    FileList *list = &viewer->pictures;
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->paths[i], path) == 0) {
            list->marks[i].rating = (signed char)rating;
            list->marks[i].rated = true;
            list->marks[i].selected &= strip_shows(viewer, i);
        }
}
