/* chain.cpp: the filters with their parameters, a menu to add one, the border. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "app/view/panels/panel.hpp"
#include "app/view/param_rows.hpp"

namespace {

bool visible(const Viewer *viewer) {
    return viewer_kind(viewer)->filtered;
}

/* The menu of filters; true and *picked when one is chosen. */
bool filter_menu(const Overlay *overlay, const char *id, const char *label, const Filter **picked) {
    bool chosen = false;
    ImGui::SetNextItemWidth((ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2);
    if (ImGui::BeginCombo(id, label, ImGuiComboFlags_HeightLargest)) {
        close_menu(overlay);
        for (size_t i = 0; i < filter_count; i++) {
            if (i == 0 || filters[i]->category != filters[i - 1]->category) {
                if (i > 0)
                    ImGui::Separator();
                text(dim, "%s", filter_categories[filters[i]->category]);
            }
            if (ImGui::Selectable(filters[i]->name)) {
                *picked = filters[i];
                chosen = true;
            }
            if (ImGui::IsItemHovered())
                ImGui::SetTooltip("%s", filters[i]->help);
        }
        ImGui::EndCombo();
    }
    return chosen;
}

void link_rows(Overlay *overlay, Viewer *viewer, size_t link, size_t *removed) {
    const Filter *filter = viewer->request.chain->links[link].filter;
    ImGui::PushID((int)link);
    ImGui::AlignTextToFramePadding();
    const bool selected = viewer->request.chain->count > 1 && viewer_selected(viewer) == link;
    ImGui::PushFont(overlay->bold);
    text(selected ? accent : ink, "%s", filter->name);
    ImGui::PopFont();
    if (ImGui::IsItemClicked())
        viewer->selected = link;
    const float button = ImGui::GetFrameHeight();
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - button);
    ImGui::PushStyleColor(ImGuiCol_Button, 0);
    if (ImGui::Button("×", ImVec2(button, button)))
        *removed = link;
    ImGui::PopStyleColor();
    float widest = 0;
    for (size_t i = 0; i < filter->table.count; i++)
        widest = fmaxf(widest, ImGui::CalcTextSize(filter->table.params[i].name).x);
    const float left = ImGui::GetStyle().WindowPadding.x + column(overlay, 5.0f, widest);
    for (size_t i = 0; i < filter->table.count; i++) {
        const Param *param = &filter->table.params[i];
        if (!param_is_text(param) || param_text(param, viewer->request.chain->links[link].values))
            param_row(overlay, viewer, link, param, left);
    }
    ImGui::PopID();
}

/* Behind what is there; one whose example is to be edited is opened for typing. */
void add_filter(Viewer *viewer, const Filter *filter) {
    char example[ENTRY_MAX];
    filter_format_example(filter, example, sizeof example);
    const Status status = viewer_replace_link(viewer, viewer->request.chain->count, example);
    report(viewer, status);
    if (status == STATUS_OK && filter->example)
        viewer_begin_entry(viewer, ENTRY_CHAIN);
}

/* The value of a constant border, from black to white. */
void border_slider(Overlay *overlay, Viewer *viewer) {
    Border border = viewer->request.options.border;
    if (!borders[border.mode].takes_value || !viewer_picture(viewer))
        return;
    const double white = pixel_type_white(viewer_picture(viewer)->view.shape.type);
    const Param param = {"constant", borders[border.mode].help, PARAM_STORED, PARAM_NUMBER, 0, 0, white / 2, white,
                         white / 510};
    double value = (double)border.value;
    ImGui::AlignTextToFramePadding();
    text(dim, "%s", param.name);
    ImGui::SameLine(ImGui::GetStyle().WindowPadding.x + column(overlay, 5.0f, ImGui::CalcTextSize(param.name).x));
    ImGui::SetNextItemWidth(-1);
    ImGui::PushID("constant");
    if (param_slider(overlay, param, &value)) {
        border.value = (float)value;
        report(viewer, viewer_set_border(viewer, border, FALLBACK_BEST));
    }
    ImGui::PopID();
}

void draw(Overlay *overlay, Viewer *viewer) {
    char label[80];
    const Filter *picked = nullptr;
    size_t removed = SIZE_MAX;
    heading(overlay, "FILTER", nullptr);
    for (size_t i = 0; i < viewer->request.chain->count && removed == SIZE_MAX; i++)
        link_rows(overlay, viewer, i, &removed);
    if (removed != SIZE_MAX)
        report(viewer, viewer_remove_link(viewer, removed));
    if (filter_menu(overlay, "##add", viewer->request.chain->count ? "add a filter" : "pick a filter", &picked))
        add_filter(viewer, picked);
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-1);
    snprintf(label, sizeof label, "border %s", borders[viewer->request.options.border.mode].name);
    if (ImGui::BeginCombo("##border", label)) {
        close_menu(overlay);
        for (int i = 0; i < border_count; i++) {
            if (ImGui::Selectable(borders[i].name, viewer->request.options.border.mode == borders[i].mode))
                report(viewer,
                       viewer_set_border(viewer, viewer_default_border(viewer, borders[i].mode), FALLBACK_BEST));
            if (ImGui::IsItemHovered())
                ImGui::SetTooltip("%s", borders[i].help);
        }
        ImGui::EndCombo();
    }
    border_slider(overlay, viewer);
}

} // namespace

const Panel panel_chain = {"chain", PLACE_LEFT, visible, draw};
