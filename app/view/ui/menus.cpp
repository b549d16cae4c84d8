/* menus.cpp: rows of menus. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/view/ui/icons.hpp"
#include "app/view/ui/menus.hpp"

namespace {

constexpr float bar_ems = 0.7f;                      /* between menus of the bar, twice */
constexpr float spacing_ems = 0.9f;                  /* between names and keys */
constexpr float icon_ems = 0.85f, gutter_ems = 1.3f; /* icons stand in a gutter before the names */
const char *const folded_name = "Menu";

/* Blanks as wide as the gutter. */
int gutter_blanks(const Overlay *overlay) {
    return (int)ceilf(em(overlay, gutter_ems) / fmaxf(ImGui::CalcTextSize(" ").x, 1));
}

/* "Next level" behind the gutter, and three dots where a box asks for more. */
void title(const Overlay *overlay, const Action &action, char *buffer, size_t size) {
    char label[64];
    action_label(&action, label, sizeof label);
    const bool asks = action.argument && !action.argument->listed;
    snprintf(buffer, size, "%*s%c%s%s", gutter_blanks(overlay), "", toupper((unsigned char)label[0]), label + 1,
             asks ? "…" : "");
}

/* In the gutter of the row that comes next. */
void row_icon(const Overlay *overlay, const char *name, bool can) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float side = em(overlay, icon_ems);
    draw_icon(ImGui::GetWindowDrawList(), name, ImVec2(at.x, roundf(at.y + (ImGui::GetFontSize() - side) / 2)), side,
              can ? dim : faint);
}

