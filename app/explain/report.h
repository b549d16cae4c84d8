/* report.h: a listing for programs, and for the page that draws it. */
#ifndef GLINT_APP_EXPLAIN_REPORT_H
#define GLINT_APP_EXPLAIN_REPORT_H

#include "app/explain/job.h"

#include <jansson.h>

typedef struct ReportParts {
    bool ptx;      /* all instructions; else those alone that reach memory */
    bool machine;  /* the machine code, if the listing has it */
    bool compact;  /* addresses that are a row of numbers as its first, its step, and a bit for each lane */
    unsigned most; /* files that have less than one in so many instructions are left out; 0: none is */
    unsigned kept; /* accesses of a warp in an instruction, at most */
    size_t loads;  /* instructions of a line that have accesses, at most, and the worst one */
} ReportParts;

/* The listing as JSON: docs/explain.md describes it. NULL if memory is short. */
json_t *report_json(const Explained *explained, const ReportParts *parts);

#endif
