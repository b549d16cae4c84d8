/* ptx_places.c: reads directives line by line. Compilers write one statement a line. */
#include "app/listing/ptx_places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"

/* A text's reading so far. */
typedef struct Reading {
    PtxPlaces *places;
    size_t function; /* the first place of this function */
    int now, own;    /* the present place; the file that the function stands in */
    int before;      /* the last place in that */
    bool failed;     /* memory was short */
} Reading;

static size_t count_lines(const char *text) {
    size_t lines = 1;
    for (; (text = strchr(text, '\n')); text++)
        lines++;
    return lines;
}

/* The place in this function, the last that is like it, or one that is added. Callers stand before it. */
static int take_place(Reading *reading, PtxPlace place, bool any_caller) {
    PtxPlaces *all = reading->places;
    for (size_t i = all->place_count; i-- > reading->function;) {
        const PtxPlace *known = &all->places[i];
        if (known->file == place.file && known->line == place.line && known->column == place.column &&
            (any_caller || known->caller == place.caller))
            return (int)i;
    }
    if (!ARRAY_ROOM(all->places, all->place_room, all->place_count + 1)) {
        reading->failed = true;
        return -1;
    }
    all->places[all->place_count] = place;
    return (int)all->place_count++;
}

/* `.loc FILE LINE COLUMN`, and of inlined code `, function_name LABEL, inlined_at FILE LINE COLUMN`. */
static void take_loc(Reading *reading, const char *text, size_t length) {
    PtxPlace place = {.caller = -1}, call = {.caller = -1};
    char line[256];
    snprintf(line, sizeof line, "%.*s", (int)length, text);
    if (sscanf(line, ".loc %d %d %d", &place.file, &place.line, &place.column) < 2 || place.line == 0)
        return; /* line 0: of no line */
    const char *inlined = strstr(line, "inlined_at");
    if (inlined && sscanf(inlined, "inlined_at %d %d %d", &call.file, &call.line, &call.column) == 3)
        place.caller = take_place(reading, call, true);
    else if (!reading->own)
        reading->own = place.file;
    reading->now = take_place(reading, place, false);
    if (place.file == reading->own)
        reading->before = reading->now;
}

/* `.file NUMBER "PATH"`, or "FOLDER" "NAME". */
static void take_file(Reading *reading, const char *text, size_t length) {
    int number = 0;
    char first[2048] = "", second[1024] = "", line[4096];
    snprintf(line, sizeof line, "%.*s", (int)length, text);
    const int words = sscanf(line, ".file %d \"%2047[^\"]\" \"%1023[^\"]\"", &number, first, second);
    if (words < 2 || number < 0 || number >= PTX_FILES || reading->places->files[number])
        return;
    char **file = &reading->places->files[number];
    if (words == 2)
        *file = strdup(first);
    else if (asprintf(file, "%s/%s", first, second) < 0)
        *file = NULL;
    reading->failed |= !*file;
}

static bool has_word(const char *text, size_t length, const char *word) {
    const char *found = strstr(text, word);
    return found && found + strlen(word) <= text + length;
}

static void take_line(Reading *reading, PtxLine *line) {
    size_t blanks = 0;
    while (blanks < line->length && (line->text[blanks] == ' ' || line->text[blanks] == '\t'))
        blanks++;
    const char *text = line->text + blanks;
    const size_t length = line->length - blanks;
    if (length > 0 && text[0] == '.') {
        if (strncmp(text, ".loc", 4) == 0)
            take_loc(reading, text, length);
        else if (strncmp(text, ".file", 5) == 0)
            take_file(reading, text, length);
        else if (has_word(text, length, ".entry") || has_word(text, length, ".func")) {
            reading->function = reading->places->place_count;
            reading->now = reading->before = -1;
            reading->own = 0;
        }
    }
    line->place = reading->now;
    line->own = reading->own;
    line->before = reading->before;
}

Status ptx_places_read(const char *text, PtxPlaces *places) {
    Reading reading = {.places = places, .now = -1, .before = -1};
    *places = (PtxPlaces){0};
    places->lines = calloc(count_lines(text), sizeof *places->lines);
    for (bool more = places->lines != NULL; more && !reading.failed;) {
        PtxLine *line = &places->lines[places->line_count++];
        line->text = text;
        line->length = strcspn(text, "\n");
        take_line(&reading, line);
        more = text[line->length] == '\n';
        text += line->length + 1;
    }
    return places->lines && !reading.failed ? STATUS_OK : fail(STATUS_DEVICE, "no memory for a kernel's listing");
}

void ptx_places_free(PtxPlaces *places) {
    for (int i = 0; i < PTX_FILES; i++)
        free(places->files[i]);
    free(places->lines);
    free(places->places);
    *places = (PtxPlaces){0};
}
