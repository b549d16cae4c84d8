/* look.h: looks by name.
 * Owns the table of looks; core/math/look.h says what pixels show. */
#ifndef GLINT_CORE_SCENE_LOOK_H
#define GLINT_CORE_SCENE_LOOK_H

#include "core/base/status.h"
#include "core/math/look.h"

typedef struct LookInfo {
    const char *name, *help;
    uint32_t samples, depth; /* the defaults; 0 except for looks of light */
} LookInfo;

extern const LookInfo looks[LOOKS];

/* STATUS_USAGE with what there is. */
Status look_parse(const char *text, Look *look);

#endif
