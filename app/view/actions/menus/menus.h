/* menus.h: the menus, a file each: its functions, and its rows at the bottom. */
#ifndef GLINT_APP_VIEW_ACTIONS_MENUS_MENUS_H
#define GLINT_APP_VIEW_ACTIONS_MENUS_MENUS_H

#include "app/view/actions/action.h"

extern const Menu cameras_menu;
extern const Menu edit_menu;
extern const Menu exports_menu;
extern const Menu file_menu;
extern const Menu help_menu;
extern const Menu kernels_menu;
extern const Menu levels_menu;
extern const Menu look_menu;
extern const Menu quitting_menu;
extern const Menu scene_menu;
extern const Menu strip_menu;
extern const Menu view_menu;

/* The file of a result, and of a scene. */
extern const Argument argument_result_file;
extern const Argument argument_scene_file;

/* The toggle or the request of a row. A member that is neither a bool nor a Compare does not compile. */
#define MEMBER_AT(type, member)                                                                                        \
    _Generic(((const type *)0)->member, bool : offsetof(type, member), Compare : offsetof(type, member))
#define OF_VIEWER(member)                                                                                              \
    { MEMBER_OF_VIEWER, MEMBER_AT(Viewer, member) }
#define OF_INTERFACE(member)                                                                                           \
    { MEMBER_OF_INTERFACE, MEMBER_AT(Interface, member) }
#define OF_REQUESTS(member)                                                                                            \
    { MEMBER_OF_REQUESTS, MEMBER_AT(WindowRequests, member) }

/* Shows the photograph that comes with glint. STATUS_INPUT if it is not installed. */
Status help_open_photograph(Viewer *viewer);
/* Shows a panel that was opened: hidden panels come back, and the column if the panel stands there. */
Status action_reveal(Viewer *viewer, bool open, OverlayMode least);

#endif
