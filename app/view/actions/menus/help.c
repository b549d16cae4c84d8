/* help.c: help: keys, the list of all actions, the tour; the rows are at the bottom. */
#include "app/view/actions/menus/menus.h"

#include "app/view/actions/dispatch.h"
#include "app/view/actions/menus/choosing.h"
#include "app/view/actions/tour.h"
#include "app/view/data/synonyms.h"
#include "app/view/session/paths.h"
#include "app/view/session/strip.h"
#include "app/view/session/tool.h"

#include <stdio.h>
#include <string.h>

/* A command as scripts have it; without one the box of all of them opens. */
static Status palette(Viewer *viewer, Call call) {
    if (call.text[0])
        return action_command(viewer, call.text, call.strict);
    viewer_begin_entry(viewer, action_by_name("palette"));
    return STATUS_OK;
}

static Status begin_help(Viewer *viewer) {
    viewer->ui->help_wanted[0] = '\0';
    return STATUS_OK;
}

/* The page of keys would lie above it. */
static Status begin_welcome(Viewer *viewer) {
    viewer->help = false;
    return STATUS_OK;
}

/* The page of keys, searched for the heading of its glossary; it has all terms below it. */
static Status show_glossary(Viewer *viewer) {
    viewer->help = true;
    snprintf(viewer->ui->help_wanted, sizeof viewer->ui->help_wanted, "glossary");
    return STATUS_OK;
}

static bool is_touring(const Viewer *viewer) {
    return viewer->ui->tour.on;
}

/* Goes on; one that was left is resumed at its step. */
static Status tour(Viewer *viewer) {
    return tour_go(viewer, viewer->ui->tour.step + viewer->ui->tour.on);
}

static Status tour_on(Viewer *viewer, Call call) {
    if (!viewer->ui->tour.on)
        return fail(STATUS_USAGE, "there is no tour under way");
    if (call.step < 0)
        return tour_go(viewer, viewer->ui->tour.step > 0 ? viewer->ui->tour.step - 1 : 0);
    tour_leave(viewer);
    return STATUS_OK;
}

static Status tour_chapter(Viewer *viewer, const char *text) {
    for (size_t i = 0; i < TOUR_CHAPTERS; i++)
        if (strcmp(tour_chapters[i], text) == 0)
            return tour_go(viewer, tour_chapter_begin((TourChapter)i));
    return fail(STATUS_USAGE, "no chapter \"%s\", want \"A photograph\", \"The ladder\", \"The GPU\" or \"A scene\"",
                text);
}

Status help_open_photograph(Viewer *viewer) {
    char path[PATH_CAPACITY];
    return path_of_photograph(path, sizeof path)
               ? viewer_open(viewer, path)
               : fail(STATUS_INPUT,
                      "the photograph is not in share/glint, where it is installed; open another picture");
}

/* ---- Esc ---- */

/* Clears the first of these that is set; false if none is. */
static bool close_first(bool *const open[], size_t count) {
    for (size_t i = 0; i < count; i++)
        if (*open[i]) {
            *open[i] = false;
            return true;
        }
    return false;
}

static bool close_above(Viewer *viewer) {
    bool *const above[] = {&viewer->menu, &viewer->typing, &viewer->help};
    return close_first(above, sizeof above / sizeof above[0]);
}

static bool close_page(Viewer *viewer) {
    return tools_close(viewer, true);
}

static bool close_guide(Viewer *viewer) {
    bool *const guides[] = {&viewer->ui->welcome, &viewer->ui->tour.on};
    return close_first(guides, sizeof guides / sizeof guides[0]);
}

static bool close_tool(Viewer *viewer) {
    return tools_close(viewer, false);
}

static bool end_selection(Viewer *viewer) {
    const bool selected = strip_selection(viewer) > 0;
    return strip_select(viewer, "none") == STATUS_OK && selected;
}

static bool close_panel(Viewer *viewer) {
    bool *const panels[] = {&viewer->edits_listed, &viewer->racing, &viewer->measuring};
    return close_first(panels, sizeof panels / sizeof panels[0]);
}

static bool end_comparison(Viewer *viewer) {
    const bool compares = viewer->compare != COMPARE_NONE || viewer->unfiltered;
    viewer->compare = COMPARE_NONE;
    viewer->unfiltered = false;
    return compares;
}

static bool stop_run(Viewer *viewer) {
    char words[TOAST_MAX];
    const bool stopped = viewer_stop_run(viewer, words, sizeof words);
    if (stopped)
        viewer_say(viewer, false, "%s", words);
    return stopped;
}

static bool leave_full_screen(Viewer *viewer) {
    viewer->requests->toggle_fullscreen |= viewer->full_screen;
    return viewer->full_screen;
}

static bool end_recording(Viewer *viewer) {
    viewer->requests->stop_recording |= viewer->recording;
    return viewer->recording;
}

