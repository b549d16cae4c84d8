/* icc_library.h: Little CMS, for the files that call it (icc.c, display.c).
 * Owns its memory: the library's results are thrown away where that ran out. */
#ifndef GLINT_CORE_IMAGE_ICC_LIBRARY_H
#define GLINT_CORE_IMAGE_ICC_LIBRARY_H

#ifdef GLINT_WITH_LCMS
#    include "core/base/status.h"

#    include <lcms2.h>
#    include <stdbool.h>
#    include <stddef.h>

typedef struct Colours {
    cmsContext context;
    unsigned char *reserve;
    size_t used;
    bool out_of_memory;
} Colours;

/* STATUS_DEVICE without memory; a context that was begun must be ended, where it stands in memory. */
Status colours_begin(Colours *colours);
/* STATUS_DEVICE if memory ran out on the way: then no result is worth anything. */
Status colours_end(Colours *colours);

/* Whether a profile (or NULL) is sRGB's, in RGB or gray, so that no value would change. */
bool icc_is_srgb(cmsContext context, cmsHPROFILE profile);

#endif
#endif
