/* param_rows.cpp: sliders, switches and menus for the parameters of a filter. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/view/ui/param_rows.hpp"

extern "C" {
#include "app/view/actions/dispatch.h"
#include "app/view/data/labels.h"
#include "app/view/data/way.h"
#include "app/view/tools/curve_editor.h"
#include "app/view/tools/formula.h"
#include "core/base/timing.h"
}

#include <string>

namespace {

constexpr float figure_ems = 4.4f, figure_pad = 0.3f,
                narrow_ems = 8.0f; /* of a slider's figure; of sliders that have it on their track */

/* Opens the editor that draws the text, and closes it. */
void draw_button(Viewer *viewer, size_t link, const Param *param, float space) {
    size_t drawn;
    const bool curve = strcmp(param->unit, PARAM_CURVE) == 0;
    const bool on =
        viewer->editing && viewer_selected(viewer) == link && (!curve || curve_editor_param(viewer, &drawn) == param);
    ImGui::SameLine(0, space);
    ImGui::PushStyleColor(ImGuiCol_Button, on ? accent_deep : veil(20));
    if (ImGui::Button("draw")) {
        viewer->selected = link;
        if (curve && !on)
            action_ask(viewer, action_by_name("curve"), param->name);
        else if (on || !viewer->editing)
            action_ask(viewer, action_by_name("editor"), nullptr);
    }
    ImGui::PopStyleColor();
}

/* A formula has a line of its own; other texts are typed with the rest of the chain. */
void begin_text(Viewer *viewer, size_t link, const Param *param) {
    const bool formula = formula_of(&viewer->request->chain->links[link]) == param;
    viewer->selected = formula ? link : viewer->selected;
    viewer_begin_entry(viewer, action_by_name(formula ? "formula" : "filter"));
}

