/* dear_imgui.hpp: a frame of Dear ImGui. */
#ifndef GLINT_APP_VIEW_UI_DEAR_IMGUI_HPP
#define GLINT_APP_VIEW_UI_DEAR_IMGUI_HPP

#include "app/view/ui/widgets.hpp"

/* Passes the mouse's work on, and sets fonts of the window's scale; panels may be built then. */
void begin_frame(Overlay *overlay, const Viewer *viewer, const OverlayInput *input);
/* Draws the ground and the border of the window that was begun without them. The ground is opaque, and cleared rather
 * than blended: OpenGL in software then takes a tenth of the time. `scrolls`: with the mark of how far it is
 * scrolled. */
void box_ground(bool scrolls);

#endif
