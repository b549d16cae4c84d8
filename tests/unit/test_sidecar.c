/* test_sidecar.c: the edits of a picture as a text, and texts that are none. */
#include "core/chain/sidecar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/check.h"

static Sidecar *parsed(const char *text) {
    Sidecar *sidecar = NULL;
    if (sidecar_parse(text, &sidecar) != STATUS_OK)
        fail_msg("%s", status_message());
    return sidecar;
}

static void lines_are_taken_apart(void **state) {
    (void)state;
    Sidecar *sidecar = parsed("glint edits 1\r\n"
                              "# a comment\n"
                              "\n"
                              "  picture =\tphoto one.jpg  \r\n"
                              "linear = yes\n"
                              "alpha = ignore\n"
                              "shown = 2\n"
                              "edit = as it began\n"
                              "filter =\n"
                              "edit=add gaussian\n"
                              "filter = gaussian=2:within='a\\\\b\\nc.png'\n"
                              "border = constant=7\n"
                              "edit = another chain");
    assert_string_equal(sidecar->picture, "photo one.jpg");
    assert_true(sidecar->linear);
    assert_int_equal(sidecar->alpha, ALPHA_IGNORE);
    assert_int_equal(sidecar->count, 3);
    assert_int_equal(sidecar->shown, 1);
    assert_string_equal(sidecar->edits[0].chain, "");
    assert_int_equal(sidecar->edits[0].border.mode, BORDER_CLAMP);
    assert_string_equal(sidecar->edits[1].words, "add gaussian");
    assert_string_equal(sidecar->edits[1].chain, "gaussian=2:within='a\\b\nc.png'");
    assert_int_equal(sidecar->edits[1].border.mode, BORDER_CONSTANT);
    assert_float_equal(sidecar->edits[1].border.value, 7, 0);
    assert_string_equal(sidecar->edits[2].words, "another chain");
    assert_string_equal(sidecar->edits[2].chain, "");
    sidecar_destroy(&sidecar);
    assert_null(sidecar);
}

/* Whatever the strings hold, the text is read as the same again. */
static void a_text_is_read_as_it_was_written(void **state) {
    (void)state;
    static const char *const hostile[] = {"",      " ",    "a = b", "\\n", "# no comment", "\nedit = x", " both ends\t",
                                          "\r\\s", "ü\x80"};
    for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++) {
        SidecarEdit edits[] = {{.words = "as it began", .chain = hostile[i], .border = {BORDER_MIRROR, 0}},
                               {.words = hostile[i], .chain = "", .scene = {.changes = hostile[i], .light = "seed=2"}}};
        const Sidecar written = {.picture = hostile[i], .alpha = ALPHA_IGNORE, .count = 2, .shown = 1, .edits = edits};
        char *text = sidecar_format(&written);
        assert_non_null(text);
        Sidecar *read = parsed(text);
        assert_string_equal(read->picture, hostile[i]);
        assert_false(read->linear);
        assert_int_equal(read->alpha, ALPHA_IGNORE);
        assert_int_equal(read->count, 2);
        assert_int_equal(read->shown, 1);
        assert_string_equal(read->edits[0].chain, hostile[i]);
        assert_int_equal(read->edits[0].border.mode, BORDER_MIRROR);
        assert_string_equal(read->edits[1].words, hostile[i]);
        assert_string_equal(read->edits[1].chain, "");
        assert_null(read->edits[0].scene.changes);
        assert_string_equal(read->edits[1].scene.changes, hostile[i]);
        assert_string_equal(read->edits[1].scene.light, "seed=2");
        assert_null(read->edits[1].scene.camera);
        sidecar_destroy(&read);
        free(text);
    }
}

