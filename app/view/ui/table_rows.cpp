/* table_rows.cpp: a row for each parameter. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/view/ui/param_rows.hpp"
#include "app/view/ui/table_rows.hpp"

extern "C" {
#include "app/view/actions/dispatch.h"
#include "app/view/data/labels.h"
}

namespace {

/* Whether its range is no one's: a slider over all of it would be useless. */
bool has_no_ends(const Param &param) {
    return param.max >= 1e8 || param.min <= -1e8;
}

/* A field that is dragged from its value: by steps, or by hundredths of the value. */
bool drag_field(Overlay *overlay, const Param &param, double *number) {
    float value = (float)*number;
    const bool whole = param.kind == PARAM_WHOLE;
    const float speed = whole ? 0.1f : (float)fmax(fabs(*number) * 0.01, param.step / 10);
    const bool moved = ImGui::DragFloat("##value", &value, speed, (float)param.min, (float)param.max,
                                        whole ? "%.0f" : "%.4g", ImGuiSliderFlags_NoInput);
    note_slider(overlay, param.name);
    const float wheel = ImGui::IsItemHovered() && ImGui::GetScrollMaxY() <= 0 ? ImGui::GetIO().MouseWheel : 0;
    if (wheel != 0)
        *number = fmin(fmax(*number + (double)wheel * param.step, param.min), param.max);
    else if (moved)
        *number = whole ? round((double)value) : (double)value;
    return moved || wheel != 0;
}

/* ---- rows of tables ---- */

/* Whether a colour begins there; its name without "red" is common to the three. */
bool is_colour(ParamTable table, size_t at) {
    static const char *const parts[] = {"red", "green", "blue"};
    for (size_t k = 0; k < 3; k++) {
        const char *name = at + k < table.count ? table.params[at + k].name : "";
        const size_t length = strlen(name), tail = strlen(parts[k]);
        if (length < tail || strcmp(name + length - tail, parts[k]) != 0)
            return false;
    }
    return true;
}

/* A slider whose figure can be typed. */
bool slider(Overlay *overlay, Viewer *viewer, const Param &param, double *number, const char *digits = nullptr) {
    const Figure figure = param_slider(overlay, param, number, digits);
    const bool on_track = ImGui::IsItemHovered();
    return type_figure(overlay, viewer, param, figure, on_track, number) || figure.changed;
}

bool number_row(Overlay *overlay, Viewer *viewer, const Param &param, double *number, float left) {
    row_name("", param.name, param.help, left);
    ImGui::SetNextItemWidth(-1);
    if (param.kind == PARAM_CHOICE)
        return choice_menu(overlay, param, number);
    if (param.kind != PARAM_SWITCH)
        return has_no_ends(param) ? drag_field(overlay, param, number) : slider(overlay, viewer, param, number);
    bool on = *number > 0;
    const bool switched = ImGui::Checkbox("##value", &on);
    *number = on;
    return switched;
}

/* The colour itself, and a picker that it opens; true if that has changed it. */
bool swatch(const Overlay *overlay, float colour[3]) {
    const ImVec4 now(colour[0], colour[1], colour[2], 1);
    bool changed = false;
    if (ImGui::ColorButton("##swatch", now, ImGuiColorEditFlags_NoTooltip | ImGuiColorEditFlags_NoDragDrop,
                           ImVec2(ImGui::GetFrameHeight(), ImGui::GetFrameHeight())))
        ImGui::OpenPopup("picker");
    if (ImGui::BeginPopup("picker")) {
        close_menu(overlay);
        ImGui::SetNextItemWidth(em(overlay, 12));
        changed = ImGui::ColorPicker3("##picker", colour,
                                      ImGuiColorEditFlags_NoInputs | ImGuiColorEditFlags_NoSidePreview |
                                          ImGuiColorEditFlags_NoLabel);
        ImGui::EndPopup();
    }
    return changed;
}

