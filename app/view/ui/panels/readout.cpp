/* readout.cpp: the pixel under the pointer and the zoom, at the bottom right. */
#include <stdio.h>

#include "app/view/ui/panels/panel.hpp"

namespace {

bool visible(const Viewer *viewer) {
    return viewer->overlay != OVERLAY_OFF && !viewer_has_page(viewer) && viewer->session->on_device;
}

void format_pixel(ImageView view, size_t x, size_t y, char *buffer, size_t size) {
    size_t length = 0;
    buffer[0] = '\0';
    for (int c = 0; c < view.shape.channels && length < size; c++)
        length += (size_t)snprintf(buffer + length, size - length, view.shape.type == PIXEL_F32 ? "%s%.4f" : "%s%.0f",
                                   c ? " " : "", view_value(view, x, y, c));
}

/* The pixel under the pointer and the zoom, at the bottom right; before the filters as well, where there is room. */
void draw(Overlay *overlay, Viewer *viewer) {
    char before[96] = "", after[96] = "", words[320];
    size_t x, y;
    const Shape shape = viewer_shown_shape(viewer), picture = viewer_shape(viewer);
    unsigned serial;
    const Image *source = viewer_unfiltered(viewer, &serial);
    const Viewport viewport = viewer_viewport(viewer);
    double values[4]; /* room for any pixel */
    ImageView pixel = {pipeline_result_shape(viewer->session->pipeline), sizeof values, values};
    pixel.shape.width = pixel.shape.height = 1;
    if (on_column(overlay, viewer->pointer_x, viewer->pointer_y) ||
        !viewport_pixel(viewport, viewer->pointer_x, viewer->pointer_y, shape.width, shape.height, &x, &y)) {
        viewer_kind(viewer)->format_zoom(viewer, words, sizeof words);
    } else {
        if (viewer_pixels(viewer, x, y, pixel))
            format_pixel(pixel, 0, 0, after, sizeof after);
        snprintf(words, sizeof words, "%zu, %zu    %s    %.0f %%", x, y, after, viewport.scale * 100);
        const bool room = 1.8f * width_of(overlay->regular, words) < (float)viewer->area.width;
        if (room && source && picture.width == shape.width && picture.height == shape.height)
            format_pixel(source->view, x, y, before, sizeof before);
        snprintf(words, sizeof words, "%zu, %zu    %s%s%s    %.0f %%", x, y, before, before[0] ? "  →  " : "", after,
                 viewport.scale * 100);
    }
    const float width = width_of(overlay->regular, words);
    pill(overlay, (float)viewer->width - em(overlay, 1.35f) - width / 2, (float)viewer->height - em(overlay, 2.3f), ink,
         words);
}

} // namespace

const Panel panel_readout = {"readout", PLACE_PICTURE, visible, draw};
