/* mask_editor.h: the mask of the selected filter, to be painted.
 * Owns how it is painted, the mask as the chain's text has it, and what it does to waves. What is painted is another
 * text: the chain stays the truth. */
#ifndef GLINT_APP_VIEW_TOOLS_MASK_EDITOR_H
#define GLINT_APP_VIEW_TOOLS_MASK_EDITOR_H

#include "app/view/data/mask_paint.h"
#include "core/image/image.h"

typedef struct Viewer Viewer;

enum { MASK_PAINTED_MAX = 31, RESPONSE_SIDE = 96 };

typedef struct MaskEditor {
    MaskSymmetry symmetry;
    bool opposite; /* images have the other sign */
    double brush;  /* the weight that is painted */
    MaskCell last; /* of the stroke that is going on */
    char *source;  /* the texts that `mask` was made of */
    Mask *mask;    /* with the filter's scale as its divisor; NULL: none */
    char trouble[256];
} MaskEditor;

/* The frequency response of the mask that is carried out; the session's, so that a worker may make it. */
typedef struct Response {
    bool known;
    unsigned job; /* the job_serial that it is of */
    size_t link;
    Image *picture;  /* u8 RGB, RESPONSE_SIDE a side; dark: waves that go, bright: that stay or grow. NULL: there is
                        none.  Not to be read while the session is lent */
    unsigned serial; /* changes with it */
    double largest, at_rest; /* the gain: anywhere, and of no wave at all */
    double half_x, half_y;   /* of the finest stripes across, and of those down */
} Response;
void response_free(Response *response); /* accepts a zeroed one */

/* Follows the selected filter; false if it has no mask. `mask` is NULL then, or where `trouble` says why. */
bool mask_editor_follow(Viewer *viewer);
/* Whether the response is of another mask, and is to be seen. */
bool mask_editor_response_due(const Viewer *viewer);
/* Makes it; where there is none, that is all. */
Status mask_editor_respond(Viewer *viewer);
/* What follows changes the chain; STATUS_USAGE if there is no mask to change. */

/* Begins a stroke at a cell, or goes on to it. */
Status mask_editor_paint(Viewer *viewer, int x, int y, double weight, bool begins);
/* More or fewer cells a side, from 1 to MASK_PAINTED_MAX. */
Status mask_editor_grow(Viewer *viewer, int cells);
Status mask_editor_change(Viewer *viewer, void (*change)(Mask *mask));
/* Puts a preset of the mask's size in its place, normalized. */
Status mask_editor_preset(Viewer *viewer, const MaskPreset *preset);
Status mask_editor_normalize(Viewer *viewer);
void mask_editor_free(MaskEditor *editor);

#endif
