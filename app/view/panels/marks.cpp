/* marks.cpp: on the picture: the pixel that is inspected, and what the mask covers around it. */
#include <math.h>

#include "app/view/panels/panel.hpp"

namespace {

bool visible(const Viewer *viewer) {
    const Inspector &inspector = viewer->inspector;
    return viewer->overlay != OVERLAY_OFF && !viewer->help && viewer_picture(viewer) && inspector.open &&
           inspector.has_pixel;
}

/* A frame of two colours, to be seen on every ground, around a rectangle of the picture's pixels. */
void frame(ImDrawList *list, const Viewport &at, float thick, ImU32 tint, double x, double y, double width,
           double height) {
    const ImVec2 from((float)floor(at.x + x * at.scale), (float)floor(at.y + y * at.scale));
    const ImVec2 to((float)ceil(at.x + (x + width) * at.scale), (float)ceil(at.y + (y + height) * at.scale));
    list->AddRect(ImVec2(from.x - 2 * thick, from.y - 2 * thick), ImVec2(to.x + 2 * thick, to.y + 2 * thick),
                  rgba(0, 0, 0, 150), 0, 0, thick);
    list->AddRect(ImVec2(from.x - thick, from.y - thick), ImVec2(to.x + thick, to.y + thick), tint, 0, 0, thick);
}

void draw(Overlay *overlay, Viewer *viewer) {
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    const Inspector &inspector = viewer->inspector;
    const Inspection &made = inspector.inspection;
    const float thick = fmaxf(1, roundf(overlay->scale));
    const Viewport at = viewer_viewport(viewer);
    const double x = (double)inspector.x, y = (double)inspector.y;
    const bool covers = inspector.current && made.width > 0;
    if (covers && (double)(made.width > made.height ? made.width : made.height) * at.scale > 6 * (double)thick)
        frame(list, at, thick, rgba(255, 255, 255, 160), x - made.width / 2, y - made.height / 2, made.width,
              made.height);
    frame(list, at, thick, accent, x, y, 1, 1);
}

} // namespace

const Panel panel_marks = {"marks", PLACE_PICTURE, visible, draw};
