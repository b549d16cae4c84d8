/* test_pacing.c: how times are spread, how smooth frames feel to a person, and which runs are warm-ups. */
#include "app/view/data/pacing.h"
#include "app/view/data/spread.h"
#include "app/view/data/stalls.h"
#include "app/view/session/runs.h"

#include <math.h>

#include "tests/check.h"

static bool near(double a, double b) {
    return fabs(a - b) < 1e-9;
}

/* ---- spread ---- */

/* By the nearest rank: of 1 to 100 the 95th percentile is 95. */
static void quantiles_are_ranks(void **state) {
    (void)state;
    Spread spread = {0};
    SpreadFigures figures = spread_figures(&spread);
    assert_true(near(figures.median, 0) && near(figures.worst, 0));
    for (int i = 0; i < 100; i++)
        spread_add(&spread, 1 + i * 37 % 100);
    figures = spread_figures(&spread);
    assert_true(near(figures.median, 50) && near(figures.p95, 95) && near(figures.p99, 99) && near(figures.worst, 100));
    assert_int_equal(spread.all, 100);
}

/* Quantiles are of the last times; the worst time is not forgotten. */
static void the_worst_stays(void **state) {
    (void)state;
    Spread spread = {0};
    spread_add(&spread, 1000);
    for (int i = 0; i < SPREAD_MAX; i++)
        spread_add(&spread, 2);
    const SpreadFigures figures = spread_figures(&spread);
    assert_true(near(figures.p99, 2) && near(figures.worst, 1000));
    assert_int_equal(spread.count, SPREAD_MAX);
    assert_int_equal(spread.all, SPREAD_MAX + 1);
}

/* "± 1866 %" would claim that times may be negative. */
static void times_that_may_be_anything_are_unsteady(void **state) {
    static const struct {
        double share;
        const char *words;
    } cases[] = {{0, " ± 0.0 %"},      {0.004, " ± 0.4 %"},   {0.02, " ± 2 %"}, {0.49, " ± 49 %"},
                 {0.99, ", unsteady"}, {18.66, ", unsteady"}, {INFINITY, ""}};
    char words[32];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(spread_words(cases[i].share, words, sizeof words), cases[i].words);
}

/* Two bins an octave from an eighth of a millisecond on: 1 ms is 3 octaves behind it. Times that are shorter or longer
 * than all bins are in the outermost ones. */
static void bins_are_half_octaves(void **state) {
    (void)state;
    Spread spread = {0};
    unsigned counts[SPREAD_BINS], sum = 0;
    const double times[] = {0, 0.1, 0.125, 1, 1.2, 1.5, 1e9};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        spread_add(&spread, times[i]);
    spread_histogram(&spread, counts);
    assert_int_equal(counts[0], 2);
    assert_int_equal(counts[1], 1);
    assert_int_equal(counts[7], 2);
    assert_int_equal(counts[8], 1);
    assert_int_equal(counts[SPREAD_BINS - 1], 1);
    for (int i = 0; i < SPREAD_BINS; i++)
        sum += counts[i];
    assert_int_equal(sum, 7);
    assert_true(near(spread_place(1), 7) && near(spread_place(2), 9));
}

/* ---- pacing ---- */

static void the_first_event_counts(void **state) {
    (void)state;
    Pacing pacing = {0};
    pacing_event(&pacing, (Heard){100, 100.5});
    pacing_event(&pacing, (Heard){104, 104.5});
    pacing_swap(&pacing, 109, 110, false); /* the result is still to come */
    assert_true(pacing.input_ms < 0 && pacing.input.count == 0);
    pacing_event(&pacing, (Heard){111, 111.5});
    pacing_swap(&pacing, 129, 130, true);
    assert_true(near(pacing.input_ms, 30) && pacing.input.count == 1);
    assert_true(near(pacing.own_ms, 28.5) &&
                pacing.own.count == 1);   /* taken half a millisecond later; a swap of 1 ms */
    pacing_swap(&pacing, 139, 140, true); /* nobody asked */
    assert_true(pacing.input_ms < 0 && pacing.own_ms < 0 && pacing.input.count == 1);
    pacing_event(&pacing, (Heard){141, 141.5});
    pacing_swap(&pacing, 142, 143, true);
    assert_true(near(pacing.input_ms, 2));
}

