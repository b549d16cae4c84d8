/* dispatch.c: from keys, menus and lines of scripts to actions. */
#include "app/view/actions/dispatch.h"

#include "app/view/actions/keymap.h"
#include "app/view/actions/menus/menus.h"
#include "app/view/actions/question.h"
#include "app/view/data/key_names.h"
#include "app/view/tools/every_tool.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { ACTION_NAME_MAX = 64 };

const char *action_label(const Action *action, char *buffer, size_t size) {
    snprintf(buffer, size, "%s", action->label ? action->label : action->name);
    for (char *at = buffer; *at && !action->label; at++)
        *at = *at == '-' ? ' ' : *at;
    return buffer;
}

bool action_is_here(const Viewer *viewer, const Action *action) {
    const bool scene = viewer_kind(viewer)->place == SUBJECT_SCENE;
    return action->place == ANYWHERE || (action->place == IN_SCENES) == scene;
}

bool action_is_of_mode(const Viewer *viewer, const Action *action) {
    return !(action->flags & ACTION_OF_SPEED) || viewer_shows_speed(viewer);
}

bool action_can(const Viewer *viewer, const Action *action) {
    return action_is_here(viewer, action) && (!action->can || action->can(viewer));
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

/* The word at a place, from 0; false if there are fewer. */
static bool word_at(const char *words, int place, char *word, size_t size) {
    for (; *words && place > 0; place--) {
        words += strcspn(words, " ");
        words += strspn(words, " ");
    }
    snprintf(word, size, "%.*s", (int)strcspn(words, " "), words);
    return *words;
}

static bool has_key(const Viewer *viewer, const Action *action, const char *key) {
    return place_of_key(action_keys(viewer, action), key) >= 0;
}

/* The narrower one of two actions has their key. */
static int narrowness(const Action *action) {
    return (action->flags & ACTION_OF_SPEED ? 2 : 0) + (action->place == ANYWHERE ? 0 : 1);
}

/* The action of a key here, in this mode or the other one; NULL: there is none. */
static const Action *find_by_key(const Viewer *viewer, const char *key, bool of_mode) {
    const Action *action, *found = NULL;
    for (size_t i = 0; (action = action_at(action_table, i)); i++)
        if (action_is_here(viewer, action) && action_is_of_mode(viewer, action) == of_mode &&
            has_key(viewer, action, key) && (!found || narrowness(found) < narrowness(action)))
            found = action;
    return found;
}

const Action *action_for_key(const Viewer *viewer, const char *key) {
    return find_by_key(viewer, key, true);
}

const char *action_keys_here(const Viewer *viewer, const Action *action, char buffer[ACTION_KEYS]) {
    char key[ACTION_KEYS], shown[KEY_MAX];
    buffer[0] = '\0';
    for (const char *at = action_keys(viewer, action); *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " "), used = strlen(buffer);
        snprintf(key, sizeof key, "%.*s", (int)length, at);
        if (!action_is_here(viewer, action) || action_for_key(viewer, key) == action)
            snprintf(buffer + used, ACTION_KEYS - used, "%s%s", used > 0 ? " " : "", key_shown(key, length, shown));
        at += length;
    }
    return buffer;
}

const char *action_key_of_text(const Viewer *viewer, const Action *action, const char *text, char buffer[ACTION_KEYS]) {
    const int place = action->texts ? place_of_key(action->texts, text) : -1;
    if (place < 0 || !word_at(action_keys(viewer, action), place, buffer, ACTION_KEYS) ||
        action_for_key(viewer, buffer) != action)
        buffer[0] = '\0';
    return buffer;
}

const char *action_key_here(const Viewer *viewer, const Action *action, char buffer[ACTION_KEYS]) {
    action_keys_here(viewer, action, buffer);
    buffer[strcspn(buffer, " ")] = '\0';
    return buffer;
}

/* ---- carrying out ---- */

