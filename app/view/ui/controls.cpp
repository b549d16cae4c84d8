/* controls.cpp: buttons and segments. */
#include <math.h>

#include "app/view/ui/controls.hpp"
#include "app/view/ui/icons.hpp"

namespace {

constexpr float icon_ems = 0.85f, between_ems = 0.35f, pad_ems = 0.5f, round_ems = 0.3f;

struct Box {
    ImVec2 from, to;
};

/* The part of the last item that is painted: in the bar of menus two pixels less at both ends. */
Box painted() {
    const float inset = ImGui::GetItemRectSize().y < ImGui::GetWindowHeight() ? 0 : 2;
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    return {ImVec2(from.x, from.y + inset), ImVec2(to.x, to.y - inset)};
}

float content_width(const Overlay *overlay, const char *icon, const char *words) {
    return (icon ? em(overlay, icon_ems) : 0) + (icon && words ? em(overlay, between_ems) : 0) +
           (words ? ImGui::CalcTextSize(words).x : 0);
}

/* Icon and words, in the middle. */
void paint(const Overlay *overlay, const Box &box, ImU32 tint, const char *icon, const char *words) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float side = em(overlay, icon_ems);
    float x = roundf((box.from.x + box.to.x - content_width(overlay, icon, words)) / 2);
    if (icon) {
        draw_icon(list, icon, ImVec2(x, roundf((box.from.y + box.to.y - side) / 2)), side, tint);
        x += side + em(overlay, between_ems);
    }
    if (words)
        list->AddText(ImVec2(x, roundf((box.from.y + box.to.y - ImGui::GetFontSize()) / 2)), tint, words);
}

} // namespace

float button_width(const Overlay *overlay, const char *icon, const char *words) {
    return 2 * em(overlay, pad_ems) + content_width(overlay, icon, words);
}

bool button(const Overlay *overlay, ButtonKind kind, const char *name, const char *icon, const char *words,
            float width) {
    const float needs = button_width(overlay, icon, words);
    const float wide = width > 0 ? width : width < 0 ? ImGui::GetContentRegionAvail().x : needs;
    const bool clicked = ImGui::InvisibleButton(name, ImVec2(fmaxf(wide, 1), ImGui::GetFrameHeight()));
    const bool primary = kind == BUTTON_PRIMARY, hovered = ImGui::IsItemHovered();
    const ImU32 ground = primary ? thin(accent, hovered ? 225 : 255) : veil(hovered ? 40 : 20);
    const Box box = painted();
    ImGui::GetWindowDrawList()->AddRectFilled(box.from, box.to, ground, em(overlay, round_ems));
    paint(overlay, box, primary ? ImU32(on_accent) : ImU32(ink), icon, words);
    return clicked;
}

bool icon_chip(const Overlay *overlay, const char *icon, bool on) {
    const float side = ImGui::GetFrameHeight();
    const bool clicked = ImGui::InvisibleButton(icon, ImVec2(side, side)), hovered = ImGui::IsItemHovered();
    const Box box = painted();
    if (on || hovered)
        ImGui::GetWindowDrawList()->AddRectFilled(box.from, box.to, on ? ImU32(accent_deep) : veil(40),
                                                  em(overlay, round_ems));
    paint(overlay, box, on || hovered ? ImU32(ink) : ImU32(dim), icon, nullptr);
    return clicked;
}

float segments_width(const Overlay *overlay, const Segment *list, size_t count) {
    float width = 0;
    for (size_t i = 0; i < count; i++)
        width += button_width(overlay, list[i].icon, list[i].words);
    return width;
}

Segments segments(const Overlay *overlay, const char *name, const Segment *list, size_t count, size_t chosen) {
    Segments state = {count, count, count};
    ImDrawList *draws = ImGui::GetWindowDrawList();
    const float rounding = em(overlay, round_ems);
    ImGui::PushID(name);
    for (size_t i = 0; i < count; i++) {
        const ImVec2 size(button_width(overlay, list[i].icon, list[i].words), ImGui::GetFrameHeight());
        ImGui::PushID((int)i);
        if (i > 0)
            ImGui::SameLine(0, 0);
        if (ImGui::InvisibleButton("segment", size))
            state.clicked = i;
        state.hovered = ImGui::IsItemHovered() ? i : state.hovered;
        ImGui::PopID();
        const Box box = painted();
        const ImDrawFlags corners = i == 0           ? ImDrawFlags_RoundCornersLeft
                                    : i + 1 == count ? ImDrawFlags_RoundCornersRight
                                                     : ImDrawFlags_RoundCornersNone;
        const ImU32 ground = i == chosen ? ImU32(accent_deep) : veil(state.hovered == i ? 40 : 20);
        draws->AddRectFilled(box.from, box.to, ground, rounding, corners);
        if (i > 0 && i != chosen && i - 1 != chosen)
            draws->AddRectFilled(ImVec2(box.from.x, box.from.y + rounding), ImVec2(box.from.x + 1, box.to.y - rounding),
                                 edge);
        paint(overlay, box, i == chosen ? ImU32(ink) : ImU32(dim), list[i].icon, list[i].words);
    }
    ImGui::PopID();
    return state;
}
