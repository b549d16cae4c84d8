/* test_viewer_timings.c: times that the window measures, expects and compares. */
#include "app/backends.h"
#include "app/view/actions/dispatch.h"
#include "core/ops/convolve.h"
#include "core/ops/move.h"
#include "core/ops/warp.h"

#include "tests/unit/view/fixture.h"

static void finishing_measures_all_that_the_overlay_shows(void **state) {
    Viewer *viewer = *state;
    viewer->mode = MODE_SPEED;
    assert_int_equal(action_press(viewer, "l", true), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    const Figures figures = viewer_figures(viewer);
    assert_true(figures.ms > 0 && figures.mpixels > 0 && figures.gigabytes > 0 && figures.gigaflops > 0);
    assert_true(figures.copies > 0 && figures.speedup > 0);
    assert_string_equal(viewer->session->measured.yardsticks.lowest_level->name, "naive");
    assert_non_null(viewer_span(viewer, "decode"));
    assert_non_null(viewer_span(viewer, "upload"));
    assert_non_null(viewer_span(viewer, "download"));
    assert_true(viewer_span(viewer, "gaussian")->stage);
    assert_true(viewer->session->measured.race.count >= 2);
    for (size_t i = 0; i < viewer->session->measured.race.count; i++)
        assert_true(viewer->session->measured.race.lanes[i].why_not ||
                    viewer_level_time(viewer, viewer->session->measured.race.lanes[i].level).ms > 0);
    assert_false(viewer_work(viewer));
}

/* A level that takes a tenth of a millisecond a pixel, and counts them. */
static size_t slow_pixels;
static useconds_t first_takes; /* microseconds more, as to load a kernel */

static Status run_slowly(Queue *queue, const Stage *stage) {
    const size_t pixels = stage->out.shape.width * stage->out.shape.height;
    (void)queue;
    slow_pixels += pixels;
    usleep((useconds_t)pixels * 100 + first_takes);
    first_takes = 0;
    return STATUS_OK;
}

/* A viewer with one.png open on a backend whose lowest rung is that slow, and whose other is not. The mask of 73 x 73
 * states 32 kFLOP a pixel of 3 channels. At 0.3 GFLOP/s, the minimum of measurements, a pixel takes 0.11 ms. */
static Backend slow_backend;

static Level slow_levels[4]; /* the last ones are quick: of crop and rotate */

static const Level *const slow_ladder[] = {&slow_levels[0], &slow_levels[1], &slow_levels[2], &slow_levels[3]};

static int open_slow(void **state) {
    open_viewer(state);
    Viewer *viewer = *state;
    slow_levels[0] = slow_levels[1] = *level_by_name(backend_at(0), &op_convolve, "naive");
    slow_levels[0].name = "slow";
    slow_levels[0].run = run_slowly;
    slow_backend = *backend_at(0);
    slow_backend.levels = slow_ladder;
    slow_levels[2] = *ladder_level(backend_at(0), &op_move, 1);
    slow_levels[3] = *ladder_level(backend_at(0), &op_warp, 1);
    slow_backend.level_count = 4;
    slow_levels[0].predictor = slow_levels[1].predictor = NULL;
    viewer->session->device->backend = &slow_backend;
    assert_int_equal(viewer_set_chain(viewer, "gaussian=9:radius=36", FALLBACK_NONE), STATUS_OK);
    slow_pixels = 0;
    return 0;
}

static void a_yardstick_takes_no_more_than_its_time(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_ptr_equal(viewer->session->measured.yardsticks.lowest_level, &slow_levels[0]);
    assert_true(slow_pixels >= 1 && slow_pixels <= 500); /* of 50 ms; the picture has 2867 */
    const Timing lowest = viewer_lowest_time(viewer);
    assert_true(lowest.known && lowest.estimated && lowest.ms >= WIDTH * HEIGHT / 10.0);
    assert_true(viewer_figures(viewer).speedup_estimated);
}

/* To load a kernel takes so long that a part's time with it, scaled up, is more than 15 seconds. */
static void a_yardstick_takes_no_kernel_that_loads_for_one_that_runs(void **state) {
    Viewer *viewer = *state;
    first_takes = 100000;
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_int_equal(first_takes, 0);
    const Timing lowest = viewer_lowest_time(viewer);
    assert_true(lowest.known && lowest.ms >= WIDTH * HEIGHT / 10.0 && lowest.ms < 5000);
}

static void headline_and_race_have_one_estimate(void **state) {
    Viewer *viewer = *state;
    viewer->mode = MODE_SPEED;
    assert_int_equal(action_press(viewer, "l", true), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    const Figures figures = viewer_figures(viewer);
    assert_true(near(figures.speedup * figures.ms, viewer_level_time(viewer, &slow_levels[0]).ms));
    assert_true(near(figures.ms, viewer_level_time(viewer, viewer_level(viewer)).ms));
    assert_true(slow_pixels <= 500 + 3 * 2000); /* the race takes a closer look, for 200 ms, and two more */
    assert_int_equal(viewer->session->measured.race.lanes[0].estimates, 3);
}

/* scipy.stats.t.interval(0.95, 4, 3, sem([1, 2, 3, 4, 5])) is 1.0368, 4.9632. */
static void times_have_the_interval_of_student(void **state) {
    (void)state;
    Trials trials = {0};
    trials_add(&trials, 1);
    assert_true(isinf(trials_interval(&trials)));
    for (int ms = 2; ms <= 5; ms++)
        trials_add(&trials, ms);
    assert_true(near(trials_mean(&trials), 3));
    assert_true(fabs(trials_interval(&trials) - 1.9632) < 1e-3);
}

/* Every rung that can do the job has a time and its distance from the reference's results. */
static void rungs_are_compared_with_the_reference(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_chain(viewer, "gaussian=1", FALLBACK_NONE), STATUS_OK);
    viewer->racing = true;
    viewer->comparison_ms = 1e6; /* however busy the machine is */
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    const LevelRace *race = &viewer->session->measured.race;
    for (size_t i = 0; i < race->count; i++)
        assert_true(race->lanes[i].why_not || (race->lanes[i].error >= 0 && race->lanes[i].error <= 1));
}

/* The reference runs once a job, however many rungs are compared with it, and however often. */
static void races_share_the_reference(void **state) {
    Viewer *viewer = *state;
    const ReferencePart *part = &viewer->session->reference;
    assert_int_equal(action_command(viewer, "race", true), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_int_equal(part->of, viewer->session->job_serial);
    const Image *want = part->want;
    assert_non_null(want);
    assert_int_equal(action_command(viewer, "race", true), STATUS_OK);
    assert_int_equal(action_command(viewer, "race", true), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_ptr_equal(part->want, want);
    assert_int_equal(viewer_set_chain(viewer, "gaussian=3", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_int_equal(part->of, viewer->session->job_serial);
}

/* Makes the result of naive, but for one value, which is off by so much. */
static unsigned char wrong_by;

static Status run_wrongly(Queue *queue, const Stage *stage) {
    TRY(level_by_name(backend_at(0), stage->op, "naive")->run(queue, stage));
    unsigned char *value = view_row(stage->out, stage->out.shape.height / 2);
    *value = (unsigned char)(*value + (*value < 128 ? wrong_by : -wrong_by));
    return STATUS_OK;
}

static void a_wrong_level_fails(void **state) {
    Viewer *viewer = *state;
    const Judgement *judgement = &viewer->session->measured.judgement;
    viewer->comparison_ms = 1e6; /* however busy the machine is */
    slow_levels[0].run = run_wrongly;
    assert_int_equal(viewer_set_chain(viewer, "sharpen,sharpen,gaussian=1", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_null(judgement->level); /* nothing is compared: nobody asked */
    viewer->compare = COMPARE_SPLIT;
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_true(judgement->known && judgement->verdict.agrees && judgement->verdict.worst <= 1);
    assert_int_equal(judgement->stages, 3);
    wrong_by = 1; /* one value may be off by so much */
    assert_int_equal(viewer_set_level(viewer, "slow"), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_true(judgement->known && judgement->verdict.agrees && near(judgement->verdict.worst, 1));
    wrong_by = 2;
    assert_int_equal(viewer_set_level(viewer, "naive"), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_int_equal(viewer_set_level(viewer, "slow"), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_ptr_equal(judgement->level, &slow_levels[0]);
    assert_true(judgement->known && !judgement->verdict.agrees && near(judgement->verdict.worst, 2));
    assert_true(near(judgement->verdict.allowed, 1));
    assert_string_equal(judgement->stage, "convolve");
}

/* As the level shared it out: rows, 16 at a time; tiles; or not at all. */
static void cards_tell_what_a_piece_takes(void **state) {
    Viewer *viewer = *state;
    const Session *session = viewer->session;
    assert_int_equal(viewer_set_chain(viewer, "invert,gaussian=1:radius=4,sepia", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_set_level(viewer, "threads"), STATUS_OK);
    assert_false(session->has_card);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_true(session->has_card);
    assert_int_equal(session->partition.launches, 1);
    assert_true(session->card.width == WIDTH && session->card.height == HEIGHT / 8 && session->card.down == 10);
    assert_true(session->card.left == 4 && session->card.bottom == 4);
    assert_int_equal(viewer_set_level(viewer, "separable"), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_true(session->has_card && session->partition.tile[0] > 0 && session->card.height > 0);
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_BEST), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(session->card.left, 0); /* a function of single pixels has no halo */
    assert_int_equal(viewer_set_level(viewer, "reference"), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_true(session->has_card && session->partition.launches == 0 && session->card.width == 0);
}

static void slow_runs_are_expected(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_level(viewer, "slow"), STATUS_OK);
    assert_true(viewer_expected_ms(viewer) >= WIDTH * HEIGHT / 10.0);
    assert_true(slow_pixels <= 500); /* of 50 ms */
    viewer->session->stale = false;
    assert_true(near(viewer_expected_ms(viewer), 0)); /* nothing is due */
}

/* A part of the picture is smaller than the rectangle: it gets the same share of the part. By hand: the slow level
 * takes 0.1 ms a pixel, of all 61 x 47 that the crop is made from. */
static void slow_runs_before_a_crop_are_expected(void **state) {
    static const char *const chains[] = {"gaussian=9:radius=36,crop=60:46",
                                         "gaussian=9:radius=36,crop=100:100:0:0:percent:1",
                                         "gaussian=9:radius=36,rotate=10:inside"};
    Viewer *viewer = *state;
    for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++) {
        assert_int_equal(viewer_set_chain(viewer, chains[i], FALLBACK_BEST), STATUS_OK);
        assert_int_equal(viewer_set_level(viewer, "slow"), STATUS_OK);
        assert_true(viewer_expected_ms(viewer) >= WIDTH * HEIGHT / 10.0);
    }
    assert_true(slow_pixels <= 1500); /* of 50 ms each */
}

/* While a slider is dragged, each step is another job for the same levels, and runs without being measured before. */
static void runs_like_the_last_are_expected_to_take_as_long(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer_set_level(viewer, "slow"), STATUS_OK);
    assert_true(viewer_expected_ms(viewer) >= WIDTH * HEIGHT / 10.0); /* the last run was on another level */
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    viewer->session->paces[0].ms = 100; /* whatever it was on a busy machine */
    slow_pixels = 0;
    assert_int_equal(viewer_set_chain(viewer, "gaussian=8", FALLBACK_NONE), STATUS_OK);
    assert_true(near(viewer_expected_ms(viewer), 100)); /* at most: the mask is smaller */
    assert_int_equal(viewer_set_chain(viewer, "gaussian=8:radius=54", FALLBACK_NONE), STATUS_OK);
    assert_true(near(viewer_expected_ms(viewer), 100.0 * (109 * 109) / (73 * 73)));
    assert_int_equal(slow_pixels, 0);
    assert_int_equal(viewer_set_chain(viewer, "gaussian=14:radius=98", FALLBACK_NONE),
                     STATUS_OK); /* 730 ms if it grows as the mask */
    assert_true(viewer_expected_ms(viewer) > 0 && slow_pixels > 0);
}

/* The levels of several jobs are remembered, and the best of one says something of the best of another. */
static void levels_that_come_back_are_known(void **state) {
    Viewer *viewer = *state;
    Session *session = viewer->session;
    assert_int_equal(viewer_run(viewer), STATUS_OK); /* the best of gaussian */
    session->paces[0].ms = 3;
    assert_int_equal(viewer_set_level(viewer, "slow"), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    session->paces[0].ms = 100;
    assert_int_equal(viewer_set_chain(viewer, "gaussian=8:radius=35", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_set_level(viewer, "best"), STATUS_OK);
    assert_true(near(viewer_expected_ms(viewer), 3)); /* of the run before the last: the mask is smaller */
    session->paces[1].ms = 1;                         /* a hundred times that is short enough */
    assert_int_equal(viewer_set_chain(viewer, "gaussian=8:radius=35,box=3", FALLBACK_NONE), STATUS_OK);
    assert_true(near(viewer_expected_ms(viewer), 0));
    assert_false(viewer_level_time(viewer, viewer_level(viewer)).known);
    session->paces[1].ms = 4;
    assert_true(viewer_expected_ms(viewer) > 0); /* it was measured */
    assert_true(viewer_level_time(viewer, viewer_level(viewer)).known);
}

static void measurements_wait_until_hands_rest(void **state) {
    Viewer *viewer = *state;
    const double before = clock_ms();
    assert_true(viewer_waits_ms(viewer) < 0); /* a run comes first */
    assert_true(viewer_work(viewer));
    assert_true(viewer->session->measure_at > before && viewer_waits_ms(viewer) >= 0);
    viewer->session->measure_at = INFINITY;
    while (viewer_work(viewer))
        continue;
    assert_true(viewer->session->totals.count >= 3); /* a median */
    assert_int_equal(viewer->session->measured.yardsticks.copies.tries, 0);
    viewer->session->measure_at = 0;
    viewer_delay_measurements(viewer, 1e6); /* a key was pressed */
    viewer_delay_measurements(viewer, 1);   /* and the pointer moved */
    assert_true(viewer_waits_ms(viewer) > 9e5);
    assert_false(viewer_work(viewer));
    viewer->session->measure_at = 0;
    assert_true(viewer_work(viewer));
    assert_int_equal(viewer->session->measured.yardsticks.copies.tries, 1);
}

static void measurements_stop_no_motion(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_open_scene(viewer, "spheres=count=9:seed=3"), STATUS_OK);
    assert_int_equal(action_press(viewer, "Space", true), STATUS_OK);
    assert_true(viewer_work(viewer));
    assert_true(viewer_work(viewer)); /* levels are asked again */
    viewer->session->measure_at = 0;
    const uint64_t moves = viewer_scene(viewer)->moves;
    assert_true(viewer_work(viewer));
    assert_int_equal(viewer->session->measured.yardsticks.copies.tries, 1);
    assert_true(viewer_scene(viewer)->moves == moves + 1);
}

static void bodies_have_a_new_bvh_when_the_old_has_cost_as_much(void **state) {
    Viewer *viewer = *state;
    Refits *refits = &viewer->session->refits;
    viewer_resize(viewer, 64, 48);
    assert_int_equal(viewer_open_scene(viewer, "galaxy=200"), STATUS_OK);
    assert_int_equal(action_press(viewer, "Space", true), STATUS_OK);
    for (int i = 0; i < 2; i++)
        assert_true(viewer_work(viewer));
    for (int due = 0; due < 2; due++) {
        const uint64_t moves = viewer_scene(viewer)->moves;
        *refits = (Refits){.build_ms = 1e9, .sample_ms = 2, .samples = 3, .known = true, .least_ms = 1};
        refits->lost = due ? 1e9 : 0;
        viewer->session->measure_at = INFINITY;
        assert_true(viewer_work(viewer));
        assert_true(viewer_scene(viewer)->moves == moves + 1 && (moves + 1) % 8 != 0);
        assert_true(due ? refits->build_ms < 1e9 : near(refits->lost, 3));
    }
}

static void light_states_no_arithmetic(void **state) {
    Viewer *viewer = *state;
    viewer_resize(viewer, 64, 48);
    assert_int_equal(viewer_open_scene(viewer, "spheres=count=9:seed=3"), STATUS_OK);
    assert_int_equal(viewer_set_look(viewer, LOOK_PATHS), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    const Figures figures = viewer_figures(viewer);
    assert_true(figures.ms > 0 && figures.copies > 0 && near(figures.flops, 0) && near(figures.gigaflops, 0));
    /* A ray from the eye for each pixel, whatever part of them was counted. */
    const double rays = (double)viewer->session->measured.trace_stats.counters.counts[COUNTER_CAMERA_RAYS];
    assert_true(fabs(rays - 64 * 48) < 64);
}

static void the_lowest_rung_is_not_faster_than_itself(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_level(viewer, "naive"), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_true(near(viewer_figures(viewer).speedup, 1));
}

static void figures_are_of_the_last_change_on(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_true(viewer->session->totals.count > 0);
    assert_int_equal(viewer_set_level(viewer, "naive"), STATUS_OK);
    assert_int_equal(viewer->session->totals.count, 0);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer->session->totals.count, 1);
    assert_non_null(viewer_span(viewer, "upload"));           /* of the picture, which stays */
    assert_true(viewer->session->measured.runs.ms.count > 1); /* the graph shows the step between levels */
}

static void every_timed_level_is_a_dot(void **state) {
    Viewer *viewer = *state;
    const Backend *backend = viewer->session->device->backend;
    const Level *naive = level_by_name(backend, &op_convolve, "naive");
    const Level *reference = level_reference(&op_convolve);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    const Level *best = viewer_level(viewer);
    assert_true(viewer_level_time(viewer, best).known && viewer_level_time(viewer, naive).known);
    assert_false(viewer_level_time(viewer, reference).known);
    assert_int_equal(viewer_set_level(viewer, "reference"), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_true(viewer_level_time(viewer, reference).known && viewer_level_time(viewer, best).known);
    assert_true(viewer->session->peak.rate > 0);
    const Figures figures = viewer_figures(viewer);
    assert_true(near(figures.bytes, 2.0 * WIDTH * HEIGHT * 3) && figures.flops > 0 && figures.bandwidth > 0);
    assert_int_equal(viewer_set_chain(viewer, "box", FALLBACK_NONE), STATUS_OK); /* another job */
    assert_false(viewer_level_time(viewer, best).known || viewer_level_time(viewer, naive).known);
}

static void each_backend_keeps_its_time_for_the_job(void **state) {
    Viewer *viewer = *state;
    assert_ptr_equal(backend_at(0), viewer->session->device->backend);
    assert_null(viewer->session->measured.sides[0].level);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_ptr_equal(viewer->session->measured.sides[0].level, viewer_level(viewer));
    assert_true(viewer->session->measured.sides[0].ms > 0);
    assert_int_equal(viewer_set_level(viewer, "naive"), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_string_equal(viewer->session->measured.sides[0].level->name, "naive");
    assert_int_equal(viewer_set_chain(viewer, "box", FALLBACK_NONE), STATUS_OK);
    assert_null(viewer->session->measured.sides[0].level);
}

#define WITH_SLOW(test) cmocka_unit_test_setup_teardown(test, open_slow, close_viewer)

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        WITH_VIEWER(finishing_measures_all_that_the_overlay_shows),
        WITH_SLOW(a_yardstick_takes_no_more_than_its_time),
        WITH_SLOW(a_yardstick_takes_no_kernel_that_loads_for_one_that_runs),
        WITH_SLOW(headline_and_race_have_one_estimate),
        WITH_VIEWER(races_share_the_reference),
        WITH_VIEWER(cards_tell_what_a_piece_takes),
        WITH_SLOW(a_wrong_level_fails),
        WITH_VIEWER(times_have_the_interval_of_student),
        WITH_VIEWER(rungs_are_compared_with_the_reference),
        WITH_SLOW(slow_runs_are_expected),
        WITH_SLOW(slow_runs_before_a_crop_are_expected),
        WITH_SLOW(runs_like_the_last_are_expected_to_take_as_long),
        WITH_SLOW(levels_that_come_back_are_known),
        WITH_VIEWER(measurements_wait_until_hands_rest),
        WITH_VIEWER(measurements_stop_no_motion),
        WITH_VIEWER(bodies_have_a_new_bvh_when_the_old_has_cost_as_much),
        WITH_VIEWER(light_states_no_arithmetic),
        WITH_VIEWER(the_lowest_rung_is_not_faster_than_itself),
        WITH_VIEWER(figures_are_of_the_last_change_on),
        WITH_VIEWER(every_timed_level_is_a_dot),
        WITH_VIEWER(each_backend_keeps_its_time_for_the_job),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