/* Text is shown, and begun to be typed by a click. */
void param_text_row(Viewer *viewer, size_t link, const Param *stated, const Param *param) {
    const char *words = param_text(param, viewer->request->chain->links[link].values);
    const bool drawn = strcmp(param->unit, PARAM_MASK) == 0 || strcmp(param->unit, PARAM_CURVE) == 0;
    const float space = ImGui::GetStyle().ItemInnerSpacing.x, room = ImGui::GetContentRegionAvail().x;
    const float button = drawn ? ImGui::CalcTextSize("draw").x + 2 * ImGui::GetStyle().FramePadding.x + space : 0;
    char label[256];
    snprintf(label, sizeof label, "%s##value", words ? words : "–");
    ImGui::PushStyleVar(ImGuiStyleVar_ButtonTextAlign, ImVec2(0, 0.5f));
    if (ImGui::Button(label, ImVec2(room - button, 0)))
        begin_text(viewer, link, stated);
    ImGui::PopStyleVar();
    if (ImGui::IsItemHovered())
        say_tip("%s", param->help);
    if (drawn)
        draw_button(viewer, link, stated, space);
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
            if (viewer->pictures.marks[i].scene)
                continue;
            ImGui::PushID((int)i);
            if (ImGui::Selectable(base_name(path), words && strcmp(words, path) == 0))
                picked = path;
            if (ImGui::IsItemHovered())
                say_tip("%s", path);
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
        say_tip("%s", words ? words : param->help);
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

constexpr float drag_pixels = 3;        /* less is a hand that clicks */
constexpr double second_click_ms = 400; /* in which one may follow a first */

/* The number is typed where it stands, and the action takes it. */
void type_number(Viewer *viewer, const Action *action, const Param *param, double number) {
    char line[96];
    snprintf(line, sizeof line, "%s=%.9g", param->name, number);
    viewer_begin_entry(viewer, action);
    viewer_set_entry(viewer, line);
    viewer_keep_entry(viewer, strlen(param->name) + 1);
    viewer_mark_entry(viewer, 0);
    viewer->ui->typed_param = param;
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

void row_name(const char *filter, const char *name, const char *help, float left) {
    char label[LABEL_MAX];
    ImGui::AlignTextToFramePadding();
    text(dim, "%s", label_of_param(filter, name, label));
    if (ImGui::IsItemHovered())
        say_tip("%s: %s", name, help);
    ImGui::SameLine(left);
}

namespace {

/* "2.5 px", or a word for a place that no number says. */
void format_figure(const Param &param, double number, const char *digits, char *buffer, size_t size) {
    const char *word = !counts_places(&param) || number >= param.min ? nullptr : number < 0 ? "middle" : "all";
    word = !word && !(number < 0) && !(number > 0) ? word_for_zero(&param) : word;
    char format[32];
    digits = digits ? digits : param.kind == PARAM_WHOLE ? "%.0f" : "%.4g";
    snprintf(format, sizeof format, "%s%s", digits, sign_of(param.unit));
    if (word)
        snprintf(buffer, size, "%s", word);
    else
        snprintf(buffer, size, format, number);
}

/* Pixels that a parameter's figures take: the track does not change while it is dragged. */
float figures_width(const Overlay *overlay, const Param &param, const char *digits) {
    const double some[] = {param.min, param.max, param.min + param.step, param.max - param.step};
    float widest = em(overlay, figure_ems);
    char words[64];
    for (const double number : some) {
        format_figure(param, number, digits, words, sizeof words);
        widest = fmaxf(widest, ImGui::CalcTextSize(words).x + em(overlay, 2 * figure_pad));
    }
    return widest;
}

/* The track of the last item, filled from 0, or the lowest value, to the knob. */
void draw_track(const Overlay *overlay, float share, float from, bool lively) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetItemRectMin(), end = ImGui::GetItemRectMax();
    const float grab = fminf(ImGui::GetStyle().GrabMinSize, end.x - at.x - 4), inset = 2 + grab / 2;
    const float room = end.x - at.x - 2 * inset, middle = roundf((at.y + end.y) / 2), half = em(overlay, 0.14f);
    const float x = at.x + inset + room * share, begin = from > 0 ? at.x + inset + room * from : at.x;
    list->AddRectFilled(ImVec2(at.x, middle - half), ImVec2(end.x, middle + half), veil(track_veil + 14), half);
    list->AddRectFilled(ImVec2(fminf(begin, x), middle - half), ImVec2(fmaxf(begin, x), middle + half),
                        ImGui::GetColorU32(ImGuiCol_SliderGrab), half);
    list->AddCircleFilled(ImVec2(x, middle), em(overlay, lively ? 0.42f : 0.36f), lively ? accent : ink, 24);
}

/* The track of the last item as a box for a figure, filled to its knob: a line below the figure. */
void draw_narrow_track(const Overlay *overlay, float share, bool lively) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetItemRectMin(), end = ImGui::GetItemRectMax();
    const float grab = fminf(ImGui::GetStyle().GrabMinSize, end.x - at.x - 4), inset = 2 + grab / 2;
    const float x = roundf(at.x + inset + (end.x - at.x - 2 * inset) * share), rounding = em(overlay, 0.2f);
    const float line = fmaxf(1, roundf(2 * overlay->scale));
    list->AddRectFilled(at, end, veil(track_veil + 14), rounding);
    list->AddRectFilled(at, ImVec2(x, end.y), thin(ImGui::GetColorU32(ImGuiCol_SliderGrab), 120), rounding);
    const float top = end.y - em(overlay, lively ? 0.45f : 0.3f);
    list->AddRectFilled(ImVec2(x, top), ImVec2(x + line, end.y), lively ? accent : ink);
}

/* Dear ImGui's slider over the way, without its looks; true while it moves. Ctrl leaves the value: it types. */
bool track(Overlay *overlay, const Param &param, const Way &way, double number, float width, bool narrow,
           double *moved_to) {
    float share = (float)way_place(&way, number);
    const ImGuiCol_ hidden[] = {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive};
    const ImU32 tint = ImGui::GetColorU32(ImGuiCol_SliderGrab);
    for (const ImGuiCol_ each : hidden)
        ImGui::PushStyleColor(each, 0);
    ImGui::PushStyleColor(ImGuiCol_SliderGrab, 0);
    ImGui::PushStyleColor(ImGuiCol_SliderGrabActive, 0);
    ImGui::SetNextItemWidth(width);
    const bool moved =
        ImGui::SliderFloat("##value", &share, 0, 1, "", ImGuiSliderFlags_NoInput | ImGuiSliderFlags_NoRoundToFormat);
    ImGui::PopStyleColor(5);
    ImGui::PushStyleColor(ImGuiCol_SliderGrab, tint);
    const float place = (float)way_place(&way, number),
                from = param.min < 0 && param.max > 0 ? (float)way_place(&way, 0) : 0;
    const bool lively = ImGui::IsItemHovered() || ImGui::IsItemActive();
    if (narrow)
        draw_narrow_track(overlay, place, lively);
    else
        draw_track(overlay, place, from, lively);
    ImGui::PopStyleColor();
    *moved_to = moved ? param_stepped(&param, way_value(&way, (double)share), 0) : number;
    return moved && !ImGui::GetIO().KeyCtrl && (*moved_to < number || *moved_to > number);
}

} // namespace

