/* test_viewer_scripts.c: scripts, and files that the window writes. */
#include "app/backends.h"
#include "app/view/actions/script.h"
#include "core/base/file.h"
#include "core/codec/save.h"

#include "tests/unit/view/fixture.h"

static bool same_file(const char *a, const char *b) {
    Bytes left = {0}, right = {0};
    assert_int_equal(file_read(a, &left), STATUS_OK);
    assert_int_equal(file_read(b, &right), STATUS_OK);
    const bool same = left.size == right.size && memcmp(left.data, right.data, left.size) == 0;
    bytes_free(&left);
    bytes_free(&right);
    return same;
}

/* A host without a window that counts its requests. */
typedef struct Counts {
    Viewer *viewer;
    int draws, screenshots, serves, drags, ways;
    MouseWay way; /* the last */
    double rested;
} Counts;

static Status count_draw(void *self) {
    return ((Counts *)self)->draws++, STATUS_OK;
}

static Status count_screenshot(void *self, const char *path) {
    (void)path;
    return ((Counts *)self)->screenshots++, STATUS_OK;
}

static Status count_serve(void *self) {
    return ((Counts *)self)->serves++, STATUS_OK;
}

static Status resize(void *self, int width, int height) {
    viewer_resize(((Counts *)self)->viewer, width, height);
    return STATUS_OK;
}

static Status drag(void *self, const char *param, double from, double to, int steps) {
    assert_string_equal(param, "sigma");
    assert_true(near(from, 0.2) && near(to, 0.45) && steps == 60);
    return ((Counts *)self)->drags++, STATUS_OK;
}

static Status work_at_once(void *self, ViewerTask *task, void *argument) {
    return task(((Counts *)self)->viewer, argument);
}

static Status move_mouse(void *self, MouseWay way) {
    Counts *counts = self;
    counts->ways++;
    counts->way = way;
    return STATUS_OK;
}

static Status rest(void *self, double ms) {
    ((Counts *)self)->rested += ms;
    return STATUS_OK;
}

static Status run_script(Viewer *viewer, const char *text, Counts *counts) {
    *counts = (Counts){.viewer = viewer};
    const ScriptHost host = {counts, count_draw,   count_screenshot, resize, count_serve,
                             drag,   work_at_once, move_mouse,       rest};
    write_text("script.txt", text);
    return script_run(viewer, &host, "script.txt");
}

static void script_runs_line_by_line(void **state) {
    Viewer *viewer = *state;
    Counts counts;
    assert_int_equal(
        run_script(
            viewer,
            "# a comment\n\n  open two.png  \r\nfilter laplacian\nlevel naive\nborder constant=12\n"
            "backend cpu\nroute copy\nsize 300x200\nframes 3\ndrag sigma 20 45 60\nwait 0.25\npointer 3 4\nmark 5 6 70 "
            "80.5\nkey s\nscreenshot a.png\ntimings t.json\n"
            "frame f.png\nquit\nnonsense behind the end\n",
            &counts),
        STATUS_OK);
    assert_int_equal(counts.draws, 3);
    assert_int_equal(counts.drags, 1);
    assert_int_equal(counts.ways, 2);
    assert_true(near(counts.rested, 250));
    assert_true(near(counts.way.from_y, 6) && near(counts.way.y, 80.5) && counts.way.presses && counts.way.control);
    assert_int_equal(counts.screenshots, 1);
    assert_int_equal(counts.serves, 8); /* after each action */
    assert_int_equal(viewer->width, 300);
    assert_true(viewer->requests->quit && viewer->compare == COMPARE_SPLIT);
    assert_string_equal(viewer_title(viewer), "two.png");
    assert_true(near((double)viewer->request->options.border.value, 12));
    write_image("want.png", viewer->session->result);
    assert_true(same_file("f.png", "want.png"));
    assert_int_equal(access("t.json", R_OK), 0);
    remove("f.png");
    remove("want.png");
    remove("t.json");
}

