/* file.c: files: opening, saving, recording; the rows are at the bottom. */
#include "app/view/actions/menus/menus.h"

#include "app/view/actions/dispatch.h"
#include "app/view/actions/menus/choosing.h"
#include "app/view/actions/menus/replacing.h"
#include "app/view/actions/transcript.h"
#include "app/view/data/film.h"
#include "app/view/session/keep.h"
#include "app/view/session/paths.h"
#include "app/view/session/strip.h"
#include "app/view/tools/develop.h"
#include "app/view/tools/export.h"
#include "core/codec/codec.h"
#include "core/scene/generators/scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Status open_path(Viewer *viewer, const char *text) {
    char path[PATH_CAPACITY];
    return viewer_open(viewer, path_expand(text, path, sizeof path));
}

static bool has_recent(const Viewer *viewer) {
    return keep_recent(viewer, 0) != NULL;
}

static Status open_recent(Viewer *viewer, const char *text) {
    return viewer_open_recent(viewer, text);
}

static Status open_scene(Viewer *viewer, const char *text) {
    viewer->ui->welcome = false;
    return viewer_open_scene(viewer, text);
}

static Status open_next(Viewer *viewer, Call call) {
    return viewer_step_picture(viewer, call.step);
}

static Status open_end(Viewer *viewer, Call call) {
    return viewer_open_end(viewer, call.step > 0);
}

static Status show_picture(Viewer *viewer, const char *text) {
    char *end;
    const size_t count = viewer->pictures.count;
    const unsigned long number = strtoul(text, &end, 10);
    if (*end || number < 1 || number > count)
        return fail(STATUS_USAGE, "picture \"%s\", want a number from 1 to %zu", text, count);
    return viewer_open_picture(viewer, number - 1);
}

static Status toggle_strip(Viewer *viewer) {
    strip_toggle(viewer);
    return STATUS_OK;
}

static bool is_scene(const Viewer *viewer) {
    return viewer_kind(viewer)->place == SUBJECT_SCENE;
}

static Status toggle_scene(Viewer *viewer) {
    return viewer_show(viewer, viewer_kind(viewer)->place == SUBJECT_SCENE ? SUBJECT_PICTURE : SUBJECT_SCENE);
}

static Status reload(Viewer *viewer) {
    TRY(viewer_reload(viewer));
    viewer_say(viewer, false, "Reloaded");
    return STATUS_OK;
}

static Status watch_anew(Viewer *viewer) {
    viewer->watch = (Watch){.on = viewer->watch.on};
    return STATUS_OK;
}

/* ---- RAW files ---- */

static bool is_developed(const Viewer *viewer) {
    const Subject *subject = viewer->subject;
    return subject && subject->develops;
}

static Status check_raw(const char *text) {
    RawWay raw;
    return raw_way_parse("raw", text, &raw);
}

static Status develop(Viewer *viewer, const char *text) {
    RawWay raw;
    TRY(raw_way_parse("raw", text, &raw));
    develop_by(viewer, raw);
    return STATUS_OK;
}

static size_t format_raw_way(const Viewer *viewer, char *buffer, size_t size) {
    const int length = raw_way_spell(viewer->raw, buffer, size);
    return length > 0 ? (size_t)length : (size_t)snprintf(buffer, size, "quality");
}

/* ---- saving ---- */

static void say_saved(Viewer *viewer, const char *path) {
    const Subject *subject = viewer->session->subject;
    char rest[TOAST_MAX] = "";
    if (subject && subject->ends_early[0])
        snprintf(rest, sizeof rest, "; %s", subject->ends_early);
    viewer_say_file(viewer, "Saved", path, rest);
}

static Status save_result(Viewer *viewer) {
    char stem[PATH_CAPACITY], path[PATH_CAPACITY];
    viewer_path_beside(viewer, "glint-result", stem, sizeof stem);
    TRY(viewer_fresh_name(stem, viewer_result_format(viewer), path, sizeof path));
    TRY(viewer_save_result(viewer, path, false));
    say_saved(viewer, path);
    return STATUS_OK;
}

