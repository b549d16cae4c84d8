/* theme.hpp: colours of panels, by what they are for; a theme has one for each.
 * The contrasts that texts need are asserted here for every theme. Blue, orange and red differ in brightness, too, so
 * that they are told apart without seeing red and green; nothing is said by colour alone. */
#ifndef GLINT_APP_VIEW_UI_THEME_HPP
#define GLINT_APP_VIEW_UI_THEME_HPP

#include <imgui.h>

extern "C" {
#include "app/view/data/themes.h"
}

constexpr ImU32 rgba(unsigned red, unsigned green, unsigned blue, unsigned alpha = 255) {
    return alpha << IM_COL32_A_SHIFT | blue << IM_COL32_B_SHIFT | green << IM_COL32_G_SHIFT | red << IM_COL32_R_SHIFT;
}

enum Shade {
    SHADE_GLASS, /* of what floats; what lies behind shines through a little; of columns, opaque */
    SHADE_SOLID, /* opaque: of lists, menus, tips and pages, which are read over anything */
    SHADE_EDGE,
    SHADE_INK,
    SHADE_DIM,   /* what explains */
    SHADE_FAINT, /* what cannot be had now */
    SHADE_ACCENT,
    SHADE_DEEP, /* behind ink: what is chosen */
    SHADE_KNOB, /* sliders, as far as the knob */
    SHADE_ON_ACCENT,
    SHADE_WARM,
    SHADE_BAD,
    SHADE_RED, /* channels, as letters */
    SHADE_GREEN,
    SHADE_BLUE,
    SHADES
};

struct Theme {
    ImU32 shades[SHADES];
};

constexpr Theme themes[THEMES] = {
    {{rgba(17, 19, 24, 232), rgba(17, 19, 24), rgba(255, 255, 255, 26), rgba(238, 241, 246), rgba(163, 171, 184),
      rgba(134, 142, 156), rgba(96, 205, 255), rgba(38, 112, 158), rgba(40, 116, 163), rgba(10, 26, 36),
      rgba(255, 190, 92), rgba(255, 116, 108), rgba(255, 128, 120), rgba(128, 220, 128), rgba(122, 172, 255)}},
    {{rgba(246, 247, 249, 250), rgba(248, 249, 251), rgba(20, 28, 40, 48), rgba(20, 24, 32), rgba(66, 74, 88),
      rgba(92, 100, 114), rgba(0, 92, 150), rgba(158, 206, 240), rgba(64, 134, 194), rgba(255, 255, 255),
      rgba(140, 82, 0), rgba(172, 34, 26), rgba(172, 34, 26), rgba(16, 106, 36), rgba(28, 74, 190)}},
    {{rgba(0, 0, 0, 255), rgba(0, 0, 0, 255), rgba(255, 255, 255, 190), rgba(255, 255, 255), rgba(235, 235, 235),
      rgba(205, 205, 205), rgba(255, 225, 64), rgba(0, 74, 140), rgba(0, 104, 190), rgba(0, 0, 0), rgba(255, 178, 84),
      rgba(255, 148, 138), rgba(255, 148, 138), rgba(128, 240, 128), rgba(150, 190, 255)}},
};

/* Contrast of two opaque colours as WCAG 2.1 defines it: relative luminance, from 1 to 21. x^2.4 is x^2 times the fifth
 * root of x^2. */
constexpr double fifth_root(double x, double guess = 1, int steps = 60) {
    return steps == 0 ? guess : fifth_root(x, (4 * guess + x / (guess * guess * guess * guess)) / 5, steps - 1);
}
constexpr double decoded(unsigned value) {
    const double v = value / 255.0, x = (v + 0.055) / 1.055;
    return v <= 0.03928 ? v / 12.92 : x * x * fifth_root(x * x);
}
constexpr double luminance(ImU32 c) {
    return 0.2126 * decoded(c >> IM_COL32_R_SHIFT & 255) + 0.7152 * decoded(c >> IM_COL32_G_SHIFT & 255) +
           0.0722 * decoded(c >> IM_COL32_B_SHIFT & 255);
}
constexpr double contrast(ImU32 a, ImU32 b) {
    const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
    return x > y ? x / y : y / x;
}
static_assert(contrast(rgba(255, 255, 255), rgba(0, 0, 0)) > 20.9, "black and white are 21 apart");

