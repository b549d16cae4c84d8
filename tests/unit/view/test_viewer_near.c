/* test_viewer_near.c: the visible part of a result that takes long: it comes first, and has the result's own pixels. */
#include "app/backends.h"
#include "app/view/session/near.h"
#include "core/base/stop.h"

#include "tests/unit/view/fixture.h"

enum { LARGE_WIDTH = 400, LARGE_HEIGHT = 300 };

static int open_large(void **state) {
    Viewer *viewer = make_viewer("", "best");
    save_random("one.png", LARGE_WIDTH, LARGE_HEIGHT, 5);
    save_random("mask.png", LARGE_WIDTH, LARGE_HEIGHT, 6);
    assert_int_equal(viewer_open(viewer, "one.png"), STATUS_OK);
    *state = viewer;
    return 0;
}

static int remove_all(void **state) {
    return remove("mask.png") != 0 || remove("small.png") != 0 || remove_folder(state) != 0;
}

static void is_a_part_of_the_result(const Near *near, const Image *result) {
    const ImageView part = near_view(near);
    for (size_t y = (size_t)near->part.top; y < (size_t)near->part.top + near->part.height; y++)
        assert_memory_equal((const char *)view_row(part, y) + 3 * near->part.left,
                            (const char *)view_row(result->view, y) + 3 * near->part.left, 3 * near->part.width);
}

static void parts_have_the_results_pixels(void **state) {
    Viewer *viewer = *state;
    static const char *const chains[] = {"rendernoise",
                                         "nlmeans=0.1:patch=2:search=5",
                                         "sharpen,unsharp,bilateral=9:range=0.2",
                                         "gaussian=3,curves=0 0;50 60;100 100,median=2",
                                         "sobel,invert,dilate=3",
                                         "rendernoise=within=200x100+10+10",
                                         "median=3:within=mask.png,invert",
                                         "median=2,invert=within=small.png,median,difference"};
    static const Region seen[] = {{100, 80, 90, 60}, {0, 0, 64, 64}, {330, 250, 70, 50}};
    save_random("small.png", 9, 7, 8);
    for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++)
        for (size_t k = 0; k < sizeof seen / sizeof seen[0]; k++) {
            Session *session = viewer->session;
            assert_int_equal(viewer_set_chain(viewer, "", FALLBACK_BEST), STATUS_OK);
            assert_int_equal(viewer_set_chain(viewer, chains[i], FALLBACK_BEST), STATUS_OK);
            const Sight sight = {1, seen[k], 200, false};
            if (!near_make(session, &sight))
                fail_msg("%s has no part", chains[i]);
            const Near *near = near_shown(session);
            assert_non_null(near);
            assert_true(near->part.left == seen[k].left && near->part.top == seen[k].top);
            assert_true(near->part.width == seen[k].width && near->part.height == seen[k].height);
            assert_false(near_make(session, &sight)); /* all that is seen is there */
            const Near made = *near;
            assert_int_equal(viewer_run(viewer), STATUS_OK);
            assert_null(near_shown(session));
            assert_int_equal(viewer_fetch(viewer), STATUS_OK);
            is_a_part_of_the_result(&made, session->result);
        }
}

