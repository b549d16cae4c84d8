/* pin.h: the two sides that are compared.
 * Owns a result that is kept, so that any two things can be compared: keep one, then change the chain, the level, the
 * backend, the device, the border, the file or the look. Where none is kept, the other side is the picture, or the
 * frame of a scene, before filtering. */
#ifndef GLINT_APP_VIEW_TOOLS_PIN_H
#define GLINT_APP_VIEW_TOOLS_PIN_H

#include "app/view/tools/tools.h"

enum { SIDE_WORDS = 160 };
typedef enum SidePart {
    SIDE_FILE,
    SIDE_LOOK,
    SIDE_CHAIN,
    SIDE_BORDER,
    SIDE_LEVEL,
    SIDE_BACKEND,
    SIDE_DEVICE,
    SIDE_PARTS
} SidePart;

/* A side's file, chain, level and the like, and the time of its run. */
typedef struct Side {
    char parts[SIDE_PARTS][SIDE_WORDS];
    double ms; /* all stages; 0: not known */
} Side;

typedef struct Pin {
    Image *image; /* NULL: nothing is kept */
    unsigned serial;
    Side side;
} Pin;

/* Keeps the result that is shown, which is run first if that is due. Fails as viewer_fetch. */
Status viewer_pin(Viewer *viewer);
void viewer_unpin(Viewer *viewer);
extern const ToolKind pin_tool;

/* The words in which the sides differ, as "separable" and "naive"; of the source or of the result. Returns `buffer`. */
const char *viewer_side_words(const Viewer *viewer, bool source, char *buffer, size_t size);
double viewer_side_ms(const Viewer *viewer, bool source); /* 0: not known */

#endif
