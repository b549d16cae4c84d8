/* quitting.c: the end of the program, and questions about what it would lose; the rows are at the bottom. */
#include "app/view/actions/menus/menus.h"

#include "app/view/actions/dispatch.h"
#include "app/view/actions/menus/choosing.h"
#include "app/view/actions/menus/replacing.h"
#include "app/view/actions/question.h"
#include "app/view/session/paths.h"

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

static const Answer about_edits[] = {{"Save", begin_save}, {"Quit anyway", quit_anyway}, {"Cancel", NULL}};
static const Answer about_scene[] = {{"Save scene", begin_save_scene}, {"Quit anyway", quit_anyway}, {"Cancel", NULL}};
enum { ANSWERS = sizeof about_edits / sizeof about_edits[0] };

static const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Said twice, it is meant. */
static bool doubts_quitting(Viewer *viewer, const Action *action, const char *text) {
    const Answer *asked = question_open(viewer) ? viewer->ui->question.answers : NULL;
    const SceneWork *scene = viewer_unsaved_scene(viewer);
    char name[SCENE_TEXT_MAX] = "";
    (void)action, (void)text;
    if (asked == about_edits || asked == about_scene || !(scene || viewer_has_unsaved_edits(viewer)))
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
    {"quit", "Ctrl+Q", "ends the program; asks before, if edits are not saved", .doubts = doubts_quitting,
     .asks = OF_REQUESTS(quit), .flags = ACTION_RULE | ACTION_TYPING},
};

const Menu quitting_menu = {"File", rows, sizeof rows / sizeof rows[0]};
