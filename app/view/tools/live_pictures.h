/* live_pictures.h: pictures that other programs send (app/tev/live.h), among the window's own.
 * Owns their way into the list. The shown one follows its changes one after the other, each once the result of the one
 * before is there. */
#ifndef GLINT_APP_VIEW_TOOLS_LIVE_PICTURES_H
#define GLINT_APP_VIEW_TOOLS_LIVE_PICTURES_H

#include "app/view/session/tool.h"

extern const ToolKind live_pictures_tool;

#endif
