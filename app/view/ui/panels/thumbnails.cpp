/* thumbnails.cpp: the opened files, as a strip below the picture. */
#include <math.h>
#include <stdio.h>

#include "app/view/ui/menus.hpp"
#include "app/view/ui/panels/panel.hpp"
#include "app/view/ui/stars.hpp"
#include "app/view/ui/thumbnail_cell.hpp"

extern "C" {
#include "app/view/actions/dispatch.h"
#include "app/view/session/strip.h"
#include "core/chain/sidecar.h"
}

namespace {

constexpr float cell_width = 7.4f, cell_height = 4.6f, cell_gap = 0.5f, filter_width = 8.0f; /* ems */
constexpr size_t cells_maximum = 256;

ImVec2 cell_size(const Overlay *overlay) {
    return ImVec2(em(overlay, cell_width), em(overlay, cell_height));
}

bool visible(const Viewer *viewer) {
    return strip_is_open(viewer) && !viewer_has_page(viewer) && viewer->pictures.count > 0;
}

/* A click opens the picture; with Ctrl it selects it, or not any more; with Shift all from the last one to it. */
void ask_for(Overlay *overlay, Viewer *viewer, size_t index) {
    char text[64];
    const FileList *list = &viewer->pictures;
    const bool selected = list->marks[index].selected, back = list->anchor > index;
    const size_t from = back ? index : list->anchor, to = back ? list->anchor : index;
    if (overlay->strip_shift)
        snprintf(text, sizeof text, "+%zu-%zu", from + 1, to + 1);
    else
        snprintf(text, sizeof text, "%s%zu", !overlay->strip_control ? "" : selected ? "-" : "+", index + 1);
    const bool selects = overlay->strip_shift || overlay->strip_control;
    action_ask(viewer, action_by_name(selects ? "select-pictures" : "picture"), text);
}

/* The menu is for the selected ones, if this is one of them; else this one is shown. */
void ask_for_menu(Overlay *overlay, Viewer *viewer, size_t index) {
    overlay->strip_shift = overlay->strip_control = false;
    if (!viewer->pictures.marks[index].selected && (index != viewer->pictures.current || !viewer_shows_listed(viewer)))
        ask_for(overlay, viewer, index);
    overlay->strip_menu = true;
}

/* A frame around the selected one, with a tick in its corner: colours of the picture stay as they are. */
void draw_selected(const Overlay *overlay, ImVec2 at) {
    const ImVec2 size = cell_size(overlay), end(at.x + size.x, at.y + size.y);
    const float radius = em(overlay, 0.45f), thick = fmaxf(1.5f, em(overlay, 0.1f));
    const ImVec2 middle(end.x - 1.4f * radius, at.y + 1.4f * radius);
    const ImVec2 tick[] = {{middle.x - 0.45f * radius, middle.y + 0.05f * radius},
                           {middle.x - 0.1f * radius, middle.y + 0.4f * radius},
                           {middle.x + 0.5f * radius, middle.y - 0.4f * radius}};
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddRect(at, end, accent, em(overlay, 0.25f), 0, thick);
    list->AddCircleFilled(middle, radius, accent);
    list->AddPolyline(tick, 3, on_accent, 0, thick);
}

/* Stars on a ground at the foot of the picture; a rejected one is dark, with a cross. */
void draw_rating(const Overlay *overlay, ImVec2 at, int rating) {
    const ImVec2 size = cell_size(overlay), end(at.x + size.x, at.y + size.y);
    const float step = em(overlay, 0.85f), arm = em(overlay, 0.3f);
    ImDrawList *list = ImGui::GetWindowDrawList();
    if (rating == RATING_REJECTED)
        list->AddRectFilled(at, end, rgba(0, 0, 0, 150), em(overlay, 0.25f));
    const float width = rating == RATING_REJECTED ? step : (float)rating * step;
    const ImVec2 corner(roundf(at.x + (size.x - width) / 2), end.y - step - em(overlay, 0.1f));
    const ImVec2 middle(corner.x + step / 2, corner.y + step / 2);
    list->AddRectFilled(ImVec2(corner.x - arm, corner.y), ImVec2(corner.x + width + arm, corner.y + step), solid_glass,
                        step / 2);
    for (int i = 0; i < rating; i++)
        draw_star(overlay, ImVec2(middle.x + (float)i * step, middle.y), warm, true);
    if (rating == RATING_REJECTED)
        draw_cross(overlay, middle, bad);
}

void draw_cell(Overlay *overlay, Viewer *viewer, size_t index) {
    const char *path = viewer->pictures.paths[index];
    const bool current = index == viewer->pictures.current && viewer_shows_listed(viewer);
    Thumbnail *thumbnail = gallery_thumbnail(overlay->gallery, path);
    ImGui::PushID((int)index);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool clicked = thumbnail_cell(overlay, cell_size(overlay), thumbnail, base_name(path), current);
    if (ImGui::IsItemActivated()) { /* the keys may be up again when the button is */
        overlay->strip_control = ImGui::GetIO().KeyCtrl;
        overlay->strip_shift = ImGui::GetIO().KeyShift;
    }
    if (clicked)
        ask_for(overlay, viewer, index);
    if (ImGui::IsItemClicked(ImGuiMouseButton_Right))
        ask_for_menu(overlay, viewer, index);
    const int rating = strip_rating(viewer, index);
    if (rating != 0)
        draw_rating(overlay, at, rating);
    if (viewer->pictures.marks[index].selected)
        draw_selected(overlay, at);
    ImGui::PopID();
    if (ImGui::IsItemHovered())
        say_tip("%s", thumbnail && thumbnail->failed ? thumbnail->why : path);
}

/* The pictures that the strip has, in its places. */
struct Places {
    size_t count, current; /* the shown picture's place, or the next one's where the strip does not have it */
};

Places places_of(const Viewer *viewer) {
    Places places = {0, 0};
    for (size_t i = 0; i < viewer->pictures.count; i++) {
        places.current = i == viewer->pictures.current ? places.count : places.current;
        places.count += strip_shows(viewer, i);
    }
    return places;
}

/* The first place in sight: the current one is in the middle, until the wheel moves the strip. */
size_t first_place(Overlay *overlay, const Viewer *viewer, const Places &places, size_t room) {
    const long last = places.count > room ? (long)(places.count - room) : 0;
    const FileList &list = viewer->pictures;
    const Subject *subject = viewer->session->subject;
    if (subject && subject->serial != overlay->strip_serial) { /* the same file, read again, is another one */
        if (overlay->strip_of == list.current && overlay->strip_serial)
            gallery_forget(overlay->gallery, subject->name);
        overlay->strip_serial = subject->serial;
    }
    if (overlay->strip_of != list.current || overlay->strip_hidden != list.hidden) {
        overlay->strip_of = list.current;
        overlay->strip_hidden = list.hidden;
        overlay->strip_first = (long)places.current - (long)room / 2;
    }
    if (ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem))
        overlay->strip_first -= lroundf(ImGui::GetIO().MouseWheel);
    overlay->strip_first = overlay->strip_first < 0 ? 0 : overlay->strip_first > last ? last : overlay->strip_first;
    return (size_t)overlay->strip_first;
}