/* A crop in front of a slow filter, or behind it, in linear light as well, up to the edges that it makes. */
static void cropped_pictures_have_parts(void **state) {
    static const char *const chains[] = {"crop=380:290:9:5,median=4", "invert,crop=380:290:9:5,median=4,sepia",
                                         "median=4,crop=380:290:9:5", "rendernoise,crop=95:96:2:3:percent,sepia",
                                         "crop=380:290:9:5,median=4:within=mask.png"};
    static const Region seen[] = {{100, 80, 90, 60}, {0, 0, 64, 64}, {310, 228, 70, 60}};
    (void)state;
    for (size_t i = 0; i < 2 * sizeof chains / sizeof chains[0]; i++) {
        Viewer *viewer = make_viewer_with("", "best", (PlanOptions){.border = {BORDER_CLAMP, 0}, .linear = i % 2 == 1});
        assert_int_equal(viewer_open(viewer, "one.png"), STATUS_OK);
        for (size_t k = 0; k < sizeof seen / sizeof seen[0]; k++) {
            assert_int_equal(viewer_set_chain(viewer, "", FALLBACK_BEST), STATUS_OK);
            assert_int_equal(viewer_set_chain(viewer, chains[i / 2], FALLBACK_BEST), STATUS_OK);
            const Sight sight = {1, seen[k], 200, false};
            if (!near_make(viewer->session, &sight))
                fail_msg("%s has no part", chains[i / 2]);
            const Near made = *near_shown(viewer->session);
            assert_true(made.part.left == seen[k].left && made.part.width == seen[k].width);
            assert_int_equal(viewer_run(viewer), STATUS_OK);
            assert_int_equal(viewer_fetch(viewer), STATUS_OK);
            is_a_part_of_the_result(&made, viewer->session->result);
        }
        viewer_destroy(&viewer);
    }
}

/* Behind a kept frame, which may be smaller than the picture, and light. */
static void parts_are_made_of_the_kept_frame(void **state) {
    static const char *const fronts[] = {"box=79", "crop=330:270:9:9,box=79"};
    const Sight sight = {1, {100, 80, 90, 60}, 200, false};
    (void)state;
    for (size_t i = 0; i < 2 * sizeof fronts / sizeof fronts[0]; i++) {
        char chain[128];
        Viewer *viewer = make_viewer_with("", "best", (PlanOptions){.border = {BORDER_CLAMP, 0}, .linear = i % 2 == 1});
        assert_int_equal(viewer_open(viewer, "one.png"), STATUS_OK);
        for (int radius = 1; radius < 3; radius++) {
            snprintf(chain, sizeof chain, "%s,median=%d,invert", fronts[i / 2], radius);
            assert_int_equal(viewer_set_chain(viewer, chain, FALLBACK_BEST), STATUS_OK);
            if (radius > 1 && !near_make(viewer->session, &sight))
                fail_msg("%s has no part", chain);
            const Near made = viewer->session->near;
            assert_int_equal(viewer_run(viewer), STATUS_OK);
            assert_int_equal(viewer->session->front.runs, 1);
            assert_int_equal(viewer_fetch(viewer), STATUS_OK);
            if (radius > 1)
                is_a_part_of_the_result(&made, viewer->session->result);
        }
        viewer_destroy(&viewer);
    }
}

/* A slow chain shows the middle first, then all that is seen; of a picture that is seen whole, the middle alone. */
static void the_middle_comes_first(void **state) {
    Viewer *viewer = *state;
    Session *session = viewer->session;
    const Region seen = {100, 100, 160, 120}, all = {0, 0, LARGE_WIDTH, LARGE_HEIGHT};
    assert_int_equal(viewer_set_chain(viewer, "nlmeans=0.1:patch=2:search=5", FALLBACK_BEST), STATUS_OK);
    assert_true(near_make(session, &(Sight){1, seen, 5000, false}));
    const Region first = near_shown(session)->part;
    assert_true(first.width < 160 && first.height < 120);
    assert_true(labs(2 * (first.left - seen.left) + (long)first.width - 160) <= 2);
    assert_true(labs(2 * (first.top - seen.top) + (long)first.height - 120) <= 2);
    assert_true(near_make(session, &(Sight){1, seen, 5000, false}));
    assert_int_equal(near_shown(session)->part.width, 160);
    assert_false(near_make(session, &(Sight){1, seen, 5000, false}));
    assert_int_equal(viewer_set_chain(viewer, "nlmeans=0.2:patch=2:search=5", FALLBACK_BEST), STATUS_OK);
    assert_true(near_make(session, &(Sight){0.2, all, 5000, false}));
    assert_true(near_shown(session)->part.width < LARGE_WIDTH / 2);
    assert_false(near_make(session, &(Sight){0.2, all, 5000, false}));
    assert_int_equal(viewer_set_chain(viewer, "box=121", FALLBACK_BEST), STATUS_OK);
    assert_false(near_make(session, &(Sight){1, seen, 50000, false})); /* its surroundings take long */
}

