/* perspective.cpp: on the picture: the corners that were clicked so far, and which one comes next. */
#include <math.h>

#include "app/view/ui/panels/panel.hpp"

namespace {

bool visible(const Viewer *viewer) {
    return perspective_on(viewer) && viewer->overlay != OVERLAY_OFF && !viewer_has_page(viewer);
}

void draw(Overlay *overlay, Viewer *viewer) {
    static const char *const words[] = {"Click the four corners of a thing that should be a rectangle",
                                        "Three more corners", "Two more corners", "One more corner", ""};
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    const Area area = viewer->area;
    const float thick = fmaxf(1, overlay->scale);
    double points[4][2];
    const int count = perspective_points(viewer, points);
    for (int i = 0; i < count; i++) {
        const bool last = i + 1 == count;
        const ImVec2 from((float)points[i][0], (float)points[i][1]);
        const ImVec2 to(last ? (float)viewer->pointer_x : (float)points[i + 1][0],
                        last ? (float)viewer->pointer_y : (float)points[i + 1][1]);
        list->AddLine(from, to, rgba(0, 0, 0, 150), 3.4f * thick);
        list->AddLine(from, to, accent, 1.6f * thick);
    }
    for (int i = 0; i < count; i++) {
        const ImVec2 at((float)points[i][0], (float)points[i][1]);
        list->AddCircleFilled(at, 6.0f * thick, rgba(0, 0, 0, 150), 24);
        list->AddCircleFilled(at, 4.5f * thick, accent, 24);
    }
    pill(overlay, (float)(area.x + area.width / 2), (float)area.y + em(overlay, 0.6f), ink, words[count]);
}

} // namespace

const Panel panel_perspective = {"perspective", PLACE_PICTURE, visible, draw};
