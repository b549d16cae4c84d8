/* menus.hpp: menus from the table of actions; the bar and the menu of the picture show them. */
#ifndef GLINT_APP_VIEW_UI_MENUS_HPP
#define GLINT_APP_VIEW_UI_MENUS_HPP

#include "app/view/ui/widgets.hpp"

extern "C" {
#include "app/view/actions/dispatch.h"
}

/* The actions with a flag that are here, from all menus, each with its key. An action of a listed argument is a menu of
 * its values. The window carries out a picked one (action_ask). */
void menu_of_flag(const Overlay *overlay, Viewer *viewer, unsigned flag);
/* Every menu, in a column. */
void menus_of_all(const Overlay *overlay, Viewer *viewer);
/* Every menu in the bar, side by side, or folded into one; and the pixels that they take there. */
void bar_menus(const Overlay *overlay, Viewer *viewer, bool folded);
float bar_menus_width(const Overlay *overlay, const Viewer *viewer, bool folded);

#endif
