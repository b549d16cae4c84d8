/* mask.cpp: the selected filter's mask, cell by cell, to be painted; and its effect on waves. */
#include <math.h>
#include <stdio.h>

#include "app/view/ui/panels/panel.hpp"
#include "app/view/ui/param_rows.hpp"

extern "C" {
#include "render/texture.h"
}

namespace {

constexpr float cell_ems = 3.2f, response_ems = 9.0f;
constexpr float figures_least = 0.65f; /* of the small font's size: smaller ones are not read */

bool visible(const Viewer *viewer) {
    size_t link;
    return viewer->editing && !viewer_has_page(viewer) && viewer_selected_param(viewer, PARAM_MASK, &link);
}

/* ---- cells ---- */

/* The grid of cells in the window. */
struct Grid {
    ImVec2 at;
    float cell;
    const Mask *mask;
    float largest; /* |weight| */
    float figures; /* pixels of the figures' font; 0: there is no room for any */
};

void format_weight(float weight, char *buffer, size_t size) {
    snprintf(buffer, size, fabsf(weight) >= 1000 ? "%.5g" : "%.3g", (double)weight);
}

float figure_width(const Overlay *overlay, const char *figures) {
    return overlay->small->CalcTextSizeA(overlay->small->FontSize, 1e6f, 0, figures).x;
}

Grid lay_out(const Overlay *overlay, const Mask *mask) {
    const float room = ImGui::GetContentRegionAvail().x;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float longest = (float)(mask->width > mask->height ? mask->width : mask->height);
    const float cell = fminf(floorf(room / longest), em(overlay, cell_ems));
    Grid grid = {ImVec2(floorf(at.x + (room - cell * (float)mask->width) / 2), at.y), cell, mask, 0, 0};
    float widest = 1;
    for (int i = 0; i < mask->width * mask->height; i++) {
        char figures[24];
        format_weight(mask->weights[i], figures, sizeof figures);
        widest = fmaxf(widest, figure_width(overlay, figures));
        grid.largest = fmaxf(grid.largest, fabsf(mask->weights[i]));
    }
    const float share = fminf(1, (cell - em(overlay, 0.25f)) / widest);
    grid.figures = share < figures_least ? 0 : floorf(share * overlay->small->FontSize);
    return grid;
}

/* Blue for positive weights, orange for negative ones; by size and, where there is room, in figures. */
void draw_cell(const Overlay *overlay, const Grid &grid, int x, int y) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float weight = grid.mask->weights[y * grid.mask->width + x], space = fmaxf(1, roundf(em(overlay, 0.06f)));
    const ImVec2 from(grid.at.x + (float)x * grid.cell, grid.at.y + (float)y * grid.cell);
    const ImVec2 to(from.x + grid.cell - space, from.y + grid.cell - space);
    const float share = grid.largest > 0 ? fabsf(weight) / grid.largest : 0;
    list->AddRectFilled(from, to, veil(14));
    if (share > 0)
        list->AddRectFilled(from, to, thin(weight > 0 ? accent : warm, (unsigned)lroundf(28 + 190 * sqrtf(share))));
    if (!(grid.figures > 0))
        return;
    char figures[24];
    format_weight(weight, figures, sizeof figures);
    const float width = figure_width(overlay, figures) * grid.figures / overlay->small->FontSize;
    list->AddText(overlay->small, grid.figures,
                  ImVec2(roundf((from.x + to.x - width) / 2), roundf((from.y + to.y - grid.figures) / 2)),
                  share > 0.45f              ? on_accent
                  : weight < 0 || weight > 0 ? ink
                                             : dim,
                  figures);
}

void draw_cells(const Overlay *overlay, const Grid &grid) {
    const Mask *mask = grid.mask;
    ImDrawList *list = ImGui::GetWindowDrawList();
    for (int y = 0; y < mask->height; y++)
        for (int x = 0; x < mask->width; x++)
            draw_cell(overlay, grid, x, y);
    const ImVec2 anchor(grid.at.x + (float)(mask->width / 2) * grid.cell,
                        grid.at.y + (float)(mask->height / 2) * grid.cell);
    list->AddRect(ImVec2(anchor.x - 1, anchor.y - 1), ImVec2(anchor.x + grid.cell, anchor.y + grid.cell), ink, 0, 0,
                  fmaxf(1, overlay->scale));
}

/* The cells that a stroke here would change. */
void mark_images(const Overlay *overlay, const Viewer *viewer, const Grid &grid, int x, int y) {
    MaskCell cells[SYMMETRY_IMAGES];
    const int count = mask_images(grid.mask, mask_editor_brush(viewer).symmetry, x, y, cells);
    for (int i = 0; i < count; i++) {
        const ImVec2 from(grid.at.x + (float)cells[i].x * grid.cell, grid.at.y + (float)cells[i].y * grid.cell);
        ImGui::GetWindowDrawList()->AddRect(from, ImVec2(from.x + grid.cell - 1, from.y + grid.cell - 1),
                                            i == 0 ? ink : dim, 0, 0, 1.5f * fmaxf(1, overlay->scale));
    }
}

