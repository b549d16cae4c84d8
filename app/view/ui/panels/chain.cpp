/* chain.cpp: the stack of filters with their parameters, a menu to add one, the border. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "app/view/ui/controls.hpp"
#include "app/view/ui/panels/panel.hpp"
#include "app/view/ui/param_rows.hpp"

extern "C" {
#include "app/view/actions/dispatch.h"
#include "app/view/data/labels.h"
#include "app/view/tools/formula.h"
}

namespace {

/* An edit of a link, carried out once all rows are built. */
struct LinkEdit {
    Status (*edit)(Viewer *viewer, size_t link); /* nullptr: nothing, or a move */
    size_t link, to;                             /* of a move */
    bool moves;
};

const struct {
    const char *words;
    Status (*edit)(Viewer *viewer, size_t link);
} link_menu[] = {
    {"duplicate", viewer_duplicate_link},
    {"reset", viewer_reset_link},
    {"on or off", viewer_toggle_link},
    {"remove", viewer_remove_link},
};

/* A dot that is full where the filter is on. */
void switch_dot(Overlay *overlay, bool on, size_t link, LinkEdit *due) {
    const float size = ImGui::GetFrameHeight(), radius = em(overlay, 0.3f);
    const ImVec2 at = ImGui::GetCursorScreenPos(), middle(at.x + radius, at.y + size / 2);
    if (ImGui::InvisibleButton("switch", ImVec2(em(overlay, 1.0f), size)))
        *due = {viewer_toggle_link, link, 0, false};
    const ImU32 tint = ImGui::IsItemHovered() ? ink : on ? accent : dim;
    if (ImGui::IsItemHovered())
        say_tip(on ? "switch this filter off" : "switch this filter on");
    if (on)
        ImGui::GetWindowDrawList()->AddCircleFilled(middle, radius, tint, 24);
    else
        ImGui::GetWindowDrawList()->AddCircle(middle, radius, tint, 24, em(overlay, 0.1f));
    ImGui::SameLine(0, em(overlay, 0.2f));
}

/* Links are dragged by their names onto others, whose place they take. */
void drag_name(const char *name, size_t link, LinkEdit *due) {
    if (ImGui::BeginDragDropSource(ImGuiDragDropFlags_SourceAllowNullID)) {
        ImGui::SetDragDropPayload("link", &link, sizeof link);
        ImGui::TextUnformatted(name);
        ImGui::EndDragDropSource();
    }
    if (ImGui::BeginDragDropTarget()) {
        if (const ImGuiPayload *payload = ImGui::AcceptDragDropPayload("link"))
            *due = {nullptr, *static_cast<const size_t *>(payload->Data), link, true};
        ImGui::EndDragDropTarget();
    }
}

void menu_of_link(Overlay *overlay, size_t link, size_t count, LinkEdit *due) {
    if (!ImGui::BeginPopup("link menu"))
        return;
    close_menu(overlay);
    for (const auto &row : link_menu)
        if (ImGui::Selectable(row.words))
            *due = {row.edit, link, 0, false};
    if (link > 0 && ImGui::Selectable("earlier"))
        *due = {nullptr, link, link - 1, true};
    if (link + 1 < count && ImGui::Selectable("later"))
        *due = {nullptr, link, link + 1, true};
    ImGui::EndPopup();
}

/* Draws the selected filter's handles on the picture. */
void handles_chip(const Overlay *overlay, Viewer *viewer) {
    const Action *action = action_by_name("handles");
    char keys[ACTION_KEYS];
    if (icon_chip(overlay, "handles", handles_on(viewer)))
        action_ask(viewer, action, nullptr);
    if (ImGui::IsItemHovered())
        say_keys(overlay, action->help, action_keys_here(viewer, action, keys));
    ImGui::SameLine(0, 0);
}

