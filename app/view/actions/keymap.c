/* keymap.c: reading files of keys. */
#include "app/view/actions/keymap.h"

#include "app/view/data/key_names.h"
#include "core/base/file.h"
#include "core/base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { KEYS_MAX = 128 };

typedef struct Keys {
    char text[KEYS_MAX];
    int line; /* of the file; 0: the table's */
} Keys;

struct Keymap {
    ActionTable table;
    Keys keys[]; /* by the action's place there */
};

/* As key_names.c calls them. */
static const char *const names[] = {"F1",   "F2",  "F3",     "F4",     "F5",    "F6",  "F7",   "F8",     "F9",
                                    "F10",  "F11", "F12",    "Left",   "Right", "Up",  "Down", "PageUp", "PageDown",
                                    "Home", "End", "Insert", "Delete", "Space", "Esc", "Tab",  "Return", "Backspace"};
static const char *const modifiers[] = {"Ctrl+Shift+", "Ctrl+"};

static Status check_key(const char *key) {
    const char *plain = key, *close = NULL;
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < sizeof modifiers / sizeof modifiers[0]; i++)
        if (plain == key && strncasecmp(key, modifiers[i], strlen(modifiers[i])) == 0)
            plain = key + strlen(modifiers[i]);
    if (plain[0] > ' ' && plain[0] < 127 && plain[1] == '\0')
        return STATUS_OK;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcasecmp(plain, names[i]) == 0)
            return STATUS_OK;
        if (text_closer(plain, strlen(plain), names[i], &best))
            close = names[i];
    }
    if (close)
        return fail(STATUS_USAGE, "no key \"%s\"; did you mean \"%s\"?", key, close);
    return fail(STATUS_USAGE, "no key \"%s\"; want a character, Ctrl+K, Space, Return, Tab, Left, PageUp, F5 ...", key);
}

/* The next of words that blanks separate; *at moves behind it. False at the end. */
static bool next_word(const char **at, char word[KEY_MAX]) {
    *at += strspn(*at, " ");
    const size_t length = strcspn(*at, " ");
    char shown[KEY_MAX];
    snprintf(shown, sizeof shown, "%.*s", (int)length, *at);
    key_of_shown(shown, word);
    *at += length;
    return length > 0;
}

static bool same_key(const char *a, const char *b) {
    return a[0] != '\0' && a[1] == '\0' ? strcmp(a, b) == 0 : strcasecmp(a, b) == 0;
}

static bool has(const char *keys, const char *wanted) {
    char key[KEY_MAX];
    while (next_word(&keys, key))
        if (same_key(key, wanted))
            return true;
    return false;
}

/* Without the key. */
static void take_away(char keys[KEYS_MAX], const char *wanted) {
    char left[KEYS_MAX] = "", key[KEY_MAX];
    for (const char *at = keys; next_word(&at, key);)
        if (!same_key(key, wanted))
            snprintf(left + strlen(left), sizeof left - strlen(left), "%s%s", left[0] ? " " : "", key);
    memcpy(keys, left, sizeof left);
}

static Status no_such_action(ActionTable table, const char *name) {
    size_t best = SIZE_MAX;
    const Action *close = action_closest(table, name, strlen(name), &best);
    return close ? fail(STATUS_USAGE, "no action \"%s\"; did you mean \"%s\"?", name, close->name)
                 : fail(STATUS_USAGE, "no action \"%s\"; `glint view --list-actions` prints them", name);
}

static bool of_speed(const Action *action) {
    return (action->flags & ACTION_OF_SPEED) != 0;
}

/* Gives an action its keys and takes them from the actions that have them by the table. An action of pictures, of
 * scenes or of Speed alone takes nothing from one of anywhere: that one keeps the key elsewhere. */
