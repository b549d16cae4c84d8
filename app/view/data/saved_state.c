/* saved_state.c: reading and writing the window's state, line by line. */
#include "app/view/data/saved_state.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPENING "glint state "
#define RECENT  "recent"

enum { VERSION = 1 };

const char *saved_state_value(const SavedState *state, const char *key) {
    for (size_t i = 0; i < state->value_count; i++)
        if (strcmp(state->values[i].key, key) == 0)
            return state->values[i].value;
    return NULL;
}

static bool fits(const char *text, size_t size) {
    return strlen(text) < size && !strpbrk(text, "\r\n");
}

void saved_state_set(SavedState *state, const char *key, const char *value) {
    size_t i = 0;
    while (i < state->value_count && strcmp(state->values[i].key, key) != 0)
        i++;
    if (i == SAVED_MAX || !fits(key, SAVED_KEY) || !fits(value, SAVED_VALUE))
        return;
    SavedValue *at = &state->values[i];
    snprintf(at->key, sizeof at->key, "%s", key);
    snprintf(at->value, sizeof at->value, "%s", value);
    state->value_count += i == state->value_count;
}

void saved_state_drop_recent(SavedState *state, size_t index) {
    free(state->recent[index]);
    state->recent_count--;
    memmove(state->recent + index, state->recent + index + 1, (state->recent_count - index) * sizeof state->recent[0]);
}

void saved_state_put_recent(SavedState *state, const char *path, bool first) {
    const bool blank = isspace((unsigned char)path[0]) || !path[0] || isspace((unsigned char)path[strlen(path) - 1]);
    char *copy = blank || strpbrk(path, "\r\n") ? NULL : strdup(path);
    if (!copy)
        return;
    for (size_t i = 0; i < state->recent_count; i++) {
        if (strcmp(state->recent[i], path) != 0)
            continue;
        if (!first) {
            free(copy);
            return;
        }
        saved_state_drop_recent(state, i);
        break;
    }
    if (state->recent_count == RECENT_MAX && !first) {
        free(copy);
        return;
    }
    if (state->recent_count == RECENT_MAX)
        saved_state_drop_recent(state, RECENT_MAX - 1);
    const size_t at = first ? 0 : state->recent_count;
    memmove(state->recent + at + 1, state->recent + at, (state->recent_count - at) * sizeof state->recent[0]);
    state->recent[at] = copy;
    state->recent_count++;
}

/* Up to the blanks before `end`, in place. */
static char *trimmed(char *begin, char *end) {
    begin += strspn(begin, " \t");
    while (end > begin && strchr(" \t\r", end[-1]))
        end--;
    *end = '\0';
    return begin;
}

static void read_line(SavedState *state, char *line) {
    char *equals = strchr(line, '=');
    if (!equals || line[strspn(line, " \t")] == '#')
        return;
    const char *key = trimmed(line, equals), *value = trimmed(equals + 1, equals + 1 + strlen(equals + 1));
    if (strcmp(key, RECENT) == 0)
        saved_state_put_recent(state, value, false);
    else if (!saved_state_value(state, key))
        saved_state_set(state, key, value);
}

Status saved_state_parse(const char *text, SavedState *state) {
    char *end = NULL;
    const size_t length = strlen(OPENING);
    const long version = strncmp(text, OPENING, length) == 0 ? strtol(text + length, &end, 10) : 0;
    if (version < 1)
        return fail(STATUS_INPUT, "want \"%s%d\" in the first line: this is no state of glint", OPENING, VERSION);
    if (version > VERSION)
        return fail(STATUS_INPUT, "version %ld is of a newer glint", version);
    char *copy = strdup(end);
    if (!copy)
        return fail(STATUS_DEVICE, "no memory for the window's state");
    for (char *line = copy; line;) {
        char *next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        if (line != copy)
            read_line(state, line);
        line = next;
    }
    free(copy);
    return STATUS_OK;
}

char *saved_state_format(const SavedState *state) {
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    fprintf(stream, "%s%d\n# What glint view keeps between runs.\n", OPENING, VERSION);
    for (size_t i = 0; i < state->value_count; i++)
        fprintf(stream, "%s = %s\n", state->values[i].key, state->values[i].value);
    for (size_t i = 0; i < state->recent_count; i++)
        fprintf(stream, RECENT " = %s\n", state->recent[i]);
    const bool failed = ferror(stream) != 0;
    if (fclose(stream) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}

void saved_state_free(SavedState *state) {
    while (state->recent_count > 0)
        saved_state_drop_recent(state, state->recent_count - 1);
    *state = (SavedState){0};
}
