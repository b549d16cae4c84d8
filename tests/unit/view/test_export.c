/* test_export.c: exports and recordings that would replace files: people are asked, and each answer does as it says. */
#include "app/backends.h"
#include "app/view/actions/dispatch.h"
#include "app/view/actions/question.h"
#include "app/view/session/strip.h"
#include "app/view/tools/export.h"
#include "core/base/file.h"

#include <sys/stat.h>

#include "tests/unit/view/fixture.h"

static int open_both(void **state) {
    Viewer *viewer = make_viewer("", "best");
    char *const paths[] = {"one.png", "two.png"};
    REQUIRE(viewer_open_all(viewer, paths, 2));
    REQUIRE(export_set(viewer, "format=ppm"));
    *state = viewer;
    return 0;
}

static void press(Viewer *viewer, const char *key) {
    REQUIRE(action_press(viewer, key, true));
    while (viewer->ui->asked_count > 0)
        REQUIRE(action_do_asked(viewer));
}

static void assert_file(const char *path, const char *begin) {
    char read[8] = "";
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_true(fread(read, 1, strlen(begin), file) == strlen(begin));
    fclose(file);
    assert_string_equal(read, begin);
}

static void exports_ask_before_they_replace(void **state) {
    Viewer *viewer = *state;
    write_text("one-export.ppm", "mine");
    press(viewer, "Ctrl+F5");
    assert_true(question_open(viewer) && !export_runs(viewer));
    assert_string_equal(viewer->ui->question.words, with_folder("“%s/one-export.ppm” already exists."));
    press(viewer, "Esc");
    assert_false(question_open(viewer) || export_runs(viewer));
    press(viewer, "Ctrl+F5");
    press(viewer, "Return");
    REQUIRE(export_await(viewer));
    assert_file("one-export.ppm", "mine");
    assert_file("one-export-1.ppm", "P6");
    press(viewer, "Ctrl+F5");
    press(viewer, "Right");
    press(viewer, "Return");
    REQUIRE(export_await(viewer));
    assert_file("one-export.ppm", "P6");
    assert_int_equal((Existing)export_choice(viewer)->existing, EXISTING_ASK); /* the answer was for that export */
}

static void exports_of_several_ask_once(void **state) {
    Viewer *viewer = *state;
    write_text("one-export.ppm", "mine");
    remove("two-export.ppm");
    REQUIRE(export_set(viewer, "pictures=unrejected"));
    press(viewer, "Ctrl+F5");
    assert_string_equal(viewer->ui->question.words,
                        with_folder("1 of 2 files already exist, the first is “%s/one-export.ppm”."));
    press(viewer, "s");
    REQUIRE(export_await(viewer));
    assert_file("one-export.ppm", "mine");
    assert_file("two-export.ppm", "P6");
    REQUIRE(export_set(viewer, "existing=replace")); /* the answer for all exports */
    press(viewer, "Ctrl+F5");
    assert_false(question_open(viewer));
    REQUIRE(export_await(viewer));
    assert_file("one-export.ppm", "P6");
}

/* Who exports over the picture that is open, or saves over a file, reads no option of the command line. */
static void refusals_are_for_people(void **state) {
    Viewer *viewer = *state;
    REQUIRE(export_set(viewer, "existing=replace"));
    REQUIRE(export_set(viewer, "format=png"));
    REQUIRE(export_set_name(viewer, "{stem}"));
    press(viewer, "Ctrl+F5");
    assert_int_equal(export_await(viewer), STATUS_INPUT);
    assert_string_equal(status_message(), with_folder("0 of 1 pictures are exported: %s/one.png: that is a file you "
                                                      "opened; choose another name"));
    write_text("taken.png", "mine");
    assert_int_equal(viewer_save_result(viewer, "taken.png", false), STATUS_USAGE);
    assert_string_equal(status_message(), "taken.png already exists; choose another name");
}

