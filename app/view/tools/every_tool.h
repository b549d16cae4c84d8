/* every_tool.h: for those that use most tools. */
#ifndef GLINT_APP_VIEW_TOOLS_EVERY_TOOL_H
#define GLINT_APP_VIEW_TOOLS_EVERY_TOOL_H

#include "app/view/tools/brush.h"
#include "app/view/tools/bulk.h"
#include "app/view/tools/copied.h"
#include "app/view/tools/curve_editor.h"
#include "app/view/tools/develop.h"
#include "app/view/tools/export.h"
#include "app/view/tools/frames.h"
#include "app/view/tools/handles.h"
#include "app/view/tools/histogram.h"
#include "app/view/tools/inspector.h"
#include "app/view/tools/kept_cameras.h"
#include "app/view/tools/kernel_files.h"
#include "app/view/tools/live_pictures.h"
#include "app/view/tools/machine_page.h"
#include "app/view/tools/mask_editor.h"
#include "app/view/tools/objects.h"
#include "app/view/tools/perspective.h"
#include "app/view/tools/pick.h"
#include "app/view/tools/pin.h"
#include "app/view/tools/point_picker.h"
#include "app/view/tools/save_after.h"
#include "app/view/tools/straighten.h"
#include "app/view/tools/walk.h"

#endif
