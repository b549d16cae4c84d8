/* test_tour.c: the steps of the tour, without a window. */
#include "app/backends.h"
#include "app/view/actions/tour.h"
#include "app/view/data/recorded.h"
#include "app/view/tools/machine_page.h"
#include "core/base/timing.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/view/pressing.h"

/* As each draw does, with the requests carried out by the window. */
static void follow(Viewer *viewer) {
    for (int i = 0; i < 4; i++) {
        assert_int_equal(action_do_asked(viewer), STATUS_OK);
        if (viewer->session->stale || !viewer->session->has_result)
            assert_int_equal(viewer_run(viewer), STATUS_OK);
        tour_follow(viewer);
    }
}

static void assert_tour(const Viewer *viewer, const char *title) {
    assert_non_null(tour_step(viewer));
    assert_string_equal(tour_step(viewer)->title, title);
}

/* The lines that do the tasks of the steps. */
static const char *const tasks[] = {"photograph",      "add gaussian", "more",  "split",      "level 1",
                                    "level separable", "race",         "facts", "difference", "",
                                    "picture-or-scene"};

/* Each step waits until its task was done, says so, and stays until one goes on. The end leaves no filter. */
static void the_tour_waits_for_each_step(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(tour_step_count, sizeof tasks / sizeof tasks[0]);
    press_all(viewer, "F3");
    assert_true(viewer->ui->tour.was_done); /* a picture is open */
    for (size_t i = 1; i < tour_step_count; i++) {
        press_all(viewer, "F3");
        follow(viewer);
        assert_int_equal(viewer->ui->tour.step, i);
        if (viewer->ui->tour.done != !tasks[i][0])
            print_error("%s\n", tour_steps[i].title);
        assert_int_equal(viewer->ui->tour.done, !tasks[i][0]);
        if (tasks[i][0])
            assert_int_equal(action_command(viewer, tasks[i], true), STATUS_OK);
        follow(viewer);
        assert_true(viewer->ui->tour.done);
        assert_int_equal(viewer->ui->tour.step, i);
        assert_int_equal(viewer->compare == COMPARE_DIFFERENCE, strcmp(tasks[i], "difference") == 0);
    }
    press_all(viewer, "F3");
    follow(viewer);
    assert_null(tour_step(viewer));
    assert_non_null(viewer_scene(viewer));
    assert_chain(viewer, "");
    assert_string_equal(viewer->request->level, "best");
}

/* Wherever hands have led, a step begins from its own state: a sigma of other levels, a level, a comparison, a scene.
 */
static void a_step_of_the_tour_sets_what_it_needs(void **state) {
    static const char *const strays[] = {"filter gaussian=9", "filter",        "filter gaussian,invert",
                                         "level reference",   "switch-filter", "split",
                                         "difference",        "race",          "scene spheres=count=9:seed=3"};
    Viewer *viewer = *state;
    for (size_t stray = 0; stray < sizeof strays / sizeof strays[0]; stray++)
        for (size_t i = 1; i < tour_step_count; i++) {
            press_all(viewer, "F3");
            assert_int_equal(tour_go(viewer, i - 1), STATUS_OK);
            assert_int_equal(action_command(viewer, "filter gaussian=2", true), STATUS_OK);
            assert_int_equal(action_command(viewer, strays[stray], true), STATUS_OK);
            press_all(viewer, "F3");
            if (tasks[i][0] && strcmp(tasks[i], "facts") != 0)
                assert_int_equal(action_command(viewer, tasks[i], true), STATUS_OK);
            follow(viewer);
            if (!viewer->ui->tour.done && strcmp(tasks[i], "facts") != 0)
                print_error("%s, %s\n", strays[stray], tour_steps[i].title);
            assert_true(viewer->ui->tour.done || strcmp(tasks[i], "facts") == 0);
        }
}