/* Who quits learns that files are missing, and may have them. */
static void quitting_asks_about_an_export(void **state) {
    Viewer *viewer = *state;
    remove("one-export.ppm");
    press(viewer, "Ctrl+F5");
    assert_true(export_runs(viewer));
    REQUIRE(action_press(viewer, "Ctrl+Q", true));
    assert_true(question_open(viewer) && !viewer->requests->quit);
    assert_true(strncmp(viewer->ui->question.words, "The export goes on: ", 20) == 0);
    press(viewer, "g");
    assert_false(question_open(viewer) || viewer->requests->quit);
    REQUIRE(export_await(viewer));
    assert_file("one-export.ppm", "P6");
    press(viewer, "Ctrl+Q");
    assert_true(viewer->requests->quit && !question_open(viewer));
    viewer->requests->quit = false;
    REQUIRE(export_set(viewer, "existing=replace"));
    press(viewer, "Ctrl+F5");
    REQUIRE(action_press(viewer, "Ctrl+Q", true));
    press(viewer, "s");
    assert_true(viewer->requests->quit);
}

/* The selected pictures are exported, or the shown one where none is selected. */
static void selected_pictures_are_exported(void **state) {
    Viewer *viewer = *state;
    REQUIRE(export_set(viewer, "pictures=selected:name=chosen-{stem}"));
    assert_int_equal(export_count(viewer), 1);
    REQUIRE(strip_select(viewer, "2"));
    assert_int_equal(export_count(viewer), 1);
    press(viewer, "Ctrl+F5");
    REQUIRE(export_await(viewer));
    assert_file("chosen-two.ppm", "P6");
    assert_int_not_equal(access("chosen-one.ppm", F_OK), 0);
    REQUIRE(strip_select(viewer, "all"));
    assert_int_equal(export_count(viewer), 2);
    REQUIRE(strip_select(viewer, "none"));
    press(viewer, "Ctrl+F5"); /* the shown one */
    REQUIRE(export_await(viewer));
    assert_file("chosen-one.ppm", "P6");
}

static void command(Viewer *viewer, const char *line) {
    REQUIRE(action_command(viewer, line, true));
}

static void assert_settings(const Viewer *viewer, const char *preset, const char *want) {
    char settings[512];
    (void)export_settings_text(export_settings(viewer), settings, sizeof settings);
    assert_string_equal(settings, want);
    assert_string_equal(export_preset(viewer), preset);
}

static void assert_text(const char *path, const char *want) {
    char *text;
    REQUIRE(file_read_text(path, &text));
    assert_string_equal(text, want);
    free(text);
}

#define PRESETS "own/glint/exports.txt"

/* A preset brings all settings back but which pictures, and what becomes of files that exist. */
static void presets_hold_settings(void **state) {
    Viewer *viewer = *state;
    char own[PATH_CAPACITY];
    assert_non_null(getcwd(own, sizeof own - 8));
    strcat(own, "/own");
    setenv("XDG_CONFIG_HOME", own, 1);
    assert_int_equal(export_use(viewer, "web"), STATUS_USAGE);
    command(viewer, "export-set format=jpg:quality=80:long=2048:pictures=unrejected:existing=skip:name={stem}:web");
    command(viewer, "save-export-preset web");
    assert_settings(viewer, "web", "format=jpg:quality=80:long=2048:name={stem}:web");
    command(viewer, "export-set pictures=this:existing=ask");
    assert_settings(viewer, "web", "format=jpg:quality=80:long=2048:name={stem}:web");
    command(viewer, "export-set format=ppm:sharpen=1");
    assert_settings(viewer, "", "format=ppm:long=2048:sharpen=1:name={stem}:web");
    command(viewer, "save-export-preset plain");
    assert_text(PRESETS, "web: format=jpg:quality=80:long=2048:name={stem}:web\n"
                         "plain: format=ppm:long=2048:sharpen=1:name={stem}:web\n");
    command(viewer, "export-set pictures=unrejected");
    command(viewer, "export-preset web");
    assert_settings(viewer, "web", "format=jpg:quality=80:long=2048:name={stem}:web");
    assert_int_equal((int)export_choice(viewer)->pictures, 2);

    /* The file may be written by hand: what is no preset of that name stays. */
    write_text(PRESETS, "# mine\n web : format=tiff:bits=16 \n\nother:format=png");
    command(viewer, "export-preset web");
    assert_settings(viewer, "web", "format=tiff:bits=16:name={stem}-export");
    command(viewer, "save-export-preset new-1");
    command(viewer, "save-export-preset web");
    command(viewer, "remove-export-preset other");
    assert_text(PRESETS, "# mine\nweb: format=tiff:bits=16:name={stem}-export\n\n"
                         "new-1: format=tiff:bits=16:name={stem}-export\n");
    assert_int_equal(action_command(viewer, "remove-export-preset other", true), STATUS_USAGE);
    assert_string_equal(status_message(), "no preset of exports is called \"other\"");
    assert_int_equal(action_command(viewer, "save-export-preset a b", true), STATUS_USAGE);
    write_text(PRESETS, "web: long=many\n");
    assert_int_equal(export_use(viewer, "web"), STATUS_USAGE);
    assert_settings(viewer, "web", "format=tiff:bits=16:name={stem}-export"); /* a failure changes nothing */
    write_text(PRESETS, "\nno colon\n");
    assert_int_equal(export_save(viewer, "web"), STATUS_USAGE);
    assert_non_null(strstr(status_message(), "exports.txt:2: want NAME: SETTINGS, as in web: format=jpg:quality=85"));
    assert_text(PRESETS, "\nno colon\n");
}