Figure param_slider(Overlay *overlay, const Param &param, double *number, const char *digits, double side) {
    char words[64];
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::CalcItemWidth(), high = ImGui::GetFrameHeight(), pad = em(overlay, figure_pad);
    format_figure(param, *number, digits, words, sizeof words);
    const float needs = ImGui::CalcTextSize(words).x + 2 * pad;
    const bool narrow = width < em(overlay, narrow_ems);
    const float room = narrow ? needs : fmaxf(needs, figures_width(overlay, param, digits));
    const float least = narrow ? room : room + em(overlay, 1.0f), wide = fmaxf(width, least);
    double moved_to;
    need_up_to(overlay, ImGui::GetCursorPosX() + least);
    bool changed =
        track(overlay, param, way_for_side(&param, side), *number, narrow ? wide : wide - room, narrow, &moved_to);
    note_slider(overlay, param.name);
    const float wheel = ImGui::IsItemHovered() && ImGui::GetIO().KeyCtrl ? ImGui::GetIO().MouseWheel : 0;
    if (wheel != 0) { /* without Ctrl it scrolls the column */
        moved_to = param_stepped(&param, *number, (int)wheel);
        changed = true;
    }
    const float left = narrow ? (wide - needs) / 2 : wide - needs; /* in the middle, or at the right end */
    const ImVec2 from(at.x + (narrow ? 0 : wide - room), at.y), end(at.x + wide, at.y + high);
    ImGui::GetWindowDrawList()->AddText(
        ImVec2(roundf(at.x + left + pad), roundf(at.y + (high - ImGui::GetFontSize()) / 2)), ink, words);
    if (changed)
        *number = moved_to;
    return {changed, narrow, from, end};
}

namespace {

/* The value in the place of its figure, while it is typed; a click elsewhere takes it. */
void typed_figure(Overlay *overlay, Viewer *viewer, const Param *param, const Figure &figure) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const size_t begins = strlen(param->name) + 1, caret = viewer->caret > begins ? viewer->caret : begins;
    const char *words = viewer->entry + begins;
    const float pad = em(overlay, figure_pad), width = ImGui::CalcTextSize(words).x;
    const float left = fminf(figure.from.x, figure.to.x - width - 3 * pad), x = figure.to.x - width - 1.5f * pad;
    const float y = roundf((figure.from.y + figure.to.y - ImGui::GetFontSize()) / 2), below = y + ImGui::GetFontSize();
    const auto place = [&](size_t behind) {
        return roundf(x + ImGui::CalcTextSize(words, viewer->entry + (behind > begins ? behind : begins)).x);
    };
    list->AddRectFilled(ImVec2(left, figure.from.y), figure.to, solid_glass, em(overlay, 0.25f));
    list->AddRectFilled(ImVec2(place(viewer->anchor), y), ImVec2(place(caret), below), accent_deep);
    list->AddRect(ImVec2(left, figure.from.y), figure.to, accent, em(overlay, 0.25f));
    list->AddText(ImVec2(x, y), ink, words);
    list->AddRectFilled(ImVec2(place(caret), y), ImVec2(place(caret) + fmaxf(1, roundf(overlay->scale)), below), ink);
    overlay->typed_in_place = true;
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
        !ImGui::IsMouseHoveringRect(ImVec2(left, figure.from.y), figure.to))
        report(viewer, viewer_type(viewer, '\r'));
}

