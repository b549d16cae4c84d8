/* overlay.cpp: the panels, with Dear ImGui: the only C++ of the project besides the pieces that they are made of. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/view/widgets.hpp"

extern "C" {
#include "app/view/actions.h"
#include "core/timing.h"
}

#include <backends/imgui_impl_opengl3.h>

#include <new>
#include <string>

namespace {

constexpr double taken_maximum = 0.75; /* of the window's width; where panels take more, they lie on the picture */

bool on_panel(const Overlay *overlay, double x, double y) {
    bool on = false;
    for (const Area &panel : overlay->panels)
        on |= x >= panel.x && y >= panel.y && x < panel.x + panel.width && y < panel.y + panel.height;
    return on;
}

void report(Viewer *viewer, Status status) {
    viewer_answer(viewer, TOAST_REQUEST, status);
}

/* ---- sections of the full panel ---- */

void picture_section(Overlay *overlay, const Viewer *viewer) {
    char shape[96], place[48] = "";
    format_shape(viewer, shape, sizeof shape);
    if (!viewer->in_scene && viewer->pictures.count > 1)
        snprintf(place, sizeof place, "%zu / %zu", viewer->pictures.current + 1, viewer->pictures.count);
    ImGui::PushFont(overlay->title);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, line = ImGui::GetTextLineHeight();
    const char *name = *viewer_title(viewer) ? base_name(viewer_title(viewer)) : "nothing is open";
    ImGui::PushClipRect(at, ImVec2(at.x + width, at.y + line * 1.3f), true);
    ImGui::TextUnformatted(name);
    ImGui::PopClipRect();
    ImGui::PopFont();
    text(dim, "%s", shape);
    text_right(overlay, dim, place);
}

/* Text is shown, and typed with the rest of the chain. */
void param_text_row(Viewer *viewer, size_t link, const Param *param) {
    const char *words = param_text(param, viewer->chain->links[link].values);
    char label[256];
    snprintf(label, sizeof label, "%s##value", words ? words : "–");
    ImGui::PushStyleVar(ImGuiStyleVar_ButtonTextAlign, ImVec2(0, 0.5f));
    if (ImGui::Button(label, ImVec2(-1, 0)))
        viewer_begin_entry(viewer, ENTRY_CHAIN);
    ImGui::PopStyleVar();
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip("%s", param->help);
}

void note_slider(Overlay *overlay, const char *param) {
    const ImVec2 from = ImGui::GetItemRectMin(), size = ImGui::GetItemRectSize();
    if (overlay->slider_count < SLIDERS_MAX)
        overlay->sliders[overlay->slider_count++] = {param,
                                                     {(double)from.x, (double)from.y, (double)size.x, (double)size.y}};
}

/* A slider that sets `number`; true while it does. Wide ranges are logarithmic: the interesting part of 0.1 to 42 is at
 * its low end. */
bool slider(Overlay *overlay, const Param &param, double *number) {
    float value = (float)*number;
    const bool wide = param.min >= 0 && param.max > 20 * fmax(param.default_value, 1);
    const char *format = param.kind == PARAM_WHOLE ? "%.0f" : "%.4g";
    ImGuiSliderFlags flags = ImGuiSliderFlags_NoInput | ImGuiSliderFlags_AlwaysClamp;
    flags |= wide ? ImGuiSliderFlags_Logarithmic : 0;
    const bool moved = ImGui::SliderFloat("##value", &value, (float)param.min, (float)param.max, format, flags);
    note_slider(overlay, param.name);
    if (!moved)
        return false;
    *number = param_stepped(&param, (double)value, 0);
    return true;
}

/* Within a menu: closes it if that is asked for. */
void close_menu(const Overlay *overlay) {
    if (overlay->close)
        ImGui::CloseCurrentPopup();
}

/* A menu of the parameter's words that sets `number` to the index of one; true when one is chosen. */
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

void param_slider(Overlay *overlay, Viewer *viewer, size_t link, const Param *stated, float left) {
    const Param fitted = viewer_param(viewer, stated), *param = &fitted;
    const void *values = viewer->chain->links[link].values;
    double number = param_is_text(param) ? 0 : param_number(param, values);
    ImGui::PushID(stated);
    ImGui::AlignTextToFramePadding();
    text(dim, "%s", param->name);
    ImGui::SameLine(left);
    ImGui::SetNextItemWidth(-1);
    if (param_is_text(param)) {
        param_text_row(viewer, link, param);
    } else if (param->kind == PARAM_SWITCH) {
        bool on = number > 0;
        if (ImGui::Checkbox("##value", &on))
            report(viewer, viewer_set_param(viewer, link, param, on ? 1 : 0));
    } else if (param->kind == PARAM_CHOICE) {
        if (choice_menu(overlay, *param, &number))
            report(viewer, viewer_set_param(viewer, link, param, number));
    } else if (slider(overlay, *param, &number)) {
        report(viewer, viewer_set_param(viewer, link, param, number));
    }
    ImGui::PopID();
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
    const Filter *filter = viewer->chain->links[link].filter;
    ImGui::PushID((int)link);
    ImGui::AlignTextToFramePadding();
    const bool selected = viewer->chain->count > 1 && viewer_selected(viewer) == link;
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
        if (!param_is_text(param) || param_text(param, viewer->chain->links[link].values))
            param_slider(overlay, viewer, link, param, left);
    }
    ImGui::PopID();
}

/* Behind what is there; one whose example is to be edited is opened for typing. */
void add_filter(Viewer *viewer, const Filter *filter) {
    char example[ENTRY_MAX];
    filter_format_example(filter, example, sizeof example);
    const Status status = viewer_replace_link(viewer, viewer->chain->count, example);
    report(viewer, status);
    if (status == STATUS_OK && filter->example)
        viewer_begin_entry(viewer, ENTRY_CHAIN);
}