static void assert_first(const Viewer *viewer, const char *want) {
    char path[PATH_CAPACITY];
    (void)export_first(viewer, path, sizeof path);
    assert_string_equal(path, with_folder(want));
}

/* The picture lies in a folder, and the program was started elsewhere. */
static void files_go_next_to_their_picture(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(mkdir("sub", 0777), 0);
    save_random("sub/three.png", 8, 8, 3);
    REQUIRE(viewer_open(viewer, "sub/three.png"));
    assert_first(viewer, "%s/sub/three-export.ppm");
    command(viewer, "export-name out/{stem}");
    assert_first(viewer, "%s/sub/out/three.ppm");
    command(viewer, "export");
    assert_file("sub/out/three.ppm", "P6");
    assert_first(viewer, "%s/sub/out/three-1.ppm");
    assert_string_equal(viewer->toast.text, with_folder("Exported %s/sub/out/three.ppm"));

    /* A relative folder lies in the picture's, too; another one holds pictures of all folders. */
    command(viewer, "export-folder web");
    assert_first(viewer, "%s/sub/web/out/three.ppm");
    command(viewer, with_folder("export-folder %s/a{b}c"));
    assert_first(viewer, "%s/a{b}c/out/three.ppm");
    command(viewer, "export");
    assert_file("a{b}c/out/three.ppm", "P6");
    assert_settings(viewer, "", with_folder("format=ppm:folder=%s/a{b}c:name=out/{stem}"));
    setenv("HOME", with_folder("%s"), 1);
    command(viewer, "export-set folder=~/x:y/:name={stem}:z");
    assert_first(viewer, "%s/x:y/three:z.ppm");
    command(viewer, "export");
    assert_string_equal(viewer->toast.text, "Exported ~/x:y/three:z.ppm");
    command(viewer, "export-folder .");
    assert_settings(viewer, "", "format=ppm:name={stem}:z");
    assert_int_equal(export_set_name(viewer, "/tmp/{stem}"), STATUS_USAGE);
    assert_int_equal(export_set_name(viewer, "{name}"), STATUS_USAGE);
}

