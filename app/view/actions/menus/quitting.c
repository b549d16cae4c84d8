/* quitting.c: the end of the program, and questions about what it would lose; the rows are at the bottom. */
#include "app/view/actions/menus/menus.h"

#include "app/view/actions/dispatch.h"
#include "app/view/actions/menus/choosing.h"
#include "app/view/actions/menus/replacing.h"
#include "app/view/actions/question.h"
#include "app/view/session/paths.h"
#include "app/view/tools/export.h"
#include "app/view/tools/save_after.h"

#include <stdio.h>
#include <string.h>

static Status begin_save(Viewer *viewer) {
    viewer_begin_entry(viewer, action_by_name("save-and-quit"));
    return STATUS_OK;
}

/* Shows the scene, which another one or a picture may hide, before its name is asked for. */
static Status begin_save_scene(Viewer *viewer) {
    const SceneWork *work = viewer_unsaved_scene(viewer);
    char opened[SCENE_TEXT_MAX];
    if (!work)
        return STATUS_OK;
    snprintf(opened, sizeof opened, "%s", work->opened);
    if (!viewer_scene(viewer) || strcmp(viewer->request->opened, opened) != 0)
        TRY(viewer_open_scene(viewer, opened));
    viewer_begin_entry(viewer, action_by_name("save-scene-and-quit"));
    return STATUS_OK;
}

static Status quit_anyway(Viewer *viewer) {
    viewer->requests->quit = true;
    return STATUS_OK;
}

static Status quit_from_work(Viewer *viewer);

static const Answer about_edits[] = {{"Save", begin_save}, {"Quit anyway", quit_anyway}, {"Cancel", NULL}};
static const Answer about_scene[] = {{"Save scene", begin_save_scene}, {"Quit anyway", quit_anyway}, {"Cancel", NULL}};
enum { ANSWERS = sizeof about_edits / sizeof about_edits[0] };
static const Answer about_work[] = {{"Stop and quit", quit_from_work}, {"Go on", NULL}};

static const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Asks about files that are not written yet: of an export, or of a scene that gathers samples. False where none is. */
static bool ask_about_work(Viewer *viewer) {
    const ExportProgress export = export_progress(viewer);
    const size_t answers = sizeof about_work / sizeof about_work[0];
    SaveProgress save;
    if (export.goes_on)
        question_ask(viewer, about_work, answers, "The export goes on: not all of its %zu files are written.",
                     export.count);
    else if (save_after_waits(viewer, &save))
        question_ask(viewer, about_work, answers, "%.200s is not saved yet: its %u samples are being gathered.",
                     file_name(save.path), save.samples);
    else
        return false;
    return true;
}

/* Asks about edits that nobody saved; false where there are none. */
static bool ask_about_edits(Viewer *viewer) {
    const SceneWork *scene = viewer_unsaved_scene(viewer);
    char name[SCENE_TEXT_MAX] = "";
    if (!scene && !viewer_has_unsaved_edits(viewer))
        return false;
    if (scene) {
        question_ask(viewer, about_scene, ANSWERS, "The changes of the scene %.200s are not saved.",
                     scene_text_name(scene->opened, name));
        return true;
    }
    (void)subject_file(viewer->session->subject, name, sizeof name);
    question_ask(viewer, about_edits, ANSWERS, "The edits of %.200s are not saved.", file_name(name));
    return true;
}

static Status quit_from_work(Viewer *viewer) {
    viewer->requests->quit = !ask_about_edits(viewer);
    return STATUS_OK;
}

/* Said twice, it is meant. */
static bool doubts_quitting(Viewer *viewer, const Action *action, const char *text) {
    const Answer *asked = question_open(viewer) ? viewer->ui->question.answers : NULL;
    (void)action, (void)text;
    if (asked == about_edits || asked == about_scene)
        return false;
    return (asked != about_work && ask_about_work(viewer)) || ask_about_edits(viewer);
}

/* Whatever is unsaved besides is asked about. */
static Status quit_behind(Viewer *viewer, Status saved) {
    TRY(saved);
    if (viewer->scripted || !doubts_quitting(viewer, NULL, NULL))
        viewer->requests->quit = true;
    return STATUS_OK;
}

static Status save_and_quit(Viewer *viewer, const char *text) {
    char path[PATH_CAPACITY];
    return quit_behind(viewer,
                       viewer_save_result(viewer, path_expand(text, path, sizeof path), replacing_may(viewer, text)));
}

static Status save_scene_and_quit(Viewer *viewer, const char *text) {
    char path[PATH_CAPACITY];
    return quit_behind(viewer,
                       viewer_save_scene(viewer, path_expand(text, path, sizeof path), replacing_may(viewer, text)));
}

static const Action rows[] = {
    {"save-and-quit", "Ctrl+Shift+Q", "saves the result in a file that you name, and ends the program",
     .take = save_and_quit, .doubts = replacing_doubts, .argument = &argument_result_file,
     .flags = ACTION_RULE | ACTION_RARE},
    {"save-scene-and-quit", "Ctrl+F6", "saves the scene with its changes, and ends the program", .place = IN_SCENES,
     .take = save_scene_and_quit, .doubts = replacing_doubts, .argument = &argument_scene_file, .flags = ACTION_RARE},
    {"quit", "Ctrl+Q", "ends the program; asks before, if edits are not saved or an export goes on",
     .doubts = doubts_quitting, .asks = OF_REQUESTS(quit), .flags = ACTION_RULE | ACTION_TYPING},
};

const Menu quitting_menu = {"File", rows, sizeof rows / sizeof rows[0]};