/* As XMP has it: stars, or rejected. A picture that is rated alone has no edits. */
static void a_rating_is_kept(void **state) {
    static const struct {
        const char *text;
        int rating;
        size_t count;
    } cases[] = {{"glint edits 1\nrating = 4\nedit = a", 4, 1},
                 {"glint edits 1\nedit = a\nrating = 5", 5, 1},
                 {"glint edits 1\nrating = rejected", RATING_REJECTED, 0},
                 {"glint edits 1\nrating = 0\n", 0, 0},
                 {"glint edits 1\nedit = a", 0, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Sidecar *read = parsed(cases[i].text);
        char *text = sidecar_format(read);
        assert_non_null(text);
        assert_int_equal(strstr(text, "rating") != NULL, cases[i].rating != 0 || cases[i].count == 0);
        for (int again = 0; again < 2; again++) {
            assert_int_equal(read->rating, cases[i].rating);
            assert_int_equal(read->count, cases[i].count);
            sidecar_destroy(&read);
            read = parsed(text);
        }
        sidecar_destroy(&read);
        free(text);
    }
}

/* A later version of glint may know more about a picture: it finds its lines again. */
static void unknown_lines_stay(void **state) {
    (void)state;
    Sidecar *read =
        parsed("glint edits 1\ncolour = \\sred\nplace=a = b\nrating = 2\ncolour = blue\nedit = a\nfilter = invert");
    assert_int_equal(read->other_count, 3);
    char *text = sidecar_format(read);
    assert_non_null(text);
    assert_non_null(strstr(text, "\nrating = 2\ncolour = \\sred\nplace = a = b\ncolour = blue\nshown = 1\nedit = a\n"));
    sidecar_destroy(&read);
    read = parsed(text);
    assert_string_equal(read->others[0].key, "colour");
    assert_string_equal(read->others[0].value, " red");
    assert_string_equal(read->others[1].value, "a = b");
    assert_string_equal(read->others[2].value, "blue");
    sidecar_destroy(&read);
    free(text);
}

static void other_texts_are_refused(void **state) {
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"", "line 1: want \"glint edits 1\": these are no edits of glint"},
        {"\x89PNG", "line 1: want \"glint edits 1\": these are no edits of glint"},
        {"glint edits \nedit = a", "line 1: want \"glint edits 1\": these are no edits of glint"},
        {"glint edits 1x\nedit = a", "line 1: want \"glint edits 1\": these are no edits of glint"},
        {"glint edits 2\nedit = a", "line 1: version 2 is of a newer glint; this one reads 1"},
        {"glint edits 1", "want an edit, as in \"edit = as it began\""},
        {"glint edits 1\nshown = 2\nedit = a", "edit 2 is shown, and there are 1"},
        {"glint edits 1\nshown = 0\nedit = a", "line 2: shown \"0\", want an edit's number from 1 on"},
        {"glint edits 1\nshown = -1\nedit = a", "line 2: shown \"-1\", want an edit's number from 1 on"},
        {"glint edits 1\nshown = 99999999999999999999\nedit = a",
         "line 2: shown \"99999999999999999999\", want an edit's number from 1 on"},
        {"glint edits 1\nlinear = 1\nedit = a", "line 2: linear \"1\", want yes or no"},
        {"glint edits 1\nalpha = x\nedit = a", "line 2: alpha \"x\", want premultiply or ignore"},
        {"glint edits 1\nrating = 6\nedit = a",
         "line 2: rating \"6\", want a number of stars from 0 to 5, or rejected"},
        {"glint edits 1\nrating = -1", "line 2: rating \"-1\", want a number of stars from 0 to 5, or rejected"},
        {"glint edits 1\nrating = 3\nshown = 2", "edit 2 is shown, and there are 0"},
        {"glint edits 1\ncolour = red", "want an edit, as in \"edit = as it began\""},
        {"glint edits 1\nfilter = invert\nedit = a", "line 2: want an edit before its filter"},
        {"glint edits 1\nedit = a\ncolour = b", "line 3: \"colour\": version 1 has no such key"},
        {"glint edits 1\nedit", "line 2: \"edit\", want KEY = VALUE"},
        {"glint edits 1\nedit = \\x", "line 2: want one of \\\\ \\n \\r \\s \\t"},
        {"glint edits 1\nedit = a\\", "line 2: want one of \\\\ \\n \\r \\s \\t"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Sidecar *sidecar = NULL;
        assert_int_equal(sidecar_parse(cases[i].text, &sidecar), STATUS_INPUT);
        assert_string_equal(status_message(), cases[i].why);
        assert_null(sidecar);
    }
    Sidecar *sidecar = NULL;
    assert_int_equal(sidecar_parse("glint edits 1\nedit = a\nborder = round", &sidecar), STATUS_INPUT);
    assert_memory_equal(status_message(), "line 3: ", 8);
}

/* Options that were given stay; the others are the sidecar's. */
static void a_chain_may_be_a_sidecar(void **state) {
    char path[] = "@/tmp/test_sidecar.XXXXXX.glint", *chain = NULL;
    (void)state;
    const int file = mkstemps(path + 1, (int)strlen(SIDECAR_ENDING));
    assert_true(file >= 0);
    static const char text[] = "glint edits 1\nlinear = yes\nedit = a\nedit = b\nfilter = invert\nborder = wrap\n"
                               "shown = 2\nedit = c\n";
    assert_int_equal(write(file, text, sizeof text - 1), sizeof text - 1);
    close(file);
    PlanOptions options = {.border = {BORDER_CLAMP, 0}};
    assert_int_equal(sidecar_take(path, &options, &chain), STATUS_OK);
    assert_string_equal(chain, "invert");
    assert_true(options.linear);
    assert_int_equal(options.border.mode, BORDER_WRAP);
    free(chain);
    options = (PlanOptions){.border = {BORDER_MIRROR, 0}, .alpha = ALPHA_IGNORE};
    assert_int_equal(sidecar_take(path, &options, &chain), STATUS_OK);
    assert_int_equal(options.border.mode, BORDER_MIRROR);
    assert_int_equal(options.alpha, ALPHA_IGNORE);
    free(chain);
    static const char rated[] = "glint edits 1\nrating = 3\n";
    FILE *stream = fopen(path + 1, "w");
    assert_non_null(stream);
    assert_int_equal(fwrite(rated, 1, sizeof rated - 1, stream), sizeof rated - 1);
    assert_int_equal(fclose(stream), 0);
    assert_int_equal(sidecar_take(path, &options, &chain), STATUS_OK);
    assert_string_equal(chain, "");
    free(chain);
    unlink(path + 1);
    assert_int_equal(sidecar_take(path, &options, &chain), STATUS_INPUT);
    assert_int_equal(sidecar_take("@film", &options, &chain), STATUS_OK);
    assert_null(chain);
    assert_int_equal(sidecar_take("@.glint", &options, &chain), STATUS_INPUT);
    assert_int_equal(sidecar_take("invert", &options, &chain), STATUS_OK);
    assert_null(chain);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_taken_apart),   cmocka_unit_test(a_text_is_read_as_it_was_written),
        cmocka_unit_test(a_rating_is_kept),        cmocka_unit_test(unknown_lines_stay),
        cmocka_unit_test(other_texts_are_refused), cmocka_unit_test(a_chain_may_be_a_sidecar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