static Status save_as(Viewer *viewer, const char *text) {
    char path[PATH_CAPACITY];
    TRY(viewer_save_result(viewer, path_expand(text, path, sizeof path), replacing_may(viewer, text)));
    say_saved(viewer, path);
    return STATUS_OK;
}

static Status toggle_export(Viewer *viewer) {
    export_open(viewer, !export_is_open(viewer));
    return action_reveal(viewer, export_is_open(viewer), OVERLAY_COMPACT);
}

static Status screenshot(Viewer *viewer) {
    return viewer_fresh_name("glint-window", "png", viewer->requests->screenshot, sizeof viewer->requests->screenshot);
}

/* The window has it done. */
static Status record(Viewer *viewer, Call call) {
    char path[PATH_CAPACITY];
    path_expand(call.text, path, sizeof path);
    TRY(film_check(path));
    snprintf(viewer->requests->record, sizeof viewer->requests->record, "%s", path);
    viewer->requests->wipe = call.step;
    viewer->requests->replaces = replacing_may(viewer, call.text);
    return STATUS_OK;
}

static bool is_recording(const Viewer *viewer) {
    return viewer->recording;
}

static Status stop_recording(Viewer *viewer) {
    if (!viewer->recording)
        return fail(STATUS_USAGE, "no recording is under way");
    viewer->requests->stop_recording = true;
    return STATUS_OK;
}

/* Under a name that is free, and again: it is complete. */
static Status record_session(Viewer *viewer) {
    char path[PATH_CAPACITY];
    if (viewer->transcript) {
        TRY(transcript_end(viewer));
        viewer_say(viewer, false, "Saved the session");
        return STATUS_OK;
    }
    TRY(viewer_fresh_name("glint-session", "script", path, sizeof path));
    TRY(transcript_begin(viewer, path));
    viewer_say_file(viewer, "Your actions are written to", path, "");
    return STATUS_OK;
}

static bool is_written(const Viewer *viewer) {
    return viewer->transcript != NULL;
}

/* ---- what can be done now ---- */

static bool has_others(const Viewer *viewer) {
    return viewer->pictures.count > 1;
}

static bool has_subject(const Viewer *viewer) {
    return viewer->subject;
}

static bool is_not_recording(const Viewer *viewer) {
    return !viewer->recording;
}

/* ---- arguments ---- */

static Status choose_picture(const Viewer *viewer, const char *text, Choices *choices) {
    choices->wanted = text;
    for (size_t i = 0; i < viewer->pictures.count; i++) {
        const char *path = viewer->pictures.paths[i], *slash = strrchr(path, '/');
        char number[24];
        snprintf(number, sizeof number, "%zu", i + 1);
        TRY(choices_add(choices, (Choice){.text = number,
                                          .label = choice_borrows(slash ? slash + 1 : path),
                                          .current = i == viewer->pictures.current}));
    }
    return STATUS_OK;
}

static size_t format_scene(const Viewer *viewer, char *buffer, size_t size) {
    const Subject *scene = viewer->open[SUBJECT_SCENE];
    return (size_t)snprintf(buffer, size, "%s", scene ? scene->name : "");
}

static Status choose_scene(const Viewer *viewer, const char *text, Choices *choices) {
    (void)viewer;
    choices->wanted = text;
    for (size_t i = 0; i < scene_generator_count; i++)
        TRY(choose_word(choices, scene_generators[i]->name,
                        (Choice){.help = choice_borrows(scene_generators[i]->help)}));
    choices_sort(choices);
    return paths_choose(text, PATHS_SCENES, choices);
}

/* The folder of the open picture or scene. */
static size_t format_path(const Viewer *viewer, char *buffer, size_t size) {
    const char *title = viewer_title(viewer), *slash = strrchr(title, '/');
    return (size_t)snprintf(buffer, size, "%.*s", slash ? (int)(slash + 1 - title) : 0, title);
}

