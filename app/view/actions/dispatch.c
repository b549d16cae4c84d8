/* dispatch.c: from keys, menus and lines of scripts to actions. */
#include "app/view/actions/dispatch.h"

#include "app/view/actions/keymap.h"
#include "app/view/tools/every_tool.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { ACTION_NAME_MAX = 64 };

const char *action_label(const Action *action, char *buffer, size_t size) {
    snprintf(buffer, size, "%s", action->name);
    for (char *at = buffer; *at; at++)
        *at = *at == '-' ? ' ' : *at;
    return buffer;
}

bool action_is_here(const Viewer *viewer, const Action *action) {
    return action->place == ANYWHERE || (SubjectPlace)action->place == viewer_kind(viewer)->place;
}

const char *action_keys(const Viewer *viewer, const Action *action) {
    return keymap_keys(viewer->ui->keymap, action);
}

/* The place of the key among words that blanks separate: from 0, or -1. A press asks this of each action. */
static int place_of_key(const char *words, const char *key) {
    const size_t wanted = strlen(key);
    int place = 0;
    for (const char *at = words; *at; place++) {
        const char *word = at;
        while (*at && *at != ' ')
            at++;
        if ((size_t)(at - word) == wanted && (wanted == 1 ? *word == *key : strncasecmp(word, key, wanted) == 0))
            return place;
        while (*at == ' ')
            at++;
    }
    return -1;
}

static bool has_key(const Viewer *viewer, const Action *action, const char *key) {
    return place_of_key(action_keys(viewer, action), key) >= 0;
}

const Action *action_for_key(const Viewer *viewer, const char *key) {
    const Action *found = NULL;
    for (size_t i = 0; i < action_count; i++)
        if (action_is_here(viewer, &actions[i]) && has_key(viewer, &actions[i], key) &&
            (!found || found->place == ANYWHERE))
            found = &actions[i];
    return found;
}

const char *action_keys_here(const Viewer *viewer, const Action *action, char buffer[ACTION_KEYS]) {
    char key[ACTION_KEYS];
    buffer[0] = '\0';
    for (const char *at = action_keys(viewer, action); *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " "), used = strlen(buffer);
        snprintf(key, sizeof key, "%.*s", (int)length, at);
        if (!action_is_here(viewer, action) || action_for_key(viewer, key) == action)
            snprintf(buffer + used, ACTION_KEYS - used, "%s%s", used > 0 ? " " : "", key);
        at += length;
    }
    return buffer;
}

Status action_run(Viewer *viewer, const Action *action, Call call) {
    if (viewer->observer)
        viewer->observer->before(viewer);
    TRY(action->run(viewer, call));
    if (viewer->observer) /* maybe since then */
        viewer->observer->after(viewer, action, &call);
    return STATUS_OK;
}

/* Hands that give no argument are asked for it. */
static Status perform(Viewer *viewer, const Action *action, const char *text, bool held) {
    if (action->argument && !text) {
        viewer_begin_entry(viewer, action);
        return STATUS_OK;
    }
    const bool off = (action->flags & ACTION_HELD) && action->on && action->on(viewer); /* menus cannot be held */
    return action_run(viewer, action, (Call){.step = action->step, .text = text, .pressed = !off, .held = held});
}

/* Some keys say which: their argument is the word at the same place. */
static Status press(Viewer *viewer, const Action *action, const char *key) {
    char word[ACTION_NAME_MAX];
    const char *at = action->texts;
    int place = place_of_key(action_keys(viewer, action), key);
    for (; at && *at && place > 0; place--) {
        at += strcspn(at, " ");
        at += strspn(at, " ");
    }
    if (at)
        snprintf(word, sizeof word, "%.*s", (int)strcspn(at, " "), at);
    return perform(viewer, action, at && *at ? word : NULL, true);
}

/* Keys that scroll a page over the window, and by how many pages down. */
static const struct {
    const char *key;
    double pages;
} scroll_keys[] = {{"PageDown", 0.9}, {"PageUp", -0.9}, {"Down", 0.1}, {"Up", -0.1}, {"End", 1e3}, {"Home", -1e3}};