/* The name that chains have, behind the title, where there is room before the buttons. */
void chain_name(const Overlay *overlay, const char *name, ImVec2 title, float until) {
    char label[LABEL_MAX];
    const char *chained = name_with_title(name);
    const float x = title.x + width_of(overlay->bold, title_of_filter(name, label)) + em(overlay, 0.5f);
    const float y = roundf(title.y + (ImGui::GetFrameHeight() - overlay->bold->FontSize) / 2 + overlay->bold->Ascent -
                           overlay->small->Ascent);
    if (x + width_of(overlay->small, chained) <= until)
        ImGui::GetWindowDrawList()->AddText(overlay->small, overlay->small->FontSize, ImVec2(x, y), dim, chained);
}

/* The title, with its switch before it, and behind it the buttons that open the menu and that remove the filter. */
void link_head(Overlay *overlay, Viewer *viewer, size_t link, LinkEdit *due) {
    const Chain *chain = viewer->request->chain;
    const char *name = chain->links[link].filter->name;
    char title[LABEL_MAX];
    const size_t misfit = viewer->session->misfit;
    const bool on = !chain->links[link].off, carried = on && !(misfit > 0 && link >= misfit),
               selected = chain->count > 1 && viewer_selected(viewer) == link;
    const bool handled = viewer_selected(viewer) == link && on && handles_kind(viewer) != HANDLES_NONE;
    const float button = ImGui::GetFrameHeight(), right = ImGui::GetWindowContentRegionMax().x;
    const float left = right - (handled ? 3 : 2) * button;
    switch_dot(overlay, on, link, due);
    ImGui::PushFont(overlay->bold);
    ImGui::PushStyleColor(ImGuiCol_Text, link + 1 == misfit ? bad : !carried ? dim : selected ? accent : ink);
    ImGui::PushStyleColor(ImGuiCol_Header, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_SelectableTextAlign, ImVec2(0, 0.5f));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (ImGui::Selectable(title_of_filter(name, title), false, 0, ImVec2(left - ImGui::GetCursorPosX(), button)))
        viewer->selected = link;
    ImGui::PopStyleVar();
    ImGui::PopStyleColor(2);
    ImGui::PopFont();
    drag_name(title, link, due);
    chain_name(overlay, name, at, ImGui::GetItemRectMax().x);
    ImGui::SameLine(left);
    if (handled)
        handles_chip(overlay, viewer);
    if (icon_chip(overlay, "more", false))
        ImGui::OpenPopup("link menu");
    ImGui::SameLine(right - button);
    if (icon_chip(overlay, "remove", false))
        *due = {viewer_remove_link, link, 0, false};
    menu_of_link(overlay, link, chain->count, due);
}

Status act_everywhere(Viewer *viewer, size_t link) {
    return viewer_confine(viewer, link, nullptr);
}

/* The place where the filter acts, to be typed, and behind it a button that has it act everywhere. */
void place_row(Overlay *overlay, Viewer *viewer, size_t link, float left, LinkEdit *due) {
    const Param &param = chain_place.params[0];
    const char *within = chain_within(&viewer->request->chain->links[link]);
    const float button = ImGui::GetFrameHeight();
    ImGui::PushID("place");
    row_name("place", param.name, param.help, left);
    if (ImGui::Button(base_name(within), ImVec2(ImGui::GetContentRegionAvail().x - button - em(overlay, 0.2f), 0))) {
        viewer->selected = link;
        viewer_begin_entry(viewer, action_by_name("confine"));
        viewer_set_entry(viewer, within);
    }
    ImGui::SameLine(0, em(overlay, 0.2f));
    if (icon_chip(overlay, "remove", false))
        *due = {act_everywhere, link, 0, false};
    ImGui::PopID();
}