/* By their names; help has their folders. */
static Status choose_recent(const Viewer *viewer, const char *text, Choices *choices) {
    const char *path;
    choices->wanted = text;
    for (size_t i = 0; (path = keep_recent(viewer, i)); i++) {
        const char *slash = strrchr(path, '/');
        TRY(choices_add(choices, (Choice){.text = choice_borrows(path),
                                          .label = choice_borrows(slash ? slash + 1 : path),
                                          .help = choice_borrows(path)}));
    }
    return STATUS_OK;
}

static Status choose_path(const Viewer *viewer, const char *text, Choices *choices) {
    (void)viewer;
    return paths_choose(text, PATHS_ALL, choices);
}

/* The picture's name and the chain's, next to the picture. */
static size_t format_file(const Viewer *viewer, char *buffer, size_t size) {
    char ending[32];
    snprintf(ending, sizeof ending, "-result.%s", viewer_result_format(viewer));
    return format_beside(viewer, ending, buffer, size);
}

/* An animation next to the picture; or in the working folder. */
static size_t format_recording(const Viewer *viewer, char *buffer, size_t size) {
    return format_beside(viewer, "-recording.apng", buffer, size);
}

static Status check_file(const char *text) {
    const Format *format = format_for_path(text);
    if (format && format->writes)
        return STATUS_OK;
    return fail(STATUS_USAGE, "Add an extension: .png, .jpg, .tif …");
}

static const Argument argument_path = {.name = "PATH",
                                       .words = "a picture, a folder of pictures or a scene",
                                       .format = format_path,
                                       .choose = choose_path,
                                       .proposes = true};
static const Argument argument_recent = {
    .name = "PATH", .words = "one of the files that were opened last", .choose = choose_recent, .listed = true};
static const Argument argument_scene = {.name = "SCENE",
                                        .words = "a generator, as in cloud=1000, or a file",
                                        .format = format_scene,
                                        .choose = choose_scene,
                                        .scenes = true};
static const Argument argument_raw = {.name = "WORDS",
                                      .words = "words between commas, as in fast,reconstruct or linear",
                                      .format = format_raw_way,
                                      .check = check_raw};
static const Argument argument_picture = {
    .name = "NUMBER", .words = "one of the opened files", .choose = choose_picture};
const Argument argument_result_file = {.name = "FILE",
                                       .words = "a file for the result; its extension says the format",
                                       .format = format_file,
                                       .check = check_file,
                                       .choose = choose_folder,
                                       .proposes = true};
static const Argument argument_recording = {.name = "FILE",
                                            .words = "a FOLDER/ for PNG files, or a file: .apng, .mp4, .webm, .gif ...",
                                            .format = format_recording,
                                            .check = film_check,
                                            .choose = choose_folder,
                                            .proposes = true};

