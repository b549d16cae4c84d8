/* test_closing.c: Esc, from the top down, and quitting. */
#include "app/backends.h"
#include "app/view/actions/dispatch.h"
#include "app/view/actions/question.h"
#include "app/view/tools/every_tool.h"
#include "core/base/stop.h"

#include "tests/unit/view/fixture.h"

/* It never ends the program: the last one only says how to. */
static void escape_closes_what_is_on_top_and_ends_nothing(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(action_press(viewer, "h", true), STATUS_OK);
    assert_true(viewer->help);
    assert_int_equal(action_press(viewer, "esc", true), STATUS_OK);
    assert_false(viewer->help || viewer->requests->quit);
    assert_int_equal(action_press(viewer, "s", true), STATUS_OK);
    assert_int_equal(action_press(viewer, "q", true), STATUS_USAGE); /* a key of nothing */
    assert_int_equal(action_press(viewer, "Esc", true), STATUS_OK);
    assert_true(viewer->compare == COMPARE_NONE && !viewer->requests->quit);
    viewer->menu = true; /* as the panels say when one is open */
    assert_int_equal(action_press(viewer, "Down", true), STATUS_OK);
    assert_string_equal(viewer->request->level, "best");
    assert_int_equal(action_press(viewer, "Esc", true), STATUS_OK);
    assert_false(viewer->menu || viewer->requests->quit);
    viewer->full_screen = viewer->recording = true; /* as the window says */
    assert_int_equal(action_press(viewer, "Esc", true), STATUS_OK);
    assert_true(viewer->requests->toggle_fullscreen && !viewer->requests->stop_recording);
    viewer->full_screen = false;
    assert_int_equal(action_press(viewer, "Esc", true), STATUS_OK);
    assert_true(viewer->requests->stop_recording);
    viewer->recording = false;
    viewer->toast.text[0] = '\0';
    for (int i = 0; i < 3; i++) {
        assert_int_equal(action_press(viewer, "Esc", true), STATUS_OK);
        assert_string_equal(viewer->toast.text, i == 0 ? "Ctrl+Q quits" : "");
        viewer->toast.text[0] = '\0';
        assert_false(viewer->requests->quit);
    }
}

/* The run that hands have stopped waits for a change; asking for the same again is one, too. */
static void escape_stops_a_run(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_chain(viewer, "median=9", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_set_level(viewer, "reference"), STATUS_OK);
    atomic_store(&viewer->session->stop->asked, true); /* as the window does while an event waits */
    assert_true(viewer_work(viewer));
    atomic_store(&viewer->session->stop->asked, false);
    assert_true(viewer->session->stale);
    assert_int_equal(action_press(viewer, "Esc", true), STATUS_OK);
    assert_true(strncmp(viewer->toast.text, "stopped reference", 17) == 0);
    assert_true(viewer->session->stale && viewer_expected_ms(viewer) == 0);
    while (viewer_work(viewer))
        assert_true(viewer->session->stale);
    assert_int_equal(viewer_set_level(viewer, "reference"), STATUS_OK);
    assert_true(viewer_work(viewer));
    assert_false(viewer->session->stale);
}

/* Quitting asks where a chain would be lost, and only hands are asked. */
static void quitting_asks_about_edits(void **state) {
    Viewer *viewer = *state;
    assert_false(viewer_has_unsaved_edits(viewer));
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_NONE), STATUS_OK);
    assert_true(viewer_has_unsaved_edits(viewer));
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_false(viewer_has_unsaved_edits(viewer));
    assert_int_equal(viewer_redo(viewer), STATUS_OK);
    assert_int_equal(action_press(viewer, "Ctrl+Q", true), STATUS_OK);
    assert_true(question_open(viewer) && !viewer->requests->quit);
    assert_int_equal(action_press(viewer, "s", false), STATUS_OK);
    assert_int_equal(action_press(viewer, "x", true),
                     STATUS_OK); /* no answer begins so, and nothing beneath hears it */
    assert_true(question_open(viewer) && !inspector_view(viewer)->open);
    assert_int_equal(action_press(viewer, "c", true), STATUS_OK); /* Cancel */
    assert_false(question_open(viewer) || viewer->requests->quit || viewer->requests->copy_command);
    assert_int_equal(action_press(viewer, "Ctrl+Q", true), STATUS_OK);
    assert_int_equal(action_press(viewer, "Return", true), STATUS_OK); /* Save */
    assert_true(viewer->typing && !question_open(viewer) && viewer->ui->entry_for == action_by_name("save-and-quit"));
    assert_int_equal(action_press(viewer, "Esc", true), STATUS_OK);
    assert_int_equal(action_press(viewer, "Ctrl+Q", true), STATUS_OK);
    assert_int_equal(action_press(viewer, "Ctrl+Q", true), STATUS_OK);
    assert_true(viewer->requests->quit);
    viewer->requests->quit = false;
    assert_int_equal(viewer_save_result(viewer, "saved.png", true), STATUS_OK);
    assert_int_equal(remove("saved.png"), 0);
    assert_false(viewer_has_unsaved_edits(viewer));
    assert_int_equal(viewer_set_chain(viewer, "invert,sharpen", FALLBACK_NONE), STATUS_OK);
    question_drop(viewer);
    assert_int_equal(action_command(viewer, "quit", true), STATUS_OK); /* a script */
    assert_true(viewer->requests->quit);
}

static bool asks(Viewer *viewer, const char *words) {
    question_drop(viewer);
    assert_int_equal(action_press(viewer, "Ctrl+Q", true), STATUS_OK);
    const bool asked = question_open(viewer) && strcmp(viewer->ui->question.words, words) == 0;
    if (!asked)
        print_message("asks: %s\n", viewer->ui->question.words);
    viewer->requests->quit = false;
    return asked;
}

