/* test_option.c: options are read into their places by kind, refused with the right form, and spelled for recipes
 * unless their row calls them neutral. */
#include "core/param/option.h"

#include <stddef.h>
#include <string.h>

#include "tests/check.h"

typedef enum Colour { RED, GREEN, BLUE } Colour;

typedef struct Values {
    bool on;
    const char *text;
    Colour colour;
    int whole;
    unsigned seconds;
    long large;
    float small_number;
    double number;
    int bytes;
    size_t own;
} Values;

static Status read_own(const char *text, void *values) {
    ((Values *)values)->own = strlen(text);
    return STATUS_OK;
}

static int spell_own(const void *values, char *buffer, size_t size) {
    return snprintf(buffer, size, "%zu letters", ((const Values *)values)->own);
}

static const Option rows[] = {
    {"on", NULL, "", OPTION_SWITCH, OPTION_AT(Values, on)},
    {"text", "TEXT", "", OPTION_TEXT, OPTION_AT(Values, text)},
    {"colour", "red|green|blue", "", OPTION_CHOICE, OPTION_AT(Values, colour)},
    {"whole", "N", "", OPTION_WHOLE, OPTION_AT(Values, whole), .min = -5, .max = 100},
    {"seconds", "S", "", OPTION_WHOLE, OPTION_AT(Values, seconds), .optional = true, .min = 1, .max = 4294967295.0,
     .otherwise = 60},
    {"large", "N", "", OPTION_WHOLE, OPTION_AT(Values, large), .min = 1, .max = 1e12, .neutral = true},
    {"small", "X", "", OPTION_NUMBER, OPTION_AT(Values, small_number), .min = 0, .max = 1},
    {"number", "X", "", OPTION_NUMBER, OPTION_AT(Values, number), .min = 0.5, .max = 2},
    {"bytes", "SIZE", "", OPTION_BYTES, OPTION_AT(Values, bytes), .min = 1, .max = 2147483647},
    {"own", "TEXT", "", OPTION_OWN, .read = read_own, .spell = spell_own},
};

static const Option *row(const char *name) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    fail_msg("no row %s", name);
    return NULL;
}

static void values_get_to_their_places(void **state) {
    Values values = {0};
    (void)state;
    REQUIRE(option_read(row("on"), NULL, &values));
    REQUIRE(option_read(row("text"), "a text", &values));
    REQUIRE(option_read(row("colour"), "blue", &values));
    REQUIRE(option_read(row("whole"), "-5", &values));
    REQUIRE(option_read(row("seconds"), NULL, &values));
    REQUIRE(option_read(row("large"), "1000000000000", &values));
    REQUIRE(option_read(row("small"), "1/4", &values));
    REQUIRE(option_read(row("number"), "1.5", &values));
    REQUIRE(option_read(row("own"), "four", &values));
    REQUIRE(option_read(row("bytes"), "200K", &values));
    assert_int_equal(values.bytes, 200 * 1024);
    REQUIRE(option_read(row("bytes"), "1.5m", &values));
    assert_int_equal(values.bytes, 3 * 512 * 1024);
    REQUIRE(option_read(row("bytes"), "77", &values));
    assert_int_equal(values.bytes, 77);
    for (const char *const *text = (const char *const[]){"0", "2G", "1e10", "K", "3KB", "1/2K", "", NULL}; *text;
         text++)
        assert_int_equal(option_read(row("bytes"), *text, &values), STATUS_USAGE);
    assert_true(values.on);
    assert_string_equal(values.text, "a text");
    assert_int_equal(values.colour, BLUE);
    assert_int_equal(values.whole, -5);
    assert_int_equal(values.seconds, 60);
    assert_true(values.large == 1000000000000L);
    assert_true(values.small_number == 0.25F && values.number == 1.5);
    assert_int_equal(values.own, 4);
    REQUIRE(option_read(row("seconds"), "4294967295", &values));
    assert_true(values.seconds == 4294967295U);
}

static void what_is_wrong_is_refused(void **state) {
    static const struct {
        const char *name, *text, *said;
    } wrong[] = {{"colour", "re", "--colour is \"re\", want red, green or blue"},
                 {"colour", "red|green", "--colour is \"red|green\", want red, green or blue"},
                 {"colour", "", "--colour is \"\", want red, green or blue"},
                 {"whole", "101", "--whole is \"101\", want a whole number from -5 to 100"},
                 {"whole", "1.5", "--whole is \"1.5\", want a whole number from -5 to 100"},
                 {"whole", "", "--whole is \"\", want a whole number from -5 to 100"},
                 {"number", "2.5", "--number is \"2.5\", want a number from 0.5 to 2"},
                 {"number", "nan", "--number is \"nan\", want a number from 0.5 to 2"}};
    Values values = {0};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(option_read(row(wrong[i].name), wrong[i].text, &values), STATUS_USAGE);
        assert_string_equal(status_message(), wrong[i].said);
    }
}

/* Each row that is not neutral changes the recipe by itself. */
static void all_but_neutral_options_are_spelled(void **state) {
    static const char *const texts[] = {NULL, "x", "green", "7", "9", "5", "0.5", "2", "8K", "abc"};
    static const char *const spelled[] = {" on=1", " text=x",    " colour=green", " whole=7",    " seconds=9",
                                          "",      " small=0.5", " number=2",     " bytes=8192", " own=3 letters"};
    struct Whole {
        int before;
        Values values;
    } is, was = {0};
    char recipe[256];
    const OptionTable tables[] = {{0}, {OPTION_ROWS(rows), offsetof(struct Whole, values)}};
    (void)state;
    assert_int_equal(options_recipe(tables, 2, &was, &was, recipe, sizeof recipe), 0);
    assert_string_equal(recipe, "");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        is = was;
        REQUIRE(option_read(&rows[i], texts[i], &is.values));
        assert_int_equal(options_recipe(tables, 2, &is, &was, recipe, sizeof recipe), strlen(spelled[i]));
        assert_string_equal(recipe, spelled[i]);
    }
}

/* A number that is out of range stands for none. */
static void values_are_numbers(void **state) {
    Values values = {0};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        option_put(&rows[i], 1.5, &values);
    assert_true(option_value(row("on"), &values) == 1 && option_value(row("colour"), &values) == 1);
    assert_true(option_value(row("whole"), &values) == 1 && option_value(row("number"), &values) == 1.5);
    assert_true(option_value(row("text"), &values) == 0 && option_value(row("own"), &values) == 0);
    assert_true(values.own == 0 && !values.text);
    option_put(row("seconds"), 0, &values);
    assert_true(option_value(row("seconds"), &values) == 60);
}

/* Texts count to their end, however long they are. */
static void long_texts_are_told_apart(void **state) {
    char one[600], other[600], recipe[1024];
    Values is = {.text = one}, was = {.text = other};
    const OptionTable table = {OPTION_ROWS(rows), 0};
    (void)state;
    memset(one, 'a', sizeof one);
    memset(other, 'a', sizeof other);
    one[598] = 'b';
    one[599] = other[599] = '\0';
    assert_int_equal(options_recipe(&table, 1, &is, &was, recipe, sizeof recipe), strlen(" text=") + 599);
    assert_int_equal(options_recipe(&table, 1, &is, &was, recipe, 100), strlen(" text=") + 599);
    assert_int_equal(strlen(recipe), 99);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_get_to_their_places),          cmocka_unit_test(what_is_wrong_is_refused),
        cmocka_unit_test(all_but_neutral_options_are_spelled), cmocka_unit_test(values_are_numbers),
        cmocka_unit_test(long_texts_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
