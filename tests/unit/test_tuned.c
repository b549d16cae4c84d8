/* test_tuned.c: measured tables: times between their points, the choices that best makes of them, and damage to their
 * files. */
#include "app/backends.h"
#include "core/ops/convolve.h"
#include "core/ops/ops.h"
#include "library/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

static Device *device;

static int open_cpu(void **state) {
    const char *why_not;
    (void)state;
    return backend_open("cpu", 0, 1, &device, &why_not) == STATUS_OK ? 0 : -1;
}
static int close_cpu(void **state) {
    (void)state;
    device_close(&device);
    return 0;
}

static const Level *level(const char *name) {
    return level_by_name(device->backend, &op_convolve, name);
}

static TunedPoint point_of(double side, double simd, double naive) {
    TunedPoint point = {.op = &op_convolve, .features = {"u8x4 dense", {2.5, side}}, .count = 1};
    point.times[0] = (TunedTime){level("simd"), simd};
    if (naive > 0)
        point.times[point.count++] = (TunedTime){level("naive"), naive};
    return point;
}

static Tuned *table_of(const TunedPoint *points, size_t count) {
    Tuned *tuned;
    assert_int_equal(tuned_create("2026-01-31", &tuned), STATUS_OK);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(tuned_add(tuned, &points[i]), STATUS_OK);
    return tuned;
}

static void times_between_points_are_their_geometric_mean(void **state) {
    const TunedPoint points[] = {point_of(2, 1, 9), point_of(4, 16, 9)};
    Tuned *tuned = table_of(points, 2);
    const Features at = {"u8x4 dense", {2.5, 2}}, half = {"u8x4 dense", {2.5, 3}}, other = {"u8x1 dense", {2.5, 3}};
    (void)state;
    assert_float_equal(tuned_estimate(tuned, level("simd"), &at), 1, 1e-6);
    assert_float_equal(tuned_estimate(tuned, level("simd"), &half), 4, 1e-6);
    assert_float_equal(tuned_estimate(tuned, level("naive"), &half), 9, 1e-6);
    assert_true(isinf(tuned_estimate(tuned, level("threads"), &half)));
    assert_true(isinf(tuned_estimate(tuned, level("simd"), &other)));
    assert_true(isinf(tuned_estimate(tuned, level("simd"), &(Features){"u8x4 dense", {2.5, 6.5}})));
    tuned_destroy(&tuned);
}

static void a_level_that_was_left_out_is_taken_for_slow(void **state) {
    const TunedPoint points[] = {point_of(2, 2, 1), point_of(4, 2, 0)};
    Tuned *tuned = table_of(points, 2);
    const Features far = {"u8x4 dense", {2.5, 4}};
    (void)state;
    assert_float_equal(tuned_estimate(tuned, level("naive"), &far), 2 * TUNED_SLOWER, 1e-3);
    tuned_destroy(&tuned);
}

/* A stage of a dense mask, 8x8 pixels of u8x4. */
static Stage stage_of(ConvolveJob *job) {
    Stage stage = {.op = &op_convolve, .job = job};
    stage.in[0].shape = stage.out.shape = (Shape){8, 8, 4, PIXEL_U8};
    assert_int_equal(op_convolve.example(0, stage.in[0].shape, job), STATUS_OK);
    return stage;
}

static void best_goes_by_what_was_measured(void **state) {
    ConvolveJob job;
    const Stage stage = stage_of(&job);
    const char *untuned = level_best(device, &stage)->name;
    TunedPoint point = point_of(2, 2, 1);
    (void)state;
    assert_string_not_equal(untuned, "naive");
    device->tuned = table_of(&point, 1);
    assert_string_equal(level_best(device, &stage)->name, "naive");
    /* separable cannot do a dense mask, whatever a table says */
    point.times[point.count++] = (TunedTime){level("separable"), 0.001};
    assert_int_equal(tuned_add(device->tuned, &point), STATUS_OK);
    assert_string_equal(level_best(device, &stage)->name, "naive");
    tuned_destroy(&device->tuned);
    point.features.kind[0] = 'x'; /* of this stage the table says nothing */
    device->tuned = table_of(&point, 1);
    assert_string_equal(level_best(device, &stage)->name, untuned);
    tuned_destroy(&device->tuned);
    mask_destroy(&job.mask);
}