void link_rows(Overlay *overlay, Viewer *viewer, size_t link, LinkEdit *due) {
    const ChainLink *of = &viewer->request->chain->links[link];
    const ParamTable table = of->filter->table;
    ImGui::PushID((int)link);
    link_head(overlay, viewer, link, due);
    if (viewer->session->misfit == link + 1)
        wrapped(bad, viewer->session->misfit_words);
    if (viewer_idle_words(viewer, of->filter))
        wrapped(warm, viewer_idle_words(viewer, of->filter));
    char label[LABEL_MAX];
    float widest = 0;
    for (size_t i = 0; i < table.count; i++)
        widest = fmaxf(widest, ImGui::CalcTextSize(label_of_param(of->filter->name, table.params[i].name, label)).x);
    const float left = ImGui::GetStyle().WindowPadding.x + column(overlay, 5.0f, widest);
    for (size_t i = 0; i < table.count && !of->off; i++) {
        const Param *param = &table.params[i];
        if ((param->kind != PARAM_TEXT || param_text(param, of->values) || formula_of(of) == param) &&
            formula_has_use(of, param))
            param_row(overlay, viewer, link, param, left);
        of = &viewer->request->chain->links[link]; /* the row may have put another chain in its place */
    }
    if (!of->off && chain_within(of))
        place_row(overlay, viewer, link, left, due);
    ImGui::PopID();
}

/* The value of a constant border, from black to white. */
void border_slider(Overlay *overlay, Viewer *viewer) {
    Border border = viewer->request->options.border;
    if (!borders[border.mode].takes_value)
        return;
    const double white = pixel_type_white(viewer_shape(viewer).type);
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

/* At the heading's right: filters that come and go do not move it. */
void add_chip(const Overlay *overlay, Viewer *viewer, ImVec2 at) {
    const char *words = viewer->request->chain->count ? "add a filter" : "pick a filter";
    const ImVec2 next = ImGui::GetCursorScreenPos();
    const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
    ImGui::SetCursorScreenPos(
        ImVec2(right - width_of(overlay->small, words) - em(overlay, 0.9f), at.y + em(overlay, 0.55f)));
    if (chip(overlay, words, false))
        action_ask(viewer, action_by_name("add"), nullptr);
    ImGui::SetCursorScreenPos(next);
}

/* All filters. One that a key selects or adds comes in sight; a pointer on the column finds things where they were. */
void all_link_rows(Overlay *overlay, Viewer *viewer, LinkEdit *due) {
    const size_t count = viewer->request->chain->count, selected = viewer_selected(viewer);
    const bool other = selected != overlay->seen_link || count > overlay->seen_links;
    for (size_t i = 0; i < viewer->request->chain->count; i++) {
        const float top = ImGui::GetCursorPosY();
        link_rows(overlay, viewer, i, due);
        if (other && i == selected && !ImGui::IsWindowHovered())
            scroll_to(top);
    }
    overlay->seen_link = selected;
    overlay->seen_links = count;
}

void draw(Overlay *overlay, Viewer *viewer) {
    char label[80];
    LinkEdit due = {nullptr, 0, 0, false};
    const ImVec2 top = ImGui::GetCursorScreenPos();
    const bool open = heading(overlay, "Filter", nullptr);
    add_chip(overlay, viewer, top);
    if (!open)
        return;
    all_link_rows(overlay, viewer, &due);
    if (due.edit)
        report(viewer, due.edit(viewer, due.link));
    if (due.moves)
        report(viewer, viewer_move_link(viewer, due.link, due.to));
    ImGui::SetNextItemWidth(-1);
    snprintf(label, sizeof label, "border %s", borders[viewer->request->options.border.mode].name);
    if (ImGui::BeginCombo("##border", label)) {
        close_menu(overlay);
        for (int i = 0; i < border_count; i++) {
            if (ImGui::Selectable(borders[i].name, viewer->request->options.border.mode == borders[i].mode))
                report(viewer,
                       viewer_set_border(viewer, viewer_default_border(viewer, borders[i].mode), FALLBACK_BEST));
            if (ImGui::IsItemHovered())
                say_tip("%s", borders[i].help);
        }
        ImGui::EndCombo();
    }
    border_slider(overlay, viewer);
}

} // namespace

const Panel panel_chain = {"chain", PLACE_LEFT, nullptr, draw};