/* One of three pictures is rejected, and one has four stars. */
static void rejected_pictures_are_left_out(void **state) {
    Viewer *viewer = *state;
    static const size_t want[] = {1, 1, 2, 1, 1, 1, 1, 0};
    const char *word, *label;
    save_random("four.png", 8, 8, 4);
    REQUIRE(viewer_open(viewer, "four.png"));
    command(viewer, "picture 1");
    command(viewer, "rate 4");
    command(viewer, "picture 2");
    command(viewer, "rate rejected");
    command(viewer, "picture 3");
    for (int i = 0; export_choice_words(i, &word, &label); i++) {
        char line[64];
        assert_int_equal(export_means(viewer, i), want[i]);
        snprintf(line, sizeof line, "export-set pictures=%s", word);
        command(viewer, line);
        assert_int_equal(export_count(viewer), want[i]);
    }
    assert_int_equal(action_command(viewer, "export", true), STATUS_USAGE);
    command(viewer, "export-set pictures=unrejected:name=good-{stem}");
    command(viewer, "export");
    assert_file("good-one.ppm", "P6");
    assert_file("good-four.ppm", "P6");
    assert_int_not_equal(access("good-two.ppm", F_OK), 0);
    command(viewer, "export-set pictures=4");
    assert_first(viewer, "%s/good-one-1.ppm");
}

/* Files have names of their own while an export goes on; the next export's name is told when it could begin. */
static void the_file_that_is_written_is_told(void **state) {
    Viewer *viewer = *state;
    remove("one-export.ppm");
    assert_null(export_progress(viewer).path);
    command(viewer, "filter nlmeans");
    press(viewer, "Ctrl+F5");
    for (ExportProgress now = export_progress(viewer); now.goes_on; now = export_progress(viewer)) {
        if (now.path)
            assert_string_equal(now.path, with_folder("%s/one-export.ppm"));
        if (now.done == now.count)
            REQUIRE(export_await(viewer));
    }
    const ExportProgress last = export_progress(viewer);
    assert_string_equal(last.path, with_folder("%s/one-export.ppm"));
    assert_true(last.done == 1 && last.count == 1);
}

/* The file of presets was read and replaced: a new file that gets its place on the disk is none that was opened. */
static void recordings_ask_before_they_replace(void **state) {
    Viewer *viewer = *state;
    WindowRequests *requests = viewer->requests;
    write_text("film.apng", "mine");
    REQUIRE(action_command(viewer, "record film.apng", false));
    assert_true(question_open(viewer) && !requests->record[0]);
    press(viewer, "Esc");
    assert_true(!question_open(viewer) && !requests->record[0]);
    REQUIRE(action_command(viewer, "before-and-after film.apng", false));
    press(viewer, "Right");
    press(viewer, "Return");
    assert_string_equal(requests->record, "film.apng");
    assert_true(requests->replaces && requests->wipe);
    REQUIRE(action_command(viewer, "record other.apng", false));
    assert_string_equal(requests->record, "other.apng");
    assert_false(requests->replaces || requests->wipe);
    requests->record[0] = '\0';
    assert_int_equal(mkdir("films", 0777), 0);
    write_text("films/frame-000001.png", "mine");
    REQUIRE(action_command(viewer, "record films/", false));
    assert_true(question_open(viewer) && !requests->record[0]);
    press(viewer, "Return");
    assert_true(viewer->typing);
    assert_string_equal(viewer->entry, "films-1/");
    press(viewer, "Esc");
}

static int prepare(void **state) {
    return backends_register() == STATUS_OK ? make_folder(state) : -1;
}

static int clean(void **state) {
    return system(
               "rm -rf *-export*.ppm chosen-*.ppm good-*.ppm own films film.apng taken.png sub 'a{b}c' x:y four.png") !=
               0 ||
           remove_folder(state);
}

#define WITH_BOTH(test) cmocka_unit_test_setup_teardown(test, open_both, close_viewer)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_BOTH(exports_ask_before_they_replace),  WITH_BOTH(exports_of_several_ask_once),
        WITH_BOTH(refusals_are_for_people),          WITH_BOTH(quitting_asks_about_an_export),
        WITH_BOTH(selected_pictures_are_exported),   WITH_BOTH(presets_hold_settings),
        WITH_BOTH(files_go_next_to_their_picture),   WITH_BOTH(rejected_pictures_are_left_out),
        WITH_BOTH(the_file_that_is_written_is_told), WITH_BOTH(recordings_ask_before_they_replace),
    };
    return cmocka_run_group_tests(tests, prepare, clean);
}
