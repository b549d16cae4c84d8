/* test_terms.c: the glossary of the panels has every term that a panel marks, and finds terms in texts. */
#include "app/view/data/terms.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "tests/check.h"

static void terms_are_whole(void **state) {
    (void)state;
    assert_true(term_count <= 64); /* texts mark each once, by a bit for each */
    for (size_t i = 0; i < term_count; i++) {
        assert_ptr_equal(term_of(terms[i].name), &terms[i]); /* no name stands twice */
        assert_true(strlen(terms[i].words) > 20 && strlen(terms[i].words) < 200);
        char form[64];
        for (const char *at = terms[i].forms; *at; at += strspn(at, "|")) {
            snprintf(form, sizeof form, "%.*s", (int)strcspn(at, "|"), at);
            if (term_of(form) != &terms[i])
                fail_msg("%s is a form of %s and of another term", form, terms[i].name);
            at += strlen(form);
        }
    }
}

/* The words that learners asked for, and those of the panels about a kernel and a roofline. */
static void it_has_what_learners_ask_for(void **state) {
    static const char *const wanted[] = {"tap",       "halo",   "copies",  "roof",          "ghosts",
                                         "occupancy", "warp",   "block",   "shared memory", "registers",
                                         "Roofline",  "Kernel", "barrier", "bank conflict", "coalescing"};
    (void)state;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        if (!term_of(wanted[i]))
            fail_msg("the glossary has no \"%s\"", wanted[i]);
    assert_null(term_of(""));
    assert_null(term_of("photograph"));
    assert_null(term_of("tap|taps"));
}

static void assert_found(const char *text, size_t at, const char *name, size_t length) {
    size_t found = 0;
    const Term *term = NULL;
    const char *place = term_find(text, &found, &term);
    assert_non_null(place);
    assert_int_equal(place - text, at);
    assert_int_equal(found, length);
    assert_string_equal(term->name, name);
}

static void terms_are_found_as_words(void **state) {
    size_t length;
    const Term *term;
    (void)state;
    assert_found("w + h taps a pixel", 6, "tap", 4);
    assert_found("Tile and halo in shared memory", 0, "tile", 4);
    assert_found("through shared memory", 8, "shared memory", 13);
    assert_found("bank conflicts of a warp", 0, "bank", 14);
    assert_found("a tape, then a halo", 15, "halo", 4); /* no part of a word */
    assert_null(term_find("multitap, tapping, tap-dance, tap_1", &length, &term));
    assert_null(term_find("", &length, &term));
}

/* Every term("…") of a panel's source, and every key(…, "…") of the tile's colours, is a row of the table. */
static size_t check_source(const char *path) {
    char line[512], name[64];
    size_t marked = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        static const char *const calls[] = {"term(overlay, ", "key(overlay, "};
        for (size_t i = 0; i < 2; i++) {
            const char *call = strstr(line, calls[i]), *quote = call ? strchr(call, '"') : NULL;
            if (!quote || sscanf(quote, "\"%63[^\"]\"", name) != 1)
                continue;
            marked++;
            if (!term_of(name))
                fail_msg("%s marks \"%s\", which terms.def does not have", path, name);
        }
    }
    fclose(file);
    return marked;
}

static void panels_mark_only_terms(void **state) {
    glob_t sources;
    size_t marked = 0;
    (void)state;
    assert_int_equal(glob(GLINT_SOURCE_DIR "/app/view/ui/panels/*.cpp", 0, NULL, &sources), 0);
    for (size_t i = 0; i < sources.gl_pathc; i++)
        marked += check_source(sources.gl_pathv[i]);
    globfree(&sources);
    assert_true(marked >= 3); /* tile, halo, ghosts */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_are_whole),
        cmocka_unit_test(it_has_what_learners_ask_for),
        cmocka_unit_test(terms_are_found_as_words),
        cmocka_unit_test(panels_mark_only_terms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
