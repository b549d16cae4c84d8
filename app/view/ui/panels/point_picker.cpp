/* point_picker.cpp: on the picture: what to click, and the ring of a spot while it is dragged. */
#include <math.h>

#include "app/view/ui/panels/panel.hpp"

namespace {

bool visible(const Viewer *viewer) {
    return point_picker_words(viewer) && viewer->overlay != OVERLAY_OFF && !viewer_has_page(viewer);
}

void draw(Overlay *overlay, Viewer *viewer) {
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    const Area area = viewer->area;
    const float thick = fmaxf(1, overlay->scale);
    double x, y, radius;
    if (point_picker_ring(viewer, &x, &y, &radius)) {
        const ImVec2 middle((float)x, (float)y);
        list->AddCircle(middle, (float)radius, rgba(0, 0, 0, 150), 0, 3.4f * thick);
        list->AddCircle(middle, (float)radius, accent, 0, 1.6f * thick);
        list->AddCircleFilled(middle, 2.5f * thick, accent, 24);
    }
    pill(overlay, (float)(area.x + area.width / 2), (float)area.y + em(overlay, 0.6f), ink, point_picker_words(viewer));
}

} // namespace

const Panel panel_point_picker = {"point_picker", PLACE_PICTURE, visible, draw};
