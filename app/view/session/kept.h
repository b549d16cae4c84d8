/* kept.h: frames that a session keeps besides its result.
 * One stands in front of the links that are edited; the other is the visible part of a result that takes long. */
#ifndef GLINT_APP_VIEW_SESSION_KEPT_H
#define GLINT_APP_VIEW_SESSION_KEPT_H

#include "app/view/session/request.h"
#include "core/base/timing.h"
#include "core/plan/pipeline.h"

/* The frame in front of the edited links (front.h). */
typedef struct Front {
    /* The frame, and all that it was made of: */
    Image *image;     /* NULL: none is kept */
    Chain *chain;     /* its first `links` links made it; an owner of it, as of its images */
    size_t set_aside; /* of it, as a request has it */
    size_t links;
    PlanOptions options;
    unsigned subject; /* its serial */
    char level[NAME_MAX_CHARACTERS];
    Spans spans;         /* of the run that made it */
    Partition partition; /* of its stage with the most arithmetic */
    /* The place where the job's chain is parted: */
    unsigned of_job; /* the session's job_serial that it was found for, */
    char of_level[NAME_MAX_CHARACTERS];
    size_t selected; /* and the selected link */
    size_t cut;      /* links in front of it; 0: the chain is not parted */
    bool edits;      /* a link behind it does something */
    Pipeline *tail;  /* of all that is behind it; NULL: nothing, the frame is the result */
    unsigned runs;   /* of links in front, ever: for tests */
} Front;

/* How the window shows the result that is to come. */
typedef struct Sight {
    double scale;       /* pixels of the window a pixel of the result */
    Region seen;        /* the part in the window */
    double expected_ms; /* that the run takes */
    bool alone;         /* the part is all that is made: the smallest one is, whatever it takes */
} Sight;

/* The visible part (near.h). */
typedef struct Near {
    unsigned of_job; /* the session's job_serial that it was last tried for */
    Region seen;     /* and the part in the window, */
    unsigned steps;  /* in so many steps: the middle, then all that is seen */
    Image *image;    /* of `made`; NULL: there is none */
    Region made;     /* of the result */
    Region part;     /* within it: pixels that are those of the result */
    Shape result;    /* whole, as it will be */
    unsigned serial; /* changes with the image */
} Near;

#endif