/* The value of a constant border, from black to white. */
void border_slider(Overlay *overlay, Viewer *viewer) {
    Border border = viewer->options.border;
    if (!borders[border.mode].takes_value || !viewer->picture)
        return;
    const double white = pixel_type_white(viewer->picture->view.shape.type);
    const Param param = {"constant", borders[border.mode].help, PARAM_STORED, PARAM_NUMBER, 0, 0, white / 2, white,
                         white / 510};
    double value = (double)border.value;
    ImGui::AlignTextToFramePadding();
    text(dim, "%s", param.name);
    ImGui::SameLine(ImGui::GetStyle().WindowPadding.x + column(overlay, 5.0f, ImGui::CalcTextSize(param.name).x));
    ImGui::SetNextItemWidth(-1);
    ImGui::PushID("constant");
    if (slider(overlay, param, &value)) {
        border.value = (float)value;
        report(viewer, viewer_pick_border(viewer, border));
    }
    ImGui::PopID();
}

void filter_section(Overlay *overlay, Viewer *viewer) {
    char label[80];
    const Filter *picked = nullptr;
    size_t removed = SIZE_MAX;
    heading(overlay, "FILTER", nullptr);
    for (size_t i = 0; i < viewer->chain->count && removed == SIZE_MAX; i++)
        link_rows(overlay, viewer, i, &removed);
    if (removed != SIZE_MAX)
        report(viewer, viewer_remove_link(viewer, removed));
    if (filter_menu(overlay, "##add", viewer->chain->count ? "add a filter" : "pick a filter", &picked))
        add_filter(viewer, picked);
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-1);
    snprintf(label, sizeof label, "border %s", borders[viewer->options.border.mode].name);
    if (ImGui::BeginCombo("##border", label)) {
        close_menu(overlay);
        for (int i = 0; i < border_count; i++) {
            if (ImGui::Selectable(borders[i].name, viewer->options.border.mode == borders[i].mode))
                report(viewer, viewer_pick_border(viewer, viewer_default_border(viewer, borders[i].mode)));
            if (ImGui::IsItemHovered())
                ImGui::SetTooltip("%s", borders[i].help);
        }
        ImGui::EndCombo();
    }
    border_slider(overlay, viewer);
}

/* The race's lane of a level, or NULL. */
const LevelRaceLane *lane_of(const Viewer *viewer, const Level *level) {
    for (size_t i = 0; viewer->racing && i < viewer->race.count; i++)
        if (viewer->race.lanes[i].level == level)
            return &viewer->race.lanes[i];
    return nullptr;
}

double fastest_lane(const Viewer *viewer) {
    double fastest = 0;
    for (size_t i = 0; i < viewer->race.count; i++) {
        const Timing timing = viewer_level_time(viewer, viewer->race.lanes[i].level);
        if (timing.known && (!(fastest > 0) || timing.ms < fastest))
            fastest = timing.ms;
    }
    return fastest;
}

/* One rung: its digit, its name, in a race its time with a bar that is the longer the faster it is. */
void rung_row(Overlay *overlay, Viewer *viewer, const LadderRow &rung) {
    const float width = ImGui::GetContentRegionAvail().x, room = width - em(overlay, 8.0f);
    const float reason = rung.why_not
                             ? overlay->small->CalcTextSizeA(overlay->small->FontSize, 1e6f, room, rung.why_not).y
                             : 0; /* two lines if need be */
    const float height = fmaxf(em(overlay, 1.42f), reason + em(overlay, 0.3f));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList *list = ImGui::GetWindowDrawList();
    const ImU32 tint = rung.why_not ? faint : rung.current ? ink : dim;
    const LevelRaceLane *lane = lane_of(viewer, rung.level);
    const Timing timing = lane ? viewer_level_time(viewer, rung.level) : Timing{};
    char number[16], note[160] = "";
    ImGui::PushID(rung.level);
    const bool clicked = ImGui::InvisibleButton("rung", ImVec2(width, height));
    const bool hovered = ImGui::IsItemHovered();
    ImGui::PopID();
    const ImVec2 end(at.x + width, at.y + height);
    const float rounding = em(overlay, 0.3f);
    if (rung.current)
        list->AddRectFilled(at, end, accent_veil, rounding);
    else if (hovered)
        list->AddRectFilled(at, end, rgba(255, 255, 255, 18), rounding);
    if (timing.known) {
        const float share = (float)(fastest_lane(viewer) / timing.ms), left = at.x + em(overlay, 8.0f);
        list->AddRectFilled(ImVec2(left, at.y + height * 0.2f), ImVec2(left + room * share, end.y - height * 0.2f),
                            rung.current ? accent_deep : rgba(255, 255, 255, 38), em(overlay, 0.2f));
        char ms[32];
        format_ms(timing.ms, ms, sizeof ms);
        snprintf(note, sizeof note, "%s%s", timing.estimated ? "≈ " : "", ms);
    } else if (rung.why_not) {
        snprintf(note, sizeof note, "%s", rung.why_not);
    } else if (lane) {
        snprintf(note, sizeof note, "…");
    } else if (rung.current && strcmp(viewer->level, "best") == 0) {
        snprintf(note, sizeof note, "best");
    }
    if (rung.current)
        list->AddRectFilled(at, ImVec2(at.x + em(overlay, 0.18f), end.y), accent, rounding);
    const float line = at.y + (height - overlay->regular->FontSize) / 2;
    snprintf(number, sizeof number, "%d", rung.number);
    const float ones = at.x + em(overlay, 1.1f); /* where numbers end */
    list->AddText(overlay->regular, overlay->regular->FontSize,
                  ImVec2(ones - overlay->regular->CalcTextSizeA(overlay->regular->FontSize, 1e6f, 0, number).x, line),
                  rung.current ? accent : faint, number);
    ImFont *font = rung.current ? overlay->bold : overlay->regular;
    list->AddText(font, font->FontSize, ImVec2(at.x + em(overlay, 1.7f), line), tint, rung.level->name);
    const ImVec2 size = overlay->small->CalcTextSizeA(overlay->small->FontSize, 1e6f, room, note);
    list->AddText(overlay->small, overlay->small->FontSize,
                  ImVec2(roundf(end.x - size.x - em(overlay, 0.5f)), roundf(at.y + (height - size.y) / 2)),
                  timing.known ? ink : faint, note, nullptr, room);
    if (hovered)
        ImGui::SetTooltip("%s%s%s", rung.level->idea, rung.why_not ? "\nnot here: " : "",
                          rung.why_not ? rung.why_not : "");
    if (clicked)
        report(viewer, viewer_set_level(viewer, rung.level->name));
}

