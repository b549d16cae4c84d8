/* handles.cpp: on the picture: the selected filter's rectangle, place, angle or corners, to be dragged. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/view/ui/panels/panel.hpp"

extern "C" {
#include "app/view/actions/dispatch.h"
}

namespace {

constexpr float handle_ems = 0.38f;

/* A line of two colours, to be seen on every ground. */
void line(const Overlay *overlay, ImVec2 from, ImVec2 to, ImU32 tint) {
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    const float thick = fmaxf(1, overlay->scale);
    list->AddLine(from, to, rgba(0, 0, 0, 130), 3.2f * thick);
    list->AddLine(from, to, tint, 1.4f * thick);
}

void knob(const Overlay *overlay, ImVec2 at, bool near) {
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    const float radius = em(overlay, handle_ems) * (near ? 1.3f : 1.0f), thick = fmaxf(1, overlay->scale);
    list->AddCircleFilled(at, radius + 1.6f * thick, rgba(0, 0, 0, 170), 32);
    list->AddCircleFilled(at, radius, near ? rgba(255, 255, 255) : rgba(86, 196, 255), 32);
}

ImVec2 place(const Viewer *viewer, double x, double y) {
    handles_place(viewer, x, y, &x, &y);
    return ImVec2((float)x, (float)y);
}

/* The rectangle: parts to be cut away are dark, and lines mark thirds. */
void draw_rectangle(const Overlay *overlay, const Viewer *viewer, const Rectangle &of) {
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    const Shape in = handles_view(viewer).in;
    const double left = of.x - 0.5, top = of.y - 0.5, right = left + of.width, bottom = top + of.height;
    const double ends[2] = {(double)in.width - 0.5, (double)in.height - 0.5};
    const double dark[4][4] = {{-0.5, -0.5, ends[0], top},
                               {-0.5, bottom, ends[0], ends[1]},
                               {-0.5, top, left, bottom},
                               {right, top, ends[0], bottom}};
    for (const auto &part : dark)
        list->AddQuadFilled(place(viewer, part[0], part[1]), place(viewer, part[2], part[1]),
                            place(viewer, part[2], part[3]), place(viewer, part[0], part[3]), rgba(0, 0, 0, 150));
    for (int i = 1; i < 3; i++) {
        const double x = left + i * of.width / 3, y = top + i * of.height / 3;
        list->AddLine(place(viewer, x, top), place(viewer, x, bottom), rgba(255, 255, 255, 70));
        list->AddLine(place(viewer, left, y), place(viewer, right, y), rgba(255, 255, 255, 70));
    }
    const ImVec2 corners[4] = {place(viewer, left, top), place(viewer, right, top), place(viewer, right, bottom),
                               place(viewer, left, bottom)};
    for (int i = 0; i < 4; i++)
        line(overlay, corners[i], corners[(i + 1) % 4], rgba(255, 255, 255, 235));
}

void draw_corners(const Overlay *overlay, const Viewer *viewer, const HandleValues &values) {
    ImVec2 corners[4];
    for (int i = 0; i < 4; i++)
        corners[i] = place(viewer, values.corners[i][0], values.corners[i][1]);
    for (int i = 0; i < 4; i++)
        line(overlay, corners[i], corners[(i + 1) % 4], rgba(255, 255, 255, 235));
}

/* From the middle to the knob, and the circle that it goes round. */
void draw_dial(const Overlay *overlay, const Viewer *viewer, const HandleValues &values, const Handle &handle) {
    const Shape out = handles_view(viewer).out;
    const ImVec2 middle = place(viewer, ((double)out.width - 1) / 2, ((double)out.height - 1) / 2);
    const ImVec2 end((float)handle.x, (float)handle.y);
    const float radius = hypotf(end.x - middle.x, end.y - middle.y), thick = fmaxf(1, overlay->scale);
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    list->AddCircle(middle, radius, rgba(0, 0, 0, 110), 96, 3.0f * thick);
    list->AddCircle(middle, radius, rgba(255, 255, 255, 120), 96, 1.2f * thick);
    line(overlay, middle, end, rgba(255, 255, 255, 235));
    if (values.length > 0) { /* the other half of a line through the middle */
        const ImVec2 other(2 * middle.x - end.x, 2 * middle.y - end.y);
        line(overlay, middle, other, rgba(255, 255, 255, 130));
    }
    list->AddCircleFilled(middle, 2.5f * thick, rgba(255, 255, 255, 235), 16);
}

