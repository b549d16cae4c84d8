/* test_exercises.c: the lab's exercises as text, and what times of a GPU make of their gate of speed. */
#include "app/lab/grade.h"

#include "tests/check.h"

#include <string.h>

/* "reduce/first_add", as gpu/levels.def orders them; people write first-add. */
static const char *const levels[] = {
#define LEVEL(operation, name) #operation "/" #name,
#include "gpu/levels.def"
#undef LEVEL
};

static bool is_level(const char *operation, const char *name) {
    char row[64];
    snprintf(row, sizeof row, "%s/%s", operation, name);
    assert_null(strchr(name, '_'));
    for (char *hyphen = strchr(row, '-'); hyphen; hyphen = strchr(hyphen, '-'))
        *hyphen = '_';
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (strcmp(levels[i], row) == 0)
            return true;
    return false;
}

static void every_exercise_names_a_level_of_ours(void **state) {
    (void)state;
    const Exercise *exercise;
    size_t count = 0;
    for (; (exercise = exercise_at(count)); count++) {
        Wanted wanted[EXERCISE_GATES];
        char operation[32];
        const size_t gates = exercise_gates(exercise, wanted);
        exercise_operation(exercise, operation, sizeof operation);
        assert_in_range(gates, 2, EXERCISE_GATES - 1);
        for (size_t i = 0; i + 1 < gates; i++)
            assert_string_equal(wanted[i].level, "");
        const Wanted *speed = &wanted[gates - 1]; /* it stands last */
        assert_string_equal(speed->gate, "speed");
        assert_true(speed->least);
        assert_true(speed->value == 0.8);
        if (!is_level(operation, speed->level))
            fail_msg("%s: gpu/levels.def has no level %s of %s", exercise->name, speed->level, operation);
    }
    assert_int_equal(count, 25);
}

static void the_best_round_counts(void **state) {
    (void)state;
    const SpeedRound rounds[] = {{1, 4}, {3, 4}, {2, 0}};
    SpeedRound best;
    assert_true(speed_share(rounds, 1, &best) == 0.25);
    assert_true(speed_share(rounds, 3, &best) == 0.75);
    assert_true(best.ours == 3 && best.answer == 4);
    assert_true(speed_share(rounds, 0, &best) == 0);
    assert_true(speed_share(rounds + 2, 1, &best) == 0); /* a device without a clock */
}

static void slow_answers_are_timed_again(void **state) {
    (void)state;
    const SpeedRound slow[SPEED_ROUNDS + 1] = {{1, 2}, {1, 2}, {1, 2}}, fast = {1, 1.25};
    assert_true(speed_again(slow, 0, 0.8));
    for (size_t i = 1; i < SPEED_ROUNDS; i++)
        assert_true(speed_again(slow, i, 0.8));
    assert_false(speed_again(slow, SPEED_ROUNDS, 0.8));
    assert_false(speed_again(&fast, 1, 0.8)); /* exactly 0.8 */
}

static const Wanted at_least = {"speed", true, 0.8, "shared"};

/* The entry of a grade's only finding. */
static json_t *only_entry(const Grade *grade) {
    json_t *list = grade_json(grade), *entry = json_incref(json_array_get(list, 0));
    assert_int_equal(json_array_size(list), 1);
    json_decref(list);
    return entry;
}

static void without_a_gpu_nothing_is_missed(void **state) {
    (void)state;
    Grade grade = {0};
    const SpeedTimes none = {0};
    grade_speed(&at_least, &none, "backend cuda: this computer has no GPU", &grade);
    json_t *entry = only_entry(&grade);
    assert_int_equal(grade.failed, 0);
    assert_true(json_is_null(json_object_get(entry, "passed")));
    assert_null(json_object_get(entry, "value"));
    assert_string_equal(json_string_value(json_object_get(entry, "text")),
                        "not measured: backend cuda: this computer has no GPU");
    json_decref(entry);
}

static void check_times(double answer, bool passes, const char *text) {
    Grade grade = {0};
    const SpeedTimes times = {1, {{1, answer}}, "the job"};
    grade_speed(&at_least, &times, "", &grade);
    json_t *entry = only_entry(&grade);
    assert_int_equal(grade.failed, !passes);
    assert_int_equal(json_is_true(json_object_get(entry, "passed")), passes);
    assert_true(json_number_value(json_object_get(entry, "value")) == 1 / answer);
    assert_true(json_number_value(json_object_get(entry, "at_least")) == 0.8);
    assert_string_equal(json_string_value(json_object_get(entry, "of")), "shared");
    assert_string_equal(json_string_value(json_object_get(entry, "text")), text);
    json_decref(entry);
}

static void times_pass_or_fail(void **state) {
    (void)state;
    check_times(1.25, true, "0.8 of the speed of shared, want at least 0.8: 1.25 ms, and shared 1 ms; the job");
    check_times(2, false, "0.5 of the speed of shared, want at least 0.8: 2 ms, and shared 1 ms; the job");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_exercise_names_a_level_of_ours),
        cmocka_unit_test(the_best_round_counts),
        cmocka_unit_test(slow_answers_are_timed_again),
        cmocka_unit_test(without_a_gpu_nothing_is_missed),
        cmocka_unit_test(times_pass_or_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
