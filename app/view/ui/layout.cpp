/* layout.cpp: the places of panels: in two columns or a strip, and over the picture, which gets the free part of the
 * window. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "app/view/ui/dear_imgui.hpp"
#include "app/view/ui/panels/panel.hpp"

extern "C" {
#include "app/view/actions/dispatch.h"
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
constexpr float picture_minimum = 0.4f; /* of the window's width; where it would have less, there is no right column */
constexpr float margin_ems = 0.75f, bottom_ems = 3.6f, files_ems = 7.4f,
                files_bottom_ems = 3.0f; /* around columns; for the pill below the right one */

bool is_visible(const Panel *panel, const Viewer *viewer) {
    return !panel->visible || panel->visible(viewer);
}

/* By an action; a click on the heading does it, too. */
void fold(Overlay *overlay, Viewer *viewer) {
    for (size_t i = 0; i < overlay->fold_count && viewer->ui->fold; i++)
        if (strncasecmp(overlay->folds[i].words, viewer->ui->fold, strlen(viewer->ui->fold)) == 0)
            overlay->folds[i].open ^= true;
    viewer->ui->fold = nullptr;
}

/* While figures are on their way, the panels of this column keep their places. */
void keep_height(Overlay *overlay, const Viewer *viewer, size_t panel, float height) {
    float *known = &overlay->panel_heights[panel];
    const bool waits = viewer_level(viewer) && !(viewer_figures(viewer).ms > 0);
    if (waits && height < *known)
        ImGui::Dummy(ImVec2(1, *known - height - ImGui::GetStyle().ItemSpacing.y));
    else
        *known = height;
}

void draw_panels(Overlay *overlay, Viewer *viewer, Place place) {
    const bool figures = place == PLACE_RIGHT || place == PLACE_LEFT;
    for (size_t i = 0; i < sizeof panels / sizeof panels[0]; i++) {
        if (panels[i]->place != place)
            continue;
        const float top = figures ? ImGui::GetCursorPosY() : 0;
        if (is_visible(panels[i], viewer)) {
            ImGui::PushID(panels[i]->name);
            panels[i]->draw(overlay, viewer);
            ImGui::PopID();
        }
        if (figures && panels[i]->of_figures)
            keep_height(overlay, viewer, i, ImGui::GetCursorPosY() - top);
    }
}

/* The panels of a place one below the other. Remembers where they lie, and whether they will be as large again. */
void draw_box(Overlay *overlay, Viewer *viewer, Place place, Column column, const char *name, ImGuiWindowFlags flags) {
    ImGui::Begin(name, nullptr, box_flags | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoBackground | flags);
    box_ground(!(flags & ImGuiWindowFlags_NoScrollbar));
    overlay->building = column;
    draw_panels(overlay, viewer, place);
    float *height = &overlay->heights[column];
    overlay->settled &= fabsf(ImGui::GetCursorPosY() - *height) < 0.5f;
    *height = ImGui::GetCursorPosY();
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    overlay->columns[column] = {(double)at.x, (double)at.y, (double)size.x, (double)size.y};
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

bool has_panels(const Viewer *viewer, Place place) {
    bool has = false;
    for (const Panel *panel : panels)
        has |= panel->place == place && is_visible(panel, viewer);
    return has;
}

/* Draws the panels that look at the picture closely, at the right, below a strip that goes so far. They lie over the
 * picture where it would have no room. */
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
    if (area->width - taken > (1 - taken_maximum) * (double)viewer->width)
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
    if (!action_shows_facts(viewer) || !viewer_level(viewer) || viewer->ui->crowded)
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
 * where it and an opened panel would overlap. */
Area draw_columns(Overlay *overlay, Viewer *viewer) {
    const float margin = em(overlay, margin_ems);
    Area area = {0, (double)overlay->top, (double)viewer->width, (double)viewer->height - (double)overlay->top};
    const double taken = (double)(column_width(overlay, COLUMN_LEFT) + 2 * margin);
    const bool fits = taken < area.width * taken_maximum, looks = has_panels(viewer, PLACE_LOOK);
    const bool together = !looks || taken + (double)(column_width(overlay, COLUMN_LOOK) + margin) <= area.width;
    if (viewer->overlay == OVERLAY_FULL && together && (fits || viewer->column_asked)) {
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
    overlay->moves = false;
    overlay->slider_count = 0;
    viewer->ui->hovered = {};
    fold(overlay, viewer);
    draw_panels(overlay, viewer, PLACE_BAR);
    overlay->top = (float)overlay->columns[COLUMN_BAR].height;
    viewer_set_area(viewer, draw_columns(overlay, viewer));
    draw_panels(overlay, viewer, PLACE_PICTURE);
    draw_panels(overlay, viewer, PLACE_TOP);
    overlay->menu |= ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
    ImGui::Render();
    overlay->built = true;
    viewer->menu = overlay->menu;
    overlay->all = overlay->menu || viewer_has_page(viewer) || ImGui::IsAnyItemActive();
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
