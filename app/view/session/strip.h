/* strip.h: the strip of open pictures: the selected ones, their ratings, and which of them it has.
 * Owns the rule which pictures an action is for: the selected ones, or the shown one where none is selected. A picture
 * that is opened and not among the selected ones ends the selection. Hidden pictures are not selected. */
#ifndef GLINT_APP_VIEW_SESSION_STRIP_H
#define GLINT_APP_VIEW_SESSION_STRIP_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct Viewer Viewer;

/* Whether the strip is open: as was decided. Where nothing was, it is open if one of several files is shown, unless the
 * mode Speed was chosen. */
bool strip_is_open(const Viewer *viewer);
void strip_toggle(Viewer *viewer);
/* Opens it, if it is not: something is about its pictures. */
void strip_reveal(Viewer *viewer);

/* Selects pictures of the strip, by their numbers in the list, counted from 1: "2 4-6", "all", "none". "+3" adds to the
 * selection, which begins with the shown picture; "-3" takes off. STATUS_USAGE for another text or number. */
Status strip_select(Viewer *viewer, const char *text);
/* How many pictures are selected; 0: the shown one stands for itself. */
size_t strip_selection(const Viewer *viewer);
/* Whether picture `index` of the list is one of those that actions are for: it is selected; or none is, and it is
 * shown. */
bool strip_selected(const Viewer *viewer, size_t index);
/* Picture `index` takes the place of the current one. */
void strip_follow(Viewer *viewer, size_t index);

/* The rating of picture `index` (core/chain/sidecar.h), which is read once it is asked for. */
int strip_rating(const Viewer *viewer, size_t index);
/* "3 stars", "not rated". Returns `words`. */
enum { RATING_WORDS = 32 };
const char *strip_name_rating(int rating, char words[RATING_WORDS]);
/* The picture of this path has this rating now. */
void strip_note_rating(Viewer *viewer, const char *path, int rating);

/* Choices of pictures by their ratings, one within the other: all, those that are not rejected, one star and more, and
 * so on. FileList.hidden is the place of one. */
typedef struct RatingRule {
    const char *word, *label; /* "unrejected", "all but rejected ones" */
} RatingRule;
enum { RATING_RULES = 7, RULE_UNREJECTED = 1 };
extern const RatingRule rating_rules[RATING_RULES];
/* Whether the rule chooses picture `index` of the list. */
bool strip_fits(const Viewer *viewer, size_t index, int rule);

/* Has the strip show the pictures of the rule with this word. STATUS_USAGE for another text. */
Status strip_show(Viewer *viewer, const char *text);
/* The text that would have it show what it shows. */
const char *strip_showing(const Viewer *viewer);
/* Whether picture `index` is in the strip. Steps to the next and the previous picture pass over the others. */
bool strip_shows(const Viewer *viewer, size_t index);

#endif
