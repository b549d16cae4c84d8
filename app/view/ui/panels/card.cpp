/* card.cpp: the pixels that a block loads, to scale: its tile, the halo around it, and the ghosts beyond the picture's
 * edge. */
#include <math.h>
#include <stdio.h>

#include "app/view/ui/panels/panel.hpp"

namespace {

constexpr float high_ems = 8.5f, halo_ems = 0.42f; /* of the drawing; of a halo in it, at least */

bool visible(const Viewer *viewer) {
    return viewer->session->has_card;
}

/* Pixels of the picture on the column. */
struct Drawing {
    ImVec2 at, size;
    float left, top, scale;
    float x(double pixel) const { return roundf(at.x + ((float)pixel - left) * scale); }
    float y(double pixel) const { return roundf(at.y + ((float)pixel - top) * scale); }
    ImVec2 place(double px, double py) const { return ImVec2(x(px), y(py)); }
};

/* The block in the upper left corner with all around it; of one that is much larger than its halo a part. */
Drawing plan_of(const Overlay *overlay, const Card &card, ImVec2 at, ImVec2 size) {
    const float left = (float)card.left, top = (float)card.top, halo = fmaxf(fmaxf(left, top), 1);
    const float width = left + (float)card.width + (float)card.right,
                height = top + (float)card.height + (float)card.bottom;
    const float across = size.x / (width * 1.16f), down = size.y / (height * 1.16f);
    const float seen = em(overlay, halo_ems) / halo;
    const float scale = fminf(fmaxf(fminf(across, down), seen), fmaxf(across, down));
    return {at, size, -left - 0.06f * fminf(width, size.x / scale), -top - 0.06f * fminf(height, size.y / scale),
            scale};
}

/* Hatching, so that it is told apart without colours. */
void hatch(const Overlay *overlay, ImVec2 from, ImVec2 to) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float step = em(overlay, 0.3f), line = fmaxf(1, roundf(overlay->scale)), high = to.y - from.y;
    if (to.x <= from.x || high <= 0)
        return;
    list->PushClipRect(from, to, true);
    list->AddRectFilled(from, to, thin(warm, 50));
    for (float x = from.x - high; x < to.x; x += step)
        list->AddLine(ImVec2(x, to.y), ImVec2(x + high, from.y), thin(warm, 150), line);
    list->PopClipRect();
}

/* Where other blocks have their tiles. */
void draw_neighbours(const Overlay *overlay, const Card &card, const Drawing &plan) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float line = fmaxf(1, roundf(overlay->scale));
    const ImVec2 end(plan.at.x + plan.size.x, plan.at.y + plan.size.y), edge_at = plan.place(0, 0);
    list->AddRectFilled(edge_at, end, veil(18));
    for (size_t i = 1; i < card.across && plan.x((double)(i * card.width)) < end.x; i++)
        list->AddLine(ImVec2(plan.x((double)(i * card.width)), edge_at.y),
                      ImVec2(plan.x((double)(i * card.width)), end.y), veil(40), line);
    for (size_t i = 1; i < card.down && plan.y((double)(i * card.height)) < end.y; i++)
        list->AddLine(ImVec2(edge_at.x, plan.y((double)(i * card.height))),
                      ImVec2(end.x, plan.y((double)(i * card.height))), veil(40), line);
}

/* The neighbourhood of the first pixel: the mask, laid on it. */
void draw_window(const Overlay *overlay, const Card &card, const Drawing &plan) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float line = fmaxf(1, roundf(1.4f * overlay->scale));
    list->AddRect(plan.place(-(double)card.left, -(double)card.top),
                  plan.place((double)card.right + 1, (double)card.bottom + 1), ink, 0, 0, line);
    const ImVec2 from = plan.place(0, 0), to = plan.place(1, 1);
    list->AddRectFilled(from, ImVec2(fmaxf(to.x, from.x + 2 * line), fmaxf(to.y, from.y + 2 * line)), ink);
}

/* Fades out where the block goes on beyond the drawing. */
void draw_ends(const Overlay *overlay, const Drawing &plan, double right, double bottom) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const ImVec2 end(plan.at.x + plan.size.x, plan.at.y + plan.size.y), goes_to = plan.place(right, bottom);
    const float fade = em(overlay, 2.0f);
    const ImU32 none = thin(solid_glass, 0), all = solid_glass;
    if (goes_to.x > end.x)
        list->AddRectFilledMultiColor(ImVec2(end.x - fade, plan.at.y), end, none, all, all, none);
    if (goes_to.y > end.y)
        list->AddRectFilledMultiColor(ImVec2(plan.at.x, end.y - fade), end, none, none, all, all);
}