/* The surroundings count: a first part whose filter reaches far is smaller, and takes as long as another. */
static void first_parts_take_no_longer_with_surroundings(void **state) {
    Viewer *viewer = *state;
    Session *session = viewer->session;
    static const struct {
        const char *chain;
        double ms;
        size_t reach;
        bool smallest;
    } rows[] = {{"box=41", 2000, 20, false}, {"box=21", 3000, 10, false}, {"box=81", 3000, 40, true}};
    const Region seen = {100, 100, 160, 120};
    const double all = (double)LARGE_WIDTH * LARGE_HEIGHT;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const Sight sight = {1, seen, rows[i].ms, false};
        const double at_once = all * 250 / rows[i].ms; /* pixels in a quarter of a second */
        assert_int_equal(viewer_set_chain(viewer, rows[i].chain, FALLBACK_BEST), STATUS_OK);
        assert_true(near_make(session, &sight));
        const Near *near = near_shown(session);
        assert_int_equal(near->made.width, near->part.width + 2 * rows[i].reach);
        const double needed = (double)near->made.width * (double)near->made.height;
        assert_true(needed < (rows[i].smallest ? 1.6 : 1.2) * at_once && needed > 0.8 * at_once);
        assert_int_equal(near->part.width == 32, rows[i].smallest);
        assert_int_equal(near_make(session, &sight), !rows[i].smallest); /* all that is seen takes four times as long */
        assert_int_equal(near_shown(session)->part.width, rows[i].smallest ? 32 : 160);
    }
}

/* Another part comes into sight, and a part that was stopped comes another time. */
static void parts_follow_the_view(void **state) {
    Viewer *viewer = *state;
    Session *session = viewer->session;
    const Sight one = {1, {100, 80, 90, 60}, 200, false}, other = {1, {140, 80, 90, 60}, 200, false};
    assert_int_equal(viewer_set_chain(viewer, "rendernoise", FALLBACK_BEST), STATUS_OK);
    atomic_store(&session->stop->asked, true);
    assert_false(near_make(session, &one));
    atomic_store(&session->stop->asked, false);
    assert_true(near_make(session, &one));
    assert_false(near_make(session, &one));
    assert_true(near_make(session, &other));
    assert_int_equal(near_shown(session)->part.left, 140);
}

/* Where pixels depend on more than their surroundings, or lie elsewhere, no part stands for the result. */
static void only_local_chains_have_parts(void **state) {
    Viewer *viewer = *state;
    static const char *const chains[] = {
        "equalize", "clahe", "autolevels", "median=2,crop=300:200:9:9,rendernoise", "flip", "rendernoise,rotate=3"};
    const Sight sight = {1, {100, 80, 90, 60}, 500, false};
    for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++) {
        if (viewer_set_chain(viewer, chains[i], FALLBACK_BEST) != STATUS_OK)
            fail_msg("%s", status_message());
        if (near_make(viewer->session, &sight))
            fail_msg("%s has a part", chains[i]);
        assert_null(near_shown(viewer->session));
    }
}

#define WITH_LARGE(test) cmocka_unit_test_setup_teardown(test, open_large, close_viewer)

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        WITH_LARGE(parts_have_the_results_pixels),
        WITH_LARGE(parts_are_made_of_the_kept_frame),
        WITH_LARGE(cropped_pictures_have_parts),
        WITH_LARGE(the_middle_comes_first),
        WITH_LARGE(first_parts_take_no_longer_with_surroundings),
        WITH_LARGE(parts_follow_the_view),
        WITH_LARGE(only_local_chains_have_parts),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_all);
}
