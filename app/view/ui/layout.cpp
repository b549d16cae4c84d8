/* layout.cpp: the places of panels: in two columns or a strip, and over the picture, which gets the free part of the
 * window. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "app/view/ui/dear_imgui.hpp"
#include "app/view/ui/panels/panel.hpp"

extern "C" {
#include "app/view/actions/dispatch.h"
#include "app/view/actions/question.h"
#include "app/view/session/structure.h"
#include "core/base/timing.h"
}

namespace {

const Panel *const panels[] = {
#define PANEL(name) &panel_##name,
#include "app/view/ui/panels/panels.def"
#undef PANEL
};

static_assert(sizeof panels / sizeof panels[0] <= PANELS_MAX, "each has a height");

constexpr double taken_maximum =
    0.75; /* of the window's width; columns that take more are not shown, or on the picture */
constexpr double two_columns = 1600;    /* pixels at scale 1: narrower windows have one */
constexpr float picture_minimum = 0.4f; /* of the window's width; where it would have less, there is no right column */
constexpr float margin_ems = 0.75f, welcome_ems = 26.0f, bottom_ems = 3.6f, files_ems = 7.4f,
                files_bottom_ems = 3.0f; /* around columns; for the pill below the right one */

bool is_visible(const Panel *panel, const Viewer *viewer) {
    return (!panel->of_speed || viewer_shows_speed(viewer)) && (!panel->visible || panel->visible(viewer));
}

/* By an action; a click on the heading does it, too. */
void fold(Overlay *overlay, Viewer *viewer) {
    for (size_t i = 0; i < overlay->fold_count && viewer->ui->fold; i++)
        if (strncasecmp(overlay->folds[i].words, viewer->ui->fold, strlen(viewer->ui->fold)) == 0)
            overlay->folds[i].open ^= true;
    viewer->ui->fold = nullptr;
}

/* While figures are on their way, the panels of this column keep the places that they had for a subject of this
 * kind. */
void keep_height(Overlay *overlay, const Viewer *viewer, size_t panel, float height) {
    float *known = &overlay->panel_heights[viewer_kind(viewer)->place][panel];
    const bool clock = session_has_clock(viewer->session);
    const bool waits = clock && viewer_level(viewer) && !(viewer_figures(viewer).ms > 0);
    if (waits && height < *known)
        ImGui::Dummy(ImVec2(1, *known - height - ImGui::GetStyle().ItemSpacing.y));
    else
        *known = height;
}

/* A panel that hands have opened comes in sight. Its column may grow for it at the next build, and then scrolls less.
 */
void draw_panel(Overlay *overlay, Viewer *viewer, size_t panel) {
    const bool shown = is_visible(panels[panel], viewer);
    const bool opened = shown && panels[panel]->by_hand && !overlay->opened[panel];
    const float top = opened ? ImGui::GetCursorPosY() : 0;
    overlay->opened[panel] = shown;
    if (!shown)
        return;
    overlay->unfolds = opened;
    ImGui::PushID(panels[panel]->name);
    panels[panel]->draw(overlay, viewer);
    ImGui::PopID();
    overlay->unfolds = false;
    if (opened)
        scroll_to(top);
}

void draw_panels(Overlay *overlay, Viewer *viewer, PanelPlace place) {
    const bool figures = place == PLACE_RIGHT || place == PLACE_LEFT;
    for (size_t i = 0; i < sizeof panels / sizeof panels[0]; i++) {
        if (panels[i]->place != place)
            continue;
        const float top = figures ? ImGui::GetCursorPosY() : 0;
        draw_panel(overlay, viewer, i);
        if (figures && panels[i]->of_figures)
            keep_height(overlay, viewer, i, ImGui::GetCursorPosY() - top);
    }
}

/* The panels of a place one below the other. Remembers where they lie, and whether they will be as large again. */
void draw_box(Overlay *overlay, Viewer *viewer, PanelPlace place, Column column, const char *name,
              ImGuiWindowFlags flags) {
    ImGui::Begin(name, nullptr, box_flags | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoBackground | flags);
    box_ground(!(flags & ImGuiWindowFlags_NoScrollbar));
    overlay->building = column;
    draw_panels(overlay, viewer, place);
    note_box(overlay, column);
    overlay->menu |= ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
    ImGui::End();
}

