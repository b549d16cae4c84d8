/* pixels.cpp: where a pixel is large enough, a grid between pixels, and in each the values that are stored. */
#include <math.h>
#include <stdio.h>
#include <vector>

#include "app/view/ui/panels/panel.hpp"

namespace {

constexpr double cell_minimum = 32; /* window pixels a picture pixel, at scale 1 */
constexpr ImU32 line_dark = rgba(0, 0, 0, 70), line_light = rgba(255, 255, 255, 40);

bool visible(const Viewer *viewer) {
    return viewer->overlay != OVERLAY_OFF && !viewer_has_page(viewer) && viewer->session->on_device &&
           viewer_viewport(viewer).scale >= cell_minimum * viewer->scale;
}

/* The picture's pixels in sight. */
struct Sight {
    size_t left, top, width, height;
};

/* The first pixel in sight, and one behind the last, of `length` that begin at `from`. */
size_t bound(double window, double from, double scale, size_t length) {
    return (size_t)fmin(fmax(floor((window - from) / scale), 0), (double)length);
}

Sight sight_of(const Viewer *viewer, Shape shape) {
    const Viewport at = viewer_viewport(viewer);
    const size_t left = bound(0, at.x, at.scale, shape.width), top = bound(0, at.y, at.scale, shape.height);
    const size_t right = bound(viewer->width, at.x - at.scale, at.scale, shape.width);
    const size_t bottom = bound(viewer->height, at.y - at.scale, at.scale, shape.height);
    return {left, top, right > left ? right - left : 0, bottom > top ? bottom - top : 0};
}

/* Two lines next to each other, so that one is seen on dark and the other on bright pixels. */
void draw_grid(ImDrawList *list, const Viewport &at, const Sight &sight) {
    const float left = (float)(at.x + (double)sight.left * at.scale),
                top = (float)(at.y + (double)sight.top * at.scale);
    const float right = left + (float)((double)sight.width * at.scale);
    const float bottom = top + (float)((double)sight.height * at.scale);
    for (size_t i = 0; i <= sight.width; i++) {
        const float x = floorf(left + (float)((double)i * at.scale));
        list->AddRectFilled(ImVec2(x, top), ImVec2(x + 1, bottom), line_dark);
        list->AddRectFilled(ImVec2(x + 1, top), ImVec2(x + 2, bottom), line_light);
    }
    for (size_t i = 0; i <= sight.height; i++) {
        const float y = floorf(top + (float)((double)i * at.scale));
        list->AddRectFilled(ImVec2(left, y), ImVec2(right, y + 1), line_dark);
        list->AddRectFilled(ImVec2(left, y + 1), ImVec2(right, y + 2), line_light);
    }
}

/* The other side, where its pixels have the grid of the result's. */
struct Other {
    const Image *source; /* nullptr: they have not */
    double x, y;         /* of its pixel where the result's first one lies */
};

bool is_whole(double number) {
    return fabs(number - round(number)) < 1e-6;
}

Other other_of(const Viewer *viewer) {
    Homography map;
    unsigned serial;
    const Image *source = viewer_source(viewer, &serial);
    if (!source || viewer_fit_of_sides(viewer, &map) == SIDES_APART)
        return {};
    const Homography straight = {{map.m[8], 0, map.m[2], 0, map.m[8], map.m[5], 0, 0, map.m[8]}};
    double away = 0;
    for (int i = 0; i < 9; i++)
        away = fmax(away, fabs(map.m[i] - straight.m[i]) / map.m[8]);
    const double x = map.m[2] / map.m[8], y = map.m[5] / map.m[8];
    return away < 1e-9 && is_whole(x) && is_whole(y) ? Other{source, round(x), round(y)} : Other{};
}

/* Over the result, and over the other side where that lies next to it. */
void draw_grids(ImDrawList *list, const Viewer *viewer, Viewport at, const Sight &sight, const Other &other) {
    const Area right = viewer_result_area(viewer);
    const float top = (float)right.y, bottom = (float)(right.y + right.height);
    if (!(right.width < viewer->area.width))
        return draw_grid(list, at, sight);
    for (int side = 0; side < (other.source ? 2 : 1);
         side++) { /* the other one as the canvas has it: by whole pixels */
        const double from = side == 0 ? right.x : viewer->area.x;
        list->PushClipRect(ImVec2((float)from, top), ImVec2((float)(from + right.width), bottom));
        draw_grid(list, at, sight);
        list->PopClipRect();
        at.x -= round(right.width);
    }
}

/* Dark on bright pixels, bright on dark ones: by Rec. 709's weights, of gray by its value. */
ImU32 readable_on(ImageView pixels, size_t x, size_t y) {
    const double white = pixel_type_white(pixels.shape.type);
    const bool colour = pixels.shape.channels > 2;
    const double luma = colour ? 0.2126 * view_value(pixels, x, y, 0) + 0.7152 * view_value(pixels, x, y, 1) +
                                     0.0722 * view_value(pixels, x, y, 2)
                               : view_value(pixels, x, y, 0);
    return luma > 0.5 * white ? rgba(0, 0, 0, 210) : rgba(255, 255, 255, 225);
}

/* The values of a pixel, one below the other, in the middle of its cell; none where they do not fit. */
void draw_values(const Overlay *overlay, ImDrawList *list, ImageView pixels, size_t x, size_t y, ImVec2 middle,
                 float cell) {
    ImFont *font = overlay->small;
    const float line = font->FontSize, high = line * (float)pixels.shape.channels;
    const ImU32 colour = readable_on(pixels, x, y);
    if (high > cell - 4)
        return;
    for (int c = 0; c < pixels.shape.channels; c++) {
        char words[32];
        snprintf(words, sizeof words, pixels.shape.type == PIXEL_F32 ? "%.3g" : "%.0f", view_value(pixels, x, y, c));
        const float wide = font->CalcTextSizeA(line, 1e6f, 0, words).x;
        if (wide <= cell - 4)
            list->AddText(font, line,
                          ImVec2(roundf(middle.x - wide / 2), roundf(middle.y - high / 2 + (float)c * line)), colour,
                          words);
    }
}

void draw(Overlay *overlay, Viewer *viewer) {
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    const Viewport at = viewer_viewport(viewer);
    const Shape shape = pipeline_result_shape(viewer->session->pipeline);
    const Sight sight = sight_of(viewer, shape);
    if (sight.width == 0 || sight.height == 0)
        return;
    const Area right = viewer_result_area(viewer);
    const bool sides = right.width < viewer->area.width;
    const Other other = other_of(viewer);
    draw_grids(list, viewer, at, sight, other);
    Shape part = shape;
    part.width = sight.width;
    part.height = sight.height;
    std::vector<double> room(shape_bytes(part) / sizeof(double) + 1);
    const ImageView result = {part, shape_row_bytes(part), room.data()};
    const double split = viewer_shows_source(viewer)  ? viewer->width
                         : viewer_shows_split(viewer) ? viewer_split_x(viewer)
                                                      : 0;
    if (viewer_shows_difference(viewer) || !viewer_pixels(viewer, sight.left, sight.top, result))
        return;
    for (size_t y = 0; y < sight.height; y++)
        for (size_t x = 0; x < sight.width; x++) {
            const double left = at.x + (double)(sight.left + x) * at.scale;
            const double top = at.y + (double)(sight.top + y) * at.scale;
            const ImVec2 middle((float)(left + at.scale / 2), (float)(top + at.scale / 2));
            const bool before = (double)middle.x < split;
            if (sides && ((double)middle.x < right.x || (double)middle.x >= right.x + right.width))
                continue;
            if (!before)
                draw_values(overlay, list, result, x, y, middle, (float)at.scale);
            const double u = other.x + (double)(sight.left + x), v = other.y + (double)(sight.top + y);
            if (other.source && (before || sides) && u >= 0 && v >= 0 && u < (double)other.source->view.shape.width &&
                v < (double)other.source->view.shape.height)
                draw_values(overlay, list, other.source->view, (size_t)u, (size_t)v,
                            ImVec2(middle.x - (float)(sides ? round(right.width) : 0), middle.y), (float)at.scale);
        }
}

} // namespace

const Panel panel_pixels = {"pixels", PLACE_PICTURE, visible, draw};
