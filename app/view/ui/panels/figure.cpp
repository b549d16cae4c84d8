/* figure.cpp: the background, the lines and the words of the look "figure". */
#include "app/view/ui/panels/panel.hpp"
#include "app/view/ui/table_rows.hpp"

namespace {

bool visible(const Viewer *viewer) {
    return viewer_scene(viewer) && viewer->request->figure;
}

void draw(Overlay *overlay, Viewer *viewer) {
    RowChange changes[ROW_CHANGES];
    if (!heading(overlay, "Figure", "as glint trace makes it"))
        return;
    const size_t count = table_rows(overlay, viewer, figure_style_table, &viewer->request->style, 0, changes);
    for (size_t i = 0; i < count; i++)
        report(viewer, viewer_set_style_param(viewer, changes[i].param, changes[i].number));
    action_chip(overlay, viewer, "Copy the command", "copy-command", nullptr);
}

} // namespace

const Panel panel_figure = {"figure", PLACE_LEFT, visible, draw};
