/* tools.h: the tools that a viewer has, each known to its own file and to those that draw it. */
#ifndef GLINT_APP_VIEW_TOOLS_TOOLS_H
#define GLINT_APP_VIEW_TOOLS_TOOLS_H

#include "app/view/session/tool.h"

struct Tools {
    struct Brush *brush;
    struct CurveEditor *curve_editor;
    struct Handles *handles;
    struct Histogram *histogram;
    struct Inspector *inspector;
    struct MachinePage *machine;
    struct MaskEditor *mask_editor;
    struct Picked *picked;
    struct Pin *pin;
    struct Walk *walk;
};

#endif
