/* entry.c: typing the argument of an action: the text, its caret, and the keys that edit it. */
#include "app/view/actions/dispatch.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { BACKSPACE = 8, TAB = 9, RETURN = 13, ESCAPE = 27, DELETE = 127 };

/* Says that no choice of the list has the typed words, and names the one that is spelt most like them. */
static void say_no_match(Viewer *viewer, const char *typed) {
    Interface *ui = viewer->ui;
    const Argument *argument = ui->entry_for->argument;
    Choices all = {0};
    const Choice *closest = NULL;
    if (argument->choose && argument->choose(viewer, "", &all) == STATUS_OK)
        closest = choices_closest(&all, typed);
    snprintf(ui->no_match, sizeof ui->no_match, "No match for \"%s\".%s%s%s", typed, closest ? " Try \"" : "",
             closest ? closest->label : "", closest ? "\"." : "");
    choices_clear(&all);
}

/* Lists the choices for the line. The best match of a list is marked; a line of any text may stand for itself. */
static void list_choices(Viewer *viewer, const char *typed) {
    Interface *ui = viewer->ui;
    const Argument *argument = ui->entry_for->argument;
    choices_clear(&ui->choices);
    if (argument->choose && argument->choose(viewer, typed, &ui->choices) != STATUS_OK)
        choices_clear(&ui->choices);
    if (argument->listed)
        choices_sort(&ui->choices);
    ui->choices.wanted = NULL;
    ui->chosen = argument->listed ? 0 : SIZE_MAX;
    for (size_t i = 0; i < ui->choices.count && argument->listed && !typed[0]; i++)
        ui->chosen = ui->choices.list[i].current ? i : ui->chosen;
    ui->chosen_moved = true;
    if (argument->listed && ui->choices.count == 0)
        say_no_match(viewer, typed);
}

void viewer_set_entry(Viewer *viewer, const char *text) {
    snprintf(viewer->entry, sizeof viewer->entry, "%s", text);
    viewer->caret = viewer->anchor = strlen(viewer->entry);
    viewer->ui->entry_kept = 0;
    viewer->ui->entry_proposed = false;
    list_choices(viewer, viewer->entry);
}

/* Marks the last name of a path. */
static void propose(Viewer *viewer) {
    const char *slash = strrchr(viewer->entry, '/');
    viewer->ui->entry_proposed = true;
    viewer_mark_entry(viewer, slash ? (size_t)(slash + 1 - viewer->entry) : 0);
}

static size_t first_place(const Viewer *viewer) {
    const size_t length = strlen(viewer->entry), kept = viewer->ui->entry_kept;
    return kept < length ? kept : length;
}

void viewer_keep_entry(Viewer *viewer, size_t count) {
    viewer->ui->entry_kept = count;
}

void viewer_mark_entry(Viewer *viewer, size_t from) {
    const size_t first = first_place(viewer), begin = from > first ? from : first;
    viewer->anchor = begin < viewer->caret ? begin : viewer->caret;
}

void viewer_begin_entry(Viewer *viewer, const Action *action) {
    const Argument *argument = action->argument;
    viewer->entry[0] = '\0';
    viewer->ui->image_param = viewer->ui->typed_param = NULL;
    viewer->ui->typed_row = (TypedRow){0};
    viewer->ui->entry_kept = 0;
    viewer->ui->looks_since = viewer->session->result_serial;
    const size_t length = argument->format ? argument->format(viewer, viewer->entry, sizeof viewer->entry) : 0;
    if (length >= sizeof viewer->entry) { /* a part of a mask is another mask */
        viewer_say(viewer, true,
                   "there are %zu characters to type in, want at most %zu; a mask may be in a file: file=PATH", length,
                   sizeof viewer->entry - 1);
        return;
    }
    viewer->typing = true;
    viewer->ui->entry_for = action;
    viewer->ui->previews = argument->preview != NULL;
    viewer->ui->columns = 1;
    viewer->caret = viewer->anchor = strlen(viewer->entry);
    viewer->ui->entry_proposed = false;
    if (argument->proposes)
        propose(viewer);
    list_choices(viewer, argument->listed ? "" : viewer->entry); /* of a list all, to begin with */
}