void level_section(Overlay *overlay, Viewer *viewer) {
    LadderRow rungs[RUNGS_MAX];
    const size_t count = viewer_rungs(viewer, rungs);
    char right[160];
    const Level *level = viewer_level(viewer);
    snprintf(right, sizeof right, "%s%s%s", level ? level->op->name : "", level ? " on " : "",
             viewer->device->backend->name);
    heading(overlay, viewer->racing ? "RACE  longer is faster" : "LEVELS", right);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, em(overlay, 0.06f)));
    for (size_t i = count; i-- > 0;)
        rung_row(overlay, viewer, rungs[i]);
    ImGui::PopStyleVar();
    if (level) {
        gap(overlay, 0.1f);
        wrapped(dim, level->idea);
    } else {
        wrapped(dim, "Nothing to compute: pick a filter.");
    }
}

void figures_row(Overlay *overlay, const Viewer *viewer, const Figures &figures) {
    char ms[32], speedup[64], copies[32];
    format_ms(figures.ms, ms, sizeof ms);
    format_speedup(viewer, figures, speedup, sizeof speedup);
    format_copies(figures, copies, sizeof copies);
    const float top = ImGui::GetCursorPosY();
    ImGui::PushFont(overlay->figure);
    text(ink, "%s", ms);
    ImGui::PopFont();
    const float below = ImGui::GetCursorPosY(), right = ImGui::GetWindowContentRegionMax().x;
    ImGui::SetCursorPos(ImVec2(right - overlay->bold->CalcTextSizeA(overlay->bold->FontSize, 1e6f, 0, speedup).x, top));
    ImGui::PushFont(overlay->bold);
    text(accent, "%s", speedup);
    ImGui::PopFont();
    ImGui::SetCursorPos(ImVec2(right - ImGui::CalcTextSize(copies).x, top + em(overlay, 1.15f)));
    text(dim, "%s", copies);
    ImGui::SetCursorPosY(below);
}

void rates_row(Overlay *overlay, const Figures &figures) {
    const struct {
        double value;
        const char *unit;
    } rates[] = {{figures.mpixels, "Mpixel/s"}, {figures.gigabytes, "GB/s"}, {figures.gigaflops, "GFLOP/s"}};
    const float spaces[] = {0, 8.0f, 14.0f}; /* ems, if the numbers leave them */
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float drop = overlay->bold->Ascent - overlay->small->Ascent; /* to the same base line */
    float end = at.x;
    for (int i = 0; i < 3 && rates[i].value > 0; i++) {
        char number[32];
        format_rate(rates[i].value, number, sizeof number);
        const float x = fmaxf(at.x + em(overlay, spaces[i]), end), size = overlay->bold->FontSize;
        const float width = overlay->bold->CalcTextSizeA(size, 1e6f, 0, number).x + em(overlay, 0.3f);
        list->AddText(overlay->bold, size, ImVec2(x, at.y), ink, number);
        list->AddText(overlay->small, overlay->small->FontSize, ImVec2(roundf(x + width), roundf(at.y + drop)), dim,
                      rates[i].unit);
        const float unit = overlay->small->CalcTextSizeA(overlay->small->FontSize, 1e6f, 0, rates[i].unit).x;
        need_up_to(overlay, x + width + unit - ImGui::GetWindowPos().x);
        end = x + width + unit + em(overlay, 0.8f);
    }
    ImGui::Dummy(ImVec2(1, overlay->bold->FontSize));
}

/* The level of the costliest stage of this label, or "". */
const char *level_of_span(const Viewer *viewer, const char *name) {
    const char *level = "";
    double max = -1;
    for (size_t i = 0; viewer->pipeline && i < pipeline_stage_count(viewer->pipeline); i++) {
        const Stage *stage = pipeline_stage(viewer->pipeline, i);
        if (strcmp(stage->label, name) == 0 && stage_cost(stage).flops > max) {
            max = stage_cost(stage).flops;
            level = pipeline_level(viewer->pipeline, i)->name;
        }
    }
    return level;
}

void span_rows(Overlay *overlay, const Viewer *viewer) {
    double longest = 1e-6;
    float names = 0, levels = 0, times = 0;
    char ms[32];
    for (size_t i = 0; i < viewer->span_count; i++) {
        const SpanHistory *span = &viewer->spans[i];
        const double median = history_median(&span->history);
        format_ms(median, ms, sizeof ms);
        longest = fmax(longest, median);
        names = fmaxf(names, ImGui::CalcTextSize(span->name).x);
        levels = fmaxf(levels, ImGui::CalcTextSize(span->stage ? level_of_span(viewer, span->name) : "").x);
        times = fmaxf(times, ImGui::CalcTextSize(ms).x);
    }
    names = column(overlay, 6.0f, names);
    levels = column(overlay, 5.2f, levels);
    times = column(overlay, 5.0f, times);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, em(overlay, 0.12f)));
    for (size_t i = 0; i < viewer->span_count; i++) {
        const SpanHistory *span = &viewer->spans[i];
        const double median = history_median(&span->history);
        format_ms(median, ms, sizeof ms);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float line = ImGui::GetTextLineHeight(), left = at.x + names + levels;
        const float room = ImGui::GetContentRegionAvail().x - names - levels - times;
        const float length = fmaxf(1, room * (float)(median / longest));
        ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(left, at.y + line * 0.3f),
                                                  ImVec2(left + length, at.y + line * 0.75f),
                                                  span->stage ? accent : rgba(255, 255, 255, 70), em(overlay, 0.15f));
        text(span->stage ? ink : dim, "%s", span->name);
        ImGui::SameLine(ImGui::GetStyle().WindowPadding.x + names);
        text(faint, "%s", span->stage ? level_of_span(viewer, span->name) : "");
        text_right(overlay, span->stage ? ink : dim, ms);
    }
    ImGui::PopStyleVar();
}

