/* straighten.cpp: on the picture: the line that becomes level, and by how many degrees that turns it. */
#include <math.h>
#include <stdio.h>

#include "app/view/ui/panels/panel.hpp"

namespace {

bool visible(const Viewer *viewer) {
    return straighten_on(viewer) && viewer->overlay != OVERLAY_OFF && !viewer_has_page(viewer);
}

void draw(Overlay *overlay, Viewer *viewer) {
    double line[4];
    char words[96] = "Draw a line along the horizon, or along a wall";
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    const Area area = viewer->area;
    float x = (float)(area.x + area.width / 2), y = (float)(area.y + area.height / 2);
    if (straighten_line(viewer, line)) {
        const ImVec2 from((float)line[0], (float)line[1]), to((float)line[2], (float)line[3]);
        const float thick = fmaxf(1, overlay->scale);
        const double angle = straighten_angle(line[2] - line[0], line[3] - line[1]);
        list->AddLine(from, to, rgba(0, 0, 0, 150), 3.4f * thick);
        list->AddLine(from, to, accent, 1.6f * thick);
        list->AddCircleFilled(from, 3.5f * thick, accent, 24);
        list->AddCircleFilled(to, 3.5f * thick, accent, 24);
        snprintf(words, sizeof words, "%+.2f°", angle);
        x = (from.x + to.x) / 2;
        y = fmaxf(from.y, to.y) + em(overlay, 0.8f);
    }
    pill(overlay, x, y, ink, words);
}

} // namespace

const Panel panel_straighten = {"straighten", PLACE_PICTURE, visible, draw};