static bool scrolls(Viewer *viewer, const char *key) {
    for (size_t i = 0; viewer_has_page(viewer) && i < sizeof scroll_keys / sizeof scroll_keys[0]; i++)
        if (strcasecmp(key, scroll_keys[i].key) == 0) {
            viewer->scroll += scroll_keys[i].pages;
            return true;
        }
    return false;
}

/* Steps that keys move the slider under the pointer by. */
static const struct {
    const char *key;
    int steps;
} slider_keys[] = {{"Right", 1},       {"Up", 1},       {"Left", -1},       {"Down", -1},
                   {"Ctrl+Right", 10}, {"Ctrl+Up", 10}, {"Ctrl+Left", -10}, {"Ctrl+Down", -10}};

static int slider_steps(const Viewer *viewer, const char *key) {
    const size_t link = viewer->ui->hovered.link;
    for (size_t i = 0; i < sizeof slider_keys / sizeof slider_keys[0]; i++)
        if (viewer->ui->hovered.param && link < viewer->request->chain->count &&
            strcasecmp(key, slider_keys[i].key) == 0)
            return slider_keys[i].steps;
    return 0;
}

bool action_knows_key(const Viewer *viewer, const char *key) {
    return viewer->typing || slider_steps(viewer, key) != 0 || action_for_key(viewer, key);
}

static bool is_on(const Viewer *viewer, const Action *action) {
    return !action->on || action->on(viewer);
}

/* The action that a key has carried out while it was held, wherever keys go by now. */
static const Action *held_by(const Viewer *viewer, const char *key) {
    for (size_t i = 0; i < action_count; i++)
        if ((actions[i].flags & ACTION_HELD) && is_on(viewer, &actions[i]) && has_key(viewer, &actions[i], key))
            return &actions[i];
    return NULL;
}

bool action_lets_go(const Viewer *viewer, const char *key) {
    return held_by(viewer, key) != NULL;
}

static Status let_go(Viewer *viewer, const char *key) {
    const Action *action = held_by(viewer, key);
    return action ? action_run(viewer, action, (Call){.step = action->step}) : STATUS_OK;
}

Status action_press(Viewer *viewer, const char *key, bool pressed) {
    const Action *action = action_for_key(viewer, key);
    if (!pressed)
        return let_go(viewer, key);
    if (viewer->typing && !(action && (action->flags & ACTION_TYPING)))
        return viewer_type_key(viewer, key);
    if (viewer->menu && !(action && (action->flags & ACTION_CLOSES)))
        return STATUS_OK;
    if (scrolls(viewer, key))
        return STATUS_OK;
    const int steps = slider_steps(viewer, key);
    if (steps != 0)
        return viewer_step_param(viewer, viewer->ui->hovered.link, viewer->ui->hovered.param, steps);
    if (!action)
        return fail(STATUS_USAGE, "key %s does nothing here; h shows all keys", key);
    return press(viewer, action, key);
}

Status action_command(Viewer *viewer, const char *line, bool strict) {
    char name[ACTION_NAME_MAX];
    const size_t length = strcspn(line, " \t");
    snprintf(name, sizeof name, "%.*s", (int)length, line);
    const char *text = line + length + strspn(line + length, " \t");
    const Action *action = action_by_name(name);
    if (!action)
        return fail(STATUS_USAGE, "no action \"%s\"; `glint view --help` lists them", name);
    if (!action->argument && *text)
        return fail(STATUS_USAGE, "%s takes nothing behind it", name);
    if (!action_is_here(viewer, action))
        return fail(STATUS_USAGE, "%s is for %s", name, action->place == IN_SCENES ? "scenes" : "pictures");
    if (!strict)
        return perform(viewer, action, *text ? text : NULL, false);
    if (action->argument && !*text && !argument_is_optional(action->argument))
        return fail(STATUS_USAGE, "want %s %s", name, action->argument->name);
    const Call call = {.step = action->step, .text = action->argument ? text : NULL, .pressed = true, .strict = true};
    return action_run(viewer, action, call);
}

