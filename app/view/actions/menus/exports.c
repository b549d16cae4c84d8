/* exports.c: exports: their settings, presets of these, and the questions before files are replaced. */
#include "app/export/presets.h"
#include "app/view/actions/dispatch.h"
#include "app/view/actions/menus/choosing.h"
#include "app/view/actions/menus/menus.h"
#include "app/view/actions/question.h"
#include "app/view/session/paths.h"
#include "app/view/tools/export.h"
#include "core/chain/preset.h"

#include <stdio.h>
#include <string.h>

/* The answer for this export alone, as a script has it. */
static Status export_as(Viewer *viewer, const char *existing) {
    char line[64];
    snprintf(line, sizeof line, "export-set existing=%s", existing);
    action_ask_line(viewer, line);
    action_ask_line(viewer, "export");
    action_ask_line(viewer, "export-set existing=ask");
    return STATUS_OK;
}

static Status export_renamed(Viewer *viewer) {
    return export_as(viewer, "rename");
}

static Status export_over(Viewer *viewer) {
    return export_as(viewer, "replace");
}

static Status export_others(Viewer *viewer) {
    return export_as(viewer, "skip");
}

static bool doubts_export(Viewer *viewer, const Action *action, const char *text) {
    static const Answer one[] = {{"Rename", export_renamed}, {"Replace", export_over}, {"Cancel", NULL}};
    static const Answer several[] = {
        {"Rename", export_renamed}, {"Replace", export_over}, {"Skip these", export_others}, {"Cancel", NULL}};
    char first[PATH_CAPACITY], told[PATH_CAPACITY];
    (void)action, (void)text;
    const bool asks = export_choice(viewer)->existing <= EXISTING_ASK && !export_runs(viewer);
    const size_t count = export_count(viewer), taken = asks ? export_taken(viewer, first, sizeof first) : 0;
    if (taken == 0)
        return false;
    path_told(first, told, sizeof told);
    if (count == 1)
        question_ask(viewer, one, sizeof one / sizeof one[0], "“%.200s” already exists.", told);
    else
        question_ask(viewer, several, sizeof several / sizeof several[0],
                     "%zu of %zu files already exist, the first is “%.160s”.", taken, count, told);
    return true;
}

/* Scripts wait for the end. */
static Status run_export(Viewer *viewer, Call call) {
    TRY(export_begin(viewer));
    return call.strict ? export_await(viewer) : STATUS_OK;
}

static Status stop_export(Viewer *viewer) {
    export_cancel(viewer);
    return STATUS_OK;
}

/* ---- presets ---- */

static Status save_preset(Viewer *viewer, const char *text) {
    TRY(export_save(viewer, text));
    viewer_say(viewer, false, "Saved the settings of exports as %s", text);
    return STATUS_OK;
}

static Status remove_preset(Viewer *viewer, const char *text) {
    TRY(export_presets_remove(text));
    viewer_say(viewer, false, "Removed %s from the presets of exports", text);
    return STATUS_OK;
}

static Status check_preset_name(const char *text) {
    return text[preset_name_length(text)] ? fail(STATUS_USAGE, "want a name of letters, digits, '-' and '_'")
                                          : STATUS_OK;
}

static Status choose_preset(const Viewer *viewer, const char *text, Choices *choices) {
    ExportPresets presets;
    choices->wanted = text;
    TRY(export_presets_load(&presets));
    Status status = STATUS_OK;
    for (size_t i = 0; i < presets.count && status == STATUS_OK; i++)
        status = choose_word(choices, presets.list[i].name,
                             (Choice){.help = choice_borrows(presets.list[i].settings),
                                      .current = strcmp(presets.list[i].name, export_preset(viewer)) == 0});
    export_presets_free(&presets);
    return status;
}

/* ---- arguments ---- */

static size_t format_export_name(const Viewer *viewer, char *buffer, size_t size) {
    return (size_t)snprintf(buffer, size, "%s", export_settings(viewer)->name);
}