void draw_tile(const Overlay *overlay, const Card &card, const Drawing &plan) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const double right = (double)(card.width + card.right), bottom = (double)(card.height + card.bottom);
    const double left = -(double)card.left, top = -(double)card.top;
    const float line = fmaxf(1, roundf(overlay->scale));
    list->PushClipRect(plan.at, ImVec2(plan.at.x + plan.size.x, plan.at.y + plan.size.y), true);
    draw_neighbours(overlay, card, plan);
    list->AddRectFilled(plan.place(0, 0), plan.place(right, bottom), thin(accent, 70));
    hatch(overlay, plan.place(left, top), plan.place(right, 0));
    hatch(overlay, plan.place(left, 0), plan.place(0, bottom));
    list->AddRectFilled(plan.place(0, 0), plan.place((double)card.width, (double)card.height), thin(accent, 190));
    list->AddRect(plan.place(left, top), plan.place(right, bottom), thin(accent, 220), 0, 0, line);
    if (card.reads > 0)
        draw_window(overlay, card, plan);
    draw_ends(overlay, plan, right, bottom);
    list->PopClipRect();
}

/* A square of the colour, and its meaning; `more`: the next one stands behind. */
void key(Overlay *overlay, ImU32 tint, bool hatched, const char *words, bool more) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float side = em(overlay, 0.6f), drop = em(overlay, 0.2f);
    const ImVec2 from(at.x, at.y + drop), to(at.x + side, at.y + drop + side);
    if (hatched)
        hatch(overlay, from, to);
    else
        ImGui::GetWindowDrawList()->AddRectFilled(from, to, tint);
    ImGui::Dummy(ImVec2(side, 1));
    ImGui::SameLine(0, em(overlay, 0.3f));
    term(overlay, dim, words);
    if (more)
        ImGui::SameLine(0, em(overlay, 0.8f));
}

void draw_keys(Overlay *overlay, const Card &card) {
    ImGui::PushFont(overlay->small);
    key(overlay, thin(accent, 190), false, "tile", card.reads > 0);
    if (card.reads == 0) {
        ImGui::PopFont();
        return;
    }
    key(overlay, thin(accent, 70), false, "halo", true);
    if (card.ghosts > 0)
        key(overlay, 0, true, "ghosts", true);
    text(ink, "□");
    ImGui::SameLine(0, em(overlay, 0.3f));
    text(dim, "pixel needs");
    ImGui::PopFont();
}

/* "tile and halo, 3.6 KiB", if shared memory holds them. */
void tell_shared(Overlay *overlay, const Card &card, size_t bytes) {
    const size_t spare = bytes / 16; /* rows are padded */
    const bool all = bytes >= card.bytes && bytes - card.bytes <= spare, tile = bytes == card.tile_bytes;
    if (all || tile)
        fact(overlay, ink, "shared memory holds", "%s, %.1f KiB", all ? "tile and halo" : "the tile",
             (double)bytes / 1024);
}

void tell(Overlay *overlay, const Viewer *viewer) {
    const Card &card = viewer->session->card;
    const Partition &partition = viewer->session->partition;
    const size_t threads = partition.block[0] * partition.block[1];
    fact(overlay, ink, threads ? "a block makes" : "a thread takes", "%zu × %zu pixels", card.width, card.height);
    if (card.reads > 0)
        fact(overlay, ink, "and needs", "%zu × %zu, %.2g × as many", card.left + card.width + card.right,
             card.top + card.height + card.bottom, (double)card.reads / (double)(card.width * card.height));
    if (threads)
        fact(overlay, ink, "pixels a thread", "%.3g", (double)(card.width * card.height) / (double)threads);
    if (card.ghosts > 0)
        fact(overlay, ink, "ghosts in the corner", "%zu pixels, %s", card.ghosts,
             borders[viewer->session->request->options.border.mode].name);
    if (viewer->session->facts.shared_bytes > 0)
        tell_shared(overlay, card, viewer->session->facts.shared_bytes);
    else if (card.reads > 0)
        fact(overlay, ink, "tile and halo", "%.1f KiB", (double)card.bytes / 1024);
}

void draw(Overlay *overlay, Viewer *viewer) {
    const Card &card = viewer->session->card;
    const int launches = viewer->session->partition.launches;
    char right[64] = "";
    if (card.width > 0)
        snprintf(right, sizeof right, "one of %zu × %zu", card.across, card.down);
    if (!heading(overlay, "Tile", right))
        return;
    if (card.width == 0) {
        fact(overlay, ink, "a pixel needs", "%zu × %zu", card.left + 1 + card.right, card.top + 1 + card.bottom);
        ImGui::PushFont(overlay->small);
        wrapped(dim, launches > 1 ? "made in several launches, each from the result of the one before"
                                  : "the level does not tell how it shares the picture out");
        ImGui::PopFont();
        return;
    }
    const ImVec2 at = ImGui::GetCursorScreenPos(), size(ImGui::GetContentRegionAvail().x, em(overlay, high_ems));
    ImGui::GetWindowDrawList()->AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y), veil(8), em(overlay, 0.2f));
    draw_tile(overlay, card, plan_of(overlay, card, at, size));
    ImGui::Dummy(size);
    gap(overlay, 0.1f);
    draw_keys(overlay, card);
    gap(overlay, 0.1f);
    tell(overlay, viewer);
}

} // namespace

const Panel panel_card = {"card", PLACE_RIGHT, visible, draw, true, true};