static int hex_digit(char character) {
    static const char digits[] = "0123456789abcdef";
    const char *at = character ? strchr(digits, tolower((unsigned char)character)) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* "file://host/a%20b" is "/a b"; any text but a file's URL stays as it is. */
static void decode_url(char *text) {
    static const char scheme[] = "file://";
    char *to = text;
    if (strncasecmp(text, scheme, sizeof scheme - 1) != 0)
        return;
    for (const char *at = text + sizeof scheme - 1 + strcspn(text + sizeof scheme - 1, "/"); *at; at++) {
        const int high = *at == '%' ? hex_digit(at[1]) : -1, low = high >= 0 ? hex_digit(at[2]) : -1;
        const bool escaped = low >= 0 && high + low > 0;
        *to++ = escaped ? (char)(16 * high + low) : *at;
        at += escaped ? 2 : 0;
    }
    *to = '\0';
}

/* Whether it is an address on the web, as browsers give; glint fetches none. */
static bool is_address(const char *path) {
    return strncasecmp(path, "http://", 7) == 0 || strncasecmp(path, "https://", 8) == 0;
}

/* Lines of a list that begin with '#' are remarks (RFC 2483). */
Status action_open_list(Viewer *viewer, const char *list, const char *between) {
    char *copy = strdup(list), *rest = NULL;
    char **paths = malloc((strlen(list) / 2 + 1) * sizeof *paths);
    size_t count = 0;
    Status status = copy && paths ? STATUS_OK : fail(STATUS_DEVICE, "no memory for the list of files");
    for (char *path = copy && paths ? strtok_r(copy, between, &rest) : NULL; path;
         path = strtok_r(NULL, between, &rest)) {
        decode_url(path);
        if (*path != '#')
            paths[count++] = path;
        if (is_address(path) && status == STATUS_OK)
            status = fail(STATUS_USAGE, "%s: an address; want a file or a folder", path);
    }
    if (status == STATUS_OK)
        status = count > 0 ? viewer_open_all(viewer, paths, count) : fail(STATUS_USAGE, "there is nothing to open");
    free(paths);
    free(copy);
    return status;
}

Status action_paste(Viewer *viewer, const char *text) {
    text += strspn(text, " \t\r\n");
    if (!viewer->typing)
        return *text ? action_open_list(viewer, text, "\r\n")
                     : fail(STATUS_USAGE, "nothing was copied that can be opened");
    char line[ENTRY_MAX];
    snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\r\n"), text);
    decode_url(line);
    for (const char *at = line; *at; at++)
        TRY(viewer_type(viewer, *at));
    return STATUS_OK;
}

/* A slider asks for its action at every draw: within a movement the last request takes the place of those before. */
static Asked *place_to_ask(Viewer *viewer, const char *line, unsigned movement) {
    Interface *ui = viewer->ui;
    Asked *last = ui->asked_count > 0 ? &ui->asked[ui->asked_count - 1] : NULL;
    const size_t length = strcspn(line, " ");
    if (last && movement > 0 && last->movement == movement && strcspn(last->line, " ") == length &&
        strncmp(last->line, line, length) == 0)
        return last;
    return ui->asked_count < ASKED_MAX ? &ui->asked[ui->asked_count++] : NULL;
}

void action_ask_line(Viewer *viewer, const char *line) {
    const unsigned movement = viewer->held ? viewer->movement : 0;
    Asked *asked = place_to_ask(viewer, line, movement);
    if (!asked) {
        viewer_say(viewer, true, "%.*s: too much is waiting to be done", (int)strcspn(line, " "), line);
        return;
    }
    snprintf(asked->line, sizeof asked->line, "%s", line);
    asked->movement = movement;
}

void action_ask(Viewer *viewer, const Action *action, const char *text) {
    char line[ASKED_LENGTH];
    snprintf(line, sizeof line, "%s%s%s", action->name, text ? " " : "", text ? text : "");
    action_ask_line(viewer, line);
}

Status action_do_asked(Viewer *viewer) {
    Interface *ui = viewer->ui;
    char line[ASKED_LENGTH];
    if (ui->asked_count == 0)
        return STATUS_OK;
    memcpy(line, ui->asked[0].line, sizeof line);
    memmove(ui->asked, ui->asked + 1, --ui->asked_count * sizeof ui->asked[0]);
    return action_command(viewer, line, false);
}