/* Beside the menu, not on its rows. */
void help_of(const char *words) {
    const ImVec2 at = ImGui::GetWindowPos();
    if (!words || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
        return;
    ImGui::SetNextWindowPos(ImVec2(at.x + ImGui::GetWindowWidth() + ImGui::GetStyle().ItemSpacing.x / 2,
                                   ImGui::GetItemRectMin().y - ImGui::GetStyle().WindowPadding.y));
    say_tip("%s", words);
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

/* A row with its keys at the right, in letters that are told apart: I, l, 1. The menu leaves room for them. */
bool key_item(const Overlay *overlay, const char *name, const char *keys, bool on, bool can) {
    const ImFont *mono = overlay->mono;
    const float more = width_of(mono, keys) - ImGui::CalcTextSize(keys).x; /* room for wider letters, as blanks */
    const int blanks = more > 0 ? (int)ceilf(more / fmaxf(ImGui::CalcTextSize(" ").x, 1)) : 0;
    char wide[2 * ACTION_KEYS];
    snprintf(wide, sizeof wide, "%s%*s", keys, blanks, "");
    ImGui::PushStyleColor(ImGuiCol_TextDisabled, 0);
    const bool picked = ImGui::MenuItem(name, wide, on, can);
    ImGui::PopStyleColor();
    const float right = ImGui::GetItemRectMax().x - 1.5f * ImGui::GetFontSize(); /* of the tick, with a gap */
    const float y = ImGui::GetItemRectMin().y + overlay->regular->Ascent - mono->Ascent;
    ImGui::GetWindowDrawList()->AddText(mono, mono->FontSize, ImVec2(roundf(right - width_of(mono, keys)), roundf(y)),
                                        can ? dim : faint, keys);
    return picked;
}

void action_row(const Overlay *overlay, Viewer *viewer, const Action &action) {
    char name[80], keys[ACTION_KEYS];
    const bool can = action_can(viewer, &action);
    title(overlay, action, name, sizeof name);
    row_icon(overlay, action.name, can);
    action_keys_here(viewer, &action, keys);
    keys[action.texts ? 0 : strcspn(keys, " ")] = '\0';
    ImGui::PushID(action.name);
    if (action.argument && action.argument->listed && action.argument != &argument_command) {
        const bool open =
            ImGui::BeginMenu(name, can && !overlay->close); /* the pointer opens no menu that Esc closes */
        help_of(action.help);
        if (open) {
            close_menu(overlay);
            value_rows(viewer, action);
            ImGui::EndMenu();
        }
    } else {
        if (key_item(overlay, name, keys, action_is_on(viewer, &action), can))
            action_ask(viewer, &action, nullptr);
        help_of(action.help);
    }
    ImGui::PopID();
}

/* The rows that a menu has, from all tables; a line stands above those that want one, and between tables. */
void rows_of_menu(const Overlay *overlay, Viewer *viewer, const char *name) {
    bool rule = false, first = true;
    for (size_t m = 0; m < action_table.count; m++, rule = true) {
        const Menu *menu = action_table.menus[m];
        for (size_t i = 0; i < menu->count; i++) {
            const Action &action = menu->actions[i];
            if (strcmp(action_menu(menu, &action), name) != 0)
                continue;
            rule |= (action.flags & ACTION_RULE) != 0;
            if ((action.flags & ACTION_RARE) || !action_is_of_mode(viewer, &action))
                continue;
            if (rule && !first)
                ImGui::Separator();
            rule = first = false;
            action_row(overlay, viewer, action);
        }
    }
}

/* Whether a menu has rows in this mode: Levels is one of Speed alone. */
bool is_of_mode(const Viewer *viewer, const char *name) {
    bool has = false;
    for (size_t m = 0; m < action_table.count; m++)
        for (size_t i = 0; i < action_table.menus[m]->count; i++) {
            const Action &action = action_table.menus[m]->actions[i];
            has |= strcmp(action_menu(action_table.menus[m], &action), name) == 0 && action_is_of_mode(viewer, &action);
        }
    return has;
}

} // namespace

void menu_of_flag(const Overlay *overlay, Viewer *viewer, unsigned flag) {
    const Menu *before = nullptr;
    for (size_t m = 0; m < action_table.count; m++) {
        const Menu *menu = action_table.menus[m];
        for (size_t i = 0; i < menu->count; i++) {
            if (!(menu->actions[i].flags & flag) || !action_is_here(viewer, &menu->actions[i]) ||
                !action_is_of_mode(viewer, &menu->actions[i]))
                continue;
            if (before && before != menu)
                ImGui::Separator();
            before = menu;
            action_row(overlay, viewer, menu->actions[i]);
        }
    }
}

/* The menus as rows; in the bar they stand side by side. */
static void rows_of_all(const Overlay *overlay, Viewer *viewer, int blanks) {
    for (const char *name : menu_names) {
        char label[40];
        if (!is_of_mode(viewer, name))
            continue;
        snprintf(label, sizeof label, "%*s%s", blanks, "", name);
        if (ImGui::BeginMenu(label)) {
            close_menu(overlay);
            rows_of_menu(overlay, viewer, name);
            ImGui::EndMenu();
        }
    }
}

static void push_spacing(const Overlay *overlay, float ems) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(em(overlay, ems), ImGui::GetStyle().ItemSpacing.y));
}

void menus_of_all(const Overlay *overlay, Viewer *viewer) {
    push_spacing(overlay, spacing_ems);
    rows_of_all(overlay, viewer, gutter_blanks(overlay));
    ImGui::PopStyleVar();
}

void bar_menus(const Overlay *overlay, Viewer *viewer, bool folded) {
    push_spacing(overlay, bar_ems);
    if (!folded) {
        rows_of_all(overlay, viewer, 0);
    } else if (ImGui::BeginMenu(folded_name)) {
        close_menu(overlay);
        rows_of_all(overlay, viewer, 0);
        ImGui::EndMenu();
    }
    ImGui::PopStyleVar();
}

/* Dear ImGui has a spacing at both sides of each name. */
float bar_menus_width(const Overlay *overlay, const Viewer *viewer, bool folded) {
    const float around = 2 * em(overlay, bar_ems);
    float width = ImGui::GetStyle().WindowPadding.x;
    for (const char *name : menu_names)
        width += folded || !is_of_mode(viewer, name) ? 0 : ImGui::CalcTextSize(name).x + around;
    return width + (folded ? ImGui::CalcTextSize(folded_name).x + around : 0);
}
