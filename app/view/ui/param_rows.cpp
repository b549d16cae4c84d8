/* param_rows.cpp: sliders, switches and menus for the parameters of a filter. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/view/ui/param_rows.hpp"

extern "C" {
#include "app/view/actions/dispatch.h"
}

#include <string>

namespace {

/* Opens the editor that draws the text, and closes it. */
void draw_button(Viewer *viewer, size_t link, float space) {
    const bool on = viewer->editing && viewer_selected(viewer) == link;
    ImGui::SameLine(0, space);
    ImGui::PushStyleColor(ImGuiCol_Button, on ? accent_deep : veil(20));
    if (ImGui::Button("draw")) {
        viewer->selected = link;
        if (on || !viewer->editing)
            action_ask(viewer, action_by_name("editor"), nullptr);
    }
    ImGui::PopStyleColor();
}

/* Text is shown, and typed with the rest of the chain. */
void param_text_row(Viewer *viewer, size_t link, const Param *param) {
    const char *words = param_text(param, viewer->request->chain->links[link].values);
    const bool drawn = strcmp(param->unit, PARAM_MASK) == 0 || strcmp(param->unit, PARAM_CURVE) == 0;
    const float space = ImGui::GetStyle().ItemInnerSpacing.x, room = ImGui::GetContentRegionAvail().x;
    const float button = drawn ? ImGui::CalcTextSize("draw").x + 2 * ImGui::GetStyle().FramePadding.x + space : 0;
    char label[256];
    snprintf(label, sizeof label, "%s##value", words ? words : "–");
    ImGui::PushStyleVar(ImGuiStyleVar_ButtonTextAlign, ImVec2(0, 0.5f));
    if (ImGui::Button(label, ImVec2(room - button, 0)))
        viewer_begin_entry(viewer, action_by_name("filter"));
    ImGui::PopStyleVar();
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip("%s", param->help);
    if (drawn)
        draw_button(viewer, link, space);
}

/* The row for a filter's second picture: an open one, or any file. */
void image_row(Overlay *overlay, Viewer *viewer, size_t link, const Param *param) {
    const char *words = param_text(param, viewer->request->chain->links[link].values), *picked = nullptr;
    if (ImGui::BeginCombo("##value", words ? base_name(words) : "none", ImGuiComboFlags_HeightLarge)) {
        close_menu(overlay);
        if (ImGui::Selectable("none", !words))
            picked = "";
        for (size_t i = 0; i < viewer->pictures.count && param->kind == PARAM_IMAGE; i++) {
            const char *path = viewer->pictures.paths[i];
            ImGui::PushID((int)i);
            if (ImGui::Selectable(base_name(path), words && strcmp(words, path) == 0))
                picked = path;
            if (ImGui::IsItemHovered())
                ImGui::SetTooltip("%s", path);
            ImGui::PopID();
        }
        ImGui::Separator();
        if (ImGui::Selectable("a file …")) {
            viewer->selected = link;
            viewer_begin_entry(viewer, action_by_name("second-picture"));
            viewer->ui->image_param = param;
        }
        ImGui::EndCombo();
    }
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip("%s", words ? words : param->help);
    const ParamChange change = {param, 0, picked};
    if (picked)
        report(viewer, viewer_set_params(viewer, link, &change, 1));
}

/* The signs behind numbers of a unit; a unit that says more goes on behind its sign: "pixels along the angle". */
const struct {
    const char *unit, *sign;
} signs[] = {{"pixels", " px"}, {"columns", " px"}, {"rows", " px"}, {"degrees", "°"},
             {"%", " %%"},      {"percent", " %%"}, {"K", " K"},     {"stops", " stops"}};

const char *sign_of(const char *unit) {
    for (const auto &row : signs)
        if (strncmp(unit, row.unit, strlen(row.unit)) == 0)
            return row.sign;
    return "";
}

/* The value is typed. The first of the two clicks has moved the slider: its value before comes back. */
void type_value(Viewer *viewer, size_t link, const Param *param, double before) {
    char line[96];
    viewer->selected = link;
    report(viewer, viewer_set_param(viewer, link, param, before));
    snprintf(line, sizeof line, "%s=%.9g", param->name, before);
    viewer_begin_entry(viewer, action_by_name("set"));
    viewer_set_entry(viewer, line);
    viewer_mark_entry(viewer, strlen(param->name) + 1);
}

} // namespace

