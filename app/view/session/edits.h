/* edits.h: the changes of a request, so that they can be undone.
 * Owns the list of states that the viewer was brought to. A state is a request without its subject: another picture is
 * shown with the same edits. */
#ifndef GLINT_APP_VIEW_SESSION_EDITS_H
#define GLINT_APP_VIEW_SESSION_EDITS_H

#include "app/view/session/request.h"

enum { EDIT_WORDS = 96 };

/* The movement that a step is part of, and its time. */
typedef struct EditStep {
    unsigned movement; /* of a button that is held; 0: none */
    double at;         /* clock_ms */
} EditStep;

typedef struct Edit {
    char words[EDIT_WORDS]; /* the change that led here: "sigma 2 to 3.5" */
    char key[EDIT_WORDS];   /* names the parameter: its steps in sequence are one edit; "": never */
    Chain *chain;
    Request request; /* without chain and subject */
    EditStep last;   /* that led to it */
} Edit;

typedef struct Edits {
    Edit *list;
    size_t count, at; /* the one that is shown; those behind it were undone */
} Edits;

/* Notes the request that was carried out if it differs from the last one. Steps of one movement (a button is held)
 * become one edit, as do steps without one that soon follow each other. With another subject, its camera and look are
 * no edits. Without memory, nothing is noted. */
void edits_note(Edits *edits, const Request *request, bool other_subject, EditStep step);
/* The request that edit `index` leads to, for this subject: with a chain of its own. STATUS_DEVICE if memory is short.
 */
Status edits_request(const Edits *edits, size_t index, Request now, Request *request);
/* The first of so many that a list shows: with the one that is shown, as near its middle as there are others. */
size_t edits_first_listed(const Edits *edits, size_t rows);
void edits_free(Edits *edits);

#endif