void paint_cells(const Overlay *overlay, Viewer *viewer, const Grid &grid) {
    const ImGuiIO &io = ImGui::GetIO();
    const ImVec2 size((float)grid.mask->width * grid.cell, (float)grid.mask->height * grid.cell);
    ImGui::SetCursorScreenPos(grid.at);
    ImGui::InvisibleButton("cells", size, ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
    const int x = floor_int((io.MousePos.x - grid.at.x) / grid.cell),
              y = floor_int((io.MousePos.y - grid.at.y) / grid.cell);
    const MaskCell last = mask_editor_last(viewer);
    const bool begins = ImGui::IsItemActivated();
    if (ImGui::IsItemHovered() || ImGui::IsItemActive())
        mark_images(overlay, viewer, grid, x, y);
    if (ImGui::IsItemActive() && (begins || x != last.x || y != last.y)) {
        const bool erases = ImGui::IsMouseDown(ImGuiMouseButton_Right);
        report(viewer, mask_editor_paint(viewer, x, y, erases ? 0 : mask_editor_brush(viewer).weight, begins));
    } else if (ImGui::IsItemHovered() && io.MouseWheel != 0 && ImGui::GetScrollMaxY() <= 0) {
        const double weight = (double)grid.mask->weights[y * grid.mask->width + x];
        report(viewer, mask_editor_paint(viewer, x, y, weight + (double)io.MouseWheel, true));
    }
}

/* ---- changes of all cells ---- */

void preset_menu(const Overlay *overlay, Viewer *viewer) {
    if (!ImGui::BeginCombo("##preset", "presets", ImGuiComboFlags_HeightLargest))
        return;
    close_menu(overlay);
    for (size_t i = 0; i < mask_preset_count; i++) {
        if (ImGui::Selectable(mask_presets[i].name))
            report(viewer, mask_editor_preset(viewer, &mask_presets[i]));
        if (ImGui::IsItemHovered())
            say_tip("%s", mask_presets[i].help);
    }
    ImGui::EndCombo();
}

void draw_size(const Overlay *overlay, Viewer *viewer, const Mask *mask) {
    const float button = ImGui::GetFrameHeight();
    char words[32] = "";
    if (mask)
        snprintf(words, sizeof words, "%d × %d", mask->width, mask->height);
    if (ImGui::Button("−", ImVec2(button, 0)))
        report(viewer, mask_editor_grow(viewer, -2));
    ImGui::SameLine(0, em(overlay, 0.4f));
    ImGui::AlignTextToFramePadding();
    text(ink, "%s", words);
    ImGui::SameLine(0, em(overlay, 0.4f));
    if (ImGui::Button("+", ImVec2(button, 0)))
        report(viewer, mask_editor_grow(viewer, 2));
    ImGui::SameLine(0, em(overlay, 0.8f));
    ImGui::SetNextItemWidth(-1);
    preset_menu(overlay, viewer);
}

const struct {
    const char *words, *help;
    void (*change)(Mask *mask);
} changes[] = {
    {"negate", "the other sign everywhere", mask_negate},
    {"rotate", "by a quarter, clockwise", mask_turn},
    {"clear", "0 everywhere", mask_clear},
};

void draw_changes(const Overlay *overlay, Viewer *viewer) {
    if (chip(overlay, "normalize", false))
        report(viewer, mask_editor_normalize(viewer));
    if (ImGui::IsItemHovered())
        say_tip(
            "a factor that makes the sum 1, so that brightness stays; for a sum of 0, the positive weights sum to 1");
    for (const auto &row : changes) {
        ImGui::SameLine(0, em(overlay, 0.25f));
        if (chip(overlay, row.words, false))
            report(viewer, mask_editor_change(viewer, row.change));
        if (ImGui::IsItemHovered())
            say_tip("%s", row.help);
    }
}

void draw_brush(Overlay *overlay, Viewer *viewer) {
    static const Param brush = {
        "weight", "the weight that the left button paints; the right one paints 0, the wheel adds 1",
        "",       PARAM_NUMBER,
        0,        -16,
        1,        16,
        0.25};
    const float left = ImGui::GetStyle().WindowPadding.x + column(overlay, 5.0f, 0);
    ImGui::AlignTextToFramePadding();
    text(dim, "%s", "weight");
    if (ImGui::IsItemHovered())
        say_tip("%s", brush.help);
    ImGui::SameLine(left);
    ImGui::SetNextItemWidth(-1);
    MaskBrush chosen = mask_editor_brush(viewer);
    param_slider(overlay, brush, &chosen.weight);
    mask_editor_choose(viewer, chosen);
}

void draw_symmetry(const Overlay *overlay, Viewer *viewer) {
    MaskBrush brush = mask_editor_brush(viewer);
    for (int i = 0; i < SYMMETRIES; i++) {
        if (i > 0)
            ImGui::SameLine(0, em(overlay, 0.25f));
        if (chip(overlay, mask_symmetries[i].name, (int)brush.symmetry == i))
            brush.symmetry = (MaskSymmetry)i;
        if (ImGui::IsItemHovered())
            say_tip("%s", mask_symmetries[i].help);
    }
    ImGui::SameLine(0, em(overlay, 0.9f));
    if (chip(overlay, "±", brush.opposite))
        brush.opposite = !brush.opposite;
    if (ImGui::IsItemHovered())
        say_tip("images have the other sign, as slopes do");
    mask_editor_choose(viewer, brush);
}

/* ---- response ---- */

void draw_picture(Overlay *overlay, const Viewer *viewer, float side) {
    const Response &response = viewer->session->response;
    const ImVec2 at = ImGui::GetCursorScreenPos(), end(at.x + side, at.y + side);
    ImDrawList *list = ImGui::GetWindowDrawList();
    if (overlay->response_serial != response.serial && response.picture &&
        texture_fill(&overlay->response_texture, response.picture->view) == STATUS_OK)
        overlay->response_serial = response.serial;
    if (overlay->response_texture && response.picture)
        list->AddImage((ImTextureID)(intptr_t)overlay->response_texture, at, end);
    const float middle = side / 2, line = fmaxf(1, roundf(overlay->scale));
    list->AddLine(ImVec2(at.x + middle, at.y), ImVec2(at.x + middle, end.y), rgba(255, 255, 255, 60), line);
    list->AddLine(ImVec2(at.x, at.y + middle), ImVec2(end.x, at.y + middle), rgba(255, 255, 255, 60), line);
    ImGui::Dummy(ImVec2(side, side));
    if (ImGui::IsItemHovered())
        say_tip("the mask's effect on waves: none at all in the middle, stripes of half a cycle a pixel at "
                "the edges;\ndark ones vanish, bright ones stay or grow");
}

void draw_gain(Overlay *overlay, const char *name, double gain, float left) {
    char words[32];
    ImGui::SetCursorPosX(left);
    snprintf(words, sizeof words, "%.3g", gain < 5e-7 ? 0 : gain);
    text(dim, "%s", name);
    text_right(overlay, ink, words);
}

/* The response of the mask that was carried out last; painting since then follows. */
void draw_response(Overlay *overlay, const Viewer *viewer) {
    const Response &response = viewer->session->response;
    if (!heading(overlay, "Response", "gain by frequency"))
        return;
    const float side = em(overlay, response_ems);
    const ImVec2 at = ImGui::GetCursorPos();
    draw_picture(overlay, viewer, side);
    const float below = ImGui::GetCursorPosY(), left = at.x + side + em(overlay, 1.0f);
    ImGui::SetCursorPosY(at.y + em(overlay, 0.6f));
    if (response.picture) {
        draw_gain(overlay, "flat areas", response.at_rest, left);
        draw_gain(overlay, "columns of 1 pixel", response.half_x, left);
        draw_gain(overlay, "rows of 1 pixel", response.half_y, left);
        draw_gain(overlay, "largest", response.largest, left);
    }
    ImGui::SetCursorPosY(below);
}

/* ---- the panel ---- */

void draw_mask(Overlay *overlay, Viewer *viewer, const Mask *mask) {
    if (mask->width > MASK_PAINTED_MAX || mask->height > MASK_PAINTED_MAX) {
        wrapped(dim, "too large to be painted; a preset takes its place");
        return;
    }
    const Grid grid = lay_out(overlay, mask);
    draw_cells(overlay, grid);
    paint_cells(overlay, viewer, grid);
    gap(overlay, 0.2f);
    draw_brush(overlay, viewer);
    draw_symmetry(overlay, viewer);
    draw_changes(overlay, viewer);
}

void draw(Overlay *overlay, Viewer *viewer) {
    char sum[48] = "";
    (void)mask_editor_follow(viewer);
    if (mask_editor_mask(viewer))
        snprintf(sum, sizeof sum, "sum %.4g", mask_sum(mask_editor_mask(viewer)));
    if (!heading(overlay, "Mask", sum))
        return;
    draw_size(overlay, viewer, mask_editor_mask(viewer));
    (void)mask_editor_follow(viewer); /* it may be another one by now */
    if (mask_editor_mask(viewer))
        draw_mask(overlay, viewer, mask_editor_mask(viewer));
    else
        wrapped(dim, mask_editor_trouble(viewer));
    (void)mask_editor_follow(viewer);
    if (mask_editor_mask(viewer))
        draw_response(overlay, viewer);
}

} // namespace

const Panel panel_mask = {"mask", PLACE_LOOK, visible, draw, false, false, true};