void draw_place(const Overlay *overlay, const Handle &handle) {
    const float reach = em(overlay, 1.4f), x = (float)handle.x, y = (float)handle.y;
    line(overlay, ImVec2(x - reach, y), ImVec2(x + reach, y), rgba(255, 255, 255, 200));
    line(overlay, ImVec2(x, y - reach), ImVec2(x, y + reach), rgba(255, 255, 255, 200));
}

void format_words(HandlesKind kind, const HandleValues &values, char *words, size_t size) {
    const Rectangle &of = values.rectangle;
    if (kind == HANDLES_RECTANGLE)
        snprintf(words, size, "%.0f × %.0f px at %.0f, %.0f", of.width, of.height, of.x, of.y);
    else if (kind == HANDLES_PLACE)
        snprintf(words, size, "%.5g, %.5g", values.x, values.y);
    else if (kind == HANDLES_ANGLE && values.length > 0)
        snprintf(words, size, "%.4g°, %.0f pixels", values.angle, values.length);
    else if (kind == HANDLES_ANGLE)
        snprintf(words, size, "%.4g°", values.angle);
}

/* Below the handles; above the lowest ones where there is no room. */
void draw_words(const Overlay *overlay, const Viewer *viewer, HandlesKind kind, const HandleValues &values,
                const Handle *handles, int count) {
    const Shape out = handles_view(viewer).out;
    const float bottom = (float)(viewer->area.y + viewer->area.height) - em(overlay, 1.7f),
                top = (float)viewer->area.y + em(overlay, 0.6f);
    char words[96] = "";
    float left = 1e6f, right = -1e6f, lowest = -1e6f;
    for (int i = 0; i < count; i++) {
        left = fminf(left, (float)handles[i].x);
        right = fmaxf(right, (float)handles[i].x);
        lowest = fmaxf(lowest, (float)handles[i].y);
    }
    if (kind == HANDLES_ANGLE) { /* the circle, not where its knob is */
        const ImVec2 middle = place(viewer, ((double)out.width - 1) / 2, ((double)out.height - 1) / 2);
        lowest = middle.y + hypotf((float)handles[0].x - middle.x, (float)handles[0].y - middle.y);
        left = right = middle.x;
    }
    format_words(kind, values, words, sizeof words);
    const float below = lowest + em(overlay, 0.9f), above = fminf(lowest - em(overlay, 2.7f), bottom);
    if (words[0])
        pill(overlay, (left + right) / 2, fmaxf(below <= bottom ? below : above, top), ink, words);
}

/* ---- the ratios ---- */

bool alike(double a, double b) {
    return fabs(a - b) < 1e-6 * b;
}

bool is_kept(const CropRatio &row, double kept, double original) {
    const bool as_original = kept > 0 && alike(kept, original);
    if (row.ratio > 0)
        return !as_original && (alike(kept, row.ratio) || alike(kept, 1 / row.ratio));
    return strcmp(row.name, "free") == 0 ? !(kept > 0) : as_original;
}

/* Goes on behind the last chip, or on the next line. */
void go_on_within(const Overlay *overlay, float limit, const char *words) {
    const float right = ImGui::GetItemRectMax().x + em(overlay, 1.6f) + width_of(overlay->small, words);
    if (right < limit)
        ImGui::SameLine(0, em(overlay, 0.3f));
}