/* The last runs as bars, newest at the right, with their median as a line. */
void graph(Overlay *overlay, const Viewer *viewer) {
    const History *history = &viewer->graph;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size(ImGui::GetContentRegionAvail().x, em(overlay, 3.2f));
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y), rgba(255, 255, 255, 10), em(overlay, 0.3f));
    double sorted[HISTORY_MAX];
    for (size_t age = 0; age < history->count; age++)
        sorted[age] = history_value(history, age);
    const double max =
        fmax(1.1 * quantile(sorted, history->count, 0.97), 1e-6); /* one hiccup does not flatten the rest */
    const float pitch = size.x / HISTORY_MAX, bar = fmaxf(1, pitch - fmaxf(1, roundf(pitch * 0.25f)));
    for (size_t age = 0; age < history->count; age++) {
        const float height = fmaxf(1, (float)fmin(history_value(history, age) / max, 1) * size.y);
        const float right = at.x + size.x - pitch * (float)age;
        list->AddRectFilled(ImVec2(right - bar, at.y + size.y - height), ImVec2(right, at.y + size.y),
                            age < viewer->totals.count ? accent : rgba(96, 205, 255, 90));
    }
    char label[48];
    format_ms(max, label, sizeof label);
    list->AddText(overlay->small, overlay->small->FontSize,
                  ImVec2(at.x + em(overlay, 0.35f), at.y + em(overlay, 0.15f)), dim, label);
    ImGui::Dummy(size);
}

void time_section(Overlay *overlay, const Viewer *viewer) {
    char right[64];
    const Figures figures = viewer_figures(viewer);
    const char *moving = viewer_moves(viewer) ? "moving · " : "";
    if (viewer_gathers(viewer))
        snprintf(right, sizeof right, "%sa sample of all pixels · %u of %u", moving, viewer->progressive.done,
                 viewer->samples);
    else if (viewer->totals.count < 3)
        snprintf(right, sizeof right, "%s%s%zu run%s", moving, viewer->measuring ? "measuring · " : "",
                 viewer->totals.count, viewer->totals.count == 1 ? "" : "s");
    else
        snprintf(right, sizeof right, "%s%smedian of %zu runs", moving, viewer->measuring ? "measuring · " : "",
                 viewer->totals.count);
    heading(overlay, "TIME", viewer->totals.count > 0 ? right : nullptr);
    if (figures.ms > 0) {
        figures_row(overlay, viewer, figures);
        rates_row(overlay, figures);
        gap(overlay, 0.15f);
    }
    span_rows(overlay, viewer);
    gap(overlay, 0.15f);
    if (figures.ms > 0)
        graph(overlay, viewer);
}

/* Remembers where the panel that was built lies, and whether it will be as large again. */
void claim_area(Overlay *overlay) {
    float *height = &overlay->heights[overlay->building];
    overlay->settled &= fabsf(ImGui::GetCursorPosY() - *height) < 0.5f;
    *height = ImGui::GetCursorPosY();
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    overlay->panels[overlay->building] = {(double)at.x, (double)at.y, (double)size.x, (double)size.y};
    overlay->menu |= ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
}

void full_panel(Overlay *overlay, Viewer *viewer) {
    const float margin = em(overlay, 0.75f), width = panel_width(overlay, PANEL_LEFT);
    const float max = (float)viewer->height - 2 * margin;
    ImGui::SetNextWindowPos(ImVec2(margin, margin));
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0), ImVec2(width, max));
    ImGui::Begin("panel", nullptr, panel_flags | ImGuiWindowFlags_AlwaysAutoResize);
    overlay->building = PANEL_LEFT;
    picture_section(overlay, viewer);
    if (!viewer->in_scene)
        filter_section(overlay, viewer);
    level_section(overlay, viewer);
    time_section(overlay, viewer);
    claim_area(overlay);
    ImGui::End();
}

/* ---- the panel at the right: what the figures mean on this device ---- */

void kernel_section(Overlay *overlay, const Viewer *viewer) {
    const size_t main_stage = pipeline_main_stage(viewer->pipeline);
    const LaunchFacts *facts = pipeline_facts(viewer->pipeline, main_stage);
    if (!facts)
        return;
    heading(overlay, "KERNEL", pipeline_level(viewer->pipeline, main_stage)->name);
    fact(overlay, ink, "threads a block", "%d", facts->threads);
    fact(overlay, ink, "registers a thread", "%d", facts->registers);
    fact(overlay, ink, "shared memory a block", "%.1f KiB", (double)facts->shared_bytes / 1024);
    fact(overlay, ink, "blocks a multiprocessor", "%d", facts->blocks);
    fact(overlay, ink, "occupancy", "%.0f %%", 100 * facts->occupancy);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, high = em(overlay, 0.3f), round = em(overlay, 0.15f);
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddRectFilled(at, ImVec2(at.x + width, at.y + high), well, round);
    list->AddRectFilled(at, ImVec2(at.x + width * (float)fmin(facts->occupancy, 1), at.y + high), accent, round);
    ImGui::Dummy(ImVec2(width, high));
}