static const Action rows[] = {
    {"open", "Ctrl+O", "opens a picture, a folder of pictures or a scene", .take = open_path,
     .argument = &argument_path, .flags = ACTION_CONTEXT},
    {"open-recent", "Ctrl+Shift+O", "opens one of the files that were open last, with its edits", .take = open_recent,
     .argument = &argument_recent, .can = has_recent},
    {"scene", "Ctrl+E", "opens a scene: a generator, as in cloud=1000, or a file", .label = "open a scene",
     .take = open_scene, .argument = &argument_scene, .menu = "Scene"},
    {"next-picture", "Right Down", "opens the next file", .run = open_next, .step = 1, .flags = ACTION_RULE,
     .can = has_others},
    {"previous-picture", "Left Up", "opens the previous file", .run = open_next, .step = -1, .can = has_others},
    {"first-picture", "Home", "opens the first file of the strip", .run = open_end, .step = -1, .flags = ACTION_RARE,
     .can = has_others},
    {"last-picture", "End", "opens the last file of the strip", .run = open_end, .step = 1, .flags = ACTION_RARE,
     .can = has_others},
    {"picture", "j", "opens one of the files by its number", .take = show_picture, .argument = &argument_picture,
     .flags = ACTION_RARE, .can = has_others},
    {"thumbnails", "I", "shows the opened files as a strip below the picture", .act = toggle_strip, .on = strip_is_open,
     .reveals = OVERLAY_COMPACT, .menu = "View", .can = has_others},
    {"picture-or-scene", "i", "switches between the picture and the ray traced scene", .label = "show the scene",
     .act = toggle_scene, .on = is_scene, .menu = "Scene"},
    {"reload", "F5", "reads the file again", .act = reload, .can = has_subject},
    {"raw", "Ctrl+9", "develops RAW files so: quality, fast, half or preview; clip, blend or reconstruct; linear",
     .label = "develop RAW", .place = IN_PICTURES, .take = develop, .argument = &argument_raw, .flags = ACTION_RARE,
     .can = is_developed},
    {"watch", "T", "reads the file again whenever it changes", .act = watch_anew, .toggle = OF_VIEWER(watch.on),
     .says = {"Watching the file: it is reloaded when it changes", "No longer watching the file"}, .flags = ACTION_RARE,
     .can = has_subject},
    {"save-as", "Ctrl+S", "saves the result under a name that you choose", .label = "save the result as",
     .take = save_as, .doubts = replacing_doubts, .argument = &argument_result_file,
     .flags = ACTION_RULE | ACTION_CONTEXT, .can = has_subject},
    {"save-result", "P", "saves the result next to the picture, under a free name", .label = "quick save",
     .act = save_result, .can = has_subject},
    {"export-panel", "Ctrl+Shift+S", "shows how pictures are exported: format, quality, size, name",
     .label = "export …", .place = IN_PICTURES, .act = toggle_export, .on = export_is_open, .flags = ACTION_THUMBNAIL},
    {"save-window", "p", "saves a screenshot of the window as PNG, in the monitor's colours, in the working folder",
     .label = "screenshot", .act = screenshot, .flags = ACTION_RARE},
    {"copy-command", "c", "prints and copies the command line that makes this result",
     .asks = OF_REQUESTS(copy_command), .can = has_subject},
    {"copy-path", "Ctrl+Shift+F3", "prints and copies the path of the file", .asks = OF_REQUESTS(copy_path),
     .flags = ACTION_RARE | ACTION_THUMBNAIL, .can = has_subject},
    {"record", "Ctrl+F9", "records the window, draw by draw: a FOLDER/ of PNGs, FILE.apng, or FILE.mp4 by ffmpeg",
     .run = record, .doubts = replacing_doubts, .argument = &argument_recording,
     .flags = ACTION_RULE | ACTION_UNWRITTEN, .on = is_recording, .can = is_not_recording},
    {"stop-recording", "Ctrl+F10", "ends the recording", .act = stop_recording, .flags = ACTION_UNWRITTEN,
     .can = is_recording},
    {"before-and-after", "Ctrl+F11", "records the split as it moves over the picture and back", .run = record,
     .step = 1, .doubts = replacing_doubts, .argument = &argument_recording, .flags = ACTION_UNWRITTEN | ACTION_RARE,
     .can = is_not_recording},
    {"record-session", "F9", "writes your actions as a script that replays them; again ends that",
     .act = record_session, .flags = ACTION_UNWRITTEN | ACTION_RARE, .on = is_written},
    {"copy-image", "Ctrl+C", "copies the result as an image, for other programs to paste",
     .asks = OF_REQUESTS(copy_image), .flags = ACTION_CONTEXT, .menu = "Edit", .can = has_subject},
    {"paste", "Ctrl+V", "opens the path that was copied, or puts the text into the line that is typed",
     .asks = OF_REQUESTS(paste), .flags = ACTION_TYPING | ACTION_UNWRITTEN, .menu = "Edit"},
};

const Menu file_menu = {"File", rows, sizeof rows / sizeof rows[0]};
