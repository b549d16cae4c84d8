/* menus.hpp: menus from the table of actions; the bar and the menu of the picture show them. */
#ifndef GLINT_APP_VIEW_UI_MENUS_HPP
#define GLINT_APP_VIEW_UI_MENUS_HPP

#include "app/view/ui/widgets.hpp"

extern "C" {
#include "app/view/actions/arguments.h"
#include "app/view/actions/dispatch.h"
}

/* The actions of a group that are here, each with its key; those of a listed argument as a menu of what it may be.
 * The window carries out a picked one (action_ask). */
void menu_of_group(const Overlay *overlay, Viewer *viewer, const char *group);
/* The actions with a flag, from all groups. */
void menu_of_flag(const Overlay *overlay, Viewer *viewer, unsigned flag);
/* A menu for every group, one below or beside the other. */
void menus_of_all(const Overlay *overlay, Viewer *viewer);

#endif