/* An event that is followed at once while something else is under way does not answer that. */
static void what_is_followed_leaves_the_rest_open(void **state) {
    (void)state;
    Pacing pacing = {0};
    pacing_event(&pacing, (Heard){100, 100.5});
    pacing_swap(&pacing, 204, 205, false);
    pacing_follow(&pacing, (Heard){200, 200.5});
    assert_true(pacing.input.count == 1 && near(spread_figures(&pacing.input).median, 5));
    assert_true(pacing.own.count == 1 && near(spread_figures(&pacing.own).median, 3.5));
    pacing_swap(&pacing, 299, 300, true);
    assert_true(pacing.input.count == 2 && near(spread_figures(&pacing.input).worst, 200));
}

/* A hand that goes on changes the input of a result while that is made. Each result answers the events that it was made
 * for; events that came later wait for the next one. */
static void results_answer_what_they_know_of(void **state) {
    (void)state;
    Pacing pacing = {0};
    pacing_event(&pacing, (Heard){100, 100.5});
    pacing_begin(&pacing);
    pacing_later(&pacing, (Heard){110, 110.5});
    pacing_later(&pacing, (Heard){115, 115.5});
    pacing_swap(&pacing, 129, 130, true);
    assert_true(near(pacing.input_ms, 30));
    pacing_begin(&pacing);
    pacing_later(&pacing, (Heard){140, 140.5});
    pacing_swap(&pacing, 149, 150, false); /* it was stopped for the sake of a later request */
    assert_true(pacing.input_ms < 0);
    pacing_begin(&pacing);
    pacing_swap(&pacing, 169, 170, true);
    assert_true(near(pacing.input_ms, 60));
    pacing_swap(&pacing, 179, 180, true);
    assert_true(pacing.input_ms < 0 && pacing.input.count == 2);
}

/* A window that waited is no slow window; one that was busy is. */
static void pauses_are_no_intervals(void **state) {
    (void)state;
    Pacing pacing = {0};
    pacing_swap(&pacing, 9, 10, true);
    assert_true(pacing.between_ms < 0);
    pacing_rest(&pacing, 5);
    pacing_swap(&pacing, 25, 26, true);
    assert_true(near(pacing.between_ms, 16));
    pacing_rest(&pacing, 30);
    pacing_rest(&pacing, 970);
    pacing_swap(&pacing, 1035, 1036, true);
    assert_true(pacing.between_ms < 0);
    pacing_swap(&pacing, 2035, 2036, true);
    assert_true(near(pacing.between_ms, 1000));
    assert_int_equal(pacing.between.count, 2);
    pacing_forget(&pacing);
    assert_int_equal(pacing.between.count + pacing.input.count, 0);
    pacing_swap(&pacing, 2039, 2040, true);
    assert_true(near(pacing.between_ms, 4)); /* an event under way goes on */
}

/* ---- stalls ---- */

/* The time between two looks counts, by both clocks, but not the time that the thread waited in between. */
static void stalls_are_what_is_not_waited_for(void **state) {
    (void)state;
    Stalls stalls = {.count = {0}};
    stalls_wake(&stalls, (double[]){1000, 50});
    stalls_listen(&stalls, (double[]){1019, 60});
    assert_true(near(stalls.longest[STALL_WALL], 19) && near(stalls.longest[STALL_THREAD], 10));
    assert_true(stalls.count[STALL_WALL] == 0 && stalls.count[STALL_THREAD] == 0);
    stalls_wake(&stalls, (double[]){2000, 61}); /* it slept */
    stalls_listen(&stalls, (double[]){2005, 65});
    assert_true(near(stalls.longest[STALL_WALL], 19));
    stalls_listen(&stalls, (double[]){2030, 70}); /* another program had the core for 20 of 25 ms */
    assert_true(near(stalls.longest[STALL_WALL], 25) && near(stalls.longest[STALL_THREAD], 10));
    assert_true(stalls.count[STALL_WALL] == 1 && stalls.count[STALL_THREAD] == 0);
    stalls_listen(&stalls, (double[]){2051, 91});
    assert_true(stalls.count[STALL_WALL] == 2 && stalls.count[STALL_THREAD] == 1);
    stalls_forget(&stalls);
    assert_true(stalls.count[STALL_WALL] == 0 && near(stalls.longest[STALL_THREAD], 0));
    stalls_listen(&stalls, (double[]){2072, 92}); /* a stall that began before counts from then */
    assert_true(stalls.count[STALL_WALL] == 1 && near(stalls.longest[STALL_WALL], 21));
}