static char *member_at(const Viewer *viewer, Member member) {
    const void *const owners[] = {
        [MEMBER_OF_VIEWER] = viewer, [MEMBER_OF_INTERFACE] = viewer->ui, [MEMBER_OF_REQUESTS] = viewer->requests};
    return (char *)(uintptr_t)owners[member.of] + member.at;
}

bool action_is_on(const Viewer *viewer, const Action *action) {
    if (!action->toggle.of)
        return action->on && action->on(viewer);
    const char *at = member_at(viewer, action->toggle);
    return action->step == 0 ? *(const bool *)at : *(const Compare *)at == (Compare)action->step;
}

Status action_reveal(Viewer *viewer, bool open, OverlayMode least) {
    viewer->overlay = open && viewer->overlay < least ? least : viewer->overlay;
    viewer->column_asked |= open && least == OVERLAY_FULL;
    return STATUS_OK;
}

/* The work of the row's function, if it has one. */
static Status do_work(Viewer *viewer, const Action *action, Call call) {
    if (action->act)
        return action->act(viewer);
    if (action->take)
        return action->take(viewer, call.text);
    return action->run ? action->run(viewer, call) : STATUS_OK;
}

static void flip(Viewer *viewer, const Action *action, Call call) {
    const bool on = (action->flags & ACTION_HELD) ? call.pressed : !action_is_on(viewer, action);
    char *at = member_at(viewer, action->toggle);
    if (action->step == 0)
        *(bool *)at = on;
    else
        *(Compare *)at = on ? (Compare)action->step : COMPARE_NONE;
}

static Status carry_out(Viewer *viewer, const Action *action, Call call) {
    TRY(do_work(viewer, action, call));
    if (action->toggle.of)
        flip(viewer, action, call);
    if (action->asks.of)
        *(bool *)member_at(viewer, action->asks) = true;
    const bool on = action->asks.of || action_is_on(viewer, action);
    if ((action->flags & ACTION_OF_SPEED) && call.pressed)
        viewer->mode = MODE_SPEED;
    action_reveal(viewer, on, action->reveals);
    if (action->says[!on])
        viewer_say(viewer, false, "%s", action->says[!on]);
    return STATUS_OK;
}

Status action_run(Viewer *viewer, const Action *action, Call call) {
    if (viewer->observer)
        viewer->observer->before(viewer);
    TRY(carry_out(viewer, action, call));
    if (viewer->observer) /* maybe since then */
        viewer->observer->after(viewer, action, &call);
    return STATUS_OK;
}

Status action_by_hand(Viewer *viewer, const Action *action, Call call) {
    return action->doubts && action->doubts(viewer, action, call.text) ? STATUS_OK : action_run(viewer, action, call);
}

/* Hands that give no argument are asked for it. */
static Status perform(Viewer *viewer, const Action *action, const char *text, bool held) {
    if (action->argument && !text) {
        viewer_begin_entry(viewer, action);
        return STATUS_OK;
    }
    const bool off = (action->flags & ACTION_HELD) && action_is_on(viewer, action); /* menus cannot be held */
    return action_by_hand(viewer, action, (Call){.step = action->step, .text = text, .pressed = !off, .held = held});
}

