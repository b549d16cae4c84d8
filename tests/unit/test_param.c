/* test_param.c: values by table: defaults, assignments, limits, and back to text. */
#include "core/param/param.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/check.h"

typedef struct Values {
    double sigma, radius, flip;
    char *file;
    double output;
} Values;

static const Param params[] = {
    {"sigma", "width", "pixels", PARAM_NUMBER, offsetof(Values, sigma), 0.1, 2, 42, 0.1},
    {"radius", "pixels to each side", "pixels", PARAM_WHOLE, offsetof(Values, radius), 0, 3, 9, 2},
    {"flip", "turned", "", PARAM_SWITCH, offsetof(Values, flip), 0, 0, 1, 1},
    {"file", "a text", "", PARAM_TEXT, offsetof(Values, file), 0, 0, 0, 0},
    {"output", "what is shown", "x|y|magnitude", PARAM_CHOICE, offsetof(Values, output), 0, 2, 2, 1},
};
static const ParamTable table = {params, sizeof params / sizeof *params, sizeof(Values)};

static Values *fresh(void) {
    void *values = NULL;
    assert_int_equal(params_create(table, &values), STATUS_OK);
    return values;
}

static void drop(Values *values) {
    void *gone = values;
    params_destroy(table, &gone);
    assert_null(gone);
    params_destroy(table, &gone);
}

static Status parse(const char *text, Values *values, size_t *column) {
    const char *at = NULL;
    const Status status = params_parse(table, "blur", text, text + strlen(text), values, &at);
    if (status != STATUS_OK && column)
        *column = (size_t)(at - text) + 1;
    return status;
}

static void values_start_at_their_defaults(void **state) {
    (void)state;
    Values *values = fresh();
    assert_true(values->sigma == 2 && values->radius == 3 && values->flip == 0);
    assert_null(values->file);
    assert_true(param_number(&params[1], values) == 3);
    assert_null(param_text(&params[3], values));
    drop(values);
}

static void a_choice_is_a_word(void **state) {
    (void)state;
    const struct {
        const char *text, *printed;
        double output;
    } rows[] = {{"output=x", "output=x", 0}, {"output=y", "output=y", 1}, {"output=magnitude", "", 2}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Values *values = fresh();
        char printed[40];
        assert_true(values->output == 2);
        assert_int_equal(parse(rows[i].text, values, NULL), STATUS_OK);
        assert_true(values->output == rows[i].output);
        params_format(table, values, printed, sizeof printed);
        assert_string_equal(printed, rows[i].printed);
        drop(values);
    }
    const char *const wrong[] = {"output=z", "output=mag", "output=x|y", "output=magnitude|", "output=1"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        Values *values = fresh();
        size_t column = 0;
        assert_int_equal(parse(wrong[i], values, &column), STATUS_USAGE);
        assert_int_equal(column, 8);
        assert_non_null(strstr(status_message(), "want one of x|y|magnitude"));
        drop(values);
    }
}

static void assignments_by_name_and_place(void **state) {
    (void)state;
    const struct {
        const char *text;
        double sigma, radius, flip;
        const char *file;
    } rows[] = {
        {"5", 5, 3, 0, NULL},
        {"5:7", 5, 7, 0, NULL},
        {"radius=1", 2, 1, 0, NULL},
        {"radius=1:1", 2, 1, 1, NULL}, /* a bare value goes to the one behind the last */
        {"flip=1:sigma=.5", 0.5, 3, 1, NULL},
        {"1/4", 0.25, 3, 0, NULL},
        {"1:2:1:a.txt", 1, 2, 1, "a.txt"},
        {"file=a b,c.txt", 2, 3, 0, "a b,c.txt"},
        {"file='a:b=c,d.txt':radius=5", 2, 5, 0, "a:b=c,d.txt"},
        {"file='it''s.txt':radius=5", 2, 5, 0, "it's.txt"},
        {"sigma=1:sigma=3", 3, 3, 0, NULL},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        Values *values = fresh();
        if (parse(rows[k].text, values, NULL) != STATUS_OK)
            fail_msg("\"%s\": %s", rows[k].text, status_message());
        assert_true(values->sigma == rows[k].sigma && values->radius == rows[k].radius && values->flip == rows[k].flip);
        if (rows[k].file)
            assert_string_equal(values->file, rows[k].file);
        else
            assert_null(values->file);
        drop(values);
    }
}

