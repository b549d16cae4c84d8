/* look.h: looks by name.
 * Owns the table of looks; core/math/look.h says what pixels show. */
#ifndef GLINT_CORE_SCENE_LOOK_H
#define GLINT_CORE_SCENE_LOOK_H

#include "core/base/status.h"
#include "core/math/look.h"

#include <stdbool.h>

typedef struct LookInfo {
    const char *name, *help;
    uint32_t samples, depth; /* the defaults; 0 except for looks of light */
} LookInfo;

extern const LookInfo looks[LOOKS];

/* STATUS_USAGE with what there is. */
Status look_parse(const char *text, Look *look);

/* The look of figures: paths in a light of their own (core/scene/figure_light.h). */
#define FIGURE_NAME "figure"
#define FIGURE_HELP "a picture for papers: an even white sky, a soft key light, a plain background"

/* The same where figures are made, too: these are LOOK_PATHS, and *figure is true. */
Status look_parse_figure(const char *text, Look *look, bool *figure);

#endif
