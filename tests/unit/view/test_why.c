/* test_why.c: each rung of every ladder says why it is faster than the rung below. */
#include "app/view/data/why.h"

#include <stdio.h>
#include <string.h>

#include "tests/check.h"

typedef struct Rung {
    const char *backend, *operation, *level;
} Rung;

/* All ladders as `best` and the window have them, of backends that this build lacks, too. */
static const Rung rungs[] = {
#define LEVEL(operation, level) {"cpu", #operation, #level},
#include "cpu/levels.def"
#undef LEVEL
#define LEVEL(operation, level) {"cuda", #operation, #level},
#include "gpu/levels.def"
#undef LEVEL
};

enum { RUNGS = sizeof rungs / sizeof rungs[0] };

/* The rung below, as the ladder's order has it; "" of the lowest. */
static const char *below(size_t rung) {
    for (size_t i = rung; i-- > 0;)
        if (strcmp(rungs[i].backend, rungs[rung].backend) == 0 &&
            strcmp(rungs[i].operation, rungs[rung].operation) == 0)
            return rungs[i].level;
    return "";
}

static void every_rung_has_its_words(void **state) {
    (void)state;
    for (size_t i = 0; i < RUNGS; i++) {
        const Why *why = why_of(rungs[i].backend, rungs[i].operation, rungs[i].level);
        if (!why) {
            fail_msg("%s: %s of %s has no row in why.def", rungs[i].backend, rungs[i].level, rungs[i].operation);
            return;
        }
        if (strcmp(why->below, below(i)) != 0)
            fail_msg("%s: %s of %s stands above \"%s\", its row says \"%s\"", rungs[i].backend, rungs[i].level,
                     rungs[i].operation, below(i), why->below);
        assert_true(strlen(why->words) > 20 && strlen(why->words) < 240);
        assert_int_equal(why->words[strlen(why->words) - 1], '.');
    }
    assert_int_equal(why_count, RUNGS);
}

/* Whether a heading of the page begins with these words. */
static bool has_heading(const char *page, const char *heading) {
    char path[512], line[512];
    bool found = false;
    snprintf(path, sizeof path, GLINT_SOURCE_DIR "/%s", page);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("%s is not there", path);
    while (!found && fgets(line, sizeof line, file)) {
        const size_t marks = strspn(line, "#");
        line[strcspn(line, "\n")] = '\0';
        found = marks > 0 && strcmp(line + marks + strspn(line + marks, " "), heading) == 0;
    }
    fclose(file);
    return found;
}

static void every_page_has_its_heading(void **state) {
    (void)state;
    char words[160];
    for (size_t i = 0; i < why_count; i++) {
        why_format_page(&whys[i], words, sizeof words);
        char *comma = strstr(words, ", ");
        if (!comma) {
            fail_msg("%s has no page", whys[i].operation);
            return;
        }
        *comma = '\0';
        if (!has_heading(words, comma + 2))
            fail_msg("%s has no heading \"%s\"", words, comma + 2);
    }
}

static void words_name_the_rung_below(void **state) {
    (void)state;
    char words[320];
    const Why *why = why_of("cpu", "nbody", "barnes-hut");
    assert_non_null(why);
    assert_string_equal(why->below, "threads");
    assert_int_equal(strncmp(why_format(why, words, sizeof words), "Over threads: A far cell", 24), 0);
    why = why_of("cuda", "transfer", "streams-2");
    assert_non_null(strstr(why_format(why, words, sizeof words), "Over streams-1: "));
    why = why_of("cpu", "convolve", "reference");
    assert_non_null(why);
    assert_string_equal(why_format(why, words, sizeof words), why->words);
    assert_string_equal(why_format_page(why_of("cpu", "convolve", "simd"), words, sizeof words),
                        "docs/convolve.md, cpu: simd");
    assert_null(why_of("cpu", "convolve", "march"));
    assert_string_equal(why_format(NULL, words, sizeof words), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rung_has_its_words),
        cmocka_unit_test(every_page_has_its_heading),
        cmocka_unit_test(words_name_the_rung_below),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
