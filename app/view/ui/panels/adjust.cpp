/* adjust.cpp: the edits that photographs need most, a click each. */
#include "app/view/ui/panels/panel.hpp"

extern "C" {
#include "app/view/actions/dispatch.h"
#include "app/view/data/labels.h"
}

namespace {

/* Filters are called as they are above their sliders. */
constexpr struct {
    const char *words, *filter, *action, *text;
} rows[] = {
    {"Crop", nullptr, "crop", nullptr},           {"Straighten", nullptr, "straighten", nullptr},
    {nullptr, "nlmeans", "add", "nlmeans"},       {nullptr, "unsharp", "add", "unsharp"},
    {nullptr, "shadows", "add", "shadows"},       {nullptr, "temperature", "add", "@warm"},
    {nullptr, "saturation", "add", "saturation"}, {nullptr, "vignette", "add", "vignette"},
    {"All filters …", nullptr, "add", nullptr},
};
constexpr float gap_ems = 0.3f, pads_ems = 0.9f;

bool visible(const Viewer *viewer) {
    return viewer_picture(viewer) && !viewer_shows_speed(viewer);
}

/* Goes on behind the last chip where the column has room for these words. */
void go_on_within_column(const Overlay *overlay, const char *words) {
    const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
    if (ImGui::GetItemRectMax().x + em(overlay, gap_ems + pads_ems) + width_of(overlay->small, words) <= right)
        ImGui::SameLine(0, em(overlay, gap_ems));
}

void draw(Overlay *overlay, Viewer *viewer) {
    if (!heading(overlay, "Adjust", nullptr))
        return;
    char title[LABEL_MAX];
    for (const auto &row : rows) {
        const char *words = row.words ? row.words : title_of_filter(row.filter, title);
        if (&row != rows)
            go_on_within_column(overlay, words);
        if (chip(overlay, words, false))
            action_ask(viewer, action_by_name(row.action), row.text);
    }
}

} // namespace

const Panel panel_adjust = {"adjust", PLACE_LEFT, visible, draw};
