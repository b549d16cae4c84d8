/* entry.c: typing a chain or a border: the text, its caret, and the keys that edit it. */
#include "app/view/viewer.h"

#include <string.h>
#include <strings.h>

enum { BACKSPACE = 8, TAB = 9, RETURN = 13, ESCAPE = 27, DELETE = 127 };

static size_t format_chain(const Viewer *viewer, char *buffer, size_t size) {
    return chain_format(viewer->request.chain, buffer, size);
}
static size_t format_border(const Viewer *viewer, char *buffer, size_t size) {
    return strlen(border_format(viewer->request.options.border, buffer, size));
}
static Status check_chain(const char *text) {
    Chain *parsed;
    TRY(chain_parse(text, &parsed));
    chain_destroy(&parsed);
    return STATUS_OK;
}
static Status check_border(const char *text) {
    Border parsed;
    return border_parse(text, &parsed);
}
static Status take_chain(Viewer *viewer, const char *text) {
    return viewer_set_chain(viewer, text, FALLBACK_BEST);
}
static Status take_border(Viewer *viewer, const char *text) {
    Border parsed;
    TRY(border_parse(text, &parsed));
    return viewer_set_border(viewer, parsed, FALLBACK_BEST);
}

static const struct {
    size_t (*format)(const Viewer *viewer, char *buffer, size_t size);
    Status (*check)(const char *text);
    Status (*take)(Viewer *viewer, const char *text);
} entries[ENTRIES] = {
    [ENTRY_CHAIN] = {format_chain, check_chain, take_chain},
    [ENTRY_BORDER] = {format_border, check_border, take_border},
};

void viewer_begin_entry(Viewer *viewer, Entry kind) {
    const size_t length = entries[kind].format(viewer, viewer->entry, sizeof viewer->entry);
    if (length >= sizeof viewer->entry) { /* a part of a mask is another mask */
        viewer_say(viewer, true,
                   "there are %zu characters to type in, want at most %zu; a mask may be in a file: file=PATH", length,
                   sizeof viewer->entry - 1);
        return;
    }
    viewer->typing = true;
    viewer->entry_kind = kind;
    viewer->caret = strlen(viewer->entry);
}

Status viewer_check_entry(const Viewer *viewer) {
    return entries[viewer->entry_kind].check(viewer->entry);
}

static void insert(Viewer *viewer, char character) {
    char *at = viewer->entry + viewer->caret;
    if (strlen(viewer->entry) + 1 >= sizeof viewer->entry)
        return;
    memmove(at + 1, at, strlen(at) + 1);
    *at = character;
    viewer->caret++;
}

static void erase(Viewer *viewer, size_t place) {
    char *at = viewer->entry + place;
    memmove(at, at + 1, strlen(at));
    viewer->caret = place;
}

Status viewer_type(Viewer *viewer, char character) {
    if (character == RETURN)
        TRY(entries[viewer->entry_kind].take(viewer, viewer->entry));
    if (character == RETURN || character == ESCAPE)
        viewer->typing = false;
    else if (character == DELETE && viewer->entry[viewer->caret] != '\0')
        erase(viewer, viewer->caret);
    else if ((character == BACKSPACE || character == DELETE) && viewer->caret > 0)
        erase(viewer, viewer->caret - 1);
    else if (character >= ' ' && character < DELETE)
        insert(viewer, character);
    return STATUS_OK;
}

/* Keys with names that stand for a character. */
static const struct {
    const char *key;
    char character;
} characters[] = {{"Space", ' '},           {"Tab", TAB},      {"Return", RETURN}, {"Esc", ESCAPE},
                  {"Backspace", BACKSPACE}, {"Delete", DELETE}};

Status viewer_type_key(Viewer *viewer, const char *key) {
    const size_t length = strlen(viewer->entry);
    if (key[0] != '\0' && key[1] == '\0')
        return viewer_type(viewer, key[0]);
    for (size_t i = 0; i < sizeof characters / sizeof characters[0]; i++)
        if (strcasecmp(key, characters[i].key) == 0)
            return viewer_type(viewer, characters[i].character);
    if (strcasecmp(key, "Left") == 0)
        viewer->caret -= viewer->caret > 0;
    else if (strcasecmp(key, "Right") == 0)
        viewer->caret += viewer->caret < length;
    else if (strcasecmp(key, "Home") == 0)
        viewer->caret = 0;
    else if (strcasecmp(key, "End") == 0)
        viewer->caret = length;
    return STATUS_OK;
}
