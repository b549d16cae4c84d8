/* border.h: the pixels that a filter sees beyond the edge of the picture.
 * Owns the border modes and their names; core/math/border_index.h maps coordinates. */
#ifndef GLINT_CORE_IMAGE_BORDER_H
#define GLINT_CORE_IMAGE_BORDER_H

#include "core/base/status.h"
#include "core/math/border_index.h"

typedef struct BorderInfo {
    const char *name, *alias, *help;
    BorderMode mode;
    bool takes_value;
} BorderInfo;

extern const BorderInfo borders[]; /* by BorderMode */
extern const int border_count;

/* "clamp", "ghost", "constant=128": STATUS_USAGE with the modes there are. */
Status border_parse(const char *text, Border *border);
/* The spelling that border_parse takes. */
const char *border_format(Border border, char *buffer, size_t size);

#endif