/* Some keys say which: their argument is the word at the same place. */
static Status press(Viewer *viewer, const Action *action, const char *key) {
    char word[ACTION_NAME_MAX];
    const char *at = action->texts;
    const bool says = at && word_at(at, place_of_key(action_keys(viewer, action), key), word, sizeof word);
    return perform(viewer, action, says ? word : NULL, true);
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

/* Letters on the page of keys search it. The key that opened the page closes it, as long as no other is typed. */
static bool searches(Viewer *viewer, const Action *action, const char *key) {
    char *wanted = viewer->ui->help_wanted;
    const size_t length = strlen(wanted);
    const bool letter = (key[0] > ' ' && key[1] == '\0') || (strcasecmp(key, "Space") == 0 && length > 0);
    if (!viewer->help || (length == 0 && action && strcmp(action->name, "help") == 0))
        return false;
    if (letter && length + 1 < sizeof viewer->ui->help_wanted)
        snprintf(wanted + length, 2, "%c", key[1] ? ' ' : key[0]);
    else if (strcasecmp(key, "Backspace") == 0 && length > 0)
        wanted[length - 1] = '\0';
    else if (strcasecmp(key, "Esc") == 0 && length > 0)
        wanted[0] = '\0';
    else
        return letter;
    viewer->scroll = -1e3;
    return true;
}

/* Steps that keys move the slider by that has the focus, unless the tour asks for the key's action. */
static const struct {
    const char *key;
    int steps;
} slider_keys[] = {{"Right", 1},       {"Up", 1},       {"Left", -1},       {"Down", -1},
                   {"Ctrl+Right", 10}, {"Ctrl+Up", 10}, {"Ctrl+Left", -10}, {"Ctrl+Down", -10}};

/* Whether the tour's step asks for this action, which may be NULL. */
static bool tour_asks_for(const Viewer *viewer, const Action *action) {
    const Tour *tour = &viewer->ui->tour;
    const size_t length = action ? strlen(action->name) : 0;
    const char *at = tour->on && action ? strstr(tour->actions, action->name) : NULL;
    return at && (at == tour->actions || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0');
}

static int slider_steps(const Viewer *viewer, const char *key) {
    const FocusedSlider slider = viewer->ui->focused;
    if (tour_asks_for(viewer, action_for_key(viewer, key)))
        return 0;
    for (size_t i = 0; i < sizeof slider_keys / sizeof slider_keys[0]; i++)
        if (strcasecmp(key, slider_keys[i].key) == 0 && viewer_has_param(viewer, slider.link, slider.param))
            return slider_keys[i].steps;
    return 0;
}

bool action_knows_key(const Viewer *viewer, const char *key) {
    return viewer->typing || question_open(viewer) || viewer->help || slider_steps(viewer, key) != 0 ||
           action_for_key(viewer, key) || find_by_key(viewer, key, false);
}

/* A key that has no action here; one of the mode Speed says where it has one. */
static Status refuse_key(const Viewer *viewer, const char *key) {
    char label[ACTION_NAME_MAX], shows[ACTION_KEYS], shown[KEY_MAX];
    const Action *other = find_by_key(viewer, key, false);
    key_shown(key, strlen(key), shown);
    if (!other)
        return fail(STATUS_USAGE, "key %s does nothing here; h shows all keys", shown);
    action_keys_here(viewer, action_by_name("speed"), shows);
    return fail(STATUS_USAGE, "%s (%s) is a key of the mode Speed, which %s shows", shown,
                action_label(other, label, sizeof label), shows[0] ? shows : "the bar");
}

/* The action that a key has carried out while it was held, wherever keys go by now. One without a toggle knows itself
 * whether it is held. */
static const Action *held_by(const Viewer *viewer, const char *key) {
    const Action *action;
    for (size_t i = 0; (action = action_at(action_table, i)); i++)
        if ((action->flags & ACTION_HELD) && (!action->toggle.of || action_is_on(viewer, action)) &&
            has_key(viewer, action, key))
            return action;
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
    const char *other = tools_action(viewer, key);
    const Action *action = other ? action_by_name(other) : action_for_key(viewer, key);
    if (!pressed)
        return let_go(viewer, key);
    if (question_open(viewer) && !(action && (action->flags & ACTION_TYPING)))
        return question_key(viewer, key);
    if (viewer->typing && !(action && (action->flags & ACTION_TYPING)))
        return viewer_type_key(viewer, key);
    if (viewer->menu && !(action && (action->flags & ACTION_CLOSES)))
        return STATUS_OK;
    if (searches(viewer, action, key) || scrolls(viewer, key))
        return STATUS_OK;
    const int steps = slider_steps(viewer, key);
    if (steps != 0)
        return viewer_step_param(viewer, viewer->ui->focused.link, viewer->ui->focused.param, steps);
    if (!action)
        return refuse_key(viewer, key);
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
