/* test_save_after.c: pictures of scenes that are saved once they have so many samples. */
#include "app/backends.h"
#include "app/view/actions/dispatch.h"
#include "app/view/tools/every_tool.h"

#include "tests/unit/view/fixture.h"

static const char scene[] = "glint-scene 2\ncamera 0 1 4 0 0 0 0 1 0 40\nsky gradient 1 1 1 0.2 0.3 0.6\n"
                            "sphere 0 0 0 1 0.8 0.4 0.2\nsphere 1 0.3 0.7 0.3 0.3 0.9 0.4\n";

static Viewer *small_scene(void) {
    Viewer *viewer = make_viewer("", "best");
    viewer_resize(viewer, 96, 64);
    write_text("small.scene", scene);
    assert_int_equal(viewer_open(viewer, "small.scene"), STATUS_OK);
    assert_true(viewer_gathers(viewer));
    return viewer;
}

/* The picture of a viewer of its own, which gathers so many samples by its setting. */
static void save_plainly(unsigned samples, const char *path) {
    Viewer *viewer = small_scene();
    char text[32];
    snprintf(text, sizeof text, "samples=%u", samples);
    assert_int_equal(viewer_change_gathering(viewer, text), STATUS_OK);
    assert_int_equal(viewer_save_result(viewer, path, true), STATUS_OK);
    viewer_destroy(&viewer);
}

/* Without file_read: files that were read are never written to. */
static bool same_files(const char *a, const char *b) {
    FILE *first = fopen(a, "rb"), *second = fopen(b, "rb");
    assert_true(first && second);
    int one, other;
    do {
        one = fgetc(first);
        other = fgetc(second);
    } while (one == other && one != EOF);
    fclose(first);
    fclose(second);
    return one == other;
}

static void gather(Viewer *viewer, uint32_t samples) {
    while (viewer->session->progressive.done < samples || viewer->session->progressive.row > 0)
        assert_int_equal(viewer_run(viewer), STATUS_OK);
}

/* Fewer samples than it has, as many again, and more; also where the noise would end it sooner. */
static void the_picture_has_so_many_samples(void **state) {
    static const unsigned counts[] = {5, 6, 37};
    Viewer *viewer = small_scene();
    char line[64];
    (void)state;
    assert_int_equal(viewer_change_gathering(viewer, "noise=10"), STATUS_OK);
    gather(viewer, 20);
    for (size_t i = 0; i < 3; i++) {
        snprintf(line, sizeof line, "save-after %u some.png", counts[i]);
        viewer->overwrite = true;
        assert_int_equal(action_command(viewer, line, true), STATUS_OK);
        assert_int_equal(viewer->session->progressive.done, counts[i]);
        save_plainly(counts[i], "want.png");
        assert_true(same_files("some.png", "want.png"));
        save_plainly(counts[i] + 1, "want.png");
        assert_false(same_files("some.png", "want.png"));
    }
    viewer_destroy(&viewer);
}

/* The window goes on meanwhile: work is done piece by piece, and the file is written once it is due. */
static void hands_do_not_wait(void **state) {
    Viewer *viewer = small_scene();
    SaveProgress progress;
    (void)state;
    assert_int_equal(action_by_hand(viewer, action_by_name("save-after"), (Call){.text = "40 hand.png"}), STATUS_OK);
    assert_true(save_after_waits(viewer, &progress) && progress.samples == 40 && progress.done == 0);
    assert_false(viewer_asks(viewer));
    while (!viewer_asks(viewer))
        assert_true(viewer_work(viewer));
    assert_true(save_after_waits(viewer, &progress) && progress.done == 40 && near(progress.share, 1));
    assert_int_equal(access("hand.png", F_OK), -1);
    assert_int_equal(viewer_settle(viewer), STATUS_OK);
    assert_string_equal(viewer->toast.text, with_folder("Saved %s/hand.png: 40 samples"));
    assert_false(save_after_waits(viewer, &progress) || viewer_asks(viewer));
    save_plainly(40, "want.png");
    assert_true(same_files("hand.png", "want.png"));
    while (viewer->session->progressive.done < 60) /* the light goes on */
        assert_true(viewer_work(viewer));
    viewer_destroy(&viewer);
}

static void esc_gives_it_up(void **state) {
    Viewer *viewer = small_scene();
    SaveProgress progress;
    (void)state;
    gather(viewer, 1);
    const uint32_t done = viewer->session->progressive.done;
    assert_int_equal(action_by_hand(viewer, action_by_name("save-after"), (Call){.text = "1000000 no.png"}), STATUS_OK);
    assert_int_equal(action_press(viewer, "Esc", true), STATUS_OK);
    assert_false(save_after_waits(viewer, &progress));
    assert_non_null(strstr(viewer->toast.text, "Not saved: stopped at "));
    assert_int_equal(action_command(viewer, "stop-save-after", true), STATUS_USAGE);
    (void)viewer_work(viewer);
    assert_true(viewer->session->progressive.done >= done && !viewer->session->halted);
    assert_int_equal(viewer->session->samples, 4096);

    /* so does what has no light to gather */
    assert_int_equal(action_by_hand(viewer, action_by_name("save-after"), (Call){.text = "1000000 no.png"}), STATUS_OK);
    assert_int_equal(viewer_set_look(viewer, LOOK_CLASSIC), STATUS_OK);
    tools_go_on(viewer, clock_ms());
    assert_false(save_after_waits(viewer, &progress));
    assert_int_equal(access("no.png", F_OK), -1);
    viewer_destroy(&viewer);
}

static void bad_wishes_are_refused(void **state) {
    static const char *const lines[] = {"0",  "-1",     "1.5",     "x",         "1048577",  "nan",
                                        "8x", "8 file", "8 a.xyz", "8 one.png", "64,a.png", ""};
    Viewer *viewer = small_scene(), *picture = *state;
    SaveProgress progress;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        assert_int_equal(save_after_begin(viewer, lines[i], false), STATUS_USAGE);
        assert_false(save_after_waits(viewer, &progress));
    }
    assert_int_equal(save_after_begin(viewer, "8 one.png", false), STATUS_USAGE);
    assert_string_equal(status_message(), "one.png already exists: choose another name");
    assert_int_equal(save_after_begin(picture, "8 a.png", false), STATUS_USAGE);
    assert_int_equal(viewer_set_look(viewer, LOOK_NORMALS), STATUS_OK);
    assert_int_equal(save_after_begin(viewer, "8 a.png", false), STATUS_USAGE);
    assert_string_equal(status_message(), "the look normals has no samples to wait for: take a look of light");
    viewer_destroy(&viewer);
}

static int remove_all(void **state) {
    static const char *const names[] = {"small.scene", "some.png", "want.png", "hand.png"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        remove(names[i]);
    return remove_folder(state);
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_picture_has_so_many_samples),
        cmocka_unit_test(hands_do_not_wait),
        cmocka_unit_test(esc_gives_it_up),
        WITH_VIEWER(bad_wishes_are_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_all);
}