static void script_names_the_line_that_fails(void **state) {
    static const struct {
        const char *text, *message;
        Status status;
    } cases[] = {
        {"\nfiltre sobel\n", "script.txt:2: no command \"filtre\"; did you mean \"filter\"?", STATUS_USAGE},
        {"filter sobel\nlevel\n", "script.txt:2: want level NAME", STATUS_USAGE},
        {"quit now\n", "script.txt:1: quit takes nothing behind it", STATUS_USAGE},
        {"frames 1.5\n", "script.txt:1: frames \"1.5\"", STATUS_USAGE},
        {"frames 0\n", "script.txt:1: frames \"0\"", STATUS_USAGE},
        {"drag sigma 20 40\n", "script.txt:1: drag \"sigma 20 40\", want PARAM FROM TO STEPS", STATUS_USAGE},
        {"drag sigma 20 140 9\n", "script.txt:1: drag \"sigma 20 140 9\"", STATUS_USAGE},
        {"click 20\n", "script.txt:1: \"20\", want X Y or X Y right in pixels", STATUS_USAGE},
        {"mark 2 3 4 5 right\n", "script.txt:1: \"2 3 4 5 right\", want X Y X Y in pixels", STATUS_USAGE},
        {"size 9\n", "script.txt:1: ", STATUS_USAGE},
        {"key `\n", "script.txt:1: key ` does nothing here", STATUS_USAGE},
        {"open missing.png", "script.txt:1: missing.png: ", STATUS_INPUT},
        {"level fastest", "script.txt:1: level \"fastest\"", STATUS_USAGE},
        {"route bus", "script.txt:1: route \"bus\": from the cpu backend, want copy", STATUS_USAGE},
        {"frame f.psd", "script.txt:1: f.psd: PSD is read, but not written", STATUS_INPUT},
        {"frame one.png", "script.txt:1: one.png: that is a file you opened; choose another name", STATUS_USAGE},
        {"timings ./one.png", "script.txt:1: one.png is an input", STATUS_USAGE},
        {"timings script.txt", "script.txt:1: script.txt is an input", STATUS_USAGE},
        {"scene cubes", "script.txt:1: ", STATUS_INPUT},
    };
    Counts counts;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Status status = run_script(*state, cases[i].text, &counts);
        if (strncmp(status_message(), cases[i].message, strlen(cases[i].message)) != 0)
            print_error("%s\n", status_message());
        assert_memory_equal(status_message(), cases[i].message, strlen(cases[i].message));
        assert_int_equal(status, cases[i].status);
    }
}

static void nothing_open_is_not_a_crash(void **state) {
    (void)state;
    Viewer *viewer = make_viewer("", "best");
    Counts counts;
    viewer->mode = MODE_SPEED;
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_false(viewer_work(viewer));
    assert_string_equal(viewer_title(viewer), "");
    assert_int_equal(
        run_script(viewer, "frames 2\nkey +\nkey f\nkey r\nkey m\nscreenshot x.png\ntimings t.json\n", &counts),
        STATUS_OK);
    assert_int_equal(run_script(viewer, "frame f.png\n", &counts), STATUS_USAGE);
    assert_int_equal(run_script(viewer, "key F5\n", &counts), STATUS_USAGE);
    remove("t.json");
    viewer_destroy(&viewer);
}

/* EXR holds colours times alpha, and light where alpha is 0: so it is saved, mirrored here. */
static void light_without_a_surface_is_saved(void **state) {
    static const float stored[] = {5, 3, 1, 0, 0.5f, 0.25f, 0.125f, 0.5f};
    static const float mirrored[] = {0.5f, 0.25f, 0.125f, 0.5f, 5, 3, 1, 0};
    Viewer *viewer = *state;
    Image *image = NULL;
    if (format_by_name("exr")->lacks)
        skip();
    REQUIRE(image_create((Shape){2, 1, 4, PIXEL_F32}, &image));
    memcpy(image->view.pixels, stored, sizeof stored);
    image->premultiplied = true;
    REQUIRE(output_save_picture("fire.exr", (OutputRules){.writer = "test"}, image, (SaveOptions){0}));
    image_destroy(&image);
    REQUIRE(viewer_set_chain(viewer, "flip", FALLBACK_NONE));
    REQUIRE(viewer_open(viewer, "fire.exr"));
    REQUIRE(viewer_save_result(viewer, "saved.exr", false));
    REQUIRE(codec_load("saved.exr", &image));
    assert_true(image->premultiplied);
    assert_memory_equal(image->view.pixels, mirrored, sizeof mirrored);
    image_destroy(&image);
    remove("fire.exr");
    remove("saved.exr");
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        WITH_VIEWER(light_without_a_surface_is_saved),
        WITH_VIEWER(script_runs_line_by_line),
        WITH_VIEWER(script_names_the_line_that_fails),
        cmocka_unit_test(nothing_open_is_not_a_crash),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
