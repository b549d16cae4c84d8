/* test_scene_folder.c: folders that have scenes, too. */
#include "app/backends.h"
#include "app/view/actions/dispatch.h"
#include "app/view/session/strip.h"
#include "app/view/tools/every_tool.h"

#include "tests/unit/view/fixture.h"

#include <sys/stat.h>

static const char scene[] = "glint-scene 2\nsphere 500 0 0 300 1 0 0\nsphere 0 0 0 300 0 1 0\n";

static Viewer *open_mixed(void) {
    Viewer *viewer = make_viewer("", "best");
    (void)mkdir("mixed", 0777);
    save_random("mixed/b.png", 9, 8, 1);
    save_random("mixed/d.png", 7, 6, 2);
    write_text("mixed/a.scene", scene);
    write_text("mixed/c.xyz", "2\nwater\nO 0 0 0\nH 0 0 1\n");
    write_text("mixed/e.txt", "no picture");
    assert_int_equal(viewer_open(viewer, "mixed"), STATUS_OK);
    return viewer;
}

static bool shows_file(const Viewer *viewer, const char *path) {
    return strcmp(viewer_title(viewer), path) == 0 && viewer_shows_listed(viewer);
}

/* In the order of their names; steps go through both kinds, and around. */
static void scenes_stand_among_pictures(void **state) {
    static const char *const order[] = {"mixed/a.scene", "mixed/b.png", "mixed/c.xyz", "mixed/d.png", "mixed/a.scene"};
    Viewer *viewer = open_mixed();
    (void)state;
    assert_int_equal(viewer->pictures.count, 4);
    for (size_t i = 0; i < 5; i++) {
        assert_true(shows_file(viewer, order[i]));
        assert_int_equal(viewer->pictures.current, i % 4);
        assert_int_equal(viewer_scene(viewer) != NULL, i % 2 == 0);
        assert_int_equal(action_press(viewer, "Right", true), STATUS_OK);
    }
    assert_int_equal(action_command(viewer, "picture 3", true), STATUS_OK);
    assert_true(shows_file(viewer, "mixed/c.xyz"));
    viewer_destroy(&viewer);
}

/* A scene that is changed is still the list's; one that was opened apart is not, and has no neighbours. */
static void a_changed_scene_keeps_its_place(void **state) {
    Viewer *viewer = open_mixed();
    (void)state;
    assert_int_equal(viewer_change_scene(viewer, "sphere=1:red=0.5"), STATUS_OK);
    assert_true(viewer_shows_listed(viewer));
    assert_int_equal(action_press(viewer, "Left", true), STATUS_OK);
    assert_true(shows_file(viewer, "mixed/d.png"));
    assert_int_equal(action_press(viewer, "Right", true), STATUS_OK);
    assert_int_equal(viewer_open_scene(viewer, "spheres=count=9"), STATUS_OK);
    assert_false(viewer_shows_listed(viewer));
    assert_int_equal(viewer_step_picture(viewer, 1), STATUS_USAGE);
    viewer_destroy(&viewer);
}

/* Exports, selections and second pictures are of pictures alone. */
static void scenes_are_no_pictures(void **state) {
    Viewer *viewer = open_mixed();
    (void)state;
    assert_int_equal(strip_select(viewer, "all"), STATUS_OK);
    assert_int_equal(strip_selection(viewer), 2);
    assert_int_equal(strip_select(viewer, "none"), STATUS_OK);
    assert_int_equal(export_set(viewer, "pictures=unrejected:format=png"), STATUS_OK);
    assert_int_equal(export_count(viewer), 2);
    assert_int_equal(action_press(viewer, "Right", true), STATUS_OK);
    assert_int_equal(export_begin(viewer), STATUS_OK);
    assert_int_equal(export_await(viewer), STATUS_OK);
    assert_non_null(strstr(viewer->toast.text, "Exported 2 pictures"));
    assert_int_equal(remove("mixed/b-export.png"), 0);
    assert_int_equal(remove("mixed/d-export.png"), 0);
    viewer_destroy(&viewer);
}

static void a_folder_without_either_says_so(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_open(viewer, "empty"), STATUS_INPUT);
    assert_string_equal(status_message(), "empty: no pictures or scenes in this folder");
}

static int remove_all(void **state) {
    static const char *const names[] = {"mixed/a.scene", "mixed/b.png", "mixed/c.xyz", "mixed/d.png", "mixed/e.txt"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        remove(names[i]);
    rmdir("mixed");
    return remove_folder(state);
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_stand_among_pictures),
        cmocka_unit_test(a_changed_scene_keeps_its_place),
        cmocka_unit_test(scenes_are_no_pictures),
        WITH_VIEWER(a_folder_without_either_says_so),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_all);
}