static void nonsense_is_refused(void **state) {
    Tuned *tuned = table_of(NULL, 0);
    const double bad[] = {0, -1, NAN, INFINITY, 1e30};
    TunedPoint point;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        point = point_of(2, bad[i], 0);
        assert_int_equal(tuned_add(tuned, &point), STATUS_INPUT);
    }
    point = point_of(NAN, 1, 0);
    assert_int_equal(tuned_add(tuned, &point), STATUS_INPUT);
    point = point_of(2, 1, 1);
    point.times[1].level = point.times[0].level; /* twice */
    assert_int_equal(tuned_add(tuned, &point), STATUS_INPUT);
    point.times[1].level = level_by_name(device->backend, op_by_name("point"), "rows"); /* of another operation */
    assert_int_equal(tuned_add(tuned, &point), STATUS_INPUT);
    point.times[1].level = NULL;
    assert_int_equal(tuned_add(tuned, &point), STATUS_INPUT);
    point.count = 0;
    assert_int_equal(tuned_add(tuned, &point), STATUS_INPUT);
    point.count = TUNED_LEVELS + 1;
    assert_int_equal(tuned_add(tuned, &point), STATUS_INPUT);
    point = point_of(2, 1, 0);
    for (int i = 0; i < TUNED_POINTS; i++)
        assert_int_equal(tuned_add(tuned, &point), STATUS_OK);
    assert_int_equal(tuned_add(tuned, &point), STATUS_INPUT);
    tuned_destroy(&tuned);
}

/* Parses the text, and if it is a table, takes the level that it calls best. */
static bool parse_and_choose(const char *text, size_t size, const Stage *stage) {
    const char *why_not;
    const Status status = tuning_parse(device, text, size, &device->tuned);
    assert_true((status == STATUS_OK) == (device->tuned != NULL));
    const Level *best = level_best(device, stage);
    assert_true(best && level_accepts(best, device, stage, &why_not));
    tuned_destroy(&device->tuned);
    return status == STATUS_OK;
}

static void damage_never_chooses_what_cannot_do_the_job(void **state) {
    const TunedPoint points[] = {point_of(2, 1, 9), point_of(4, 16, 9)};
    ConvolveJob job;
    const Stage stage = stage_of(&job);
    Tuned *tuned = table_of(points, 2);
    json_t *table = tuning_json(device, tuned);
    char *text = json_dumps(table, JSON_COMPACT);
    const size_t size = strlen(text);
    (void)state;
    assert_true(parse_and_choose(text, size, &stage));
    for (size_t cut = 0; cut < size; cut++)
        assert_false(parse_and_choose(text, cut, &stage));
    for (size_t i = 0; i < size; i++)
        for (int bit = 0; bit < 8; bit++) {
            text[i] ^= (char)(1 << bit);
            (void)parse_and_choose(text, size, &stage);
            text[i] ^= (char)(1 << bit);
        }
    const struct {
        const char *key, *value;
    } stale[] = {
        {"version", "0.0.0"}, {"driver", "1.0"}, {"device", "another"}, {"backend", "cuda"}, {"date", "\x1b[2J"}};
    for (size_t i = 0; i < sizeof stale / sizeof stale[0]; i++) {
        json_t *other = json_deep_copy(table);
        json_object_set_new(other, stale[i].key, json_string(stale[i].value));
        char *words = json_dumps(other, 0);
        assert_false(parse_and_choose(words, strlen(words), &stage));
        free(words);
        json_decref(other);
    }
    json_decref(table);
    free(text);
    tuned_destroy(&tuned);
    mask_destroy(&job.mask);
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_between_points_are_their_geometric_mean),
        cmocka_unit_test(a_level_that_was_left_out_is_taken_for_slow),
        cmocka_unit_test(best_goes_by_what_was_measured),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(damage_never_chooses_what_cannot_do_the_job),
    };
    return cmocka_run_group_tests(tests, open_cpu, close_cpu);
}
