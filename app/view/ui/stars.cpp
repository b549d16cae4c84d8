/* stars.cpp: stars, drawn and clicked. */
#include <math.h>
#include <stdio.h>

#include "app/view/ui/stars.hpp"

extern "C" {
#include "app/view/actions/dispatch.h"
#include "core/chain/sidecar.h"
}

namespace {

constexpr float radius_ems = 0.36f, arm_ems = 0.3f, step_ems = 1.05f, apart_ems = 0.4f; /* the cross stands apart */
enum { CORNERS = 10 };

/* A place of the row to click, `ems` from its left; its middle. */
struct StarPlace {
    bool clicked, hovered;
    ImVec2 middle;
};

StarPlace place(const Overlay *overlay, ImVec2 from, float ems, const char *name) {
    const float side = em(overlay, step_ems), high = ImGui::GetTextLineHeight();
    const ImVec2 at(from.x + em(overlay, ems), from.y);
    ImGui::SetCursorScreenPos(at);
    const bool clicked = ImGui::InvisibleButton(name, ImVec2(side, high));
    return {clicked, ImGui::IsItemHovered(), ImVec2(roundf(at.x + side / 2), roundf(at.y + high / 2))};
}

/* Below the row, which it leaves free. Where digits do not rate, it has no key. */
void tip(const char *words, const char *key) {
    const ImVec2 least = ImGui::GetItemRectMin(), most = ImGui::GetItemRectMax();
    ImGui::SetNextWindowPos(ImVec2(least.x, most.y + (most.y - least.y) / 2));
    if (key[0])
        say_tip("%s (%s)", words, key);
    else
        say_tip("%s", words);
}

void star(const Overlay *overlay, Viewer *viewer, ImVec2 from, int number, int rating) {
    char words[32], key[ACTION_KEYS];
    const Action *rate = action_by_name("rate");
    const char *text = rating_format(number == rating ? 0 : number);
    snprintf(words, sizeof words, number == rating ? "no stars" : "%d star%s", number, number == 1 ? "" : "s");
    const StarPlace at = place(overlay, from, (float)(number - 1) * step_ems, rating_format(number));
    draw_star(overlay, at.middle,
              number <= rating ? ImU32(warm)
              : at.hovered     ? ImU32(ink)
                               : ImU32(dim),
              number <= rating);
    if (at.clicked)
        action_ask(viewer, rate, text);
    if (at.hovered)
        tip(words, action_key_of_text(viewer, rate, text, key));
}

} // namespace

void draw_star(const Overlay *overlay, ImVec2 middle, ImU32 tint, bool filled) {
    const float radius = em(overlay, radius_ems);
    ImDrawList *list = ImGui::GetWindowDrawList();
    ImVec2 corners[CORNERS];
    for (int i = 0; i < CORNERS; i++) {
        const float turn = (float)i * 0.62831853f, reach = i % 2 ? 0.42f * radius : radius; /* a tenth of a circle */
        corners[i] = ImVec2(middle.x + reach * sinf(turn), middle.y - reach * cosf(turn));
    }
    for (int i = 0; i < CORNERS && filled; i++)
        list->AddTriangleFilled(middle, corners[i], corners[(i + 1) % CORNERS], tint);
    if (!filled)
        list->AddPolyline(corners, CORNERS, tint, ImDrawFlags_Closed, 1);
}

void draw_cross(const Overlay *overlay, ImVec2 middle, ImU32 tint) {
    const float arm = em(overlay, arm_ems), thick = fmaxf(1.5f, em(overlay, 0.13f));
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddLine(ImVec2(middle.x - arm, middle.y - arm), ImVec2(middle.x + arm, middle.y + arm), tint, thick);
    list->AddLine(ImVec2(middle.x - arm, middle.y + arm), ImVec2(middle.x + arm, middle.y - arm), tint, thick);
}

float stars_width(const Overlay *overlay) {
    return em(overlay, (float)(RATING_MAX + 1) * step_ems + apart_ems);
}

void stars(const Overlay *overlay, Viewer *viewer, int rating) {
    char key[ACTION_KEYS];
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const Action *reject = action_by_name("reject");
    const bool rejected = rating == RATING_REJECTED;
    for (int i = 1; i <= RATING_MAX; i++)
        star(overlay, viewer, from, i, rating);
    const StarPlace at = place(overlay, from, (float)RATING_MAX * step_ems + apart_ems, "reject");
    draw_cross(overlay, at.middle, rejected ? ImU32(bad) : at.hovered ? ImU32(ink) : ImU32(dim));
    if (at.clicked)
        action_ask(viewer, reject, nullptr);
    if (at.hovered)
        tip(rejected ? "rejected; take that back" : "reject the picture", action_keys_here(viewer, reject, key));
}