static Status give(Keymap *keymap, const Action *action, const char *keys, int line) {
    Keys *own = &keymap->keys[action_place(keymap->table, action)];
    const Action *from;
    char key[KEY_MAX];
    if (own->line > 0)
        return fail(STATUS_USAGE, "%s has keys already, on line %d", action->name, own->line);
    own->line = line;
    own->text[0] = '\0';
    for (const char *at = keys; next_word(&at, key);) {
        TRY(check_key(key));
        for (size_t i = 0; (from = action_at(keymap->table, i)); i++) {
            Keys *other = &keymap->keys[i];
            const bool same = from->place == action->place && of_speed(from) == of_speed(action);
            const bool wider =
                (action->place == ANYWHERE || action->place == from->place) && (!of_speed(action) || of_speed(from));
            if (from == action || !has(other->text, key))
                continue;
            if (same && other->line > 0)
                return fail(STATUS_USAGE, "%s is the key of %s already, on line %d", key, from->name, other->line);
            if (wider && other->line == 0)
                take_away(other->text, key);
        }
        if (strlen(own->text) + strlen(key) + 2 > sizeof own->text)
            return fail(STATUS_USAGE, "%s has too many keys", action->name);
        snprintf(own->text + strlen(own->text), sizeof own->text - strlen(own->text), "%s%s", own->text[0] ? " " : "",
                 key);
    }
    return STATUS_OK;
}

/* One line, which is taken apart in place. */
static Status parse_line(Keymap *keymap, char *line, int number) {
    for (char *at = line; *at; at++)
        if (*at == '\t' || *at == '\r')
            *at = ' ';
    for (char *at = line; (at = strchr(at, '#')); at++)
        if (at == line || at[-1] == ' ') {
            *at = '\0';
            break;
        }
    char *name = line + strspn(line, " ");
    if (!*name)
        return STATUS_OK;
    char *sign = strstr(name, "=");
    if (!sign)
        return fail(STATUS_USAGE, "want ACTION = KEY KEY, as in next-level = Up k");
    *sign = '\0';
    for (char *end = sign; end > name && end[-1] == ' ';)
        *--end = '\0';
    const Action *action = action_named(keymap->table, name);
    return action ? give(keymap, action, sign + 1, number) : no_such_action(keymap->table, name);
}

Status keymap_parse(ActionTable table, const char *text, const char *name, Keymap **keymap) {
    Keymap *made = *keymap = calloc(1, sizeof *made + action_count(table) * sizeof made->keys[0]);
    char *copy = strdup(text);
    if (!made || !copy) {
        free(copy);
        keymap_close(keymap);
        return fail(STATUS_DEVICE, "%s: no memory for the keys", name);
    }
    made->table = table;
    Status status = STATUS_OK;
    const Action *action;
    for (size_t i = 0; (action = action_at(table, i)); i++)
        snprintf(made->keys[i].text, KEYS_MAX, "%s", action->keys);
    int number = 1;
    for (char *line = copy; status == STATUS_OK && line; number++) {
        char *next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        status = parse_line(made, line, number);
        if (status != STATUS_OK)
            status = fail_within(status, "%s:%d: ", name, number);
        line = next;
    }
    free(copy);
    if (status != STATUS_OK)
        keymap_close(keymap);
    return status;
}

Status keymap_open(ActionTable table, const char *path, Keymap **keymap) {
    char *found = path ? NULL : file_config_path("keys"), *text = NULL;
    const char *from = path ? path : found;
    Status status = STATUS_OK;
    *keymap = NULL;
    if (from && (path || access(from, F_OK) == 0)) {
        status = file_read_text(from, &text);
        if (status == STATUS_OK)
            status = keymap_parse(table, text, from, keymap);
        else if (strncmp(status_message(), from, strlen(from)) != 0)
            status = fail_within(status, "%s: ", from);
    }
    free(text);
    free(found);
    return status;
}

void keymap_close(Keymap **keymap) {
    free(*keymap);
    *keymap = NULL;
}

const char *keymap_keys(const Keymap *keymap, const Action *action) {
    return keymap ? keymap->keys[action_place(keymap->table, action)].text : action->keys;
}
