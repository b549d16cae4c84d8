/* terms.h: the glossary of the window's panels, for learners; the table is terms.def. */
#ifndef GLINT_APP_VIEW_DATA_TERMS_H
#define GLINT_APP_VIEW_DATA_TERMS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Term {
    const char *name;
    const char *forms; /* other words for it, separated by "|"; "" if there are none */
    const char *words; /* its meaning */
} Term;

extern const Term terms[];
extern const size_t term_count;

/* The term of this name or form, in any case; NULL if there is none. */
const Term *term_of(const char *name);
/* The first term at or behind `from` in the text, as a word of its own, in its longest form. Returns where it begins,
 * and sets *length to its bytes and *term. NULL if none is left. */
const char *term_find(const char *from, size_t *length, const Term **term);

#endif