void ask_chip(Overlay *overlay, Viewer *viewer, float limit, const char *words, const char *action, const char *text) {
    go_on_within(overlay, limit, words);
    if (chip(overlay, words, false))
        action_ask(viewer, action_by_name(action), text);
}

/* At the picture's top: what the part keeps to, and how the tool ends. A part that stands upright keeps to upright
 * ratios. */
void draw_ratios(Overlay *overlay, Viewer *viewer, const HandleValues &values) {
    const Area area = viewer->area;
    const Shape shape = viewer_shape(viewer);
    const double original = (double)shape.width / (double)fmax((double)shape.height, 1);
    const float room = (float)area.width - em(overlay, 1.0f);
    ImGui::SetNextWindowPos(ImVec2((float)(area.x + area.width / 2), (float)area.y + em(overlay, 2.4f)), 0,
                            ImVec2(0.5f, 0)); /* below the knob of the whole picture's upper side */
    ImGui::PushStyleColor(ImGuiCol_WindowBg, solid_glass);
    ImGui::Begin("crop", nullptr, box_flags | ImGuiWindowFlags_AlwaysAutoResize);
    const float limit = ImGui::GetWindowPos().x + room; /* wherever that is: the size does not depend on it */
    for (size_t i = 0; i < crop_ratio_count; i++) {
        const CropRatio &row = crop_ratios[i];
        const bool upright = values.rectangle.height > values.rectangle.width && row.ratio > 0;
        char turned[24];
        if (i > 0)
            go_on_within(overlay, limit, row.name);
        if (chip(overlay, row.name, is_kept(row, values.ratio, original))) {
            snprintf(turned, sizeof turned, "%.12g", upright ? 1 / row.ratio : row.ratio);
            action_ask(viewer, action_by_name("crop-ratio"), row.ratio > 0 ? turned : row.name);
        }
    }
    ask_chip(overlay, viewer, limit, "own …", "crop-ratio", nullptr);
    ask_chip(overlay, viewer, limit, "flip  X", "flip-crop", nullptr);
    if (viewer_picture(viewer))
        ask_chip(overlay, viewer, limit, "straighten", "straighten", nullptr);
    ask_chip(overlay, viewer, limit, "done  Return", "handles", nullptr);
    note_box(overlay, COLUMN_CROP);
    ImGui::End();
    ImGui::PopStyleColor();
}

void draw(Overlay *overlay, Viewer *viewer) {
    Handle handles[HANDLES_MAX];
    const HandlesKind kind = handles_kind(viewer);
    if (!handles_follow(viewer) || viewer->overlay == OVERLAY_OFF || viewer_has_page(viewer))
        return;
    const HandleValues values = handles_values(viewer);
    const int count = handles_list(viewer, handles);
    const bool held = viewer->held && handles_view(viewer).grip != GRIP_NONE;
    const int near = held ? handles_view(viewer).grip
                     : overlay_takes(overlay, viewer->pointer_x, viewer->pointer_y)
                         ? (int)GRIP_NONE
                         : handles_at(viewer, viewer->pointer_x, viewer->pointer_y);
    if (kind == HANDLES_RECTANGLE)
        draw_rectangle(overlay, viewer, values.rectangle);
    else if (kind == HANDLES_CORNERS || kind == HANDLES_THING)
        draw_corners(overlay, viewer, values);
    else if (kind == HANDLES_ANGLE)
        draw_dial(overlay, viewer, values, handles[0]);
    else
        draw_place(overlay, handles[0]);
    for (int i = 0; i < count; i++)
        knob(overlay, ImVec2((float)handles[i].x, (float)handles[i].y), handles[i].grip == near);
    draw_words(overlay, viewer, kind, values, handles, count);
    if (kind == HANDLES_RECTANGLE)
        draw_ratios(overlay, viewer, values);
}

} // namespace

const Panel panel_handles = {"handles", PLACE_PICTURE, nullptr, draw};
