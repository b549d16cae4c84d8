/* test_bench_report.c: the ladder's JSON, of times made up here. */
#include "app/bench/ladder.h"
#include "core/device/backend.h"
#include "core/ops/reduce.h"

#include "tests/check.h"

enum { RUNGS = 3 };

/* A level that was estimated, one that ran once, and one that ran twenty times. */
static json_t *report(void) {
    static LevelResult results[RUNGS];
    static const Level levels[RUNGS] = {
        {.op = &op_reduce, .name = "slow"}, {.op = &op_reduce, .name = "once"}, {.op = &op_reduce, .name = "often"}};
    static const size_t runs[RUNGS] = {0, 1, 20};
    const Backend backend = {.name = "fake"};
    Device device = {.backend = &backend, .name = "somewhere"};
    Queue queue = {.device = &device};
    const Stage stage = {.op = &op_reduce, .out = {.shape = {64, 64, 1, PIXEL_F32}}};
    const Ladder ladder = {
        .queue = &queue, .stage = &stage, .count = RUNGS, .results = results, .copies = {.rate = 1e9}};
    json_t *list = json_array();
    for (size_t i = 0; i < RUNGS; i++)
        results[i] = (LevelResult){.level = &levels[i],
                                   .verdict = {.agrees = true},
                                   .estimated = runs[i] == 0,
                                   .runs = runs[i],
                                   .median = 4,
                                   .p95 = runs[i] > 0 ? 5 : 0};
    ladder_add_json(list, &ladder, "a job");
    return list;
}

static void only_many_runs_have_a_percentile(void **state) {
    (void)state;
    json_t *list = report();
    assert_int_equal(json_array_size(list), RUNGS);
    for (size_t i = 0; i < RUNGS; i++) {
        const json_t *entry = json_array_get(list, i);
        assert_true(json_number_value(json_object_get(entry, "real_time")) == 4);
        assert_true(json_is_true(json_object_get(entry, "estimated")) == (i == 0));
        assert_true((json_object_get(entry, "p95") != NULL) == (i == 2));
    }
    assert_true(json_number_value(json_object_get(json_array_get(list, 2), "p95")) == 5);
    json_decref(list);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(only_many_runs_have_a_percentile)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