/* What it costs: the device's power now, and what a frame and a pixel come to at that. */
void power_section(Overlay *overlay, Viewer *viewer, const Figures &figures) {
    viewer_ask_power(viewer);
    const double watts = viewer->power.watts, joules = watts * figures.ms / 1e3;
    heading(overlay, "POWER", nullptr);
    if (watts <= 0 || figures.ms <= 0) {
        fact(overlay, dim, "this device", "n/a");
        return;
    }
    char pixels[32];
    format_count(figures.mpixels * 1e6 / watts, pixels, sizeof pixels);
    fact(overlay, ink, "now", "%.0f W", watts);
    fact(overlay, ink, "a frame", joules < 0.1 ? "%.2f mJ" : "%.2f J", joules < 0.1 ? joules * 1e3 : joules);
    fact(overlay, ink, "pixels a joule", "%s", pixels);
}

/* A trace's rays, by kind, and what they cost. */
void rays_section(Overlay *overlay, const Viewer *viewer, const Figures &figures) {
    static const char *const kinds[] = {"from the camera", "to lights", "mirrored, scattered"};
    const TraceStats &stats = viewer->trace_stats;
    const double all = counters_rays(&stats.counters);
    char number[48], rate[32];
    if (!viewer->in_scene || !(all > 0))
        return;
    format_count(all / fmax(figures.ms, 1e-6) * 1e3, rate, sizeof rate);
    snprintf(number, sizeof number, "%s%srays/s", viewer->trace_stats_estimated ? "≈ " : "", rate);
    heading(overlay, "RAYS", number);
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
        const double count = (double)stats.counters.counts[kind];
        format_count(count, number, sizeof number);
        format_count(count / fmax(figures.ms, 1e-6) * 1e3, rate, sizeof rate);
        if (count > 0)
            fact(overlay, ink, kinds[kind], "%s · %s/s", number, rate);
    }
    fact(overlay, ink, "each visits", "%.1f nodes", counters_per_ray(&stats.counters, COUNTER_NODES));
    fact(overlay, ink, "and is tested by", "%.1f spheres", counters_per_ray(&stats.counters, COUNTER_TESTS));
    if (viewer_gathers(viewer))
        for (int samples = 16; samples <= 256; samples *= 16) {
            char name[32];
            snprintf(name, sizeof name, "%d samples take", samples);
            format_ms(samples * figures.ms, number, sizeof number);
            fact(overlay, ink, name, "%s", number);
        }
    if (!(stats.build_ms > 0))
        return;
    format_ms(stats.build_ms, number, sizeof number);
    format_count((double)viewer->scene->count / stats.build_ms * 1e3, rate, sizeof rate);
    fact(overlay, ink, "BVH built in", "%s · %s/s", number, rate);
    format_ms(stats.refit_ms, number, sizeof number);
    fact(overlay, ink, "refitted in", "%s", number);
    format_count((double)stats.build_bytes, number, sizeof number);
    fact(overlay, ink, "its memory", "%sB", number);
}

void job_section(Overlay *overlay, const Figures &figures) {
    char bytes[32], flops[32], ratio[32];
    format_count(figures.bytes, bytes, sizeof bytes);
    format_count(figures.flops, flops, sizeof flops);
    format_rate(figures.flops / figures.bytes, ratio, sizeof ratio);
    heading(overlay, "JOB", nullptr);
    fact(overlay, ink, "must move", "%sB", bytes);
    if (!(figures.flops > 0))
        return;
    fact(overlay, ink, "arithmetic", "%sFLOP", flops);
    fact(overlay, ink, "ratio", "%s FLOP/byte", ratio);
}

/* What each backend took for this job, the current one first in colour, and what that is in times. */
void sides_section(Overlay *overlay, const Viewer *viewer) {
    double slowest = 0;
    float names = 0;
    heading(overlay, "BACKENDS", backend_count() > 1 ? "g: the other" : nullptr);
    for (const BackendTime &side : viewer->sides)
        slowest = side.level ? fmax(slowest, side.ms) : slowest;
    for (size_t i = 0; i < backend_count(); i++)
        names = fmaxf(names, ImGui::CalcTextSize(backend_at(i)->name).x);
    for (size_t i = 0; i < backend_count() && i < BACKENDS_MAX; i++) {
        const BackendTime &side = viewer->sides[i];
        const bool current = backend_at(i) == viewer->device->backend;
        char ms[32] = "–", times[32] = "";
        if (side.level) {
            format_ms(side.ms, ms, sizeof ms);
            if (slowest > 1.05 * side.ms)
                snprintf(times, sizeof times, slowest < 10 * side.ms ? "%.1f×  " : "%.0f×  ", slowest / side.ms);
        }
        text(current ? accent : dim, "%s", backend_at(i)->name);
        ImGui::SameLine(ImGui::GetStyle().WindowPadding.x + column(overlay, 3.4f, names));
        text(faint, "%s", side.level ? side.level->name : "");
        char right[80];
        snprintf(right, sizeof right, "%s%s", times, ms);
        text_right(overlay, current ? ink : dim, right);
    }
}

void route_section(Overlay *overlay, Viewer *viewer) {
    RouteRung rungs[ROUTES_MAX];
    const size_t count = present_rungs(&viewer->present, viewer->device->backend, rungs);
    char trouble[640];
    heading(overlay, "INTO THE WINDOW", count > 1 ? "o: the next" : nullptr);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, em(overlay, 0.1f)));
    for (size_t i = count; i-- > 0;) {
        char ms[32] = "";
        if (rungs[i].ms > 0)
            format_ms(rungs[i].ms, ms, sizeof ms);
        const ImVec2 at = ImGui::GetCursorPos();
        ImGui::PushID((int)i);
        const bool clicked =
            ImGui::InvisibleButton("route", ImVec2(ImGui::GetContentRegionAvail().x, ImGui::GetTextLineHeight()));
        ImGui::PopID();
        if (ImGui::IsItemHovered())
            ImGui::SetTooltip("%s%s%s", rungs[i].route->idea, rungs[i].why_not ? "\nnot here: " : "",
                              rungs[i].why_not ? rungs[i].why_not : "");
        ImGui::SetCursorPos(at);
        text(rungs[i].current ? accent : rungs[i].why_not ? faint : dim, "%s", rungs[i].route->name);
        text_right(overlay, rungs[i].current ? ink : dim, rungs[i].why_not ? "refused" : ms);
        if (clicked)
            report(viewer, viewer_set_route(viewer, rungs[i].route->name));
    }
    ImGui::PopStyleVar();
    viewer_route_trouble(viewer, trouble, sizeof trouble);
    if (trouble[0]) {
        ImGui::PushFont(overlay->small);
        wrapped(warm, trouble);
        ImGui::PopFont();
    }
}