void note_slider(Overlay *overlay, const char *param) {
    const ImVec2 from = ImGui::GetItemRectMin(), size = ImGui::GetItemRectSize();
    if (overlay->slider_count < SLIDERS_MAX)
        overlay->sliders[overlay->slider_count++] = {param,
                                                     {(double)from.x, (double)from.y, (double)size.x, (double)size.y}};
}

bool choice_menu(const Overlay *overlay, const Param &param, double *number) {
    size_t length = 0;
    const char *word = param_choice(&param, (size_t)*number, &length);
    bool chosen = false;
    if (ImGui::BeginCombo("##value", std::string(word, length).c_str())) {
        close_menu(overlay);
        for (size_t i = 0; (word = param_choice(&param, i, &length)); i++)
            if (ImGui::Selectable(std::string(word, length).c_str(), i == (size_t)*number)) {
                *number = (double)i;
                chosen = true;
            }
        ImGui::EndCombo();
    }
    return chosen;
}

void row_name(const char *name, const char *help, float left) {
    ImGui::AlignTextToFramePadding();
    text(dim, "%s", name);
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip("%s", help);
    ImGui::SameLine(left);
}

bool param_slider(Overlay *overlay, const Param &param, double *number, const char *digits) {
    float value = (float)*number;
    char format[32];
    const bool middle = fabs(log(param.min * param.max) - 2 * log(param.default_value)) < 1e-9; /* of its decades */
    const bool wide = param.min >= 0 && (param.max > 20 * fmax(param.default_value, 1) || middle);
    digits = digits ? digits : param.kind == PARAM_WHOLE ? "%.0f" : "%.4g";
    snprintf(format, sizeof format, "%s%s", digits, sign_of(param.unit));
    ImGuiSliderFlags flags = ImGuiSliderFlags_NoInput | ImGuiSliderFlags_AlwaysClamp;
    flags |= wide ? ImGuiSliderFlags_Logarithmic : 0;
    const bool moved = ImGui::SliderFloat("##value", &value, (float)param.min, (float)param.max, format, flags);
    note_slider(overlay, param.name);
    const float wheel = ImGui::IsItemHovered() && ImGui::GetScrollMaxY() <= 0 ? ImGui::GetIO().MouseWheel : 0;
    if (wheel != 0) { /* a step; where the column scrolls, the wheel does that */
        *number = param_stepped(&param, *number, (int)wheel * (ImGui::GetIO().KeyCtrl ? 10 : 1));
        return true;
    }
    if (!moved)
        return false;
    *number = param_stepped(&param, (double)value, 0);
    return true;
}

namespace {

void number_row(Overlay *overlay, Viewer *viewer, size_t link, const Param *stated, const Param *fitted) {
    double number = param_number(stated, viewer->request->chain->links[link].values);
    const double before = number;
    const bool moved = param_slider(overlay, *fitted, &number);
    if (ImGui::IsItemHovered())
        viewer->ui->hovered = {link, stated};
    if (ImGui::IsItemActivated() && !ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
        overlay->pressed_value = before;
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
        type_value(viewer, link, stated, overlay->pressed_value);
    else if (moved && !viewer->typing) /* the second click goes on */
        report(viewer, viewer_set_param(viewer, link, fitted, number));
}

} // namespace

void param_row(Overlay *overlay, Viewer *viewer, size_t link, const Param *stated, float left) {
    const Param fitted = viewer_param(viewer, stated), *param = &fitted;
    const void *values = viewer->request->chain->links[link].values;
    double number = param_is_text(param) ? 0 : param_number(param, values);
    ImGui::PushID(stated);
    row_name(param->name, param->help, left);
    ImGui::SetNextItemWidth(-1);
    if (param->kind == PARAM_IMAGE || param->kind == PARAM_CUBE) {
        image_row(overlay, viewer, link, stated);
    } else if (param_is_text(param)) {
        param_text_row(viewer, link, param);
    } else if (param->kind == PARAM_SWITCH) {
        bool on = number > 0;
        if (ImGui::Checkbox("##value", &on))
            report(viewer, viewer_set_param(viewer, link, param, on ? 1 : 0));
    } else if (param->kind == PARAM_CHOICE) {
        if (choice_menu(overlay, *param, &number))
            report(viewer, viewer_set_param(viewer, link, param, number));
    } else {
        number_row(overlay, viewer, link, stated, param);
    }
    ImGui::PopID();
}
