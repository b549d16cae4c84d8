/* stars.hpp: ratings as they are drawn: stars, and the cross of a rejected picture. */
#ifndef GLINT_APP_VIEW_UI_STARS_HPP
#define GLINT_APP_VIEW_UI_STARS_HPP

#include "app/view/ui/widgets.hpp"

/* Filled, or its outline alone. */
void draw_star(const Overlay *overlay, ImVec2 middle, ImU32 tint, bool filled);
void draw_cross(const Overlay *overlay, ImVec2 middle, ImU32 tint);

/* Five stars and a cross, for the rating of the pictures that actions are for: a click gives it, another one takes it
 * back. They begin where the cursor is, and take so many pixels. */
float stars_width(const Overlay *overlay);
void stars(const Overlay *overlay, Viewer *viewer, int rating);

#endif