/* False if there is nothing to tell, or no room. */
bool facts_panel(Overlay *overlay, Viewer *viewer) {
    const Figures figures = viewer_figures(viewer);
    const float margin = em(overlay, 0.75f), width = panel_width(overlay, PANEL_RIGHT);
    const float left =
        (float)viewer->width - panel_width(overlay, PANEL_LEFT) - width - 4 * margin; /* for the picture */
    if (!viewer->facts || !(figures.ms > 0) || left < 0.4f * (float)viewer->width)
        return false;
    ImGui::SetNextWindowPos(ImVec2((float)viewer->width - margin, margin), 0, ImVec2(1, 0));
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0), ImVec2(width, (float)viewer->height - em(overlay, 3.6f)));
    ImGui::Begin("facts", nullptr, panel_flags | ImGuiWindowFlags_AlwaysAutoResize);
    overlay->building = PANEL_RIGHT;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ImGui::GetStyle().ItemSpacing.x, em(overlay, 0.2f)));
    kernel_section(overlay, viewer);
    job_section(overlay, figures);
    rays_section(overlay, viewer, figures);
    power_section(overlay, viewer, figures);
    roofline_section(overlay, viewer, figures);
    sides_section(overlay, viewer);
    route_section(overlay, viewer);
    ImGui::PopStyleVar();
    claim_area(overlay);
    ImGui::End();
    return true;
}

/* The strip of levels on one line. */
void level_strip(Overlay *overlay, Viewer *viewer) {
    LadderRow rungs[RUNGS_MAX];
    const size_t count = viewer_rungs(viewer, rungs);
    ImDrawList *list = ImGui::GetWindowDrawList();
    for (size_t i = 0; i < count; i++) {
        char label[64];
        snprintf(label, sizeof label, "%d %s", rungs[i].number, rungs[i].level->name);
        ImFont *font = rungs[i].current ? overlay->bold : overlay->regular;
        const ImVec2 size = font->CalcTextSizeA(font->FontSize, 1e6f, 0, label);
        const ImVec2 pad(em(overlay, 0.4f), em(overlay, 0.15f));
        if (i > 0)
            ImGui::SameLine(0, em(overlay, 0.2f));
        else
            ImGui::SetCursorPosX(ImGui::GetCursorPosX() - (rungs[i].current ? 0 : pad.x));
        const ImVec2 at = ImGui::GetCursorScreenPos(), end(at.x + size.x + 2 * pad.x, at.y + size.y + 2 * pad.y);
        ImGui::PushID((int)i);
        if (ImGui::InvisibleButton("level", ImVec2(end.x - at.x, end.y - at.y)))
            report(viewer, viewer_set_level(viewer, rungs[i].level->name));
        ImGui::PopID();
        if (rungs[i].current)
            list->AddRectFilled(at, end, accent, em(overlay, 0.25f));
        list->AddText(font, font->FontSize, ImVec2(at.x + pad.x, at.y + pad.y),
                      rungs[i].current   ? rgba(10, 26, 36)
                      : rungs[i].why_not ? faint
                                         : dim,
                      label);
        if (ImGui::IsItemHovered())
            ImGui::SetTooltip("%s%s%s", rungs[i].level->idea, rungs[i].why_not ? "\nnot here: " : "",
                              rungs[i].why_not ? rungs[i].why_not : "");
    }
}

void compact_panel(Overlay *overlay, Viewer *viewer) {
    const float margin = em(overlay, 0.75f);
    char chain[256], shape[96], ms[32], speedup[64], copies[32], rate[32];
    const Figures figures = viewer_figures(viewer);
    const Level *level = viewer_level(viewer);
    ImGui::SetNextWindowPos(ImVec2(margin, margin));
    ImGui::Begin("strip", nullptr, panel_flags | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoScrollbar);
    overlay->building = PANEL_LEFT;
    ImGui::PushFont(overlay->bold);
    ImGui::TextUnformatted(base_name(viewer_title(viewer)));
    ImGui::PopFont();
    format_shape(viewer, shape, sizeof shape);
    ImGui::SameLine(0, em(overlay, 0.8f));
    text(dim, "%s", shape);
    if (!viewer->in_scene) {
        chain_format(viewer->chain, chain, sizeof chain);
        ImGui::SameLine(0, em(overlay, 0.8f));
        ImGui::PushFont(overlay->mono);
        text(accent, "%s", chain[0] ? chain : "no filter");
        ImGui::PopFont();
    }
    if (level) {
        ImGui::PushFont(overlay->bold);
        format_ms(figures.ms, ms, sizeof ms);
        text(ink, "%s", ms);
        ImGui::PopFont();
        format_speedup(viewer, figures, speedup, sizeof speedup);
        format_copies(figures, copies, sizeof copies);
        format_rate(figures.mpixels, rate, sizeof rate);
        ImGui::SameLine(0, em(overlay, 0.8f));
        text(accent, "%s", speedup);
        ImGui::SameLine(0, em(overlay, 0.8f));
        text(dim, "%s   %s Mpixel/s", copies, rate);
        level_strip(overlay, viewer);
        text(dim, "%s", level->idea);
    }
    claim_area(overlay);
    ImGui::End();
}

/* ---- over the picture ---- */

