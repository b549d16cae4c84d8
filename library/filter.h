/* filter.h: the plans that a device keeps for images to come. */
#ifndef GLINT_LIBRARY_FILTER_H
#define GLINT_LIBRARY_FILTER_H

#include "library/library.h"

/* STATUS_DEVICE without memory. */
Status kept_open(GlintDevice *device, Kept **kept);
void kept_close(Kept **kept); /* accepts NULL; no thread filters */

#endif
