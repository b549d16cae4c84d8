/* pin.h: the two sides that are compared.
 * Owns a result that is kept, so that any two results can be compared. The second may differ in chain, level, backend,
 * device, border, file or look. Where none is kept, the other side is the picture, or the frame of a scene, before
 * filtering. */
#ifndef GLINT_APP_VIEW_TOOLS_PIN_H
#define GLINT_APP_VIEW_TOOLS_PIN_H

#include "app/view/session/tool.h"
#include "core/image/colour_space.h"

enum { SIDE_WORDS = 160 };

/* Keeps the result that is shown, which is run first if that is due. Fails as viewer_fetch. */
Status viewer_pin(Viewer *viewer);
void viewer_unpin(Viewer *viewer);
bool viewer_has_pin(const Viewer *viewer);               /* a result is kept */
PictureColours viewer_pin_colours(const Viewer *viewer); /* of that, borrowed */
extern const ToolKind pin_tool;

/* The words in which the sides differ, as "separable" and "naive"; of the source or of the result. Returns `buffer`. */
const char *viewer_side_words(const Viewer *viewer, bool source, char *buffer, size_t size);
double viewer_side_ms(const Viewer *viewer, bool source); /* 0: not known */

#endif