static size_t format_export_folder(const Viewer *viewer, char *buffer, size_t size) {
    return (size_t)snprintf(buffer, size, "%s", export_settings(viewer)->folder);
}

/* A relative folder lies in the picture's, whose folders are the choices. */
static Status choose_export_folder(const Viewer *viewer, const char *text, Choices *choices) {
    const char *title = viewer_title(viewer), *slash = strrchr(title, '/');
    const size_t own = text[0] == '/' || text[0] == '~' || !slash ? 0 : (size_t)(slash + 1 - title);
    char line[PATH_CAPACITY];
    choices->wanted = text;
    TRY(choose_word(choices, EXPORT_OWN, (Choice){.help = choice_borrows("the folder of each picture")}));
    const size_t first = choices->count;
    snprintf(line, sizeof line, "%.*s%s", (int)own, title, text);
    TRY(paths_choose(line, PATHS_FOLDERS, choices));
    for (size_t i = first; i < choices->count; i++)
        memmove(choices->list[i].text, choices->list[i].text + own, strlen(choices->list[i].text + own) + 1);
    return STATUS_OK;
}

static Status choose_export(const Viewer *viewer, const char *text, Choices *choices) {
    (void)viewer;
    return choose_params(export_table(), text, choices);
}

static const Argument argument_export = {.name = "SETTING=VALUE",
                                         .words = "settings of the export, as in format=jpg:quality=90:long=2048",
                                         .choose = choose_export};
static const Argument argument_export_name = {.name = "NAME",
                                              .words =
                                                  "a name in the folder, without extension: {stem} is the picture's",
                                              .format = format_export_name};
static const Argument argument_export_folder = {.name = "FOLDER",
                                                .words = "a folder; a relative one lies in the picture's, . is that",
                                                .format = format_export_folder,
                                                .choose = choose_export_folder};
static const Argument argument_preset = {
    .name = "NAME", .words = "a preset of exports", .choose = choose_preset, .listed = true};
static const Argument argument_preset_name = {
    .name = "NAME", .words = "a name for these settings: letters, digits, - and _", .check = check_preset_name};

static const Action rows[] = {
    {"export", "Ctrl+F5", "exports the result, the selected pictures or all, in the background", .label = "export now",
     .place = IN_PICTURES, .run = run_export, .doubts = doubts_export, .flags = ACTION_RARE},
    {"export-set", "Ctrl+F6", "sets how pictures are exported", .place = IN_PICTURES, .take = export_set,
     .argument = &argument_export, .flags = ACTION_RARE},
    {"export-name", "Ctrl+F7", "sets how exported files are called", .place = IN_PICTURES, .take = export_set_name,
     .argument = &argument_export_name, .flags = ACTION_RARE},
    {"export-folder", "Ctrl+Shift+F4", "sets the folder of exported files; . is that of each picture",
     .place = IN_PICTURES, .take = export_set_folder, .argument = &argument_export_folder, .flags = ACTION_RARE},
    {"stop-export", "Ctrl+F8", "stops the export; files that are there are whole", .place = IN_PICTURES,
     .act = stop_export, .flags = ACTION_RARE},
    {"export-preset", "Ctrl+Shift+F5", "takes the settings of exports from a preset", .place = IN_PICTURES,
     .take = export_use, .argument = &argument_preset, .flags = ACTION_RARE},
    {"save-export-preset", "Ctrl+Shift+F6", "saves the settings of exports under a name", .place = IN_PICTURES,
     .take = save_preset, .argument = &argument_preset_name, .flags = ACTION_RARE},
    {"remove-export-preset", "Ctrl+Shift+F7", "removes a preset of exports", .place = IN_PICTURES,
     .take = remove_preset, .argument = &argument_preset, .flags = ACTION_RARE},
};

const Menu exports_menu = {"File", rows, sizeof rows / sizeof rows[0]};
