/* synonyms.h: the words that people type for filters, presets and actions. Owns the table of them. */
#ifndef GLINT_APP_VIEW_DATA_SYNONYMS_H
#define GLINT_APP_VIEW_DATA_SYNONYMS_H

#include <stddef.h>

typedef struct Synonym {
    const char *name;  /* of a filter, "@" and a preset, or an action */
    const char *words; /* separated by blanks; earlier words fit better */
} Synonym;

extern const Synonym synonyms[];
extern const size_t synonym_count;

/* The words for this name; NULL if there are none. */
const char *synonyms_of(const char *name);

#endif
