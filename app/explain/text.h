/* text.h: a listing on a terminal. */
#ifndef GLINT_APP_EXPLAIN_TEXT_H
#define GLINT_APP_EXPLAIN_TEXT_H

#include "app/explain/job.h"

#include <stdio.h>

typedef struct TextParts {
    int line;        /* of the first file, whose accesses are shown; 0: the worst one's */
    bool ptx;        /* below each line */
    bool machine;    /* the same of machine code */
    bool everything; /* lines without counts, too, and files that have little of them */
} TextParts;

/* Prints the lines with counts, the worst one with its advice, and lanes on memory. Colours and the width of the
 * terminal matter only on one. STATUS_USAGE if no load or store was seen on the line that was asked for. */
Status text_print(FILE *to, const Explained *explained, const TextParts *parts);

#endif
