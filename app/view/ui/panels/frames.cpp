/* frames.cpp: the frames of particles on a slider, and what plays them. */
#include <stdio.h>

#include "app/view/ui/panels/panel.hpp"
#include "app/view/ui/table_rows.hpp"

extern "C" {
#include "app/view/tools/frames.h"
}

namespace {

void draw(Overlay *overlay, Viewer *viewer) {
    const Param *param = frames_param(viewer);
    const double place = frames_place(viewer);
    RowChange changes[ROW_CHANGES];
    char count[32];
    snprintf(count, sizeof count, "%zu in the file", frames_count(viewer));
    if (!heading(overlay, "Frames", count))
        return;
    if (table_rows(overlay, viewer, {param, 1, sizeof place}, &place, 0, changes) > 0 &&
        frames_go_to(viewer, changes[0].number) != STATUS_OK)
        viewer_say(viewer, true, "%s", status_message());
    action_chip(overlay, viewer, frames_play(viewer) ? "Stop" : "Play", "motion", nullptr);
    ImGui::SameLine();
    action_chip(overlay, viewer, "Previous", "previous-frame", nullptr);
    ImGui::SameLine();
    action_chip(overlay, viewer, "Next", "next-frame", nullptr);
    action_chip(overlay, viewer, frames_go_between(viewer) ? "Frame by frame" : "Without leaps", "between-frames",
                nullptr);
}

} // namespace

const Panel panel_frames = {"frames", PLACE_LEFT, frames_are_several, draw};
