/* saved_state.h: the window's own state between two runs, as a text: files that were opened last, and values by name.
 * Owns the format: "glint state 1", then lines KEY = VALUE; "recent" stands once for each file, the last one first.
 * Lines that make no sense are passed over; keys that this version does not know stay. */
#ifndef GLINT_APP_VIEW_DATA_SAVED_STATE_H
#define GLINT_APP_VIEW_DATA_SAVED_STATE_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { RECENT_MAX = 10, SAVED_MAX = 32, SAVED_KEY = 32, SAVED_VALUE = 64 };

typedef struct SavedValue {
    char key[SAVED_KEY], value[SAVED_VALUE];
} SavedValue;

typedef struct SavedState {
    SavedValue values[SAVED_MAX];
    size_t value_count;
    char *recent[RECENT_MAX]; /* paths, owned */
    size_t recent_count;
} SavedState;

/* Adds what the text has to the state: files behind those that are there. STATUS_INPUT for a text of another kind, or
 * of a newer version. */
Status saved_state_parse(const char *text, SavedState *state);
/* Free with free; NULL if memory is short. */
char *saved_state_format(const SavedState *state);
void saved_state_free(SavedState *state); /* zeroes it */

const char *saved_state_value(const SavedState *state, const char *key); /* NULL if there is none */
/* Sets or adds a value; none that is too long, has a line's end, or has no room. */
void saved_state_set(SavedState *state, const char *key, const char *value);
/* Puts a file first, or last if it is not there yet. Beyond RECENT_MAX the last one goes. A path that a line cannot
 * hold is left out. */
void saved_state_put_recent(SavedState *state, const char *path, bool first);
void saved_state_drop_recent(SavedState *state, size_t index);

#endif
