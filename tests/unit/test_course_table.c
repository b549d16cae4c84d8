/* test_course_table.c: the course's table of reductions, next to times made up here. */
#include "app/bench/course.h"
#include "core/device/backend.h"

#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

/* CENG 5030, Implementation 05: CUDA, the last table of its slides, as it is printed there; ms, GB/s, step and total.
 */
static const char *const slides[][5] = {
    {"interleaved", "8.054", "2.083", "1.00x", "1.00x"}, {"strided", "3.456", "4.854", "2.33x", "2.33x"},
    {"sequential", "1.722", "9.741", "2.01x", "4.68x"},  {"first-add", "0.965", "17.377", "1.78x", "8.34x"},
    {"unrolled", "0.536", "31.289", "1.80x", "15.01x"},  {"template", "0.381", "43.996", "1.41x", "21.16x"},
    {"many", "0.268", "62.671", "1.42x", "30.04x"},
};
enum { RUNGS = sizeof slides / sizeof slides[0], WORDS = 12 };

/* Our half is of times that halve from rung to rung, from 4.194304 ms on: 2^22 integers are 4 GB/s then. */
static char *table_of(bool host_frames) {
    static LevelResult results[RUNGS + 1];
    Level levels[RUNGS + 1];
    const Backend backend = {.host_frames = host_frames};
    Device device = {.backend = &backend, .name = "somewhere"};
    Queue queue = {.device = &device};
    const Ladder ladder = {.queue = &queue, .count = RUNGS + 1, .results = results};
    char *text = NULL;
    size_t size;
    double ms = 4.194304;
    for (size_t i = 0; i <= RUNGS; i++, ms /= 2) {
        const Level level = {.name = i < RUNGS ? slides[i][0] : "shuffle"};
        memcpy(&levels[i], &level, sizeof level);
        results[i] = (LevelResult){.level = &levels[i], .verdict = {.agrees = i != 2}, .median = ms};
    }
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    course_print(to, &ladder, course_sizes[0]);
    fclose(to);
    return text;
}

static size_t words_of(char *line, char *words[WORDS]) {
    size_t count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(line, " ", &rest); word && count < WORDS; word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    return count;
}

static void rungs_stand_next_to_the_slides(void **state) {
    (void)state;
    char *text = table_of(false), *rest = NULL, *words[WORDS] = {0};
    assert_string_equal(strtok_r(text, "\n", &rest), "2^22 integers on somewhere | the course's, 2^22 on a G80");
    assert_int_equal(words_of(strtok_r(NULL, "\n", &rest), words), 10);
    for (size_t i = 0; i < RUNGS; i++) {
        assert_int_equal(words_of(strtok_r(NULL, "\n", &rest), words), i == 2 ? 11 : 10);
        assert_string_equal(words[0], slides[i][0]);
        assert_string_equal(words[3], i > 0 ? "2.00x" : "1.00x");
        for (size_t k = 1; k < 5; k++)
            assert_string_equal(words[5 + k], slides[i][k]);
        if (i == 0)
            assert_string_equal(words[2], "4.0"); /* GB/s */
        if (i == 2)
            assert_string_equal(words[10], "WRONG");
        if (i == 6)
            assert_string_equal(words[4], "64.00x");
    }
    assert_int_equal(words_of(strtok_r(NULL, "\n", &rest), words), 5); /* the slides have no such rung */
    assert_string_equal(words[0], "shuffle");
    free(text);
}

static void a_cpu_has_other_rungs(void **state) {
    (void)state;
    char *text = table_of(true);
    assert_null(strstr(text, "G80"));
    assert_null(strstr(text, "8.054"));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rungs_stand_next_to_the_slides),
        cmocka_unit_test(a_cpu_has_other_rungs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