void draw_strip(Overlay *overlay, Viewer *viewer) {
    const float margin = em(overlay, margin_ems);
    ImGui::SetNextWindowPos(ImVec2(margin, overlay->top + margin));
    draw_box(overlay, viewer, PLACE_STRIP, COLUMN_LEFT, "strip", ImGuiWindowFlags_NoScrollbar);
}

void draw_left(Overlay *overlay, Viewer *viewer) {
    const float margin = em(overlay, margin_ems), width = column_width(overlay, COLUMN_LEFT);
    ImGui::SetNextWindowPos(ImVec2(margin, overlay->top + margin));
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0),
                                        ImVec2(width, (float)viewer->height - overlay->top - 2 * margin));
    draw_box(overlay, viewer, PLACE_LEFT, COLUMN_LEFT, "left", 0);
}

bool has_panels(const Viewer *viewer, PanelPlace place) {
    bool has = false;
    for (const Panel *panel : panels)
        has |= panel->place == place && is_visible(panel, viewer);
    return has;
}

/* Draws the panels that look at the picture closely, at the right, below a strip that goes so far. They lie over the
 * picture's corner where it would lose more than a third of the window to them and the left column. */
void draw_look(Overlay *overlay, Viewer *viewer, Area *area) {
    const float margin = em(overlay, margin_ems), width = column_width(overlay, COLUMN_LOOK);
    if (viewer->overlay == OVERLAY_OFF || !has_panels(viewer, PLACE_LOOK))
        return;
    const Area left = overlay->columns[COLUMN_LEFT];
    const bool below = (float)(left.x + left.width) > (float)viewer->width - width - 2 * margin;
    const float top = below ? (float)(left.y + left.height) : overlay->top;
    ImGui::SetNextWindowPos(ImVec2((float)viewer->width - margin, top + margin), 0, ImVec2(1, 0));
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0),
                                        ImVec2(width, (float)viewer->height - top - em(overlay, bottom_ems)));
    draw_box(overlay, viewer, PLACE_LOOK, COLUMN_LOOK, "look", 0);
    const double taken = (double)(width + 2 * margin);
    if ((double)viewer->width >= two_columns * viewer->scale)
        area->width -= taken;
}

/* Between the columns, above the pills. */
void draw_files(Overlay *overlay, Viewer *viewer, Area *area) {
    const double margin = (double)em(overlay, margin_ems), high = (double)em(overlay, files_ems);
    const double top = (double)viewer->height - (double)em(overlay, files_bottom_ems) - high;
    if (viewer->overlay == OVERLAY_OFF || !has_panels(viewer, PLACE_FILES) ||
        top - margin < (1 - taken_maximum) * (double)viewer->height)
        return;
    overlay->columns[COLUMN_FILES] = {area->x + margin, top, area->width - 2 * margin, high};
    draw_panels(overlay, viewer, PLACE_FILES);
    area->height = top - margin - area->y;
}

/* False if there is nothing to tell, or no room. */
bool draw_right(Overlay *overlay, Viewer *viewer) {
    const float margin = em(overlay, margin_ems), width = column_width(overlay, COLUMN_RIGHT);
    const float left = (float)viewer->width - column_width(overlay, COLUMN_LEFT) - width - 4 * margin;
    viewer->ui->crowded = has_panels(viewer, PLACE_LOOK) || left < picture_minimum * (float)viewer->width;
    if (!action_shows_facts(viewer) || !viewer_level(viewer) || viewer->ui->crowded || !viewer_shows_speed(viewer))
        return false;
    ImGui::SetNextWindowPos(ImVec2((float)viewer->width - margin, overlay->top + margin), 0, ImVec2(1, 0));
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0),
                                        ImVec2(width, (float)viewer->height - overlay->top - em(overlay, bottom_ems)));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ImGui::GetStyle().ItemSpacing.x, em(overlay, 0.2f)));
    draw_box(overlay, viewer, PLACE_RIGHT, COLUMN_RIGHT, "right", 0);
    ImGui::PopStyleVar();
    return true;
}

