/* menus.cpp: rows of menus. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "app/view/ui/menus.hpp"

namespace {

constexpr float spacing_ems = 0.9f; /* between names and keys */

/* "Next level", and three dots where a box asks for more. */
void title(const Action &action, char *buffer, size_t size) {
    char label[64];
    action_label(&action, label, sizeof label);
    const bool asks = action.argument && !action.argument->listed;
    snprintf(buffer, size, "%c%s%s", toupper((unsigned char)label[0]), label + 1, asks ? "…" : "");
}

/* Beside the menu, not on its rows. */
void help_of(const char *words) {
    const ImVec2 at = ImGui::GetWindowPos();
    if (!words || !ImGui::IsItemHovered())
        return;
    ImGui::SetNextWindowPos(ImVec2(at.x + ImGui::GetWindowWidth() + ImGui::GetStyle().ItemSpacing.x / 2,
                                   ImGui::GetItemRectMin().y - ImGui::GetStyle().WindowPadding.y));
    ImGui::SetTooltip("%s", words);
}

void value_row(Viewer *viewer, const Action &action, const Choice &choice) {
    if (choice.why_not)
        ImGui::PushStyleColor(ImGuiCol_Text, faint);
    if (ImGui::MenuItem(choice.label, choice.keys[0] ? choice.keys : nullptr, choice.current))
        action_ask(viewer, &action, choice.text);
    if (choice.why_not)
        ImGui::PopStyleColor();
    help_of(choice.why_not ? choice.why_not : choice.help);
}

/* Rows for the values of an action's argument; values with a group of their own stand in its menu. */
void value_rows(Viewer *viewer, const Action &action) {
    Choices choices = {};
    if (action.argument->choose(viewer, "", &choices) == STATUS_OK)
        for (size_t i = 0; i < choices.count;) {
            const char *group = choices.list[i].group;
            const bool open = group && ImGui::BeginMenu(group);
            do {
                if (!group || open)
                    value_row(viewer, action, choices.list[i]);
                i++;
            } while (i < choices.count && group && choices.list[i].group == group);
            if (open)
                ImGui::EndMenu();
        }
    choices_clear(&choices);
}

void action_row(const Overlay *overlay, Viewer *viewer, const Action &action) {
    char name[80], keys[ACTION_KEYS];
    title(action, name, sizeof name);
    action_keys_here(viewer, &action, keys);
    keys[action.texts ? 0 : strcspn(keys, " ")] = '\0';
    ImGui::PushID(action.name);
    if (action.argument && action.argument->listed && action.argument != &argument_command) {
        const bool open = ImGui::BeginMenu(name);
        help_of(action.help);
        if (open) {
            close_menu(overlay);
            value_rows(viewer, action);
            ImGui::EndMenu();
        }
    } else {
        if (ImGui::MenuItem(name, keys, action.on && action.on(viewer)))
            action_ask(viewer, &action, nullptr);
        help_of(action.help);
    }
    ImGui::PopID();
}

bool menu_is_here(const Viewer *viewer, const char *group) {
    bool here = false;
    for (size_t i = 0; i < action_count; i++)
        here |= actions[i].group == group && action_is_here(viewer, &actions[i]);
    return here;
}

} // namespace

void menu_of_group(const Overlay *overlay, Viewer *viewer, const char *group) {
    bool rule = false, first = true;
    for (size_t i = 0; i < action_count; i++) {
        if (actions[i].group != group)
            continue;
        rule |= (actions[i].flags & ACTION_RULE) != 0;
        if (!action_is_here(viewer, &actions[i]))
            continue;
        if (rule && !first)
            ImGui::Separator();
        rule = first = false;
        action_row(overlay, viewer, actions[i]);
    }
}

void menu_of_flag(const Overlay *overlay, Viewer *viewer, unsigned flag) {
    const char *group = nullptr;
    for (size_t i = 0; i < action_count; i++) {
        if (!(actions[i].flags & flag) || !action_is_here(viewer, &actions[i]))
            continue;
        if (group && group != actions[i].group)
            ImGui::Separator();
        group = actions[i].group;
        action_row(overlay, viewer, actions[i]);
    }
}

void menus_of_all(const Overlay *overlay, Viewer *viewer) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(em(overlay, spacing_ems), ImGui::GetStyle().ItemSpacing.y));
    for (size_t i = 0; i < action_count; i++)
        if ((i == 0 || actions[i].group != actions[i - 1].group) && menu_is_here(viewer, actions[i].group) &&
            ImGui::BeginMenu(actions[i].group)) {
            close_menu(overlay);
            menu_of_group(overlay, viewer, actions[i].group);
            ImGui::EndMenu();
        }
    ImGui::PopStyleVar();
}
