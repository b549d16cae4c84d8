/* why.h: why a level is faster than the one below it on its ladder, in words for learners; the tables are why.def and
 * ladders.def. */
#ifndef GLINT_APP_VIEW_DATA_WHY_H
#define GLINT_APP_VIEW_DATA_WHY_H

#include <stddef.h>

/* Names as the tables spell them, with _ where levels have -. */
typedef struct Why {
    const char *backend, *operation;
    const char *below, *level; /* below: "" of the lowest rung */
    const char *words;         /* what the level does that the one below does not, and what that buys */
} Why;

extern const Why whys[];
extern const size_t why_count;

/* The row of a level by its names, in either spelling; NULL if there is none. */
const Why *why_of(const char *backend, const char *operation, const char *level);
/* "Over naive: …", or the words alone of the lowest rung; "" of NULL. Returns `buffer`. */
const char *why_format(const Why *why, char *buffer, size_t size);
/* Where the documents say more: "docs/convolve.md, cpu: naive"; "" of NULL. Returns `buffer`. */
const char *why_format_page(const Why *why, char *buffer, size_t size);

#endif
