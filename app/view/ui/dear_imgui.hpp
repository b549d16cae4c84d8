/* dear_imgui.hpp: a frame of Dear ImGui. */
#ifndef GLINT_APP_VIEW_UI_DEAR_IMGUI_HPP
#define GLINT_APP_VIEW_UI_DEAR_IMGUI_HPP

#include "app/view/ui/widgets.hpp"

/* Passes the mouse's work on, and sets fonts of the window's scale; panels may be built then. */
void begin_frame(Overlay *overlay, const Viewer *viewer, const OverlayInput *input);
/* The ground and the border of the window that was begun, which has none: opaque, and cleared rather than blended,
 * which takes OpenGL in software a tenth of the time. `scrolls`: with the mark of how far it is scrolled. */
void box_ground(bool scrolls);

#endif