/* Draws the columns or the strip; returns the part of the window that is free for the picture. The left column waits
 * where it and an opened panel would overlap, or it and the first steps, which leave the picture where it is. */
Area draw_columns(Overlay *overlay, Viewer *viewer) {
    const float margin = em(overlay, margin_ems);
    Area area = {0, (double)overlay->top, (double)viewer->width, (double)viewer->height - (double)overlay->top};
    const double taken = (double)(column_width(overlay, COLUMN_LEFT) + 2 * margin);
    const bool fits = taken < area.width * taken_maximum, looks = has_panels(viewer, PLACE_LOOK);
    const double look = looks ? (double)(column_width(overlay, COLUMN_LOOK) + margin) : 0;
    const double page = is_visible(&panel_welcome, viewer) ? (double)em(overlay, welcome_ems) : 0;
    const bool together = !looks || taken + look <= area.width, covered = page > 0 && taken + page > area.width;
    if (viewer->overlay == OVERLAY_FULL && together && (fits || viewer->column_asked)) {
        if (!covered)
            draw_left(overlay, viewer);
        if (fits) {
            area.x = taken;
            area.width -= taken;
        }
        if (draw_right(overlay, viewer))
            area.width -= (double)(column_width(overlay, COLUMN_RIGHT) + 2 * margin);
    } else if (viewer->overlay == OVERLAY_COMPACT) {
        draw_strip(overlay, viewer);
    }
    draw_look(overlay, viewer, &area);
    draw_files(overlay, viewer, &area);
    return area;
}

/* A press that misses a box leaves a hand that believes it may type. */
void note_miss(const Overlay *overlay, Viewer *viewer) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool on = on_column(overlay, (double)mouse.x, (double)mouse.y);
    const bool hit = overlay->hit || ImGui::IsAnyItemHovered() || ImGui::IsAnyItemActive();
    viewer->ui->missed &= on;
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left))
        viewer->ui->missed = on && !hit;
}

} // namespace

bool overlay_build(Overlay *overlay, Viewer *viewer, const OverlayInput *input) {
    if (viewer->ui->scale > 0)
        viewer->scale = viewer->ui->scale;
    begin_frame(overlay, viewer, input);
    for (Area &column : overlay->columns)
        column = {};
    overlay->close = overlay->menu && !viewer->menu;
    overlay->menu = false;
    overlay->settled = true;
    overlay->still = input->still;
    overlay->moves = overlay->hit = false;
    overlay->sign = nullptr;
    overlay->slider_count = 0;
    overlay->typed_in_place = false;
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left))
        viewer->ui->focused = {};
    const bool again = ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left); /* however late the window sees it */
    if (viewer->ui->clicked.param && clock_ms() >= viewer->ui->clicked.at && !again)
        report(viewer, viewer_take_click(viewer));
    fold(overlay, viewer);
    draw_panels(overlay, viewer, PLACE_BAR);
    overlay->top = (float)overlay->columns[COLUMN_BAR].height;
    viewer_set_area(viewer, draw_columns(overlay, viewer));
    note_miss(overlay, viewer);
    open_term(overlay, viewer);
    draw_panels(overlay, viewer, PLACE_PICTURE);
    draw_panels(overlay, viewer, PLACE_TOP);
    overlay->menu |= ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
    ImGui::Render();
    overlay->built = true;
    viewer->menu = overlay->menu;
    overlay->all = overlay->menu || viewer_has_page(viewer) || question_open(viewer) || ImGui::IsAnyItemActive();
    return overlay->settled;
}

Area overlay_slider(const Overlay *overlay, const char *param) {
    for (size_t i = 0; i < overlay->slider_count; i++)
        if (strcmp(overlay->sliders[i].param, param) == 0)
            return overlay->sliders[i].area;
    return {};
}

bool overlay_takes(const Overlay *overlay, double x, double y) {
    return overlay->all || on_column(overlay, x, y);
}
