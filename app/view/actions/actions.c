/* actions.c: the table of menus, and the actions found there. */
#include "app/view/actions/menus/menus.h"
#include "core/base/text.h"

#include <stdint.h>
#include <string.h>

static const Menu *const menus[] = {&file_menu,  &exports_menu, &quitting_menu, &edit_menu,
                                    &strip_menu, &view_menu,    &scene_menu,    &cameras_menu,
                                    &look_menu,  &levels_menu,  &kernels_menu,  &help_menu};
const char *const menu_names[MENUS] = {"File", "Edit", "Filter", "View", "Compare", "Levels", "Scene", "Help"};
const ActionTable action_table = {menus, sizeof menus / sizeof menus[0]};

const Action *action_at(ActionTable table, size_t place) {
    for (size_t i = 0; i < table.count; i++) {
        if (place < table.menus[i]->count)
            return &table.menus[i]->actions[place];
        place -= table.menus[i]->count;
    }
    return NULL;
}

size_t action_place(ActionTable table, const Action *action) {
    size_t before = 0;
    for (size_t i = 0; i < table.count; i++) {
        const Menu *menu = table.menus[i];
        const uintptr_t from = (uintptr_t)menu->actions, at = (uintptr_t)action;
        if (at >= from && at < from + menu->count * sizeof *action)
            return before + (at - from) / sizeof *action;
        before += menu->count;
    }
    return before;
}

size_t action_count(ActionTable table) {
    return action_place(table, NULL);
}

const Action *action_named(ActionTable table, const char *name) {
    const Action *action;
    for (size_t i = 0; (action = action_at(table, i)); i++)
        if (strcmp(action->name, name) == 0)
            return action;
    return NULL;
}

const Action *action_by_name(const char *name) {
    return action_named(action_table, name);
}

const Action *action_closest(ActionTable table, const char *name, size_t length, size_t *best) {
    const Action *action, *close = NULL;
    for (size_t i = 0; (action = action_at(table, i)); i++)
        if (text_closer(name, length, action->name, best))
            close = action;
    return close;
}