static bool loses_a_scene(const Viewer *viewer) {
    return viewer_unsaved_scene(viewer) != NULL;
}

/* Objects, light, count and seed are work; from where it is looked at is none. A picture of it keeps none of them. */
static void quitting_asks_about_a_changed_scene(void **state) {
    Viewer *viewer = *state;
    viewer_resize(viewer, 64, 48);
    assert_int_equal(viewer_set_chain(viewer, "", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_open_scene(viewer, "spheres=seed=3"), STATUS_OK);
    assert_int_equal(viewer_switch_camera(viewer), STATUS_OK);
    viewer_orbit(viewer, 20, 5);
    assert_int_equal(viewer_set_look(viewer, LOOK_PATHS), STATUS_OK);
    assert_false(loses_a_scene(viewer) || viewer_has_unsaved_edits(viewer));
    assert_int_equal(viewer_change_scene(viewer, "spheres=count=9"), STATUS_OK);
    assert_true(asks(viewer, "The changes of the scene spheres=seed=3 are not saved."));
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_false(loses_a_scene(viewer));
    assert_int_equal(viewer_change_scene(viewer, "sphere=21:radius=30"), STATUS_OK);
    assert_int_equal(viewer_save_result(viewer, "saved.png", true), STATUS_OK);
    assert_int_equal(remove("saved.png"), 0);
    assert_true(loses_a_scene(viewer));
    assert_int_equal(viewer_save_scene(viewer, "saved.scene", true), STATUS_OK);
    assert_int_equal(remove("saved.scene"), 0);
    assert_false(loses_a_scene(viewer));
    assert_int_equal(viewer_change_scene(viewer, "sphere=21:x=30"), STATUS_OK);
    assert_true(loses_a_scene(viewer));
    assert_int_equal(viewer_reload(viewer), STATUS_OK);
    assert_true(loses_a_scene(viewer));
    assert_int_equal(viewer_reset_scene(viewer, NULL, 0), STATUS_OK);
    assert_false(loses_a_scene(viewer));
}

/* A scene that was left is asked about, too. Its changes come back with it; and what it has besides is asked about. */
static void scenes_that_were_left_are_kept(void **state) {
    Viewer *viewer = *state;
    viewer_resize(viewer, 64, 48);
    write_text("left.scene", "glint-scene 2\nsphere 0 0 0 9 1 1 1\n");
    assert_int_equal(viewer_open_scene(viewer, "left.scene"), STATUS_OK);
    assert_int_equal(viewer_change_scene(viewer, "sphere=1:x=7"), STATUS_OK);
    assert_int_equal(viewer_open_scene(viewer, "spheres"), STATUS_OK);
    assert_int_equal(viewer_change_scene(viewer, "sphere=1:blue=1"), STATUS_OK);
    assert_int_equal(viewer_show(viewer, SUBJECT_PICTURE), STATUS_OK);
    assert_true(asks(viewer, "The changes of the scene spheres are not saved."));
    assert_int_equal(action_press(viewer, "S", true), STATUS_OK); /* Save scene */
    assert_string_equal(viewer_title(viewer), "spheres,sphere=1:blue=1");
    assert_true(viewer->typing && viewer->ui->entry_for == action_by_name("save-scene-and-quit"));
    assert_string_equal(viewer->entry, "spheres-changed.scene");
    assert_int_equal(action_press(viewer, "Return", true), STATUS_OK);
    assert_false(viewer->requests->quit);
    assert_string_equal(viewer->ui->question.words, "The changes of the scene left.scene are not saved.");
    assert_int_equal(action_press(viewer, "Return", true), STATUS_OK);
    assert_string_equal(viewer_title(viewer), "left.scene,sphere=1:x=7");
    assert_int_equal(action_press(viewer, "Return", true), STATUS_OK);
    assert_true(viewer->requests->quit || question_open(viewer));
    assert_null(viewer_unsaved_scene(viewer));
    assert_int_equal(remove("left-changed.scene") + remove("spheres-changed.scene") + remove("left.scene"), 0);
}

/* The order in which Esc closes what is open: the page before all else, then from the picture to the column. */
static void escape_closes_from_the_top(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_chain(viewer, "crop", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(action_press(viewer, "H", true), STATUS_OK);
    assert_int_equal(action_press(viewer, "x", true), STATUS_OK);
    viewer->editing = viewer->edits_listed = true;
    assert_int_equal(handles_toggle(viewer), STATUS_OK);
    machine_page_toggle(viewer);
    for (int closed = 0; closed <= 6; closed++) {
        assert_int_equal(machine_page_open(viewer), closed < 1);
        assert_int_equal(handles_on(viewer), closed < 2);
        assert_int_equal(viewer->editing, closed < 3);
        assert_int_equal(inspector_view(viewer)->open, closed < 4);
        assert_int_equal(histogram_choices(viewer)->open, closed < 5);
        assert_int_equal(viewer->edits_listed, closed < 6);
        assert_int_equal(action_press(viewer, "Esc", true), STATUS_OK);
    }
    assert_false(viewer->requests->quit);
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {WITH_VIEWER(escape_closes_what_is_on_top_and_ends_nothing),
                                       WITH_VIEWER(escape_stops_a_run),
                                       WITH_VIEWER(quitting_asks_about_edits),
                                       WITH_VIEWER(quitting_asks_about_a_changed_scene),
                                       WITH_VIEWER(scenes_that_were_left_are_kept),
                                       WITH_VIEWER(escape_closes_from_the_top)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
