/* test_preset.c: presets from text, the user's before the shipped ones, and chains that use them. */
#include "core/chain/chain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/check.h"

static const char shipped[] = "# a comment, and an empty line\n"
                              "\n"
                              "soft: gaussian=1.5   # Takes the edge off.\n"
                              "  film_2 :\tinvert, @soft ,invert# part of the text\t#\tA film.  \r\n"
                              "own-mask: convolve='1 # 2;3 4':bias=-3\n"
                              "both: @soft,invert";

static Presets *presets_of(const char *own) {
    Presets *presets = NULL;
    if (presets_parse(shipped, own, own ? "own.txt" : NULL, &presets) != STATUS_OK)
        fail_msg("%s", status_message());
    return presets;
}

static void lines_are_taken_apart(void **state) {
    (void)state;
    Presets *presets = presets_of(NULL);
    assert_int_equal(presets->count, 4);
    const Preset *soft = presets_find(presets, "softly", 4), *film = presets_find(presets, "film_2", 6);
    assert_non_null(soft);
    assert_non_null(film);
    assert_string_equal(soft->chain, "gaussian=1.5");
    assert_string_equal(soft->help, "Takes the edge off.");
    assert_int_equal(soft->line, 3);
    assert_int_equal(soft->column, 7);
    assert_string_equal(film->chain, "invert, @soft ,invert# part of the text");
    assert_string_equal(film->help, "A film.");
    assert_int_equal(film->line, 4);
    assert_int_equal(film->column, 12);
    assert_string_equal(presets_find(presets, "own-mask", 8)->chain, "convolve='1 # 2;3 4':bias=-3");
    assert_string_equal(presets_find(presets, "own-mask", 8)->help, "");
    assert_null(presets_find(presets, "soft", 3));
    assert_null(presets_find(presets, "", 0));
    presets_destroy(&presets);
    assert_null(presets);
    presets_destroy(&presets);
}

static void the_users_replace_the_shipped(void **state) {
    (void)state;
    Presets *presets = presets_of("new: box=5\nsoft: box=3\n");
    assert_int_equal(presets->count, 5);
    assert_string_equal(presets_find(presets, "soft", 4)->chain, "box=3");
    assert_string_equal(presets_find(presets, "soft", 4)->file, "own.txt");
    assert_int_equal(presets_find(presets, "soft", 4)->line, 2);
    assert_true(presets_find(presets, "soft", 4)->own && presets_find(presets, "new", 3)->own);
    Chain *chain = NULL;
    REQUIRE(chain_parse_with("@both", presets, &chain)); /* a shipped one takes the user's, too */
    assert_string_equal(chain->links[0].filter->name, "box");
    chain_destroy(&chain);
    presets_destroy(&presets);
}

static void damaged_lines_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } rows[] = {
        {"a b: invert", "own.txt:1: want NAME: CHAIN"},
        {"\n: invert", "own.txt:2: want NAME: CHAIN"},
        {"invert", "own.txt:1: want NAME: CHAIN"},
        {"\xc3\xa4: invert", "own.txt:1: want NAME: CHAIN"},
        {"a:", "own.txt:1: want a chain behind \"a:\""},
        {"a:  # nothing", "own.txt:1: want a chain behind \"a:\""},
        {"a: invert\nb: invert\na: box", "own.txt:3: there is a preset \"a\" in line 1 already"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        Presets *presets = NULL;
        if (presets_parse("", rows[k].text, "own.txt", &presets) != STATUS_USAGE)
            fail_msg("\"%s\" was not refused", rows[k].text);
        assert_null(presets);
        if (!strstr(status_message(), rows[k].says))
            fail_msg("\"%s\": \"%s\" does not say \"%s\"", rows[k].text, status_message(), rows[k].says);
    }
}

static void expect_file(const char *path, const char *want) {
    char text[400];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, want);
}