/* The numbers of up to `room` pictures from a place on. */
size_t list_cells(const Viewer *viewer, size_t first, size_t room, size_t cells[cells_maximum]) {
    size_t count = 0, place = 0;
    for (size_t i = 0; i < viewer->pictures.count && count < room; i++)
        if (strip_shows(viewer, i) && place++ >= first)
            cells[count++] = i;
    return count;
}

/* The keys that rate, in the mode whose keys they are. */
void hint(const Overlay *overlay, const Viewer *viewer) {
    const Action *rate = action_by_name("rate"), *reject = action_by_name("reject");
    char first[ACTION_KEYS], last[ACTION_KEYS], none[ACTION_KEYS], keys[ACTION_KEYS];
    action_key_of_text(viewer, rate, "1", first);
    action_key_of_text(viewer, rate, "5", last);
    action_key_of_text(viewer, rate, "0", none);
    ImGui::PushFont(overlay->small);
    if (first[0] && last[0] && none[0])
        text(dim, "%s–%s stars, %s none", first, last, none);
    if (action_keys_here(viewer, reject, keys)[0])
        text(dim, "%s rejects", keys);
    ImGui::PopFont();
}

/* The stars that pictures of the strip have, at its left; a click asks for others. */
void draw_filter(const Overlay *overlay, Viewer *viewer, ImVec2 at, size_t shown) {
    char words[32];
    const int hidden = viewer->pictures.hidden;
    if (hidden > 1)
        snprintf(words, sizeof words, "%d star%s%s", hidden - 1, hidden == 2 ? "" : "s",
                 hidden - 1 < RATING_MAX ? " and more" : "");
    else
        snprintf(words, sizeof words, "%s", hidden == 0 ? "all pictures" : "not rejected");
    ImGui::SetCursorScreenPos(at);
    ImGui::BeginGroup();
    if (chip(overlay, words, hidden > 0))
        action_ask(viewer, action_by_name("show-rated"), nullptr);
    if (ImGui::IsItemHovered())
        say_tip("Which pictures the strip shows, by their stars");
    if (hidden > 0)
        text(dim, "%zu of %zu", shown, viewer->pictures.count);
    hint(overlay, viewer);
    ImGui::EndGroup();
}