/* A page lies over the tour and its picture, so that tasks would be done behind it. */
static void a_step_of_the_tour_closes_pages(void **state) {
    Viewer *viewer = *state;
    press_all(viewer, "F3 F3 F2");
    assert_true(viewer_has_page(viewer));
    press_all(viewer, "F3");
    assert_false(viewer_has_page(viewer));
}

static void a_tour_that_was_left_is_resumed(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(action_press(viewer, "Ctrl+F3", true), STATUS_USAGE);
    press_all(viewer, "F3 F3 F3 F3");
    assert_tour(viewer, "Before and after");
    assert_chain(viewer, "gaussian"); /* 2 is the default; the step before has begun without a filter */
    press_all(viewer, "Ctrl+F3");
    assert_tour(viewer, "More of it");
    press_all(viewer, "F3 Esc"); /* as all that lies on top */
    assert_null(tour_step(viewer));
    assert_false(viewer->requests->quit);
    press_all(viewer, "F3");
    assert_tour(viewer, "Before and after");
    press_all(viewer, "F4");
    assert_null(tour_step(viewer));
    assert_int_equal(action_command(viewer, "tour-chapter The ladder", true), STATUS_OK);
    assert_tour(viewer, "The lowest rung");
    assert_int_equal(action_command(viewer, "tour-chapter Nothing", true), STATUS_USAGE);
}

/* The slider that a step before has moved has the focus: Up means the tour's next level all the same. */
static void keys_of_the_tour_are_not_the_slider_s(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(tour_go(viewer, 5), STATUS_OK);
    assert_tour(viewer, "Climb the ladder");
    assert_string_equal(viewer->request->level, "naive");
    viewer->ui->focused.link = 0;
    viewer->ui->focused.param = &viewer->request->chain->links[0].filter->table.params[0];
    press_all(viewer, "Up");
    assert_chain(viewer, "gaussian=1");
    assert_string_not_equal(viewer->request->level, "naive");
    tour_leave(viewer);
    press_all(viewer, "Up");
    char chain[64];
    chain_format(viewer->request->chain, chain, sizeof chain);
    assert_string_not_equal(chain, "gaussian=1");
}

/* Every step names actions that there are, with keys. */
static void steps_name_actions(void **state) {
    Viewer *viewer = *state;
    char keys[96];
    for (size_t i = 0; i < tour_step_count; i++) {
        assert_int_equal(tour_go(viewer, i), STATUS_OK);
        tour_keys(viewer, keys, sizeof keys);
        assert_true(keys[0] != '\0' && tour_steps[i].title[0] && tour_steps[i].words[0]);
        assert_true(i == 0 || tour_steps[i].chapter >= tour_steps[i - 1].chapter);
    }
}

/* The figures come from the table in docs/convolve.md: nobody has typed them. */
static void the_recorded_ladder_has_its_levels(void **state) {
    RecordedLevel levels[16];
    char job[192];
    (void)state;
    const size_t count = recorded_levels(levels, 16);
    assert_true(count >= 6);
    assert_string_equal(levels[0].name, "naive");
    bool shared = false;
    for (size_t i = 0; i < count; i++) {
        assert_true(levels[i].ms > 0 && levels[i].copies >= 1);
        shared |= strcmp(levels[i].name, "shared") == 0;
    }
    assert_true(shared);
    assert_non_null(strstr(recorded_job(job, sizeof job), "NVIDIA H"));
}

static int register_backends(void **state) {
    (void)state;
    return backends_register() == STATUS_OK ? 0 : -1;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_SPARK(the_tour_waits_for_each_step),
        WITH_SPARK(a_step_of_the_tour_sets_what_it_needs),
        WITH_SPARK(a_step_of_the_tour_closes_pages),
        WITH_SPARK(a_tour_that_was_left_is_resumed),
        WITH_SPARK(keys_of_the_tour_are_not_the_slider_s),
        cmocka_unit_test(the_recorded_ladder_has_its_levels),
        WITH_SPARK(steps_name_actions),
    };
    return cmocka_run_group_tests(tests, register_backends, NULL);
}