/* Folders come by themselves; lines that a person has written stay, each where it was. */
static void presets_are_saved(void **state) {
    (void)state;
    const char *path = "made/deep/glint/chains.txt";
    char *before = getenv("XDG_CONFIG_HOME"), *kept = before ? strdup(before) : NULL, here[1024], folder[1100];
    assert_non_null(getcwd(here, sizeof here));
    snprintf(folder, sizeof folder, "%s/made/deep", here);
    setenv("XDG_CONFIG_HOME", folder, 1);
    REQUIRE(presets_save("first", "gaussian=2,~invert"));
    expect_file(path, "first: gaussian=2,~invert\n");
    REQUIRE(presets_save("noir", "grayscale")); /* a shipped name */
    REQUIRE(presets_save("first", "box=3"));
    expect_file(path, "first: box=3\nnoir: grayscale\n");
    FILE *file = fopen(path, "wb");
    fputs("# mine\n\nfirst: invert # with a comment\nlast: sepia", file);
    fclose(file);
    REQUIRE(presets_save("last", "box=5"));
    REQUIRE(presets_save("first", "box=7"));
    REQUIRE(presets_save("new", "hue=20"));
    expect_file(path, "# mine\n\nfirst: box=7   # with a comment\nlast: box=5\nnew: hue=20\n");
    assert_int_equal(presets_save("a b", "invert"), STATUS_USAGE);
    assert_int_equal(presets_save("", "invert"), STATUS_USAGE);
    assert_int_equal(presets_save("none", ""), STATUS_USAGE);
    file = fopen(path, "wb");
    fputs("no preset", file);
    fclose(file);
    assert_int_equal(presets_save("new", "invert"), STATUS_USAGE); /* a faulty line there stays to be mended */
    expect_file(path, "no preset");
    if (kept)
        setenv("XDG_CONFIG_HOME", kept, 1);
    else
        unsetenv("XDG_CONFIG_HOME");
    free(kept);
}

static void chains_take_them_in(void **state) {
    (void)state;
    static const struct {
        const char *chain, *means;
    } rows[] = {
        {"@soft", "gaussian=1.5"},
        {" @soft , invert", "gaussian=1.5,invert"},
        {"box,@soft,box=5", "box,gaussian=1.5,box=5"},
        {"@soft,@soft", "gaussian=1.5,gaussian=1.5"},
        {"@wide", "invert,gaussian=1.5,box"},
    };
    Presets *presets = presets_of("wide: invert,@inner,box\ninner: @soft");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char text[200];
        Chain *chain = NULL;
        REQUIRE(chain_parse_with(rows[k].chain, presets, &chain));
        chain_format(chain, text, sizeof text);
        assert_string_equal(text, rows[k].means);
        chain_destroy(&chain);
    }
    presets_destroy(&presets);
}