void draw_cells(Overlay *overlay, Viewer *viewer, ImVec2 at, float width, const Places &places) {
    const float pitch = em(overlay, cell_width + cell_gap);
    const size_t fit = width > pitch ? (size_t)(width / pitch) : 1, room = fit < cells_maximum ? fit : cells_maximum;
    size_t cells[cells_maximum];
    const size_t count = list_cells(viewer, first_place(overlay, viewer, places, room), room, cells);
    const float left = at.x + floorf((width - (float)count * pitch) / 2);
    gallery_begin_round(overlay->gallery);
    for (size_t i = count; i-- > 0;) { /* the gallery makes the last one first: from the left */
        ImGui::SetCursorScreenPos(ImVec2(left + (float)i * pitch, at.y));
        draw_cell(overlay, viewer, cells[i]);
    }
}

/* Opened by the draw before, since cells have names of their own. */
void draw_menu(Overlay *overlay, Viewer *viewer) {
    if (overlay->strip_menu)
        ImGui::OpenPopup("thumbnail");
    overlay->strip_menu = false;
    if (!ImGui::BeginPopup("thumbnail"))
        return;
    close_menu(overlay);
    menu_of_flag(overlay, viewer, ACTION_THUMBNAIL);
    ImGui::EndPopup();
}

void draw(Overlay *overlay, Viewer *viewer) {
    const Area &area = overlay->columns[COLUMN_FILES];
    if (!overlay->gallery && gallery_create(thumbnail_of_file, nullptr, &overlay->gallery) != STATUS_OK)
        return report(viewer, STATUS_DEVICE);
    ImGui::SetNextWindowPos(ImVec2((float)area.x, (float)area.y));
    ImGui::SetNextWindowSize(ImVec2((float)area.width, (float)area.height));
    ImGui::Begin("thumbnails", nullptr, box_flags | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x + em(overlay, cell_gap), aside = em(overlay, filter_width);
    const Places places = places_of(viewer);
    const bool filters = viewer->pictures.hidden > 0 || (viewer->pictures.count > 1 && width > 4 * aside);
    if (filters)
        draw_filter(overlay, viewer, at, places.count);
    draw_menu(overlay, viewer);
    draw_cells(overlay, viewer, ImVec2(filters ? at.x + aside : at.x, at.y), filters ? width - aside : width, places);
    ImGui::End();
}

} // namespace

const Panel panel_thumbnails = {"thumbnails", PLACE_FILES, visible, draw};
