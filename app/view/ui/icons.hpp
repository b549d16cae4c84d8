/* icons.hpp: small drawings of actions, as lines on a grid of 16. */
#ifndef GLINT_APP_VIEW_UI_ICONS_HPP
#define GLINT_APP_VIEW_UI_ICONS_HPP

#include <imgui.h>

/* Whether the table has a drawing of this name: an action's, or one of the names at the table's end. */
bool has_icon(const char *name);
/* Draws it in the square of `side` pixels from `at`; nothing where there is none. */
void draw_icon(ImDrawList *list, const char *name, ImVec2 at, float side, ImU32 tint);

#endif