/* A pill with a word in it; `x` is its middle. */
void pill(const Overlay *overlay, float x, float y, ImU32 tint, const char *words) {
    ImDrawList *list = ImGui::GetForegroundDrawList();
    const ImVec2 size = overlay->regular->CalcTextSizeA(overlay->regular->FontSize, 1e6f, 0, words);
    const float pad = em(overlay, 0.6f), high = em(overlay, 0.25f);
    const ImVec2 from(roundf(x - size.x / 2 - pad), roundf(y)),
        to(roundf(x + size.x / 2 + pad), roundf(y + size.y + 2 * high));
    list->AddRectFilled(from, to, glass, (to.y - from.y) / 2);
    list->AddRect(from, to, edge, (to.y - from.y) / 2);
    list->AddText(overlay->regular, overlay->regular->FontSize, ImVec2(from.x + pad, from.y + high), tint, words);
}

void split_handle(const Overlay *overlay, const Viewer *viewer) {
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    const float x = roundf((float)(viewer->split * viewer->width)), y = (float)viewer->height / 2;
    const float radius = em(overlay, 0.9f), arrow = em(overlay, 0.32f), line = fmaxf(1, roundf(overlay->scale));
    list->AddRectFilled(ImVec2(x - 2 * line, 0), ImVec2(x + 2 * line, (float)viewer->height), rgba(0, 0, 0, 90));
    list->AddRectFilled(ImVec2(x - line, 0), ImVec2(x + line, (float)viewer->height), rgba(255, 255, 255, 235));
    list->AddCircleFilled(ImVec2(x, y), radius + line, rgba(0, 0, 0, 110), 48);
    list->AddCircleFilled(ImVec2(x, y), radius, rgba(255, 255, 255, 245), 48);
    for (float side = -1; side <= 1; side += 2)
        list->AddTriangleFilled(ImVec2(x + side * arrow * 0.6f, y - arrow), ImVec2(x + side * arrow * 1.9f, y),
                                ImVec2(x + side * arrow * 0.6f, y + arrow), rgba(30, 34, 42));
    const float top = (float)viewer->height - em(overlay, 5.2f);
    pill(overlay, x - em(overlay, 3.4f), top, ink, "before");
    pill(overlay, x + em(overlay, 3.2f), top, accent, "after");
}

void format_pixel(ImageView view, size_t x, size_t y, char *buffer, size_t size) {
    size_t length = 0;
    buffer[0] = '\0';
    for (int c = 0; c < view.shape.channels && length < size; c++)
        length += (size_t)snprintf(buffer + length, size - length, view.shape.type == PIXEL_F32 ? "%s%.4f" : "%s%.0f",
                                   c ? " " : "", view_value(view, x, y, c));
}

/* The pixel under the pointer and the zoom, at the bottom right. */
void readout(const Overlay *overlay, const Viewer *viewer) {
    char before[96] = "", after[96] = "", words[320];
    size_t x, y;
    const Shape shape = viewer_shown_shape(viewer), picture = viewer_shape(viewer);
    const Viewport viewport = viewer_viewport(viewer);
    double values[4]; /* room for any pixel */
    ImageView pixel = {viewer->on_device ? pipeline_result_shape(viewer->pipeline) : Shape{}, sizeof values, values};
    pixel.shape.width = pixel.shape.height = 1;
    if (!viewer->on_device)
        return;
    if (on_panel(overlay, viewer->pointer_x, viewer->pointer_y) ||
        !viewport_pixel(viewport, viewer->pointer_x, viewer->pointer_y, shape.width, shape.height, &x, &y)) {
        if (viewer->in_scene)
            snprintf(words, sizeof words, viewer->orbit_camera.orbits ? "%.4g units away" : "%.3g units a pixel",
                     (double)(viewer->orbit_camera.orbits ? viewer->orbit_camera.distance
                                                          : viewer->orbit_camera.camera.unit));
        else
            snprintf(words, sizeof words, "%.0f %%", viewport.scale * 100);
    } else {
        if (viewer_pixel(viewer, x, y, pixel))
            format_pixel(pixel, 0, 0, after, sizeof after);
        if (!viewer->in_scene && picture.width == shape.width && picture.height == shape.height)
            format_pixel(viewer->picture->view, x, y, before, sizeof before);
        snprintf(words, sizeof words, "%zu, %zu    %s%s%s    %.0f %%", x, y, before, before[0] ? "  →  " : "", after,
                 viewport.scale * 100);
    }
    const float width = overlay->regular->CalcTextSizeA(overlay->regular->FontSize, 1e6f, 0, words).x;
    pill(overlay, (float)viewer->width - em(overlay, 1.35f) - width / 2, (float)viewer->height - em(overlay, 2.3f), ink,
         words);
}

/* What is shown, at the bottom left, where the pixels alone do not say so; without panels, only what makes them other
 * than they are. */
void description(const Overlay *overlay, const Viewer *viewer) {
    char words[160];
    if (viewer_describe(viewer, viewer->overlay != OVERLAY_OFF, words, sizeof words) == 0)
        return;
    const float width = overlay->regular->CalcTextSizeA(overlay->regular->FontSize, 1e6f, 0, words).x;
    const bool narrow = width + em(overlay, 16.0f) > (float)viewer->area.width; /* next to the pixel's value */
    pill(overlay, (float)viewer->area.x + em(overlay, 1.35f) + width / 2,
         (float)viewer->height - em(overlay, narrow ? 4.3f : 2.3f), ink, words);
}

