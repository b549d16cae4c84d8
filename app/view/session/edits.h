/* edits.h: the changes of a request, so that they can be undone.
 * Owns the list of requests that were carried out. A request knows no subject: another picture is shown with the same
 * edits. */
#ifndef GLINT_APP_VIEW_SESSION_EDITS_H
#define GLINT_APP_VIEW_SESSION_EDITS_H

#include "app/view/session/request.h"

enum { EDIT_WORDS = 96 };

/* The movement that a step is part of, and its time. */
typedef struct EditStep {
    unsigned movement; /* of a button that is held; 0: none */
    double at;         /* clock_ms */
} EditStep;

/* The subject of a request. */
typedef struct EditOf {
    bool scene; /* it is one */
    bool other; /* the request before was of another subject */
} EditOf;

typedef struct Edit {
    char words[EDIT_WORDS]; /* the change that led here: "Gaussian Sigma 2 → 3.5" */
    char key[EDIT_WORDS];   /* names the parameter: its steps in sequence are one edit; "": never */
    const Request *request;
    EditStep last; /* that led to it */
} Edit;

typedef struct Edits {
    Edit *list;
    size_t count, at; /* the one that is shown; those behind it were undone */
} Edits;

/* Notes the request that was carried out if it differs from the last one. Steps of one movement (a button is held)
 * become one edit, as do steps without one that soon follow each other. With another subject, its camera and look are
 * no edits. Without memory, nothing is noted. */
void edits_note(Edits *edits, const Request *request, EditOf of, EditStep step);
/* The request that edit `index` leads to, with no filter set aside; the caller gets an owner's share. STATUS_DEVICE if
 * memory is short. */
Status edits_request(const Edits *edits, size_t index, const Request **request);
/* The first of so many that a list shows: with the one that is shown, as near its middle as there are others. */
size_t edits_first_listed(const Edits *edits, size_t rows);
/* Whether two requests make the same of a subject: chains and borders. */
bool edits_same_work(const Request *a, const Request *b);
void edits_free(Edits *edits);

#endif