/* ---- runs ---- */

static void first_runs_warm_up(void **state) {
    (void)state;
    const double times[] = {20, 15, 10, 9.8, 9.9, 5};
    Runs runs = {0};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        runs_add(&runs, times[i], i == 0);
    assert_int_equal(runs_marks(&runs, 5), RUN_WARM_UP);
    assert_int_equal(runs_marks(&runs, 4), RUN_WARM_UP); /* the one behind it was faster by a third */
    for (size_t age = 0; age < 4; age++)
        assert_int_equal(runs_marks(&runs, age), 0); /* once it is over, it is over */
    runs_add(&runs, 5, true);
    assert_int_equal(runs_marks(&runs, 0), RUN_WARM_UP);
    runs_add(&runs, 5, false);
    assert_int_equal(runs_marks(&runs, 1), RUN_WARM_UP);
    assert_int_equal(runs_marks(&runs, 0), 0);
}

static void runs_agree_within_a_fifth(void **state) {
    (void)state;
    Runs runs = {0};
    runs_add(&runs, 100, true); /* a warm-up says nothing */
    assert_false(runs_disagree(&runs));
    runs_add(&runs, 50, false);
    runs_add(&runs, 51, false);
    runs_add(&runs, 58, false);
    assert_false(runs_disagree(&runs));
    runs_add(&runs, 90, false);
    runs_add(&runs, 85, false);
    assert_true(runs_disagree(&runs));
    for (int i = 0; i < RUNS_COMPARED - 1; i++)
        runs_add(&runs, 50, false);
    assert_false(runs_disagree(&runs)); /* one that was disturbed among many that agree */
    runs_add(&runs, 10, true);
    assert_false(runs_disagree(&runs)); /* another job */
}

static size_t marked(const Runs *runs, unsigned mark) {
    size_t count = 0;
    for (size_t age = 0; age < runs->ms.count; age++)
        count += (runs_marks(runs, age) & mark) != 0;
    return count;
}

static void changes_of_the_pace_are_marked_once(void **state) {
    (void)state;
    Runs runs = {0};
    for (int i = 0; i < 30; i++)
        runs_add(&runs, 10 + 0.1 * (i % 3), i == 0);
    assert_int_equal(marked(&runs, RUN_PACE), 0);
    for (int i = 0; i < RUN_PACE_AGE; i++)
        runs_add(&runs, 12 + 0.1 * (i % 3), false);
    assert_int_equal(marked(&runs, RUN_PACE), 0); /* it may be over at once */
    runs_add(&runs, 12, false);
    assert_int_equal(runs_marks(&runs, RUN_PACE_AGE), RUN_PACE);
    for (int i = 0; i < 30; i++)
        runs_add(&runs, 12 + 0.1 * (i % 3), false);
    assert_int_equal(marked(&runs, RUN_PACE), 1);
    for (int i = 0; i < 8; i++)
        runs_add(&runs, 10, false);
    assert_int_equal(marked(&runs, RUN_PACE), 2);
}

/* Nor is a hiccup one, nor another level, nor a time within the spread. */
static void other_things_are_no_change_of_the_pace(void **state) {
    (void)state;
    Runs runs = {0};
    for (int i = 0; i < 60; i++)
        runs_add(&runs, i % 9 == 0 ? 30 : 10 + i % 2, i == 0);
    for (int i = 0; i < 30; i++)
        runs_add(&runs, 3, i == 0);
    for (int i = 0; i < 30; i++)
        runs_add(&runs, 3.1, false);
    assert_int_equal(marked(&runs, RUN_PACE), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_ranks),
        cmocka_unit_test(the_worst_stays),
        cmocka_unit_test(bins_are_half_octaves),
        cmocka_unit_test(times_that_may_be_anything_are_unsteady),
        cmocka_unit_test(the_first_event_counts),
        cmocka_unit_test(what_is_followed_leaves_the_rest_open),
        cmocka_unit_test(results_answer_what_they_know_of),
        cmocka_unit_test(pauses_are_no_intervals),
        cmocka_unit_test(stalls_are_what_is_not_waited_for),
        cmocka_unit_test(first_runs_warm_up),
        cmocka_unit_test(runs_agree_within_a_fifth),
        cmocka_unit_test(changes_of_the_pace_are_marked_once),
        cmocka_unit_test(other_things_are_no_change_of_the_pace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
