/* controls.hpp: what is pressed: buttons of three kinds, and segments, of which one is chosen. */
#ifndef GLINT_APP_VIEW_UI_CONTROLS_HPP
#define GLINT_APP_VIEW_UI_CONTROLS_HPP

#include "app/view/ui/widgets.hpp"

/* The third kind is a chip (widgets.hpp): small, for choices within a panel. */
enum ButtonKind {
    BUTTON_PLAIN,
    BUTTON_PRIMARY /* in the accent: the one that a place is there for */
};

/* Pixels that a button takes with an icon (icons.hpp) and words; either may be nullptr. */
float button_width(const Overlay *overlay, const char *icon, const char *words);
/* A button as high as a row, with `width` pixels: 0 as many as it needs, below 0 up to the right edge. `name` tells it
 * from others, and icon or words may be nullptr. True if it was pressed. */
bool button(const Overlay *overlay, ButtonKind kind, const char *name, const char *icon, const char *words,
            float width = 0);

/* An icon alone: a chip, as high as a row, whose ground shows where it is on or under the pointer. */
bool icon_chip(const Overlay *overlay, const char *icon, bool on);

struct Segment {
    const char *icon, *words; /* either may be nullptr */
};
/* Where segments lie and what they hear. */
struct Segments {
    size_t count, clicked, hovered; /* `count` stands for none */
};
float segments_width(const Overlay *overlay, const Segment *list, size_t count);
/* Segments in a row, of which `chosen` stands out. */
Segments segments(const Overlay *overlay, const char *name, const Segment *list, size_t count, size_t chosen);

#endif