static void failures_say_where_and_what(void **state) {
    (void)state;
    const struct {
        const char *text;
        size_t column;
        const char *says;
    } rows[] = {
        {"", 1, "sigma"},
        {"x", 1, "want a number"},
        {"2x", 1, "want a number"},
        {"nan", 1, "want a number"},
        {"inf", 1, "want a number"},
        {"0", 1, "0.1 to 42 pixels"},
        {"43", 1, "0.1 to 42 pixels"},
        {"sigma=-1", 7, "0.1 to 42 pixels"},
        {"2:radius=1.5", 10, "whole"},
        {"2:radius=10", 10, "0 to 9 pixels"},
        {"flip=2", 6, "0 to 1"},
        {"2:sgima=3", 3, "sgima"},
        {"2:sgima=3", 3, "sigma, radius, flip, file"},
        {"2:", 3, "radius"},
        {"sigma=", 7, "sigma"},
        {"1:1:1:a:x:b", 11, "5 parameters"},
        {"file='a", 6, "quote"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        Values *values = fresh();
        size_t column = 0;
        if (parse(rows[k].text, values, &column) != STATUS_USAGE)
            fail_msg("\"%s\" was not refused", rows[k].text);
        if (column != rows[k].column)
            fail_msg("\"%s\": column %zu, want %zu (%s)", rows[k].text, column, rows[k].column, status_message());
        assert_memory_equal(status_message(), "blur", 4);
        if (!strstr(status_message(), rows[k].says))
            fail_msg("\"%s\": \"%s\" does not say \"%s\"", rows[k].text, status_message(), rows[k].says);
        drop(values);
    }
}

static void the_text_ends_where_the_caller_says(void **state) {
    (void)state;
    const char *text = "sigma=3,sharpen", *at = NULL;
    Values *values = fresh();
    assert_int_equal(params_parse(table, "blur", text, text + 7, values, &at), STATUS_OK);
    assert_true(values->sigma == 3);
    drop(values);
}

static void text_comes_back(void **state) {
    (void)state;
    const char *const texts[] = {"",
                                 "5",
                                 "5:7",
                                 "radius=1",
                                 "radius=1:1",
                                 "0.1:file=x",
                                 "1:0:1:x",
                                 "sigma=0.30000000000000004",
                                 "file='a,b:c'",
                                 "file='it''s'",
                                 "file=''''",
                                 "file=' padded '",
                                 "flip=1:file='x=1'"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        Values *values = fresh(), *again = fresh();
        if (texts[k][0])
            assert_int_equal(parse(texts[k], values, NULL), STATUS_OK);
        char printed[200], reprinted[200];
        const size_t length = params_format(table, values, printed, sizeof printed);
        assert_int_equal(length, strlen(printed));
        assert_int_equal(params_format(table, values, NULL, 0), length);
        if (length > 0 && parse(printed, again, NULL) != STATUS_OK)
            fail_msg("\"%s\" was printed as \"%s\": %s", texts[k], printed, status_message());
        assert_true(values->sigma == again->sigma && values->radius == again->radius && values->flip == again->flip);
        assert_true((values->file == NULL) == (again->file == NULL));
        if (values->file)
            assert_string_equal(values->file, again->file);
        params_format(table, again, reprinted, sizeof reprinted);
        assert_string_equal(printed, reprinted);
        char tiny[4];
        assert_int_equal(params_format(table, values, tiny, sizeof tiny), length); /* as snprintf does */
        assert_true(strlen(tiny) < sizeof tiny && strncmp(tiny, printed, strlen(tiny)) == 0);
        drop(values);
        drop(again);
    }
}

static void default_values_are_not_printed(void **state) {
    (void)state;
    Values *values = fresh();
    char printed[200];
    assert_int_equal(params_format(table, values, printed, sizeof printed), 0);
    assert_string_equal(printed, "");
    values->sigma = 0.3;
    params_format(table, values, printed, sizeof printed);
    assert_string_equal(printed, "0.3");
    values->sigma = 2;
    values->radius = 4;
    params_format(table, values, printed, sizeof printed);
    assert_string_equal(printed, "radius=4");
    drop(values);
}

static void clones_own_their_text(void **state) {
    (void)state;
    Values *values = fresh();
    assert_int_equal(parse("7:file=x.txt", values, NULL), STATUS_OK);
    void *copy = NULL;
    assert_int_equal(params_clone(table, values, &copy), STATUS_OK);
    Values *clone = copy;
    assert_true(clone->sigma == 7);
    assert_string_equal(clone->file, "x.txt");
    assert_ptr_not_equal(clone->file, values->file);
    drop(values);
    drop(clone);
}

static void setting_and_stepping_stay_in_the_limits(void **state) {
    (void)state;
    Values *values = fresh();
    param_set_number(&params[0], values, 100);
    assert_true(values->sigma == 42);
    param_set_number(&params[0], values, -1);
    assert_true(values->sigma == 0.1);
    param_set_number(&params[1], values, 4.4);
    assert_true(values->radius == 4);
    assert_true(param_stepped(&params[0], 42, 1) == 42);
    assert_true(param_stepped(&params[0], 0.1, -3) == 0.1);
    assert_true(fabs(param_stepped(&params[0], 2, 1) - 2.1) < 1e-12);
    assert_true(fabs(param_stepped(&params[0], 2, -20) - 0.1) < 1e-12);
    assert_true(param_stepped(&params[1], 9, 1) == 9);
    /* A way up and down again ends where it began. */
    double number = 1;
    for (int i = 0; i < 30; i++)
        number = param_stepped(&params[0], number, 1);
    for (int i = 0; i < 30; i++)
        number = param_stepped(&params[0], number, -1);
    assert_true(fabs(number - 1) < 1e-12);
    drop(values);
}

static bool same(double a, double b) {
    return !(a < b) && !(a > b);
}

static void stored_values_fit_the_pixels(void **state) {
    static const Param bias = {"bias", "", PARAM_STORED, PARAM_NUMBER, 0, -65535, 0, 65535, 8};
    static const Param sigma = {"sigma", "", "pixels", PARAM_NUMBER, 0, 0.1, 1, 42, 0.1};
    (void)state;
    const Param bytes = param_for_white(&bias, 255), words = param_for_white(&bias, 65535);
    const Param floats = param_for_white(&bias, 1), other = param_for_white(&sigma, 255);
    assert_true(same(bytes.min, -255) && same(bytes.max, 255) && same(bytes.step, 8)); /* 256 / 32 */
    assert_true(same(words.max, 65535) && same(words.step, 2048));
    assert_true(same(floats.min, -1) && same(floats.step, 0.03125));
    assert_true(same(other.max, 42) && same(other.step, 0.1));
}

/* Places end with the picture, and sizes begin with a pixel. */
static void places_fit_the_picture(void **state) {
    static const Param list[] = {{"width", "", PARAM_COLUMNS, PARAM_NUMBER, 0, 0, 0, 1000000, 16},
                                 {"y", "", PARAM_ROW, PARAM_NUMBER, sizeof(double), -1, -1, 1000000, 16},
                                 {"in", "", PARAM_MEASURE, PARAM_CHOICE, 2 * sizeof(double), 0, 0, 1, 1}};
    const ParamTable all = {list, 3, 3 * sizeof(double)}, unmeasured = {list, 2, 3 * sizeof(double)};
    double values[3] = {0, -1, 0};
    (void)state;
    const Param width = param_for_size(all, &list[0], values, 40, 30),
                y = param_for_size(all, &list[1], values, 40, 30);
    const Param in = param_for_size(all, &list[2], values, 40, 30);
    const Param row = param_for_size(unmeasured, &list[1], values, 40, 30);
    assert_true(same(width.min, 1) && same(width.max, 40) && width.kind == PARAM_WHOLE);
    assert_true(same(y.min, 0) && same(y.max, 29) && y.kind == PARAM_WHOLE);
    assert_true(same(row.max, 29) && row.kind == PARAM_NUMBER);
    assert_true(same(in.max, 1) && in.kind == PARAM_CHOICE);
    assert_false(params_in_percent(all, values) || params_in_percent(unmeasured, values));
    values[2] = 1;
    assert_true(params_in_percent(all, values));
    const Param share = param_for_size(all, &list[0], values, 40, 30);
    assert_true(same(share.min, 0) && same(share.max, 100) && share.kind == PARAM_NUMBER);
    assert_string_equal(share.unit, PARAM_SHARE);
}

/* Units tell a parameter's meaning in the picture. */
static void parameters_are_found(void **state) {
    static const Param list[] = {{"x", "", PARAM_COLUMN, PARAM_WHOLE, 0, 0, 0, 9, 1},
                                 {"file", "", "", PARAM_TEXT, sizeof(double), 0, 0, 0, 0}};
    const ParamTable few = {list, 2, sizeof(double) + sizeof(char *)};
    void *few_values;
    (void)state;
    assert_ptr_equal(param_by_unit(few, PARAM_COLUMN), &list[0]);
    assert_ptr_equal(param_by_name(few, "file"), &list[1]);
    assert_null(param_by_unit(few, PARAM_ROW));
    assert_null(param_by_name(few, "fil"));
    assert_int_equal(params_create(few, &few_values), STATUS_OK);
    assert_int_equal(param_set_text(&list[1], few_values, "a"), STATUS_OK);
    assert_int_equal(param_set_text(&list[1], few_values, "b:c"), STATUS_OK);
    assert_string_equal(param_text(&list[1], few_values), "b:c");
    assert_int_equal(param_set_text(&list[1], few_values, ""), STATUS_OK);
    assert_null(param_text(&list[1], few_values));
    params_destroy(few, &few_values);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_start_at_their_defaults),
        cmocka_unit_test(a_choice_is_a_word),
        cmocka_unit_test(places_fit_the_picture),
        cmocka_unit_test(assignments_by_name_and_place),
        cmocka_unit_test(failures_say_where_and_what),
        cmocka_unit_test(the_text_ends_where_the_caller_says),
        cmocka_unit_test(text_comes_back),
        cmocka_unit_test(default_values_are_not_printed),
        cmocka_unit_test(clones_own_their_text),
        cmocka_unit_test(setting_and_stepping_stay_in_the_limits),
        cmocka_unit_test(stored_values_fit_the_pixels),
        cmocka_unit_test(parameters_are_found),
    };
    return cmocka_run_group_tests_name("param", tests, NULL, NULL);
}
