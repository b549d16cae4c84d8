/* test_develop.c: the JPEG within a RAW file stands in for its picture until that is developed. */
#include "app/backends.h"
#include "app/view/session/stand_in.h"
#include "app/view/tools/develop.h"
#include "app/view/ui/gallery.h"
#include "core/base/file.h"

#include "tests/unit/view/fixture.h"

enum { RAW_WIDTH = 32, RAW_HEIGHT = 24 }; /* of raw-stands.dng, whose JPEG is half as wide */

static void copy_sample(const char *name, size_t bytes) {
    char path[512];
    Bytes file;
    snprintf(path, sizeof path, GLINT_SOURCE_DIR "/tests/formats/%s", name);
    assert_int_equal(file_read(path, &file), STATUS_OK);
    file.size = bytes > 0 ? bytes : file.size;
    write_bytes("a.dng", file);
    bytes_free(&file);
}

static bool is_raw_read(void) {
    return !format_by_name("raw")->lacks;
}

/* The picture of a.dng, developed by itself. */
static Image *developed(const char *words) {
    RawWay raw;
    FilePart part;
    Image *image;
    assert_int_equal(raw_way_parse("--raw", words, &raw), STATUS_OK);
    assert_int_equal(codec_load_part("a.dng", raw, &part, &image), STATUS_OK);
    return image;
}

static bool shows_developed(const Viewer *viewer, const char *words) {
    const Subject *subject = viewer->session->subject;
    Image *want = developed(words);
    const ImageView got = subject->picture->view;
    const bool same =
        shape_equal(got.shape, want->view.shape) && memcmp(got.pixels, want->view.pixels, shape_bytes(got.shape)) == 0;
    image_destroy(&want);
    return same && !subject->stands_in;
}

/* Once the thread is ready, as the window's loop has it. */
static void await_by_passes(Viewer *viewer) {
    for (int i = 0; i < 20000 && !viewer_asks(viewer); i++) {
        tools_go_on(viewer, clock_ms());
        usleep(1000);
    }
    assert_true(viewer_asks(viewer));
    assert_int_equal(viewer_settle(viewer), STATUS_OK);
    assert_false(develop_runs(viewer));
}

static void stands_in_by_its_colour(const Viewer *viewer) {
    static const int jpeg[] = {200, 100, 50}; /* tests/formats/raw.py */
    const Subject *subject = viewer->session->subject;
    const ImageView view = subject->picture->view;
    assert_true(subject->stands_in && subject->develops);
    assert_true(shape_equal(view.shape, (Shape){RAW_WIDTH, RAW_HEIGHT, 3, PIXEL_U16}));
    for (size_t y = 0; y < RAW_HEIGHT; y++)
        for (size_t x = 0; x < RAW_WIDTH; x++)
            for (int c = 0; c < 3; c++)
                assert_true(fabs(view_value(view, x, y, c) - 257 * jpeg[c]) <= 257 * 2);
}

static void the_developed_picture_takes_the_place(void **state) {
    Viewer *viewer = make_viewer("invert,crop=20:10:1:2", "best");
    char words[128];
    (void)state;
    copy_sample("raw-stands.dng", 0);
    assert_int_equal(viewer_open(viewer, "a.dng"), STATUS_OK);
    stands_in_by_its_colour(viewer);
    viewer_kind(viewer)->format_shape(viewer, words, sizeof words);
    assert_non_null(strstr(words, "developing"));
    assert_int_equal(viewer_run(viewer), STATUS_OK); /* filters act on it */
    viewer_zoom(viewer, 3, 50, 60);
    assert_int_equal(viewer_set_chain(viewer, "invert,crop=20:10:1:2,blur=1", FALLBACK_NONE), STATUS_USAGE);
    assert_int_equal(viewer_set_chain(viewer, "invert,crop=20:10:1:2,gaussian=1", FALLBACK_NONE), STATUS_OK);
    const Viewport at = viewer_viewport(viewer);
    const size_t edits = viewer->edits.count;
    await_by_passes(viewer);
    assert_true(shows_developed(viewer, "quality"));
    assert_memory_equal(&at, &viewer->viewport, sizeof at);
    assert_true(near(viewer_viewport(viewer).x, at.x) && near(viewer_viewport(viewer).scale, at.scale));
    assert_int_equal(viewer->edits.count, edits);
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_int_equal(viewer->request->chain->count, 2);
    viewer_destroy(&viewer);
}

static void files_are_made_of_the_developed_picture(void **state) {
    Viewer *viewer = make_viewer("", "best");
    Image *saved, *want;
    (void)state;
    copy_sample("raw-stands.dng", 0);
    assert_int_equal(viewer_open(viewer, "a.dng"), STATUS_OK);
    assert_int_equal(viewer_save_result(viewer, "out.png", false), STATUS_OK);
    assert_int_equal(codec_load("out.png", &saved), STATUS_OK);
    want = developed("quality");
    assert_memory_equal(saved->view.pixels, want->view.pixels, shape_bytes(want->view.shape));
    image_destroy(&saved);
    image_destroy(&want);
    viewer_destroy(&viewer);
    remove("out.png");
}

