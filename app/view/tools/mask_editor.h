/* mask_editor.h: the mask of the selected filter, to be painted.
 * Owns the brush, the mask as the chain's text has it, and its effect on waves. Painting changes the chain's text: the
 * chain stays the truth. */
#ifndef GLINT_APP_VIEW_TOOLS_MASK_EDITOR_H
#define GLINT_APP_VIEW_TOOLS_MASK_EDITOR_H

#include "app/view/data/mask_paint.h"
#include "app/view/session/tool.h"

enum { MASK_PAINTED_MAX = 31 };

typedef struct MaskBrush {
    MaskSymmetry symmetry;
    bool opposite; /* images have the other sign */
    double weight; /* that is painted */
} MaskBrush;

/* Follows the selected filter; false if it has no mask. */
bool mask_editor_follow(Viewer *viewer);
/* The mask that was followed, with the filter's scale as its divisor. NULL without one, and where the trouble tells why
 * the filter's cannot be had. */
const Mask *mask_editor_mask(const Viewer *viewer);
const char *mask_editor_trouble(const Viewer *viewer);
MaskCell mask_editor_last(const Viewer *viewer); /* of the stroke that is going on */
MaskBrush mask_editor_brush(const Viewer *viewer);
void mask_editor_choose(Viewer *viewer, MaskBrush brush);
extern const ToolKind mask_editor_tool; /* makes the response; where there is none, that is all */
/* The functions below change the chain; STATUS_USAGE if there is no mask to change. */

/* Begins a stroke at a cell, or goes on to it. */
Status mask_editor_paint(Viewer *viewer, int x, int y, double weight, bool begins);
/* More or fewer cells a side, from 1 to MASK_PAINTED_MAX. */
Status mask_editor_grow(Viewer *viewer, int cells);
Status mask_editor_change(Viewer *viewer, void (*change)(Mask *mask));
/* Puts a preset of the mask's size in its place, normalized. */
Status mask_editor_preset(Viewer *viewer, const MaskPreset *preset);
Status mask_editor_normalize(Viewer *viewer);

#endif