Status viewer_check_entry(const Viewer *viewer) {
    const Argument *argument = viewer->ui->entry_for->argument;
    return argument->check ? argument->check(viewer->entry) : STATUS_OK;
}

/* Bytes of UTF-8 behind the first of a character. */
static bool goes_on(char byte) {
    return ((unsigned char)byte & 0xc0) == 0x80;
}

static size_t place_before(const char *text, size_t place) {
    place -= place > 0;
    while (place > 0 && goes_on(text[place]))
        place--;
    return place;
}

static size_t place_behind(const char *text, size_t place) {
    place += text[place] != '\0';
    while (goes_on(text[place]))
        place++;
    return place;
}

static void insert(Viewer *viewer, char character) {
    char *at = viewer->entry + viewer->caret;
    if (strlen(viewer->entry) + 1 >= sizeof viewer->entry)
        return;
    memmove(at + 1, at, strlen(at) + 1);
    *at = character;
    viewer->anchor = ++viewer->caret;
}

static void erase(Viewer *viewer, size_t place) {
    const char *behind = viewer->entry + place_behind(viewer->entry, place);
    memmove(viewer->entry + place, behind, strlen(behind) + 1);
    viewer->caret = viewer->anchor = place;
}

/* Whether there was something marked; it is gone now. */
static bool erase_marked(Viewer *viewer) {
    const size_t from = viewer->anchor < viewer->caret ? viewer->anchor : viewer->caret;
    const size_t to = viewer->anchor < viewer->caret ? viewer->caret : viewer->anchor;
    memmove(viewer->entry + from, viewer->entry + to, strlen(viewer->entry + to) + 1);
    viewer->caret = viewer->anchor = from;
    return to > from;
}

static const Choice *chosen(const Viewer *viewer) {
    const Interface *ui = viewer->ui;
    return ui->chosen < ui->choices.count ? &ui->choices.list[ui->chosen] : NULL;
}

/* The line as the argument, or the choice that is marked; one that goes on becomes the line. The box closes first, for
 * the action may open another one; where the action fails it is there again. */
static Status take(Viewer *viewer) {
    const Action *action = viewer->ui->entry_for;
    const Choice *choice = chosen(viewer);
    char text[ENTRY_MAX], line[ENTRY_MAX];
    if (choice && choice->goes_on) {
        viewer_set_entry(viewer, choice->text);
        return STATUS_OK;
    }
    snprintf(line, sizeof line, "%s", viewer->entry);
    snprintf(text, sizeof text, "%s", choice ? choice->text : line);
    if (!text[0] && !argument_is_optional(action->argument))
        return fail(STATUS_USAGE, "%s: type %s", action->name, action->argument->words);
    if (!choice && line[0] && action->argument->listed && !action->argument->check)
        return fail(STATUS_USAGE, "%s", viewer->ui->no_match);
    viewer->typing = false;
    const Status status = action_by_hand(viewer, action, (Call){.step = action->step, .text = text, .pressed = true});
    if (status != STATUS_OK) {
        viewer->typing = true;
        viewer->ui->entry_for = action;
        viewer->ui->previews = action->argument->preview != NULL;
        snprintf(viewer->entry, sizeof viewer->entry, "%s", line);
        viewer->caret = viewer->anchor = viewer->caret < strlen(line) ? viewer->caret : strlen(line);
    }
    return status;
}

static void complete(Viewer *viewer) {
    const Interface *ui = viewer->ui;
    const Choice *choice = chosen(viewer) || ui->choices.count == 0 ? chosen(viewer) : &ui->choices.list[0];
    if (choice)
        viewer_set_entry(viewer, choice->text);
}

static bool is_text(char character) {
    return (character >= ' ' && character < DELETE) || (character & 0x80);
}

