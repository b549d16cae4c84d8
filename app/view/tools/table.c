/* table.c: the table of tools, in the order in which their work is done. */
#include "app/view/tools/every_tool.h"

#include <stdlib.h>
#include <string.h>

const ToolKind *const tool_kinds[] = {&pin_tool,          &mask_editor_tool, &curve_editor_tool, &histogram_tool,
                                      &machine_page_tool, &inspector_tool,   &brush_tool,        &handles_tool,
                                      &pick_tool,         &walk_tool};
const size_t tool_count = sizeof tool_kinds / sizeof tool_kinds[0];

static void *tool_at(const Tools *tools, const ToolKind *kind) {
    void *tool;
    memcpy(&tool, (const char *)tools + kind->place, sizeof tool);
    return tool;
}

Status tools_create(Tools **tools) {
    Tools *made = *tools = calloc(1, sizeof *made);
    for (size_t i = 0; i < tool_count && made; i++) {
        const ToolKind *kind = tool_kinds[i];
        void *tool = calloc(1, kind->size);
        if (!tool) {
            tools_destroy(tools);
            break;
        }
        memcpy((char *)made + kind->place, &tool, sizeof tool);
        if (kind->begin)
            kind->begin(tool);
    }
    return *tools ? STATUS_OK : fail(STATUS_DEVICE, "no memory for the viewer's tools");
}

void tools_destroy(Tools **tools) {
    for (size_t i = 0; i < tool_count && *tools; i++) {
        void *tool = tool_at(*tools, tool_kinds[i]);
        if (tool && tool_kinds[i]->end)
            tool_kinds[i]->end(tool);
        free(tool);
    }
    free(*tools);
    *tools = NULL;
}
