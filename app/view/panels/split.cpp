/* split.cpp: the handle between before and after. */
#include <math.h>

#include "app/view/panels/panel.hpp"

namespace {

bool visible(const Viewer *viewer) {
    return viewer->compare == COMPARE_SPLIT && viewer_picture(viewer);
}

void draw(Overlay *overlay, Viewer *viewer) {
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    const float x = roundf((float)(viewer->split * viewer->width)), y = (float)viewer->height / 2;
    const float radius = em(overlay, 0.9f), arrow = em(overlay, 0.32f), line = fmaxf(1, roundf(overlay->scale));
    list->AddRectFilled(ImVec2(x - 2 * line, 0), ImVec2(x + 2 * line, (float)viewer->height), rgba(0, 0, 0, 90));
    list->AddRectFilled(ImVec2(x - line, 0), ImVec2(x + line, (float)viewer->height), rgba(255, 255, 255, 235));
    list->AddCircleFilled(ImVec2(x, y), radius + line, rgba(0, 0, 0, 110), 48);
    list->AddCircleFilled(ImVec2(x, y), radius, rgba(255, 255, 255, 245), 48);
    for (float side = -1; side <= 1; side += 2)
        list->AddTriangleFilled(ImVec2(x + side * arrow * 0.6f, y - arrow), ImVec2(x + side * arrow * 1.9f, y),
                                ImVec2(x + side * arrow * 0.6f, y + arrow), rgba(30, 34, 42));
    const float top = (float)viewer->height - em(overlay, 5.2f);
    pill(overlay, x - em(overlay, 3.4f), top, ink, "before");
    pill(overlay, x + em(overlay, 3.2f), top, accent, "after");
}

} // namespace

const Panel panel_split = {"split", PLACE_PICTURE, visible, draw};