void toast(const Overlay *overlay, const Viewer *viewer) {
    const Toast *said = &viewer->toast;
    if (said->text[0] == '\0' || clock_ms() > said->until)
        return;
    ImDrawList *list = ImGui::GetForegroundDrawList();
    const Area area = viewer->area;
    const float pad = em(overlay, 0.9f), wrap = fminf((float)area.width - 3 * pad, em(overlay, 44.0f));
    const ImVec2 size = overlay->regular->CalcTextSizeA(overlay->regular->FontSize, 1e6f, wrap, said->text);
    const float middle = (float)(area.x + area.width / 2), bottom = (float)viewer->height - em(overlay, 3.2f);
    const ImVec2 from(roundf(middle - size.x / 2 - pad), roundf(bottom - size.y - 1.4f * pad));
    const ImVec2 to(roundf(middle + size.x / 2 + pad), roundf(bottom));
    const float rounding = em(overlay, 0.5f), stripe = em(overlay, 0.28f);
    list->AddRectFilled(from, to, solid_glass, rounding);
    list->AddRectFilled(from, ImVec2(from.x + stripe, to.y), said->error ? bad : accent, rounding,
                        ImDrawFlags_RoundCornersLeft);
    list->AddRect(from, to, edge, rounding);
    list->AddText(overlay->regular, overlay->regular->FontSize, ImVec2(from.x + pad, roundf(from.y + 0.7f * pad)), ink,
                  said->text, nullptr, wrap);
}

/* ---- typing a chain ---- */

/* The line with its caret at the end, and below it what is wrong with it so far, or what one may type. */
void entry_box(Overlay *overlay, const Viewer *viewer) {
    const Area area = viewer->area;
    const float width = fminf((float)area.width - em(overlay, 2.0f), em(overlay, 44.0f));
    ImGui::SetNextWindowPos(ImVec2(roundf((float)(area.x + area.width / 2) - width / 2), em(overlay, 0.75f)));
    ImGui::SetNextWindowSize(ImVec2(width, 0));
    ImGui::PushStyleColor(ImGuiCol_WindowBg, solid_glass);
    ImGui::Begin("entry", nullptr, panel_flags | ImGuiWindowFlags_AlwaysAutoResize);
    const bool good = viewer_check_entry(viewer) == STATUS_OK;
    ImGui::PushFont(overlay->mono);
    ImGui::PushTextWrapPos(0);
    ImGui::Text("%.*s▏%s", (int)viewer->caret, viewer->entry, viewer->entry + viewer->caret);
    ImGui::PopTextWrapPos();
    ImGui::PopFont();
    wrapped(good ? dim : warm, good ? "Return takes this, Esc leaves what was there" : status_message());
    ImGui::End();
    ImGui::PopStyleColor();
}

} // namespace

/* ---- the C interface ---- */

Status overlay_create(Overlay **overlay) {
    Overlay *made = *overlay = new (std::nothrow) Overlay();
    if (!made)
        return fail(STATUS_DEVICE, "no memory for the overlay");
    made->context = ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().LogFilename = nullptr;
    if (!ImGui_ImplOpenGL3_Init("#version 330 core")) {
        ImGui::DestroyContext(made->context);
        delete made;
        *overlay = nullptr;
        return fail(STATUS_DEVICE, "OpenGL: the overlay cannot be drawn");
    }
    return STATUS_OK;
}

void overlay_destroy(Overlay **overlay) {
    if (!*overlay)
        return;
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext((*overlay)->context);
    delete *overlay;
    *overlay = nullptr;
}

bool overlay_build(Overlay *overlay, Viewer *viewer, const OverlayInput *input) {
    ImGuiIO &io = ImGui::GetIO();
    io.DisplaySize = ImVec2((float)viewer->width, (float)viewer->height);
    io.DeltaTime = (float)fmax(input->seconds, 1e-4);
    io.MousePos = input->x < 0 ? ImVec2(-FLT_MAX, -FLT_MAX) : ImVec2((float)input->x, (float)input->y);
    for (int i = 0; i < OVERLAY_BUTTONS; i++)
        io.MouseDown[i] = input->buttons[i] || input->clicked[i];
    io.MouseWheel = (float)input->wheel;
    fit_scale(overlay, (float)viewer->scale);
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    const float margin = em(overlay, 0.75f);
    overlay->panels[PANEL_LEFT] = overlay->panels[PANEL_RIGHT] = {};
    overlay->close = overlay->menu && !viewer->menu;
    overlay->menu = false;
    overlay->settled = true;
    overlay->slider_count = 0;
    Area area = {0, 0, (double)viewer->width, (double)viewer->height};
    if (viewer->overlay == OVERLAY_FULL) {
        full_panel(overlay, viewer);
        const double taken = (double)(panel_width(overlay, PANEL_LEFT) + 2 * margin);
        if (taken < area.width * taken_maximum) {
            area.x = taken;
            area.width -= taken;
        }
        if (facts_panel(overlay, viewer))
            area.width -= (double)(panel_width(overlay, PANEL_RIGHT) + 2 * margin);
    } else if (viewer->overlay == OVERLAY_COMPACT) {
        compact_panel(overlay, viewer);
    }
    viewer_set_area(viewer, area);
    if (viewer->compare == COMPARE_SPLIT && !viewer->in_scene)
        split_handle(overlay, viewer);
    if (viewer->overlay != OVERLAY_OFF && !viewer->help)
        readout(overlay, viewer);
    if (!viewer->help)
        description(overlay, viewer);
    if (viewer->typing)
        entry_box(overlay, viewer);
    if (viewer->help)
        help_page(overlay, viewer);
    toast(overlay, viewer);
    ImGui::Render();
    viewer->menu = overlay->menu;
    overlay->all = overlay->menu || viewer->help || ImGui::IsAnyItemActive();
    return overlay->settled;
}

void overlay_draw(Overlay *overlay) {
    (void)overlay;
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

Area overlay_slider(const Overlay *overlay, const char *param) {
    for (size_t i = 0; i < overlay->slider_count; i++)
        if (strcmp(overlay->sliders[i].param, param) == 0)
            return overlay->sliders[i].area;
    return {};
}

bool overlay_takes(const Overlay *overlay, double x, double y) {
    return overlay->all || on_panel(overlay, x, y);
}
