/* ptx_places.h: where each line of a PTX text was made: by its .file and .loc directives (PTX ISA 9.0, chapter 11.5).
 */
#ifndef GLINT_APP_LISTING_PTX_PLACES_H
#define GLINT_APP_LISTING_PTX_PLACES_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { PTX_FILES = 1024 };

/* A place in a source, and the place of the call that was inlined there: an index, or -1. */
typedef struct PtxPlace {
    int file, line, column, caller;
} PtxPlace;

typedef struct PtxLine {
    const char *text; /* borrowed; ends by a line break or the text's zero */
    size_t length;    /* without the line break */
    int place;        /* that its code was made of, an index; -1: not known */
    int own;          /* of code: the number of the file that its function stands in; 0: not known */
    int before;       /* the last place so far in that file: clang does not tell calls of inlined code; -1: none */
} PtxLine;

typedef struct PtxPlaces {
    PtxLine *lines;
    size_t line_count;
    PtxPlace *places;
    size_t place_count, place_room;
    char *files[PTX_FILES]; /* by the text's numbers; NULL: there is none */
} PtxPlaces;

/* The text is borrowed. STATUS_DEVICE without memory. Free with ptx_places_free in any case. */
Status ptx_places_read(const char *text, PtxPlaces *places);
void ptx_places_free(PtxPlaces *places);

#endif