/* Three sliders side by side, and the swatch. */
size_t colour_row(Overlay *overlay, Viewer *viewer, const Param *params, const void *values, float left,
                  RowChange *changes) {
    static const ImU32 tints[] = {rgba(200, 70, 60), rgba(70, 160, 70), rgba(70, 110, 220)};
    float colour[3];
    size_t count = 0;
    char name[32];
    const size_t prefix = strlen(params[0].name) - strlen("red");
    snprintf(name, sizeof name, "%.*s", (int)(prefix > 0 ? prefix - 1 : 0), params[0].name);
    row_name("", prefix > 0 ? name : "colour", params[0].help, left);
    const float space = ImGui::GetStyle().ItemInnerSpacing.x;
    const float wide = (ImGui::GetContentRegionAvail().x - ImGui::GetFrameHeight() - 3 * space) / 3;
    for (int k = 0; k < 3; k++) {
        double number = param_number(&params[k], values);
        colour[k] = (float)number;
        ImGui::PushID(k);
        ImGui::PushStyleColor(ImGuiCol_SliderGrab, tints[k]);
        ImGui::PushStyleColor(ImGuiCol_SliderGrabActive, tints[k]);
        ImGui::SetNextItemWidth(wide);
        if (slider(overlay, viewer, params[k], &number, "%.2f"))
            changes[count++] = {&params[k], number};
        if (ImGui::IsItemHovered())
            say_tip("%s", params[k].name);
        ImGui::PopStyleColor(2);
        ImGui::PopID();
        ImGui::SameLine(0, space);
    }
    if (swatch(overlay, colour))
        for (count = 0; count < 3; count++)
            changes[count] = {&params[count], round((double)colour[count] * 1000) / 1000};
    return count;
}

} // namespace

size_t table_rows(Overlay *overlay, Viewer *viewer, ParamTable table, const void *values, size_t first,
                  RowChange changes[ROW_CHANGES]) {
    float widest = 0;
    size_t count = 0;
    char label[LABEL_MAX];
    for (size_t i = first; i < table.count; i++)
        widest = fmaxf(widest, ImGui::CalcTextSize(label_of_param("", table.params[i].name, label)).x);
    const float left = ImGui::GetStyle().WindowPadding.x + column(overlay, 5.0f, widest);
    for (size_t i = first; i < table.count; i++) {
        const Param *param = &table.params[i];
        double number = param_number(param, values);
        ImGui::PushID(param);
        if (is_colour(table, i)) {
            const size_t changed = colour_row(overlay, viewer, param, values, left, changes);
            count = changed > 0 ? changed : count;
            i += 2;
        } else if (number_row(overlay, viewer, *param, &number, left)) {
            changes[0] = {param, number};
            count = 1;
        }
        ImGui::PopID();
    }
    return count;
}

void tone_rows(Overlay *overlay, Viewer *viewer, size_t count) {
    const ParamTable table = {tone_table.params, count, tone_table.size};
    const Tone tone = viewer_tone(viewer);
    RowChange changes[ROW_CHANGES];
    char line[64];
    if (table_rows(overlay, viewer, table, &tone, 0, changes) == 0)
        return;
    snprintf(line, sizeof line, "%s=%.9g", changes[0].param->name, changes[0].number);
    action_ask(viewer, action_by_name("change-tone"), line);
}

void part_rows(Overlay *overlay, Viewer *viewer, const ScenePart *part, size_t index) {
    RowChange changes[ROW_CHANGES];
    void *values;
    if (scene_text_read(viewer->request->scene, viewer_scene(viewer), part, index, &values) != STATUS_OK)
        return;
    if (part->numbered)
        text(dim, "%s %zu", part->name, index + 1);
    ImGui::PushID((int)index);
    const size_t count = table_rows(overlay, viewer, part->table, values, part->numbered, changes);
    ImGui::PopID();
    for (size_t i = 0; i < count; i++)
        report(viewer, viewer_set_scene_param(viewer, part, index, changes[i].param, changes[i].number));
    params_destroy(part->table, &values);
}

void action_chip(Overlay *overlay, Viewer *viewer, const char *words, const char *action, const char *text) {
    const Action *of = action_by_name(action);
    const bool clicked = chip(overlay, words, false);
    char key[ACTION_KEYS];
    if (ImGui::IsItemHovered())
        say_keys(overlay, of->help, action_key_here(viewer, of, key));
    if (clicked)
        action_ask(viewer, of, text);
}
