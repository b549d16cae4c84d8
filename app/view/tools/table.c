/* table.c: the table of tools, in the order in which their work is done and events are offered. They close from the
 * last to the first. */
#include "app/view/tools/every_tool.h"

#include "app/view/session/viewer.h"

#include <math.h>
#include <stdlib.h>

const ToolKind *const tool_kinds[] = {&pin_tool,          &copied_tool,        &mask_editor_tool,  &histogram_tool,
                                      &machine_page_tool, &inspector_tool,     &curve_editor_tool, &brush_tool,
                                      &straighten_tool,   &perspective_tool,   &point_picker_tool, &handles_tool,
                                      &objects_tool,      &pick_tool,          &walk_tool,         &save_after_tool,
                                      &export_tool,       &kept_cameras_tool,  &bulk_tool,         &kernel_files_tool,
                                      &develop_tool,      &live_pictures_tool, &frames_tool};
const size_t tool_count = sizeof tool_kinds / sizeof tool_kinds[0];

struct Tools {
    void *each[sizeof tool_kinds / sizeof tool_kinds[0]]; /* as their kinds */
};

void *tool_of(const Viewer *viewer, const ToolKind *kind) {
    size_t i = 0;
    while (tool_kinds[i] != kind)
        i++;
    return viewer->tools->each[i];
}

Status tools_create(Tools **tools) {
    Tools *made = *tools = calloc(1, sizeof *made);
    for (size_t i = 0; i < tool_count && made; i++) {
        const ToolKind *kind = tool_kinds[i];
        made->each[i] = calloc(1, kind->size);
        if (!made->each[i]) {
            tools_destroy(tools);
            break;
        }
        if (kind->begin)
            kind->begin(made->each[i]);
    }
    return *tools ? STATUS_OK : fail(STATUS_DEVICE, "no memory for the viewer's tools");
}

void tools_destroy(Tools **tools) {
    for (size_t i = 0; i < tool_count && *tools; i++) {
        void *tool = (*tools)->each[i];
        if (tool && tool_kinds[i]->end)
            tool_kinds[i]->end(tool);
        free(tool);
    }
    free(*tools);
    *tools = NULL;
}

bool tools_move(const Viewer *viewer) {
    bool moves = false;
    for (size_t i = 0; i < tool_count && !moves; i++)
        moves = tool_kinds[i]->moves && tool_kinds[i]->moves(viewer);
    return moves;
}

Status tools_await(Viewer *viewer) {
    for (size_t i = 0; i < tool_count; i++)
        if (tool_kinds[i]->await)
            TRY(tool_kinds[i]->await(viewer));
    return STATUS_OK;
}

void tools_go_on(Viewer *viewer, double now) {
    for (size_t i = 0; i < tool_count; i++)
        if (tool_kinds[i]->go_on)
            tool_kinds[i]->go_on(viewer, now);
}

const ToolKind *tools_take(Viewer *viewer, const ToolEvent *event) {
    for (size_t i = 0; i < tool_count; i++)
        if (tool_kinds[i]->event && tool_kinds[i]->event(viewer, event))
            return tool_kinds[i];
    return NULL;
}

const char *tools_action(const Viewer *viewer, const char *key) {
    const char *action = NULL;
    for (size_t i = tool_count; i > 0 && !action; i--)
        action = tool_kinds[i - 1]->action ? tool_kinds[i - 1]->action(viewer, key) : NULL;
    return action;
}

double tools_margin(const Viewer *viewer) {
    double margin = 0;
    for (size_t i = 0; i < tool_count; i++)
        if (tool_kinds[i]->margin)
            margin = fmax(margin, tool_kinds[i]->margin(viewer));
    return margin;
}

void tools_close_others(Viewer *viewer, const ToolKind *kind) {
    for (size_t i = 0; i < tool_count; i++)
        if (tool_kinds[i]->drags && tool_kinds[i] != kind && tool_kinds[i] != kind->within)
            (void)tool_kinds[i]->close(viewer);
}

bool tools_close(Viewer *viewer, bool pages) {
    for (size_t i = tool_count; i > 0; i--) {
        const ToolKind *kind = tool_kinds[i - 1];
        if (kind->close && kind->page == pages && kind->close(viewer))
            return true;
    }
    return false;
}