static void errors_name_file_line_and_column(void **state) {
    (void)state;
    static const struct {
        const char *chain, *says;
    } rows[] = {
        {"invert,@nonesuch", "chain: column 8: no preset \"@nonesuch\"; `glint list presets`"},
        {"@sofd", "chain: column 1: no preset \"@sofd\"; did you mean \"@soft\"?"},
        {"@", "chain: column 1: want a preset's name behind '@'"},
        {"@,invert", "chain: column 1: want a preset's name behind '@'"},
        {"@soft=3", "chain: column 1: \"=3\" behind \"@soft\": a preset takes no parameters"},
        {"invert, @wrong", "chain: column 9: @wrong: own.txt:1:17: box: width is \"x\", want a number"},
        {"@outer", "chain: column 1: @outer: own.txt:2:16: @wrong: own.txt:1:17: box: width is \"x\""},
        {"@self", "chain: column 1: @self: own.txt:3:14: the preset \"@self\" uses itself"},
        {"@ping", "chain: column 1: @ping: own.txt:4:7: @pong: own.txt:5:7: the preset \"@ping\" uses itself"},
        {"@comma", "chain: column 1: @comma: own.txt:6:15: want a filter behind the comma"},
        {"@deep0", "presets are more than 8 deep within each other"},
        {"@many,@many,@many,@many,invert", "chain: column 25: more than 32 filters"},
        {"@many,@many,@many,@many,@many", "chain: column 25: @many: own.txt:7:7: more than 32 filters"},
    };
    Presets *presets = presets_of("wrong: edge,box=x\n"
                                  "outer: invert, @wrong\n"
                                  "self: invert,@self\n"
                                  "ping: @pong\npong: @ping\n"
                                  "comma: invert,\n"
                                  "many: box,box,box,box,box,box,box,box\n"
                                  "deep0: @deep1\ndeep1: @deep2\ndeep2: @deep3\ndeep3: @deep4\ndeep4: @deep5\n"
                                  "deep5: @deep6\ndeep6: @deep7\ndeep7: @deep8\ndeep8: invert\n");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        Chain *chain = NULL;
        if (chain_parse_with(rows[k].chain, presets, &chain) != STATUS_USAGE)
            fail_msg("\"%s\" was not refused", rows[k].chain);
        assert_null(chain);
        if (!strstr(status_message(), rows[k].says))
            fail_msg("\"%s\": \"%s\" does not say \"%s\"", rows[k].chain, status_message(), rows[k].says);
    }
    Chain *chain = NULL;
    REQUIRE(chain_parse_with("@deep1", presets, &chain));
    chain_destroy(&chain);
    presets_destroy(&presets);
}

static void write_own(const char *folder, const char *text) {
    char path[300];
    snprintf(path, sizeof path, "%s/glint", folder);
    mkdir(path, 0700);
    strcat(path, "/chains.txt");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void the_users_file_is_found(void **state) {
    (void)state;
    char folder[] = "/tmp/glint-test-preset-XXXXXX", path[300];
    Chain *chain = NULL;
    assert_non_null(mkdtemp(folder));
    setenv("XDG_CONFIG_HOME", folder, 1);
    assert_int_equal(chain_parse("@of-my-own", &chain), STATUS_USAGE);
    write_own(folder, "of-my-own: box=7\n");
    REQUIRE(chain_parse("@of-my-own", &chain));
    assert_string_equal(chain->links[0].filter->name, "box");
    chain_destroy(&chain);
    write_own(folder, "what is this\n");
    assert_int_equal(chain_parse("@of-my-own", &chain), STATUS_USAGE);
    assert_non_null(strstr(status_message(), "chains.txt:1: want NAME: CHAIN"));
    REQUIRE(chain_parse("invert", &chain)); /* nobody asked for a preset */
    chain_destroy(&chain);
    snprintf(path, sizeof path, "%s/glint/chains.txt", folder);
    unlink(path);
    mkdir(path, 0700);
    assert_int_equal(chain_parse("@of-my-own", &chain), STATUS_INPUT);
    assert_non_null(strstr(status_message(), path));
    rmdir(path);
    snprintf(path, sizeof path, "%s/glint", folder);
    rmdir(path);
    rmdir(folder);
    setenv("XDG_CONFIG_HOME", "relative", 1);
    setenv("HOME", "/nowhere", 1);
    char *found = presets_path();
    assert_string_equal(found, "/nowhere/.config/glint/chains.txt");
    free(found);
    unsetenv("HOME");
    assert_null(presets_path());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_taken_apart),
        cmocka_unit_test(the_users_replace_the_shipped),
        cmocka_unit_test_setup_teardown(presets_are_saved, check_enter_folder, check_leave_folder),
        cmocka_unit_test(damaged_lines_are_refused),
        cmocka_unit_test(chains_take_them_in),
        cmocka_unit_test(errors_name_file_line_and_column),
        cmocka_unit_test(the_users_file_is_found),
    };
    return cmocka_run_group_tests_name("preset", tests, NULL, NULL);
}
