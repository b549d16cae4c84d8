/* tools.c: the table of tools. */
#include "app/view/tools/curve_editor.h"
#include "app/view/tools/histogram.h"
#include "app/view/tools/inspector.h"
#include "app/view/tools/machine_page.h"
#include "app/view/tools/mask_editor.h"
#include "app/view/tools/pin.h"

const ToolKind *const tool_kinds[] = {&pin_tool,       &mask_editor_tool,  &curve_editor_tool,
                                      &histogram_tool, &machine_page_tool, &inspector_tool};
const size_t tool_count = sizeof tool_kinds / sizeof tool_kinds[0];