Status viewer_type(Viewer *viewer, char character) {
    if (character == RETURN)
        return take(viewer);
    if (viewer->ui->entry_proposed && (character == '/' || character == '~'))
        viewer->anchor = 0; /* a whole path takes the folder's place, too */
    viewer->ui->entry_proposed = false;
    const bool erased = (is_text(character) || character == BACKSPACE || character == DELETE) && erase_marked(viewer);
    if (character == TAB)
        complete(viewer);
    else if (character == ESCAPE)
        viewer->typing = false;
    else if (is_text(character))
        insert(viewer, character);
    else if (!erased && character == DELETE && viewer->entry[viewer->caret] != '\0')
        erase(viewer, viewer->caret);
    else if (!erased && (character == BACKSPACE || character == DELETE) && viewer->caret > first_place(viewer))
        erase(viewer, place_before(viewer->entry, viewer->caret));
    else if (!erased)
        return STATUS_OK;
    if (character != TAB)
        list_choices(viewer, viewer->entry);
    return STATUS_OK;
}

enum { PAGE = 10 /* choices */ };

/* From the last choice on to the line itself, where that may stand for itself, and to the first. */
static void mark(Viewer *viewer, int steps) {
    Interface *ui = viewer->ui;
    const long count = (long)ui->choices.count, none = ui->entry_for->argument->listed ? 0 : 1;
    const long now = ui->chosen < ui->choices.count ? (long)ui->chosen : steps > 0 ? -1 : count;
    long next = now + steps;
    if (steps == 1 || steps == -1)
        next = next >= count ? -none : next < -none ? count - 1 : next;
    else
        next = next < 0 ? 0 : next >= count ? count - 1 : next;
    ui->chosen = next < 0 ? SIZE_MAX : (size_t)next;
    ui->chosen_moved = true;
}

/* Keys with names that stand for a character. */
static const struct {
    const char *key;
    char character;
} characters[] = {{"Space", ' '},           {"Tab", TAB},      {"Return", RETURN}, {"Esc", ESCAPE},
                  {"Backspace", BACKSPACE}, {"Delete", DELETE}};

/* Keys that mark a choice. */
static const struct {
    const char *key;
    int steps;
    bool rows; /* not choices, where these stand in columns */
} marks[] = {{"Down", 1, true}, {"Up", -1, true}, {"PageDown", PAGE, false}, {"PageUp", -PAGE, false}};

Status viewer_type_key(Viewer *viewer, const char *key) {
    const size_t length = strlen(viewer->entry);
    const int columns = viewer->ui->columns > 1 ? (int)viewer->ui->columns : 1;
    if (key[0] != '\0' && key[1] == '\0')
        return viewer_type(viewer, key[0]);
    if (key[0] & 0x80) /* a character of UTF-8 */
        for (const char *at = key; *at; at++)
            TRY(viewer_type(viewer, *at));
    for (size_t i = 0; i < sizeof characters / sizeof characters[0]; i++)
        if (strcasecmp(key, characters[i].key) == 0)
            return viewer_type(viewer, characters[i].character);
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (strcasecmp(key, marks[i].key) == 0)
            mark(viewer, marks[i].steps * (marks[i].rows ? columns : 1));
    viewer->ui->entry_proposed = false;
    if (strcasecmp(key, "Left") == 0 && columns > 1)
        mark(viewer, -1);
    else if (strcasecmp(key, "Right") == 0 && columns > 1)
        mark(viewer, 1);
    else if (strcasecmp(key, "Left") == 0)
        viewer->caret = viewer->anchor =
            viewer->caret > first_place(viewer) ? place_before(viewer->entry, viewer->caret) : viewer->caret;
    else if (strcasecmp(key, "Right") == 0)
        viewer->caret = viewer->anchor = place_behind(viewer->entry, viewer->caret);
    else if (strcasecmp(key, "Home") == 0)
        viewer->caret = viewer->anchor = first_place(viewer);
    else if (strcasecmp(key, "End") == 0 || strcasecmp(key, "Ctrl+A") == 0)
        viewer->caret = viewer->anchor = length;
    if (strcasecmp(key, "Ctrl+A") == 0)
        viewer_mark_entry(viewer, 0);
    return STATUS_OK;
}