/* Whether the line that is typed is this parameter's value. */
bool is_typed(const Viewer *viewer, size_t link, const Param *param) {
    const size_t length = strlen(param->name);
    return viewer->typing && viewer->ui->typed_param == param && viewer_selected(viewer) == link &&
           strncmp(viewer->entry, param->name, length) == 0 && viewer->entry[length] == '=';
}

/* Two clicks, or one with Ctrl, on the track; one on the figure. */
bool wants_typing(const Figure &figure, bool on_track) {
    const bool twice = ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) || ImGui::GetIO().KeyCtrl;
    const bool on_figure =
        !figure.on_track && ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(figure.from, figure.to);
    return ImGui::IsMouseClicked(ImGuiMouseButton_Left) && (on_figure || (on_track && twice));
}

/* Around the slider that arrow keys move. */
void focus_ring(const Overlay *overlay, const Viewer *viewer, size_t link, const Param *param) {
    if (viewer->ui->focused.param == param && viewer->ui->focused.link == link)
        ImGui::GetWindowDrawList()->AddRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), accent,
                                            em(overlay, 0.25f));
}

void number_row(Overlay *overlay, Viewer *viewer, size_t link, const Param *stated, const Param *fitted) {
    double number = param_number(stated, viewer->request->chain->links[link].values);
    const Shape picture = viewer_shape(viewer);
    const double side = fmax((double)picture.width, (double)picture.height);
    const bool waits = viewer->ui->clicked.param == stated && viewer->ui->clicked.link == link;
    number = waits ? viewer->ui->clicked.number : number;
    if (is_typed(viewer, link, stated)) {
        const Figure figure = param_slider(overlay, *fitted, &number, nullptr, side);
        typed_figure(overlay, viewer, stated, figure);
        return;
    }
    const Figure figure = param_slider(overlay, *fitted, &number, nullptr, side);
    const bool on_track = ImGui::IsItemHovered();
    const bool holds = ImGui::IsItemActive(),
               drags = holds && ImGui::IsMouseDragging(ImGuiMouseButton_Left, drag_pixels);
    ClickedSlider *clicked = &viewer->ui->clicked;
    if (ImGui::IsItemActivated())
        viewer->ui->focused = {link, stated};
    if (drags)
        viewer->ui->focused = {};
    focus_ring(overlay, viewer, link, stated);
    if (!viewer->typing && wants_typing(figure, on_track)) {
        overlay->hit = true;
        *clicked = {};
        viewer->selected = link;
        type_number(viewer, action_by_name("set"), stated,
                    param_number(stated, viewer->request->chain->links[link].values));
    } else if (figure.changed && !viewer->typing && holds && !drags && !overlay->scripted) {
        *clicked = {link, stated, number, clock_ms() + second_click_ms};
    } else if ((figure.changed || (drags && waits)) && !viewer->typing) {
        *clicked = {};
        report(viewer, viewer_set_param(viewer, link, fitted, number));
    }
}

} // namespace

bool type_figure(Overlay *overlay, Viewer *viewer, const Param &param, const Figure &figure, bool on_track,
                 double *number) {
    Interface *ui = viewer->ui;
    const unsigned row = ImGui::GetID("##figure");
    if (ui->typed_row.row == row && ui->typed_row.ready) {
        *number = ui->typed_row.number;
        ui->typed_row = {};
        return true;
    }
    if (viewer->typing && ui->typed_row.row == row) {
        typed_figure(overlay, viewer, &param, figure);
    } else if (!viewer->typing && wants_typing(figure, on_track)) {
        overlay->hit = true;
        type_number(viewer, action_by_name("set-row"), &param, *number);
        ui->typed_row.row = row;
    }
    return false;
}

void param_row(Overlay *overlay, Viewer *viewer, size_t link, const Param *stated, float left) {
    const Param fitted = viewer_param(viewer, link, stated), *param = &fitted;
    const void *values = viewer->request->chain->links[link].values;
    double number = param_is_text(param) ? 0 : param_number(param, values);
    ImGui::PushID(stated);
    row_name(viewer->request->chain->links[link].filter->name, param->name, param->help, left);
    ImGui::SetNextItemWidth(-1);
    if (param->kind == PARAM_IMAGE || param->kind == PARAM_CUBE) {
        image_row(overlay, viewer, link, stated);
    } else if (param_is_text(param)) {
        param_text_row(viewer, link, stated, param);
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
