/* choices.h: the texts that a typed line may become: a list that shrinks with every word. Owns the texts and their
 * order: texts that begin like the typed words stand first. */
#ifndef GLINT_APP_VIEW_DATA_CHOICES_H
#define GLINT_APP_VIEW_DATA_CHOICES_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct Choice {
    char *text;        /* the line with this choice */
    char *label;       /* the text that is shown, and searched for the words */
    char *help;        /* a sentence, or NULL */
    char *why_not;     /* why it cannot be done, or NULL */
    char keys[48];     /* that do it, too; or "" */
    const char *also;  /* static: words that people type for it (app/view/data/synonyms.h), or NULL */
    const char *group; /* static: the heading that it stands under, which words may match, too; or NULL */
    bool goes_on;      /* the line goes on behind it: a folder, a filter of a chain */
    bool current;      /* the current one */
    int score;         /* the lower the better */
    size_t place;      /* in the order in which they were added */
} Choice;

typedef struct Choices {
    Choice *list;
    size_t count, capacity;
    const char *wanted; /* words that all have to match, in any order; borrowed while choices are added */
} Choices;

/* How well words, separated by blanks, match a choice: 0 best, negative if one does not match. Each is a part of the
 * label, or its letters stand there in this order ("nxl": next level). It may also begin a word of `also`, or be a part
 * of the help. A word of `also` matches from three letters on, or whole. */
int choice_score(const char *wanted, const Choice *choice);
/* Copies its texts and adds it, if it matches. STATUS_DEVICE if memory is short. */
Status choices_add(Choices *choices, Choice choice);
/* The choice with the label, a word of it or a synonym that is spelt most like the typed word; NULL: none is. */
const Choice *choices_closest(const Choices *choices, const char *typed);
void choices_sort(Choices *choices);
void choices_clear(Choices *choices); /* keeps nothing */

#endif