/* The least contrast of a theme's texts with what they stand on. */
constexpr double least_contrast(const Theme &theme) {
    const Shade texts[] = {SHADE_INK, SHADE_DIM, SHADE_FAINT, SHADE_ACCENT, SHADE_WARM,
                           SHADE_BAD, SHADE_RED, SHADE_GREEN, SHADE_BLUE};
    double least = contrast(theme.shades[SHADE_INK], theme.shades[SHADE_DEEP]);
    const double on = contrast(theme.shades[SHADE_ON_ACCENT], theme.shades[SHADE_ACCENT]);
    least = on < least ? on : least;
    for (const Shade shade : texts) {
        const double here = contrast(theme.shades[shade], theme.shades[SHADE_SOLID]);
        least = here < least ? here : least;
    }
    return least;
}
static_assert(least_contrast(themes[THEME_DARK]) >= 4.5, "texts have to be readable (WCAG 2.1, 1.4.3)");
static_assert(least_contrast(themes[THEME_LIGHT]) >= 4.5, "texts have to be readable (WCAG 2.1, 1.4.3)");
static_assert(least_contrast(themes[THEME_CONTRAST]) >= 7, "enhanced contrast (WCAG 2.1, 1.4.6)");

/* One colour over another, as much of it as `alpha` of 255. */
constexpr unsigned mixed(unsigned over, unsigned under, unsigned alpha) {
    return (over * alpha + under * (255 - alpha)) / 255;
}
constexpr ImU32 mixed_colour(ImU32 over, ImU32 under, unsigned alpha) {
    return rgba(mixed(over >> IM_COL32_R_SHIFT & 255, under >> IM_COL32_R_SHIFT & 255, alpha),
                mixed(over >> IM_COL32_G_SHIFT & 255, under >> IM_COL32_G_SHIFT & 255, alpha),
                mixed(over >> IM_COL32_B_SHIFT & 255, under >> IM_COL32_B_SHIFT & 255, alpha));
}
constexpr unsigned track_veil = 20, scroll_veil = 120;

/* The least contrast of what has to be seen besides texts: a slider's filled part on its track, how far a column is
 * scrolled. */
constexpr double least_mark(const Theme &theme) {
    const ImU32 ground = theme.shades[SHADE_SOLID], ink = theme.shades[SHADE_INK];
    const double knobs = contrast(theme.shades[SHADE_KNOB], mixed_colour(ink, ground, track_veil));
    const double scrolls = contrast(mixed_colour(ink, ground, scroll_veil), ground);
    return knobs < scrolls ? knobs : scrolls;
}
static_assert(least_mark(themes[THEME_DARK]) >= 3, "controls have to be seen (WCAG 2.1, 1.4.11)");
static_assert(least_mark(themes[THEME_LIGHT]) >= 3, "controls have to be seen (WCAG 2.1, 1.4.11)");
static_assert(least_mark(themes[THEME_CONTRAST]) >= 3, "controls have to be seen (WCAG 2.1, 1.4.11)");

/* A colour of the theme that the overlay has now. */
struct Tint {
    Shade shade;
    operator ImU32() const { return static_cast<const Theme *>(ImGui::GetIO().UserData)->shades[shade]; }
};
constexpr Tint glass{SHADE_GLASS}, solid_glass{SHADE_SOLID}, edge{SHADE_EDGE}, ink{SHADE_INK}, dim{SHADE_DIM},
    faint{SHADE_FAINT}, accent{SHADE_ACCENT}, accent_deep{SHADE_DEEP}, knob{SHADE_KNOB}, on_accent{SHADE_ON_ACCENT},
    warm{SHADE_WARM}, bad{SHADE_BAD};
constexpr Tint channel_inks[] = {{SHADE_RED}, {SHADE_GREEN}, {SHADE_BLUE}, {SHADE_INK}};

/* A colour, as much of it as `alpha` of 255. */
inline ImU32 thin(ImU32 colour, unsigned alpha) {
    return (colour & ~IM_COL32_A_MASK) | alpha << IM_COL32_A_SHIFT;
}
/* A colour a little off the panel: lighter on dark glass, darker on a light one. */
inline ImU32 veil(unsigned alpha) {
    return thin(ink, alpha);
}

/* Behind what is chosen in a list. */
struct AccentVeil {
    operator ImU32() const { return thin(accent, 44); }
};
constexpr AccentVeil accent_veil;

#endif
