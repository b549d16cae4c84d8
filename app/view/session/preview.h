/* preview.h: a small version of a result that takes long, to be seen until it is there.
 * Owns the picture reduced to about the window's resolution, and what the chain makes of that, its lengths in pixels
 * reduced alike. Named only here: app/view/session/session.h has it. */
#ifndef GLINT_APP_VIEW_SESSION_PREVIEW_H
#define GLINT_APP_VIEW_SESSION_PREVIEW_H

#include "core/chain/chain.h"

typedef struct Viewer Viewer;

#define PREVIEW_MS 150.0 /* runs that take longer have one */

typedef struct Preview {
    unsigned of_job; /* the session's job_serial that it was last tried for */
    Image *image;    /* NULL: there is none for that, since the chain cannot be reduced */
    unsigned serial; /* changes with it */
    double scale;    /* of the result, at most a half */
    Shape result;    /* whole, as it will be */
    Image *small;    /* the picture */
    unsigned small_of;
    double small_scale;
} Preview;
void preview_free(Preview *preview); /* accepts a zeroed one */

/* Whether the run that is due is of another job than the result that is there, and had no preview yet: of a chain, on
 * the CPU. */
bool preview_due(const Viewer *viewer);
/* Makes it, by the best levels. Where a filter cannot be reduced (own weights, a second picture, a homography), or the
 * result would be of other proportions, there is none, and that is no failure. STATUS_INTERRUPTED if it was stopped. */
Status preview_make(Viewer *viewer);
/* What stands in the place of the result that is still to come; NULL: nothing does. Not while the session is lent. */
const Preview *preview_shown(const Viewer *viewer);

/* The chain for a picture that is `scale` (below 1) times as large: lengths and places in pixels are reduced, odd sizes
 * stay odd, what has a meaning of its own (0, negative) stays. *reduced is NULL if a filter cannot be. STATUS_DEVICE if
 * memory is short. */
Status preview_chain(const Chain *chain, double scale, Chain **reduced);

#endif
