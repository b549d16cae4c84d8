/* drawing.cpp: on the picture: what the program that sends it has drawn over it (app/tev/drawing.h). */
#include <math.h>

#include "app/view/ui/panels/panel.hpp"

extern "C" {
#include "app/tev/live.h"
}

namespace {

enum : unsigned { CENTRE = 2, RIGHT = 4, TOP = 8, MIDDLE = 16, BOTTOM = 32 }; /* of TEV_TEXT_ALIGN */

/* Drawings lie on results whose pixels have places in the picture; a lens bends these a little. */
bool visible(const Viewer *viewer) {
    const Subject *shown = viewer->session->subject;
    return shown && shown->live > 0 && !viewer->hides_drawings && viewer->session->on_device &&
           viewer->session->place.geometry.origin != ORIGIN_NONE;
}

/* From the picture as it was sent, through the chain, into the window. False if the chain cannot be turned round. */
bool place_of(const Viewer *viewer, DrawingPlace *place) {
    const Viewport at = viewer_viewport(viewer);
    const Homography centres = {{1, 0, -0.5, 0, 1, -0.5, 0, 0, 1}}; /* these have whole coordinates in chains */
    const Homography view = {{at.scale, 0, at.x + at.scale / 2, 0, at.scale, at.y + at.scale / 2, 0, 0, 1}};
    Homography through;
    if (!homography_invert(&viewer->session->place.geometry.to_picture, &through))
        return false;
    const Homography start = homography_join(&centres, &through);
    const double *m = through.m;
    const double grows = sqrt(fabs(m[0] * m[4] - m[1] * m[3])) / fabs(m[8]);
    *place = {homography_join(&start, &view), at.scale * grows, viewer->width, viewer->height};
    return true;
}

bool is_same(const DrawingPlace &place, const DrawingPlace &other) {
    double away = 0;
    for (int i = 0; i < 9; i++)
        away = fmax(away, fabs(place.to_window.m[i] - other.to_window.m[i]));
    return away <= 0 && place.width == other.width && place.height == other.height;
}

/* Makes it again where the picture or its place is another. One that is too long is said once. */
void follow(Overlay *overlay, Viewer *viewer, const DrawingPlace &place) {
    ShownDrawing *shown = &overlay->drawing;
    const char *path = viewer->session->subject->name;
    const unsigned changes = live_changes(path);
    if (changes == shown->changes && is_same(place, shown->place))
        return;
    const bool other = changes != shown->changes;
    Bytes commands;
    drawing_free(&shown->drawing);
    Status status = live_drawing(path, &commands, &shown->changes);
    if (status == STATUS_OK)
        status = drawing_make(commands, &place, &shown->drawing);
    shown->place = place;
    if (other)
        report(viewer, status);
}

void draw_text(const Overlay *overlay, ImDrawList *list, const DrawingMark &mark, ImU32 tint, ImVec2 at) {
    ImFont *font = mark.mono ? overlay->mono : mark.bold ? overlay->bold : overlay->regular;
    const float size = (float)mark.size;
    const ImVec2 room = font->CalcTextSizeA(size, FLT_MAX, 0, mark.text);
    const float ascent = font->Ascent * size / font->FontSize;
    at.x -= mark.align & CENTRE ? room.x / 2 : mark.align & RIGHT ? room.x : 0;
    at.y -= mark.align & TOP ? 0 : mark.align & MIDDLE ? size / 2 : mark.align & BOTTOM ? size : ascent;
    list->AddText(font, size, at, tint, mark.text);
}

void draw_marks(const Overlay *overlay, ImDrawList *list, float left) {
    const Drawing &drawing = overlay->drawing.drawing;
    for (size_t i = 0; i < drawing.count; i++) {
        const DrawingMark &mark = drawing.marks[i];
        const uint8_t *colour = mark.colour;
        for (size_t b = mark.first; b < mark.first + mark.count; b++) {
            const FillBox &box = drawing.fill.boxes[b];
            const ImVec2 from(left + (float)box.x, (float)box.y);
            list->AddRectFilled(from, ImVec2(from.x + (float)box.width, from.y + (float)box.height),
                                rgba(colour[0], colour[1], colour[2], (colour[3] * box.share + 127) / 255));
        }
        if (mark.text)
            draw_text(overlay, list, mark, rgba(colour[0], colour[1], colour[2], colour[3]),
                      ImVec2(left + (float)mark.at.x, (float)mark.at.y));
    }
}

/* Over the result, and over the other side where that lies next to it. */
void draw(Overlay *overlay, Viewer *viewer) {
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    const Area right = viewer_result_area(viewer);
    DrawingPlace place;
    if (!place_of(viewer, &place))
        return;
    follow(overlay, viewer, place);
    if (!(right.width < viewer->area.width))
        return draw_marks(overlay, list, 0);
    for (int side = 0; side < 2; side++) {
        const double from = side == 0 ? right.x : viewer->area.x;
        list->PushClipRect(ImVec2((float)from, (float)right.y),
                           ImVec2((float)(from + right.width), (float)(right.y + right.height)));
        draw_marks(overlay, list, side == 0 ? 0 : -(float)round(right.width));
        list->PopClipRect();
    }
}

} // namespace

const Panel panel_drawing = {"drawing", PLACE_PICTURE, visible, draw};
