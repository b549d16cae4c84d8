/* test_experiment.c: the tables of experiments, and curves of figures that are known. */
#include "app/backends.h"
#include "core/device/experiment.h"

#include "tests/check.h"

#include <math.h>
#include <string.h>

/* ---- rules for every table ---- */

static void check_axis(Axis axis) {
    assert_true(axis.what && axis.what[0] && axis.unit && axis.unit[0]);
}

static void check_sentence(const char *text) {
    assert_non_null(text);
    assert_true(strlen(text) > 20 && strlen(text) < 250);
    assert_null(strchr(text, '\n'));
}

static void every_experiment_is_complete(void **state) {
    (void)state;
    for (size_t b = 0; b < backend_count(); b++) {
        const Experiments *all = backend_at(b)->experiments;
        for (size_t i = 0; all && i < all->count; i++) {
            const Experiment *experiment = all->list[i];
            assert_true(all->count <= EXPERIMENTS_MAX);
            assert_ptr_equal(experiment_by_name(backend_at(b), experiment->name), experiment); /* no name twice */
            assert_true(experiment->title[0] && strlen(experiment->title) < 40);
            check_sentence(experiment->idea);
            check_sentence(experiment->advice);
            check_axis(experiment->x);
            check_axis(experiment->y);
            assert_non_null(experiment->measure);
            assert_true(experiment_series(experiment) >= 1);
            assert_true(experiment_points(experiment) >= 3);
            assert_true(experiment->points[0] > 0);
            for (size_t p = 1; p < experiment_points(experiment); p++)
                assert_true(experiment->points[p] > experiment->points[p - 1]);
        }
    }
}

/* Every figure that is to be had is one; how large it is, is the machine's business. */
static void every_experiment_runs(void **state) {
    static Curves curves;
    char text[512];
    (void)state;
    for (size_t b = 0; b < backend_count(); b++) {
        Device *device;
        Queue *queue;
        if (!backend_at(b)->experiments || backend_at(b)->open(0, 0, &device) != STATUS_OK) {
            print_message("%s: not here\n", backend_at(b)->name);
            continue;
        }
        REQUIRE(queue_open(device, &queue));
        curves_begin(&curves, device, NULL);
        assert_int_equal(curves.count, backend_at(b)->experiments->count);
        while (!curves_complete(&curves))
            REQUIRE(curves_measure(&curves, queue));
        for (size_t i = 0; i < curves.count; i++) {
            const Curve *curve = &curves.curves[i];
            for (size_t s = 0; s < experiment_series(curve->experiment); s++)
                for (size_t p = 0; p < experiment_points(curve->experiment); p++)
                    assert_true(!curve_has(curve, s, p) || (curve->y[s][p] > 0 && isfinite(curve->y[s][p])));
            curve_tell(curve, text, sizeof text);
            assert_true(strlen(text) > 10);
        }
        queue_close(&queue);
        device_close(&device);
    }
}

/* ---- curves ---- */

/* Doubles, with none for 4 in the second series. */
static Status measure_double(Queue *queue, double x, size_t series, double *y) {
    (void)queue;
    *y = series == 1 && x > 3.5 && x < 4.5 ? NAN : 2 * x * (double)(series + 1);
    return STATUS_OK;
}

static const Experiment doubles = {
    .name = "doubles",
    .x = {"things", "words", false},
    .y = {"time", "ns", false},
    .series = {"one", "two"},
    .points = {1, 2, 4},
    .measure = measure_double,
};

static const Experiment refused = {.name = "refused",
                                   .x = {"things", "B", false},
                                   .y = {"time", "ns", false},
                                   .series = {"one"},
                                   .points = {1024, 1 << 20},
                                   .measure = measure_double};

static void curves_grow_figure_by_figure(void **state) {
    static Curves curves;
    char text[256];
    Device *device;
    Queue *queue;
    (void)state;
    REQUIRE(backend_by_name("cpu")->open(0, 1, &device));
    REQUIRE(queue_open(device, &queue));
    curves_begin(&curves, device, &doubles);
    assert_int_equal(curves.count, 1);
    for (size_t i = 0; i < 6; i++) {
        assert_false(curves_complete(&curves));
        curve_tell(&curves.curves[0], text, sizeof text);
        assert_string_equal(text, "");
        assert_false(curve_has(&curves.curves[0], i % 2, i / 2));
        REQUIRE(curves_measure(&curves, queue));
    }
    assert_true(curves_complete(&curves));
    REQUIRE(curves_measure(&curves, queue)); /* nothing more to do */
    const Curve *curve = &curves.curves[0];
    assert_true(curve_has(curve, 0, 2) && !curve_has(curve, 1, 2) && !curve_has(curve, 2, 0) && curve_has(curve, 1, 1));
    assert_true(fabs(curve_at(curve, 1, 2) - 8) < 1e-12 && isnan(curve_at(curve, 1, 4)) &&
                isnan(curve_at(curve, 0, 3)));
    curve_tell(curve, text, sizeof text);
    assert_string_equal(text, "one: from 2 ns at 1 word to 8 ns at 4 words, a factor of 4");
    curve_tell_at(curve, 1, (const double[]){1, 2, 4}, 3, text, sizeof text);
    assert_string_equal(text, "4 ns at 1 word, 8 ns at 2 words");
    queue_close(&queue);
    device_close(&device);
}

static void figures_have_three_digits(void **state) {
    static const struct {
        Axis axis;
        double value;
        const char *want;
    } cases[] = {{{"", "B", false}, 64, "64 B"},         {{"", "B", false}, 1536, "1.50 KiB"},
                 {{"", "B", false}, 0x1p27, "128 MiB"},  {{"", "ns", false}, 1.2345, "1.23 ns"},
                 {{"", "ns", false}, 12.345, "12.3 ns"}, {{"", "ns", false}, 1234.5, "1234 ns"},
                 {{"", "ns", false}, 1, "1 ns"},         {{"", "lanes", false}, 1, "1 lane"},
                 {{"", "lanes", false}, 16, "16 lanes"}, {{"", "µs", false}, 9.999, "10.0 µs"},
                 {{"", "GB/s", false}, NAN, "-"}};
    char text[48];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(axis_format(cases[i].axis, cases[i].value, text, sizeof text), cases[i].want);
    assert_int_equal(experiment_points(&refused), 2);
}

/* CHAIN_NEXT comes by every element before it is back. */
static void chains_go_through_all(void **state) {
    (void)state;
    for (uint32_t count = 1; count <= 1 << 16; count *= 2) {
        uint32_t at = 0, steps = 0;
        do {
            at = CHAIN_NEXT(at, count);
            steps++;
        } while (at != 0 && steps <= count);
        assert_int_equal(steps, count);
    }
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_experiment_is_complete), cmocka_unit_test(every_experiment_runs),
        cmocka_unit_test(curves_grow_figure_by_figure), cmocka_unit_test(figures_have_three_digits),
        cmocka_unit_test(chains_go_through_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
