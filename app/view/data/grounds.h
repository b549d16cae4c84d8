/* grounds.h: the colour around the picture: as the theme has it, or a neutral grey that is chosen. */
#ifndef GLINT_APP_VIEW_DATA_GROUNDS_H
#define GLINT_APP_VIEW_DATA_GROUNDS_H

#include "app/view/data/themes.h"

typedef enum GroundName {
    GROUND_THEME,
    GROUND_BLACK,
    GROUND_4,
    GROUND_18,
    GROUND_50,
    GROUND_WHITE,
    GROUNDS
} GroundName;

typedef struct GroundInfo {
    const char *name, *help;
    double light; /* its share of white's, 0 to 1; the theme's: not used */
} GroundInfo;

extern const GroundInfo ground_infos[GROUNDS];

/* The value of red, green and blue on an sRGB screen, 0 to 255 (IEC 61966-2-1). */
int ground_grey(GroundName ground, ThemeName theme);

#endif