static void others_are_developed_at_once(void **state) {
    static const char *const samples[] = {"raw-rggb.dng", "raw-below.dng"}; /* no JPEG; one of other proportions */
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        Viewer *viewer = make_viewer("", "best");
        copy_sample(samples[i], 0);
        assert_int_equal(viewer_open(viewer, "a.dng"), STATUS_OK);
        assert_true(shows_developed(viewer, "quality"));
        assert_false(develop_runs(viewer));
        viewer_destroy(&viewer);
    }
}

static void another_way_takes_the_place_of_the_last(void **state) {
    Viewer *viewer = make_viewer("", "best");
    (void)state;
    copy_sample("raw-stands.dng", 0);
    viewer->raw = (RawWay){.linear = true};
    assert_int_equal(viewer_open(viewer, "a.dng"), STATUS_OK);
    assert_true(viewer->session->subject->stands_in);
    assert_int_equal(viewer_shape(viewer).type, PIXEL_F32);
    /* IEC 61966-2-1 of 200 / 255 */
    assert_true(fabs(view_value(viewer_picture(viewer)->view, 9, 9, 0) - 0.5776) < 0.01);
    develop_by(viewer, (RawWay){.develop = RAW_FAST}); /* while the other is on its way, or not begun */
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_true(shows_developed(viewer, "fast"));
    develop_by(viewer, (RawWay){.develop = RAW_HALF});
    assert_true(viewer->session->subject->stands_in); /* the one before does */
    await_by_passes(viewer);
    assert_true(shows_developed(viewer, "half"));
    develop_by(viewer, (RawWay){.develop = RAW_PREVIEW});
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_true(shows_developed(viewer, "preview"));
    develop_by(viewer, (RawWay){.develop = RAW_PREVIEW}); /* is there */
    assert_false(develop_runs(viewer));
    viewer_destroy(&viewer);
}

static void pictures_that_are_left_are_not_waited_for(void **state) {
    Viewer *viewer = make_viewer("", "best");
    (void)state;
    copy_sample("raw-stands.dng", 0);
    assert_int_equal(viewer_open(viewer, "a.dng"), STATUS_OK);
    tools_go_on(viewer, clock_ms());
    assert_int_equal(viewer_open(viewer, "one.png"), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    for (int i = 0; i < 20000 && develop_runs(viewer); i++) {
        tools_go_on(viewer, clock_ms());
        usleep(1000);
    }
    assert_false(develop_runs(viewer) || viewer_asks(viewer));
    assert_string_equal(viewer_title(viewer), "one.png");
    assert_int_equal(viewer_open(viewer, "a.dng"), STATUS_OK);
    tools_go_on(viewer, clock_ms());
    viewer_destroy(&viewer); /* while it is on its way */
}

/* The sensor's values lie in front of the JPEG's directory: without one, there is nothing to develop. */
static void what_cannot_be_developed_cannot_be_saved(void **state) {
    Viewer *viewer = make_viewer("", "best");
    Bytes file;
    (void)state;
    copy_sample("raw-stands.dng", 0);
    assert_int_equal(viewer_open(viewer, "a.dng"), STATUS_OK);
    assert_int_equal(file_read("a.dng", &file), STATUS_OK);
    write_bytes("a.dng", (Bytes){file.data, 100});
    bytes_free(&file);
    assert_int_equal(viewer_save_result(viewer, "out.png", false), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "a.dng"));
    assert_int_equal(viewer_save_result(viewer, "out.png", false), STATUS_INPUT); /* nor later */
    assert_true(access("out.png", F_OK) != 0);
    assert_int_equal(viewer_finish(viewer), STATUS_OK); /* it stays in view */
    assert_true(viewer->toast.error);
    viewer_destroy(&viewer);
}

/* As large as is wanted: the JPEG; else half of the developed one. */
static void thumbnails_need_not_be_developed(void **state) {
    Image *thumbnail;
    (void)state;
    copy_sample("raw-stands.dng", 0);
    assert_int_equal(stand_in_way("a.dng", 16, 12).develop, RAW_PREVIEW);
    assert_int_equal(stand_in_way("a.dng", 17, 13).develop, RAW_HALF);
    assert_int_equal(thumbnail_of_file(NULL, "a.dng", &thumbnail), STATUS_OK);
    assert_int_equal(thumbnail->view.shape.width, RAW_WIDTH / 2);
    image_destroy(&thumbnail);
    copy_sample("raw-rggb.dng", 0);
    assert_int_equal(stand_in_way("a.dng", 1, 1).develop, RAW_HALF);
    remove("a.dng");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_developed_picture_takes_the_place),
        cmocka_unit_test(files_are_made_of_the_developed_picture),
        cmocka_unit_test(others_are_developed_at_once),
        cmocka_unit_test(another_way_takes_the_place_of_the_last),
        cmocka_unit_test(pictures_that_are_left_are_not_waited_for),
        cmocka_unit_test(what_cannot_be_developed_cannot_be_saved),
        cmocka_unit_test(thumbnails_need_not_be_developed),
    };
    if (backends_register() != STATUS_OK)
        return 1;
    return is_raw_read() ? cmocka_run_group_tests(tests, make_folder, remove_folder) : 0;
}
