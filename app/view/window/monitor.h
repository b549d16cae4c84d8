/* monitor.h: the profile of the monitor on which most of the window lies. Desktops give it as a property of the
 * screen's root window (ICC Profiles in X Specification 0.4). It is _ICC_PROFILE for the first monitor, _ICC_PROFILE_1
 * for the second. Owns the notice that it is another one: the property has changed, the window or a monitor has moved.
 */
#ifndef GLINT_APP_VIEW_WINDOW_MONITOR_H
#define GLINT_APP_VIEW_WINDOW_MONITOR_H

#include "core/image/colour_space.h"

/* For the window of the current OpenGL context: hears of changes from now on. */
void monitor_listen(void);
/* Whether the property is to be read: for the first time, or since it is another one. Never before monitor_listen. */
bool monitor_changed(void);
/* Reads it; *space is NULL where there is none. Fails as colour_space_of_monitor. */
Status monitor_read(ColourSpace **space);

#endif
