/* marks.cpp: on the picture: the part that is counted, the pixel that is inspected and the pixels that the mask covers
 * around it. Another frame is around the part that an emulated GPU made. */
#include <math.h>

#include "app/view/ui/panels/panel.hpp"

extern "C" {
#include "app/view/session/near.h"
#include "app/view/session/structure.h"
#include "core/chain/within.h"
}

namespace {

/* The rectangle that the selected filter is confined to, where the chain keeps the picture's size. */
bool confined(const Viewer *viewer, Region *part) {
    const char *within = viewer_within(viewer);
    return within && !viewer->request->chain->links[viewer_selected(viewer)].off && viewer_keeps_size(viewer) &&
           within_rectangle(within, viewer_shape(viewer), part);
}

/* The part that is counted, or that hands are marking. */
bool shows_part(const Viewer *viewer) {
    return (histogram_choices(viewer)->open || viewer->held) && histogram_marked(viewer);
}

bool inspects(const Viewer *viewer) {
    return inspector_view(viewer)->open && inspector_view(viewer)->has_pixel && viewer_picture(viewer);
}

/* The part that an emulated GPU made, where that stands for the result. */
bool shows_emulated(const Viewer *viewer) {
    return structure_holds(viewer->session) && near_shown(viewer->session);
}

bool visible(const Viewer *viewer) {
    Region part;
    return viewer->overlay != OVERLAY_OFF && !viewer_has_page(viewer) && viewer->session->subject &&
           (inspects(viewer) || shows_part(viewer) || brush_on(viewer) || confined(viewer, &part) ||
            shows_emulated(viewer));
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

void draw_pixel(ImDrawList *list, const Viewer *viewer, const Viewport &at, float thick) {
    const InspectorView *inspector = inspector_view(viewer);
    const Inspection &made = inspector->inspection;
    const double x = (double)inspector->x, y = (double)inspector->y;
    if (inspector->current &&
        (double)(made.width > made.height ? made.width : made.height) * at.scale > 6 * (double)thick)
        frame(list, at, thick, rgba(255, 255, 255, 160), x - made.width / 2, y - made.height / 2, made.width,
              made.height);
    frame(list, at, thick, accent, x, y, 1, 1);
}

/* The stroke, until it counts, and the brush at the pointer. */
void draw_brush(ImDrawList *list, const Viewer *viewer, const Viewport &at, float thick) {
    const BrushView brush = brush_view(viewer);
    const float radius = (float)(brush.radius * at.scale);
    const ImU32 tint = brush.erases ? rgba(0, 0, 0, 120) : rgba(255, 255, 255, 120);
    ImVec2 points[BRUSH_POINTS];
    for (size_t i = 0; i < brush.count; i++)
        points[i] = ImVec2((float)(at.x + brush.points[i].x * at.scale), (float)(at.y + brush.points[i].y * at.scale));
    if (brush.count == 1)
        list->AddCircleFilled(points[0], radius, tint, 48);
    else
        list->AddPolyline(points, (int)brush.count, tint, 0, 2 * radius);
    const ImVec2 middle((float)viewer->pointer_x, (float)viewer->pointer_y);
    list->AddCircle(middle, radius + thick, rgba(0, 0, 0, 150), 64, thick);
    list->AddCircle(middle, radius, rgba(255, 255, 255, 230), 64, thick);
}

void draw(Overlay *overlay, Viewer *viewer) {
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    const float thick = fmaxf(1, roundf(overlay->scale));
    const Viewport at = viewer_viewport(viewer);
    const Marked &part = histogram_choices(viewer)->part;
    if (shows_part(viewer))
        frame(list, at, thick, rgba(255, 255, 255, 220), (double)part.x, (double)part.y, (double)part.width,
              (double)part.height);
    if (brush_on(viewer))
        draw_brush(list, viewer, at, thick);
    Region place;
    if (confined(viewer, &place))
        frame(list, at, thick, warm, (double)place.left, (double)place.top, (double)place.width, (double)place.height);
    if (shows_emulated(viewer)) {
        const Region &made = near_shown(viewer->session)->part;
        frame(list, at, thick, accent, (double)made.left, (double)made.top, (double)made.width, (double)made.height);
    }
    if (inspects(viewer))
        draw_pixel(list, viewer, at, thick);
}

} // namespace

const Panel panel_marks = {"marks", PLACE_PICTURE, visible, draw};
