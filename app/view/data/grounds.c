/* grounds.c: greys by their share of white's light. */
#include "app/view/data/grounds.h"

#include <math.h>

const GroundInfo ground_infos[GROUNDS] = {
    [GROUND_THEME] = {"theme", "dark or light, as the panels are", 0},
    [GROUND_BLACK] = {"black", "no light", 0},
    [GROUND_4] = {"4%", "a dark grey", 0.04},
    [GROUND_18] = {"18%", "the middle grey of photographers' cards", 0.18},
    [GROUND_50] = {"50%", "half of white's light", 0.5},
    [GROUND_WHITE] = {"white", "as paper", 1},
};

static const int of_themes[THEMES] = {[THEME_DARK] = 23, [THEME_LIGHT] = 208, [THEME_CONTRAST] = 0};

static double encoded(double light) {
    return light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
}

int ground_grey(GroundName ground, ThemeName theme) {
    return ground == GROUND_THEME ? of_themes[theme] : (int)lround(255 * encoded(ground_infos[ground].light));
}