/* Hands press it to be back at the picture: it never ends the program. */
static Status close_top(Viewer *viewer) {
    static bool (*const closers[])(Viewer *) = {close_above,       close_page,   close_guide,    close_tool,
                                                end_selection,     close_panel,  end_comparison, stop_run,
                                                leave_full_screen, end_recording};
    const size_t count = sizeof closers / sizeof closers[0];
    size_t closed = 0;
    viewer->ui->focused.param = NULL;
    while (closed < count && !closers[closed](viewer))
        closed++;
    if (closed == count && !viewer->ui->told_quit) {
        char key[ACTION_KEYS];
        viewer_say(viewer, false, "%s quits", action_key_here(viewer, action_by_name("quit"), key));
    }
    viewer->ui->told_quit = closed == count;
    return STATUS_OK;
}

/* ---- arguments ---- */

static Status choose_values(const Viewer *viewer, const Action *action, Choices *choices) {
    Choices values = {0};
    char name[64], text[2 * ENTRY_MAX], label[2 * ENTRY_MAX];
    Status status = action->argument->choose(viewer, "", &values);
    for (size_t i = 0; i < values.count && status == STATUS_OK; i++) {
        Choice choice = values.list[i];
        snprintf(text, sizeof text, "%s %s", action->name, choice.text);
        snprintf(label, sizeof label, "%s %s", action_label(action, name, sizeof name), choice.label);
        choice.text = text;
        choice.label = label;
        choice.current = false;
        status = choices_add(choices, choice);
    }
    choices_clear(&values);
    return status;
}

/* All actions, which their names find, too, then all that may be picked by its name. */
static Status choose_command(const Viewer *viewer, const char *text, Choices *choices) {
    const Action *action;
    char label[64];
    choices->wanted = text;
    for (size_t i = 0; (action = action_at(action_table, i)); i++) {
        Choice choice = {.text = choice_borrows(action->name),
                         .label = choice_borrows(action_label(action, label, sizeof label)),
                         .help = choice_borrows(action->help),
                         .also = synonyms_of(action->name)};
        if (!choice.also && action->label)
            choice.also = action->name;
        if (!action_is_here(viewer, action) || action->argument == &argument_command)
            continue;
        if (!action->texts)
            action_keys_here(viewer, action, choice.keys);
        TRY(choices_add(choices, choice));
    }
    for (size_t i = 0; (action = action_at(action_table, i)); i++)
        if (action->argument && action->argument->listed && action_is_here(viewer, action) &&
            action->argument != &argument_command)
            TRY(choose_values(viewer, action, choices));
    return STATUS_OK;
}

static Status choose_chapter(const Viewer *viewer, const char *text, Choices *choices) {
    static const char *const also[TOUR_CHAPTERS] = {[CHAPTER_GPU] = "shared halo march cuda"}; /* its levels */
    const TourStep *step = tour_step(viewer);
    choices->wanted = text;
    for (size_t i = 0; i < TOUR_CHAPTERS; i++)
        TRY(choose_word(choices, tour_chapters[i],
                        (Choice){.current = step && (size_t)step->chapter == i, .also = also[i]}));
    return STATUS_OK;
}

static const Argument argument_chapter = {
    .name = "CHAPTER", .words = "a chapter of the tour", .choose = choose_chapter, .listed = true};
const Argument argument_command = {
    .name = "[COMMAND]", .words = "by words of its name or its effect", .choose = choose_command, .listed = true};

static const Action rows[] = {
    {"help", "h ? F1", "shows all keys; letters that are typed there search them", .act = begin_help,
     .toggle = OF_VIEWER(help)},
    {"glossary", "Ctrl+F1", "explains the terms of ladders, roofline, kernel and tile", .act = show_glossary},
    {"palette", "Ctrl+K :", "lists everything that can be done, searched by words", .label = "find an action",
     .run = palette, .argument = &argument_command, .flags = ACTION_UNWRITTEN},
    {"tour", "F3", "begins the tour, or goes on to its next step", .act = tour, .flags = ACTION_RULE, .on = is_touring},
    {"tour-back", "Ctrl+F3", "goes back one step of the tour", .label = "back in the tour", .run = tour_on, .step = -1,
     .can = is_touring},
    {"tour-leave", "F4", "ends the tour; it can be resumed", .label = "end tour", .run = tour_on, .can = is_touring},
    {"tour-chapter", "Ctrl+F4", "begins a chapter of the tour", .take = tour_chapter, .argument = &argument_chapter},
    {"photograph", "F6", "opens the photograph that comes with glint", .act = help_open_photograph},
    {"welcome", "F7", "shows the first steps", .act = begin_welcome, .toggle = OF_INTERFACE(welcome)},
    {"close", "Esc", "closes the topmost thing; then stops a run, leaves the full screen, ends a recording",
     .act = close_top, .flags = ACTION_CLOSES},
};

const Menu help_menu = {"Help", rows, sizeof rows / sizeof rows[0]};
